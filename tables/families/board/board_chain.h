// A board with one blank as a chain (chain.h). A point is a cell, and a thing is the home of the
// blank or of a tile. If tiles look alike, the homes of all that look like one another are a thing.
//
// The moves of the blank are no group, but the walks that bring it home are: a tree of moves takes
// the blank from its home to every cell, and each other move makes a loop, along the tree, over the
// move, and back along the tree. All walks from home to home are products of these loops. So the
// first digit is the cell of the blank, and the loops generate the group of the others.
//
// On a *line*, all loops are the identity. On any other board, they generate all even permutations
// of the tiles (R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", 1974). If all
// tiles differ, the two last ones then follow from the others, so the chain leaves them out, and
// may exchange them. Its digits are the Lehmer code of the points where the blank and the tiles
// are.
//
// A move may take the blank several cells. It is a product of moves by one cell, so it makes no
// loop of its own.
#ifndef FEWEST_TABLES_FAMILIES_BOARD_BOARD_CHAIN_H
#define FEWEST_TABLES_FAMILIES_BOARD_BOARD_CHAIN_H

#include "board.h"
#include "tables/algebra/chain/chain.h"

// Room for a loop for each direction at each cell, and for the exchange of the two last tiles.
enum { BOARD_CHAIN_LOOPS = BOARD_DIRECTIONS * BOARD_CELLS_MOST + 1 };

// A row tells where each point is taken: point x to row[x].
struct board_chain {
    unsigned cells;
    bool is_line;                                // all loops are the identity
    chain_point point_of[BOARD_CELLS_MOST];      // by cell: the blank's home is point 0
    uint8_t cell_of[BOARD_CELLS_MOST];           // by point
    chain_point points[BOARD_CELLS_MOST];        // 0, 1, 2, …: also the row of the identity
    struct chain_thing things[BOARD_CELLS_MOST]; // of the points in their order
    unsigned thing_count;
    // By point of the blank: what the tree's walk from home to there does. `elements` points to
    // these rows, and is NULL where no walk has come yet.
    chain_point tree[BOARD_CELLS_MOST][BOARD_CELLS_MOST];
    const chain_point *elements[BOARD_CELLS_MOST];
    // Row p × moves + m is move m with the blank at point p. `steps` points to these rows, and is
    // NULL if the move can't be made there.
    chain_point (*step_rows)[BOARD_CELLS_MOST];
    const chain_point **steps;
    // A row for each loop, plan.move_count in all: what it does. `loops` points to these rows.
    chain_point loop_rows[BOARD_CHAIN_LOOPS][BOARD_CELLS_MOST];
    const chain_point *loops[BOARD_CHAIN_LOOPS];
    struct chain_plan plan; // points into this struct, which may not be moved
};

// Makes the plan of a board with so many moves. `home` is the cell of the blank in state 0. If
// `alike` is not NULL, it is state 0: tiles with the same number look alike, and the things are in
// the order of these numbers. Otherwise they are in the order of their cells. `reversed` means the
// opposite order. Returns false if memory runs out. The caller frees the chain in any case.
bool board_chain_make(struct board_chain *made, const struct board *board, unsigned move_count,
                      unsigned home, const uint8_t *alike, bool reversed);
void board_chain_free(struct board_chain *made);

#endif
