// Searches from START and TARGET, for queries that a table does not answer. Internal to query/.
#ifndef FEWEST_QUERY_ANSWER_TWO_SIDED_H
#define FEWEST_QUERY_ANSWER_TWO_SIDED_H

#include "choose.h"

// Fills in the distance from `start` to the nearest state that matches the target, or
// FEWEST_UNREACHABLE, without a look-up. `moves` gets the first path in byte order, unless it is
// NULL. Fails with FEWEST_BEYOND if there are too many states to search, or moves to write.
bool two_sided_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                         unsigned *moves, int *steps, struct fewest_error *error);

#endif
