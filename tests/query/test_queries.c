// The functions that answer queries: each does what fewest.h says, also when it is called wrongly.
// test_rows.c compares many rows.
#include "opened.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 9 };

static const uint8_t SOLVED[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t ONE[] = {2, 0, 1, 3, 4, 5, 6, 7, 8};                   // one move away
static const uint8_t ODD[] = {1, 0, 2, 3, 4, 5, 6, 7, 8};                   // unreachable
static const uint8_t OPEN[] = {255, 255, 255, 255, 0, 255, 255, 255, 255};  // piece 1 in the centre
static const uint8_t TWICE[] = {0, 1, 2, 3, 4, 5, 6, 7, 7};                 // not a state
static const uint8_t GOALS[CELLS] = {FEWEST_GOALS, 255, 0, 0, 0, 99};       // only the first counts
static const uint8_t LARGE[] = {255, 255, 255, 255, 255, 255, 255, 255, 9}; // not a target

GAME_SUITE(fewest_steps);
GAME_SUITE(fewest_path);
GAME_SUITE(fewest_steps_many);
GAME_SUITE(fewest_path_many);
GAME_SUITE(fewest_scramble);
GAME_SUITE(fewest_parity);

// ---- One query ----------------------------------------------------------------------------------

Test(fewest_steps, counts_moves_to_a_target_or_the_nearest_goal)
{
    int steps;
    cr_expect(fewest_steps(table, ONE, NULL, &steps, &error) && steps == 1);
    cr_expect(fewest_steps(table, ONE, GOALS, &steps, &error) && steps == 1);
    cr_expect(fewest_steps(table, ONE, ONE, &steps, &error) && steps == 0);
    cr_expect(fewest_steps(table, SOLVED, ONE, &steps, &error) && steps == 1);
    cr_expect(fewest_steps(table, SOLVED, OPEN, &steps, &error) && steps == 2);
    cr_expect(fewest_steps(table, ODD, NULL, &steps, &error) && steps == FEWEST_UNREACHABLE);
    expect_bad(fewest_steps(table, TWICE, NULL, &steps, &error), "START", "8 appears twice");
    expect_bad(fewest_steps(table, GOALS, NULL, &steps, &error), "START", "cell 1");
    expect_bad(fewest_steps(table, OPEN, NULL, &steps, &error), "START", "wildcard");
    expect_bad(fewest_steps(table, SOLVED, TWICE, &steps, &error), "TARGET", "8 appears twice");
    expect_bad(fewest_steps(table, SOLVED, LARGE, &steps, &error), "TARGET", "cell 9");
    support_set(table, (struct fewest_options){.limit = 1});
    cr_expect(fewest_steps(table, SOLVED, ONE, &steps, &error) && steps == 1);
    expect_status(fewest_steps(table, SOLVED, OPEN, &steps, &error), FEWEST_LIMITED);
}

Test(fewest_path, fills_in_the_moves_of_a_shortest_path)
{
    struct fewest_path path;
    cr_assert(fewest_path(table, ONE, NULL, &path, &error) && path.steps == 1);
    cr_expect_str_eq(fewest_move_name(table, path.moves[0]), "R1'");
    cr_expect(fewest_path(table, ONE, GOALS, &path, &error) && path.steps == 1);
    cr_expect(fewest_path(table, ONE, ONE, &path, &error) && path.steps == 0);
    cr_expect(fewest_path(table, SOLVED, OPEN, &path, &error) && path.steps == 2);
    cr_expect(fewest_path(table, ODD, NULL, &path, &error) && path.steps == FEWEST_UNREACHABLE);
    expect_bad(fewest_path(table, TWICE, NULL, &path, &error), "START", "8 appears twice");
    expect_bad(fewest_path(table, OPEN, NULL, &path, &error), "START", "wildcard");
    expect_bad(fewest_path(table, SOLVED, LARGE, &path, &error), "TARGET", "cell 9");
    support_set(table, (struct fewest_options){.limit = 1});
    expect_status(fewest_path(table, SOLVED, OPEN, &path, &error), FEWEST_LIMITED);
}

// ---- Many queries -------------------------------------------------------------------------------

static void put_row(uint8_t *matrix, size_t row, const uint8_t *cells)
{
    memcpy(matrix + row * CELLS, cells, CELLS);
}

Test(fewest_steps_many, names_the_row_that_is_wrong)
{
    enum { ROWS = 40 };
    uint8_t starts[ROWS * CELLS];
    uint8_t targets[ROWS * CELLS];
    int steps[ROWS];
    for (unsigned r = 0; r < ROWS; r++) {
        put_row(starts, r, r % 2 ? ONE : ODD);
        put_row(targets, r, r % 3 ? GOALS : r % 2 ? ONE : OPEN);
    }
    cr_expect_eq(fewest_steps_many(table, starts, NULL, 0, steps, &error), 0);
    cr_assert_eq(fewest_steps_many(table, starts, NULL, ROWS, steps, &error), ROWS);
    cr_expect(steps[0] == FEWEST_UNREACHABLE && steps[1] == 1 && steps[ROWS - 1] == 1);
    cr_assert_eq(fewest_steps_many(table, starts, targets, ROWS, steps, &error), ROWS);
    for (size_t r = 0; r < ROWS; r++) {
        int alone;
        cr_assert(fewest_steps(table, starts + r * CELLS, targets + r * CELLS, &alone, &error));
        cr_expect_eq(steps[r], alone, "row %zu", r);
    }
    steps[1] = 77;
    put_row(starts, 1, TWICE);
    cr_expect_eq(fewest_steps_many(table, starts, NULL, ROWS, steps, &error), 1);
    expect_bad(false, "row 2: START", "8 appears twice");
    cr_expect_eq(steps[1], 77);
    put_row(starts, 1, OPEN);
    cr_expect_eq(fewest_steps_many(table, starts, targets, ROWS, steps, &error), 1);
    expect_bad(false, "row 2: START", "wildcard");
    put_row(starts, 1, ONE);
    put_row(targets, 33, LARGE);
    cr_expect_eq(fewest_steps_many(table, starts, targets, ROWS, steps, &error), 33);
    expect_bad(false, "row 34: TARGET", "cell 9");
    put_row(starts, 0, SOLVED);
    put_row(targets, 0, OPEN);
    cr_expect_eq(fewest_steps_many(table, starts, targets, 1, steps, &error), 1);
    cr_expect_eq(steps[0], 2);
    support_set(table, (struct fewest_options){.limit = 1});
    cr_expect_eq(fewest_steps_many(table, starts, targets, 1, steps, &error), 0);
    cr_expect_eq(error.status, FEWEST_LIMITED);
}

Test(fewest_path_many, names_the_row_that_is_wrong)
{
    uint8_t starts[3 * CELLS];
    uint8_t targets[3 * CELLS];
    struct fewest_path paths[3];
    struct fewest_path one;
    for (unsigned r = 0; r < 3; r++) {
        put_row(starts, r, r == 1 ? SOLVED : ONE);
        put_row(targets, r, r == 1 ? OPEN : GOALS);
    }
    cr_expect_eq(fewest_path_many(table, starts, NULL, 0, paths, &error), 0);
    cr_assert_eq(fewest_path_many(table, starts, targets, 3, paths, &error), 3);
    for (unsigned r = 0; r < 3; r++) {
        cr_assert(fewest_path(table, starts + (size_t)r * CELLS, targets + (size_t)r * CELLS, &one,
                              &error));
        cr_expect_eq(paths[r].steps, one.steps);
        cr_expect_arr_eq(paths[r].moves, one.moves, (size_t)one.steps * sizeof *one.moves);
    }
    put_row(starts, 1, TWICE);
    cr_expect_eq(fewest_path_many(table, starts, NULL, 3, paths, &error), 1);
    expect_bad(false, "row 2: START", "8 appears twice");
    put_row(starts, 1, SOLVED);
    put_row(targets, 2, LARGE);
    cr_expect_eq(fewest_path_many(table, starts, targets, 3, paths, &error), 2);
    expect_bad(false, "row 3: TARGET", "cell 9");
}

// ---- Scrambles and parity -----------------------------------------------------------------------

Test(fewest_scramble, leads_from_the_solved_state)
{
    struct fewest_path path;
    uint8_t state[CELLS];
    cr_assert(fewest_scramble(table, ONE, &path, &error) && path.steps == 1);
    cr_assert(fewest_follow(table, SOLVED, path.moves, 1, state, &error));
    cr_expect_arr_eq(state, ONE, CELLS);
    cr_expect(fewest_scramble(table, SOLVED, &path, &error) && path.steps == 0);
    cr_expect(fewest_scramble(table, ODD, &path, &error) && path.steps == FEWEST_UNREACHABLE);
    expect_bad(fewest_scramble(table, TWICE, &path, &error), "", "8 appears twice");
    expect_bad(fewest_scramble(table, OPEN, &path, &error), "", "wildcard");
    expect_bad(fewest_scramble(table, GOALS, &path, &error), "", "cell 1");
}

Test(fewest_parity, tells_whether_and_why)
{
    struct fewest_parity parity;
    static const uint8_t *const NEAREST[] = {NULL, GOALS};
    for (unsigned i = 0; i < 2; i++) {
        cr_assert(fewest_parity(table, ONE, NEAREST[i], &parity, &error) && parity.reachable);
        cr_expect_str_eq(parity.reason, "in 1 move");
        cr_assert(fewest_parity(table, ODD, NEAREST[i], &parity, &error) && !parity.reachable);
        cr_expect(strstr(parity.reason, "odd"), "%s", parity.reason);
    }
    cr_expect(fewest_parity(table, ODD, OPEN, &parity, &error) && parity.reachable);
    expect_bad(fewest_parity(table, TWICE, NULL, &parity, &error), "START", "8 appears twice");
    expect_bad(fewest_parity(table, OPEN, NULL, &parity, &error), "START", "wildcard");
    expect_bad(fewest_parity(table, ONE, LARGE, &parity, &error), "TARGET", "cell 9");
}

static struct fewest_parity parity;

static bool ask_grid(const char *grid, const char *start, const char *target)
{
    const struct fewest_grid_query query = {grid, start, strlen(start), target,
                                            target ? strlen(target) : 0};
    return fewest_grid_parity(&query, &parity, &error);
}

Test(fewest_grid_parity, needs_no_table)
{
    static const struct {
        const char *grid;
        const char *start;
        const char *target;
    } WRONG[] = {
        {"", "1230", NULL},
        {"2", "10", NULL},
        {"0x2", "", NULL},
        {"2x2x", "1230", NULL},
        {"2x2x2x2", "1230", NULL},
        {"2048x2048", "1230", NULL},
        {"2x2", "", NULL},
        {"2x2", "123", NULL},
        {"2x2", "1123", NULL},
        {"2x2", "1234", NULL},
        {"2x2", "*230", NULL},
        {"2x2", "1230 12300", NULL},
        {"2x2", "1230", ""},
        {"2x2", "1230 1230", "1230"},
        {"2x2", "1230", "1130"},
        {"-2x2", "1230", NULL},
        {"99999999999999999999x2", "1230", NULL},
    };
    cr_expect(ask_grid("2x2", "1230", NULL) && parity.reachable);
    cr_expect(ask_grid("2x2", "2130", NULL) && !parity.reachable);
    cr_expect_neq(parity.reason[0], '\0');
    cr_expect(ask_grid("2x2", "2130", "2130") && parity.reachable);
    cr_expect(ask_grid("2x2", "2130 1230", NULL) && !parity.reachable);
    cr_expect(ask_grid("2x2x2", "1 2 3 4 5 6 7 0", NULL) && parity.reachable);
    cr_expect(ask_grid("2x2", "2130", "**30") && parity.reachable);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        expect_status(ask_grid(WRONG[i].grid, WRONG[i].start, WRONG[i].target), FEWEST_BAD_INPUT);
    }
}
