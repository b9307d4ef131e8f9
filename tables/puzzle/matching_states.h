// The states that match a wildcard target.
#ifndef FEWEST_TABLES_MATCHING_STATES_H
#define FEWEST_TABLES_MATCHING_STATES_H

#include "puzzle.h"

// Does a state match the target? An orientation that does not count matches any.
bool state_matches(const struct puzzle *puzzle, const uint8_t *state, const uint8_t *target);

// The number of states that match the target, or UINT64_MAX if it doesn't fit. If some orientations
// do not count, the result may be larger than that number.
uint64_t count_matching_states(const struct puzzle *puzzle, const uint8_t *target);

// Calls take(context, state) for each matching state once, until it returns false. The states come
// in the order of their dense indices. Orientations that do not count are 0.
typedef bool matching_state_taker(void *context, const uint8_t *state);
void visit_matching_states(const struct puzzle *puzzle, const uint8_t *target,
                           matching_state_taker *take, void *context);

#endif
