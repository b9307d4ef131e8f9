// Every row that a function gets is validated: compares random rows with a validator that knows
// only fewest_info and the solved state.
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The naive validator ------------------------------------------------------------------------

struct judge {
    struct fewest *table;
    const struct fewest_info *info;
    uint8_t solved[FEWEST_CELLS_MOST];
    bool rolls;
    const char *ignoring; // the set of which some orientations do not count; NULL: there is none
    const char *ignored;  // by piece of that set, from 0: x if its orientation does not count
};

static bool is_kind(const struct judge *judge, unsigned cell, const char *set, bool orientation)
{
    const struct fewest_cell *of = &judge->info->cells[cell];
    return strcmp(of->set, set) == 0 && of->is_orientation == orientation;
}

// The piece whose orientation is in a cell. Without cells of pieces, they stay at home.
static unsigned piece_of(const struct judge *judge, const uint8_t *row, unsigned cell)
{
    const char *set = judge->info->cells[cell].set;
    unsigned place = 0;
    for (unsigned c = 0; c < cell; c++) {
        place += is_kind(judge, c, set, true);
    }
    unsigned home = place;
    for (unsigned c = 0; c < judge->info->cell_count; c++) {
        if (is_kind(judge, c, set, false) && place-- == 0) {
            return row[c];
        }
    }
    return home;
}

static unsigned count_value(const struct judge *judge, const uint8_t *row, unsigned cell)
{
    unsigned count = 0;
    for (unsigned c = 0; c < judge->info->cell_count; c++) {
        count += row[c] == row[cell] && is_kind(judge, c, judge->info->cells[cell].set, false);
    }
    return count;
}

// Tops: one blank, and in the other cells anything else.
static bool accepts_tops(const struct judge *judge, const uint8_t *row, bool wild)
{
    unsigned blanks = 0;
    unsigned open = 0;
    for (unsigned c = 0; c < judge->info->cell_count; c++) {
        blanks += row[c] == 0;
        open += row[c] == FEWEST_WILD;
        if (row[c] >= judge->info->cells[c].values && !(wild && row[c] == FEWEST_WILD)) {
            return false;
        }
    }
    return blanks == 1 || (blanks == 0 && open > 0);
}

// Is a row valid? Sets the orientations that do not count to 0.
static bool accepts(const struct judge *judge, uint8_t *row, bool wild)
{
    if (judge->rolls) {
        return accepts_tops(judge, row, wild);
    }
    for (unsigned c = 0; c < judge->info->cell_count; c++) {
        const struct fewest_cell *cell = &judge->info->cells[c];
        if (judge->ignoring && is_kind(judge, c, judge->ignoring, true)) {
            unsigned piece = piece_of(judge, row, c);
            if (piece < strlen(judge->ignored) && judge->ignored[piece] == 'x') {
                row[c] = 0;
            }
        }
        if (wild && row[c] == FEWEST_WILD) {
            continue;
        }
        if (row[c] >= cell->values) {
            return false;
        }
        if (!cell->is_orientation) {
            unsigned most = 0;
            for (unsigned s = 0; s < judge->info->cell_count; s++) {
                most += judge->solved[s] == row[c] && is_kind(judge, s, cell->set, false);
            }
            if (count_value(judge, row, c) > most) {
                return false;
            }
        }
    }
    return true;
}

// ---- Random rows --------------------------------------------------------------------------------

static uint64_t below(void *context, uint64_t bound)
{
    (void)context;
    return support_random() % bound;
}

static uint8_t draw_byte(const struct judge *judge, unsigned cell, const uint8_t *row)
{
    unsigned values = judge->info->cells[cell].values;
    switch (support_random_below(8)) {
    case 0:
        return FEWEST_WILD;
    case 1:
        return (uint8_t)(values + support_random_below(3)); // just too large
    case 2:
        return (uint8_t)support_random();
    case 3:
        return (uint8_t)(63 + support_random_below(3)); // a word has 64 bits
    case 4:
        return FEWEST_GOALS;
    case 5:
        return row[support_random_below(judge->info->cell_count)]; // perhaps a piece twice
    default:
        return (uint8_t)support_random_below(values);
    }
}

// Draws an arrangement, and changes some of its cells.
static void draw_row(const struct judge *judge, bool wild, uint8_t *row)
{
    fewest_draw(judge->table, below, NULL, row);
    for (unsigned i = support_random_below(4); i > 0; i--) {
        unsigned cell = support_random_below(judge->info->cell_count);
        row[cell] = draw_byte(judge, cell, row);
    }
    for (unsigned i = wild ? support_random_below(judge->info->cell_count) : 0; i > 0; i--) {
        row[support_random_below(judge->info->cell_count)] = FEWEST_WILD;
    }
}

// ---- Comparing ----------------------------------------------------------------------------------

struct outcome {
    bool answered;
    int steps;
    struct fewest_error error;
};

static struct outcome ask(const struct judge *judge, const uint8_t *start, const uint8_t *target)
{
    struct outcome outcome = {.steps = 0};
    outcome.answered = fewest_steps(judge->table, start, target, &outcome.steps, &outcome.error);
    return outcome;
}

static void expect_same(const struct outcome *given, const struct outcome *clean)
{
    cr_assert_eq(given->answered, clean->answered, "%s", given->error.text);
    if (given->answered) {
        cr_assert_eq(given->steps, clean->steps);
    } else {
        cr_assert_eq(given->error.status, clean->error.status, "%s", given->error.text);
        cr_assert_neq(given->error.status, FEWEST_BAD_INPUT, "%s", given->error.text);
    }
}

// The row is row 2 of a matrix, and the others are valid.
static void compare_in_matrix(const struct judge *judge, const uint8_t *start,
                              const uint8_t *target, const struct outcome *alone)
{
    unsigned cells = judge->info->cell_count;
    uint8_t *starts = malloc(3 * (size_t)cells);
    uint8_t *targets = malloc(3 * (size_t)cells);
    struct fewest_path *paths = malloc(3 * sizeof *paths);
    int steps[3];
    struct fewest_error error = {.text = ""};
    char expected[FEWEST_ERROR_SIZE + 8];
    for (unsigned i = 0; i < 3; i++) {
        memcpy(starts + (size_t)i * cells, i == 1 ? start : judge->solved, cells);
        memcpy(targets + (size_t)i * cells, i == 1 ? target : judge->solved, cells);
    }
    size_t count = fewest_steps_many(judge->table, starts, targets, 3, steps, &error);
    cr_assert_eq(count, alone->answered ? 3 : 1, "%s", error.text);
    cr_assert_eq(steps[0], 0);
    if (alone->answered) {
        cr_assert_eq(steps[1], alone->steps);
        cr_assert_eq(steps[2], 0);
    } else {
        bool bad = alone->error.status == FEWEST_BAD_INPUT;
        snprintf(expected, sizeof expected, "%s%s", bad ? "row 2: " : "", alone->error.text);
        cr_assert_eq(error.status, alone->error.status);
        cr_assert_str_eq(error.text, expected);
        cr_assert_eq(fewest_path_many(judge->table, starts, targets, 3, paths, &error), 1);
        cr_assert_eq(error.status, alone->error.status);
        cr_assert(!bad || strncmp(error.text, "row 2: ", 7) == 0, "%s", error.text);
    }
    free(starts);
    free(targets);
    free(paths);
}

static void check_alone(const struct judge *judge, const uint8_t *given, bool wild, bool good,
                        const uint8_t *clean)
{
    uint8_t row[FEWEST_CELLS_MOST];
    char text[FEWEST_TEXT_SIZE];
    struct fewest_error error;
    memcpy(row, given, judge->info->cell_count);
    cr_assert_eq(wild ? fewest_check_target(judge->table, "ROW", row, &error)
                      : fewest_check_state(judge->table, "ROW", row, &error),
                 good);
    if (good) {
        cr_assert_arr_eq(row, clean, judge->info->cell_count);
        cr_assert(fewest_write_state(judge->table, given, text, &error), "%s", error.text);
        cr_assert(fewest_read_target(judge->table, "ROW", text, strlen(text), row, &error), "%s",
                  error.text);
        cr_assert_arr_eq(row, clean, judge->info->cell_count, "%s", text);
    } else {
        cr_assert_eq(error.status, FEWEST_BAD_INPUT);
        cr_assert_eq(strncmp(error.text, "ROW", 3), 0, "%s", error.text);
    }
}

// Compares one query of random rows. Returns a bit for each row that is valid.
static unsigned compare_query(const struct judge *judge, bool to_goals)
{
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    uint8_t clean_start[FEWEST_CELLS_MOST];
    uint8_t clean_target[FEWEST_CELLS_MOST];
    unsigned cells = judge->info->cell_count;
    draw_row(judge, false, start);
    draw_row(judge, true, target);
    memcpy(clean_start, start, cells);
    memcpy(clean_target, target, cells);
    bool good_start = accepts(judge, clean_start, false);
    bool good_target = accepts(judge, clean_target, true);
    check_alone(judge, start, false, good_start, clean_start);
    check_alone(judge, target, true, good_target, clean_target);
    if (to_goals) {
        target[0] = FEWEST_GOALS; // the other bytes of the row do not matter
    }
    bool goals = target[0] == FEWEST_GOALS;
    struct outcome given = ask(judge, start, target);
    if (!good_start || !(good_target || goals)) {
        cr_assert_not(given.answered);
        cr_assert_eq(given.error.status, FEWEST_BAD_INPUT, "%s", given.error.text);
        cr_assert_eq(strncmp(given.error.text, good_start ? "TARGET" : "START", 5 + good_start), 0);
    } else {
        struct outcome clean = ask(judge, clean_start, goals ? NULL : clean_target);
        expect_same(&given, &clean);
    }
    if (support_random_below(4) == 0) {
        compare_in_matrix(judge, start, target, &given);
    }
    return (good_start ? 1U : 0U) + (good_target || goals ? 2U : 0U);
}

// Compares random rows of a puzzle. `only_goals` spares searches for other targets.
static void compare_rows(struct fewest *table, const char *ignoring, const char *ignored,
                         bool only_goals, unsigned rounds)
{
    static struct judge judge;
    struct fewest_error error;
    unsigned met[4] = {0};
    judge = (struct judge){.table = table, .info = fewest_info(table)};
    judge.rolls = strstr(judge.info->definition, "Roll");
    judge.ignoring = ignoring;
    judge.ignored = ignored;
    cr_assert(fewest_read_moves(table, NULL, "", 0, judge.solved, &error), "%s", error.text);
    for (unsigned round = 0; round < rounds; round++) {
        met[compare_query(&judge, only_goals || round % 2)]++;
    }
    for (unsigned i = only_goals ? 2 : 0; i < 4; i++) { // negative control: each case was met
        cr_assert_gt(met[i], rounds / 200, "%u of %u in %s", met[i], i, judge.info->name);
    }
}

static void compare_file(const char *path, bool only_goals, unsigned rounds)
{
    struct fewest *table = support_open_file(path);
    compare_rows(table, NULL, NULL, only_goals, rounds);
    support_close(table);
}

static void compare_text(const char *text, const char *ignoring, const char *ignored)
{
    struct fewest *table = support_open_text(text);
    compare_rows(table, ignoring, ignored, false, 4000);
    support_close(table);
}

Test(rows, of_different_pieces)
{
    compare_file("tables/puzzles/game.puzzle", false, 20000);
    compare_file("tables/puzzles/magic.puzzle", false, 4000);
}

Test(rows, of_a_sliding_board)
{
    compare_file("tables/puzzles/eight.puzzle", false, 4000);
    compare_file("tables/puzzles/slide222.puzzle", false, 4000);
}

Test(rows, of_orientations_alone)
{
    compare_file("tables/puzzles/flip.puzzle", false, 8000);
}

Test(rows, of_tops)
{
    compare_file("tables/puzzles/cubic.puzzle", true, 4000);
}

Test(rows, of_pieces_that_look_alike)
{
    static const char RING[] = "Name ring\nSet X 8 1\nSolved\nX\n1 1 2 2 2 3 3 3\nEnd\n"
                               "Move A\nX\n2 3 4 5 6 7 8 1\nEnd\nMove B\nX\n2 1 3 4 5 6 7 8\nEnd\n";
    compare_file("tables/puzzles/dice.puzzle", false, 2000);
    compare_text(RING, NULL, NULL);
}

Test(rows, of_pieces_some_of_which_have_no_orientation)
{
    struct fewest *table = support_open_file("tests/data/identical.tws");
    compare_rows(table, "STONES", "x--", true, 2000);
    support_close(table);
}

Test(rows, of_orientations_that_do_not_count)
{
    compare_text("Name ig\nSet A 3 3\nSolved\nA\n1 2 3\n0 ? 0\nEnd\nMove R\nA\n2 3 1\n1 0 1\nEnd\n"
                 "Move T\nA\n2 1 3\n0 1 0\nEnd\n",
                 "A", "-x-");
    // The pieces stay at home, and have no cells.
    compare_text("Name dials\nSet A 4 3\nSolved\nA\n1 2 3 4\n0 ? 0 ?\nEnd\n"
                 "Move R\nA\n1 2 3 4\n1 1 0 0\nEnd\nMove T\nA\n1 2 3 4\n0 0 1 2\nEnd\n",
                 "A", "-x-x");
}

// Puts `count` pieces in a set, of which two change places.
static void compare_many(unsigned count)
{
    char text[2048] = "";
    char *at = text + sprintf(text, "Name many\nSet A %u 1\nSolved\nEnd\nMove R\nA\n2 1 ", count);
    for (unsigned i = 3; i <= count; i++) {
        at += sprintf(at, "%u ", i);
    }
    sprintf(at, "\nEnd\n");
    compare_text(text, NULL, NULL);
}

// A fast validator may keep a bit for each piece.
Test(rows, of_as_many_pieces_as_digits_or_bits_of_a_word)
{
    compare_many(10); // the last one is typed with two digits
    compare_many(62);
    compare_many(63);
    compare_many(64);
    compare_many(65);
    compare_many(254);
}

Test(rows, of_pieces_in_several_sets)
{
    compare_file("tests/data/2x2x2.tws", false, 3000);
    compare_text("Name two\nSet A 4 2\nSet B 4 1\nSolved\nA\n1 2 3 4\n0 0 0 0\nB\n1 1 2 2\nEnd\n"
                 "Move R\nA\n2 3 4 1\n1 0 1 0\nB\n2 3 4 1\nEnd\nMove S\nB\n2 1 3 4\nEnd\n",
                 NULL, NULL);
}

Test(rows, of_a_puzzle_that_is_searched)
{
    struct fewest *table = support_open_text("Name slide\nSlide 3 4\nDatabase 1 2 3 4\n"
                                             "Database 5 6 7\nDatabase 8 9 10 11\n");
    support_set(table, (struct fewest_options){.limit = 1}); // a search gives up at once
    compare_rows(table, NULL, NULL, false, 4000);
    support_close(table);
}
