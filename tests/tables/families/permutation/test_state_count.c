// Counts the states of large puzzles. test_numbers.c compares the states of small ones with a twin.
#include "tables/families/compile.h"
#include "tables/families/permutation/group_bound.h"
#include "tables/families/permutation/permutation.h"
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Large puzzles ------------------------------------------------------------------------------

static void check_text(const char *text, const char *expected)
{
    static char number[STATE_COUNT_SIZE];
    struct puzzle puzzle = support_compile(text, METRIC_POWERS);
    cr_expect_str_eq(puzzle_write_state_count(&puzzle, number), expected);
    puzzle_free(&puzzle);
}

// In the first puzzle, the sign of one orbit follows from the other. In the second, the same
// permutation acts on both. In the third, the pieces of one orbit look alike, and the moves permute
// two orbits in different ways.
Test(state_count, states_are_counted_whatever_depends_on_what)
{
    check_text("Name t\nSet A 8 1\nSet B 9 1\nSolved\nEnd\n"
               "Move M\nA\n2 3 4 5 6 7 8 1\nB\n2 1 3 4 5 6 7 8 9\nEnd\n"
               "Move N\nB\n2 3 4 5 6 7 8 9 1\nEnd\n"
               "Move P\nA\n2 1 3 4 5 6 7 8\nB\n2 1 3 4 5 6 7 8 9\nEnd\n",
               "7315660800"); // 2 · 9!/2 · 8!/2
    check_text("Name t\nSet A 8 1\nSet B 8 1\nSolved\nEnd\n"
               "Move M\nA\n2 3 4 5 6 7 8 1\nB\n2 3 4 5 6 7 8 1\nEnd\n"
               "Move P\nA\n2 1 3 4 5 6 7 8\nB\n2 1 3 4 5 6 7 8\nEnd\n",
               "40320");
    check_text("Name t\nSet A 8 1\nSet B 8 1\nSolved\nA\n1 1 1 1 2 2 2 2\nEnd\n"
               "Move M\nA\n2 3 4 5 6 7 8 1\nB\n1 3 4 5 6 7 8 2\nEnd\n"
               "Move P\nA\n2 1 3 4 5 6 7 8\nB\n2 1 3 4 5 6 7 8\nEnd\n",
               "2822400"); // 2 · 8!/2 · 8!/4!^2
}

// Writes sets of beads, the first half of one colour, and a turn and an exchange of all sets at
// once. The second set has beads of two colours, too, or they all differ.
static void write_beads(char *text, unsigned sets, unsigned beads, bool second_differs)
{
    text += sprintf(text, "Name t\n");
    for (unsigned s = 0; s < sets; s++) {
        text += sprintf(text, "Set S%u %u 1\n", s, beads);
    }
    text += sprintf(text, "Solved\n");
    for (unsigned s = 0; s < sets; s++) {
        text += sprintf(text, "\nS%u\n", s);
        for (unsigned i = 0; i < beads; i++) {
            bool differs = s == 1 && second_differs;
            text += sprintf(text, "%u ", differs ? i + 1 : 1 + (i >= beads / 2));
        }
    }
    text += sprintf(text, "\nEnd\nMove t\n");
    for (unsigned s = 0; s < sets; s++) {
        text += sprintf(text, "\nS%u\n", s);
        for (unsigned i = 0; i < beads; i++) {
            text += sprintf(text, "%u ", (i + 1) % beads + 1);
        }
    }
    text += sprintf(text, "\nEnd\nMove s\n");
    for (unsigned s = 0; s < sets; s++) {
        text += sprintf(text, "\nS%u\n2 1 ", s);
        for (unsigned i = 2; i < beads; i++) {
            text += sprintf(text, "%u ", i + 1);
        }
    }
    sprintf(text, "\nEnd\n");
}

Test(state_count, lamps_that_follow_one_another_are_no_whole_set)
{
    // c switches the lamp of A and the first one of C, and d the second one of C.
    check_text("Name t\nSet P 8 1\nSet A 1 2\nSet C 2 2\nSolved\nEnd\n"
               "Move a\nP\n2 3 4 5 6 7 8 1\nEnd\nMove b\nP\n2 1 3 4 5 6 7 8\nEnd\n"
               "Move c\nA\n1\n1\nC\n1 2\n1 0\nEnd\nMove d\nC\n1 2\n0 1\nEnd\n",
               "161280"); // 8! · 2 · 2
}

// C(70, 35) has 67 bits. A second set like the first one follows from it. If its beads all differ,
// the first one follows.
Test(state_count, colours_beyond_63_bits_are_counted)
{
    char text[1 << 13];
    write_beads(text, 1, 70, false);
    check_text(text, "112186277816662845432");
    write_beads(text, 2, 70, false);
    check_text(text, "112186277816662845432");
    write_beads(text, 2, 70, true);
    check_text(text,
               "11978571669969891796072783721689098736458938142546425857555362864628009582789845319"
               "680000000000000000");
}

Test(state_count, a_state_of_colours_beyond_63_bits_is_known)
{
    char text[1 << 13];
    uint8_t states[2][CELLS_MOST];
    write_beads(text, 2, 70, false);
    struct puzzle puzzle = support_compile(text, METRIC_POWERS);
    memcpy(states[0], puzzle.goals[0], puzzle.cell_count);
    for (unsigned i = 0; i < 1000; i++) {
        uint8_t *state = states[(i + 1) % 2];
        unsigned cell = support_random_below(puzzle.cell_count);
        cr_assert(
            puzzle_apply(&puzzle, support_random_below(puzzle.move_count), states[i % 2], state));
        cr_assert(permutation_is_state(&puzzle, state));
        state[cell] ^= 1; // colours are 0 and 1
        cr_expect_not(permutation_is_state(&puzzle, state));
        state[(cell + 70) % 140] ^= 1; // both sets are alike again, but with other beads
        cr_expect_not(permutation_is_state(&puzzle, state));
        state[(cell + 70) % 140] ^= 1;
        state[cell] ^= 1;
    }
    puzzle_free(&puzzle);
}

// ---- The bound ----------------------------------------------------------------------------------

// Fills in a random permutation of `count` slots, from 1.
static void draw_permutation(unsigned *slots, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned j = support_random_below(i + 1);
        slots[i] = slots[j];
        slots[j] = i + 1;
    }
}

// Appends what a move switches of two sets of lamps, and the end of the move. Returns the end of
// the text.
static char *append_lamps(char *text, const unsigned lamps[2])
{
    for (unsigned s = 0; s < 2; s++) {
        text += sprintf(text, "L%u\n", s);
        for (unsigned i = 0; i < lamps[s]; i++) {
            text += sprintf(text, "%u ", i + 1);
        }
        text += sprintf(text, "\n");
        for (unsigned i = 0; i < lamps[s]; i++) {
            text += sprintf(text, "%u ", support_random_below(2));
        }
        text += sprintf(text, "\n");
    }
    return text + sprintf(text, "End\n");
}

// Writes one to three sets of 8 to 12 slots and one to three orientations, two sets of one to three
// lamps, and a few moves. A move may take two sets of equal size in the same way, or may take pairs
// of slots to pairs.
static void write_large_sets(char *text)
{
    unsigned sets = 1 + support_random_below(3);
    unsigned count[3];
    unsigned turns[3];
    unsigned lamps[] = {1 + support_random_below(3), 1 + support_random_below(3)};
    text += sprintf(text, "Name t\n");
    for (unsigned s = 0; s < sets; s++) {
        bool same = s > 0 && support_random_below(2);
        count[s] = same ? count[s - 1] : 8 + support_random_below(5);
        turns[s] = same ? turns[s - 1] : 1 + support_random_below(3);
        text += sprintf(text, "Set S%u %u %u\n", s, count[s], turns[s]);
    }
    text += sprintf(text, "Set L0 %u 2\nSet L1 %u 2\nSolved\nEnd\n", lamps[0], lamps[1]);
    bool follow = support_random_below(2);
    bool pairs = support_random_below(4) == 0;
    for (unsigned m = 0; m < 2; m++) {
        unsigned slots[12];
        unsigned turned[12];
        text += sprintf(text, "Move M%u\n", m);
        for (unsigned s = 0; s < sets; s++) {
            if (s == 0 || !follow || count[s] != count[s - 1] || turns[s] != turns[s - 1]) {
                draw_permutation(slots, pairs ? count[s] / 2 : count[s]);
            }
            text += sprintf(text, "\nS%u\n", s);
            for (unsigned i = 0; i < count[s]; i++) {
                unsigned slot = slots[i];
                if (pairs) {
                    slot = i < count[s] / 2 * 2 ? 2 * slots[i / 2] - 1 + i % 2 : i + 1;
                }
                text += sprintf(text, "%u ", slot);
            }
            text += sprintf(text, "\n");
            for (unsigned i = 0; i < count[s] && turns[s] > 1; i++) {
                turned[i] =
                    s == 0 || !follow ? support_random_below(turns[s]) : turned[i] % turns[s];
                text += sprintf(text, "%u ", turned[i]);
            }
            text += sprintf(text, "\n");
        }
        text = append_lamps(text, lamps);
    }
    for (unsigned m = 0; m < 3; m++) {
        text += sprintf(text, "Move L%u\n", m);
        text = append_lamps(text, lamps);
    }
}

// The order of the group as the long proof finds it.
static long double find_order(struct point_view *view)
{
    struct chain chain;
    struct fewest_error error;
    struct chain_plan plan = view->plan;
    plan.bound = 0;
    cr_assert(chain_make(&chain, &plan, &error), "%s", error.text);
    long double order = chain.order;
    chain_free(&chain);
    return order;
}

Test(state_count, a_bound_is_never_less_than_the_order, .timeout = 120)
{
    enum { ROUNDS = 200 };
    unsigned reached = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        char text[1 << 12];
        struct point_view view;
        struct fewest_error error;
        write_large_sets(text);
        struct puzzle puzzle = support_compile(text, METRIC_LISTED);
        cr_assert(point_view_make(&view, &puzzle, false, &error) && group_bound_find(&view, &error),
                  "%s", error.text);
        long double order = find_order(&view);
        if (view.plan.bound > 0) {
            cr_assert_gt(view.plan.bound, order * (1 - 1e-9L), "%s", text);
            reached += view.plan.bound < order * 1.5L;
        }
        point_view_free(&view);
        puzzle_free(&puzzle);
    }
    cr_expect(reached > ROUNDS / 2 && reached < ROUNDS, "%u", reached);
}

// ---- Unfinished ---------------------------------------------------------------------------------

// A chain that is not done tells how many states there are at least.
Test(state_count, an_unfinished_chain_does_not_count_too_many)
{
    enum { ROUNDS = 10 * KIND_COUNT };
    static char text[1 << 16];
    unsigned unfinished = 0;
    unsigned useful = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct sets_puzzle drawn;
        struct fewest_error error;
        draw_puzzle(round % KIND_COUNT, &drawn);
        sets_write(&drawn, text);
        struct puzzle puzzle = support_compile(text, METRIC_POWERS);
        for (uint64_t left = 1 << 6; left < 1 << 20 && puzzle.reachable_count > 0; left *= 4) {
            char number[LARGE_TEXT_SIZE];
            struct point_view view;
            struct chain chain;
            struct large large;
            cr_assert(point_view_make(&view, &puzzle, false, &error));
            view.plan.work = CHAIN_WORK_MOST - left;
            bool done = chain_make(&chain, &view.plan, &error);
            large_set(&large, 1);
            chain_multiply_count(&chain, &large);
            large_write(&large, number);
            uint64_t count = strtoull(number, NULL, 10);
            cr_assert(done ? count == puzzle.reachable_count : count <= puzzle.reachable_count,
                      "%s of %llu\n%s", number, (unsigned long long)puzzle.reachable_count, text);
            unfinished += !done;
            useful += !done && count > 1;
            chain_free(&chain);
            point_view_free(&view);
        }
        puzzle_free(&puzzle);
    }
    cr_expect(unfinished > ROUNDS && useful > ROUNDS / 4, "%u %u", unfinished, useful);
}
