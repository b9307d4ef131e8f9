// The wildcard closure: computes the distance of every numbered wildcard target from the distances
// of the states.
#ifndef FEWEST_GEN_CLOSURE_H
#define FEWEST_GEN_CLOSURE_H

#include "tables/puzzle/puzzle.h"

// The distance of a wildcard target is the least distance of its matching states. So it is the
// least distance of the targets that result from filling one of its wildcards. This is a dynamic
// program: it starts with the targets that give the most cells and ends with the one that gives no
// cell.
//
// Fills distances[0 … wildcards.entries-1 of the root] from `states` (of search_distances). An
// entry is UNREACHED if no matching state can be reached. The result does not depend on the number
// of threads.
void closure_distances(const struct puzzle *puzzle, unsigned root, const uint8_t *states,
                       unsigned threads, uint8_t *distances);

#endif
