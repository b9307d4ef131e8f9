// Full states (numbering.h): the search finds their distances. The table holds the least distance
// of each visible state, and one bit of each full state.
#ifndef FEWEST_GEN_FULL_STATES_H
#define FEWEST_GEN_FULL_STATES_H

#include "distances.h"
#include "puzzle/puzzle.h"

// Lowers the distance of each visible state to the least distance of its full states. The entries
// of `full` have 8 bits. `states` holds state_count bytes, at first UNREACHED.
void full_states_fold(const struct puzzle *puzzle, const struct distances *full, uint8_t *states);

// Replaces each distance, of 8 bits, by its second lowest bit, as 0 or UNREACHED. With the lowest
// bit, which follows from the blank's cell, this gives the distance mod 4. A move changes the
// distance by one, and the distance mod 4 tells whether up or down.
void full_states_reduce_mod4(struct distances *full);

#endif
