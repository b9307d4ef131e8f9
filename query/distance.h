// The distance from a start to the nearest of its targets. Internal to query/.
#ifndef FEWEST_QUERY_DISTANCE_H
#define FEWEST_QUERY_DISTANCE_H

#include "choose.h"

// The nearest states that match a wildcard target, as indices.
struct nearest_indices {
    bool known; // false: the distance came another way, or not all indices could be kept
    unsigned root;
    uint64_t *indices; // the caller frees them
    unsigned count;
    unsigned room;
};

// Fills in the distance, or FEWEST_UNREACHABLE.
bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error);

// Does the same. If the states that match a single target are looked up by index, it also keeps the
// indices of the nearest ones, so that a path need not look them up again. `nearest` is
// {.known = false} before the call, or NULL.
bool find_distance_and_nearest(struct fewest *table, const uint8_t *start,
                               const struct targets *targets, int *distance,
                               struct nearest_indices *nearest, struct fewest_error *error);

#endif
