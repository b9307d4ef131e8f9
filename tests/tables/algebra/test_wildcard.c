// Tests of the index of wildcard targets: its numbers, classes and symmetries.
#include "gen/plan/wildcards.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct puzzle compile(const char *text, size_t length)
{
    struct puzzle puzzle;
    struct fewest_error error;
    cr_assert(puzzle_compile(&puzzle, text, length, METRIC_POWERS, &error), "%s", error.text);
    cr_assert(wildcards_number(&puzzle, &error), "%s", error.text);
    return puzzle;
}

static struct puzzle compile_game(void)
{
    char *text = support_read("tables/puzzles/game.puzzle", NULL);
    struct puzzle puzzle = compile(text, strlen(text));
    free(text);
    return puzzle;
}

// The board of the game has 72. The masks can do without six of them.
Test(target, the_symmetries_of_the_game_are_those_of_its_board)
{
    struct puzzle puzzle = compile_game();
    const struct wildcard_index *wildcards = &puzzle.numbering.roots[0].wildcards;
    cr_assert_eq(wildcards->symmetry_count, 66);
    for (unsigned s = 0; s < 66; s++) {
        // A symmetry takes rows to rows and columns to columns or, if it transposes the board, to
        // each other.
        const uint8_t *to = wildcards->symmetries[s].to;
        bool transposed = to[0] / 3 != to[1] / 3;
        for (unsigned i = 0; i < 9; i++) {
            for (unsigned j = 0; j < 9; j++) {
                bool same_row = i / 3 == j / 3;
                bool same_column = i % 3 == j % 3;
                bool images_share_row = to[i] / 3 == to[j] / 3;
                bool images_share_column = to[i] % 3 == to[j] % 3;
                cr_assert_eq(same_row, transposed ? images_share_column : images_share_row);
                cr_assert_eq(same_column, transposed ? images_share_row : images_share_column);
            }
        }
        for (unsigned other = 0; other < s; other++) {
            cr_assert_neq(memcmp(to, wildcards->symmetries[other].to, 9), 0);
        }
    }
    puzzle_free(&puzzle);
}

// Takes a set of cells of the 3x3 board to its image. Symmetry number s permutes the rows, then the
// columns, and may transpose the board.
static unsigned move_mask(unsigned s, unsigned mask)
{
    static const unsigned ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    unsigned image = 0;
    for (unsigned cell = 0; cell < 9; cell++) {
        unsigned row = ORDERS[s % 6][cell / 3];
        unsigned column = ORDERS[s / 6 % 6][cell % 3];
        image |= (mask >> cell & 1) << (s < 36 ? 3 * row + column : 3 * column + row);
    }
    return image;
}

// Counts the sets of given cells up to symmetry, and the rows of different symbols in one set of
// each class. Leaves out the set of all nine cells, which is no wildcard target.
static void count_classes(unsigned *classes, uint64_t *targets)
{
    *classes = 0;
    *targets = 0;
    for (unsigned mask = 0; mask < 511; mask++) {
        bool least = true;
        uint64_t rows = 1;
        for (unsigned s = 0; s < 72; s++) {
            least &= move_mask(s, mask) >= mask;
        }
        for (unsigned cell = 0, left = 9; cell < 9; cell++) {
            rows *= mask >> cell & 1 ? left-- : 1;
        }
        *classes += least;
        *targets += least ? rows : 0;
    }
}

Test(target, the_game_has_25_classes_and_1060570_wildcard_targets)
{
    unsigned classes;
    uint64_t targets;
    struct puzzle puzzle = compile_game();
    const struct wildcard_index *wildcards = &puzzle.numbering.roots[0].wildcards;
    count_classes(&classes, &targets);
    cr_assert_eq(classes, 25);
    for (unsigned mask = 0; mask < 511; mask++) { // 511 gives all nine cells: no wildcards
        cr_assert_lt(wildcards->class_of[mask], classes);
    }
    cr_assert_eq(targets, 1060570);
    cr_assert_eq(wildcards->class_count, classes);
    cr_assert_eq(wildcards->entries, targets);
    cr_assert_eq(wildcards->most_given, 8);
    cr_assert_eq(puzzle.numbering.state_count, 181440, "the even permutations alone");
    puzzle_free(&puzzle);
}

Test(target, too_many_symmetries_or_wildcard_targets_are_left_out_and_not_an_error)
{
    // The moves exchange slot 1 with each other slot. So every permutation of the others is a
    // symmetry: 7! of them. Without any, there are 1,401,409 targets.
    static const char STAR[] = "Set X 8 1\nSolved\nEnd\n"
                               "Move A\nX\n2 1 3 4 5 6 7 8\nEnd\nMove B\nX\n3 2 1 4 5 6 7 8\nEnd\n"
                               "Move C\nX\n4 2 3 1 5 6 7 8\nEnd\nMove D\nX\n5 2 3 4 1 6 7 8\nEnd\n"
                               "Move E\nX\n6 2 3 4 5 1 7 8\nEnd\nMove F\nX\n7 2 3 4 5 6 1 8\nEnd\n"
                               "Move G\nX\n8 2 3 4 5 6 7 1\nEnd\n";
    static const char TEN[] =
        "Powers none\nSet X 10 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 1\nEnd\n"
        "Move B\nX\n2 1 3 4 5 6 7 8 9 10\nEnd\n";
    struct puzzle puzzle = compile(STAR, sizeof STAR - 1);
    cr_assert_leq(puzzle.numbering.roots[0].wildcards.symmetry_count, 256, "one for each mask");
    cr_assert_lt(puzzle.numbering.roots[0].wildcards.entries, 300000);
    puzzle_free(&puzzle);
    puzzle = compile(TEN, sizeof TEN - 1);
    cr_assert_lt(puzzle.numbering.roots[0].wildcards.most_given, 9);
    cr_assert_leq(puzzle.numbering.roots[0].wildcards.entries, WILDCARD_TARGETS_MOST);
    puzzle_free(&puzzle);
}
