// The deep check finds a numbering that is wrong. No file can hold one, so the tests replace the
// functions of an open table.
#include "puzzle/compile.h"
#include "support.h"
#include "table.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { RULE_11 = 1 << 11 };

// Two sets whose permutations are both even or both odd, and orientations whose sum is kept.
static const char COUPLED[] = "Name coupled\nSet A 5 2\nSet B 3 1\nSolved\nEnd\n"
                              "Move X\nA\n2 1 3 4 5\n1 1 0 0 0\nB\n2 1 3\nEnd\n"
                              "Move Y\nA\n2 3 4 5 1\nEnd\nMove Z\nB\n2 3 1\nEnd\n";

static struct numbering_functions right;

// The states 7 and 8 exchange their numbers on the way from cells to a number.
static uint64_t rank_exchanged(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    uint64_t index = right.rank(puzzle, root, relative);
    return index == 7 ? 8 : index == 8 ? 7 : index;
}

// State 8 has the cells of state 7, too.
static void unrank_twice(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint8_t *relative)
{
    right.unrank(puzzle, root, index == 8 ? 7 : index, relative);
}

// The first two moves lead where the other one leads.
static void exchange_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                uint64_t *neighbours)
{
    right.neighbours(puzzle, root, index, neighbours);
    uint64_t first = neighbours[0];
    neighbours[0] = neighbours[1];
    neighbours[1] = first;
}

// A step that the cells allow is missing.
static void lose_step(const struct puzzle *puzzle, unsigned root, uint64_t index,
                      uint64_t *neighbours)
{
    right.neighbours(puzzle, root, index, neighbours);
    neighbours[0] = index == 8 ? INDEX_NONE : neighbours[0];
}

static uint64_t illegal; // the number of an illegal state

// A step between legal states leads to an illegal one instead.
static void lead_astray(const struct puzzle *puzzle, unsigned root, uint64_t index,
                        uint64_t *neighbours)
{
    right.neighbours(puzzle, root, index, neighbours);
    neighbours[0] = index == 0 ? illegal : neighbours[0];
}

static unsigned broken_rules_of(const char *definition, const struct numbering_functions *functions)
{
    struct generated generated = support_generate(definition, strlen(definition), METRIC_POWERS);
    struct fewest *table = support_open(&generated);
    struct fewest_error error;
    unsigned rules = 0;
    cr_assert_eq(fewest_state_count(table) > 8, true);
    if (functions) {
        table->puzzle.numbering.functions = functions;
    } else {
        right = *table->puzzle.numbering.functions;
    }
    cr_expect_eq(fewest_check(table, true, support_add_rule, &rules, &error), rules == 0);
    fewest_close(table);
    free(generated.bytes);
    return rules;
}

static unsigned broken_rules(const struct numbering_functions *functions)
{
    return broken_rules_of(COUPLED, functions);
}

Test(check_numbers, rule_11_finds_wrong_numbers_of_states)
{
    cr_assert_eq(broken_rules(NULL), 0);
    struct numbering_functions wrong = right;
    wrong.rank = rank_exchanged;
    cr_expect(broken_rules(&wrong) & RULE_11);
    wrong = right;
    wrong.unrank = unrank_twice;
    cr_expect(broken_rules(&wrong) & RULE_11);
    wrong = right;
    wrong.neighbours = exchange_neighbours;
    cr_expect(broken_rules(&wrong) & RULE_11);
}

static uint64_t find_illegal(const char *definition)
{
    struct puzzle puzzle;
    struct fewest_error error;
    uint64_t index = 1;
    cr_assert(puzzle_compile(&puzzle, definition, strlen(definition), METRIC_POWERS, &error));
    while (puzzle_index_is_legal(&puzzle, 0, index)) {
        index++;
    }
    puzzle_free(&puzzle);
    return index;
}

// The first move of states 0 and 8 is legal.
Test(check_numbers, rule_11_finds_a_missing_step_although_steps_of_illegal_states_do_not_matter)
{
    static const char GATE[] = "Name gate\nSet X 4 1\nSolved\nEnd\nIllegal X 1 4\n"
                               "Move A\nX\n2 1 3 4\nEnd\nMove B\nX\n2 3 4 1\nEnd\n";
    cr_assert_eq(broken_rules_of(GATE, NULL), 0);
    illegal = find_illegal(GATE);
    struct numbering_functions wrong = right;
    wrong.neighbours = lose_step;
    cr_expect(broken_rules_of(GATE, &wrong) & RULE_11);
    wrong = right;
    wrong.neighbours = lead_astray;
    cr_expect(broken_rules_of(GATE, &wrong) & RULE_11);
    wrong.neighbours = exchange_neighbours;
    cr_expect(broken_rules_of(GATE, &wrong) & RULE_11);
    wrong = right;
    wrong.rank = rank_exchanged;
    cr_expect(broken_rules_of(GATE, &wrong) & RULE_11);
}
