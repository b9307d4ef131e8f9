// The wildcard closure: the distance of every numbered pattern, from those of the states.
#ifndef FEWEST_GEN_CLOSURE_H
#define FEWEST_GEN_CLOSURE_H

#include "puzzle/puzzle.h"

// The distance of a pattern is the least of its states': so it is the least over one wildcard filled in every way. This
// makes it a dynamic program from the patterns with one wildcard down to the one without a given cell.
//
// Fills distances[0 … patterns.entries-1 of the root] from `states` (of search_distances), UNREACHED where no state can
// be reached.
void closure_distances(const struct puzzle *puzzle, unsigned root, unsigned threads, const uint8_t *states,
                       uint8_t *distances);

#endif
