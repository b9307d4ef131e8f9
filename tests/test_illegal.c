// Tests of `Illegal`: what can be typed, asked and picked if some states are illegal. test_twisty.c
// and test_random.c compare the distances with twins.
#include "support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct generated generate(const char *name)
{
    char path[64];
    size_t length;
    snprintf(path, sizeof path, "tests/data/%s.tws", name);
    char *text = support_read(path, &length);
    struct generated generated = support_generate(text, length, METRIC_POWERS);
    free(text);
    return generated;
}

// Applies moves to the solved state or to `from`. Returns the error's text, or the state's.
static const char *apply_moves(struct fewest *table, const char *from, const char *moves)
{
    static char text[FEWEST_TEXT_SIZE];
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_error error;
    if (from) {
        cr_assert(fewest_read_state(table, from, strlen(from), "START", false, state, &error), "%s",
                  error.text);
    }
    if (!fewest_read_moves(table, from ? state : NULL, moves, strlen(moves), state, &error)) {
        cr_expect_eq(error.status, FEWEST_BAD_INPUT);
        snprintf(text, sizeof text, "%s", error.text);
        return text;
    }
    return fewest_write_state(table, state, text);
}

#define IS_NOT_POSSIBLE " is not possible: it leads from or to a state that `Illegal` forbids"

Test(illegal, a_typed_move_must_be_possible_and_a_power_may_jump_over_illegal_states)
{
    struct generated generated = generate("bandaged");
    struct fewest *table = support_open(&generated);
    cr_expect_str_eq(apply_moves(table, NULL, "U"), "move 1, U," IS_NOT_POSSIBLE);
    cr_expect_str_eq(apply_moves(table, NULL, "U2"), "125767340");
    cr_expect_str_eq(apply_moves(table, NULL, "U2 S D"), "move 3, D," IS_NOT_POSSIBLE);
    cr_expect_str_eq(apply_moves(table, NULL, "U2 S"), "123467571");
    cr_expect_str_eq(apply_moves(table, NULL, "U2 S U' S"), "235767410");
    cr_expect_str_eq(apply_moves(table, NULL, "S Q"),
                     "unknown move 'Q'; the moves of bandaged are D D' D2 S U U' U2");
    cr_expect_str_eq(apply_moves(table, NULL, "SDS"), "move 2, D," IS_NOT_POSSIBLE);
    cr_expect_str_eq(apply_moves(table, "123467571", "U S"), "415767230");
    cr_expect_str_eq(apply_moves(table, "751267340", "U'"), "move 1, U'," IS_NOT_POSSIBLE);
    fewest_close(table);
    free(generated.bytes);
}

Test(illegal, the_reason_is_an_illegal_state_or_what_the_table_counts)
{
    struct generated generated = generate("bandaged");
    struct fewest *table = support_open(&generated);
    cr_expect_str_eq(support_explain(table, "125767340"), "in 1 move");
    cr_expect_str_eq(support_explain(table, "751267340"),
                     "START is illegal: slot 1 of SLICE can't hold piece 7");
    cr_expect_str_eq(support_explain(table, "175267340"),
                     "96 of the 40320 arrangements can reach TARGET, but not START");
    cr_expect_str_eq(support_explain(table, "571267340 175267340"),
                     "START can reach 96 of the 40320 arrangements, but not TARGET");
    cr_expect_str_eq(support_explain(table, "571267340 175267*40"),
                     "START can reach 96 of the 40320 arrangements, but not TARGET");
    cr_expect_str_eq(support_explain(table, "571267340 **7******"),
                     "TARGET is illegal: slot 3 of SLICE can't hold piece 7");
    fewest_close(table);
    free(generated.bytes);
}

// An illegal state is an arrangement like any other: it can be typed and has a number, but no moves
// lead from it or to it.
Test(illegal, an_illegal_state_is_unreachable_and_has_no_moves)
{
    struct generated generated = generate("gates");
    struct fewest *table = support_open(&generated);
    struct fewest_error error;
    unsigned illegal = 0;
    for (uint64_t number = 0; number < fewest_arrangement_count(table); number += 97) {
        struct fewest_query query = {.has_target = false};
        uint8_t moved[FEWEST_CELLS_MOST];
        uint64_t again;
        int steps;
        cr_assert(fewest_unrank(table, number, query.start, &error));
        cr_assert(fewest_rank(table, query.start, &again, &error));
        cr_assert_eq(again, number);
        if (query.start[0] != 4 && query.start[0] != 5) { // pieces 5 and 6 in slot 1
            continue;
        }
        illegal++;
        cr_assert(fewest_steps(table, &query, &steps, &error));
        cr_expect_eq(steps, FEWEST_UNREACHABLE);
        for (unsigned m = 0; m < fewest_move_count(table); m++) {
            cr_expect_not(fewest_apply(table, m, query.start, moved));
        }
    }
    cr_expect_gt(illegal, 300);
    fewest_close(table);
    free(generated.bytes);
}

struct listing {
    struct fewest *table;
    uint64_t number;
};

static bool compare_picked(void *context, const uint8_t *state, int distance)
{
    struct listing *listing = context;
    struct fewest_error error;
    uint8_t picked[FEWEST_CELLS_MOST];
    cr_assert(fewest_pick_state(listing->table, listing->number++, picked, &error), "%s",
              error.text);
    cr_assert_arr_eq(picked, state, fewest_cell_count(listing->table));
    cr_assert_geq(distance, 0);
    return true;
}

Test(illegal, the_states_that_are_picked_are_those_that_are_counted)
{
    struct generated generated = generate("bandaged");
    struct fewest *table = support_open(&generated);
    struct listing listing = {table, 0};
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    char text[FEWEST_TEXT_SIZE];
    cr_expect_eq(fewest_state_count(table), 96);
    cr_expect_str_eq(fewest_write_state_count(table, text), "96");
    cr_assert(fewest_each_state(table, NULL, compare_picked, &listing, &error));
    cr_expect_eq(listing.number, 96);
    cr_expect_not(fewest_pick_state(table, 96, state, &error));
    cr_expect_str_eq(error.text, "bandaged has only 96 states");
    fewest_close(table);
    free(generated.bytes);
}

Test(illegal, the_states_that_are_picked_from_a_larger_table_are_those_that_are_counted)
{
    struct generated generated = generate("gates");
    struct fewest *table = support_open(&generated);
    struct listing listing = {table, 0};
    struct fewest_error error;
    cr_assert(fewest_each_state(table, NULL, compare_picked, &listing, &error));
    cr_expect_eq(listing.number, 31680);
    cr_expect_gt(fewest_arrangement_count(table), listing.number);
    fewest_close(table);
    free(generated.bytes);
}

// Says that an entry has another distance. Does the deep check find it?
static bool finds_lie(struct table_content *content, uint8_t *states, uint64_t index, uint8_t lie)
{
    uint8_t kept = states[index];
    states[index] = lie;
    bool found = !support_passes(content, true);
    states[index] = kept;
    return found;
}

Test(illegal, the_deep_check_finds_wrong_distances)
{
    struct generated generated = generate("bandaged");
    struct table_content content = support_take_apart(&generated);
    uint8_t *states = support_entries(&content, 0);
    cr_assert(support_passes(&content, true));
    for (unsigned round = 0; round < 12; round++) {
        uint64_t index;
        do {
            index = support_random() % content.sections[0].entries;
        } while ((states[index] == UINT8_MAX) == round % 2 || states[index] == 0);
        cr_expect(finds_lie(&content, states, index, round % 2 ? UINT8_MAX : 3));
        cr_expect(finds_lie(&content, states, index,
                            states[index] == UINT8_MAX ? 1 : (uint8_t)(states[index] + 1)));
    }
    support_free_content(&content);
    free(generated.bytes);
}

// A header may claim anything that fits the number of entries.
Test(illegal, a_table_without_states_is_refused)
{
    struct generated generated = generate("bandaged");
    struct table_content content = support_take_apart(&generated);
    struct fewest_error error;
    memset(support_entries(&content, 0), UINT8_MAX, content.sections[0].entries);
    struct generated forged = support_pack(&content);
    cr_assert_null(fewest_open_buffer(forged.bytes, forged.length, &error));
    cr_expect_str_eq(error.text,
                     "the table holds wrong distances: no state is reachable, not even a goal");
    support_free_content(&content);
    free(forged.bytes);
    free(generated.bytes);
}
