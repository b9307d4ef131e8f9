// A board with one blank cell: where the blank can go, the symmetries, and the roots.
//
// The moves of a blank are not a group: the cell of the blank decides which moves are possible. But
// the board has symmetries. One of them takes the blank of a start to a *root*, one of a few cells
// (a corner, an edge and the centre of a 3×3 board). The same symmetry conjugates the target and
// the moves. The families, sliding.c and rolling.c, say what is in the other cells and what a move
// does to it.
#ifndef FEWEST_TABLES_FAMILIES_BOARD_BOARD_H
#define FEWEST_TABLES_FAMILIES_BOARD_BOARD_H

#include "grid.h"
#include "tables/algebra/wildcard.h"
#include "tables/base/errors.h"
#include "tables/definition/definition.h"

enum {
    BOARD_DIRECTIONS = 2 * AXES,
    BOARD_MOVES_MOST = 48,      // on a line of 25 cells, if rows of tiles move
    BOARD_SYMMETRIES_MOST = 48, // of a cube
    NOWHERE = 0xFF,             // no cell, or no root
    BOARD_CELLS_MOST = SYMMETRY_CELLS_MOST,
};

struct puzzle;

struct board {
    struct grid grid;
    uint8_t to[BOARD_MOVES_MOST][BOARD_CELLS_MOST]; // by move: where the blank goes, or NOWHERE
    uint8_t length[BOARD_MOVES_MOST];               // by move: how many cells the blank goes
    int8_t stride[BOARD_MOVES_MOST];                // by move: from cell to cell on its way
    // The colours of a checkerboard, 0 or 1. The blank changes its colour from cell to cell.
    uint8_t colour[BOARD_CELLS_MOST];
    struct symmetry symmetries[BOARD_SYMMETRIES_MOST]; // the first is the identity
    unsigned symmetry_count;
    // By cell of the blank: the number of its root, or NOWHERE if the table does not have it.
    uint8_t root_of[BOARD_CELLS_MOST];
    // By cell of the blank: the symmetry that takes it to its root.
    struct symmetry to_root[BOARD_CELLS_MOST];
};

// Makes the puzzle's board, moves and goals from its definition, whose keyword allows at most
// BOARD_CELLS_MOST cells. Fails if memory runs out; puzzle_free frees what is there.
bool board_build(struct puzzle *puzzle, struct fewest_error *error);

// Adds a root to the numbering for each class of cells that symmetries take to each other: the last
// cell of the class. Fills in root_of and to_root. The caller fills in the relative targets.
void board_find_roots(struct puzzle *puzzle);

// Keeps only the root of the goal's blank.
void board_keep_goal_root(struct puzzle *puzzle);

// The cell that has the symbol. The row of cells must contain it.
unsigned board_find_cell(const uint8_t *cells, unsigned symbol);

// The conjugate of a move by a symmetry s: if the move takes the blank from cell c to cell d, its
// conjugate takes it from cell s(c) to cell s(d).
unsigned board_conjugate_move(const struct board *board, const struct symmetry *symmetry,
                              unsigned move);

#endif
