// All paths of a query, and the number of the shortest ones, against a search that tries every
// sequence of moves. It shares no code with the library: the twin applies the moves.
#include "opened.h"
#include "tests/twin/twin_sets.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINES = 1 << 16, LINE = 256, SEQUENCES = 200000, LONGEST = 12 };

GAME_SUITE(fewest_each_path);
GAME_SUITE(fewest_count_paths);

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
