// The distance from a start to the nearest of its targets. Internal to query/.
#ifndef FEWEST_QUERY_DISTANCE_H
#define FEWEST_QUERY_DISTANCE_H

#include "choose.h"

// Fills in the distance, or FEWEST_UNREACHABLE.
bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error);

#endif
