// The distance from a start to the nearest of its targets. Internal to query/.
#ifndef FEWEST_QUERY_ANSWER_DISTANCE_H
#define FEWEST_QUERY_ANSWER_DISTANCE_H

#include "choose.h"

// The nearest states that match a wildcard target without an entry. visit_write_state writes them.
struct nearest {
    unsigned root;     // of the indices
    uint64_t *indices; // of the states, relative to START; the caller frees them
    unsigned count;
    unsigned room; // for indices
};

// Does what fewest_steps does, for rows that were validated. A target that is NULL stands for the
// goals.
bool find_steps(struct fewest *table, const uint8_t *start, const uint8_t *target, int *steps,
                struct fewest_error *error);

// Sets *distance to the distance from a start to the nearest of some targets, or to
// FEWEST_UNREACHABLE. Only looks it up: the table must answer these pairs (choose_method).
bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error);

// Does the same. If that takes a look-up of all states that match a target, also lists the nearest
// of them in `nearest`, which is {.count = 0} before the call. NULL: no list is wanted.
bool find_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *distance, struct nearest *nearest, struct fewest_error *error);

// Does the same for one target, in the way that choose_lookup chooses.
bool find_distance_to(struct fewest *table, const uint8_t *start, const uint8_t *target,
                      int *distance, struct nearest *nearest, struct fewest_error *error);

#endif
