// The distance from a start to the nearest of its targets. Internal to query/.
#ifndef FEWEST_QUERY_DISTANCE_H
#define FEWEST_QUERY_DISTANCE_H

#include "choose.h"

// The indices of those states that match a wildcard target and are nearest to the start.
struct nearest_indices {
    bool known; // false: something else told the distance, or there are too many
    unsigned root;
    uint64_t *indices; // free them
    unsigned count;
    unsigned room;
};

// Fills in the distance, or FEWEST_UNREACHABLE. find_nearest also keeps the indices that are
// nearest, which spares a path from looking them up again. `nearest` must be {.known = false}.
bool find_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *distance, struct nearest_indices *nearest, struct fewest_error *error);
bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error);

#endif
