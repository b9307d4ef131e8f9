// The functions that read, check, write, move, number and draw states: each does what fewest.h
// says, also when it is called wrongly.
#include "opened.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

// Piece 2 has no orientation. A state's cells: three pieces, then three orientations.
static const char IGNORING[] =
    "Name ig\nSet A 3 3\nSolved\nA\n1 2 3\n0 ? 0\nEnd\nMove R\nA\n2 3 1\n1 0 1\nEnd\n"
    "Move T\nA\n2 1 3\n0 1 0\nEnd\n";

// More than 2^64 arrangements.
static const char MANY[] = "Name many\nSet A 24 1\nSolved\nEnd\nMove R\nA\n"
                           "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\nEnd\n";

static const uint8_t SOLVED[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

// Rows of the game that are no states, and what is wrong.
static const struct {
    uint8_t row[9];
    const char *why;
} BAD[] = {
    {{0, 1, 2, 3, 4, 5, 6, 7, 9}, "cell 9"},
    {{0, 1, 2, 3, 4, 5, 6, 7, 7}, "8 appears twice"},
    {{FEWEST_GOALS, 1, 2, 3, 4, 5, 6, 7, 8}, "cell 1"},
    {{0, 1, FEWEST_WILD, 3, 4, 5, 6, 7, 8}, "cell 3 is a wildcard"},
    {{0, 255, 255, 255, 255, 255, 255, 255, 255}, "wildcard"},
    {{64, 65, 66, 67, 68, 69, 70, 71, 72}, "cell 1"},
};
enum { BAD_COUNT = sizeof BAD / sizeof *BAD };

GAME_SUITE(fewest_read_query);
GAME_SUITE(fewest_read_state);
GAME_SUITE(fewest_read_target);
GAME_SUITE(fewest_read_moves);
GAME_SUITE(fewest_check_state);
GAME_SUITE(fewest_check_target);
GAME_SUITE(fewest_write_state);
GAME_SUITE(fewest_apply);
GAME_SUITE(fewest_follow);
GAME_SUITE(fewest_rank);
GAME_SUITE(fewest_unrank);
GAME_SUITE(fewest_draw);

// ---- Reading ------------------------------------------------------------------------------------

Test(fewest_read_query, reads_a_start_or_a_start_and_a_target)
{
    struct query query;
    cr_assert(fewest_read_query(table, "213456789", 9, query.start, query.target, &error));
    cr_expect_eq(query.start[0], 1);
    cr_expect_eq(query.target[0], FEWEST_GOALS);
    cr_assert(
        fewest_read_query(table, "123456789 *23456789", 19, query.start, query.target, &error));
    cr_expect_arr_eq(query.start, SOLVED, 9);
    cr_expect_eq(query.target[0], FEWEST_WILD);
    static const char *const TEXTS[] = {"",
                                        " ",
                                        "12345678",
                                        "*23456789",
                                        "1234567890",
                                        "11345678",
                                        "123456789 113456789",
                                        "123456789 12345678"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        expect_status(
            fewest_read_query(table, TEXTS[i], strlen(TEXTS[i]), query.start, query.target, &error),
            FEWEST_BAD_INPUT);
    }
}

Test(fewest_read_state, reads_a_state_and_names_it_if_it_is_none)
{
    uint8_t state[FEWEST_CELLS_MOST];
    cr_assert(fewest_read_state(table, "GOAL", "123/456/789", 11, state, &error));
    cr_expect_arr_eq(state, SOLVED, 9);
    static const char LISTS[] = "# a board\n3\n[[1,2,3],[4,5,6],[7,8,9]]";
    cr_assert(fewest_read_state(table, "GOAL", LISTS, strlen(LISTS), state, &error));
    cr_expect_arr_eq(state, SOLVED, 9);
    cr_assert(fewest_read_state(table, "GOAL", "1234567899", 9, state, &error)); // no NUL needed
    expect_bad(fewest_read_state(table, "GOAL", "*23456789", 9, state, &error), "GOAL", "wildcard");
    expect_bad(fewest_read_state(table, "GOAL", "", 0, state, &error), "GOAL", "0 cells");
    expect_bad(fewest_read_state(table, "GOAL", "123456789", 8, state, &error), "GOAL", "8 cells");
    expect_bad(fewest_read_state(table, "GOAL", "123456788", 9, state, &error), "GOAL",
               "8 appears twice");
}

Test(fewest_read_target, reads_wildcards)
{
    uint8_t target[FEWEST_CELLS_MOST];
    cr_assert(fewest_read_target(table, "TARGET", "*********", 9, target, &error));
    for (unsigned c = 0; c < 9; c++) {
        cr_expect_eq(target[c], FEWEST_WILD);
    }
    cr_assert(fewest_read_target(table, "TARGET", "123456789", 9, target, &error));
    cr_expect_arr_eq(target, SOLVED, 9);
    expect_bad(fewest_read_target(table, "TARGET", "11*******", 9, target, &error), "TARGET",
               "1 appears twice");
    expect_bad(fewest_read_target(table, "TARGET", "", 0, target, &error), "TARGET", "0 cells");
}

Test(fewest_read_moves, starts_from_the_solved_state_or_in_place)
{
    static const uint8_t TURNED[] = {2, 0, 1, 3, 4, 5, 6, 7, 8};
    uint8_t state[FEWEST_CELLS_MOST];
    cr_assert(fewest_read_moves(table, NULL, "", 0, state, &error));
    cr_expect_arr_eq(state, SOLVED, 9);
    cr_assert(fewest_read_moves(table, state, "R1", 2, state, &error));
    cr_expect_arr_eq(state, TURNED, 9);
    cr_assert(fewest_read_moves(table, state, "R1'", 3, state, &error));
    cr_expect_arr_eq(state, SOLVED, 9);
    expect_status(fewest_read_moves(table, state, "R1 Z", 4, state, &error), FEWEST_BAD_INPUT);
    for (unsigned i = 0; i < BAD_COUNT; i++) {
        expect_bad(fewest_read_moves(table, BAD[i].row, "", 0, state, &error), "", BAD[i].why);
        memcpy(state, BAD[i].row, 9);
        expect_bad(fewest_read_moves(table, state, "R1", 2, state, &error), "", BAD[i].why);
    }
}

Test(fewest_read_moves, takes_orientations_that_do_not_count_as_0)
{
    reopen(support_open_text(IGNORING));
    uint8_t state[2][FEWEST_CELLS_MOST] = {{0, 1, 2, 0, 0, 0}, {0, 1, 2, 0, 77, 0}};
    for (unsigned i = 0; i < 2; i++) {
        cr_assert(fewest_read_moves(table, state[i], "R T", 3, state[i], &error), "%s", error.text);
    }
    cr_expect_arr_eq(state[0], state[1], 6);
}

Test(fewest_read_moves, refuses_the_moves_of_rolling_cubes)
{
    reopen(support_open_file("tables/puzzles/cubic.puzzle"));
    uint8_t state[FEWEST_CELLS_MOST];
    cr_expect(fewest_read_moves(table, NULL, "", 0, state, &error));
    expect_status(fewest_read_moves(table, NULL, "d", 1, state, &error), FEWEST_BAD_INPUT);
}

// ---- Checking and writing -----------------------------------------------------------------------

Test(fewest_check_state, names_what_is_wrong_and_forgets_orientations)
{
    uint8_t state[FEWEST_CELLS_MOST] = {0};
    memcpy(state, SOLVED, 9);
    cr_expect(fewest_check_state(table, "HERE", state, &error));
    for (unsigned i = 0; i < BAD_COUNT; i++) {
        memcpy(state, BAD[i].row, 9);
        expect_bad(fewest_check_state(table, "HERE", state, &error), "HERE", BAD[i].why);
    }
    reopen(support_open_text(IGNORING));
    uint8_t turned[] = {0, 1, 2, 0, 2, 0};
    cr_expect(fewest_check_state(table, "HERE", turned, &error));
    cr_expect_eq(turned[4], 0);
    turned[5] = 3;
    expect_bad(fewest_check_state(table, "HERE", turned, &error), "HERE", "");
}

Test(fewest_check_target, allows_wildcards)
{
    uint8_t target[FEWEST_CELLS_MOST];
    for (unsigned i = 0; i < BAD_COUNT; i++) {
        memcpy(target, BAD[i].row, 9);
        bool wild = strstr(BAD[i].why, "wildcard");
        cr_expect_eq(fewest_check_target(table, "THERE", target, &error), wild);
        if (!wild) {
            expect_bad(false, "THERE", BAD[i].why);
        }
    }
    uint8_t twice[] = {255, 255, 3, 255, 255, 3, 255, 255, 255};
    expect_bad(fewest_check_target(table, "THERE", twice, &error), "THERE", "4 appears twice");
}

Test(fewest_write_state, writes_what_is_read_and_refuses_what_is_no_row)
{
    char text[FEWEST_TEXT_SIZE];
    static const uint8_t OPEN[] = {255, 1, 2, 3, 4, 5, 6, 7, 8};
    cr_expect_str_eq(fewest_write_state(table, SOLVED, text, &error), "123/456/789");
    cr_expect_str_eq(fewest_write_state(table, OPEN, text, &error), "*23/456/789");
    for (unsigned i = 0; i < BAD_COUNT; i++) {
        if (!strstr(BAD[i].why, "wildcard")) {
            expect_bad(fewest_write_state(table, BAD[i].row, text, &error), "", BAD[i].why);
        }
    }
    reopen(support_open_text(IGNORING));
    char other[FEWEST_TEXT_SIZE];
    cr_assert(fewest_write_state(table, (uint8_t[]){0, 1, 2, 0, 0, 0}, text, &error));
    cr_assert(fewest_write_state(table, (uint8_t[]){0, 1, 2, 0, 99, 0}, other, &error));
    cr_expect_str_eq(text, other);
}

// ---- Moves --------------------------------------------------------------------------------------

Test(fewest_apply, makes_a_move_also_in_place)
{
    const struct fewest_info *info = fewest_info(table);
    uint8_t moved[FEWEST_CELLS_MOST];
    uint8_t read[FEWEST_CELLS_MOST];
    uint8_t state[FEWEST_CELLS_MOST];
    for (unsigned m = 0; m < info->move_count; m++) {
        const char *name = fewest_move_name(table, m);
        memcpy(state, SOLVED, 9);
        cr_assert(fewest_apply(table, m, SOLVED, moved, &error), "%s", error.text);
        cr_assert(fewest_apply(table, m, state, state, &error), "%s", error.text);
        cr_assert(fewest_read_moves(table, NULL, name, strlen(name), read, &error));
        cr_expect_arr_eq(moved, read, 9, "%s", name);
        cr_expect_arr_eq(state, read, 9, "%s", name);
    }
    expect_status(fewest_apply(table, info->move_count, SOLVED, moved, &error), FEWEST_BAD_INPUT);
    expect_status(fewest_apply(table, UINT32_MAX, SOLVED, moved, &error), FEWEST_BAD_INPUT);
    for (unsigned i = 0; i < BAD_COUNT; i++) {
        expect_bad(fewest_apply(table, 0, BAD[i].row, moved, &error), "", BAD[i].why);
    }
}

Test(fewest_apply, refuses_what_can_not_be_made)
{
    reopen(support_open_file("tables/puzzles/eight.puzzle"));
    uint8_t state[FEWEST_CELLS_MOST];
    unsigned made = 0;
    cr_assert(fewest_read_moves(table, NULL, "", 0, state, &error));
    for (unsigned m = 0; m < 4; m++) {
        uint8_t moved[FEWEST_CELLS_MOST];
        bool done = fewest_apply(table, m, state, moved, &error);
        cr_expect(done || error.status == FEWEST_BEYOND, "%s", error.text);
        made += done;
    }
    cr_expect_eq(made, 2); // the blank is in a corner
    reopen(support_open_file("tables/puzzles/cubic.puzzle"));
    cr_assert(fewest_read_moves(table, NULL, "", 0, state, &error));
    expect_status(fewest_apply(table, 0, state, state, &error), FEWEST_BEYOND);
}

Test(fewest_follow, makes_the_moves_of_a_path_also_in_place)
{
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_path path;
    cr_assert(fewest_read_moves(table, NULL, "R1 C1 R2 C3", 11, start, &error));
    cr_assert(fewest_path(table, start, NULL, &path, &error), "%s", error.text);
    cr_assert(fewest_follow(table, start, NULL, 0, state, &error), "%s", error.text);
    cr_expect_arr_eq(state, start, 9);
    cr_assert(fewest_follow(table, start, path.moves, (unsigned)path.steps, state, &error));
    cr_expect_arr_eq(state, SOLVED, 9);
    cr_assert(fewest_follow(table, start, path.moves, (unsigned)path.steps, start, &error));
    cr_expect_arr_eq(start, SOLVED, 9);
    path.moves[1] = fewest_info(table)->move_count;
    cr_expect(fewest_follow(table, start, path.moves, 1, state, &error));
    expect_status(fewest_follow(table, start, path.moves, 2, state, &error), FEWEST_BAD_INPUT);
    for (unsigned i = 0; i < BAD_COUNT; i++) {
        expect_bad(fewest_follow(table, BAD[i].row, path.moves, 0, state, &error), "START",
                   BAD[i].why);
    }
}

Test(fewest_follow, knows_how_rolling_cubes_lie)
{
    reopen(support_open_file("tables/puzzles/cubic.puzzle"));
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    struct fewest_path path;
    cr_assert(fewest_read_query(table, "WWWWEWWWW BBBBEBBBB", 19, start, target, &error));
    cr_assert(fewest_path(table, start, target, &path, &error), "%s", error.text);
    cr_assert(fewest_follow(table, start, path.moves, (unsigned)path.steps, start, &error));
    cr_expect_arr_eq(start, target, 9);
    expect_status(
        fewest_follow(table, (uint8_t[]){1, 2, 1, 1, 0, 1, 1, 1, 1}, NULL, 0, start, &error),
        FEWEST_BEYOND);
    path.moves[0] = 4;
    expect_status(fewest_follow(table, target, path.moves, 1, start, &error), FEWEST_BAD_INPUT);
}

// ---- Numbers ------------------------------------------------------------------------------------

Test(fewest_rank, and_fewest_unrank_are_inverse)
{
    uint8_t state[FEWEST_CELLS_MOST];
    uint64_t number = 1;
    cr_assert(fewest_rank(table, SOLVED, &number, &error));
    cr_expect_eq(number, 0);
    for (uint64_t n = 0; n < 362880; n += 997) {
        cr_assert(fewest_unrank(table, n, state, &error), "%s", error.text);
        cr_assert(fewest_rank(table, state, &number, &error), "%s", error.text);
        cr_assert_eq(number, n);
    }
    for (unsigned i = 0; i < BAD_COUNT; i++) {
        expect_bad(fewest_rank(table, BAD[i].row, &number, &error), "", BAD[i].why);
    }
    reopen(support_open_text(IGNORING));
    uint64_t other = 1;
    cr_assert(fewest_rank(table, (uint8_t[]){0, 1, 2, 0, 0, 0}, &number, &error));
    cr_assert(fewest_rank(table, (uint8_t[]){0, 1, 2, 0, 2, 0}, &other, &error));
    cr_expect_eq(number, other);
    reopen(support_open_text(MANY));
    cr_assert_eq(fewest_info(table)->arrangement_count, 0);
    cr_assert(fewest_read_moves(table, NULL, "R", 1, state, &error));
    expect_status(fewest_rank(table, state, &number, &error), FEWEST_BEYOND);
}

Test(fewest_unrank, refuses_numbers_that_no_state_has)
{
    uint8_t state[FEWEST_CELLS_MOST];
    cr_expect(fewest_unrank(table, 362879, state, &error));
    expect_status(fewest_unrank(table, 362880, state, &error), FEWEST_BAD_INPUT);
    expect_status(fewest_unrank(table, UINT64_MAX, state, &error), FEWEST_BAD_INPUT);
    reopen(support_open_text(MANY));
    expect_status(fewest_unrank(table, 0, state, &error), FEWEST_BEYOND);
}

static uint64_t below(void *context, uint64_t bound)
{
    ++*(unsigned *)context;
    cr_assert_gt(bound, 0);
    return support_random() % bound;
}

static uint64_t least(void *context, uint64_t bound)
{
    (void)context;
    (void)bound;
    return 0;
}

// All six arrangements of three pieces come about equally often.
Test(fewest_draw, draws_all_arrangements_alike)
{
    enum { DRAWN = 6000 };
    reopen(support_open_text("Name three\nSet A 3 1\nSolved\nEnd\nMove R\nA\n2 1 3\nEnd\n"));
    unsigned counts[6] = {0};
    unsigned calls = 0;
    uint8_t state[FEWEST_CELLS_MOST];
    for (unsigned i = 0; i < DRAWN; i++) {
        uint64_t number;
        fewest_draw(table, below, &calls, state);
        cr_assert(fewest_rank(table, state, &number, &error), "%s", error.text);
        counts[number]++;
    }
    cr_expect_geq(calls, DRAWN * 2);
    for (unsigned n = 0; n < 6; n++) {
        cr_expect(counts[n] > 800 && counts[n] < 1200, "%u", counts[n]);
    }
    static const char *const FILES[] = {"tables/puzzles/cubic.puzzle",
                                        "tables/puzzles/eight.puzzle", "tests/data/identical.tws",
                                        "tables/puzzles/flip.puzzle"};
    for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
        reopen(support_open_file(FILES[f]));
        for (unsigned i = 0; i < 100; i++) {
            fewest_draw(table, i ? below : least, &calls, state);
            cr_assert(fewest_check_state(table, "DRAWN", state, &error), "%s", error.text);
        }
    }
}
