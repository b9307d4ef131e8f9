// The twin of the sliding boards that have a table: boards of up to three dimensions, whose tiles
// may look alike, and moves of a row of tiles. It goes from board to board, and has no numbers for
// them.
//
// A board is a row of bytes, 0 for the blank. A move takes the blank along an axis, cell by cell,
// and exchanges it with each tile on its way. Its name is the way of the blank (a, b, d, l, r or u)
// and, if that is longer than one cell, its length.
#ifndef TWIN_TILES_H
#define TWIN_TILES_H

#include "twin_search.h"

enum { TWIN_TILES_CELLS = 25, TWIN_TILES_MOVES = 64, TWIN_TILES_NAME = 8 };

struct twin_tiles {
    int columns;
    int rows;
    int layers;
    bool multi; // does a row of tiles move at once?
    int move_count;
    char names[TWIN_TILES_MOVES][TWIN_TILES_NAME]; // in byte order
};

// Fills in the moves of a board whose sizes are there.
void twin_tiles_list_moves(struct twin_tiles *tiles);

// Makes a move. Returns false if the blank would leave the board.
bool twin_tiles_move(const struct twin_tiles *tiles, const char *name, const uint8_t *from,
                     uint8_t *to);

// All boards that moves lead to from a root.
struct twin_states *twin_tiles_search(const struct twin_tiles *tiles, const uint8_t *root,
                                      size_t most);

#endif
