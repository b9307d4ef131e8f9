// Compares rolling cubes with a twin that searches over cubes of three colours, without masks,
// parities or symmetries.
#include "tests/tools/support.h"
#include "tests/twin/twin_rolling.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = TWIN_ROLLING_CELLS };

static struct fewest *open_board(int rows, int columns)
{
    char text[64];
    snprintf(text, sizeof text, "Name board\nRoll %d %d\nLetters CUBES E W R B\n", rows, columns);
    return support_open_text(text);
}

static struct query ask(const struct fewest *table, int empty, const char *target)
{
    char start[CELLS + 1];
    struct query query = {.target = {0}};
    struct fewest_error error;
    size_t cells = strlen(target);
    memset(start, 'W', cells);
    start[empty] = 'E';
    cr_assert(fewest_read_state(table, "START", start, cells, query.start, &error), "%s",
              error.text);
    cr_assert(fewest_read_target(table, "TARGET", target, cells, query.target, &error), "%s",
              error.text);
    return query;
}

static int steps_to(struct fewest *table, int empty, const char *target)
{
    struct query query = ask(table, empty, target);
    int steps = support_ask(table, &query);
    return steps;
}

static unsigned digits_of(const char *tops)
{
    unsigned digits = 0;
    for (; *tops; tops++) {
        digits = digits * 4 + (unsigned)(strchr("EWRB", *tops) - "EWRB");
    }
    return digits;
}

// Does fewest_follow lead to the same tops as the twin's path?
static void expect_followed(const struct fewest *table, int empty, const char *path,
                            const char *tops)
{
    struct query query = ask(table, empty, tops);
    struct fewest_error error;
    unsigned moves[TWIN_ROLLING_PATH];
    unsigned count = 0;
    uint8_t state[FEWEST_CELLS_MOST];
    for (; path[count]; count++) {
        moves[count] = 0;
        while (fewest_move_name(table, moves[count])[0] != path[count]) {
            moves[count]++;
        }
    }
    cr_assert(fewest_follow(table, query.start, moves, count, state, &error), "%s", error.text);
    cr_assert_arr_eq(state, query.target, strlen(tops), "%s from cell %d, not %s", path, empty,
                     tops);
}

// Asks for a path of `steps` moves to a target, perhaps with wildcards, and follows it.
static void expect_path(struct fewest *table, int empty, const char *target, int steps)
{
    struct query query = ask(table, empty, target);
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_path path = support_path(table, &query);
    cr_assert_eq(path.steps, steps, "cell %d to %s", empty, target);
    if (steps < 0) {
        return;
    }
    cr_assert(fewest_follow(table, query.start, path.moves, (unsigned)steps, state, &error), "%s",
              error.text);
    for (size_t i = 0; i < strlen(target); i++) {
        cr_assert(query.target[i] == FEWEST_WILD || query.target[i] == state[i], "cell %d to %s",
                  empty, target);
    }
}

// Takes the twin's states in the order in which it met them. So the first state with given tops has
// their distance and a path, which is followed, too. Returns the number of different tops.
static unsigned compare_all(struct fewest *table, const struct twin_rolling *world, int empty,
                            unsigned full_count)
{
    bool *seen = calloc((size_t)1 << (2 * CELLS), sizeof *seen);
    unsigned count = 0;
    cr_assert_eq(world->states->count, full_count, "%zu full states", world->states->count);
    for (size_t i = 0; i < world->states->count; i++) {
        char tops[CELLS + 1];
        char expected[TWIN_ROLLING_PATH];
        twin_rolling_tops(world, i, tops);
        if (seen[digits_of(tops)]) {
            continue;
        }
        seen[digits_of(tops)] = true;
        count++;
        cr_assert_eq(steps_to(table, empty, tops), twin_steps(world->states, i), "cell %d to %s",
                     empty, tops);
        twin_rolling_path_to(world, i, expected);
        expect_followed(table, empty, expected, tops);
        expect_path(table, empty, tops, twin_steps(world->states, i));
    }
    free(seen);
    return count;
}

// Compares the distances of random full states, which have at least those of their tops.
static void compare_distances(struct fewest *table, const struct twin_rolling *world, int empty)
{
    for (unsigned round = 0; round < 2000; round++) {
        char tops[CELLS + 1];
        size_t i = support_random() % world->states->count;
        twin_rolling_tops(world, i, tops);
        int steps = steps_to(table, empty, tops);
        cr_assert_leq(steps, twin_steps(world->states, i));
        cr_assert(round % 40 > 0 || steps == twin_rolling_steps(world, tops), "cell %d to %s",
                  empty, tops);
    }
}

// Makes a random target with at most `wild` wildcards.
static void random_target(unsigned cells, unsigned wild, char *target)
{
    for (unsigned i = 0; i < cells; i++) {
        target[i] = "WRB"[support_random_below(3)];
    }
    target[cells] = '\0';
    target[support_random_below(cells)] = 'E';
    for (unsigned i = 0; i < wild; i++) { // perhaps in place of the blank
        target[support_random_below(cells)] = '*';
    }
}

// Compares distances and paths to random targets with up to nine wildcards.
static void compare_wildcards(struct fewest *table, const struct twin_rolling *world, int empty)
{
    for (unsigned round = 0; round < 30; round++) {
        char target[CELLS + 1];
        random_target(9, round % 9 + 1, target);
        int steps = twin_rolling_steps(world, target);
        cr_assert_eq(steps_to(table, empty, target), steps, "cell %d to %s", empty, target);
        expect_path(table, empty, target, steps);
    }
}

// Three cells stand for the roots: a corner, the centre, and an edge that is taken to its root by
// exchanging rows and columns.
Test(rolling, nine_cells_with_any_blank_have_the_distances_and_paths_of_the_twin, .timeout = 900)
{
    struct fewest *table = open_board(3, 3);
    for (int empty = 0; empty < 9; empty++) {
        struct twin_rolling *world = twin_rolling_explore(3, 3, empty);
        if (empty == 8 || empty == 4 || empty == 3) {
            unsigned full_count = empty == 3 ? 3306744 : 4133430;
            cr_assert_eq(compare_all(table, world, empty, full_count), 9 * 6561);
        }
        compare_distances(table, world, empty);
        compare_wildcards(table, world, empty);
        twin_rolling_free(world);
    }
    support_close(table);
}

Test(rolling, a_path_is_followed_only_from_a_uniform_start_and_by_moves_that_can_be_made)
{
    struct fewest *table = open_board(2, 2);
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    static const uint8_t UNIFORM[] = {1, 1, 1, 0};
    static const uint8_t OTHER[] = {1, 2, 1, 0};
    unsigned down = 0; // the moves are d, l, r, u
    cr_assert_not(fewest_follow(table, UNIFORM, &down, 1, state, &error));
    cr_expect_eq(error.status, FEWEST_BAD_INPUT);
    cr_expect_str_eq(error.text, "move 1, d, is not possible");
    cr_assert_not(fewest_follow(table, OTHER, &down, 0, state, &error));
    cr_expect_eq(error.status, FEWEST_BEYOND);
    support_close(table);
}

// Compares all rows of letters with one blank, also the unreachable ones.
static void compare_with_unreachable(struct fewest *table, int cells, int empty,
                                     const struct twin_rolling *world)
{
    for (unsigned number = 0; number < 1u << (2 * cells); number++) {
        char tops[CELLS + 1] = "";
        unsigned blanks = 0;
        for (int i = 0; i < cells; i++) {
            tops[i] = "EWRB"[number >> (2 * i) & 3];
            blanks += tops[i] == 'E';
        }
        if (blanks == 1) {
            cr_assert_eq(steps_to(table, empty, tops), twin_rolling_steps(world, tops),
                         "cell %d to %s", empty, tops);
        }
    }
}

Test(rolling, boards_of_other_sizes_need_nothing_but_a_definition, .timeout = 120)
{
    static const int SIZES[][2] = {{2, 2}, {2, 3}, {3, 2}, {1, 4}, {4, 1}, {1, 2}};
    static const unsigned FULL_COUNTS[] = {36, 14580, 14580, 4, 4, 2};
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        int cells = SIZES[s][0] * SIZES[s][1];
        struct fewest *table = open_board(SIZES[s][0], SIZES[s][1]);
        for (int empty = 0; empty < cells; empty++) {
            struct twin_rolling *world = twin_rolling_explore(SIZES[s][0], SIZES[s][1], empty);
            compare_all(table, world, empty, FULL_COUNTS[s]);
            if (cells <= 4) {
                compare_with_unreachable(table, cells, empty, world);
            }
            twin_rolling_free(world);
        }
        support_close(table);
    }
}

Test(rolling, a_start_is_uniform_and_has_one_empty_cell)
{
    static const struct {
        const char *start;
        const char *expected;
    } BAD[] = {
        {"WWWR/EWWW", "board answers only from a START where every cube has W on top"},
        {"RRRR/ERRR", "board answers only from a START where every cube has W on top"},
        {"WWWW/WRWW", "START: no cell is the blank; expected one E"},
        {"WWWE/EWWW", "START: E appears twice"},
        {"WWWW/WWWW", "START: no cell is the blank; expected one E"},
        {"WWWZ/EWWW", "START: cell 4: expected one of 'EWRB', got 'Z'"},
        {"WWW*/EWWW", "START: cell 4 is a wildcard; only TARGET may have wildcards"},
        {"WWWW/E", "got 5 cells; board needs 8 (START) or 16 (START and TARGET)"},
    };
    struct fewest *table = open_board(2, 4);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct query query;
        struct fewest_error error = {.text = ""};
        int steps;
        bool answered = fewest_read_query(table, BAD[i].start, strlen(BAD[i].start), query.start,
                                          query.target, &error) &&
                        fewest_steps(table, query.start, query.target, &steps, &error);
        cr_expect_not(answered, "%s", BAD[i].start);
        cr_expect_str_eq(error.text, BAD[i].expected);
    }
    for (const char *blank = "E0xX_"; *blank; blank++) { // all ways to type it
        char text[] = "WWWW/WWWE";
        text[8] = *blank;
        cr_expect_eq(support_steps(table, text), 0);
    }
    support_close(table);
}

// ---- Counts, checks and forged tables -----------------------------------------------------------

Test(rolling, counts_are_of_the_patterns_from_the_goal_s_blank_or_another)
{
    static const struct {
        const char *start; // or NULL
        unsigned largest;
    } ROOTS[] = {{NULL, 36},          {"WWW WEW WWW", 36}, {"EWW WWW WWW", 32},
                 {"WWW WWW WWE", 32}, {"WEW WWW WWW", 37}, {"WWW WWE WWW", 37}};
    struct fewest *table = support_open_file("tables/puzzles/cubic.puzzle");
    for (size_t i = 0; i < sizeof ROOTS / sizeof *ROOTS; i++) {
        struct query query = {.target = {0}};
        struct fewest_stats stats;
        struct fewest_error error;
        int steps;
        const char *root = ROOTS[i].start;
        const uint8_t *from = root ? query.start : NULL;
        cr_assert(!root ||
                  fewest_read_state(table, "START", root, strlen(root), query.start, &error));
        cr_assert(fewest_count(table,
                               &(struct fewest_selection){.start = from, .distance = FEWEST_ANY},
                               &stats, &error),
                  "%s", error.text);
        cr_expect_eq(stats.largest, ROOTS[i].largest);
        cr_expect_eq(stats.states, 59049);
        cr_assert(support_farthest(table, from, query.target, &error), "%s", error.text);
        if (from) {
            steps = support_ask(table, &query);
            cr_expect_eq(steps, (int)stats.largest);
        }
    }
    support_close(table);
}

Test(rolling, the_deep_check_finds_a_wrong_distance_and_a_wrong_way)
{
    static const char TEXT[] = "Name board\nRoll 2 3\nLetters CUBES E W R B\n";
    struct table_content content =
        support_take(support_generate(TEXT, strlen(TEXT), METRIC_POWERS));
    // Two roots, a corner and an edge: states and distances mod 4 for each.
    cr_assert_eq(content.section_count, 4);
    cr_assert(support_passes(&content, true));
    for (unsigned round = 0; round < 8; round++) {
        unsigned s = round % 4;
        uint8_t *entries = support_entries(&content, s);
        uint64_t entry = support_random() % content.sections[s].entries;
        uint8_t kept = entries[entry];
        bool mod4 = content.sections[s].kind == SECTION_MOD4;
        entries[entry] = mod4 ? (uint8_t)(UINT8_MAX - kept) : (uint8_t)(kept ^ 1);
        cr_expect_not(support_passes(&content, true), "section %s, entry %llu",
                      content.sections[s].name, (unsigned long long)entry);
        entries[entry] = kept;
    }
    cr_assert(support_passes(&content, true));
    support_free_content(&content);
}

// A forged table may lie, but a path always ends.
Test(rolling, forged_distances_mod_4_make_no_path_without_end)
{
    static const char TEXT[] = "Name board\nRoll 2 3\nLetters CUBES E W R B\n";
    struct table_content content =
        support_take(support_generate(TEXT, strlen(TEXT), METRIC_POWERS));
    for (unsigned round = 0; round < 50; round++) {
        struct fewest_error error;
        for (unsigned s = 0; s < content.section_count; s++) {
            uint8_t *entries = support_entries(&content, s);
            for (uint64_t i = 0; i < content.sections[s].entries; i++) {
                if (content.sections[s].kind == SECTION_MOD4) {
                    entries[i] = support_random_below(2) ? UINT8_MAX : 0;
                }
            }
        }
        struct fewest *table = support_own(support_pack(&content));
        for (unsigned i = 0; i < 20; i++) {
            char target[CELLS + 1];
            random_target(6, i % 3, target);
            struct query query = ask(table, (int)(i % 6), target);
            struct fewest_path path;
            cr_expect(fewest_path(table, query.start, query.target, &path, &error) ||
                      error.status == FEWEST_DAMAGED);
        }
        support_close(table);
    }
    support_free_content(&content);
}
