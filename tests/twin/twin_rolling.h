// The twin of the rolling cubes.
//
// On a board of rows x columns cells, at most ten, one cell is empty and every other cell holds a
// cube. Opposite faces of a cube have the same colour; the colours are W, R and B. At the start
// every cube shows W on top, R in front and B on the right.
//
// A move rolls a neighbour of the empty cell into it. Along a column, the cube's top and front
// colours change places; along a row, its top and right colours do. A move is named by the way the
// empty cell goes: d down, l left, r right, u up.
//
// A state is the empty cell and the way every cube lies. A target gives the top of each cell in
// reading order: W, R, B, E for the empty cell, or * for any of these.
#ifndef TWIN_ROLLING_H
#define TWIN_ROLLING_H

#include "twin_search.h"

enum { TWIN_ROLLING_CELLS = 10, TWIN_ROLLING_PATH = 64 };

// The states reachable from the start with a given empty cell.
struct twin_rolling {
    int rows;
    int columns;
    struct twin_states *states;
};

// Finds every state reachable from the start that has this empty cell. Cells count from 0 in
// reading order.
struct twin_rolling *twin_rolling_explore(int rows, int columns, int empty);
void twin_rolling_free(struct twin_rolling *world);

// Writes the tops of a state as a string of W R B E in reading order.
void twin_rolling_tops(const struct twin_rolling *world, size_t number,
                       char out[TWIN_ROLLING_CELLS + 1]);

// The least number of moves from the start to any state whose tops match the target; -1 if no such
// state was reached.
int twin_rolling_steps(const struct twin_rolling *world, const char *target);

// Writes the shortest path from the start to a state that is the first in byte order.
void twin_rolling_path_to(const struct twin_rolling *world, size_t number,
                          char out[TWIN_ROLLING_PATH]);

#endif
