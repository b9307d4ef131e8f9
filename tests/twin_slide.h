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
    TWIN_SLIDE_CELLS = 100, /* of a board to be solved, at most */
    TWIN_SLIDE_PATH = 128,
    TWIN_SLIDE_UNREACHABLE = -1,
    TWIN_SLIDE_GAVE_UP = -2,
};

/*
 * Part 1: one board to another.
 */

/*
 * Fewest moves from start to goal; path is a shortest path, of several the
 * first in byte order.  TWIN_SLIDE_UNREACHABLE if no moves lead there, and
 * TWIN_SLIDE_GAVE_UP once more than most_nodes boards were looked at (a board
 * counts each time it is met); path is empty then.  A path that does not fit
 * ends the program.
 */
int twin_slide_solve(int rows, int columns, const int *start, const int *goal, long long most_nodes,
                     char path[TWIN_SLIDE_PATH]);

/*
 * Makes the moves on the board, of any size; letters may be of either case.
 * False if one of them can't be made; the board is then as it was before that
 * move.
 */
bool twin_slide_replay(int rows, int columns, int *board, const char *path);

/*
 * Part 2: a pattern database.
 *
 * Only some tiles are tracked; all others look the same.  Counted are the moves
 * of tracked tiles, while the blank passes others for nothing.  So the least
 * counts of databases that have no tile in common may be added up, and the sum
 * is never more than the fewest moves.
 */

enum { TWIN_DATABASE_CELLS = 16, TWIN_DATABASE_TILES = 6, TWIN_DATABASE_STATES = 1 << 24 };

/* Opaque: how far each arrangement of the tracked tiles is from their goal. */
struct twin_database;

/*
 * Tiles are some of 1 .. rows x columns - 1, none twice.  The board has to be
 * small enough that cells to the power of tile_count + 1 is at most
 * TWIN_DATABASE_STATES, which allows five tiles of sixteen cells.
 */
struct twin_database *twin_database_make(int rows, int columns, const int *goal, const int *tiles,
                                         int tile_count);

/*
 * Fewest moves of tracked tiles between the goal and any board that has them in
 * these cells (from 0, in the order of the tiles given), wherever its blank is.
 * -1 if there is no such board that can be reached.
 */
int twin_database_distance(const struct twin_database *database, const int *cells_of_tiles);

void twin_database_free(struct twin_database *database);

#endif
