// The distance from a start to the nearest of its targets. Internal to query/.
#ifndef FEWEST_QUERY_ANSWER_DISTANCE_H
#define FEWEST_QUERY_ANSWER_DISTANCE_H

#include "choose.h"

// The nearest states that match a wildcard target without an entry, as indices from START.
struct nearest {
    unsigned root;
    uint64_t *indices; // the caller frees them
    unsigned count;
    unsigned room;
};

// Does what fewest_steps does, for rows that were validated. A target that is NULL stands for the
// goals.
bool find_steps(struct fewest *table, const uint8_t *start, const uint8_t *target, int *steps,
                struct fewest_error *error);

// Looks the distance up. Fills it in, or FEWEST_UNREACHABLE.
bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error);

// Does the same. If all states that match a target are looked up, it also fills in the nearest
// ones. `nearest` is {.count = 0} before the call, or NULL.
bool find_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *distance, struct nearest *nearest, struct fewest_error *error);

#endif
