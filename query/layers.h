// Shortest paths through states that the table can't answer as starts. Internal to query/.
#ifndef FEWEST_QUERY_LAYERS_H
#define FEWEST_QUERY_LAYERS_H

#include "distance.h"

// Finds the first path in byte order from `start` to the nearest of the targets. `distance` and
// `nearest` come from find_distance_and_nearest, and `distance` is at least 1. The table must
// answer `start`. Fails with FEWEST_BEYOND if too many states lie on the shortest paths.
bool walk_layers(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 int distance, const struct nearest_indices *nearest, unsigned *moves,
                 struct fewest_error *error);

// Fills in the state after the moves of a path from `start`, for a table of rolling cubes: it goes
// from full state to full state. Fails if a query can't have this start, or a move can't be made.
bool follow_full_states(const struct puzzle *puzzle, const uint8_t *start, const unsigned *moves,
                        unsigned count, uint8_t *state, struct fewest_error *error);

#endif
