// Shortest paths by indices alone. Internal to query/.
#ifndef FEWEST_QUERY_NEARER_H
#define FEWEST_QUERY_NEARER_H

#include "choose.h"

// Can walk_indices find paths to these targets? Every move needs an inverse, the table must answer
// all pairs, and the targets must have no wildcards.
bool walks_indices(const struct puzzle *puzzle, const struct targets *targets);

// Finds the first path in byte order from `start` to the nearest of the targets, which is
// `distance` moves away.
bool walk_indices(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int distance, unsigned *moves, struct fewest_error *error);

// Reports that no move leads one nearer. Returns false.
bool report_no_step(int distance, struct fewest_error *error);

#endif
