// The states that match a wildcard target.
#ifndef FEWEST_TABLES_MATCHING_STATES_H
#define FEWEST_TABLES_MATCHING_STATES_H

#include "puzzle.h"

// Does a state match the target? An orientation that does not count matches any.
bool state_matches(const struct puzzle *puzzle, const uint8_t *state, const uint8_t *target);

// The number of states that match the target, or UINT64_MAX if it doesn't fit. If some orientations
// do not count, it may be too large.
uint64_t count_matching_states(const struct puzzle *puzzle, const uint8_t *target);

// Calls visit(context, state) for each matching state once, until it returns false. The states come
// in the order of their dense indices. Orientations that do not count are 0.
typedef bool matching_state_visitor(void *context, const uint8_t *state);
void visit_matching_states(const struct puzzle *puzzle, const uint8_t *target,
                           matching_state_visitor *visit, void *context);

// Can the indices of the states that match a relative target be visited without ranking each state?
// They can if the index is a sum of one term for each cell (orientations alone, or the tops of
// cubes). Sliding boards and boards of lamps have ways of their own.
bool has_matching_indices(const struct puzzle *puzzle);

// Visits these indices, each once, in runs and in any order. Only if has_matching_indices.
void visit_matching_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                            index_visitor *visit, void *context);

#endif
