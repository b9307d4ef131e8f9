// All paths of a query, and the number of the shortest ones, against a search that tries every
// sequence of moves. It shares no code with the library: the twin applies the moves.
#include "opened.h"
#include "tests/twin/twin_rolling.h"
#include "tests/twin/twin_sets.h"
#include "tests/twin/twin_slide.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINES = 1 << 16, LINE = 256, SEQUENCES = 200000, LONGEST = 12 };

GAME_SUITE(fewest_each_path);
GAME_SUITE(fewest_count_paths);
GAME_SUITE(fewest_count_all_paths);

// ---- Every sequence of moves --------------------------------------------------------------------

// A search through a puzzle of the twin. `lines` are the paths that it has found.
struct trial {
    const struct sets_view *view;
    struct sets_move moves[SETS_TWIN_POWERS];
    unsigned move_count;
    uint8_t targets[2][SETS_TWIN_ROW];
    unsigned target_count;
    unsigned most; // moves
    unsigned tried;
    unsigned length; // of the shortest path found
    uint8_t rows[LONGEST + 1][SETS_TWIN_ROW];
    unsigned made[LONGEST];
    char (*lines)[LINE];
    unsigned lengths[LINES];
    unsigned line_count;
};

static bool same_row(const struct trial *trial, const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, 2 * trial->view->puzzle->slot_count) == 0;
}

// Notes the moves made so far as a path.
static void note_path(struct trial *trial, unsigned depth)
{
    char *line = trial->lines[trial->line_count];
    *line = '\0';
    for (unsigned i = 0; i < depth; i++) {
        sprintf(line + strlen(line), "%s ", trial->moves[trial->made[i]].name);
    }
    trial->lengths[trial->line_count++] = depth;
    trial->length = depth < trial->length ? depth : trial->length;
}

// Tries every move, and every move after that, up to trial->most. A path ends at the first target,
// and comes to no row twice.
static void try_all(struct trial *trial, unsigned depth)
{
    const uint8_t *row = trial->rows[depth];
    for (unsigned t = 0; t < trial->target_count; t++) {
        if (same_row(trial, row, trial->targets[t])) {
            note_path(trial, depth);
            return;
        }
    }
    for (unsigned m = 0; m < trial->move_count && depth < trial->most; m++) {
        uint8_t *next = trial->rows[depth + 1];
        bool is_new = trial->tried++ < SEQUENCES;
        memset(next, 0, SETS_TWIN_ROW);
        sets_apply(trial->view, &trial->moves[m], row, next);
        sets_forget_ignored(trial->view, next);
        is_new = is_new && sets_is_legal(trial->view, next);
        for (unsigned d = 0; d <= depth && is_new; d++) {
            is_new = !same_row(trial, trial->rows[d], next);
        }
        if (is_new && trial->line_count < LINES) {
            trial->made[depth] = m;
            try_all(trial, depth + 1);
        }
    }
}

// Finds all paths of up to `more` moves more than the shortest. False if there are too many.
static bool find_all(struct trial *trial, unsigned more)
{
    trial->length = LONGEST + 1;
    for (trial->most = 0; trial->most + more <= LONGEST && trial->length > LONGEST; trial->most++) {
        trial->line_count = 0;
        trial->tried = 0;
        try_all(trial, 0);
    }
    if (trial->length > LONGEST) {
        return false;
    }
    trial->most = trial->length + more;
    trial->line_count = 0;
    trial->tried = 0;
    try_all(trial, 0);
    return trial->tried < SEQUENCES && trial->line_count < LINES;
}

// ---- Comparison ---------------------------------------------------------------------------------

// The paths that the library visits, a line each.
struct visited {
    struct fewest *table;
    char (*lines)[LINE];
    unsigned count;
    unsigned most;
};

static bool note_visited(void *context, const unsigned *moves, unsigned count)
{
    struct visited *visited = context;
    char *line = visited->lines[visited->count];
    *line = '\0';
    for (unsigned i = 0; i < count; i++) {
        sprintf(line + strlen(line), "%s ", fewest_move_name(visited->table, moves[i]));
    }
    return ++visited->count < visited->most;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void compare_paths(struct fewest *opened, struct trial *trial, const uint8_t *target,
                          unsigned more)
{
    static char lines[LINES][LINE];
    struct visited visited = {.table = opened, .lines = lines, .most = LINES};
    struct fewest_path_count count;
    uint8_t start[FEWEST_CELLS_MOST];
    unsigned shortest = 0;
    sets_row_to_cells(trial->view, trial->rows[0], start);
    cr_assert(fewest_each_path(opened, &(struct fewest_paths){start, target, more}, note_visited,
                               &visited, &error),
              "%s", error.text);
    cr_assert_eq(visited.count, trial->line_count, "%u paths, not %u, in\n%s", visited.count,
                 trial->line_count, fewest_info(opened)->definition);
    for (unsigned i = 0; i < trial->line_count; i++) {
        shortest += trial->lengths[i] == trial->length;
    }
    qsort(trial->lines, trial->line_count, LINE, compare_lines);
    for (unsigned i = 0; i < trial->line_count; i++) {
        cr_assert_str_eq(lines[i], trial->lines[i]);
    }
    cr_assert(fewest_count_paths(opened, start, target, &count, &error), "%s", error.text);
    cr_assert_eq(count.steps, (int)trial->length);
    cr_assert(count.paths.high == 0 && count.paths.low == shortest, "%llu, not %u",
              (unsigned long long)count.paths.low, shortest);
}

// Draws a small puzzle: one or two sets, pieces that may look alike, forbidden places, and moves
// that may lack an inverse.
static void draw_small(struct sets_puzzle *puzzle)
{
    sets_begin(puzzle);
    for (unsigned s = 1 + support_random_below(2); s > 0; s--) {
        sets_add(puzzle, 2 + support_random_below(3), 1 + support_random_below(2));
    }
    puzzle->powers = support_random_below(3) > 0 ? SETS_POWERS_ALL : SETS_POWERS_NONE;
    puzzle->move_count = 2 + support_random_below(2);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned s = 0; s < puzzle->set_count; s++) {
            const struct sets_set *set = &puzzle->sets[s];
            for (unsigned i = 0; i < set->size; i++) {
                unsigned a = set->first + i;
                unsigned b = set->first + support_random_below(i + 1);
                uint8_t from = puzzle->moves[m].from[a];
                puzzle->moves[m].from[a] = puzzle->moves[m].from[b];
                puzzle->moves[m].from[b] = from;
                puzzle->moves[m].turn[a] = (uint8_t)support_random_below(set->turns);
            }
        }
    }
    bool alike = support_random_below(3) == 0;
    for (unsigned i = 0; i < puzzle->slot_count && alike; i++) {
        puzzle->piece[i] = puzzle->piece[i] / 2;
    }
    if (support_random_below(3) == 0) {
        unsigned slot = support_random_below(puzzle->slot_count);
        unsigned piece = puzzle->piece[puzzle->sets[0].first];
        puzzle->illegal[slot][piece] = slot < puzzle->sets[0].size && puzzle->piece[slot] != piece;
    }
}

// Compares the paths between random states of one puzzle. Returns how many queries had several.
static unsigned compare_puzzle(const struct sets_puzzle *puzzle)
{
    static char text[SETS_TWIN_TEXT];
    static struct trial trial;
    static char lines[LINES][LINE];
    struct sets_view view;
    unsigned several = 0;
    sets_look(&view, puzzle);
    if (view.cell_count == 0) {
        return 0;
    }
    sets_write(puzzle, text);
    struct fewest *opened = support_open_text(text);
    struct twin_states *states = sets_measure(&view, view.solved, false);
    trial.view = &view;
    trial.lines = lines;
    trial.move_count = sets_list_moves(&view, false, trial.moves);
    for (unsigned round = 0; round < 6; round++) {
        unsigned more = support_random_below(3);
        uint8_t target[FEWEST_CELLS_MOST];
        memset(trial.rows, 0, sizeof trial.rows);
        memset(trial.targets, 0, sizeof trial.targets);
        memcpy(trial.rows[0], twin_row(states, support_random_below((unsigned)states->count)),
               states->row_bytes);
        memcpy(trial.targets[0],
               round % 2 ? view.solved
                         : twin_row(states, support_random_below((unsigned)states->count)),
               states->row_bytes);
        trial.target_count = 1;
        if (find_all(&trial, more)) {
            sets_row_to_cells(&view, trial.targets[0], target);
            compare_paths(opened, &trial, target, more);
            several += trial.line_count > 1;
        }
    }
    twin_free(states);
    support_close(opened);
    return several;
}

Test(fewest_each_path, visits_what_a_search_by_every_sequence_finds, .timeout = 280)
{
    unsigned several = 0;
    for (unsigned round = 0; round < 500; round++) {
        struct sets_puzzle puzzle;
        draw_small(&puzzle);
        several += compare_puzzle(&puzzle);
    }
    cr_expect_gt(several, 500, "only %u queries had several paths", several);
}

// ---- Rolling cubes ------------------------------------------------------------------------------

// A search by every sequence of rolls. Rows are those of the twin: how each cube lies.
struct rolling_trial {
    const struct twin_rolling *world;
    char target[TWIN_ROLLING_CELLS + 1];
    unsigned most; // moves
    unsigned tried;
    uint8_t rows[LONGEST + 1][TWIN_ROLLING_CELLS];
    char made[LONGEST + 1];
    char (*lines)[LINE];
    unsigned line_count;
    unsigned count[LONGEST + 1]; // of paths, by length
};

static bool shows_target(const struct rolling_trial *trial, const uint8_t *row)
{
    char tops[TWIN_ROLLING_CELLS + 1];
    twin_rolling_tops(trial->world, twin_find(trial->world->states, row), tops);
    for (unsigned i = 0; tops[i]; i++) {
        if (trial->target[i] != '*' && trial->target[i] != tops[i]) {
            return false;
        }
    }
    return true;
}

// Tries every roll, and every roll after that. A path ends at the first target, and comes to no row
// twice.
static void try_rolls(struct rolling_trial *trial, unsigned depth)
{
    const struct twin_rules *rules = &trial->world->states->rules;
    trial->tried++;
    if (shows_target(trial, trial->rows[depth])) {
        for (unsigned i = 0; i < depth && trial->line_count < LINES; i++) {
            sprintf(trial->lines[trial->line_count] + 2 * i, "%c ", trial->made[i]);
        }
        trial->lines[trial->line_count][2 * depth] = '\0';
        trial->line_count += trial->line_count + 1 < LINES;
        trial->count[depth]++;
        return;
    }
    for (unsigned m = 0; m < rules->move_count && depth < trial->most; m++) {
        uint8_t *next = trial->rows[depth + 1];
        bool is_new =
            trial->tried < SEQUENCES && rules->apply(rules->puzzle, m, trial->rows[depth], next);
        for (unsigned d = 0; d <= depth && is_new; d++) {
            is_new = memcmp(trial->rows[d], next, rules->row_bytes) != 0;
        }
        if (is_new) {
            trial->made[depth] = TWIN_SLIDE_MOVES[m];
            try_rolls(trial, depth + 1);
        }
    }
}

// Compares the paths to a target. Returns whether there are several.
static bool compare_rolls(struct fewest *opened, struct rolling_trial *trial, unsigned steps,
                          unsigned more)
{
    static char lines[LINES][LINE];
    struct visited visited = {.table = opened, .lines = lines, .most = LINES};
    struct fewest_path_count count;
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    char typed[TWIN_ROLLING_CELLS + 1];
    size_t cells = strlen(trial->target);
    trial->most = steps + more;
    trial->line_count = 0;
    trial->tried = 0;
    memset(trial->count, 0, sizeof trial->count);
    try_rolls(trial, 0);
    if (trial->tried >= SEQUENCES) {
        return false;
    }
    twin_rolling_tops(trial->world, 0, typed);
    cr_assert(fewest_read_state(opened, "START", typed, cells, start, &error), "%s", error.text);
    cr_assert(fewest_read_target(opened, "TARGET", trial->target, cells, target, &error), "%s",
              error.text);
    cr_assert(fewest_each_path(opened, &(struct fewest_paths){start, target, more}, note_visited,
                               &visited, &error),
              "%s", error.text);
    cr_assert_eq(visited.count, trial->line_count, "%u paths, not %u, from %s to %s within %u",
                 visited.count, trial->line_count, typed, trial->target, more);
    for (unsigned i = 0; i < trial->line_count; i++) {
        cr_assert_str_eq(lines[i], trial->lines[i]);
    }
    cr_assert(fewest_count_paths(opened, start, target, &count, &error), "%s", error.text);
    cr_assert(count.steps == (int)steps && count.paths.low == trial->count[steps] &&
              count.paths.high == 0);
    return trial->line_count > 1;
}

// Compares paths to random targets, with or without wildcards, from the start with an empty cell.
static unsigned compare_board(struct fewest *opened, int rows, int columns, int empty)
{
    static struct rolling_trial trial;
    static char lines[LINES][LINE];
    unsigned several = 0;
    struct twin_rolling *world = twin_rolling_explore(rows, columns, empty);
    trial.world = world;
    trial.lines = lines;
    memcpy(trial.rows[0], twin_row(world->states, 0), world->states->row_bytes);
    for (unsigned round = 0; round < 60; round++) {
        twin_rolling_tops(world, support_random_below((unsigned)world->states->count),
                          trial.target);
        for (unsigned i = 0; trial.target[i] && round % 2 > 0; i++) {
            trial.target[i] = support_random_below(3) > 0 ? '*' : trial.target[i];
        }
        int steps = twin_rolling_steps(world, trial.target);
        unsigned more = 2 * support_random_below(3);
        if (steps >= 0 && (unsigned)steps + more <= LONGEST) {
            several += compare_rolls(opened, &trial, (unsigned)steps, more);
        }
    }
    twin_rolling_free(world);
    return several;
}

Test(fewest_each_path, visits_all_paths_of_rolling_cubes, .timeout = 280)
{
    static const int BOARDS[][2] = {{2, 2}, {2, 3}, {3, 2}, {1, 4}, {2, 4}};
    unsigned several = 0;
    for (size_t b = 0; b < sizeof BOARDS / sizeof *BOARDS; b++) {
        char text[64];
        snprintf(text, sizeof text, "Name board\nRoll %d %d\nLetters CUBES E W R B\n", BOARDS[b][0],
                 BOARDS[b][1]);
        struct fewest *opened = support_open_text(text);
        for (int empty = 0; empty < BOARDS[b][0] * BOARDS[b][1]; empty++) {
            several += compare_board(opened, BOARDS[b][0], BOARDS[b][1], empty);
        }
        support_close(opened);
    }
    cr_expect_gt(several, 100, "only %u queries had several paths", several);
}

// ---- All states ---------------------------------------------------------------------------------

enum { LAYERS = 256, GOALS = 2 };

// The states that moves take to each goal, and of each its number of shortest paths to the nearest
// goal, once it is known.
struct counted_states {
    const struct sets_view *view;
    struct sets_move moves[SETS_TWIN_POWERS];
    unsigned move_count;
    struct twin_states *to[GOALS];
    unsigned goal_count;
    uint64_t *paths[GOALS]; // 0: not known
};

// The number of moves to the nearest goal, or -1.
static int count_steps(const struct counted_states *states, const uint8_t *row)
{
    int least = -1;
    for (unsigned g = 0; g < states->goal_count; g++) {
        int steps = twin_steps(states->to[g], twin_find(states->to[g], row));
        least = steps >= 0 && (least < 0 || steps < least) ? steps : least;
    }
    return least;
}

// Counts the shortest paths from a row: makes each move that leads nearer, and counts on from
// there.
static uint64_t count_ways(struct counted_states *states, const uint8_t *row)
{
    unsigned g = twin_find(states->to[0], row) == states->to[0]->count;
    uint64_t *known = &states->paths[g][twin_find(states->to[g], row)];
    int steps = count_steps(states, row);
    uint64_t sum = steps == 0;
    for (unsigned m = 0; m < states->move_count && steps > 0 && *known == 0; m++) {
        uint8_t next[SETS_TWIN_ROW] = {0};
        sets_apply(states->view, &states->moves[m], row, next);
        sets_forget_ignored(states->view, next);
        if (sets_is_legal(states->view, next) && count_steps(states, next) == steps - 1) {
            sum += count_ways(states, next);
        }
    }
    *known = *known > 0 ? *known : sum;
    return *known;
}

// What the library says of each distance.
struct noted_layers {
    unsigned count;
    struct fewest_layer layer[LAYERS];
    uint8_t states[LAYERS][FEWEST_CELLS_MOST];
};

static bool note_layer(void *context, const struct fewest_layer *layer)
{
    struct noted_layers *layers = context;
    cr_assert_eq(layer->distance, layers->count);
    layers->layer[layers->count] = *layer;
    memcpy(layers->states[layers->count], layer->state, fewest_info(table)->cell_count);
    return ++layers->count < LAYERS;
}

// Compares the layers of the library with all states of the twin.
static void compare_layers(struct counted_states *states, struct noted_layers *layers)
{
    uint64_t count[LAYERS] = {0};
    uint64_t sum[LAYERS] = {0};
    uint64_t largest[LAYERS] = {0};
    unsigned last = 0;
    for (unsigned g = 0; g < states->goal_count; g++) {
        for (size_t s = 0; s < states->to[g]->count; s++) {
            const uint8_t *row = twin_row(states->to[g], s);
            unsigned d = (unsigned)count_steps(states, row);
            if (g > 0 && twin_find(states->to[0], row) < states->to[0]->count) {
                continue; // counted before
            }
            count[d]++;
            sum[d] += count_ways(states, row);
            largest[d] =
                count_ways(states, row) > largest[d] ? count_ways(states, row) : largest[d];
            last = d > last ? d : last;
        }
    }
    cr_assert_eq(layers->count, last + 1, "%u layers in\n%s", layers->count,
                 fewest_info(table)->definition);
    for (unsigned d = 0; d <= last; d++) {
        const struct fewest_layer *layer = &layers->layer[d];
        uint8_t row[SETS_TWIN_ROW] = {0};
        sets_cells_to_row(states->view, layers->states[d], row);
        cr_assert_eq(layer->states, count[d]);
        cr_assert_eq(layer->mean, (double)sum[d] / (double)count[d]);
        cr_assert(layer->largest.high == 0 && layer->largest.low == largest[d], "%llu, not %llu",
                  (unsigned long long)layer->largest.low, (unsigned long long)largest[d]);
        cr_assert_eq(count_steps(states, row), (int)d);
        cr_assert_eq(count_ways(states, row), largest[d], "the state of distance %u in\n%s", d,
                     fewest_info(table)->definition);
    }
}

// Chooses a second goal: a state from which the first can be reached or, if all pieces differ, one
// with two pieces exchanged. Appends it to the definition.
static void add_goal(const struct sets_view *view, const struct twin_states *states, uint8_t *goal,
                     char *text)
{
    unsigned slots = view->puzzle->slot_count;
    memcpy(goal, twin_row(states, support_random_below((unsigned)states->count)),
           states->row_bytes);
    if (view->group && support_random_below(2) == 0) {
        memcpy(goal, view->solved, states->row_bytes);
        for (unsigned s = 0; s < view->puzzle->set_count; s++) {
            unsigned first = view->puzzle->sets[s].first;
            uint8_t piece = goal[first];
            if (view->shows_pieces[s]) {
                goal[first] = goal[first + 1];
                goal[first + 1] = piece;
            }
        }
    }
    strcat(text, "Goal\n");
    sets_append_state(view->puzzle, goal, goal + slots, view->puzzle->ignored, text);
}

// Compares all states of a puzzle, with one goal or two. Returns false if it has no cells.
static bool compare_all(const struct sets_puzzle *puzzle, bool two)
{
    static char text[SETS_TWIN_TEXT];
    static struct noted_layers layers;
    struct sets_view view;
    struct counted_states states = {.view = &view, .goal_count = 1 + (unsigned)two};
    uint8_t goal[SETS_TWIN_ROW] = {0};
    sets_look(&view, puzzle);
    if (view.cell_count == 0) {
        return false;
    }
    sets_write(puzzle, text);
    states.move_count = sets_list_moves(&view, false, states.moves);
    states.to[0] = sets_measure(&view, view.solved, true);
    if (two) {
        add_goal(&view, states.to[0], goal, text);
        states.to[1] = sets_measure(&view, goal, true);
    }
    for (unsigned g = 0; g < states.goal_count; g++) {
        states.paths[g] = calloc(states.to[g]->count + 1, sizeof *states.paths[g]);
    }
    reopen(support_open_text(text));
    const struct fewest_options options = {.threads = 1 + support_random_below(3)};
    layers.count = 0;
    cr_assert(fewest_set_options(table, &options, &error));
    cr_assert(fewest_count_all_paths(table, note_layer, &layers, &error), "%s in\n%s", error.text,
              text);
    compare_layers(&states, &layers);
    for (unsigned g = 0; g < states.goal_count; g++) {
        twin_free(states.to[g]);
        free(states.paths[g]);
    }
    return true;
}

Test(fewest_count_all_paths, adds_up_what_a_count_of_each_state_finds, .timeout = 280)
{
    for (unsigned round = 0; round < 400; round++) {
        struct sets_puzzle puzzle;
        struct sets_view view;
        draw_small(&puzzle);
        sets_look(&view, &puzzle);
        compare_all(&puzzle, !view.has_illegal && support_random_below(2) == 0);
    }
}

// ---- Errors, and numbers ------------------------------------------------------------------------

static const uint8_t SOLVED[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t ODD[] = {1, 0, 2, 3, 4, 5, 6, 7, 8};   // unreachable
static const uint8_t TWICE[] = {0, 1, 2, 3, 4, 5, 6, 7, 7}; // not a state

static bool count_visit(void *context, const unsigned *moves, unsigned count)
{
    unsigned *visits = context;
    (void)moves;
    (void)count;
    return ++*visits < 3;
}

Test(fewest_each_path, stops_when_the_visitor_has_enough)
{
    static const uint8_t AWAY[] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    unsigned visits = 0;
    cr_expect(fewest_each_path(table, &(struct fewest_paths){AWAY, NULL, 2}, count_visit, &visits,
                               &error));
    cr_expect_eq(visits, 3);
    visits = 0;
    cr_expect(fewest_each_path(table, &(struct fewest_paths){SOLVED, NULL, 4}, count_visit, &visits,
                               &error));
    cr_expect_eq(visits, 1, "the only path to a target that is reached at once has no moves");
    visits = 0;
    cr_expect(fewest_each_path(table, &(struct fewest_paths){ODD, NULL, 0}, count_visit, &visits,
                               &error));
    cr_expect_eq(visits, 0);
    expect_bad(fewest_each_path(table, &(struct fewest_paths){TWICE, NULL, 0}, count_visit, &visits,
                                &error),
               "START", "8 appears twice");
    expect_status(fewest_each_path(table, &(struct fewest_paths){AWAY, NULL, 256}, count_visit,
                                   &visits, &error),
                  FEWEST_BEYOND);
    expect_status(fewest_each_path(table, &(struct fewest_paths){AWAY, NULL, UINT32_MAX},
                                   count_visit, &visits, &error),
                  FEWEST_BEYOND);
}

Test(fewest_count_paths, says_if_there_is_none)
{
    struct fewest_path_count count;
    cr_expect(fewest_count_paths(table, ODD, NULL, &count, &error));
    cr_expect(count.steps == FEWEST_UNREACHABLE && count.paths.low == 0 && count.paths.high == 0);
    cr_expect(fewest_count_paths(table, SOLVED, NULL, &count, &error));
    cr_expect(count.steps == 0 && count.paths.low == 1);
    expect_bad(fewest_count_paths(table, TWICE, NULL, &count, &error), "START", "8 appears twice");
}

// A dial with 127 settings and two lamps. Each move turns the dial by one setting, and some switch
// a lamp. The target has only the setting, so any move will do at each of the 126 steps.
#define DIAL                                                                                       \
    "Name dial\nPowers none\nSet X 1 127\nSet L 2 2\nSolved\nEnd\nMove A\nX\n1\n1\nEnd\n"          \
    "Move B\nX\n1\n1\nL\n1 2\n1 0\nEnd\n"
#define DIAL_AND_LAMP "Move C\nX\n1\n1\nL\n1 2\n0 1\nEnd\n"

static bool count_dial(const char *text, struct fewest_path_count *count)
{
    uint8_t start[FEWEST_CELLS_MOST] = {1};
    uint8_t target[FEWEST_CELLS_MOST];
    reopen(support_open_text(text));
    memset(target, FEWEST_WILD, sizeof target);
    target[0] = 0;
    return fewest_count_paths(table, start, target, count, &error);
}

Test(fewest_count_paths, counts_up_to_128_bits)
{
    struct fewest_path_count count;
    char text[FEWEST_WIDE_SIZE];
    cr_assert(count_dial(DIAL, &count), "%s", error.text);
    cr_expect_eq(count.steps, 126);
    cr_expect_str_eq(fewest_write_wide(count.paths, text),
                     "85070591730234615865843651857942052864");           // 2^126
    expect_status(count_dial(DIAL DIAL_AND_LAMP, &count), FEWEST_BEYOND); // 3^126
    cr_expect_str_eq(error.text, "there are 2^128 shortest paths or more");
}

Test(fewest_count_all_paths, counts_up_to_128_bits)
{
    static struct noted_layers layers;
    char text[FEWEST_WIDE_SIZE];
    reopen(support_open_text(DIAL));
    cr_assert(fewest_count_all_paths(table, note_layer, &layers, &error), "%s", error.text);
    cr_assert_eq(layers.count, 128);
    for (unsigned d = 1; d < layers.count; d++) { // half of the sequences leave the lamp off
        const struct fewest_wide half = {.high = d > 64 ? UINT64_C(1) << (d - 65) : 0,
                                         .low = d > 64 ? 0 : UINT64_C(1) << (d - 1)};
        cr_expect_str_eq(fewest_write_wide(layers.layer[d].largest, text),
                         fewest_write_wide(half, (char[FEWEST_WIDE_SIZE]){0}));
        cr_expect_eq(layers.layer[d].mean,
                     (double)half.high * 18446744073709551616.0 + (double)half.low);
    }
    reopen(support_open_text(DIAL DIAL_AND_LAMP));
    expect_status(fewest_count_all_paths(table, note_layer, &layers, &error), FEWEST_BEYOND);
    cr_expect_str_eq(error.text, "there are 2^128 shortest paths or more");
}

// The sums of what fewest_count_paths says of each state.
struct single_counts {
    uint64_t count[LAYERS];
    uint64_t sum[LAYERS];
    uint64_t largest[LAYERS];
};

// The paths from a state to the goals or, if the table counts from a start, from there to the
// state.
static struct fewest_path_count count_paths_of(const uint8_t *state)
{
    struct fewest_path_count count;
    const uint8_t *start = fewest_info(table)->default_start;
    cr_assert(
        fewest_count_paths(table, start ? start : state, start ? state : NULL, &count, &error),
        "%s", error.text);
    return count;
}

static bool count_single(void *context, const uint8_t *state, int distance)
{
    struct single_counts *counts = context;
    struct fewest_path_count count = count_paths_of(state);
    cr_assert_eq(count.steps, distance);
    counts->count[distance]++;
    counts->sum[distance] += count.paths.low;
    if (count.paths.low > counts->largest[distance]) {
        counts->largest[distance] = count.paths.low;
    }
    return true;
}

static void compare_singles(struct fewest *opened)
{
    static struct noted_layers layers;
    struct single_counts counts = {.count = {0}};
    const struct fewest_options options = {.threads = 2};
    reopen(opened);
    cr_assert(fewest_set_options(table, &options, &error));
    cr_assert(fewest_visit(table, NULL, count_single, &counts, &error), "%s", error.text);
    layers.count = 0;
    cr_assert(fewest_count_all_paths(table, note_layer, &layers, &error), "%s", error.text);
    cr_assert(counts.count[layers.count - 1] > 0 && counts.count[layers.count] == 0);
    for (unsigned d = 0; d < layers.count; d++) {
        cr_assert_eq(layers.layer[d].states, counts.count[d]);
        cr_assert_eq(layers.layer[d].mean, (double)counts.sum[d] / (double)counts.count[d]);
        cr_assert_eq(layers.layer[d].largest.low, counts.largest[d]);
        cr_assert_eq(count_paths_of(layers.states[d]).paths.low, counts.largest[d]);
    }
}

// The random puzzles are too small for pages. These have some.
Test(fewest_count_all_paths, agrees_with_a_count_of_each_state_of_shipped_puzzles)
{
    compare_singles(support_open_file("tables/puzzles/magic.puzzle"));
    compare_singles(support_open_file("tables/puzzles/flip.puzzle"));
    compare_singles(support_open_file("tables/puzzles/seven.puzzle"));
}

Test(fewest_count_all_paths, agrees_with_a_count_of_each_state_of_rolling_cubes)
{
    compare_singles(support_open_text("Name cubes\nRoll 1 4\n"));
    compare_singles(support_open_text("Name cubes\nRoll 2 2\n"));
    compare_singles(support_open_text("Name cubes\nRoll 2 3\n"));
}

// A board in a line has no root for every cell of the blank, so not every goal has numbers.
Test(fewest_count_all_paths, agrees_with_a_count_of_each_state_of_a_long_line)
{
    static struct noted_layers layers;
    compare_singles(support_open_text("Name line\nSlide 1 14\n"));
    reopen(support_open_text("Name line\nSlide 1 14\nSolved\nTILES\n"
                             "1 2 3 4 5 6 7 8 9 10 11 12 13 0\nEnd\nGoal\nTILES\n"
                             "1 2 3 0 4 5 6 7 8 9 10 11 12 13\nEnd\n"));
    expect_status(fewest_count_all_paths(table, note_layer, &layers, &error), FEWEST_BEYOND);
}

static bool count_layer(void *context, const struct fewest_layer *layer)
{
    (void)layer;
    return ++*(unsigned *)context < 3;
}

Test(fewest_count_all_paths, stops_when_the_visitor_has_enough)
{
    unsigned visits = 0;
    cr_expect(fewest_count_all_paths(table, count_layer, &visits, &error));
    cr_expect_eq(visits, 3);
}

// A board of 2 × 3 cells with two goals, whose blanks are in different cells, against a count that
// tries every state for every state.
enum { BOARD_STATES = 720, BOARD_CELLS = 6 };

struct small_board {
    unsigned count;
    char states[BOARD_STATES][BOARD_CELLS + 1];
    int steps[BOARD_STATES]; // to the nearest goal, or -1
    uint64_t paths[BOARD_STATES];
};

// Lists all arrangements of the tiles from this cell on.
static void list_boards(struct small_board *board, char *state, unsigned cell)
{
    bool is_new = cell == BOARD_CELLS;
    for (unsigned s = 0; s < board->count && is_new; s++) {
        is_new = strcmp(board->states[s], state) != 0;
    }
    if (is_new) {
        strcpy(board->states[board->count++], state);
    }
    for (unsigned c = cell; c < BOARD_CELLS; c++) {
        char piece = state[cell];
        state[cell] = state[c];
        state[c] = piece;
        list_boards(board, state, cell + 1);
        state[c] = state[cell];
        state[cell] = piece;
    }
}

// Does a move take one board to the other? Then they differ in the blank's cell and a neighbour's.
static bool are_neighbours(const char *a, const char *b)
{
    unsigned differ = 0;
    int blank_a = (int)(strchr(a, '0') - a);
    int blank_b = (int)(strchr(b, '0') - b);
    for (unsigned c = 0; c < BOARD_CELLS; c++) {
        differ += a[c] != b[c];
    }
    return differ == 2 && abs(blank_a / 3 - blank_b / 3) + abs(blank_a % 3 - blank_b % 3) == 1;
}

static void count_boards(struct small_board *board, const char *const goals[GOALS])
{
    char first[BOARD_CELLS + 1];
    strcpy(first, goals[0]);
    board->count = 0;
    list_boards(board, first, 0);
    for (unsigned s = 0; s < board->count; s++) {
        bool is_goal =
            strcmp(board->states[s], goals[0]) == 0 || strcmp(board->states[s], goals[1]) == 0;
        board->steps[s] = is_goal ? 0 : -1;
        board->paths[s] = is_goal;
    }
    for (int d = 0; d < 30; d++) {
        for (unsigned a = 0; a < board->count; a++) {
            for (unsigned b = 0; b < board->count && board->steps[a] == d; b++) {
                bool is_next = board->steps[b] < 0 || board->steps[b] == d + 1;
                if (is_next && are_neighbours(board->states[a], board->states[b])) {
                    board->steps[b] = d + 1;
                    board->paths[b] += board->paths[a];
                }
            }
        }
    }
}

static void compare_boards(const char *text, const char *const goals[GOALS])
{
    static struct noted_layers layers;
    static struct small_board board;
    uint64_t count[LAYERS] = {0};
    uint64_t sum[LAYERS] = {0};
    uint64_t largest[LAYERS] = {0};
    count_boards(&board, goals);
    for (unsigned s = 0; s < board.count; s++) {
        if (board.steps[s] >= 0) {
            count[board.steps[s]]++;
            sum[board.steps[s]] += board.paths[s];
            largest[board.steps[s]] =
                board.paths[s] > largest[board.steps[s]] ? board.paths[s] : largest[board.steps[s]];
        }
    }
    reopen(support_open_text(text));
    layers.count = 0;
    cr_assert(fewest_count_all_paths(table, note_layer, &layers, &error), "%s", error.text);
    cr_assert(count[layers.count - 1] > 0 && count[layers.count] == 0);
    for (unsigned d = 0; d < layers.count; d++) {
        struct fewest_path_count found;
        cr_assert_eq(layers.layer[d].states, count[d]);
        cr_assert_eq(layers.layer[d].largest.low, largest[d]);
        cr_assert_eq(layers.layer[d].mean, (double)sum[d] / (double)count[d]);
        cr_assert(fewest_count_paths(table, layers.states[d], NULL, &found, &error));
        cr_assert_eq(found.paths.low, largest[d]);
    }
}

#define TILES(cells) "TILES\n" cells "\nEnd\n"
#define SMALL        "Name small\nSlide 2 3\nSolved\n"

Test(fewest_count_all_paths, counts_those_of_boards)
{
    compare_boards(SMALL TILES("1 2 3 4 5 0"), (const char *[]){"123450", "123450"});
    compare_boards(SMALL TILES("1 2 3 4 5 0") "Goal\n" TILES("2 0 1 5 3 4"),
                   (const char *[]){"123450", "201534"});
    compare_boards(SMALL TILES("1 2 3 4 5 0") "Goal\n" TILES("2 0 1 5 4 3"),
                   (const char *[]){"123450", "201543"}); // no moves lead from one to the other
    compare_boards(SMALL TILES("1 2 2 3 4 0"), (const char *[]){"122340", "122340"});
    compare_boards(SMALL TILES("1 1 1 2 2 0") "Goal\n" TILES("2 2 1 1 1 0"),
                   (const char *[]){"111220", "221110"});
}

Test(fewest_write_wide, writes_decimal_digits)
{
    static const struct {
        struct fewest_wide number;
        const char *text;
    } NUMBERS[] = {
        {{0, 0}, "0"},
        {{0, 7}, "7"},
        {{0, 1000000000}, "1000000000"},
        {{0, UINT64_MAX}, "18446744073709551615"},
        {{1, 0}, "18446744073709551616"},
        {{UINT64_MAX, UINT64_MAX}, "340282366920938463463374607431768211455"},
    };
    char text[FEWEST_WIDE_SIZE];
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        cr_expect_str_eq(fewest_write_wide(NUMBERS[i].number, text), NUMBERS[i].text);
    }
}
