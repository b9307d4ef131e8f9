/*
 * The naive twin of the sliding boards that are too large for a table: a
 * second derivation of their distances, kept slow and obvious so that the fast
 * code can be compared with it.  It shares nothing with the code under test:
 * no tables, no ranks, no parsers.
 *
 * A board is rows x columns numbers in reading order, each of 0 (the blank) to
 * rows x columns - 1 once.  A move exchanges the blank with a neighbour and is
 * named by the way the blank goes: d down, l left, r right, u up.
 *
 * Misuse (an impossible board, a tile that is not on it, an unknown letter, no
 * memory) ends the program with a message: a twin that guesses would be worth
 * nothing.
 */
#ifndef TWIN_SLIDE_H
#define TWIN_SLIDE_H

#include <stdbool.h>

enum {
    TWIN_SLIDE_CELLS = 100, /* limit for a board to be solved */
    TWIN_SLIDE_PATH = 128,
    TWIN_SLIDE_UNREACHABLE = -1,
    TWIN_SLIDE_GAVE_UP = -2,
};

/*
 * Part 1: one board to another.
 */

/*
 * Returns the fewest moves from start to goal, and writes the shortest path
 * that is the first in byte order.  Returns TWIN_SLIDE_UNREACHABLE if no moves
 * lead there, and TWIN_SLIDE_GAVE_UP after more than most_nodes boards (a board
 * counts each time it is met).  The path is then empty.  A path that does not
 * fit ends the program.
 */
int twin_slide_solve(int rows, int columns, const int *start, const int *goal, long long most_nodes,
                     char path[TWIN_SLIDE_PATH]);

/*
 * Makes the moves on a board of any size.  Letters may be upper or lower case.
 * Returns false if a move can't be made; the board is then as it was before
 * that move.
 */
bool twin_slide_replay(int rows, int columns, int *board, const char *path);

/*
 * Part 2: a pattern database.
 *
 * A pattern database distinguishes some tiles; all others look the same.  It
 * counts only the moves of its own tiles.  So the least counts of databases
 * that share no tile may be added, and the sum is never more than the fewest
 * moves.
 */

enum { TWIN_DATABASE_CELLS = 16, TWIN_DATABASE_TILES = 6, TWIN_DATABASE_STATES = 1 << 24 };

/* Opaque: the distance of each arrangement of the tiles from their goal. */
struct twin_database;

/*
 * The tiles are some of 1 .. rows x columns - 1, none twice.  The number of
 * cells to the power of tile_count + 1 must be at most TWIN_DATABASE_STATES,
 * which allows five tiles on sixteen cells.
 */
struct twin_database *twin_database_make(int rows, int columns, const int *goal, const int *tiles,
                                         int tile_count);

/*
 * Fewest moves of the database's tiles between the goal and any board that has
 * them in these cells (from 0, in the order of the tiles given).  The blank may
 * be anywhere.  -1 if no such board can be reached.
 */
int twin_database_distance(const struct twin_database *database, const int *cells_of_tiles);

void twin_database_free(struct twin_database *database);

#endif
