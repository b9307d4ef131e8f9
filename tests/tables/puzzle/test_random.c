// Compares random puzzles with the generic twin, because any definition must work as the Game does.
// The puzzles have one or two sets, with orientations, indistinct pieces and ignored orientations,
// and illegal states.
#include "query/table/table.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_sets.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes a random move: each set is permuted, turned, both, or left alone.
static void random_move(const struct sets_puzzle *puzzle, struct sets_move *move)
{
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        bool turns = support_random_below(3) > 0;
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            move->turn[i] = turns ? (uint8_t)support_random_below(set->turns) : 0;
        }
        if (support_random_below(4) > 0) {
            support_shuffle(move->from + set->first, set->size);
        }
    }
}

// With `alike`, some pieces are indistinct and some orientations ignored.
static void random_puzzle(bool alike, struct sets_puzzle *puzzle)
{
    unsigned sets = 1 + support_random_below(2);
    sets_begin(puzzle);
    puzzle->powers = support_random_below(3) > 0 ? SETS_POWERS_ALL : SETS_POWERS_NONE;
    for (unsigned s = 0; s < sets; s++) {
        sets_add(puzzle, 2 + support_random_below(sets == 1 ? 4 : 2), 1 + support_random_below(3));
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned i = 0; i < set->size; i++) {
            puzzle->piece[set->first + i] = (uint8_t)(alike && i > 1 ? 1 : i);
            puzzle->orientation[set->first + i] = (uint8_t)support_random_below(set->turns);
            puzzle->ignored[set->first + i] = alike && s == 0 && i == 0 && set->turns > 1;
        }
        if (!alike) {
            support_shuffle(puzzle->piece + set->first, set->size);
        }
    }
    puzzle->move_count = 1 + support_random_below(3);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        puzzle->moves[m].name[0] = (char)('C' - m);
        random_move(puzzle, &puzzle->moves[m]);
    }
}

// Writes a state as typed, and a space. An orientation that does not count may be any number.
static void write_state(const struct sets_view *view, const uint8_t *row, char *text)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned i = set->first; i < set->first + set->size && view->shows_pieces[s]; i++) {
            sprintf(text + strlen(text), "%d", row[i] + 1);
        }
        for (unsigned i = set->first; i < set->first + set->size && view->shows_orientations[s];
             i++) {
            bool ignored = view->ignored[set->first + row[i]];
            sprintf(text + strlen(text), "%u",
                    ignored ? support_random_below(set->turns) : row[puzzle->slot_count + i]);
        }
    }
    strcat(text, " ");
}

static const uint8_t *random_row(const struct twin_states *states)
{
    return twin_row(states, support_random_below((unsigned)states->count));
}

// The least distance to a target, or -1. to[t]: the states from which moves lead to target t.
static int find_nearest(struct twin_states *const *to, unsigned count, const uint8_t *row)
{
    int nearest = -1;
    for (unsigned t = 0; t < count; t++) {
        int distance = twin_steps(to[t], twin_find(to[t], row));
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

// Asks for the steps and the path, and replays the path with the twin's moves. The target is typed;
// NULL stands for the goals. Returns the distance.
static int compare_nearest(struct fewest *table, const struct sets_view *view, const uint8_t *start,
                           const uint8_t *target, struct twin_states *const *to, unsigned count)
{
    int expected = find_nearest(to, count, start);
    char text[256] = "";
    struct fewest_error error;
    struct fewest_path path;
    write_state(view, start, text);
    if (target) {
        write_state(view, target, text);
    }
    struct query query = support_query(table, text);
    cr_assert(fewest_steps(table, query.start, query.target, &path.steps, &error), "%s: %s", text,
              error.text);
    cr_assert_eq(path.steps, expected, "%s: %d instead of %d of\n%s", text, path.steps, expected,
                 fewest_info(table)->definition);
    cr_assert_eq(fewest_steps_many(table, query.start, query.target, 1, &path.steps, &error), 1);
    cr_assert_eq(path.steps, expected, "%s", text);
    path = support_path(table, &query);
    if (path.steps <= 0) {
        return expected;
    }
    struct sets_move moves[SETS_TWIN_POWERS];
    uint8_t state[SETS_TWIN_ROW];
    uint8_t next[SETS_TWIN_ROW];
    memcpy(state, start, 2 * (size_t)view->puzzle->slot_count);
    unsigned move_count = sets_list_moves(view, false, moves);
    cr_assert_eq(move_count, fewest_info(table)->move_count);
    for (int i = 0; i < path.steps; i++) {
        bool first = true; // no move with an earlier name is on a shortest path
        cr_assert_str_eq(moves[path.moves[i]].name, fewest_move_name(table, path.moves[i]));
        for (unsigned m = 0; m < path.moves[i] && first && !is_undone(table, &query); m++) {
            sets_apply(view, &moves[m], state, next);
            first = find_nearest(to, count, next) != path.steps - i - 1;
        }
        cr_assert(first, "%s: the path is not the first", text);
        sets_apply(view, &moves[path.moves[i]], state, next);
        cr_assert_eq(find_nearest(to, count, next), path.steps - i - 1, "%s", text);
        memcpy(state, next, sizeof state);
    }
    cr_assert_eq(find_nearest(to, count, state), 0, "%s: the path leads elsewhere in\n%s", text,
                 fewest_info(table)->definition);
    return expected;
}

static int compare(struct fewest *table, const struct sets_view *view, const uint8_t *start,
                   const uint8_t *target)
{
    struct twin_states *to = sets_measure(view, target, true);
    int distance = compare_nearest(table, view, start, target, &to, 1);
    twin_free(to);
    return distance;
}

static struct fewest *generate(const struct sets_puzzle *puzzle)
{
    static char text[SETS_TWIN_TEXT];
    sets_write(puzzle, text);
    return support_open_text(text);
}

// A random puzzle, its table, and the states to which the solved one leads.
struct measured_puzzle {
    struct sets_puzzle puzzle;
    struct sets_view view;
    struct generated generated;
    struct fewest *table;
    struct twin_states *states;
};

// Returns false if the puzzle shows no cells. Then there is nothing to close or free.
static bool measure_random_puzzle(bool indistinct, struct measured_puzzle *measured)
{
    random_puzzle(indistinct, &measured->puzzle);
    sets_look(&measured->view, &measured->puzzle);
    if (measured->view.cell_count == 0) {
        return false;
    }
    measured->table = generate(&measured->puzzle);
    measured->states = sets_measure(&measured->view, measured->view.solved, false);
    cr_assert(support_is_sound(measured->table));
    return true;
}

Test(random, any_two_states_of_a_random_group_are_as_far_as_the_twin_says, .timeout = 120)
{
    for (unsigned round = 0; round < 150; round++) {
        struct measured_puzzle measured;
        if (!measure_random_puzzle(false, &measured)) {
            continue;
        }
        const struct sets_view *view = &measured.view;
        struct fewest *table = measured.table;
        struct twin_states *states = measured.states;
        for (unsigned pair = 0; pair < 8; pair++) {
            const uint8_t *a = random_row(states);
            const uint8_t *b = random_row(states);
            compare(table, view, a, b);
        }
        struct fewest_stats stats = support_count(table);
        cr_assert_eq(stats.states, states->count);
        twin_free(states);
        support_close(table);
    }
}

// Fills in an arrangement, legal or not, that can be typed.
static void random_arrangement(const struct sets_view *view, uint8_t *row)
{
    unsigned slots = view->puzzle->slot_count;
    memcpy(row, view->solved, 2 * (size_t)slots);
    for (unsigned s = 0; s < view->puzzle->set_count; s++) {
        const struct sets_set *set = &view->puzzle->sets[s];
        if (view->shows_pieces[s]) {
            support_shuffle(row + set->first, set->size);
        }
        for (unsigned i = 0; i < set->size && view->shows_orientations[s]; i++) {
            row[slots + set->first + i] = (uint8_t)support_random_below(set->turns);
        }
    }
    sets_forget_ignored(view, row);
}

// Fills in one of these states or, if `any`, an arrangement.
static void random_state(const struct sets_view *view, const struct twin_states *states, bool any,
                         uint8_t *row)
{
    memcpy(row, random_row(states), states->row_bytes);
    if (any) {
        random_arrangement(view, row);
    }
}

// Compares START and TARGET of which neither need be the solved state. The solved state leads to
// `states`. Returns whether some path was longer than a move.
static bool compare_others(struct fewest *table, const struct sets_view *view,
                           const struct twin_states *states)
{
    bool longer = false;
    for (unsigned pair = 0; pair < 8; pair++) {
        uint8_t state[2][SETS_TWIN_ROW];
        for (unsigned i = 0; i < 2; i++) {
            // If some moves can't be undone, START must be connected with the solved state.
            bool any = view->puzzle->powers == SETS_POWERS_ALL && support_random_below(4) == 0;
            random_state(view, states, any, state[i]);
        }
        longer |= compare(table, view, state[0], state[1]) > 1;
    }
    return longer;
}

Test(random, with_indistinct_pieces_every_state_is_as_far_from_the_solved_one_as_the_twin_says,
     .timeout = 120)
{
    unsigned longer = 0; // puzzles with such paths
    for (unsigned round = 0; round < 150; round++) {
        struct measured_puzzle measured;
        if (!measure_random_puzzle(true, &measured)) {
            continue;
        }
        const struct sets_view *view = &measured.view;
        struct fewest *table = measured.table;
        struct twin_states *states = measured.states;
        for (unsigned pair = 0; pair < 8; pair++) {
            const uint8_t *row = random_row(states);
            compare(table, view, row, view->solved);
            // Every move has its inverse, so the path there is as long as the path back.
            if (measured.puzzle.powers == SETS_POWERS_ALL) {
                int back = compare(table, view, view->solved, row);
                cr_assert_eq(back, twin_steps(states, twin_find(states, row)));
            }
        }
        longer += compare_others(table, view, states);
        twin_free(states);
        support_close(table);
    }
    cr_expect_gt(longer, 50, "most puzzles should have paths of some moves");
}

enum { GOALS = 4 }; // with the solved state

// The orientation of a piece in the solved state.
static uint8_t find_orientation(const struct sets_puzzle *puzzle, unsigned first, uint8_t piece)
{
    unsigned slot = first;
    while (puzzle->piece[slot] != piece) {
        slot++;
    }
    return puzzle->orientation[slot];
}

// Writes a `Goal`. Half of the orientations that do not count are `?`. Those that no move turns are
// written, too.
static void write_goal(const struct sets_view *view, const uint8_t *goal, char *text)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    uint8_t orientation[SETS_TWIN_SLOTS];
    bool open[SETS_TWIN_SLOTS] = {false};
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        unsigned s = view->set_of[i];
        unsigned first = puzzle->sets[s].first;
        open[i] = view->ignored[first + goal[i]] && support_random_below(2);
        orientation[i] = view->shows_orientations[s] ? goal[puzzle->slot_count + i]
                         : view->shows_pieces[s]     ? find_orientation(puzzle, first, goal[i])
                                                     : puzzle->orientation[i];
    }
    strcat(text, "Goal\n");
    sets_append_state(puzzle, goal, orientation, open, text);
}

// Writes a definition with these goals, the first of which is the solved state.
static void write_goals(const struct sets_view *view, uint8_t (*goals)[SETS_TWIN_ROW], char *text)
{
    static char plain[SETS_TWIN_TEXT];
    sets_write(view->puzzle, plain);
    char *moves = strstr(plain, "Move ");
    sprintf(text, "%.*s", (int)(moves - plain), plain);
    for (unsigned g = 1; g < GOALS; g++) {
        write_goal(view, goals[g], text);
    }
    strcat(text, moves);
}

// Counts the states at each distance from the nearest goal. All moves can be undone.
static void compare_counts(struct fewest *table, struct twin_states *const *to,
                           const struct twin_states *states)
{
    uint64_t counts[DISTANCE_MOST + 1] = {0};
    for (size_t i = 0; i < states->count; i++) {
        counts[find_nearest(to, GOALS, twin_row(states, i))]++;
    }
    struct fewest_stats stats = support_count(table);
    for (unsigned d = 0; d <= DISTANCE_MOST; d++) {
        cr_assert_eq(d <= stats.largest ? stats.count[d] : 0, counts[d], "distance %u of\n%s", d,
                     fewest_info(table)->definition);
    }
}

static struct fewest *generate_with_goals(const struct sets_view *view,
                                          uint8_t (*goals)[SETS_TWIN_ROW])
{
    static char text[SETS_TWIN_TEXT];
    write_goals(view, goals, text);
    return support_open_text(text);
}

// Do pieces of a set that is permuted look alike?
static bool shows_alike(const struct sets_view *view)
{
    bool alike = false;
    for (unsigned s = 0; s < view->puzzle->set_count; s++) {
        alike |= view->puzzle->sets[s].size > 2 && view->shows_pieces[s];
    }
    return alike;
}

Test(random, with_goals_of_indistinct_pieces_each_state_is_as_far_from_the_nearest_as_the_twin_says,
     .timeout = 120)
{
    unsigned several = 0; // puzzles with goals that differ
    for (unsigned round = 0; round < 60; round++) {
        struct sets_puzzle puzzle;
        struct sets_view view;
        uint8_t goals[GOALS][SETS_TWIN_ROW];
        struct twin_states *to[GOALS];
        random_puzzle(true, &puzzle);
        sets_look(&view, &puzzle);
        if (!shows_alike(&view)) {
            continue;
        }
        struct twin_states *states = sets_measure(&view, view.solved, false);
        memcpy(goals[0], view.solved, states->row_bytes);
        to[0] = sets_measure(&view, goals[0], true);
        for (unsigned g = 1; g < GOALS; g++) { // some are equal
            memcpy(goals[g], random_row(states), states->row_bytes);
            to[g] = sets_measure(&view, goals[g], true);
        }
        struct fewest *table = generate_with_goals(&view, goals);
        cr_assert(support_is_sound(table), "%s", fewest_info(table)->definition);
        several += fewest_info(table)->goal_count > 1;
        for (unsigned pair = 0; pair < 8; pair++) {
            uint8_t row[SETS_TWIN_ROW];
            random_state(&view, states, pair == 0, row);
            compare_nearest(table, &view, row, NULL, to, GOALS);
            if (pair > 0) {
                const uint8_t *goal = goals[pair % GOALS];
                compare(table, &view, row, goal);
                compare(table, &view, goal, row);
            }
        }
        compare_others(table, &view, states);
        if (puzzle.powers == SETS_POWERS_ALL) {
            compare_counts(table, to, states);
        }
        for (unsigned g = 0; g < GOALS; g++) {
            twin_free(to[g]);
        }
        twin_free(states);
        support_close(table);
    }
    cr_expect_gt(several, 25, "most puzzles should have several goals");
}

// Makes some pieces illegal in some slots, but not in the solved state. Each number is that of a
// piece of the solved state.
static void forbid_some(struct sets_puzzle *puzzle)
{
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned n = 1 + support_random_below(3); n > 0; n--) {
            unsigned slot = set->first + support_random_below(set->size);
            unsigned piece = puzzle->piece[set->first + support_random_below(set->size)];
            puzzle->illegal[slot][piece] = puzzle->piece[slot] != piece;
        }
    }
}

// Is every number of a state that of a state that the twin has met? They must be as many.
static void compare_states(struct fewest *table, const struct sets_puzzle *puzzle,
                           const struct twin_states *states)
{
    uint64_t count = fewest_info(table)->state_count;
    struct fewest_error error;
    struct fewest_stats stats = support_count(table);
    cr_assert_eq(stats.states, count);
    for (uint64_t number = 0; number < count; number += 1 + count / 5) {
        struct query query = {.target = {FEWEST_GOALS}};
        cr_assert(fewest_pick(table, number, query.start, &error), "%s", error.text);
        int steps = support_ask(table, &query);
        cr_assert_geq(steps, 0);
    }
    if (puzzle->powers == SETS_POWERS_ALL) {
        unsigned long long counts[DISTANCE_MOST + 1];
        twin_histogram(states, counts, DISTANCE_MOST + 1);
        cr_assert_eq(count, states->count, "%s", fewest_info(table)->definition);
        for (unsigned d = 0; d <= stats.largest; d++) {
            cr_assert_eq(stats.count[d], counts[d], "distance %u of\n%s", d,
                         fewest_info(table)->definition);
        }
    }
}

static void compare_illegal(const struct sets_view *view)
{
    struct fewest *table = generate(view->puzzle);
    struct twin_states *states = sets_measure(view, view->solved, false);
    cr_assert(support_is_sound(table), "%s", fewest_info(table)->definition);
    compare_states(table, view->puzzle, states);
    for (unsigned round = 0; round < 16; round++) {
        uint8_t row[SETS_TWIN_ROW];
        random_state(view, states, round % 2 == 0, row);
        compare(table, view, row, view->solved);
        if (view->puzzle->powers == SETS_POWERS_ALL) {
            int back = compare(table, view, view->solved, row);
            cr_assert_eq(back, twin_steps(states, twin_find(states, row)));
        }
    }
    compare_others(table, view, states);
    twin_free(states);
    support_close(table);
}

Test(random, with_illegal_states_every_arrangement_is_as_far_as_the_twin_says, .timeout = 120)
{
    for (unsigned round = 0; round < 150; round++) {
        struct sets_puzzle puzzle;
        struct sets_view view;
        random_puzzle(round % 2, &puzzle);
        forbid_some(&puzzle);
        sets_look(&view, &puzzle);
        if (view.cell_count > 0) {
            compare_illegal(&view);
        }
    }
}

// Adds up to three `Database` lines with some pieces of a set.
static void add_databases(const struct sets_puzzle *puzzle, char *text)
{
    for (unsigned d = 1 + support_random_below(3); d > 0; d--) {
        unsigned s = support_random_below(puzzle->set_count);
        const struct sets_set *set = &puzzle->sets[s];
        bool named[SETS_TWIN_SLOTS] = {false};
        sprintf(text + strlen(text), "Database %c", 'A' + (int)s);
        for (unsigned i = 0; i < set->size; i++) {
            unsigned piece = puzzle->piece[set->first + i];
            if (!named[piece] && (i == 0 || support_random_below(2))) {
                sprintf(text + strlen(text), " %u", piece + 1);
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
static unsigned compare_searched(const struct sets_view *view)
{
    enum { LIMIT = 4 };
    static char text[SETS_TWIN_TEXT];
    unsigned searched = 0;
    sets_write(view->puzzle, text);
    add_databases(view->puzzle, text);
    if (!can_be_made(text)) {
        return 0;
    }
    struct fewest *table = support_open_text(text);
    struct twin_states *states = sets_measure(view, view->solved, false);
    cr_assert(support_is_sound(table), "%s", text);
    struct twin_states *to = sets_measure(view, view->solved, true);
    for (unsigned round = 0; round < 16; round++) {
        uint8_t row[SETS_TWIN_ROW];
        random_state(view, states, round % 4 == 0, row);
        if (find_nearest(&to, 1, row) >= 0) {
            compare(table, view, row, view->solved);
            searched++;
            continue;
        }
        char typed[256] = "";
        struct fewest_error error;
        int steps;
        write_state(view, row, typed);
        support_set(table, (struct fewest_options){.limit = LIMIT});
        struct query query = support_query(table, typed);
        cr_assert(!fewest_steps(table, query.start, query.target, &steps, &error) ||
                      steps == FEWEST_UNREACHABLE,
                  "%s of\n%s", typed, text);
        support_set(table, (struct fewest_options){.limit = FEWEST_PATH_MOST});
    }
    twin_free(to);
    twin_free(states);
    support_close(table);
    return searched;
}

// Some puzzles have illegal states, some pieces that look alike, and some have both.
Test(random, without_a_group_a_search_finds_what_the_twin_says, .timeout = 200)
{
    unsigned searched = 0;
    for (unsigned round = 0; round < 300; round++) {
        struct sets_puzzle puzzle;
        struct sets_view view;
        random_puzzle(round % 3 > 0, &puzzle);
        if (round % 3 < 2) {
            forbid_some(&puzzle);
        }
        sets_look(&view, &puzzle);
        if (view.cell_count > 0) {
            searched += compare_searched(&view);
        }
    }
    cr_expect_gt(searched, 1000, "only %u states were searched", searched);
}

// A target with wildcards, as typed.
struct target {
    const struct sets_view *view;
    const char *text;
};

static bool agrees(const void *context, const uint8_t *row)
{
    const struct target *target = context;
    char text[256] = "";
    bool agrees = true;
    write_state(target->view, row, text);
    for (size_t c = 0; target->text[c]; c++) {
        agrees &= target->text[c] == '*' || target->text[c] == text[c];
    }
    return agrees;
}

Test(random, wildcards_for_pieces_and_orientations_are_filled_as_the_twin_would, .timeout = 120)
{
    for (unsigned round = 0; round < 200; round++) {
        struct sets_puzzle puzzle;
        struct sets_view view;
        random_puzzle(round % 2, &puzzle); // odd: pieces may look alike
        // An orientation that does not count matches anything, but not its text here.
        memset(puzzle.ignored, 0, sizeof puzzle.ignored);
        sets_look(&view, &puzzle);
        if (view.cell_count == 0) {
            continue;
        }
        struct fewest *table = generate(&puzzle);
        struct twin_states *all = sets_measure(&view, view.solved, false);
        const uint8_t *start = random_row(all);
        struct twin_states *states = sets_measure(&view, start, false);
        for (unsigned i = 0; i < 10; i++) {
            char text[256] = "";
            char query[512] = "";
            struct target target = {&view, text};
            write_state(&view, random_row(states), text);
            for (size_t c = 0; text[c] && text[c] != ' '; c++) {
                text[c] = support_random_below(2) ? '*' : text[c];
            }
            write_state(&view, start, query);
            strcat(query, text);
            cr_assert_eq(support_steps(table, query),
                         twin_steps(states, twin_find_match(states, agrees, &target)), "%s of\n%s",
                         query, fewest_info(table)->definition);
        }
        twin_free(states);
        twin_free(all);
        support_close(table);
    }
}

// ---- States that match --------------------------------------------------------------------------

// Does a state match a pattern of typed cells? An orientation that does not count always does.
static bool matches(const void *context, const uint8_t *row)
{
    const struct target *target = context;
    const struct sets_puzzle *puzzle = target->view->puzzle;
    const char *pattern = target->text;
    bool matches = true;
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned i = 0; i < set->size && target->view->shows_pieces[s]; i++, pattern++) {
            matches &= *pattern == '*' || *pattern == '1' + row[set->first + i];
        }
        for (unsigned i = 0; i < set->size && target->view->shows_orientations[s]; i++, pattern++) {
            unsigned slot = set->first + i;
            matches &= *pattern == '*' || target->view->ignored[set->first + row[slot]] ||
                       *pattern == '0' + row[puzzle->slot_count + slot];
        }
    }
    return matches;
}

struct matching_check {
    struct fewest *table;
    struct target target;
    uint8_t *expected; // by number: the distance of a state that matches, plus 1; 0 for all others
    uint64_t next;     // number to look at
    uint64_t left;     // states that match
};

static void skip_others(struct matching_check *check)
{
    uint8_t state[FEWEST_CELLS_MOST];
    uint8_t row[SETS_TWIN_ROW];
    struct fewest_error error;
    for (; check->next < fewest_info(check->table)->arrangement_count; check->next++) {
        cr_assert(fewest_unrank(check->table, check->next, state, &error));
        sets_cells_to_row(check->target.view, state, row);
        if (matches(&check->target, row)) {
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
    cr_assert_eq(number, check->next++, "%s of\n%s", check->target.text,
                 fewest_info(check->table)->definition);
    return true;
}

static bool expect_state(void *context, const uint8_t *state, int distance)
{
    struct matching_check *check = context;
    struct fewest_error error;
    uint64_t number;
    cr_assert(fewest_rank(check->table, state, &number, &error));
    cr_assert_eq(check->expected[number], distance + 1, "%s of\n%s", check->target.text,
                 fewest_info(check->table)->definition);
    check->expected[number] = 0;
    check->left--;
    return true;
}

static void expect_from_twin(struct matching_check *check, const struct twin_states *states,
                             uint64_t counts[256])
{
    uint8_t cells[FEWEST_CELLS_MOST];
    struct fewest_error error;
    uint64_t number;
    const struct sets_view *view = check->target.view;
    struct twin_states *to = sets_measure(view, view->solved, true);
    check->left = 0;
    for (size_t i = 0; i < states->count; i++) {
        const uint8_t *row = twin_row(states, i);
        if (matches(&check->target, row)) {
            int distance = find_nearest(&to, 1, row);
            sets_row_to_cells(view, row, cells);
            cr_assert(fewest_rank(check->table, cells, &number, &error));
            check->expected[number] = (uint8_t)(distance + 1);
            counts[distance]++;
            check->left++;
        }
    }
    twin_free(to);
}

static void compare_matching(struct fewest *table, const struct sets_view *view,
                             const struct twin_states *states, const char *pattern)
{
    uint64_t counts[256] = {0};
    uint8_t target[FEWEST_CELLS_MOST];
    struct fewest_selection selection = {.matching = target, .distance = FEWEST_ANY};
    struct matching_check check = {.table = table, .target = {view, pattern}};
    struct fewest_stats stats;
    struct fewest_error error;
    check.expected = calloc(fewest_info(table)->arrangement_count, 1);
    cr_assert(fewest_read_target(table, "", pattern, strlen(pattern), target, &error), "%s",
              error.text);
    expect_from_twin(&check, states, counts);
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

// One of three patterns comes from any arrangement, and may match no state.
static void compare_patterns(const struct sets_view *view)
{
    struct fewest *table = generate(view->puzzle);
    struct twin_states *states = sets_measure(view, view->solved, false);
    for (unsigned i = 0; i < 6; i++) {
        char pattern[256] = "";
        uint8_t row[SETS_TWIN_ROW];
        random_state(view, states, i % 3 == 0, row);
        write_state(view, row, pattern);
        for (size_t c = 0; pattern[c] && pattern[c] != ' '; c++) {
            pattern[c] = support_random_below(i + 1) ? '*' : pattern[c];
        }
        compare_matching(table, view, states, pattern);
    }
    twin_free(states);
    support_close(table);
}

Test(random, the_states_that_match_are_those_of_the_twin, .timeout = 120)
{
    for (unsigned round = 0; round < 100; round++) {
        struct sets_puzzle puzzle;
        struct sets_view view;
        random_puzzle(round % 2, &puzzle); // odd: pieces may look alike
        for (unsigned i = 0; round % 4 == 1 && i < puzzle.slot_count; i++) {
            // The pieces that look alike come first in the order of pieces.
            puzzle.piece[i] = (uint8_t)(1 - puzzle.piece[i]);
        }
        if (round % 3 == 2) {
            puzzle.powers = SETS_POWERS_ALL; // or states may reach the solved one that it does not
            forbid_some(&puzzle);
        }
        sets_look(&view, &puzzle);
        if (view.cell_count > 0) {
            compare_patterns(&view);
        }
    }
}
