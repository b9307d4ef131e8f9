// Shortest paths through states that the table can't be asked about as starts. Internal to query/.
#ifndef FEWEST_QUERY_LAYERS_H
#define FEWEST_QUERY_LAYERS_H

#include "choose.h"

// Finds the first path in byte order from `start`, a root of the table, to the nearest of the
// targets, which is `distance` moves away, at least 1. Fails with FEWEST_BEYOND where too many
// states lie on the shortest paths.
bool walk_layers(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 int distance, unsigned *moves, struct fewest_error *error);

#endif
