// The twin of the Game.
//
// A board is nine tiles '1' to '9' in reading order, without a terminator. A move rotates one row
// or one column by one place: R1 R2 R3 rotate that row to the right, C1 C2 C3 rotate that column
// down, and a trailing ' means the other way. The solved board is 123456789.
#ifndef TWIN_GAME_H
#define TWIN_GAME_H

#include "twin_search.h"

enum { TWIN_GAME_CELLS = 9, TWIN_GAME_PATH = 64 };

// All boards that moves lead to from the solved one. The first call searches; nobody frees them.
const struct twin_states *twin_game_states(void);

// The least number of moves from start to any board that fits target, in which '*' stands for any
// tile. -1 if no such board can be reached, or if start is not a board.
int twin_game_steps(const char *start, const char *target);

// Writes the shortest path whose sequence of names comes first in byte order, with single spaces
// between the names. It is empty if start already fits. Returns false, with out empty, if there is
// no path.
bool twin_game_path(const char *start, const char *target, char out[TWIN_GAME_PATH]);

#endif
