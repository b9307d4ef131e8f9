// Tests puzzles of more than 2^32 states, without their tables: indices and moves against a naive
// twin, and the pages of a search.
#include "gen/plan/forecast.h"
#include "gen/plan/wildcards.h"
#include "tables/algebra/chain_pages.h"
#include "tables/families/board/board.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20000 };

static struct puzzle compile(const char *text, uint64_t states)
{
    struct fewest_error error;
    struct puzzle puzzle = support_compile(text, METRIC_POWERS);
    cr_assert(wildcards_number(&puzzle, &error), "%s", error.text);
    cr_assert_eq(puzzle.numbering.state_count, states, "%s", text);
    return puzzle;
}

// A random index, above 2^32 if there are more than 2^33 states.
static uint64_t random_index(const struct puzzle *puzzle)
{
    uint64_t states = puzzle->numbering.state_count;
    uint64_t index = support_random() % states;
    return index >> 32 == 0 ? states - 1 - index : index;
}

// ---- Sliding boards -----------------------------------------------------------------------------

// The cell's number in the chain: that of the root is 0, and the others follow in their order.
static unsigned point_of(unsigned cell, unsigned root)
{
    return cell == root ? 0 : cell + (cell < root ? 1 : 0);
}

// The twin of a rank: the formula of FORMAT.md. `root` is the cell of the root and the symbol of
// the blank.
static uint64_t twin_rank(const uint8_t *relative, unsigned cells, unsigned root)
{
    unsigned place[16]; // by point
    bool taken[16] = {false};
    for (unsigned i = 0; i < cells; i++) {
        place[point_of(relative[i], root)] = point_of(i, root);
    }
    uint64_t rank = 0;
    for (unsigned i = 0; i + 2 < cells; i++) {
        unsigned digit = 0;
        for (unsigned lower = 0; lower < place[i]; lower++) {
            digit += !taken[lower];
        }
        taken[place[i]] = true;
        rank = rank * (cells - i) + digit;
    }
    return rank;
}

// The twin of a move: exchanges a symbol with its neighbour. False at the edge.
static bool twin_slide(uint8_t *board, unsigned rows, unsigned columns, uint8_t blank, char move)
{
    unsigned cell = 0;
    while (board[cell] != blank) {
        cell++;
    }
    unsigned row = cell / columns;
    unsigned column = cell % columns;
    if ((move == 'l' && column-- == 0) || (move == 'r' && ++column == columns) ||
        (move == 'u' && row-- == 0) || (move == 'd' && ++row == rows)) {
        return false;
    }
    board[cell] = board[row * columns + column];
    board[row * columns + column] = blank;
    return true;
}

// Compares the neighbours of an index with the twin's, and with those of a typed state: START is
// the goal, so tile t of TARGET has the symbol of the cell where the goal has t.
static void compare_moves(const struct puzzle *puzzle, unsigned rows, unsigned columns,
                          uint64_t index)
{
    unsigned cells = puzzle->cell_count;
    uint8_t root = (uint8_t)puzzle->numbering.roots[0].cell;
    uint64_t neighbours[MOVES_MOST];
    uint8_t relative[CELLS_MOST];
    uint8_t target[CELLS_MOST];
    puzzle_unrank(puzzle, 0, index, relative);
    for (unsigned i = 0; i < cells; i++) {
        target[i] = puzzle->goals[0][relative[i]];
    }
    puzzle_neighbours(puzzle, 0, index, neighbours);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        uint8_t moved[CELLS_MOST];
        uint8_t after[CELLS_MOST];
        uint8_t related[CELLS_MOST];
        unsigned number;
        struct fewest_error error;
        memcpy(moved, relative, cells);
        bool moves = twin_slide(moved, rows, columns, root, puzzle->moves[m].name[0]);
        cr_assert_eq(puzzle_apply(puzzle, m, target, after), moves);
        cr_assert_eq(neighbours[m], moves ? twin_rank(moved, cells, root) : INDEX_NONE,
                     "state %llu", (unsigned long long)index);
        if (moves) {
            cr_assert_eq(puzzle_rank(puzzle, 0, moved), neighbours[m]);
            cr_assert(
                puzzle_find_relative(puzzle, puzzle->goals[0], after, &number, related, &error));
            cr_assert_eq(number, 0);
            cr_assert_arr_eq(related, moved, cells);
        }
    }
}

// Two tiles of a board can't be exchanged.
static void expect_no_index_if_exchanged(const struct puzzle *puzzle, uint8_t *relative)
{
    unsigned root = puzzle->numbering.roots[0].cell;
    unsigned a = relative[0] == root ? 2 : 0;
    unsigned b = relative[1] == root ? 2 : 1;
    uint8_t kept = relative[a];
    relative[a] = relative[b];
    relative[b] = kept;
    cr_assert_eq(puzzle_rank(puzzle, 0, relative), INDEX_NONE);
}

static void compare_board(unsigned rows, unsigned columns, uint64_t states)
{
    char text[64];
    snprintf(text, sizeof text, "Name board\nSlide %u %u\n", rows, columns);
    struct puzzle puzzle = compile(text, states);
    unsigned root = puzzle.numbering.roots[0].cell;
    cr_assert_eq(puzzle.numbering.root_count, 1);
    cr_assert_eq(puzzle.numbering.roots[0].wildcards.entries, 0);
    for (unsigned i = 0; i < ROUNDS; i++) {
        static const unsigned ENDS = 4; // the first and the last indices
        uint64_t index = i < ENDS       ? i
                         : i < 2 * ENDS ? states - 1 - (i - ENDS)
                                        : random_index(&puzzle);
        uint8_t relative[CELLS_MOST];
        puzzle_unrank(&puzzle, 0, index, relative);
        cr_assert_eq(puzzle_rank(&puzzle, 0, relative), index);
        cr_assert_eq(twin_rank(relative, puzzle.cell_count, root), index);
        compare_moves(&puzzle, rows, columns, index);
        expect_no_index_if_exchanged(&puzzle, relative);
    }
    puzzle_free(&puzzle);
}

Test(large, boards_of_13_to_15_cells_have_the_indices_and_moves_of_the_twin, .timeout = 60)
{
    compare_board(2, 7, UINT64_C(43589145600));
    compare_board(7, 2, UINT64_C(43589145600));
    compare_board(3, 5, UINT64_C(653837184000));
    compare_board(5, 3, UINT64_C(653837184000));
}

// ---- Permutation puzzles ------------------------------------------------------------------------

// The neighbours of an index must be those of the states that the moves make.
static void compare_permutations(const char *text, uint64_t states)
{
    struct puzzle puzzle = compile(text, states);
    uint64_t neighbours[MOVES_MOST];
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t index = random_index(&puzzle);
        uint8_t relative[CELLS_MOST];
        puzzle_unrank(&puzzle, 0, index, relative);
        cr_assert_eq(puzzle_rank(&puzzle, 0, relative), index, "%s", text);
        puzzle_neighbours(&puzzle, 0, index, neighbours);
        for (unsigned m = 0; m < puzzle.move_count; m++) {
            uint8_t after[CELLS_MOST];
            uint8_t expected[CELLS_MOST];
            cr_assert_lt(neighbours[m], states);
            puzzle_unrank(&puzzle, 0, neighbours[m], after);
            cr_assert(puzzle_apply(&puzzle, m, relative, expected));
            cr_assert_arr_eq(after, expected, puzzle.cell_count, "%s", text);
        }
    }
    puzzle_free(&puzzle);
}

Test(large, permutations_have_indices_above_32_bits, .timeout = 60)
{
    // 14!, and 15! / 2: three-cycles are even.
    compare_permutations(
        "Set X 14 1\nSolved\nEnd\nMove A\nX\n2 1 3 4 5 6 7 8 9 10 11 12 13 14\nEnd\n"
        "Move B\nX\n2 3 4 5 6 7 8 9 10 11 12 13 14 1\nEnd\n",
        UINT64_C(87178291200));
    compare_permutations("Set X 15 1\nSolved\nEnd\nMove A\nX\n2 3 1 4 5 6 7 8 9 10 11 12 13 14 15\n"
                         "End\nMove B\nX\n2 3 4 5 6 7 8 9 10 11 12 13 14 15 1\nEnd\n",
                         UINT64_C(653837184000));
}

// ---- Costs --------------------------------------------------------------------------------------

// The pages of a search lead where the moves lead.
static void compare_pages(const char *text, uint64_t states)
{
    enum { PAGES = 200, WANTED = 25000 };
    struct puzzle puzzle = compile(text, states);
    struct chain_pages pages;
    struct chain_step steps[PAGES][BOARD_MOVES_MOST];
    uint64_t page[PAGES];
    cr_assert(chain_pages_make(&pages, puzzle.numbering.roots[0].chain, WANTED));
    cr_assert_eq(pages.page_count * pages.page_size, states);
    for (unsigned i = 0; i < PAGES; i++) {
        page[i] = support_random() % pages.page_count;
        cr_assert(chain_pages_step(&pages, page[i], steps[i]));
    }
    cr_assert(chain_pages_fill(&pages));
    for (unsigned i = 0; i < PAGES; i++) {
        uint64_t neighbours[BOARD_MOVES_MOST];
        uint64_t from = page[i] * pages.page_size + support_random_below((unsigned)pages.page_size);
        puzzle_neighbours(&puzzle, 0, from, neighbours);
        for (unsigned m = 0; m < puzzle.move_count; m++) {
            cr_assert_eq(steps[i][m].page == CHAIN_PAGE_NONE
                             ? INDEX_NONE
                             : chain_pages_go(&pages, steps[i][m], from),
                         neighbours[m]);
        }
    }
    chain_pages_free(&pages);
    puzzle_free(&puzzle);
}

Test(large, the_pages_of_a_large_board_lead_where_its_moves_lead)
{
    compare_pages("Slide 2 7\n", UINT64_C(43589145600));
    compare_pages("Slide 3 5\n", UINT64_C(653837184000));
}

Test(large, a_run_that_needs_too_much_memory_says_how_much)
{
    struct puzzle puzzle = compile("Name long\nSlide 3 5\n", UINT64_C(653837184000));
    struct search_options options = {.threads = 1};
    struct forecast forecast = forecast_costs(&puzzle, &options, 1, 0);
    struct fewest_error error;
    cr_assert_geq(forecast.memory, puzzle.numbering.state_count / 4);
    cr_assert_geq(forecast.table + forecast.layers, 2 * puzzle.numbering.state_count,
                  "the table and the layers");
    forecast.memory = UINT64_C(305) << 30;
    cr_assert_not(forecast_check_memory(&forecast, &puzzle, UINT64_C(1) << 30, &error));
    cr_assert_str_eq(error.text, "making the table of long needs 305 GiB of memory, but --memory "
                                 "allows only 1024 MiB");
    forecast.memory = UINT64_MAX;
    cr_assert_not(forecast_check_memory(&forecast, &puzzle, 0, &error));
    cr_assert_eq(error.status, FEWEST_SYSTEM);
    cr_assert(strstr(error.text, "needs 16777216 TiB of memory, but only"), "%s", error.text);
    puzzle_free(&puzzle);
}
