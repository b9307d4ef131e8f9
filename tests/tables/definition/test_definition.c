// Tests of definitions: the meaning of good ones, and the error messages of bad ones.
#include "tables/definition/definition.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_moves(const struct puzzle *puzzle, const char *expected)
{
    char names[256] = "";
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        strcat(names, m > 0 ? " " : "");
        strcat(names, puzzle->moves[m].name);
    }
    cr_assert_str_eq(names, expected);
}

#define ORDERS                                                                                     \
    "Name orders\nSet X 10 1\nSolved\nX\n1 2 3 4 5 6 7 8 9 10\nEnd\n"                              \
    "Move A\nX\n2 1 3 4 5 6 7 8 9 10\nEnd\nMove B\nX\n1 2 4 5 3 6 7 8 9 10\nEnd\n"

Test(definition,
     a_move_of_order_n_stands_for_its_powers_and_a_quarter_turn_for_itself_and_its_inverse)
{
    struct puzzle puzzle = support_compile(
        ORDERS "Move C\nX\n1 2 3 4 5 7 8 9 6 10\nEnd\nMove D\nX\n2 3 4 5 1 6 7 8 9 10\nEnd\n",
        METRIC_POWERS);
    expect_moves(&puzzle, "A B B' C C' C2 D D' D2 D2'");
    cr_assert(puzzle.reversible);
    puzzle_free(&puzzle);
    puzzle = support_compile(
        ORDERS "Move C\nX\n1 2 3 4 5 7 8 9 6 10\nEnd\nMove D\nX\n2 3 4 5 1 6 7 8 9 10\nEnd\n",
        METRIC_QUARTER);
    expect_moves(&puzzle, "A B B' C C' D D'");
    cr_assert(puzzle.reversible);
    puzzle_free(&puzzle);
    puzzle = support_compile("Powers none\n" ORDERS, METRIC_POWERS);
    expect_moves(&puzzle, "A B");
    cr_assert_not(puzzle.reversible);
    puzzle_free(&puzzle);
}

#define CYCLES "Set X 6 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 1\nEnd\nMove B\nX\n2 1 3 4 5 6\nEnd\n"

// Compiles a definition whose `Generators` line is this, and compares the names of its moves.
static void expect_generated(const char *line, enum metric metric, const char *expected)
{
    char text[512];
    snprintf(text, sizeof text, "%sMoveAlias Swap B\nGenerators %s\n", CYCLES, line);
    struct puzzle puzzle = support_compile(text, metric);
    expect_moves(&puzzle, expected);
    cr_expect_eq(puzzle.cell_count, 6);
    puzzle_free(&puzzle);
}

Test(definition, only_generators_and_their_powers_are_moves)
{
    expect_generated("A", METRIC_POWERS, "A A' A2 A2' A3");
    expect_generated("A2", METRIC_POWERS, "A2 A2'");
    expect_generated("A4", METRIC_POWERS, "A2 A2'");
    expect_generated("A3' Swap", METRIC_POWERS, "A3 Swap");
    expect_generated("A'", METRIC_QUARTER, "A A'");
    expect_generated("A3 A2", METRIC_QUARTER, "A2 A2' A3");
    expect_generated("A' B", METRIC_LISTED, "A' B");
    expect_generated("A,B A", METRIC_LISTED, "A B");
    expect_generated("(A2.B)", METRIC_QUARTER, "(A2.B) (A2.B)'");
    expect_generated("(A2)", METRIC_POWERS, "(A2) (A2)'");
    expect_generated("(A.B)2 (Swap.A')'", METRIC_QUARTER, "(A.B)2 (A.B)2' (Swap.A') (Swap.A')'");
}

Test(definition, a_move_and_its_power_may_both_be_listed_if_they_agree)
{
    struct puzzle puzzle = support_compile(
        "Set X 3 1\nSolved\nX\n1 2 3\nEnd\nMove A\nX\n2 3 1\nEnd\nMove A'\nX\n3 1 2\nEnd\n",
        METRIC_POWERS);
    expect_moves(&puzzle, "A A' A''"); // A'' is A, named as a power of A'
    cr_assert_str_eq(puzzle.name, "Unnamed");
    puzzle_free(&puzzle);
}

#define HEAD "Name x\nSet X 3 2\nSolved\nX\n1 2 3\nEnd\n" // six lines

static const struct {
    const char *text;
    const char *expected;
} BAD[] = {
    {"", "line 1: the definition has no `Set`, `Slide` or `Roll`"},
    {"Nmae x\n", "line 1: unknown keyword 'Nmae'; did you mean 'Name'?"},
    {"Name x\nName y\n", "line 2: `Name` appears twice (first on line 1)"},
    {"Name\n", "line 1: expected `Name NAME`"},
    {"Name xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx yy\n",
     "line 1: expected a name of at most 63 printable ASCII characters, got "
     "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_'"},
    {"Name \x01\n",
     "line 1: expected a name of at most 63 printable ASCII characters, got '\\x01'"},
    {"Set X 3\n", "line 1: expected `Set NAME PIECES ORIENTATIONS`"},
    {"Set X 0 1\n", "line 1: expected a number of pieces from 1 to 254, got '0'"},
    {"Set X 255 1\n", "line 1: expected a number of pieces from 1 to 254, got '255'"},
    {"Set X 1 99999999999999999999\n",
     "line 1: expected a number of orientations from 1 to 127, got '99999999999999999999'"},
    {"Set X 3 1\nSet X 3 1\n", "line 2: set X appears twice (first on line 1)"},
    {"Roll 2 3\nSolved\nEnd\n", "line 2: this block has no row for set CUBES"},
    {"Slide 2 3\nGoal\nEnd\n", "line 2: this block has no row for set TILES"},
    {"Solved\nEnd\n", "line 1: `Solved` must come after `Set`, `Slide` or `Roll`"},
    {"Set X 3 1\nMove A\nEnd\n", "line 2: `Move` must come after `Solved`"},
    {"Set X 3 1\nSolved\n", "line 2: this block has no `End` before the text ends"},
    {"Set X 3 1\nSolved\nX\nEnd\n", "line 4: expected the row of pieces of set X"},
    {"Set X 3 1\nSolved\nY\n", "line 3: expected the name of a set or `End`, got 'Y'"},
    {"Set X 3 1\nSolved\n1 2 3\n", "line 3: expected the name of a set before its row of numbers"},
    {"Set X 3 1\nSolved\nX\n1 2\nEnd\n",
     "line 4: expected 3 numbers, one for each piece of set X, got 2"},
    {"Set X 3 1\nSolved\nX\n1 2 3 4\nEnd\n",
     "line 4: expected 3 numbers, one for each piece of set X, got 4"},
    {"Set X 3 1\nSolved\nX\n1 2 3\nEnd X\n", "line 5: expected `End` and nothing after it"},
    {"Set X 3 1\nSolved\nX\n1 2 255\nEnd\n", "line 4: expected a piece from 1 to 254, got '255'"},
    {"Set X 3 1\nSolved\nX\n1 2 3\n0 0 1\nEnd\n",
     "line 5: set X has 1 orientation; expected only zeros in this row, got '1'"},
    {"Set X 3 1\nSolved\nX\n1 2 3\nX\n1 2 3\nEnd\n", "line 5: set X appears twice in this block"},
    {"Set X 3 1\nSolved\nX 1 2 3\nEnd\n",
     "line 3: expected only the name of set X, and its numbers on the lines below"},
    {"Set X 2 2\nSolved\nX\n1 1\n? 0\nEnd\n",
     "line 5: piece 1 of set X has the orientation `?` in one slot and a number in another"},
    {HEAD, "line 6: the definition has no `Move` block"},
    {HEAD "Solved\n", "line 7: the solved state appears twice (first on line 3)"},
    {HEAD "Move A\nX\n1 1 3\nEnd\n", "line 9: piece 1 appears twice; expected each of 1 to 3 once"},
    {HEAD "Move A\nX\n2 1 3\n0 0 2\nEnd\n",
     "line 10: expected an orientation from 0 to 1, got '2'"},
    {HEAD "Move A\nX\n2 1 3\n? 0 0\nEnd\n",
     "line 10: expected an orientation from 0 to 1, got '?'"},
    {HEAD "Move A\nX\n2 1 3\n0 0 0\n0 0 0\nEnd\n",
     "line 11: set X has at most two rows, pieces and orientations; expected another set or `End`"},
    {HEAD "Move A\nX\n2 1 3\nEnd\nMove A\nEnd\n",
     "line 11: the name A appears twice (first on line 7)"},
    {HEAD "Move A\nX\n(1 4)\nEnd\n", "line 9: expected a slot from 1 to 3, got '4'"},
    {HEAD "Move A\nX\n(0 1)\nEnd\n", "line 9: expected a slot from 1 to 3, got '0'"},
    {HEAD "Move A\nX\n(1 a)\nEnd\n", "line 9: expected a slot from 1 to 3, got 'a'"},
    {HEAD "Move A\nX\n(1 (2))\nEnd\n", "line 9: expected a slot from 1 to 3, got '(2'"},
    {HEAD "MoveTransformation A\nX\n(2 3)\nEnd\n", "line 9: expected a slot from 0 to 2, got '3'"},
    {HEAD "Move A\nX\n(1 2)(3 1)\nEnd\n", "line 9: slot 1 appears twice in the cycles"},
    {HEAD "MoveTransformation A\nX\n(0 1 0)\nEnd\n", "line 9: slot 0 appears twice in the cycles"},
    {HEAD "Move A\nX\n(1 2\n3)\nEnd\n", "line 9: this cycle has no `)`"},
    {HEAD "Move A\nX\n(1 2) 3\nEnd\n",
     "line 9: expected `(` or the end of the line after a cycle, got '3'"},
    {HEAD "Move A\nX\n(1 2))\nEnd\n",
     "line 9: expected `(` or the end of the line after a cycle, got ')'"},
    {HEAD "Move A\nX\n(1 2)\n(1 2)\nEnd\n",
     "line 10: expected 3 numbers, one for each piece of set X, got 2"},
    {HEAD "Move A\nX\n1 (2 3)\nEnd\n", "line 9: expected a piece from 1 to 3, got '(2'"},
    {"Slide 2 2\nSolved\nTILES\n(1 2)\nEnd\n", "line 4: expected a piece from 0 to 3, got '(1'"},
    {"Roll 2 2\nSolved\nCUBES\n(1 2)\nEnd\n", "line 4: expected a number from 0 to 3, got '(1'"},
    {HEAD "Move A # x\nX y # z\n2 1 3\nEnd\n",
     "line 8: expected only the name of set X, and its numbers on the lines below"},
    {HEAD "Move # A\n", "line 7: expected `Move NAME`"},
    {"\xEF\xBB\xBFSet X\n", "line 1: expected `Set NAME PIECES ORIENTATIONS`"},
    {"Set X 3 1\n\xEF\xBB\xBFSolved\n", "line 2: unknown keyword '\\xEF\\xBB\\xBFSolved'"},
    {HEAD "Move A\nEnd\n", "line 7: no move of x changes anything"},
    {HEAD "Board 2 2\nMove A\nX\n2 1 3\nEnd\n",
     "line 7: `Board 2 2` has 4 cells, but a state of x has 3"},
    {"Generators A\n" HEAD, "line 1: `Generators` must come after `Solved`"},
    {"Slide 2 2\nGenerators u\n",
     "line 2: `Generators` can't be used with `Slide` (line 1), which has its moves already"},
    {HEAD "Generators\n", "line 7: expected `Generators MOVE MOVE ...`"},
    {HEAD "Generators A\nGenerators A\n", "line 8: `Generators` appears twice (first on line 7)"},
    {HEAD "Generators A B\nMove B\nX\n2 1 3\nEnd\nMoveAlias C B\n",
     "line 7: no move, rotation, alias or sequence is called 'A'; there are: B C"},
    {HEAD "Generators (B.A)\nMove B\nX\n2 1 3\nEnd\n",
     "line 7: no move, rotation, alias or sequence is called 'A'; there are: B"},
    {HEAD "Generators (B.)\nMove B\nX\n2 1 3\nEnd\n",
     "line 7: no move, rotation, alias or sequence is called ''; there are: B"},
    {HEAD "Generators (B\nMove B\nX\n2 1 3\nEnd\n",
     "line 7: expected a sequence such as (R.U.R'), with dots between its moves, got '(B'"},
    {HEAD "Generators (B.B)\nMove B\nX\n2 1 3\nEnd\n",
     "line 7: '(B.B)' changes nothing, so it can't be a generator"},
    {HEAD "Generators B2\nMove B\nX\n2 1 3\nEnd\n",
     "line 7: 'B2' changes nothing, so it can't be a generator"},
    {HEAD "Generators ((B.B).B)\nMove B\nX\n2 1 3\nEnd\n",
     "line 7: no move, rotation, alias or sequence is called '(B'; there are: B"},
    {HEAD "Board 2\nMove A\n", "line 7: expected `Board ROWS COLUMNS [CELL ...]`"},
    {HEAD "Board 2 2 1 2 3\n",
     "line 7: expected 4 cells after `Board 2 2`, one for each place, got 3"},
    {HEAD "Board 2 2 1 2 3 4 .\n",
     "line 7: expected 4 cells after `Board 2 2`, one for each place, got 5"},
    {HEAD "Board 2 2 1 2 3 x\n", "line 7: expected `.` or a cell from 1 to 8192, got 'x'"},
    {HEAD "Board 2 2 1 2 3 0\n", "line 7: expected `.` or a cell from 1 to 8192, got '0'"},
    {HEAD "Board 2 2 1 2 3 4\nMove A\nX\n2 1 3\nEnd\n",
     "line 7: `Board` has cell 4, but a state of x has only 3 cells"},
    {HEAD "Board 2 2 1 2 . 1\nMove A\nX\n2 1 3\nEnd\n",
     "line 7: `Board` has cell 1 twice; a state of x has 3 cells"},
    {HEAD "Board 2 2 1 2 . .\nMove A\nX\n2 1 3\nEnd\n",
     "line 7: `Board` has 2 of the 3 cells of a state of x"},
    {HEAD "Powers none\nPowers none\n", "line 8: `Powers` appears twice (first on line 7)"},
    {HEAD "Board 1 3\nBoard 1 3\n", "line 8: `Board` appears twice (first on line 7)"},
    {"Set End 3 1\n", "line 1: expected a set name that is not `End` and does not begin with a "
                      "digit, '?' or '(', got 'End'"},
    {"Set (A) 3 1\n", "line 1: expected a set name that is not `End` and does not begin with a "
                      "digit, '?' or '(', got '(A)'"},
    {"Set 1A 3 1\n", "line 1: expected a set name that is not `End` and does not begin with a "
                     "digit, '?' or '(', got '1A'"},
    {HEAD "Goal\nX\n1 1 1\nEnd\n", "line 9: piece 1 appears more often than in `Solved`"},
    {HEAD "Goal\nX\n1 2 4\nEnd\n", "line 9: set X has no piece 4 in `Solved`"},
    {"Set X 3 1\nGoal\n", "line 2: `Goal` must come after `Solved`, `Slide` or `Roll`"},
    {"Letters X a b\n", "line 1: no set is called 'X'; `Letters` must come after its `Set`"},
    {"Set X 3 1\nLetters X a ab c\n",
     "line 2: expected one printable ASCII character other than @ * , / as a letter, got 'ab'"},
    {"Set X 3 1\nLetters X a b a\n", "line 2: the letter a appears twice"},
    {"Set X 3 1\nLetters X a b\nLetters X a b\n",
     "line 3: set X has `Letters` twice (first on line 2)"},
    {"Set X 3 1\nLetters X a b\nSolved\nEnd\nMove A\nX\n2 3 1\nEnd\n",
     "line 2: expected 3 letters for set X, got 2"},
    {"Slide 3\n", "line 1: expected `Slide ROWS COLUMNS [LAYERS] [multi]`"},
    {"Slide 3 multi\n", "line 1: expected `Slide ROWS COLUMNS [LAYERS] [multi]`"},
    {"Slide multi 2 2\n", "line 1: expected a number from 1 to 254, got 'multi'"},
    {"Roll 2 2 multi\n", "line 1: expected `Roll ROWS COLUMNS`"},
    {"Slide 1 1\n", "line 1: expected a board of 2 to 25 cells, got 1"},
    {"Slide 2 13\n", "line 1: expected a board of 2 to 25 cells, got 26"},
    {"Slide 2 2\nMove A\n",
     "line 2: `Move` can't be used with `Slide` (line 1), which has its moves already"},
    {"Slide 2 2\nSet X 2 1\n",
     "line 2: `Set` can't be used with `Slide` (line 1), which has its pieces already"},
    {"Slide 2 2\nSolved\nTILES\n0 1 2 4\nEnd\n", "line 4: expected a piece from 0 to 3, got '4'"},
    {"Slide 2 2\nSolved\nTILES\n0 1 2 x\nEnd\n",
     "line 4: the blank, 0, appears twice; expected it once"},
    {"Slide 2 2\nSolved\nTILES\n1 1 2 2\nEnd\n", "line 4: no cell is the blank; expected one 0"},
    {"Slide 2 2\nGoal\nTILES\n0 1 2 2\nEnd\n",
     "line 4: piece 2 appears more often than in `Solved`"},
    {"Slide 2 2\nGoal\nTILES\n0 1 *\n2\nEnd\n",
     "line 4: `*` can stand here only if `Solved` has a `*`"},
    {"Slide 2 2\nSolved\nTILES\n0 1 * 2\nEnd\nGoal\nTILES\n* * 1 0\nEnd\n",
     "line 8: piece * appears more often than in `Solved`"},
    {"Slide 2 2\nSolved\nTILES\n0 1 3 3\nEnd\nGoal\nTILES\n0 1 2 3\nEnd\n",
     "line 8: set TILES has no piece 2 in `Solved`"},
    {"Slide 2 2\nSolved\nTILES\n0 1 * *\nEnd\nTrack 1\n",
     "line 6: `Solved` already leaves tiles out by `*` (line 4); delete one of both"},
    {"Slide 2 2\nTrack 1\nSolved\nTILES\n0 1 2 3\nEnd\n",
     "line 3: `Solved` must come before `Track` (line 2)"},
    {"Slide 2 2\nGoal\nTILES\n0 1 2 3\nEnd\nSolved\nTILES\n0 1 2 3\nEnd\n",
     "line 6: `Solved` must come before `Goal` (line 2)"},
    {"Slide 1 5\nSolved\nTILES\n1 1 2 2 0\nEnd\nGoal\nTILES\n1 2 1 2 0\nEnd\n",
     "line 6: no moves connect this goal with `Solved`; check its cells, or make it the `Solved` "
     "of "
     "another table"},
    {"Roll 2 2\nTrack 1\n", "line 2: `Track` can't be used with `Roll` (line 1)"},
    {"Roll 2 2\nSolved\nCUBES\n0 1 * 2\nEnd\n", "line 4: expected a number from 0 to 3, got '*'"},
    {"Slide 2 2 multi\nDatabase 1 2 3\n",
     "line 2: `Database` can't be used with `multi`, because one move would count in several "
     "pattern databases, which are added up; leave out `multi`"},
    {"Slide 2 2\nSolved\nTILES\n0 1 1 2\nEnd\nDatabase 1 2\n",
     "line 6: `Database` can't be used if tiles look alike; give them different numbers in "
     "`Solved`, or leave out `Database`"},
    {"Slide 1 17\nDatabase 1-8\nDatabase 9-16\n",
     "line 2: `Database` can't be used with a board of more than 16 cells; this one has 17"},
    {"Set X 3 1\nSolved\nX\n5 5 9\nEnd\nGoal\nX\n5 9 9\nEnd\n",
     "line 8: piece 9 appears more often than in `Solved`"},
    {"Set X 3 2\nSolved\nX\n1 2 3\n? 0 0\nEnd\nGoal\nX\n2 1 3\n? ? 0\nEnd\n",
     "line 10: expected an orientation from 0 to 1, got '?'"},
    {"Set X 3 2\nSolved\nX\n1 2 3\n? 0 0\nEnd\nGoal\nX\n2 1 3\n0 2 0\nEnd\n",
     "line 10: expected an orientation from 0 to 1 or '?', got '2'"},
    {"Set X 3 1\nSet Y 3 1\nSolved\nX\n1 1 2\nEnd\nGoal\nY\n2 1 3\nEnd\n"
     "Move A\nX\n2 3 1\nY\n2 3 1\nEnd\n",
     "line 7: this goal can't be reached: it differs from `Solved` in pieces or orientations that "
     "no move changes"},
    // Moves keep the two pieces of each half.
    {"Set X 4 1\nSolved\nX\n1 1 1 2\nEnd\nGoal\nX\n1 2 1 1\nEnd\nGoal\nX\n1 1 2 1\nEnd\n"
     "Move A\nX\n2 1 4 3\nEnd\n",
     "line 6: no moves connect this goal with `Solved`; check its rows, or make it the `Solved` of "
     "another table"},
    {"Slide 2 2\nBoard 2 2\n", "line 2: `Board` can't be used with `Slide` (line 1)"},
    {"Slide 2 2\nLetters TILES a b c d\n",
     "line 2: `Letters` can't be used with `Slide`, whose tiles are numbers"},
    {"Slide 2 2\nDatabase 1 2\n",
     "line 2: the `Database` lines of a sliding board must name every tile; none names tile 3"},
    {"Slide 2 2\nDatabase 1 2\nDatabase 3 1\n",
     "line 3: tile 1 is in two `Database` lines; the bounds of a sliding board's databases are "
     "added up, so each tile must be in one"},
    {"Slide 2 2\nDatabase 4\n", "line 2: expected a piece from 1 to 3, got '4'"},
    {"Slide 2 2\nDatabase\n", "line 2: expected `Database [SET] PIECE PIECE ...`"},
    {"Slide 3 5\nDatabase 1 2 3 4 5 6 7 8 9\n",
     "line 2: `Database` names 9 tiles; a pattern database has at most 8"},
    {"Slide 2 2\nTrack 4\n", "line 2: expected a piece from 1 to 3, got '4'"},
    {"Slide 2 2\nTrack 0\n", "line 2: expected a piece from 1 to 3, got '0'"},
    {"Slide 2 2\nGoal\nTILES\n1 2 0 3\nEnd\nDatabase 1 2 3\n",
     "line 6: `Database` can't be used with `Goal` (line 2)"},
    {"Roll 2 2\nDatabase 1\n", "line 2: `Database` can't be used with `Roll` (line 1)"},
    {HEAD "Database 1\nTrack 1\n", "line 8: `Track` can't be used with `Database` (line 7)"},
    {HEAD "Track 1\nDatabase 1\n", "line 8: `Database` can't be used with `Track` (line 7)"},
    {HEAD "Database 1\nGoal\nX\n2 1 3\nEnd\n",
     "line 8: `Goal` can't be used with `Database` (line 7)"},
    {HEAD "Database 1 2 1\n", "line 7: piece 1 of set X appears twice in `Database`"},
    {HEAD "Database 1\nDatabase 2\nDatabase 3\nDatabase 1\nDatabase 2\nDatabase 3\nDatabase 1\n"
          "Database 2\nDatabase 3\n",
     "line 15: too many pattern databases: at most 8 `Database` lines"},
    {"Slide 2 2\nDatabase 1 2 3\nGoal\nTILES\n1 2 0 3\nEnd\n",
     "line 3: `Goal` can't be used with `Database` (line 2)"},
    {"For a\n", "line 1: unknown keyword 'For'"},
    {HEAD "Illegal X 1\n", "line 7: expected `Illegal SET SLOT PIECE PIECE ...`"},
    {HEAD "Illegal Y 1 2\n", "line 7: no set is called 'Y'"},
    {HEAD "Illegal X 4 2\n", "line 7: expected a slot from 1 to 3, got '4'"},
    {HEAD "Illegal X 1 2 0\n", "line 7: expected a piece from 1 to 254, got '0'"},
    {HEAD "Illegal X 1 2 1\n",
     "line 7: `Solved` has piece 1 in slot 1 of set X, so it must be legal"},
    {"Set X 3 1\nSolved\nX\n1 1 2\nEnd\nIllegal X 1 3\n",
     "line 6: set X has no piece 3 in `Solved`"},
    {"Set X 3 1\nIllegal X 1 2\n", "line 2: `Illegal` must come after `Solved`"},
    {"Slide 2 2\nIllegal TILES 1 2\n", "line 2: `Illegal` can't be used with `Slide` (line 1)"},
    {"Roll 2 2\nIllegal CUBES 1 2\n", "line 2: `Illegal` can't be used with `Roll` (line 1)"},
    {HEAD "Illegal X 1 2\nTrack 1\n", "line 8: `Track` can't be used with `Illegal` (line 7)"},
    {HEAD "Track 1\nIllegal X 1 2\n", "line 8: `Illegal` can't be used with `Track` (line 7)"},
    {HEAD "Illegal X 1 2\nIllegal X 1 3\nGoal\nX\n1 3 2\nEnd\n",
     "line 9: `Goal` can't be used with `Illegal` (line 7)"},
    {HEAD "Goal\nX\n1 3 2\nEnd\nIllegal X 1 2\n",
     "line 11: `Illegal` can't be used with `Goal` (line 7)"},
    {HEAD "SwizzleSet A B\n",
     "line 7: `SwizzleSet` is not supported: a table holds all states that the moves reach"},
    {"Set X 3 1\nStartState\nX\n1 2 254\nEnd\n",
     "line 4: expected a piece from 0 to 253, got '254'"},
    {"Set X 3 1\nSolved\nEnd\nStartState\n",
     "line 4: the solved state appears twice (first on line 2)"},
    {HEAD "MoveTransformation A\nX\n1 2 3\nEnd\n", "line 9: expected a piece from 0 to 2, got '3'"},
    {HEAD "MoveTransformation A\nX\n0 1 1\nEnd\n",
     "line 9: piece 1 appears twice; expected each of 0 to 2 once"},
    {HEAD "MoveAlias B A\nMove C\nX\n2 1 3\nEnd\n",
     "line 7: no move, rotation, alias or sequence is called 'A'; there are: C B"},
    {HEAD "MoveAlias B B\nMove C\nX\n2 1 3\nEnd\n",
     "line 7: with 'B' here, B (line 7) would contain itself"},
    {HEAD "MoveSequence B D C\nMoveSequence D C2 B'\nMove C\nX\n2 1 3\nEnd\n",
     "line 8: with 'B'' here, B (line 7) would contain itself"},
    {HEAD "MoveAlias B\n", "line 7: expected `MoveAlias NAME MOVE MOVE ...`"},
    {HEAD "MoveSequence B\n", "line 7: expected `MoveSequence NAME MOVE MOVE ...`"},
    {HEAD "Move A\nX\n2 1 3\nEnd\nMoveSequence A A A\n",
     "line 11: the name A appears twice (first on line 7)"},
    {HEAD "Move A\nX\n2 1 3\nEnd\nMoveSequence B A C2'\n",
     "line 11: no move, rotation, alias or sequence is called 'C2''; there are: A B"},
    {HEAD "Move x\nX\n2 1 3\nEnd\nRotation x\n",
     "line 11: the definition has no move, because all of them are rotations"},
    {"Rotation A\n" HEAD, "line 1: `Rotation` must come after `Solved`"},
    {"Slide 2 2\nRotation u\n",
     "line 2: `Rotation` can't be used with `Slide` (line 1), which has its moves already"},
    {HEAD "Rotation\nMove A\nX\n2 1 3\nEnd\nRotation A\nMove B\nX\n1 3 2\nEnd\n",
     "line 12: A is no rotation, because (A B A') is neither a move nor a power of one; remove it "
     "here, or list that move"},
    {HEAD "Rotation C\nMove A\nX\n2 1 3\nEnd\nMoveAlias B A\n",
     "line 7: no move, rotation, alias or sequence is called 'C'; there are: A B"},
    {HEAD "Rotation A2\nMove A\nX\n2 1 3\nEnd\n",
     "line 7: no move, rotation, alias or sequence is called 'A2'; there are: A"},
    {HEAD "Rotation B\nMove A\nX\n2 1 3\nEnd\nMoveAlias B A\n",
     "line 7: B is an alias; `Rotation` names a `Move` or a `MoveSequence`"},
    {HEAD "Rotation A\nMove A\nX\n2 1 3\nEnd\nRotation B A\nMove B\nX\n2 1 3\nEnd\n",
     "line 12: A appears twice in `Rotation` (first on line 7)"},
    {HEAD "Move A\nX\n2 1 3\nEnd\nRotation B x\nMove B\nX\n1 2 3\nEnd\nMove x\nX\n1 3 2\nEnd\n",
     "line 11: x is no rotation, because (x A x') is neither a move nor a power of one; remove it "
     "here, or list that move"},
    {"Set X 3 1\nMoveAlias A B\n", "line 2: `MoveAlias` must come after `Solved`"},
    {"Set X 3 1\nTrack 1\n", "line 2: `Track` must come after `Solved`, `Slide` or `Roll`"},
    {"Ignore\n",
     "line 1: `Ignore` is not supported: in `Solved`, write `?` for an orientation that "
     "does not count, and one number for pieces that look alike"},
    {"MoveLimits\n", "line 1: `MoveLimits` is not supported: all sequences of moves count; "
                     "`Generators MOVE MOVE ...` leaves out the other moves"},
    {"ParallelMoves\n",
     "line 1: `ParallelMoves` is not supported: it is not needed, so delete it up "
     "to its `End`"},
    {HEAD "Move @a\nEnd\n",
     "line 7: a move can't be called @a, because --moves could not read it: "
     "expected a name that is not `-`, does not begin with '@' or ',' and begins no scramble"},
    {HEAD "Move CPOS\nEnd\n",
     "line 7: a move can't be called CPOS, because --moves could not read it: expected a name that "
     "is not `-`, does not begin with '@' or ',' and begins no scramble"},
    {HEAD "Move R\nX\n2 3 1\nEnd\nMove U\nX\n2 1 3\nEnd\nMoveAlias R2 U\n",
     "line 15: R2 is a power of R (line 7), but means something else here; rename it"},
    {HEAD "Track 4\n", "line 7: set X has no piece 4 in `Solved`"},
    {HEAD "Track 1 1\n", "line 7: piece 1 of set X appears twice in `Track`"},
    {HEAD "Track Y 1\n", "line 7: no set is called 'Y'; expected a set, a piece, a range such as "
                         "1-4, `place` or `orientation`"},
    {HEAD "Track 1-4\n", "line 7: set X has no piece 4 in `Solved`"},
    {HEAD "Track 1-\n", "line 7: expected a piece from 1 to 254, got ''"},
    {HEAD "Track 1-2-3\n", "line 7: expected a piece from 1 to 254, got '2-3'"},
    {HEAD "Track 3-1\n", "line 7: expected a range that rises, such as 1-4, got '3-1'"},
    {HEAD "Track 2 1-3\n", "line 7: piece 2 of set X appears twice in `Track`"},
    {HEAD "Track | 1\n", "line 7: expected a piece before `|`"},
    {HEAD "Track 1 | | 2\n", "line 7: expected a piece before `|`"},
    {HEAD "Track X |\n", "line 7: expected a piece before `|`"},
    {HEAD "Track 1 | 2 1\n", "line 7: piece 1 of set X appears twice in `Track`"},
    {HEAD "Track orientation 1 | 2\n",
     "line 7: pieces after `orientation` look alike; leave out `|`, or leave out `orientation` to "
     "tell the groups apart"},
    {"Set X 2 2\nSolved\nX\n1 2\n0 ?\nEnd\nTrack 1 2 |\n",
     "line 7: a group of set X has pieces whose orientation counts and others whose orientation is "
     "`?` in `Solved`; write `place` before them"},
    {"Set P 3 1\nSet | 3 1\nSolved\nEnd\nTrack P 1 | 4\n",
     "line 5: set | has no piece 4 in `Solved`"},
    {"Slide 2 2\nDatabase 1 | 2 3\n",
     "line 2: the tiles of `Database` can't stand in groups on a board; leave out `|`"},
    {"Set X 2 2\nSet Y 2 1\nSolved\nEnd\nTrack | 1\n",
     "line 5: expected the name of a set before its pieces: `Track SET PIECE PIECE ...`"},
    {HEAD "Track place orientation 3\n", "line 7: piece 3 of set X appears twice in `Track`"},
    {"Set X 2 2\nSet Y 2 1\nSolved\nEnd\nTrack place X\n",
     "line 5: expected the name of a set before `place`: `Track SET place ...`"},
    {"Set X 2 2\nSet Y 2 1\nSolved\nEnd\nTrack Y orientation 1\n",
     "line 5: the pieces of set Y have only one orientation"},
    {"Slide 2 2\nDatabase orientation 1-3\n",
     "line 2: the pieces of set TILES have only one orientation"},
    {"Set X 2 2\nSolved\nX\n1 2\n0 ?\nEnd\nDatabase orientation\n",
     "line 7: the orientation of piece 2 of set X does not count: it is `?` in `Solved`"},
    {"Set X 3 1\nSolved\nX\n1 2 2\nEnd\nTrack 1-3\n", "line 6: set X has no piece 3 in `Solved`"},
    {HEAD "Track 1\nTrack 2\n", "line 8: `Track` appears twice (first on line 7)"},
    {"Set X 2 1\nSet Y 2 1\nSolved\nEnd\nTrack 1\n",
     "line 5: expected the name of a set before its pieces: `Track SET PIECE PIECE ...`"},
    {HEAD "Track 1\nGoal\nX\n2 1 3\nEnd\n", "line 8: `Goal` can't be used with `Track` (line 7)"},
    {HEAD "Goal\nX\n2 1 3\nEnd\nTrack 1\n", "line 11: `Track` can't be used with `Goal` (line 7)"},
    {"Roll 2 2 2\n", "line 1: expected `Roll ROWS COLUMNS`"},
    {"Roll 2 2\nSlide 2 2\n", "line 2: `Slide` can't be used with `Roll` (line 1)"},
    {"Roll 3 4\n", "line 1: expected a board of 2 to 10 cells, got 12"},
    {"Roll 2 2\nLetters CUBES E W R\n", "line 2: expected 4 letters for set CUBES, got 3"},
    {"Roll 2 2\nSolved\nCUBES\n0 1 2 4\nEnd\n", "line 4: expected a number from 0 to 3, got '4'"},
    {"Roll 2 2\nSolved\nCUBES\n0 1 0 2\nEnd\n", "line 4: expected one blank (0), got 2"},
    {"Roll 2 2\nGoal\nCUBES\n1 1 1 1\nEnd\n", "line 4: expected one blank (0), got 0"},
    {HEAD "Powers some\n", "line 7: expected `Powers none` or `Powers all`"},
    {"Set X 4 1\nSolved\nEnd\nMove A\nX\n2 3 4 1\nEnd\nMove A2\nX\n2 1 3 4\nEnd\n",
     "line 8: this move and that on line 4, or their powers, are both called A2; rename one of "
     "them"},
    {"# nothing\n", "line 1: the definition has no `Set`, `Slide` or `Roll`"},
    {"Set X 3 1\n", "line 1: the definition has no `Solved` block"},
    {HEAD "End\n", "line 7: 'End' is outside of a block such as `Solved` or `Move`"},
    {HEAD "X\n1 2 3\nEnd\n", "line 7: 'X' is outside of a block such as `Solved` or `Move`"},
    {HEAD "2 1 3\n", "line 7: '2' is outside of a block such as `Solved` or `Move`"},
    {"Set X 3 1\nSolved\nX\n1 2 3\nMove A\nX\n2 1 3\nEnd\n",
     "line 2: this block has no `End` before line 5"},
    {"Set CORNERS 3 1\nSolved\nCORNER\n",
     "line 3: expected the name of a set or `End`, got 'CORNER'; did you mean 'CORNERS'?"},
    {"Set X 3 2\nSolved\nX\n1 2 3\n0 3 0\nEnd\n",
     "line 5: expected an orientation from 0 to 1 or '?', got '3'"},
    {"Set X 2 2\nStartState\nX\n0 0\n? 0\nEnd\n",
     "line 5: piece 0 of set X has the orientation `?` in one slot and a number in another"},
    {"Set X 3 1\nLetters X a b *\n",
     "line 2: expected one printable ASCII character other than @ * , / as a letter, got '*'"},
    {HEAD "Powers\n", "line 7: expected `Powers none` or `Powers all`"},
    {HEAD "Track 1 X\n", "line 7: piece 1 of set X appears twice in `Track`"},
    {"Set X 3 1\nSet Y 2 1\nSolved\nEnd\nMove A\nX\n2 3 1\nEnd\nTrack Y 1\n",
     "line 9: no move changes a set whose pieces this line names"},
    {"Roll 2 2\nTrack 1\n", "line 2: `Track` can't be used with `Roll` (line 1)"},
    {"Roll 2 2\nPowers none\n", "line 2: `Powers` can't be used with `Roll` (line 1)"},
    {"Powers none\nSlide 2 2\n", "line 2: `Slide` can't be used with `Powers` (line 1)"},
    {"Board 2 2\nSlide 2 2\n", "line 2: `Slide` can't be used with `Board` (line 1)"},
    {"Database 1\n", "line 1: `Database` must come after `Solved`, `Slide` or `Roll`"},
    {"Set X 3 1\nStartState\nEnd\nSet Y 3 1\n",
     "line 4: `Set` must come before `StartState` (line 2)"},
    {HEAD "MoveAlias A D C\nMove D\nX\n2 1 3\nEnd\n",
     "line 7: no move, rotation, alias or sequence is called 'C'; there are: D A"},
    {"Set X 3 1\nSolved\nX\n5 5 9\nEnd\nTrack 9 9\n",
     "line 6: piece 9 of set X appears twice in `Track`"},
    {"Set X 3 1\nSlide 2 2\n", "line 2: `Slide` can't be used with `Set` (line 1)"},
    {"Slide 2 2\nSlide 2 2\n", "line 2: `Slide` can't be used with `Slide` (line 1)"},
    {"Set X 4 1\nSolved\nEnd\nMove A2\nX\n2 1 3 4\nEnd\nMove A\nX\n2 3 4 1\nEnd\n",
     "line 8: this move and that on line 4, or their powers, are both called A2; rename one of "
     "them"},
};

Test(definition, what_is_wrong_is_said_with_its_line)
{
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct puzzle puzzle;
        struct fewest_error error;
        cr_assert_not(
            puzzle_compile(&puzzle, BAD[i].text, strlen(BAD[i].text), METRIC_POWERS, &error), "%s",
            BAD[i].text);
        cr_expect_str_eq(error.text, BAD[i].expected);
    }
}

Test(definition, the_lines_of_an_error_are_given_names_wherever_they_stand)
{
    static char path[FEWEST_ERROR_SIZE - 40];
    struct fewest_error error;
    error_write_line(&error, FEWEST_BAD_INPUT, 12, "line 3 is not meant, but ");
    error_append_line(&error, 3, " is");
    cr_assert_eq(error.lines[0].number, 12);
    cr_assert_eq(error.lines[1].number, 3);
    struct fewest_error other = error;
    error_name_line(&error, 0, "moves.U");
    error_name_line(&error, 1, "orbits[0]");
    cr_expect_str_eq(error.text, "moves.U: line 3 is not meant, but orbits[0] is");
    error_prefix(&other, "file");
    error_name_line(&other, 1, "orbits[0]");
    error_name_line(&other, 0, NULL);
    cr_expect_str_eq(other.text, "file: line 12: line 3 is not meant, but orbits[0] is");
    // What is cut off gets no name.
    memset(path, 'x', sizeof path - 1);
    error_write_line(&error, FEWEST_BAD_INPUT, 12, "%s", "");
    error_append_line(&error, 3, "%s", "");
    error_prefix(&error, path);
    cr_assert_eq(error.lines[1].number, 3);
    error_prefix(&error, "some more of a path that is long");
    error_name_line(&error, 1, "orbits[0]");
    error_name_line(&error, 0, "U");
    cr_expect_eq(strlen(error.text), FEWEST_ERROR_SIZE - 1);
    cr_expect_not(strstr(error.text, "orbits"));
}

// Writes as many sets and pieces as a definition may have: 15 sets of 254 pieces, one of 46, and
// 240 of a single piece.
static char *write_most_pieces(size_t *length)
{
    char *text;
    FILE *out = open_memstream(&text, length);
    cr_assert(out);
    for (unsigned s = 0; s < SETS_MOST; s++) {
        fprintf(out, "Set S%u %u 1\n", s, s < 15 ? 254 : s == 15 ? 46 : 1);
    }
    fprintf(out, "Solved\nEnd\nMove R\n");
    for (unsigned s = 0; s < 16; s++) {
        fprintf(out, "S%u\n2 3 1", s);
        for (unsigned piece = 4; piece <= (s < 15 ? 254 : 46); piece++) {
            fprintf(out, " %u", piece);
        }
        fprintf(out, "\n");
    }
    fprintf(out, "End\n");
    fclose(out);
    return text;
}

Test(definition, four_thousand_pieces_in_256_sets_are_read)
{
    size_t length;
    char *text = write_most_pieces(&length);
    struct puzzle puzzle;
    struct fewest_error error;
    cr_assert(puzzle_compile(&puzzle, text, length, METRIC_POWERS, &error), "%s", error.text);
    cr_assert_eq(puzzle.definition->set_count, 256);
    cr_assert_eq(puzzle.definition->piece_count, 4096);
    cr_assert_eq(puzzle.cell_count, 15 * 254 + 46);
    cr_assert_eq(puzzle.numbering.state_count, 3);
    puzzle_free(&puzzle);
    free(text);
}

// Refuses `sets` sets of `pieces` pieces each at the line of the last one.
static void refuse_last_set(unsigned sets, unsigned pieces, const char *expected)
{
    static char text[SETS_MOST * 32];
    struct puzzle puzzle;
    struct fewest_error error;
    size_t used = 0;
    for (unsigned s = 0; s < sets; s++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "Set S%u %u 1\n", s, pieces);
    }
    cr_assert_not(puzzle_compile(&puzzle, text, used, METRIC_POWERS, &error));
    cr_expect_str_eq(error.text, expected);
}

Test(definition, a_piece_or_a_set_too_many_is_refused)
{
    refuse_last_set(257, 15, "line 257: too many sets: at most 256");
    refuse_last_set(17, 254, "line 17: too many pieces: all sets together may have at most 4096");
}

Test(definition, hostile_shapes_end_soon)
{
    static char text[DEFINITION_LONGEST + 1];
    struct puzzle puzzle;
    struct fewest_error error;
    memset(text, ' ', sizeof text);
    cr_assert_not(puzzle_compile(&puzzle, text, DEFINITION_LONGEST + 1, METRIC_POWERS, &error));
    memset(text, '\n', sizeof text);
    cr_assert_not(puzzle_compile(&puzzle, text, DEFINITION_LONGEST, METRIC_POWERS, &error));
    memset(text, 'A', sizeof text);
    cr_assert_not(puzzle_compile(&puzzle, text, DEFINITION_LONGEST, METRIC_POWERS, &error));
    memset(text, 0, sizeof text);
    cr_assert_not(puzzle_compile(&puzzle, text, DEFINITION_LONGEST, METRIC_POWERS, &error));
    for (size_t i = 0; i < DEFINITION_LONGEST; i++) {
        text[i] = i % 2 ? ' ' : 'A';
    }
    cr_assert_not(puzzle_compile(&puzzle, text, DEFINITION_LONGEST, METRIC_POWERS, &error));
    cr_assert_str_eq(error.text, "line 1: too many words after `A`: at most 8448");
}

// ---- Cycles, comments and the byte order mark ---------------------------------------------------

enum { CYCLED = 9 }; // pieces

// Writes a permutation as cycles: the piece of slot i goes to slot to[i]. Both count from `least`.
static void write_cycles(const unsigned *to, unsigned least, char *text)
{
    bool written[CYCLED] = {false};
    for (unsigned i = 0; i < CYCLED; i++) {
        unsigned slot = i;
        if (written[i] || (to[i] == i && support_random_below(2) == 0)) {
            continue;
        }
        text += sprintf(text, "(");
        do {
            written[slot] = true;
            text += sprintf(text,
                            slot == i                 ? "%u"
                            : support_random_below(2) ? " %u"
                                                      : ", %u",
                            slot + least);
            slot = to[slot];
        } while (slot != i);
        text += sprintf(text, support_random_below(2) ? ") " : ")");
    }
    if (support_random_below(4) == 0) {
        sprintf(text, "()");
    }
}

// Shuffles the slots 0 ... CYCLED-1.
static void shuffle(unsigned *to)
{
    for (unsigned i = 0; i < CYCLED; i++) {
        unsigned j = support_random_below(i + 1);
        to[i] = to[j];
        to[j] = i;
    }
}

Test(definition, cycles_are_the_row_in_which_each_piece_has_gone_to_the_next_slot)
{
    for (unsigned run = 0; run < 200; run++) {
        unsigned least = run % 2; // a `MoveTransformation` counts from 0, a `Move` from 1
        unsigned to[CYCLED];
        char cycles[200] = "()";
        char row[200] = "";
        char text[2][600];
        struct puzzle puzzle[2];
        shuffle(to);
        write_cycles(to, least, cycles);
        for (unsigned slot = 0; slot < CYCLED; slot++) {
            unsigned from = 0;
            while (to[from] != slot) {
                from++;
            }
            sprintf(row + strlen(row), " %u", from + least);
        }
        for (unsigned t = 0; t < 2; t++) {
            sprintf(text[t],
                    "Set X %d 3\nSolved\nEnd\n%s M\nX\n%s\n1 2 0 0 1 1 2 0 0\nEnd\n"
                    "Move N\nX\n(1 9)\n0 0 1 0 0 0 0 0 0\nEnd\n",
                    CYCLED, least ? "Move" : "MoveTransformation", t ? cycles : row);
            puzzle[t] = support_compile(text[t], METRIC_LISTED);
        }
        cr_assert_eq(puzzle[0].move_count, 2);
        for (unsigned m = 0; m < 2; m++) {
            cr_expect_arr_eq(puzzle[0].moves[m].from, puzzle[1].moves[m].from,
                             2 * CYCLED * sizeof(uint16_t), "%s is not %s", cycles, row);
            cr_expect_arr_eq(puzzle[0].moves[m].add, puzzle[1].moves[m].add, 2 * CYCLED);
        }
        puzzle_free(&puzzle[0]);
        puzzle_free(&puzzle[1]);
    }
}

Test(definition, comments_after_words_and_a_byte_order_mark_change_nothing)
{
    struct puzzle puzzle =
        support_compile("\xEF\xBB\xBFName x # the name\nSet A#1 3 2 #two\n"
                        "Letters A#1 # -\n" // # is a letter
                        "Solved # the solved state\nA#1 # its name\n1 2 3 # pieces\nEnd # it\n"
                        "Move M# # a # in a word begins no comment\nA#1\n1 2 3 # none moves\n"
                        "1 0 0 # one turns\nEnd\n",
                        METRIC_POWERS);
    cr_expect_str_eq(puzzle.name, "x");
    cr_expect_str_eq(puzzle.segments[0].letters, "#-");
    expect_moves(&puzzle, "M#");
    puzzle_free(&puzzle);
}
