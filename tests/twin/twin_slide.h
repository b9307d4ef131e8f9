// The twin of the sliding boards that are too large for a table.
//
// A board is rows x columns numbers in reading order, each of 0 (the blank) to rows x columns - 1
// once. A move exchanges the blank with a neighbour and is named by the way the blank goes: d down,
// l left, r right, u up.
//
// Misuse (an impossible board, a tile that is not on it, an unknown letter) ends the program with a
// message.
#ifndef TWIN_SLIDE_H
#define TWIN_SLIDE_H

#include <stdbool.h>

enum {
    TWIN_SLIDE_CELLS = 100, // limit for a board to be solved
    TWIN_SLIDE_PATH = 128,
    TWIN_SLIDE_UNREACHABLE = -1,
    TWIN_SLIDE_GAVE_UP = -2,
};

#define TWIN_SLIDE_MOVES "dlru" // in byte order

// The cell that the blank goes to; -1 if it would leave the board.
int twin_slide_cell(int rows, int columns, int blank, char move);

// ---- One board to another -----------------------------------------------------------------------

// Returns the fewest moves from start to goal, and writes the shortest path that is the first in
// byte order. Returns TWIN_SLIDE_UNREACHABLE if no moves lead there, and TWIN_SLIDE_GAVE_UP after
// more than most_nodes boards (a board counts each time it is met). The path is then empty. A path
// that does not fit ends the program.
int twin_slide_solve(int rows, int columns, const int *start, const int *goal, long long most_nodes,
                     char path[TWIN_SLIDE_PATH]);

// Makes the moves on a board of any size. Returns false if a move can't be made; the board is then
// as it was before that move.
bool twin_slide_replay(int rows, int columns, int *board, const char *path);

// ---- A pattern database -------------------------------------------------------------------------

// A pattern database distinguishes some tiles; all others look the same. It counts only the moves
// of its own tiles. So the least counts of databases that share no tile may be added, and the sum
// is never more than the fewest moves.
enum { TWIN_DATABASE_CELLS = 16, TWIN_DATABASE_TILES = 6 };

// Opaque: the distance of each arrangement of the tiles from their goal.
struct twin_database;

// The tiles are some of 1 .. rows x columns - 1, none twice.
struct twin_database *twin_database_make(int rows, int columns, const int *goal, const int *tiles,
                                         int tile_count);

// Fewest moves of the database's tiles between the goal and any board that has them in these cells
// (from 0, in the order of the tiles given). The blank may be anywhere. -1 if no such board can be
// reached.
int twin_database_distance(const struct twin_database *database, const int *cells_of_tiles);

void twin_database_free(struct twin_database *database);

#endif
