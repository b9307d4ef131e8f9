// Paths that are found from their ends.
#ifndef FEWEST_QUERY_ANSWER_LOOK_UP_H
#define FEWEST_QUERY_ANSWER_LOOK_UP_H

#include "tables/puzzle/puzzle.h"

// Replaces the moves of a path from `start` by those of the way back to it. Each move is undone by
// the first move that leads back. All moves must have inverses, and `steps` is at most
// FEWEST_PATH_MOST.
void path_undo(const struct puzzle *puzzle, const uint8_t *start, unsigned *moves, int steps);

#endif
