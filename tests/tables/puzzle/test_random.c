// Compares random puzzles with the generic twin, because any definition must work as the Game does.
// The puzzles have one or two sets, with orientations, indistinct pieces and ignored orientations,
// and illegal states.
#include "query/table.h"
#include "tests/tools/support.h"
#include "tests/twin/twin.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void shuffle(int *row, int count)
{
    for (int i = count; i-- > 1;) {
        int j = (int)support_random_below((unsigned)i + 1);
        int kept = row[i];
        row[i] = row[j];
        row[j] = kept;
    }
}

// Makes a random move: each set is permuted, turned, both, or left alone.
static void random_move(const struct twin_puzzle *puzzle, struct twin_move *move)
{
    int first = 0;
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;
        bool turns = support_random_below(3) > 0;
        for (int i = 0; i < pieces; i++) {
            move->piece[first + i] = i + 1;
            move->orientation[first + i] =
                turns ? (int)support_random_below((unsigned)puzzle->sets[s].orientations) : 0;
        }
        if (support_random_below(4) > 0) {
            shuffle(move->piece + first, pieces);
        }
        first += pieces;
    }
}

// With `alike`, some pieces are indistinct and some orientations ignored.
static struct twin_puzzle random_puzzle(bool alike)
{
    struct twin_puzzle puzzle = {.set_count = 1 + (int)support_random_below(2),
                                 .powers = support_random_below(3) > 0};
    int first = 0;
    for (int s = 0; s < puzzle.set_count; s++) {
        struct twin_set *set = &puzzle.sets[s];
        *set = (struct twin_set){2 + (int)support_random_below(puzzle.set_count == 1 ? 4 : 2),
                                 1 + (int)support_random_below(3)};
        for (int i = 0; i < set->pieces; i++) {
            puzzle.solved.piece[first + i] = alike && i > 1 ? 2 : i + 1;
            puzzle.solved.orientation[first + i] =
                (int)support_random_below((unsigned)set->orientations);
            puzzle.ignored[first + i] = alike && s == 0 && i == 0 && set->orientations > 1;
        }
        if (!alike) {
            shuffle(puzzle.solved.piece + first, set->pieces);
        }
        first += set->pieces;
    }
    puzzle.move_count = 1 + (int)support_random_below(3);
    for (int m = 0; m < puzzle.move_count; m++) {
        snprintf(puzzle.moves[m].name, sizeof puzzle.moves[m].name, "%c", 'C' - m);
        random_move(&puzzle, &puzzle.moves[m]);
    }
    return puzzle;
}

static void write_rows(const struct twin_puzzle *puzzle, const int *piece, const int *orientation,
                       const bool *ignored, char *text)
{
    int first = 0;
    for (int s = 0; s < puzzle->set_count; s++) {
        sprintf(text + strlen(text), "S%d\n", s);
        for (int i = 0; i < puzzle->sets[s].pieces; i++) {
            sprintf(text + strlen(text), "%d ", piece[first + i]);
        }
        strcat(text, "\n");
        for (int i = 0; i < puzzle->sets[s].pieces; i++) {
            if (ignored && ignored[first + i]) { // only in `Solved`
                strcat(text, "? ");
            } else {
                sprintf(text + strlen(text), "%d ", orientation[first + i]);
            }
        }
        strcat(text, "\n");
        first += puzzle->sets[s].pieces;
    }
    strcat(text, "End\n");
}

static void write_illegal(const struct twin_puzzle *puzzle, char *text)
{
    int first = 0;
    for (int s = 0; s < puzzle->set_count; s++) {
        for (int i = 0; i < puzzle->sets[s].pieces; i++) {
            for (int piece = 1; piece <= puzzle->sets[s].pieces; piece++) {
                if (puzzle->illegal[first + i][piece]) {
                    sprintf(text + strlen(text), "Illegal S%d %d %d\n", s, i + 1, piece);
                }
            }
        }
        first += puzzle->sets[s].pieces;
    }
}

static void write_definition(const struct twin_puzzle *puzzle, char *text)
{
    sprintf(text, "Name random\nPowers %s\n", puzzle->powers ? "all" : "none");
    for (int s = 0; s < puzzle->set_count; s++) {
        sprintf(text + strlen(text), "Set S%d %d %d\n", s, puzzle->sets[s].pieces,
                puzzle->sets[s].orientations);
    }
    strcat(text, "Solved\n");
    write_rows(puzzle, puzzle->solved.piece, puzzle->solved.orientation, puzzle->ignored, text);
    for (int m = 0; m < puzzle->move_count; m++) {
        sprintf(text + strlen(text), "Move %s\n", puzzle->moves[m].name);
        write_rows(puzzle, puzzle->moves[m].piece, puzzle->moves[m].orientation, NULL, text);
    }
    write_illegal(puzzle, text);
}

// Does any move permute the set or, with `turned`, change an orientation in it? A typed state shows
// only what a move changes. If pieces differ by their orientation alone, permuting them changes the
// orientations of slots.
static bool moved(const struct twin_puzzle *puzzle, int first, int pieces, bool turned)
{
    bool any = false;
    for (int i = 1; i < pieces && turned && moved(puzzle, first, pieces, false); i++) {
        for (int j = 0; j < i; j++) {
            any |= puzzle->solved.piece[first + i] == puzzle->solved.piece[first + j] &&
                   puzzle->solved.orientation[first + i] != puzzle->solved.orientation[first + j];
        }
    }
    for (int m = 0; m < puzzle->move_count; m++) {
        for (int i = 0; i < pieces; i++) {
            any |= turned ? puzzle->moves[m].orientation[first + i] != 0
                          : puzzle->moves[m].piece[first + i] != i + 1;
        }
    }
    return any;
}

static void write_state(const struct twin_puzzle *puzzle, const struct twin_state *state,
                        char *text)
{
    int first = 0;
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;
        for (int i = 0; i < pieces && moved(puzzle, first, pieces, false); i++) {
            sprintf(text + strlen(text), "%d", state->piece[first + i]);
        }
        for (int i = 0; i < pieces && moved(puzzle, first, pieces, true); i++) {
            sprintf(text + strlen(text), "%d", state->orientation[first + i]);
        }
        first += pieces;
    }
    strcat(text, " ");
}

static bool moves_anything(const struct twin_puzzle *puzzle)
{
    int first = 0;
    bool any = false;
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;
        any |= moved(puzzle, first, pieces, false) || moved(puzzle, first, pieces, true);
        first += pieces;
    }
    return any;
}

// The least distance to a target, as the twin says.
static int find_nearest(const struct twin_puzzle *puzzle, const struct twin_state *start,
                        const struct twin_state *targets, unsigned count)
{
    int nearest = -1;
    for (unsigned t = 0; t < count; t++) {
        int distance = twin_distance(puzzle, start, &targets[t]);
        nearest = distance >= 0 && (nearest < 0 || distance < nearest) ? distance : nearest;
    }
    return nearest;
}

// If distances are counted to the solved state, a path from there is found from its end, and any.
static bool is_undone(const struct fewest *table, const struct query *query)
{
    const struct puzzle *puzzle = &table->puzzle;
    return puzzle->numbering.answers == ANSWERS_TARGETS && !puzzle_counts_to_nearest(puzzle) &&
           memcmp(query->start, puzzle->goals[0], puzzle->cell_count) == 0;
}

// Asks for the steps and the path, and replays the path with the twin's moves. A single target is
// typed, several are the goals.
static void compare_nearest(struct fewest *table, const struct twin_puzzle *puzzle,
                            const struct twin_state *start, const struct twin_state *targets,
                            unsigned target_count, int expected)
{
    char text[256] = "";
    struct query query;
    struct fewest_error error;
    struct fewest_path path;
    write_state(puzzle, start, text);
    if (target_count == 1) {
        write_state(puzzle, targets, text);
    }
    cr_assert(fewest_read_query(table, text, strlen(text), query.start, query.target, &error),
              "%s: %s", text, error.text);
    cr_assert(fewest_steps(table, query.start, query.target, &path.steps, &error), "%s: %s", text,
              error.text);
    cr_assert_eq(path.steps, expected, "%s: %d instead of %d of\n%s", text, path.steps, expected,
                 fewest_info(table)->definition);
    cr_assert_eq(fewest_steps_many(table, query.start, query.target, 1, &path.steps, &error), 1);
    cr_assert_eq(path.steps, expected, "%s", text);
    cr_assert(fewest_path(table, query.start, query.target, &path, &error), "%s: %s", text,
              error.text);
    if (path.steps <= 0) {
        return;
    }
    enum { ROOM = 512 };
    struct twin_move moves[ROOM];
    struct twin_state state = *start;
    size_t count = twin_all_moves(puzzle, moves, ROOM);
    cr_assert_leq(count, ROOM);
    cr_assert_eq(count, fewest_info(table)->move_count);
    for (int i = 0; i < path.steps; i++) {
        struct twin_state next;
        bool first = true; // no move with an earlier name is on a shortest path
        cr_assert_str_eq(moves[path.moves[i]].name, fewest_move_name(table, path.moves[i]));
        for (unsigned m = 0; m < path.moves[i] && first && !is_undone(table, &query); m++) {
            twin_apply(puzzle, &moves[m], &state, &next);
            first = find_nearest(puzzle, &next, targets, target_count) != path.steps - i - 1;
        }
        cr_assert(first, "%s: the path is not the first", text);
        twin_apply(puzzle, &moves[path.moves[i]], &state, &next);
        cr_assert_eq(find_nearest(puzzle, &next, targets, target_count), path.steps - i - 1, "%s",
                     text);
        state = next;
    }
    cr_assert_eq(find_nearest(puzzle, &state, targets, target_count), 0,
                 "%s: the path leads elsewhere in\n%s", text, fewest_info(table)->definition);
}

static void compare(struct fewest *table, const struct twin_puzzle *puzzle,
                    const struct twin_state *start, const struct twin_state *target, int expected)
{
    compare_nearest(table, puzzle, start, target, 1, expected);
}

static struct fewest *generate(const struct twin_puzzle *puzzle, struct generated *generated)
{
    static char text[4096];
    write_definition(puzzle, text);
    *generated = support_generate(text, strlen(text), METRIC_POWERS);
    return support_open(generated);
}

Test(random, any_two_states_of_a_random_group_are_as_far_as_the_twin_says, .timeout = 120)
{
    for (unsigned round = 0; round < 150; round++) {
        struct twin_puzzle puzzle = random_puzzle(false);
        struct generated generated;
        if (!moves_anything(&puzzle)) {
            continue;
        }
        struct fewest *table = generate(&puzzle, &generated);
        struct twin_world *world = twin_explore(&puzzle, &puzzle.solved);
        size_t count = twin_world_count(world);
        cr_assert(support_is_sound(table));
        for (unsigned pair = 0; pair < 8; pair++) {
            const struct twin_state *a =
                twin_world_state(world, support_random_below((unsigned)count));
            const struct twin_state *b =
                twin_world_state(world, support_random_below((unsigned)count));
            compare(table, &puzzle, a, b, twin_distance(&puzzle, a, b));
        }
        struct fewest_stats stats;
        struct fewest_error error;
        cr_assert(fewest_count(table, NULL, &stats, &error));
        cr_assert_eq(stats.states, count);
        twin_world_free(world);
        fewest_close(table);
        free(generated.bytes);
    }
}

// Fills in an arrangement, legal or not, that can be typed.
static void random_arrangement(const struct twin_puzzle *puzzle, struct twin_state *state)
{
    int first = 0;
    *state = puzzle->solved;
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;
        int from[TWIN_PIECES];
        bool turned = moved(puzzle, first, pieces, true);
        for (int i = 0; i < pieces; i++) {
            from[i] = first + i;
        }
        if (moved(puzzle, first, pieces, false)) {
            shuffle(from, pieces);
        }
        for (int i = 0; i < pieces; i++) {
            state->piece[first + i] = puzzle->solved.piece[from[i]];
            state->orientation[first + i] =
                turned ? (int)support_random_below((unsigned)puzzle->sets[s].orientations)
                       : puzzle->solved.orientation[from[i]];
        }
        first += pieces;
    }
}

// Compares START and TARGET of which neither need be the solved state. `world` holds the states
// that the solved state leads to. Returns whether some path was longer than a move.
static bool compare_others(struct fewest *table, const struct twin_puzzle *puzzle,
                           const struct twin_world *world)
{
    bool longer = false;
    for (unsigned pair = 0; pair < 8; pair++) {
        struct twin_state state[2];
        for (unsigned i = 0; i < 2; i++) {
            size_t number = support_random_below((unsigned)twin_world_count(world));
            state[i] = *twin_world_state(world, number);
            // If some moves can't be undone, START must be connected with the solved state.
            if (puzzle->powers && support_random_below(4) == 0) {
                random_arrangement(puzzle, &state[i]);
            }
        }
        int distance = twin_distance(puzzle, &state[0], &state[1]);
        compare(table, puzzle, &state[0], &state[1], distance);
        longer |= distance > 1;
    }
    return longer;
}

Test(random, with_indistinct_pieces_every_state_is_as_far_from_the_solved_one_as_the_twin_says,
     .timeout = 120)
{
    unsigned longer = 0; // puzzles with such paths
    for (unsigned round = 0; round < 150; round++) {
        struct twin_puzzle puzzle = random_puzzle(true);
        struct generated generated;
        if (!moves_anything(&puzzle)) {
            continue;
        }
        struct fewest *table = generate(&puzzle, &generated);
        struct twin_world *world = twin_explore(&puzzle, &puzzle.solved);
        cr_assert(support_is_sound(table));
        for (unsigned pair = 0; pair < 8; pair++) {
            size_t i = support_random_below((unsigned)twin_world_count(world));
            const struct twin_state *state = twin_world_state(world, i);
            compare(table, &puzzle, state, &puzzle.solved,
                    twin_distance(&puzzle, state, &puzzle.solved));
            // Every move has its inverse, so the path there is as long as the path back.
            if (puzzle.powers) {
                compare(table, &puzzle, &puzzle.solved, state, twin_world_distance(world, state));
            }
        }
        longer += compare_others(table, &puzzle, world);
        twin_world_free(world);
        fewest_close(table);
        free(generated.bytes);
    }
    cr_expect_gt(longer, 50, "most puzzles should have paths of some moves");
}

enum { GOALS = 4 }; // with the solved state

// Writes a `Goal`. Half of the orientations that do not count are `?`.
static void write_goal(const struct twin_puzzle *puzzle, const struct twin_state *goal, char *text)
{
    bool open[TWIN_PIECES] = {false};
    int first = 0;
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;
        for (int i = 0; i < pieces; i++) {
            for (int home = first; home < first + pieces; home++) {
                open[first + i] |= puzzle->solved.piece[home] == goal->piece[first + i] &&
                                   puzzle->ignored[home] && support_random_below(2);
            }
        }
        first += pieces;
    }
    strcat(text, "Goal\n");
    write_rows(puzzle, goal->piece, goal->orientation, open, text);
}

// Writes a definition with these goals, the first of which is the solved state.
static void write_goals(const struct twin_puzzle *puzzle, const struct twin_state *goals,
                        char *text)
{
    static char plain[4096];
    write_definition(puzzle, plain);
    char *moves = strstr(plain, "Move ");
    sprintf(text, "%.*s", (int)(moves - plain), plain);
    for (unsigned g = 1; g < GOALS; g++) {
        write_goal(puzzle, &goals[g], text);
    }
    strcat(text, moves);
}

// Counts the states at each distance from the nearest goal. All moves can be undone.
static void compare_counts(struct fewest *table, const struct twin_puzzle *puzzle,
                           const struct twin_state *goals, const struct twin_world *world)
{
    uint64_t counts[DISTANCE_MOST + 1] = {0};
    struct twin_world *from[GOALS];
    struct fewest_stats stats;
    struct fewest_error error;
    for (unsigned g = 0; g < GOALS; g++) {
        from[g] = twin_explore(puzzle, &goals[g]);
    }
    for (size_t i = 0; i < twin_world_count(world); i++) {
        int nearest = DISTANCE_MOST;
        for (unsigned g = 0; g < GOALS; g++) {
            int distance = twin_world_distance(from[g], twin_world_state(world, i));
            nearest = distance < nearest ? distance : nearest;
        }
        counts[nearest]++;
    }
    for (unsigned g = 0; g < GOALS; g++) {
        twin_world_free(from[g]);
    }
    cr_assert(fewest_count(table, NULL, &stats, &error), "%s", error.text);
    for (unsigned d = 0; d <= DISTANCE_MOST; d++) {
        cr_assert_eq(d <= stats.largest ? stats.count[d] : 0, counts[d], "distance %u of\n%s", d,
                     fewest_info(table)->definition);
    }
}

static struct fewest *generate_with_goals(const struct twin_puzzle *puzzle,
                                          const struct twin_state *goals,
                                          struct generated *generated)
{
    static char text[8192];
    write_goals(puzzle, goals, text);
    *generated = support_generate(text, strlen(text), METRIC_POWERS);
    return support_open(generated);
}

Test(random, with_goals_of_indistinct_pieces_each_state_is_as_far_from_the_nearest_as_the_twin_says,
     .timeout = 120)
{
    unsigned several = 0; // puzzles with goals that differ
    for (unsigned round = 0; round < 60; round++) {
        struct twin_puzzle puzzle = random_puzzle(true);
        struct generated generated;
        bool alike = false; // else this puzzle has only pieces that differ
        for (int s = 0; s < puzzle.set_count; s++) {
            int first = s == 0 ? 0 : puzzle.sets[0].pieces;
            alike |= puzzle.sets[s].pieces > 2 && moved(&puzzle, first, puzzle.sets[s].pieces, 0);
        }
        if (!alike) {
            continue;
        }
        struct twin_world *world = twin_explore(&puzzle, &puzzle.solved);
        struct twin_state goals[GOALS] = {puzzle.solved};
        for (unsigned g = 1; g < GOALS; g++) { // some are equal
            goals[g] =
                *twin_world_state(world, support_random_below((unsigned)twin_world_count(world)));
        }
        struct fewest *table = generate_with_goals(&puzzle, goals, &generated);
        cr_assert(support_is_sound(table), "%s", fewest_info(table)->definition);
        several += fewest_info(table)->goal_count > 1;
        for (unsigned pair = 0; pair < 8; pair++) {
            struct twin_state state =
                *twin_world_state(world, support_random_below((unsigned)twin_world_count(world)));
            if (pair == 0) {
                random_arrangement(&puzzle, &state);
            }
            compare_nearest(table, &puzzle, &state, goals, GOALS,
                            find_nearest(&puzzle, &state, goals, GOALS));
            if (pair > 0) {
                const struct twin_state *goal = &goals[pair % GOALS];
                compare(table, &puzzle, &state, goal, twin_distance(&puzzle, &state, goal));
                compare(table, &puzzle, goal, &state, twin_distance(&puzzle, goal, &state));
            }
        }
        compare_others(table, &puzzle, world);
        if (puzzle.powers) {
            compare_counts(table, &puzzle, goals, world);
        }
        twin_world_free(world);
        fewest_close(table);
        free(generated.bytes);
    }
    cr_expect_gt(several, 25, "most puzzles should have several goals");
}

// Makes some pieces illegal in some slots, but not in the solved state. Each number is that of a
// piece of the solved state.
static void forbid_some(struct twin_puzzle *puzzle)
{
    int first = 0;
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;
        for (unsigned i = 1 + support_random_below(3); i > 0; i--) {
            int slot = first + (int)support_random_below((unsigned)pieces);
            int piece = puzzle->solved.piece[first + (int)support_random_below((unsigned)pieces)];
            puzzle->illegal[slot][piece] = puzzle->solved.piece[slot] != piece;
        }
        first += pieces;
    }
}

// Is every number of a state that of a state that the twin has met? They must be as many.
static void compare_states(struct fewest *table, const struct twin_puzzle *puzzle,
                           const struct twin_world *world)
{
    uint64_t count = fewest_info(table)->state_count;
    struct fewest_stats stats;
    struct fewest_error error;
    cr_assert(fewest_count(table, NULL, &stats, &error));
    cr_assert_eq(stats.states, count);
    for (uint64_t number = 0; number < count; number += 1 + count / 5) {
        struct query query = {.target = {FEWEST_GOALS}};
        int steps;
        cr_assert(fewest_pick(table, number, query.start, &error), "%s", error.text);
        cr_assert(fewest_steps(table, query.start, query.target, &steps, &error), "%s", error.text);
        cr_assert_geq(steps, 0);
    }
    if (puzzle->powers) {
        cr_assert_eq(count, twin_world_count(world), "%s", fewest_info(table)->definition);
        for (unsigned d = 0; d <= stats.largest; d++) {
            uint64_t met = 0;
            for (size_t i = 0; i < twin_world_count(world); i++) {
                met += twin_world_distance(world, twin_world_state(world, i)) == (int)d;
            }
            cr_assert_eq(stats.count[d], met, "distance %u of\n%s", d,
                         fewest_info(table)->definition);
        }
    }
}

static void compare_illegal(const struct twin_puzzle *puzzle)
{
    struct generated generated;
    struct fewest *table = generate(puzzle, &generated);
    struct twin_world *world = twin_explore(puzzle, &puzzle->solved);
    cr_assert(support_is_sound(table), "%s", fewest_info(table)->definition);
    compare_states(table, puzzle, world);
    for (unsigned round = 0; round < 16; round++) {
        struct twin_state state;
        random_arrangement(puzzle, &state);
        if (round % 2) {
            state =
                *twin_world_state(world, support_random_below((unsigned)twin_world_count(world)));
        }
        compare(table, puzzle, &state, &puzzle->solved,
                twin_distance(puzzle, &state, &puzzle->solved));
        if (puzzle->powers) {
            compare(table, puzzle, &puzzle->solved, &state, twin_world_distance(world, &state));
        }
    }
    compare_others(table, puzzle, world);
    twin_world_free(world);
    fewest_close(table);
    free(generated.bytes);
}

Test(random, with_illegal_states_every_arrangement_is_as_far_as_the_twin_says, .timeout = 120)
{
    for (unsigned round = 0; round < 150; round++) {
        struct twin_puzzle puzzle = random_puzzle(round % 2);
        forbid_some(&puzzle);
        if (moves_anything(&puzzle)) {
            compare_illegal(&puzzle);
        }
    }
}

// Adds up to three `Database` lines with some pieces of a set.
static void add_databases(const struct twin_puzzle *puzzle, char *text)
{
    for (unsigned d = 1 + support_random_below(3); d > 0; d--) {
        int s = (int)support_random_below((unsigned)puzzle->set_count);
        int first = s == 0 ? 0 : puzzle->sets[0].pieces;
        bool named[TWIN_PIECES + 1] = {false};
        sprintf(text + strlen(text), "Database S%d", s);
        for (int i = 0; i < puzzle->sets[s].pieces; i++) {
            int piece = puzzle->solved.piece[first + i];
            if (!named[piece] && (i == 0 || support_random_below(2))) {
                sprintf(text + strlen(text), " %d", piece);
                named[piece] = true;
            }
        }
        strcat(text, "\n");
    }
}

// Can the table be made? Not if no move changes what a `Database` names.
static bool can_be_made(const char *text)
{
    struct search_options options = {.threads = 1};
    struct generated generated;
    struct fewest_error error;
    bool made = generate_in_memory(text, strlen(text), METRIC_POWERS, &options, &generated, &error);
    if (made) {
        free(generated.bytes);
    }
    return made;
}

// Returns the number of states that were searched. The search from an unreachable state may not
// end, so it has a limit.
static unsigned compare_searched(const struct twin_puzzle *puzzle)
{
    enum { LIMIT = 4 };
    static char text[4096];
    unsigned searched = 0;
    write_definition(puzzle, text);
    add_databases(puzzle, text);
    if (!can_be_made(text)) {
        return 0;
    }
    struct generated generated = support_generate(text, strlen(text), METRIC_POWERS);
    struct fewest *table = support_open(&generated);
    struct twin_world *world = twin_explore(puzzle, &puzzle->solved);
    cr_assert(support_is_sound(table), "%s", text);
    for (unsigned round = 0; round < 16; round++) {
        struct twin_state state =
            *twin_world_state(world, support_random_below((unsigned)twin_world_count(world)));
        if (round % 4 == 0) {
            random_arrangement(puzzle, &state);
        }
        int expected = twin_distance(puzzle, &state, &puzzle->solved);
        if (expected >= 0) {
            compare(table, puzzle, &state, &puzzle->solved, expected);
            searched++;
        } else if (expected < 0) {
            char typed[256] = "";
            struct query query;
            struct fewest_error error;
            int steps;
            write_state(puzzle, &state, typed);
            support_set(table, (struct fewest_options){.limit = LIMIT});
            cr_assert(
                fewest_read_query(table, typed, strlen(typed), query.start, query.target, &error));
            cr_assert(!fewest_steps(table, query.start, query.target, &steps, &error) ||
                          steps == FEWEST_UNREACHABLE,
                      "%s of\n%s", typed, text);
            support_set(table, (struct fewest_options){.limit = FEWEST_PATH_MOST});
        }
    }
    twin_world_free(world);
    fewest_close(table);
    free(generated.bytes);
    return searched;
}

// Some puzzles have illegal states, some pieces that look alike, and some have both.
Test(random, without_a_group_a_search_finds_what_the_twin_says, .timeout = 200)
{
    unsigned searched = 0;
    for (unsigned round = 0; round < 300; round++) {
        struct twin_puzzle puzzle = random_puzzle(round % 3 > 0);
        if (round % 3 < 2) {
            forbid_some(&puzzle);
        }
        if (moves_anything(&puzzle)) {
            searched += compare_searched(&puzzle);
        }
    }
    cr_expect_gt(searched, 1000, "only %u states were searched", searched);
}

// The least distance over all states of the twin that agree with the target.
static int nearest(const struct twin_puzzle *puzzle, const struct twin_world *world,
                   const char *target)
{
    int least = -1;
    for (size_t i = 0; i < twin_world_count(world); i++) {
        const struct twin_state *state = twin_world_state(world, i);
        char text[256] = "";
        bool agrees = true;
        write_state(puzzle, state, text);
        for (size_t c = 0; target[c]; c++) {
            agrees &= target[c] == '*' || target[c] == text[c];
        }
        int distance = twin_world_distance(world, state);
        least = agrees && (least < 0 || distance < least) ? distance : least;
    }
    return least;
}

Test(random, wildcards_for_pieces_and_orientations_are_filled_as_the_twin_would, .timeout = 120)
{
    for (unsigned round = 0; round < 200; round++) {
        struct twin_puzzle puzzle = random_puzzle(round % 2); // odd: pieces may look alike
        struct generated generated;
        // An orientation that does not count matches anything, but not its text here.
        memset(puzzle.ignored, 0, sizeof puzzle.ignored);
        if (!moves_anything(&puzzle)) {
            continue;
        }
        struct fewest *table = generate(&puzzle, &generated);
        struct twin_world *all = twin_explore(&puzzle, &puzzle.solved);
        const struct twin_state *start =
            twin_world_state(all, support_random_below((unsigned)twin_world_count(all)));
        struct twin_world *world = twin_explore(&puzzle, start);
        for (unsigned i = 0; i < 10; i++) {
            char target[256] = "";
            char query[512] = "";
            write_state(
                &puzzle,
                twin_world_state(world, support_random_below((unsigned)twin_world_count(world))),
                target);
            for (size_t c = 0; target[c] && target[c] != ' '; c++) {
                target[c] = support_random_below(2) ? '*' : target[c];
            }
            write_state(&puzzle, start, query);
            strcat(query, target);
            cr_assert_eq(support_steps(table, query), nearest(&puzzle, world, target), "%s of\n%s",
                         query, fewest_info(table)->definition);
        }
        twin_world_free(world);
        twin_world_free(all);
        fewest_close(table);
        free(generated.bytes);
    }
}

// ---- States that match --------------------------------------------------------------------------

// A typed cell: which slot it shows, and whether it shows its orientation.
struct typed_cell {
    int slot;
    bool turn;
};

struct typed_cells {
    const struct twin_puzzle *puzzle;
    struct typed_cell cell[2 * TWIN_PIECES];
    unsigned count;
};

// Lists the cells in the order of write_state.
static struct typed_cells list_cells(const struct twin_puzzle *puzzle)
{
    struct typed_cells cells = {.puzzle = puzzle};
    int first = 0;
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;
        for (int turn = 0; turn < 2; turn++) {
            for (int i = 0; i < pieces && moved(puzzle, first, pieces, turn); i++) {
                cells.cell[cells.count++] = (struct typed_cell){first + i, turn};
            }
        }
        first += pieces;
    }
    return cells;
}

// Does the orientation in a slot of a typed state count?
static bool turn_counts(const struct typed_cells *cells, const char *state, int slot)
{
    const struct twin_puzzle *puzzle = cells->puzzle;
    int piece = puzzle->solved.piece[slot];
    int first = slot < puzzle->sets[0].pieces ? 0 : puzzle->sets[0].pieces;
    for (unsigned c = 0; c < cells->count; c++) {
        if (cells->cell[c].slot == slot && !cells->cell[c].turn) {
            piece = state[c] - '0';
        }
    }
    for (int i = first; i < TWIN_PIECES; i++) {
        if (puzzle->ignored[i] && puzzle->solved.piece[i] == piece) {
            return false;
        }
    }
    return true;
}

static bool matches(const struct typed_cells *cells, const char *state, const char *pattern)
{
    for (unsigned c = 0; c < cells->count; c++) {
        if (pattern[c] != '*' && pattern[c] != state[c] &&
            !(cells->cell[c].turn && !turn_counts(cells, state, cells->cell[c].slot))) {
            return false;
        }
    }
    return true;
}

// Writes a state of the table without separators.
static void write_bare(const struct fewest *table, const uint8_t *state, char *bare)
{
    char text[FEWEST_TEXT_SIZE];
    struct fewest_error error;
    cr_assert(fewest_write_state(table, state, text, &error), "%s", error.text);
    for (const char *c = text; *c; c++) {
        if (*c >= '0' && *c <= '9') {
            *bare++ = *c;
        }
    }
    *bare = '\0';
}

struct matching_check {
    struct fewest *table;
    struct typed_cells cells;
    const char *pattern;
    uint8_t *expected; // by number: the distance of a state that matches, plus 1; 0 for all others
    uint64_t next;     // number to look at
    uint64_t left;     // states that match
};

static void skip_others(struct matching_check *check)
{
    char bare[64];
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_error error;
    for (; check->next < fewest_info(check->table)->arrangement_count; check->next++) {
        cr_assert(fewest_unrank(check->table, check->next, state, &error));
        write_bare(check->table, state, bare);
        if (matches(&check->cells, bare, check->pattern)) {
            return;
        }
    }
}

static bool expect_arrangement(void *context, const uint8_t *state)
{
    struct matching_check *check = context;
    struct fewest_error error;
    uint64_t number;
    skip_others(check);
    cr_assert(fewest_rank(check->table, state, &number, &error));
    cr_assert_eq(number, check->next++, "%s of\n%s", check->pattern,
                 fewest_info(check->table)->definition);
    return true;
}

static bool expect_state(void *context, const uint8_t *state, int distance)
{
    struct matching_check *check = context;
    struct fewest_error error;
    uint64_t number;
    cr_assert(fewest_rank(check->table, state, &number, &error));
    cr_assert_eq(check->expected[number], distance + 1, "%s of\n%s", check->pattern,
                 fewest_info(check->table)->definition);
    check->expected[number] = 0;
    check->left--;
    return true;
}

static void expect_from_twin(struct matching_check *check, const struct twin_world *world,
                             uint64_t counts[256])
{
    uint8_t cells[FEWEST_CELLS_MOST];
    struct fewest_error error;
    uint64_t number;
    const struct twin_puzzle *puzzle = check->cells.puzzle;
    check->left = 0;
    for (size_t i = 0; i < twin_world_count(world); i++) {
        const struct twin_state *state = twin_world_state(world, i);
        char text[256] = "";
        write_state(puzzle, state, text);
        if (matches(&check->cells, text, check->pattern)) {
            int distance = puzzle->powers ? twin_world_distance(world, state)
                                          : twin_distance(puzzle, state, &puzzle->solved);
            cr_assert(fewest_read_state(check->table, "", text, strlen(text), cells, &error), "%s",
                      error.text);
            cr_assert(fewest_rank(check->table, cells, &number, &error));
            check->expected[number] = (uint8_t)(distance + 1);
            counts[distance]++;
            check->left++;
        }
    }
}

static void compare_matching(struct fewest *table, const struct twin_puzzle *puzzle,
                             const struct twin_world *world, const char *pattern)
{
    uint64_t counts[256] = {0};
    uint8_t target[FEWEST_CELLS_MOST];
    struct fewest_selection selection = {.matching = target, .distance = FEWEST_ANY};
    struct matching_check check = {.table = table, .cells = list_cells(puzzle), .pattern = pattern};
    struct fewest_stats stats;
    struct fewest_error error;
    check.expected = calloc(fewest_info(table)->arrangement_count, 1);
    cr_assert(fewest_read_target(table, "", pattern, strlen(pattern), target, &error), "%s",
              error.text);
    expect_from_twin(&check, world, counts);
    uint64_t all = check.left;
    cr_assert(fewest_count(table, &selection, &stats, &error), "%s", error.text);
    cr_assert_arr_eq(stats.count, counts, sizeof counts, "%s of\n%s", pattern,
                     fewest_info(table)->definition);
    cr_assert_eq(stats.states, all);
    if (all > 0) {
        selection.distance = (int)support_random_below(stats.largest + 1);
        cr_assert(fewest_visit(table, &selection, expect_state, &check, &error));
        cr_assert_eq(all - check.left, counts[selection.distance]);
    }
    cr_assert(fewest_visit_arrangements(table, target, expect_arrangement, &check, &error));
    skip_others(&check);
    cr_assert_eq(check.next, fewest_info(table)->arrangement_count, "%s of\n%s", pattern,
                 fewest_info(table)->definition);
    free(check.expected);
}

// One of three patterns comes from any arrangement, and may match no state. Without powers, the
// twin searches from each state.
static void compare_patterns(const struct twin_puzzle *puzzle)
{
    struct generated generated;
    struct fewest *table = generate(puzzle, &generated);
    struct twin_world *world = twin_explore(puzzle, &puzzle->solved);
    unsigned rounds = puzzle->powers || twin_world_count(world) < 200 ? 6 : 0;
    for (unsigned i = 0; i < rounds; i++) {
        char pattern[256] = "";
        struct twin_state state =
            *twin_world_state(world, support_random_below((unsigned)twin_world_count(world)));
        if (i % 3 == 0) {
            random_arrangement(puzzle, &state);
        }
        write_state(puzzle, &state, pattern);
        for (size_t c = 0; pattern[c] && pattern[c] != ' '; c++) {
            pattern[c] = support_random_below(i + 1) ? '*' : pattern[c];
        }
        compare_matching(table, puzzle, world, pattern);
    }
    twin_world_free(world);
    fewest_close(table);
    free(generated.bytes);
}

Test(random, the_states_that_match_are_those_of_the_twin, .timeout = 120)
{
    for (unsigned round = 0; round < 100; round++) {
        struct twin_puzzle puzzle = random_puzzle(round % 2); // odd: pieces may look alike
        for (int i = 0; round % 4 == 1 && i < TWIN_PIECES; i++) {
            // The pieces that look alike come first in the order of pieces.
            puzzle.solved.piece[i] = 3 - puzzle.solved.piece[i];
        }
        if (round % 3 == 2) {
            puzzle.powers = true; // or states may reach the solved one that it does not reach
            forbid_some(&puzzle);
        }
        if (moves_anything(&puzzle)) {
            compare_patterns(&puzzle);
        }
    }
}
