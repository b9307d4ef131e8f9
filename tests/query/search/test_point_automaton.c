// Compares the search of puzzles with `Illegal` and `Database` with the naive twin, and with tables
// of all states. test_random.c does the same for random puzzles.
#include "query/search/bounds.h"
#include "query/table/table.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_tws.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A puzzle of tests/data, and databases for it.
struct example {
    const char *path;
    const char *databases;
};

static const struct example BANDAGED = {"tests/data/bandaged.tws",
                                        "\nDatabase SLICE 7 1\nDatabase SLICE 2 5 CENTER 1\n"};
static const struct example GATES = {
    "tests/data/gates.tws",
    "\nDatabase BEADS 1 2 3 4 5 6 DIAL 1\nDatabase BEADS 5 6 1 GEMS 1 2 3 DIAL 1\n"};

// The twin of an example, with all its states.
struct twin {
    struct sets_puzzle puzzle;
    struct sets_view view;
    struct twin_states *states;
};

static int ask_twin(const struct twin *twin, const uint8_t *state)
{
    uint8_t row[SETS_TWIN_ROW];
    sets_cells_to_row(&twin->view, state, row);
    return twin_steps(twin->states, twin_find(twin->states, row));
}

static struct fewest *open_example(const struct example *example, bool searched, enum metric metric)
{
    char text[8192];
    char *plain = support_read(example->path, NULL);
    snprintf(text, sizeof text, "%s%s", plain, searched ? example->databases : "");
    free(plain);
    return support_own(support_generate(text, strlen(text), metric));
}

// Follows a shortest path: the twin knows each state on it, so each is legal, and one step nearer
// than the state before.
static void follow(struct fewest *table, const struct twin *twin, const struct query *query)
{
    struct fewest_path path;
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_error error;
    cr_assert(fewest_path(table, query->start, query->target, &path, &error), "%s", error.text);
    memcpy(state, query->start, fewest_info(table)->cell_count);
    for (int i = 0; i < path.steps; i++) {
        cr_assert(fewest_apply(table, path.moves[i], state, state, &error));
        cr_assert_eq(ask_twin(twin, state), path.steps - i - 1);
    }
}

static void compare_with_twin(const struct example *example, enum metric metric, uint64_t rounds)
{
    char path[4096];
    struct twin twin;
    struct fewest *full = open_example(example, false, metric);
    struct fewest *searched = open_example(example, true, metric);
    snprintf(path, sizeof path, "%s/%s", SOURCE_FOLDER, example->path);
    twin_read_tws(path, NULL, &twin.puzzle);
    twin.puzzle.powers = metric == METRIC_QUARTER ? SETS_POWERS_QUARTER : SETS_POWERS_ALL;
    sets_look(&twin.view, &twin.puzzle);
    twin.states = sets_measure(&twin.view, twin.view.solved, true);
    cr_expect(support_is_sound(searched));
    cr_expect(fewest_info(searched)->is_uncounted);
    cr_expect_eq(fewest_info(searched)->state_count, 0);
    uint64_t count = fewest_info(full)->state_count;
    for (uint64_t i = 0; i < rounds && i < count; i++) {
        struct query query = {.target = {FEWEST_GOALS}};
        struct fewest_error error;
        uint64_t number = rounds < count ? support_random() % count : i;
        cr_assert(fewest_pick(full, number, query.start, &error), "%s", error.text);
        int steps = support_ask(searched, &query);
        cr_assert_geq(steps, 0);
        cr_assert_eq(steps, ask_twin(&twin, query.start), "%s: state %llu", example->path,
                     (unsigned long long)number);
        follow(searched, &twin, &query);
    }
    twin_free(twin.states);
    support_close(full);
    support_close(searched);
}

Test(bandaged, the_search_finds_the_distances_of_the_twin, .timeout = 280)
{
    compare_with_twin(&BANDAGED, METRIC_POWERS, 96);
    compare_with_twin(&BANDAGED, METRIC_QUARTER, 96);
    compare_with_twin(&GATES, METRIC_POWERS, 200);
    compare_with_twin(&GATES, METRIC_QUARTER, 400);
}

// ---- Sequences that must not be pruned ----------------------------------------------------------

// A wheel of six beads turns by one or two slots, and two beads change places. The turns commute,
// but change the same slots. Bead 6 can't pass some of them, so often only one order is possible.
#define WHEEL                                                                                      \
    "Name wheel\nPowers none\nSet X 6 1\nSolved\nX\n1 2 3 4 5 6\nEnd\n"                            \
    "Move A\nX\n6 1 2 3 4 5\nEnd\nMove B\nX\n5 6 1 2 3 4\nEnd\n"                                   \
    "Move C\nX\n2 1 3 4 5 6\nEnd\nIllegal X 1 6\n"

static unsigned differences(struct fewest *full, struct fewest *searched)
{
    unsigned count = 0;
    for (uint64_t number = 0; number < fewest_info(full)->state_count; number++) {
        struct query query = {.target = {FEWEST_GOALS}};
        struct fewest_error error;
        int steps;
        cr_assert(fewest_pick(full, number, query.start, &error), "%s", error.text);
        int expected = support_ask(full, &query);
        support_set(searched, (struct fewest_options){.limit = (unsigned)expected + 1});
        count +=
            !fewest_steps(searched, query.start, query.target, &steps, &error) || steps != expected;
    }
    return count;
}

// Each bead is a point, because beads have no orientations.
static void prune_all_duplicates(struct fewest *table)
{
    static const struct automaton_limits LIMITS = {4, PRUNING_ENTRIES, PRUNING_BYTES};
    const struct puzzle *puzzle = &table->puzzle;
    const uint16_t *rows[MOVES_MOST];
    struct automaton_moves moves = {
        .count = puzzle->move_count, .permutations = rows, .points = puzzle->cell_count};
    struct bounds *bounds = table->bounds;
    struct fewest_error error;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        rows[m] = puzzle->moves[m].from;
    }
    pruning_automaton_free(&bounds->automaton);
    cr_assert(pruning_automaton_build(&bounds->automaton, &moves, &LIMITS, &error));
}

Test(bandaged, only_duplicates_whose_other_order_is_possible_are_pruned, .timeout = 120)
{
    static const char WITH[] = WHEEL "Database 6 1\nDatabase 2 3\n";
    struct fewest *full = support_open_text(WHEEL);
    struct fewest *searched = support_open_text(WITH);
    cr_expect_gt(fewest_info(full)->state_count, 100);
    cr_expect_eq(differences(full, searched), 0);
    cr_assert_not_null(searched->bounds); // a query made them
    prune_all_duplicates(searched);
    cr_expect_gt(differences(full, searched), 0, "the puzzle does not tell the automata apart");
    support_close(full);
    support_close(searched);
}

// ---- Moves that nobody can see ------------------------------------------------------------------

// `b` and `q` only exchange pieces that look alike. 64 states, up to 8 moves from the solved one.
static const char UNSEEN[] =
    "Name unseen\nSet A 8 1\nSet BB 4 4\nSolved\nA\n1 1 1 1 1 1 1 1\nBB\n1 2 3 4\n0 0 0 0\nEnd\n"
    "Move b\nA\n2 3 1 4 5 6 7 8\nEnd\nMove R\nA\n(3 1 4 8 6 2)\nBB\n(1 , 2)\n3 3 1 3\nEnd\n"
    "MoveTransformation u\nA\n7 6 5 4 3 2 1 0\nBB\n2 0 1 3\n3 0 0 1\nEnd\n"
    "Move q\nA\n(6 8 5)\nEnd\nIllegal BB 3 1\n";
// `Turn` does nothing. 192 states, up to 24 moves from the solved one: far more sequences of moves
// than a search can try if it does not know which make the same.
static const char DEEP[] = "Name deep\nSet A 4 4\nSolved\nA\n1 2 3 4\n1 2 1 3\nEnd\n"
                           "Move Turn\nEnd\nMoveTransformation b\nA\n(0,2)\nEnd\n"
                           "Move L\nA\n4 3 1 2\n0 1 0 0\nEnd\nIllegal A 4 3 2\n";

static void search_all(const char *definition, const char *databases, uint64_t states)
{
    char text[1000];
    snprintf(text, sizeof text, "%s%s", definition, databases);
    struct fewest *full = support_open_text(definition);
    struct fewest *searched = support_open_text(text);
    cr_expect_eq(fewest_info(full)->state_count, states);
    cr_expect_eq(differences(full, searched), 0);
    cr_expect_not_null(searched->bounds); // a query made them
    support_close(full);
    support_close(searched);
}

// Each takes some milliseconds.
Test(bandaged, a_search_does_not_branch_on_what_nobody_can_see, .timeout = 20)
{
    search_all(UNSEEN, "Database BB 4\n", 64);
    search_all(DEEP, "Database place\nDatabase A orientation 2 4\n", 192);
}

// ---- Answers ------------------------------------------------------------------------------------

// In 2431, each move leads to an illegal state. All 24 states would be reachable without `Illegal`.
#define TRAP                                                                                       \
    "Name trap\nSet X 4 1\nSolved\nX\n1 2 3 4\nEnd\nIllegal X 1 3 4\nIllegal X 3 1\n"              \
    "Move A\nX\n2 1 3 4\nEnd\nMove B\nX\n3 2 1 4\nEnd\nMove C\nX\n1 2 4 3\nEnd\nDatabase 1\n"

Test(bandaged, a_start_without_legal_moves_is_unreachable)
{
    struct fewest *table = support_open_text(TRAP);
    cr_expect_eq(support_steps(table, "1234"), 0);
    cr_expect_eq(support_steps(table, "2134"), 1);
    cr_expect_eq(support_steps(table, "2431"), FEWEST_UNREACHABLE);
    cr_expect_str_eq(support_explain(table, "2134"), "in 1 move");
    cr_expect_str_eq(support_explain(table, "2431"), "no legal moves lead from START to TARGET");
    cr_expect_str_eq(support_explain(table, "3214"),
                     "START is illegal: slot 1 of X can't hold piece 3");
    cr_expect_str_eq(fewest_info(table)->states_text, "at most 24");
    support_close(table);
}

Test(bandaged, the_target_must_be_the_solved_state)
{
    struct fewest *table = support_open_text(TRAP);
    struct query query = {.start = {0, 1, 2, 3}, .target = {1, 0, 2, 3}};
    struct fewest_error error;
    int steps;
    cr_expect_not(fewest_steps(table, query.start, query.target, &steps, &error));
    cr_expect_eq(error.status, FEWEST_BEYOND);
    cr_expect_str_eq(error.text, "trap is solved by a search and has illegal states, so TARGET "
                                 "must be the solved state");
    support_close(table);
}
