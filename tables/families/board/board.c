// Builds a board with a blank: its cells, moves, symmetries and roots.
#include "board.h"

#include "tables/puzzle/puzzle.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Moves --------------------------------------------------------------------------------------

// A move takes the blank one cell along an axis.
struct direction {
    char name;
    unsigned axis; // 0: along a row, 1: along a column, 2: from layer to layer
    bool forwards;
};

// How far apart the numbers of two neighbours along an axis are.
static unsigned find_stride(const struct board *board, unsigned axis)
{
    unsigned stride = 1;
    for (unsigned a = 0; a < axis; a++) {
        stride *= board->grid.size[a];
    }
    return stride;
}

// The cell `length` cells after `cell` in a direction, or NOWHERE beyond the edge of the board.
static uint8_t find_next_cell(const struct board *board, struct direction direction,
                              unsigned length, unsigned cell)
{
    unsigned stride = find_stride(board, direction.axis);
    unsigned place = cell / stride % board->grid.size[direction.axis]; // along the axis
    unsigned left = direction.forwards ? board->grid.size[direction.axis] - 1 - place : place;
    if (length > left) {
        return NOWHERE;
    }
    return (uint8_t)(direction.forwards ? cell + length * stride : cell - length * stride);
}

// Adds a move to the puzzle, and to board->to. It is called l or, if the blank goes two cells, l2.
static void add_move(struct puzzle *puzzle, struct board *board, struct direction direction,
                     unsigned length)
{
    unsigned number = puzzle->move_count++;
    struct move *move = &puzzle->moves[number];
    move->name[0] = direction.name;
    if (length > 1) {
        snprintf(move->name + 1, sizeof move->name - 1, "%u", length);
    }
    int stride = (int)find_stride(board, direction.axis);
    board->length[number] = (uint8_t)length;
    board->stride[number] = (int8_t)(direction.forwards ? stride : -stride);
    for (unsigned cell = 0; cell < board->grid.cells; cell++) {
        board->to[number][cell] = find_next_cell(board, direction, length, cell);
    }
}

// The next of the lengths 1 … most of a move, in byte order of their digits. 1 comes first, then 10
// to 19, and then 2. Returns 0 after the last one.
static unsigned find_next_length(unsigned length, unsigned most)
{
    if (10 * length <= most) {
        return 10 * length;
    }
    while (length == most || length % 10 == 9) {
        length /= 10;
    }
    return length > 0 ? length + 1 : 0;
}

// Adds the moves in byte order of their names. An axis with one place has none. Returns false if
// memory runs out.
static bool add_moves(struct puzzle *puzzle, struct board *board)
{
    static const struct direction DIRECTIONS[BOARD_DIRECTIONS] = {
        {'a', 2, false}, {'b', 2, true}, {'d', 1, true},
        {'l', 0, false}, {'r', 0, true}, {'u', 1, false}}; // in byte order of their names
    puzzle->moves = calloc(BOARD_MOVES_MOST, sizeof *puzzle->moves);
    if (!puzzle->moves) {
        return false;
    }
    for (unsigned d = 0; d < BOARD_DIRECTIONS; d++) {
        unsigned most = board->grid.size[DIRECTIONS[d].axis] - 1;
        unsigned longest = most > 0 && !puzzle->definition->moves_rows ? 1 : most;
        for (unsigned n = longest > 0 ? 1 : 0; n > 0; n = find_next_length(n, longest)) {
            add_move(puzzle, board, DIRECTIONS[d], n);
        }
    }
    assert(puzzle->move_count <= BOARD_MOVES_MOST);
    return true;
}

// The row contains the symbol, or the loop would not end.
unsigned board_find_cell(const uint8_t *cells, unsigned symbol)
{
    unsigned i = 0;
    while (cells[i] != symbol) {
        i++;
    }
    return i;
}

// Both loops end: each move can be made from some cell, and has a conjugate. One cell is enough to
// tell the conjugate, because moves go in different directions or by different lengths.
unsigned board_conjugate_move(const struct board *board, const struct symmetry *symmetry,
                              unsigned move)
{
    unsigned from = 0; // some cell where the move can be made
    while (board->to[move][from] == NOWHERE) {
        from++;
    }
    unsigned from_image = symmetry->to[from];
    unsigned to_image = symmetry->to[board->to[move][from]];
    unsigned conjugate = 0;
    while (board->to[conjugate][from_image] != to_image) {
        conjugate++;
    }
    return conjugate;
}

// ---- Symmetries and roots -----------------------------------------------------------------------

// Makes the symmetry that takes axis a to axis order[a]. Bit a of `flips` tells whether it mirrors
// axis a first. False if an axis would come to one of another size.
static bool make_symmetry(const struct board *board, const unsigned *order, unsigned flips,
                          struct symmetry *symmetry)
{
    for (unsigned axis = 0; axis < AXES; axis++) {
        if (board->grid.size[axis] != board->grid.size[order[axis]]) {
            return false;
        }
    }
    for (unsigned cell = 0; cell < board->grid.cells; cell++) {
        unsigned image = 0;
        unsigned rest = cell;
        for (unsigned axis = 0; axis < AXES; axis++) {
            unsigned place = rest % board->grid.size[axis];
            if (flips >> axis & 1) {
                place = board->grid.size[axis] - 1 - place;
            }
            image += place * find_stride(board, order[axis]);
            rest /= board->grid.size[axis];
        }
        symmetry->to[cell] = (uint8_t)image;
        symmetry->from[image] = (uint8_t)cell;
    }
    return true;
}

// Finds all symmetries of the board, each once, the identity first.
static void find_symmetries(struct board *board)
{
    static const unsigned ORDERS[][AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                            {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (unsigned o = 0; o < sizeof ORDERS / sizeof *ORDERS; o++) {
        for (unsigned flips = 0; flips < 1u << AXES; flips++) {
            struct symmetry symmetry = {{0}, {0}};
            bool is_new = make_symmetry(board, ORDERS[o], flips, &symmetry);
            for (unsigned s = 0; s < board->symmetry_count && is_new; s++) {
                is_new = memcmp(board->symmetries[s].to, symmetry.to, board->grid.cells) != 0;
            }
            if (is_new) {
                board->symmetries[board->symmetry_count++] = symmetry;
            }
        }
    }
}

// Colours the cells like a checkerboard; cell 0 has colour 0.
static void colour_cells(struct board *board)
{
    for (unsigned cell = 0; cell < board->grid.cells; cell++) {
        board->colour[cell] = grid_distance(&board->grid, 0, cell) % 2;
    }
}

// Goes from the last cell to the first. A cell without a root becomes one, for all cells that
// symmetries take to it. The cells of a board with roots form at most eight classes (on a line of
// fifteen), so ROOTS_MOST is enough.
void board_find_roots(struct puzzle *puzzle)
{
    struct board *board = puzzle->board;
    memset(board->root_of, NOWHERE, sizeof board->root_of);
    for (unsigned cell = board->grid.cells; cell-- > 0;) {
        if (board->root_of[cell] != NOWHERE) {
            continue;
        }
        assert(puzzle->numbering.root_count < ROOTS_MOST);
        puzzle->numbering.roots[puzzle->numbering.root_count].cell = cell;
        for (unsigned s = 0; s < board->symmetry_count; s++) {
            unsigned source = board->symmetries[s].from[cell];
            if (board->root_of[source] == NOWHERE) {
                board->root_of[source] = (uint8_t)puzzle->numbering.root_count;
                board->to_root[source] = board->symmetries[s];
            }
        }
        puzzle->numbering.root_count++;
    }
}

// ---- The board ----------------------------------------------------------------------------------

// Copies the solved state and the goals of the definition to the puzzle's goals.
static void add_goals(struct puzzle *puzzle, const struct definition *definition)
{
    memcpy(puzzle->goals[0], definition->solved.piece, puzzle->cell_count);
    for (unsigned g = 0; g < definition->goal_count; g++) {
        memcpy(puzzle->goals[1 + g], definition->goals[g].piece, puzzle->cell_count);
    }
    puzzle->goal_count = 1 + definition->goal_count;
}

// The order matters: goals need the number of cells, and symmetries the sizes. The puzzle owns the
// board at once, so that it is freed after any failure.
bool board_build(struct puzzle *puzzle, struct fewest_error *error)
{
    const struct definition *definition = puzzle->definition;
    unsigned cells = definition->piece_count;
    struct board *board = calloc(1, sizeof *board);
    puzzle->board = board;
    if (board) {
        board->grid =
            (struct grid){{definition->columns, definition->rows, definition->layers}, cells};
    }
    if (!board || !add_moves(puzzle, board)) {
        return error_no_memory(error, "for the puzzle");
    }
    puzzle->cell_count = cells;
    if (!puzzle_make_goals(puzzle, error)) {
        return false;
    }
    puzzle->typed_columns = definition->columns;
    puzzle->reversible = true;
    find_symmetries(board);
    colour_cells(board);
    add_goals(puzzle, definition);
    return true;
}

// The goal's root becomes root 0. The symmetries in to_root stay as they are.
void board_keep_goal_root(struct puzzle *puzzle)
{
    struct board *board = puzzle->board;
    unsigned kept = board->root_of[board_find_cell(puzzle->goals[0], 0)];
    puzzle->numbering.roots[0].cell = puzzle->numbering.roots[kept].cell;
    puzzle->numbering.root_count = 1;
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        board->root_of[cell] = board->root_of[cell] == kept ? 0 : NOWHERE;
    }
}
