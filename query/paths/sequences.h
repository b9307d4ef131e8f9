// Counts the sequences of moves that lead from a root to each index, in as many moves as its
// distance. Internal to query/paths.
//
// An index stands for a relative target, so these sequences are the shortest paths of each query
// that has it. The last move of a sequence comes from an index that is one nearer. So the numbers
// are found layer by layer: each index of a layer adds its number to those of its neighbours in the
// next one. If several nodes show one state (numbering.h), indices are those of nodes here.
#ifndef FEWEST_QUERY_PATHS_SEQUENCES_H
#define FEWEST_QUERY_PATHS_SEQUENCES_H

#include "query/table/table.h"
#include "tables/base/parallel.h"

enum { NO_DISTANCE = UINT8_MAX }; // of an unreachable index

// The numbers of a root. 9 bytes for each index; 17 if a number may have more than 64 bits.
struct sequences {
    uint8_t *distances; // by index, or NO_DISTANCE; NULL if the root has no numbers
    _Atomic uint64_t *low;
    _Atomic uint64_t *high; // NULL while all numbers are below 2^64
};

static inline struct fewest_wide sequences_at(const struct sequences *sequences, uint64_t index)
{
    return (struct fewest_wide){.high = sequences->high ? sequences->high[index] : 0,
                                .low = sequences->low[index]};
}

// Counts them for a root, in all threads. The caller frees them, also after a failure. Fails with
// FEWEST_BEYOND if a number has more than 128 bits.
bool sequences_count(struct sequences *sequences, struct fewest *table, unsigned root,
                     struct fewest_error *error);
void sequences_free(struct sequences *sequences);

// ---- Work in parts ------------------------------------------------------------------------------

// Work on 0 … count-1 in all threads, of which any may fail.
struct work {
    struct fewest *table;
    bool (*part)(void *context, uint64_t begin, uint64_t end, struct fewest_error *error);
    void *context;
    pthread_mutex_t lock; // a part may use it for its results
    uint64_t count;
    uint64_t done;
    bool failed;
    struct fewest_error *error;
};

// Does the work, in parts of `grain`, and tells the watcher. Returns false if it has failed.
bool work_do(struct work *work, uint64_t count, uint64_t grain);

#endif
