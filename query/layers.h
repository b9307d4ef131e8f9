// Shortest paths through states that the table can't answer as starts. Internal to query/.
#ifndef FEWEST_QUERY_LAYERS_H
#define FEWEST_QUERY_LAYERS_H

#include "choose.h"

// Finds the first path in byte order from `start` to the nearest of the targets, which is
// `distance` moves away, at least 1. The table must answer `start`. Fails with FEWEST_BEYOND if too
// many states lie on the shortest paths.
bool walk_layers(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 int distance, unsigned *moves, struct fewest_error *error);

#endif
