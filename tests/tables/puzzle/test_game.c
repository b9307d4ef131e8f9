// Compares the Game with its naive twin: every state, every wildcard target, and paths.
#include "tests/tools/support.h"
#include "tests/twin/twin_game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 362880 };

static void read_query(struct fewest *table, const char *start, const char *target,
                       struct query *query)
{
    struct fewest_error error;
    char text[32];
    snprintf(text, sizeof text, "%.9s %.9s", start, target);
    cr_assert(fewest_read_query(table, text, strlen(text), query->start, query->target, &error),
              "%s", error.text);
}

static int ask(struct fewest *table, const char *start, const char *target)
{
    struct query query;
    read_query(table, start, target, &query);
    int steps = support_ask(table, &query);
    return steps;
}

Test(game, the_pinned_counts_are_the_twins)
{
    static const uint64_t EXPECTED[] = {1, 12, 96, 736, 5208, 28674, 89497, 54741, 2475};
    struct fewest *table = support_open_file("tables/puzzles/game.puzzle");
    unsigned long long counts[sizeof EXPECTED / sizeof *EXPECTED];
    twin_histogram(twin_game_states(), counts, sizeof counts / sizeof *counts);
    struct fewest_stats stats = support_count(table);
    cr_assert_eq(stats.states, 181440);
    cr_assert_eq(fewest_info(table)->state_count, 181440);
    cr_assert_eq(fewest_info(table)->arrangement_count, STATES);
    cr_assert_eq(stats.largest, 8);
    cr_assert_arr_eq(stats.count, EXPECTED, sizeof EXPECTED);
    for (unsigned d = 0; d <= stats.largest; d++) {
        cr_assert_eq(counts[d], EXPECTED[d]);
    }
    support_close(table);
}

struct visited {
    struct fewest *table;
    uint64_t count;
    bool seen[STATES]; // by number
};

// Picks the state with the next number and compares.
static bool compare_picked(void *context, const uint8_t *state, int distance)
{
    struct visited *visited = context;
    struct query query = {.target = {FEWEST_GOALS}};
    struct fewest_error error;
    uint8_t picked[FEWEST_CELLS_MOST];
    uint64_t number;
    int steps;
    cr_assert(fewest_pick(visited->table, visited->count++, picked, &error));
    cr_assert_arr_eq(picked, state, 9);
    memcpy(query.start, state, 9);
    cr_assert(fewest_steps(visited->table, query.start, query.target, &steps, &error));
    cr_assert_eq(distance, steps);
    cr_assert(fewest_rank(visited->table, state, &number, &error));
    cr_assert_not(visited->seen[number]);
    visited->seen[number] = true;
    return true;
}

Test(game, every_state_that_can_be_reached_is_visited_once_and_can_be_picked)
{
    static struct visited visited;
    struct fewest *table = support_open_file("tables/puzzles/game.puzzle");
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    visited.table = table;
    cr_assert(fewest_visit(table, NULL, compare_picked, &visited, &error));
    cr_assert_eq(visited.count, fewest_info(table)->state_count);
    cr_assert_not(fewest_pick(table, visited.count, state, &error));
    cr_assert_eq(error.status, FEWEST_BAD_INPUT);
    cr_assert_str_eq(error.text, "game has only 181440 states");
    support_close(table);
}

Test(game, every_state_is_as_far_as_the_twin_says)
{
    struct fewest *table = support_open_file("tables/puzzles/game.puzzle");
    const struct twin_states *states = twin_game_states();
    cr_assert_eq(2 * states->count, STATES);
    for (size_t n = 0; n < states->count; n++) {
        char board[9];
        memcpy(board, twin_row(states, n), sizeof board);
        cr_assert_eq(ask(table, "123456789", board), twin_steps(states, n), "%.9s", board);
        // These are all the boards that the twin does not reach.
        memcpy(board, (const char[]){board[1], board[0]}, 2);
        cr_assert_eq(ask(table, "123456789", board), FEWEST_UNREACHABLE, "%.9s", board);
    }
    support_close(table);
}

// ---- All 17,572,114 wildcard targets ------------------------------------------------------------
// For each mask of given cells, the test finds the least distance of every target over the twin's
// states. A target's number is its row of digits in base 9. Then the test asks for the distance of
// every target.

static uint32_t digits_of(const uint8_t *symbols, unsigned count)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < count; i++) {
        number = number * 9 + symbols[i];
    }
    return number;
}

static unsigned cells_of(unsigned mask, uint8_t cells[9])
{
    unsigned count = 0;
    for (unsigned i = 0; i < 9; i++) {
        if (mask >> i & 1) {
            cells[count++] = (uint8_t)i;
        }
    }
    return count;
}

// Advances to the next row of `count` different symbols. False after the last.
static bool next_row(uint8_t *row, unsigned count)
{
    for (;;) {
        unsigned i = count;
        unsigned used = 0;
        bool different = true;
        while (i > 0 && row[i - 1] == 8) {
            row[--i] = 0;
        }
        if (i == 0) {
            return false;
        }
        row[i - 1]++;
        for (unsigned k = 0; k < count; k++) {
            different &= !(used >> row[k] & 1);
            used |= 1u << row[k];
        }
        if (different) {
            return true;
        }
    }
}

static void ask_mask(struct fewest *table, unsigned mask, uint8_t *least, uint64_t *counts)
{
    const struct twin_states *states = twin_game_states();
    uint8_t cells[9];
    uint8_t row[9] = {0};
    unsigned count = cells_of(mask, cells);
    size_t numbers = 1;
    for (unsigned i = 0; i < count; i++) {
        numbers *= 9;
    }
    memset(least, 255, numbers);
    for (size_t n = 0; n < states->count; n++) {
        const uint8_t *board = twin_row(states, n);
        for (unsigned i = 0; i < count; i++) {
            row[i] = (uint8_t)(board[cells[i]] - '1');
        }
        uint8_t *at = &least[digits_of(row, count)];
        int distance = twin_steps(states, n);
        *at = distance < *at ? (uint8_t)distance : *at;
    }
    memset(row, 0, sizeof row);
    struct query query = {.start = {0, 1, 2, 3, 4, 5, 6, 7, 8}};
    if (count <= 1) { // 0 alone, or nothing, is a row of different symbols already
        row[0] = 0;
    }
    for (bool more = count <= 1 || next_row(row, count); more; more = next_row(row, count)) {
        memset(query.target, FEWEST_WILD, 9);
        for (unsigned i = 0; i < count; i++) {
            query.target[cells[i]] = row[i];
        }
        int steps = support_ask(table, &query);
        unsigned expected = least[digits_of(row, count)];
        if (steps != (expected == 255 ? FEWEST_UNREACHABLE : (int)expected)) {
            cr_assert(false, "mask %u: %d instead of %u", mask, steps, expected);
        }
        counts[expected]++;
    }
}

Test(game, every_wildcard_target_of_all_masks_is_as_far_as_its_nearest_state, .timeout = 280)
{
    static const uint64_t EXPECTED[] = {512,     5376,    37560,   235996, 1208106,
                                        4138716, 7152679, 2862657, 116112};
    struct fewest *table = support_open_file("tables/puzzles/game.puzzle");
    uint8_t *least = malloc(387420489); // 9^9
    uint64_t counts[256] = {0};
    uint64_t total = 0;
    for (unsigned mask = 0; mask < 511; mask++) { // mask 511, the states, has a test of its own
        ask_mask(table, mask, least, counts);
    }
    const struct twin_states *states = twin_game_states();
    for (size_t n = 0; n < states->count; n++) {
        counts[twin_steps(states, n)]++;
    }
    counts[255] += STATES - states->count;
    cr_assert_arr_eq(counts, EXPECTED, sizeof EXPECTED);
    for (unsigned d = 0; d < 256; d++) {
        total += counts[d];
    }
    cr_assert_eq(total, 17572114);
    cr_assert_eq(total - counts[255], 15757714);
    free(least);
    support_close(table);
}

// ---- Starts, targets and paths ------------------------------------------------------------------

static void draw_board(char board[9])
{
    memcpy(board, "123456789", 9);
    support_shuffle((uint8_t *)board, 9);
}

Test(game, any_start_to_any_target_with_wildcards_agrees_with_the_twin)
{
    struct fewest *table = support_open_file("tables/puzzles/game.puzzle");
    cr_assert_eq(ask(table, "987654321", "***5*****"), twin_game_steps("987654321", "***5*****"));
    for (unsigned round = 0; round < 3000; round++) {
        char start[9];
        char target[9];
        draw_board(start);
        draw_board(target);
        for (unsigned wild = support_random_below(6); wild > 0; wild--) {
            target[support_random_below(9)] = '*';
        }
        cr_assert_eq(ask(table, start, target), twin_game_steps(start, target), "%.9s %.9s", start,
                     target);
    }
    support_close(table);
}

static void path_text(struct fewest *table, const struct query *query, char *text)
{
    struct fewest_path path;
    struct fewest_error error;
    cr_assert(fewest_path(table, query->start, query->target, &path, &error), "%s", error.text);
    text[0] = '\0';
    for (int i = 0; i < path.steps; i++) {
        strcat(text, i > 0 ? " " : "");
        strcat(text, fewest_move_name(table, path.moves[i]));
    }
}

Test(game, a_path_is_shortest_leads_there_and_is_the_first_in_byte_order)
{
    struct fewest *table = support_open_file("tables/puzzles/game.puzzle");
    for (unsigned round = 0; round < 300; round++) {
        char start[9];
        char target[9];
        char expected[64];
        char found[64];
        struct query query;
        draw_board(start);
        draw_board(target);
        for (unsigned wild = 2 + support_random_below(3); wild > 0; wild--) {
            target[support_random_below(9)] = '*';
        }
        if (twin_game_steps(start, target) < 0) {
            continue;
        }
        read_query(table, start, target, &query);
        path_text(table, &query, found);
        cr_assert(twin_game_path(start, target, expected));
        cr_assert_str_eq(found, expected);
    }
    support_close(table);
}
