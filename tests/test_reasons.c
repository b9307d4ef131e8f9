// The reason why no moves lead from one state to another.
#include "support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

// Two sets of pieces, in which odd permutations come in pairs, and a slot that no move changes.
// The pieces of C are turned, and two pieces of D can only change places with each other.
static const char WHEELS[] =
    "Name wheels\nSet A 6 1\nSet B 3 1\nSet C 3 3\nSet D 4 1\nSolved\nEnd\n"
    "Move W\nA\n1 2 3 5 6 4\nEnd\n"
    "Move X\nA\n2 1 3 4 5 6\nB\n2 1 3\nEnd\n"
    "Move Y\nA\n2 3 1 4 5 6\nEnd\n"
    "Move Z\nB\n2 3 1\nEnd\n"
    "Move P\nC\n2 3 1\n1 2 0\nEnd\n"
    "Move Q\nD\n2 1 4 3\nEnd\n";

static void check_reason(const char *definition, const char *query_text, const char *expected)
{
    struct generated generated = support_generate(definition, strlen(definition), METRIC_POWERS);
    struct fewest *table = support_open(&generated);
    struct fewest_query query;
    struct fewest_error error;
    char reason[FEWEST_ERROR_SIZE];
    bool reachable;
    cr_assert(fewest_read_query(table, query_text, strlen(query_text), &query, &error), "%s",
              error.text);
    cr_assert(fewest_parity(table, &query, &reachable, reason, &error), "%s", error.text);
    cr_expect_str_eq(reason, expected);
    cr_expect_eq(reachable, strncmp(expected, "in ", 3) == 0);
    fewest_close(table);
    free(generated.bytes);
}

Test(reasons, a_sum_of_orientations_that_moves_keep)
{
    check_reason(WHEELS, "123456 123 123 100 1234 123456 123 123 000 1234",
                 "the orientations of C add up to 1; every move keeps them at 0 modulo 3");
    check_reason(WHEELS, "123456 123 123 000 1234 123456 123 123 220 1234",
                 "the orientations of C add up to 1; every move keeps them at 0 modulo 3");
    check_reason(WHEELS, "123456 123 123 100 1234 123456 123 123 002 1234",
                 "the orientations of C add up to 1 in START and to 2 in TARGET; every move keeps "
                 "their sum modulo 3");
}

Test(reasons, a_permutation_that_must_be_even)
{
    check_reason(WHEELS, "123456 123 213 000 1234 123456 123 123 000 1234",
                 "the permutation of C from START to TARGET is odd, but every move is even");
}

Test(reasons, two_permutations_that_must_have_one_parity)
{
    check_reason(WHEELS, "213456 123 123 000 1234 123456 123 123 000 1234",
                 "the permutations of A in slots 1, 2, 3 and B must be both even or both odd");
    check_reason(WHEELS, "123546 123 123 000 1234 123456 123 123 000 1234",
                 "the permutation of A in slots 4, 5, 6 from START to TARGET is odd, but every "
                 "move is even");
}

Test(reasons, a_slot_that_nothing_reaches)
{
    check_reason(WHEELS, "423156 123 123 000 1234 123456 123 123 000 1234",
                 "no moves bring the piece that TARGET has in slot 1 of A there");
    check_reason("Name held\nSet A 4 1\nSolved\nEnd\nMove X\nA\n2 3 1 4\nEnd\n", "1234 2431",
                 "no move changes slot 4 of A, where START and TARGET differ");
}

Test(reasons, another_orbit_of_the_moves)
{
    // The moves make 1 2 3 4, 2 1 4 3, 3 4 1 2 and 4 3 2 1. A cycle of three is even, too.
    check_reason("Name four\nSet A 4 1\nSolved\nEnd\nMove X\nA\n2 1 4 3\nEnd\n"
                 "Move Y\nA\n3 4 1 2\nEnd\nMove N\nA\n1 2 3 4\nEnd\n",
                 "1234 2341",
                 "the permutation from START to TARGET is odd, but every move is even");
    check_reason("Name four\nSet A 4 1\nSolved\nEnd\nMove X\nA\n2 1 4 3\nEnd\n"
                 "Move Y\nA\n3 4 1 2\nEnd\n",
                 "1234 2314", "START and TARGET are not in the same orbit of the moves");
}

Test(reasons, pieces_that_look_alike)
{
    static const char ALIKE[] =
        "Name alike\nSet A 5 2\nSolved\nA\n1 1 2 3 3\nEnd\nMove X\nA\n2 3 1 4 5\n1 1 0 0 0\nEnd\n"
        "Move Y\nA\n1 2 4 5 3\nEnd\n";
    check_reason(ALIKE, "11233 10000",
                 "the orientations of A add up to 1; every move keeps them at 0 modulo 2");
    check_reason(ALIKE, "12133 10100", "in 1 move");
}

Test(reasons, a_state_that_can_be_reached_has_none)
{
    check_reason(WHEELS, "123456 123 123 000 2143 123456 123 123 000 1234", "in 1 move");
}
