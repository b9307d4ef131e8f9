// The one visit: the states that match a target, with their distances from a start. It serves
// wildcard targets without an entry, statistics, samples and the nearest targets of a path.
// Internal to query/.
#ifndef FEWEST_QUERY_VISIT_H
#define FEWEST_QUERY_VISIT_H

#include "table.h"

struct visit;

// Is called for each state of a visit, with its index and distance. Returns false to end the visit;
// if that is a failure, it sets visit->failed. It may lower visit->most.
typedef bool state_taker(struct visit *visit, uint64_t index, int distance);

struct visit {
    struct fewest *table;
    const uint8_t *start; // the table answers from it, or to it if moves can be undone
    int least;            // only states at a distance from `least` to `most` are visited
    int most;
    bool is_query; // the watcher learns of a query; else how many states are done
    state_taker *take;
    void *context;
    const void *shared; // for the takers of all parts of visit_in_parts
    struct fewest_error *error;
    unsigned root;           // of the indices
    const uint8_t *compared; // the target that each state is compared with; NULL: all match
    uint64_t all;            // entries to look at, as far as is known
    uint64_t done;           // of these
    bool is_part;            // of visit_in_parts
    bool failed;             // `error` tells why
};

// The number of entries that a visit looks at: `target` is NULL for all states.
uint64_t visit_count_entries(const struct puzzle *puzzle, const uint8_t *target);

// Visits each state that matches the target and is at a distance from visit->least to visit->most.
// NULL as the target stands for all states that moves connect with visit->start. Sets visit->root.
// Returns false if the visit failed.
bool visit_states(struct visit *visit, const uint8_t *target);

// Visits all states that moves connect with visit->start, in parts, in the threads of the table, in
// any order. visit->least and visit->most do not count. Each part has a context of its own: `bytes`
// bytes that begin with 0. `add` adds it to the context of the visit, for one part at a time.
bool visit_in_parts(struct visit *visit, size_t bytes,
                    void (*add)(void *context, const void *part));

// Writes the state of an index.
void visit_write_state(const struct visit *visit, uint64_t index, uint8_t *state);

#endif
