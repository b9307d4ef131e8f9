// Definitions: what they mean, and what is said of those that mean nothing.
#include "definition.h"
#include "puzzle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct puzzle compile(const char *text, enum metric metric)
{
    struct puzzle puzzle;
    struct fewest_error error;
    cr_assert(puzzle_compile(&puzzle, text, strlen(text), metric, &error), "%s", error.text);
    return puzzle;
}

static unsigned find_move(const struct puzzle *puzzle, const char *name)
{
    unsigned m = 0;
    while (m < puzzle->move_count && strcmp(puzzle->moves[m].name, name) != 0) {
        m++;
    }
    cr_assert_lt(m, puzzle->move_count, "no move %s", name);
    return m;
}

Test(definition, the_orientation_row_of_a_move_belongs_to_the_piece_that_leaves)
{
    struct puzzle puzzle = compile("Name twist\nSet X 3 3\nSolved\nX\n1 2 3\nEnd\n"
                                   "Move A\nX\n2 1 3\n1 0 0\nEnd\nMove B\nX\n2 3 1\n0 0 1\nEnd\n",
                                   METRIC_POWERS);
    uint8_t after_a[CELLS_MOST];
    uint8_t after_b[CELLS_MOST];
    cr_assert_eq(puzzle.cell_count, 6);
    puzzle_apply(&puzzle, find_move(&puzzle, "A"), puzzle.roots[0].question, after_a);
    puzzle_apply(&puzzle, find_move(&puzzle, "B"), after_a, after_b);
    cr_assert_arr_eq(after_b, ((uint8_t[]){0, 2, 1, 1, 1, 0}), 6); // 1 3 2 / 1 1 0; by slot it would be 0 0 2
    uint64_t before[MOVES_MOST];
    puzzle_predecessors(&puzzle, 0, puzzle_rank(&puzzle, 0, after_b), before);
    cr_assert_eq(before[find_move(&puzzle, "B")], puzzle_rank(&puzzle, 0, after_a));
    puzzle_free(&puzzle);
}

static void expect_moves(const struct puzzle *puzzle, const char *expected)
{
    char names[256] = "";
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        strcat(names, m > 0 ? " " : "");
        strcat(names, puzzle->moves[m].name);
    }
    cr_assert_str_eq(names, expected);
}

#define ORDERS                                                                                                         \
    "Name orders\nSet X 10 1\nSolved\nX\n1 2 3 4 5 6 7 8 9 10\nEnd\n"                                                  \
    "Move A\nX\n2 1 3 4 5 6 7 8 9 10\nEnd\nMove B\nX\n1 2 4 5 3 6 7 8 9 10\nEnd\n"

Test(definition, a_move_of_order_n_stands_for_its_powers_and_a_quarter_turn_for_itself_and_its_inverse)
{
    struct puzzle puzzle =
        compile(ORDERS "Move C\nX\n1 2 3 4 5 7 8 9 6 10\nEnd\nMove D\nX\n2 3 4 5 1 6 7 8 9 10\nEnd\n", METRIC_POWERS);
    expect_moves(&puzzle, "A B B' C C' C2 D D' D2 D2'");
    cr_assert(puzzle.reversible);
    puzzle_free(&puzzle);
    puzzle =
        compile(ORDERS "Move C\nX\n1 2 3 4 5 7 8 9 6 10\nEnd\nMove D\nX\n2 3 4 5 1 6 7 8 9 10\nEnd\n", METRIC_QUARTER);
    expect_moves(&puzzle, "A B B' C C' D D'");
    cr_assert(puzzle.reversible);
    puzzle_free(&puzzle);
    puzzle = compile("Powers none\n" ORDERS, METRIC_POWERS);
    expect_moves(&puzzle, "A B");
    cr_assert_not(puzzle.reversible);
    puzzle_free(&puzzle);
}

Test(definition, a_move_and_its_power_may_both_be_listed_if_they_agree)
{
    struct puzzle puzzle =
        compile("Set X 3 1\nSolved\nX\n1 2 3\nEnd\nMove A\nX\n2 3 1\nEnd\nMove A'\nX\n3 1 2\nEnd\n", METRIC_POWERS);
    expect_moves(&puzzle, "A A' A''"); // A'' = A, under the name of a power of A'
    cr_assert_str_eq(puzzle.name, "Unnamed");
    puzzle_free(&puzzle);
}

Test(definition, only_what_moves_has_cells)
{
    struct puzzle puzzle = compile("Name lamps\nSet FRAME 5 4\nSet LAMP 3 2\nSolved\nEnd\n"
                                   "Move A\nLAMP\n1 2 3\n1 1 0\nEnd\nMove B\nLAMP\n1 2 3\n0 1 1\nEnd\n",
                                   METRIC_POWERS);
    cr_assert_eq(puzzle.cell_count, 3);
    cr_assert_eq(puzzle.state_count, 8);
    cr_assert(puzzle.group);
    puzzle_free(&puzzle);
}

Test(definition, line_ends_comments_and_blanks_do_not_matter)
{
    struct puzzle puzzle =
        compile("# a comment\r\n\r\n  Name  x\r\nSet X 2 1\r\n\tSolved\r\nX\r\n # in between\r\n1 2\r\nEnd"
                "\r\nMove S\r\nX\r\n2 1\r\nEnd",
                METRIC_POWERS);
    cr_assert_eq(puzzle.move_count, 1);
    puzzle_free(&puzzle);
}

Test(definition, indistinct_pieces_and_ignored_orientations_make_no_group)
{
    struct puzzle puzzle = compile("Set X 4 1\nSolved\nX\n1 1 2 2\nEnd\nMove A\nX\n2 3 4 1\nEnd\n", METRIC_POWERS);
    cr_assert_not(puzzle.group);
    cr_assert_eq(puzzle.state_count, 6);
    puzzle_free(&puzzle);
    puzzle = compile("Set X 2 3\nSolved\nX\n1 2\n? 0\nEnd\nMove A\nX\n2 1\n1 0\nEnd\n", METRIC_POWERS);
    cr_assert_not(puzzle.group);
    puzzle_free(&puzzle);
}

#define HEAD "Name x\nSet X 3 2\nSolved\nX\n1 2 3\nEnd\n" // six lines

static const struct {
    const char *text;
    const char *expected;
} BAD[] = {
    {"", "line 1: the definition ends without a `Solved`"},
    {"Nmae x\n", "line 1: unknown keyword 'Nmae'; did you mean 'Name'?"},
    {"Name x\nName y\n", "line 2: a second `Name`"},
    {"Name x y\n", "line 1: expected `Name NAME`, and no more in this line"},
    {"Name \x01\n", "line 1: '\\x01' can't be a name: at most 63 printable ASCII characters"},
    {"Set X 3\n", "line 1: expected `Set NAME PIECES ORIENTATIONS`"},
    {"Set X 0 1\n", "line 1: '0' is not a number from 1 to 128"},
    {"Set X 1 99999999999999999999\n", "line 1: '99999999999999999999' is not a number from 1 to 127"},
    {"Set X 3 1\nSet X 3 1\n", "line 2: a second set of this name"},
    {"Set X 100 1\nSet Y 100 1\n", "line 2: more than 128 pieces in all"},
    {"Solved\nEnd\n", "line 1: `Solved` comes after the `Set` lines"},
    {"Set X 3 1\nMove A\nEnd\n", "line 2: `Move` comes after `Solved`"},
    {"Set X 3 1\nSolved\n", "line 2: the text ends before the `End` of what begins on line 2"},
    {"Set X 3 1\nSolved\nX\nEnd\n", "line 4: set X has no row of pieces"},
    {"Set X 3 1\nSolved\nY\n", "line 3: 'Y' is not the name of a set, and not `End`"},
    {"Set X 3 1\nSolved\n1 2 3\n", "line 3: a row of numbers without the name of a set before it"},
    {"Set X 3 1\nSolved\nX\n1 2\nEnd\n", "line 4: fewer numbers on one line than the 3 pieces of set X"},
    {"Set X 3 1\nSolved\nX\n1 2 3 4\nEnd\n", "line 4: more numbers on one line than the 3 pieces of set X"},
    {"Set X 3 1\nSolved\nX\n1 1 3\nEnd\n", "line 4: piece 2 is missing, though piece 3 is there"},
    {"Set X 3 1\nSolved\nX\n1 2 4\nEnd\n", "line 4: '4' is not a number from 1 to 3"},
    {"Set X 3 1\nSolved\nX\n1 2 3\n0 0 1\nEnd\n", "line 5: '1' is not a number from 0 to 0"},
    {"Set X 3 1\nSolved\nX\n1 2 3\nX\n1 2 3\nEnd\n", "line 5: set X stands here twice"},
    {"Set X 3 1\nSolved\nX 1 2 3\nEnd\n", "line 3: the name of set X stands alone, its numbers in the lines below"},
    {"Set X 2 2\nSolved\nX\n1 1\n? 0\nEnd\n",
     "line 6: set X: of the pieces 1, some have the orientation `?` and some not"},
    {HEAD, "line 6: the definition ends without a `Move`"},
    {HEAD "Solved\n", "line 7: a second `Solved`"},
    {HEAD "Move A\nX\n1 1 3\nEnd\n", "line 9: piece 1 stands twice: this needs each of 1 to 3 once"},
    {HEAD "Move A\nX\n2 1 3\n0 0 2\nEnd\n", "line 10: '2' is not a number from 0 to 1"},
    {HEAD "Move A\nX\n2 1 3\n? 0 0\nEnd\n", "line 10: '?' is not a number from 0 to 1"},
    {HEAD "Move A\nX\n2 1 3\n0 0 0\n0 0 0\nEnd\n", "line 11: a row of numbers without the name of a set before it"},
    {HEAD "Move A\nX\n2 1 3\nEnd\nMove A\nEnd\n", "line 11: a second move A; the first is on line 7"},
    {HEAD "Move A\nEnd\n", "line 7: no move of x changes anything"},
    {HEAD "Board 2 2\nMove A\nX\n2 1 3\nEnd\n", "line 7: `Board 2 2` has 4 cells, but a state of x has 3"},
    {HEAD "Powers none\nPowers none\n", "line 8: a second `Powers`"},
    {HEAD "Board 1 3\nBoard 1 3\n", "line 8: a second `Board`"},
    {"Set End 3 1\n", "line 1: a set's name can't be `End`, nor begin with a digit or `?`"},
    {"Set 1A 3 1\n", "line 1: a set's name can't be `End`, nor begin with a digit or `?`"},
    {HEAD "Goal\nX\n1 1 1\nEnd\n", "line 9: piece 1 stands twice: this needs each of 1 to 3 once"},
    {"Set X 3 1\nGoal\n", "line 2: `Goal` comes after `Solved`"},
    {"Letters X a b\n", "line 1: expected `Letters SET LETTER LETTER ...`, of a set that a line above names"},
    {"Set X 3 1\nLetters X a ab c\n",
     "line 2: a letter is one printable ASCII character, and not one of `@`, `*`, `,` and `/`"},
    {"Set X 3 1\nLetters X a b a\n", "line 2: the letter a stands twice"},
    {"Set X 3 1\nLetters X a b\nLetters X a b\n", "line 3: a second `Letters` of set X"},
    {"Set X 3 1\nLetters X a b\nSolved\nEnd\nMove A\nX\n2 3 1\nEnd\n", "line 2: 2 letters for the 3 values of set X"},
    {"Slide 3\n", "line 1: expected `Slide ROWS COLUMNS [LAYERS]`, once and without a `Set`"},
    {"Slide 1 1\n", "line 1: a board of 1 cells: at least 2 and at most 128"},
    {"Slide 4 4\n",
     "line 1: a board of 16 cells has too many states to tabulate: at most 12 cells, or 16 with lines of `Track`"},
    {"Slide 2 3\nLetters TILES a b c d e\nTrack 1 2 3 4 5\n",
     "line 2: the tiles of a `Slide` have numbers, and no `Letters`"},
    {"Slide 2 2\nMove A\n", "line 2: a `Slide` or `Roll` has its moves already"},
    {"Slide 2 2\nSet X 2 1\n", "line 2: a `Slide` or `Roll` has its set already"},
    {"Slide 2 2\nSolved\nTILES\n0 1 2 4\nEnd\n", "line 4: '4' is not a number from 0 to 3"},
    {"Slide 2 2\nSolved\nTILES\n0 1 2 2\nEnd\n", "line 4: piece 2 stands twice: this needs each of 0 to 3 once"},
    {"Set X 3 1\nSolved\nX\n1 1 2\nEnd\nGoal\nX\n1 2 3\nEnd\nMove A\nX\n2 3 1\nEnd\n",
     "line 6: Unnamed has pieces that look alike or orientations that do not count: it can't have a `Goal`"},
    {"Set X 3 1\nSet Y 2 1\nSolved\nEnd\nGoal\nY\n2 1\nEnd\nMove A\nX\n2 3 1\nEnd\n",
     "line 5: this goal differs from `Solved` where no move changes anything"},
    {"Slide 2 2\nBoard 2 2\n", "line 2: a `Slide` or `Roll` takes no `Board` and no `Powers`"},
    {"Slide 2 2\nLetters TILES a b c d\n", "line 2: the tiles of a `Slide` have numbers, and no `Letters`"},
    {"Slide 2 2\nTrack 1 2\n", "line 2: no `Track` has tile 3"},
    {"Slide 2 2\nTrack 1 2\nTrack 3 1\n", "line 3: tile 1 is tracked twice"},
    {"Slide 2 2\nTrack 4\n", "line 2: '4' is not a number from 1 to 3"},
    {"Slide 2 2\nTrack\n", "line 2: expected `Track TILE TILE ...` or `Track [SET] PIECE PIECE ...`"},
    {"Slide 3 5\nTrack 1 2 3 4 5 6 7 8 9\n", "line 2: a database tracks at most 8 tiles"},
    {"Slide 4 5\nTrack 1\n", "line 1: a board of 20 cells has too many states to tabulate: at most 16 cells"},
    {"Slide 2 2\nTrack 1 2 3\nGoal\nTILES\n1 2 0 3\nEnd\n", "line 3: a board with `Track` has one goal"},
    {"For a\nFor b\n", "line 2: a second `For`"},
    {HEAD "Illegal X 1 2\n", "line 7: `Illegal` is not supported: a table holds every arrangement that the moves make"},
    {HEAD "SwizzleSet A B\n",
     "line 7: `SwizzleSet` is not supported: a table holds every arrangement that the moves make"},
    {"Set X 3 1\nStartState\nX\n1 2 3\nEnd\n", "line 4: '3' is not a number from 0 to 2"},
    {"Set X 3 1\nSolved\nEnd\nStartState\n", "line 4: a second `Solved`"},
    {HEAD "MoveTransformation A\nX\n1 2 3\nEnd\n", "line 9: '3' is not a number from 0 to 2"},
    {HEAD "MoveTransformation A\nX\n0 1 1\nEnd\n", "line 9: piece 1 stands twice: this needs each of 0 to 2 once"},
    {HEAD "MoveAlias B A\nMove C\nX\n2 1 3\nEnd\n", "line 7: 'A' is no move, rotation, alias or sequence"},
    {HEAD "MoveAlias B B\nMove C\nX\n2 1 3\nEnd\n",
     "line 7: 'B' is what this line defines: a sequence can't contain itself"},
    {HEAD "MoveSequence B D C\nMoveSequence D C2 B'\nMove C\nX\n2 1 3\nEnd\n",
     "line 8: 'B'' is what this line defines: a sequence can't contain itself"},
    {HEAD "MoveAlias B\n", "line 7: expected `MoveAlias NAME MOVE`"},
    {HEAD "MoveSequence B\n", "line 7: expected `MoveSequence NAME MOVE MOVE ...`"},
    {HEAD "Move A\nX\n2 1 3\nEnd\nMoveSequence A A A\n", "line 11: a second move A; the first is on line 7"},
    {HEAD "Move A\nX\n2 1 3\nEnd\nMoveSequence B A C2'\n", "line 11: 'C2'' is no move, rotation, alias or sequence"},
    {HEAD "Move x\nX\n2 1 3\nEnd\n", "line 10: the definition ends without a `Move`"},
    {"Set X 3 1\nMoveAlias A B\n", "line 2: `MoveAlias` comes after `Solved`"},
    {"Set X 3 1\nTrack 1\n", "line 2: `Track` comes after the `Slide` or `Solved` whose pieces it names"},
    {HEAD "Track 4\n", "line 7: '4' is not a number from 1 to 3"},
    {HEAD "Track 1 1\n", "line 7: piece 1 is tracked twice"},
    {HEAD "Track Y 1\n", "line 7: no set is called 'Y'"},
    {HEAD "Track 1\nTrack 2\n", "line 8: a second `Track`"},
    {"Set X 2 1\nSet Y 2 1\nSolved\nEnd\nTrack 1\n", "line 5: of which set? `Track SET PIECE PIECE ...`"},
    {HEAD "Track 1\nGoal\nX\n2 1 3\nEnd\n", "line 8: pieces that look alike, by `Track`, can't have a `Goal`"},
    {HEAD "Goal\nX\n2 1 3\nEnd\nTrack 1\n", "line 11: pieces that look alike, by `Track`, can't have a `Goal`"},
    {"Set X 3 1\nSolved\nX\n1 1 2\nEnd\nTrack 3\n", "line 6: `Solved` has no piece 3"},
    {"Roll 2 2 2\n", "line 1: expected `Roll ROWS COLUMNS`, once and without a `Set`"},
    {"Roll 2 2\nSlide 2 2\n", "line 2: expected `Slide ROWS COLUMNS [LAYERS]`, once and without a `Set`"},
    {"Roll 3 4\n", "line 1: a board of 12 cells has too many states to tabulate: at most 10 cells"},
    {"Roll 2 2\nLetters CUBES E W R\n", "line 2: 3 letters for the 4 values of set CUBES"},
    {"Roll 2 2\nSolved\nCUBES\n0 1 2 4\nEnd\n", "line 4: '4' is not a number from 0 to 3"},
    {"Roll 2 2\nSolved\nCUBES\n0 1 0 2\nEnd\n", "line 4: 2 cells are empty, not one"},
    {"Roll 2 2\nGoal\nCUBES\n1 1 1 1\nEnd\n", "line 4: 0 cells are empty, not one"},
    {HEAD "Powers some\n", "line 7: expected `Powers none` or `Powers all`"},
    {"Set X 13 1\nSolved\nEnd\nMove A\nX\n2 1 3 4 5 6 7 8 9 10 11 12 13\nEnd\n"
     "Move B\nX\n2 3 4 5 6 7 8 9 10 11 12 13 1\nEnd\n",
     "line 1: Unnamed has too many states to tabulate: 6227020800, more than 4294967296; `Track` makes some of its "
     "pieces alike"},
    {"Set X 8 1\nSet Y 9 1\nSolved\nEnd\nMove A\nX\n2 1 3 4 5 6 7 8\nY\n2 1 3 4 5 6 7 8 9\nEnd\n"
     "Move B\nX\n2 3 4 5 6 7 8 1\nY\n2 3 4 5 6 7 8 9 1\nEnd\n",
     "line 2: Unnamed has too many states to tabulate: 14631321600, more than 4294967296; `Track` makes some of its "
     "pieces alike"},
    {"Set X 4 1\nSolved\nEnd\nMove A\nX\n2 3 4 1\nEnd\nMove A2\nX\n2 1 3 4\nEnd\n",
     "line 8: another move is called A2 as well, powers included, and does something else"},
};

Test(definition, what_is_wrong_is_said_with_its_line)
{
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct puzzle puzzle;
        struct fewest_error error;
        cr_assert_not(puzzle_compile(&puzzle, BAD[i].text, strlen(BAD[i].text), METRIC_POWERS, &error), "%s",
                      BAD[i].text);
        cr_expect_str_eq(error.text, BAD[i].expected);
    }
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
}

Test(definition, every_prefix_of_a_definition_is_read_without_harm)
{
    static const char TEXT[] = HEAD "Powers none\nBoard 2 3\nMove A\nX\n2 1 3\n1 0 0\nEnd\nMove B\nX\n2 3 1\nEnd\n";
    unsigned good = 0;
    for (size_t length = 0; length < sizeof TEXT; length++) {
        char *exact = malloc(length + 1); // its end is watched by the sanitizer
        struct puzzle puzzle;
        struct fewest_error error;
        memcpy(exact, TEXT, length);
        char *end = realloc(exact, length > 0 ? length : 1);
        if (puzzle_compile(&puzzle, end, length, METRIC_POWERS, &error)) {
            good++;
            puzzle_free(&puzzle);
        }
        free(end);
    }
    cr_assert_gt(good, 0);
}
