/*
 * The naive twin: a second derivation of puzzle distances, kept slow and
 * obvious so that the fast code can be compared with it.  It shares nothing
 * with the code under test: no tables, no ranks, no parsers.
 *
 * Misuse (an unknown move name, a row that is no permutation, no memory) ends
 * the program with a message: a twin that guesses would be worth nothing.
 */
#ifndef TWIN_H
#define TWIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Part 1: the Game.
 *
 * A board is nine tiles '1'..'9' in reading order, as nine chars without a
 * terminator.  A move rotates one row or one column by one place: R1 R2 R3
 * rotate that row to the right, C1 C2 C3 rotate that column down, and a
 * trailing ' means the other way.  The solved board is 123456789.
 */

enum { TWIN_GAME_UNREACHABLE = 255 };

/* The twelve names, in byte order. */
extern const char *const twin_game_moves[12];

/* from and to may be the same board. */
void twin_game_move(const char *name, const char from[9], char to[9]);

/* Position of the board among all 9! boards in dictionary order, from 0. */
unsigned twin_game_rank(const char board[9]);
void twin_game_unrank(unsigned rank, char board[9]);

/*
 * The distance of every board from 123456789, by rank: 9! bytes.  It is
 * TWIN_GAME_UNREACHABLE if no moves lead to the board.  The first call computes
 * the array, which is never freed.
 */
const unsigned char *twin_game_distances(void);

/*
 * Fewest moves from start to any board that fits target, in which '*' stands
 * for any tile.  -1 if no such board can be reached, or if start is not a
 * board.
 */
int twin_game_steps(const char start[9], const char target[9]);

/*
 * Writes the shortest path whose sequence of names comes first in byte order,
 * with single spaces between the names.  It is empty if start already fits.
 * Returns false, with out empty, if there is no path.
 */
bool twin_game_path(const char start[9], const char target[9], char out[64]);

#endif
