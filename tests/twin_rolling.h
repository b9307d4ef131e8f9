/*
 * The naive twin of the rolling cubes: a second derivation of their distances
 * and paths, kept slow and obvious so that the fast code can be compared with
 * it.  It shares nothing with the code under test: no tables, no ranks, no
 * parsers.
 *
 * On a board of rows x columns cells, at most ten, one cell is empty and every
 * other cell holds a cube.  Opposite faces of a cube have the same colour; the
 * colours are W, R and B.  At the start every cube shows W on top, R in front
 * and B on the right.
 *
 * A move rolls a neighbour of the empty cell into it: rolled along a column,
 * the cube's top and front colours change places; rolled along a row, its top
 * and right colours do.  A move is named by the way the empty cell goes: d
 * down, l left, r right, u up.
 *
 * A state is which cell is empty and how every cube lies.  A target says what
 * is wanted on top in each cell, in reading order: W, R, B, E for the empty
 * cell, or * for anything, be it a colour or the empty cell.
 *
 * Misuse (an impossible board, a target of the wrong length or with other
 * letters, a state past the last, no memory) ends the program with a message:
 * a twin that guesses would be worth nothing.
 */
#ifndef TWIN_ROLLING_H
#define TWIN_ROLLING_H

#include <stdbool.h>
#include <stddef.h>

enum { TWIN_ROLLING_CELLS = 10, TWIN_ROLLING_PATH = 64 };

/* Opaque: the states reachable from the start with a given empty cell, with their distances from
 * it. */
struct twin_rolling;

/* Every state reachable from the start whose empty cell is the given one, counted from 0 in reading
 * order. */
struct twin_rolling *twin_rolling_explore(int rows, int columns, int empty);

void twin_rolling_free(struct twin_rolling *world);

/* How many states were reached; they are numbered from 0 in the order they were first met, the
 * start first. */
size_t twin_rolling_count(const struct twin_rolling *world);

/* What is on top in each cell of the i-th state, as a string of W R B E in reading order. */
void twin_rolling_tops(const struct twin_rolling *world, size_t i,
                       char out[TWIN_ROLLING_CELLS + 1]);

/* Fewest moves from the start to the i-th state; never falls as i grows. */
int twin_rolling_distance(const struct twin_rolling *world, size_t i);

/* Fewest moves from the start to any state whose tops agree with the target; -1 if no such state
 * was reached. */
int twin_rolling_steps(const struct twin_rolling *world, const char *target);

/*
 * Of the shortest paths from the start to any state whose tops agree with the
 * target, the first in byte order, as a string of d l r u; empty if the start
 * agrees.  False, and out empty, if there is no path.  A path that does not
 * fit out ends the program.
 */
bool twin_rolling_path(const struct twin_rolling *world, const char *target,
                       char out[TWIN_ROLLING_PATH]);

/* Of the shortest paths from the start to the i-th state, the first in byte order. */
void twin_rolling_path_to(const struct twin_rolling *world, size_t i, char out[TWIN_ROLLING_PATH]);

#endif
