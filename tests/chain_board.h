// A board with one blank as a chain (chain.h). A point is a cell, and a thing is the home of the
// blank or of a tile.
//
// The moves of the blank are no group, but the walks that bring it home are: a tree of moves takes
// the blank from its home to every cell, and each other move makes a loop, along the tree, over the
// move, and back along the tree. All walks from home to home are products of these loops. So the
// first digit is the cell of the blank, and the loops generate the group of the others.
#ifndef CHAIN_BOARD_H
#define CHAIN_BOARD_H

#include "chain.h"
#include "puzzle/board.h"

enum { CHAIN_BOARD_ROWS = BOARD_MOVES_MOST * BOARD_CELLS_MOST };

struct chain_board {
    unsigned cells;
    chain_point point_of[BOARD_CELLS_MOST]; // by cell: the blank's home is point 0
    uint8_t cell_of[BOARD_CELLS_MOST];      // by point
    chain_point points[BOARD_CELLS_MOST];   // 0, 1, 2, …
    struct chain_thing things[BOARD_CELLS_MOST];
    chain_point tree[BOARD_CELLS_MOST][BOARD_CELLS_MOST]; // by image of the blank's home
    const chain_point *elements[BOARD_CELLS_MOST];
    chain_point exchange[CHAIN_BOARD_ROWS][BOARD_CELLS_MOST];
    const chain_point *steps[CHAIN_BOARD_ROWS];
    chain_point loop[CHAIN_BOARD_ROWS][BOARD_CELLS_MOST];
    const chain_point *loops[CHAIN_BOARD_ROWS];
    struct chain_plan plan; // points into this struct, which may not be moved
};

// Makes the plan of a board. `home` is the cell of the blank in state 0.
void chain_board_make(struct chain_board *made, const struct board *board, unsigned cells,
                      unsigned move_count, unsigned home);

#endif
