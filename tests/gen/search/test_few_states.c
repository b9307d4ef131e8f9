// Tests of searches that keep only the states that they meet. The puzzle is Square-1's shape with
// smaller discs: a wide piece has two slots, and no half of a disc may begin within one.
#include "gen/plan/forecast.h"
#include "gen/search/few_states.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_sets.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISC = 8, HALF = DISC / 2, SLOTS = 2 * DISC };
enum { NARROW, WIDE, REST_OF_WIDE }; // pieces

static const struct search_options OPTIONS = {.threads = 2};

// Two discs: A and B turn one, and C exchanges their first halves.
static void make_discs(struct sets_puzzle *puzzle)
{
    static const uint8_t SOLVED[DISC] = {WIDE,   REST_OF_WIDE, WIDE,         REST_OF_WIDE,
                                         NARROW, WIDE,         REST_OF_WIDE, NARROW};
    sets_begin(puzzle);
    puzzle->move_count = 3;
    for (unsigned m = 0; m < 3; m++) {
        puzzle->moves[m].name[0] = (char)('A' + m);
    }
    sets_add(puzzle, SLOTS, 1);
    for (unsigned i = 0; i < SLOTS; i++) {
        unsigned disc = i / DISC * DISC;
        puzzle->piece[i] = SOLVED[i % DISC];
        puzzle->moves[i / DISC].from[i] = (uint8_t)(disc + (i + DISC - 1) % DISC);
        puzzle->moves[2].from[i] = (uint8_t)(i % DISC < HALF ? (i + DISC) % SLOTS : i);
        puzzle->illegal[i][REST_OF_WIDE] = i % HALF == 0;
    }
}

Test(few_states, a_table_of_few_states_has_the_distances_of_a_naive_search)
{
    static struct sets_puzzle puzzle;
    static char text[SETS_TWIN_TEXT];
    struct sets_view view;
    unsigned long long counts[UINT8_MAX];
    make_discs(&puzzle);
    sets_look(&view, &puzzle);
    sets_write(&puzzle, text);
    struct twin_states *states = sets_measure(&view, view.solved, true);
    size_t layers = twin_histogram(states, counts, UINT8_MAX);
    struct fewest *table = support_open_text(text);
    struct fewest_stats stats = support_count(table);
    cr_assert_eq(stats.states, states->count);
    cr_assert_eq(stats.largest + 1, layers);
    for (size_t d = 0; d < layers; d++) {
        cr_expect_eq(stats.count[d], counts[d]);
    }
    for (size_t i = 0; i < states->count; i++) {
        struct query query = {.target = {FEWEST_GOALS}};
        sets_row_to_cells(&view, twin_row(states, i), query.start);
        int steps = support_ask(table, &query);
        cr_expect_eq(steps, twin_steps(states, i));
    }
    support_close(table);
    twin_free(states);
}

// Most blocks have no state, and are left out once one of them was unpacked.
Test(few_states, a_visit_comes_to_all_states_in_the_order_of_their_numbers)
{
    static struct sets_puzzle puzzle;
    static char text[SETS_TWIN_TEXT];
    make_discs(&puzzle);
    sets_write(&puzzle, text);
    struct fewest *table = support_open_text(text);
    for (unsigned again = 0; again < 2; again++) {
        cr_expect_eq(support_compare_picked(table), fewest_info(table)->state_count);
    }
    cr_expect(support_is_sound(table));
    support_close(table);
}

// Distances in memory are packed block by block, without a list.
Test(few_states, a_table_of_few_states_has_the_bytes_of_any_other_way)
{
    static struct sets_puzzle puzzle;
    static char text[SETS_TWIN_TEXT];
    make_discs(&puzzle);
    sets_write(&puzzle, text);
    struct generated generated = support_generate(text, strlen(text), METRIC_POWERS);
    struct table_content content = support_take_apart(&generated);
    struct generated packed = support_pack(&content);
    cr_assert_eq(packed.length, generated.length);
    cr_expect_arr_eq(packed.bytes, generated.bytes, packed.length);
    cr_expect(support_is_same_with_threads(text, 3));
    support_free_content(&content);
    free(packed.bytes);
    free(generated.bytes);
}

// Does the search of a puzzle meet few states?
static bool meets_few(const struct puzzle *puzzle)
{
    struct few_states few;
    struct fewest_error error;
    cr_assert(few_states_search(&few, puzzle, 0, &OPTIONS, &error), "%s", error.text);
    bool complete = few.complete;
    few_states_free(&few);
    return complete;
}

Test(few_states, the_forecast_knows_that_few_states_are_met)
{
    static struct sets_puzzle puzzle;
    static char text[SETS_TWIN_TEXT];
    make_discs(&puzzle);
    sets_write(&puzzle, text);
    struct puzzle compiled = support_compile(text, METRIC_POWERS);
    cr_expect(meets_few(&compiled));
    struct forecast forecast = forecast_costs(&compiled, &OPTIONS, 1, 0);
    struct forecast shared = forecast_costs(&compiled, &OPTIONS, 2, 0);
    cr_expect_eq(forecast.layers, 0);
    cr_expect_gt(shared.layers, 0);
    cr_expect_lt(forecast.table, shared.table / 10);
    cr_expect_lt(forecast.seconds, 1);
    puzzle_free(&compiled);
}

Test(few_states, a_search_of_many_states_takes_marks_for_all)
{
    static const char GATE[] = "Name gate\nSet X 10 1\nSolved\nEnd\nMove A\nX\n"
                               "2 3 4 5 6 7 8 9 10 1\nEnd\nMove B\nX\n2 1 3 4 5 6 7 8 9 10\nEnd\n"
                               "Illegal X 3 1 4\n";
    struct puzzle compiled = support_compile(GATE, METRIC_POWERS);
    cr_expect_not(meets_few(&compiled));
    puzzle_free(&compiled);
}

// Stops at the tenth call.
static bool stop_soon(void *context, const struct fewest_gen_progress *progress)
{
    int *calls = context;
    (void)progress;
    return ++*calls < 10;
}

Test(few_states, a_watcher_stops_the_search)
{
    static struct sets_puzzle puzzle;
    static char text[SETS_TWIN_TEXT];
    int calls = 0;
    struct search_options options = {.threads = 1, .watch = stop_soon, .context = &calls};
    struct few_states few;
    struct fewest_error error;
    make_discs(&puzzle);
    sets_write(&puzzle, text);
    struct puzzle compiled = support_compile(text, METRIC_POWERS);
    cr_expect_not(few_states_search(&few, &compiled, 0, &options, &error));
    cr_expect_eq(error.status, FEWEST_STOPPED);
    few_states_free(&few);
    puzzle_free(&compiled);
}
