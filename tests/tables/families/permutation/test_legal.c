// Tests of `Illegal`: what can be typed, asked and picked if some states are illegal, and distances
// of random puzzles. test_permutation.c and test_random.c compare other distances.
#include "tables/algebra/pages.h"
#include "tables/families/compile.h"
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct generated generate(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "tests/data/%s.tws", name);
    char *text = support_read(path, NULL);
    struct generated generated = support_generate(text, strlen(text), METRIC_POWERS);
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
        cr_assert(fewest_read_state(table, "START", from, strlen(from), state, &error), "%s",
                  error.text);
    }
    if (!fewest_read_moves(table, from ? state : NULL, moves, strlen(moves), state, &error)) {
        cr_expect_eq(error.status, FEWEST_BAD_INPUT);
        snprintf(text, sizeof text, "%s", error.text);
        return text;
    }
    return fewest_write_state(table, state, text, &error);
}

#define IS_NOT_POSSIBLE " is not possible: it leads from or to a state that `Illegal` forbids"

Test(illegal, a_typed_move_must_be_possible_and_a_power_may_jump_over_illegal_states)
{
    struct fewest *table = support_own(generate("bandaged"));
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
    support_close(table);
}

Test(illegal, the_reason_is_an_illegal_state_or_what_the_table_counts)
{
    struct fewest *table = support_own(generate("bandaged"));
    cr_expect_str_eq(support_explain(table, "125767340"), "in 1 move");
    cr_expect_str_eq(support_explain(table, "751267340"),
                     "START is illegal: slot 1 of SLICE can't hold piece 7");
    cr_expect_str_eq(support_explain(table, "175267340"),
                     "no legal moves lead from START to TARGET");
    cr_expect_str_eq(support_explain(table, "571267340 175267340"),
                     "no legal moves lead from START to TARGET");
    cr_expect_str_eq(support_explain(table, "571267340 175267*40"),
                     "no legal moves lead from START to TARGET");
    cr_expect_str_eq(support_explain(table, "571267340 **7******"),
                     "TARGET is illegal: slot 3 of SLICE can't hold piece 7");
    support_close(table);
}

// An illegal state is an arrangement like any other: it can be typed and has a number, but no moves
// lead from it or to it.
Test(illegal, an_illegal_state_is_unreachable_and_has_no_moves)
{
    struct fewest *table = support_own(generate("gates"));
    struct fewest_error error;
    unsigned illegal = 0;
    for (uint64_t number = 0; number < fewest_info(table)->arrangement_count; number += 97) {
        struct query query = {.target = {FEWEST_GOALS}};
        uint8_t moved[FEWEST_CELLS_MOST];
        uint64_t again;
        cr_assert(fewest_unrank(table, number, query.start, &error));
        cr_assert(fewest_rank(table, query.start, &again, &error));
        cr_assert_eq(again, number);
        if (query.start[0] != 4 && query.start[0] != 5) { // pieces 5 and 6 in slot 1
            continue;
        }
        illegal++;
        int steps = support_ask(table, &query);
        cr_expect_eq(steps, FEWEST_UNREACHABLE);
        for (unsigned m = 0; m < fewest_info(table)->move_count; m++) {
            cr_expect_not(fewest_apply(table, m, query.start, moved, &error));
            cr_expect_eq(error.status, FEWEST_BEYOND);
        }
    }
    cr_expect_gt(illegal, 300);
    support_close(table);
}

Test(illegal, the_states_that_are_picked_are_those_that_are_counted)
{
    static const struct {
        const char *name;
        uint64_t states;
        const char *text;
        const char *past;
    } PUZZLES[] = {{"bandaged", 96, "96", "bandaged has only 96 states"},
                   {"gates", 31680, "31680", "gates has only 31680 states"}};
    for (size_t p = 0; p < sizeof PUZZLES / sizeof *PUZZLES; p++) {
        struct fewest *table = support_own(generate(PUZZLES[p].name));
        struct fewest_error error;
        uint8_t state[FEWEST_CELLS_MOST];
        cr_expect_eq(fewest_info(table)->state_count, PUZZLES[p].states);
        cr_expect_str_eq(fewest_info(table)->states_text, PUZZLES[p].text);
        cr_expect_gt(fewest_info(table)->arrangement_count, PUZZLES[p].states);
        cr_expect_eq(support_compare_picked(table), PUZZLES[p].states);
        cr_expect_not(fewest_pick(table, PUZZLES[p].states, state, &error));
        cr_expect_str_eq(error.text, PUZZLES[p].past);
        support_close(table);
    }
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
    struct table_content content = support_take(generate("bandaged"));
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

// ---- Random puzzles -----------------------------------------------------------------------------

enum { STATES_LEAST = 2000, STATES_MOST_HERE = 30000, PUZZLES_A_KIND = 25, SAMPLES = 200 };

// A random puzzle, all its states, legal or not, and those from which legal moves lead to solved.
struct forbidden {
    struct sets_puzzle puzzle;
    struct sets_world world;
    struct twin_states *legal;
    char text[SETS_TWIN_TEXT];
};

// Lets the search begin with the solved state: in a group, the twin begins with the identity.
static void solve_as_root(struct sets_puzzle *puzzle)
{
    struct sets_view view;
    sets_look(&view, puzzle);
    memcpy(puzzle->piece, view.root, puzzle->slot_count);
    memcpy(puzzle->orientation, view.root + puzzle->slot_count, puzzle->slot_count);
}

// Forbids up to three pieces in slots of each set that moves permute, but not in the solved state.
static unsigned forbid_pieces(const struct sets_view *view, struct sets_puzzle *puzzle)
{
    unsigned count = 0;
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned n = support_random_below(4); n > 0; n--) {
            unsigned slot = set->first + support_random_below(set->size);
            unsigned piece = puzzle->piece[set->first + support_random_below(set->size)];
            if (view->shows_pieces[s] && piece != puzzle->piece[slot]) {
                puzzle->illegal[slot][piece] = true;
                count++;
            }
        }
    }
    return count;
}

// Are the counts of all distances right, and the distances of some states?
static void compare_distances(const struct forbidden *forbidden, struct fewest *table)
{
    unsigned long long counts[UINT8_MAX];
    size_t step = forbidden->world.states->count / SAMPLES + 1;
    twin_histogram(forbidden->legal, counts, UINT8_MAX);
    struct fewest_stats stats = support_count(table);
    cr_assert_eq(fewest_info(table)->state_count, forbidden->legal->count, "%s", forbidden->text);
    for (unsigned d = 0; d <= stats.largest; d++) {
        cr_assert_eq(stats.count[d], counts[d], "distance %u of\n%s", d, forbidden->text);
    }
    for (size_t i = 0; i < forbidden->world.states->count; i += step) {
        struct query query = {.target = {FEWEST_GOALS}};
        const uint8_t *row = twin_row(forbidden->world.states, i);
        int expected = twin_steps(forbidden->legal, twin_find(forbidden->legal, row));
        sets_row_to_cells(&forbidden->world.view, row, query.start);
        int steps = support_ask(table, &query);
        cr_assert_eq(steps, expected, "%s", forbidden->text);
    }
}

static bool has_pages(const char *text)
{
    struct pages pages;
    struct fewest_error error;
    struct puzzle puzzle = support_compile(text, METRIC_POWERS);
    cr_assert(pages_forecast(&pages, puzzle.numbering.roots[0].chain, &error));
    bool has = pages.page_size > 0;
    pages_free(&pages);
    puzzle_free(&puzzle);
    return has;
}

// Draws a puzzle, and compares its distances unless it has too few states, too many, or no illegal
// ones. Returns whether it did.
static bool compare_drawn(enum puzzle_kind kind, struct forbidden *forbidden, unsigned *paged)
{
    bool compared = false;
    draw_puzzle(kind, &forbidden->puzzle);
    solve_as_root(&forbidden->puzzle);
    if (!sets_explore(&forbidden->world, &forbidden->puzzle, STATES_MOST_HERE)) {
        return false;
    }
    if (forbidden->world.states->count >= STATES_LEAST &&
        forbid_pieces(&forbidden->world.view, &forbidden->puzzle) > 0) {
        sets_look(&forbidden->world.view, &forbidden->puzzle);
        sets_write(&forbidden->puzzle, forbidden->text);
        forbidden->legal = sets_measure(&forbidden->world.view, forbidden->world.view.solved, true);
        struct fewest *table =
            support_own(support_generate(forbidden->text, strlen(forbidden->text), METRIC_POWERS));
        compare_distances(forbidden, table);
        *paged += has_pages(forbidden->text);
        support_close(table);
        twin_free(forbidden->legal);
        compared = true;
    }
    sets_free(&forbidden->world);
    return compared;
}

Test(illegal, random_puzzles_are_as_far_as_a_naive_search_says, .timeout = 280)
{
    struct forbidden *forbidden = malloc(sizeof *forbidden);
    unsigned compared = 0;
    unsigned paged = 0;
    cr_assert(forbidden);
    for (enum puzzle_kind kind = 0; kind < KIND_COUNT; kind++) {
        for (unsigned n = 0; n < PUZZLES_A_KIND && kind != KIND_TOGGLES;) { // toggles stay at home
            n += compare_drawn(kind, forbidden, &paged);
        }
        compared += kind != KIND_TOGGLES ? PUZZLES_A_KIND : 0;
    }
    free(forbidden);
    cr_expect_gt(2 * paged, compared, "%u of %u puzzles are searched by pages", paged, compared);
}
