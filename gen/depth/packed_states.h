// Sets of packed states, sorted, for a search that keeps only the states that it meets.
//
// A state is a row of 64-bit *words*. All states of a set have the same number of words. A hash of
// the words tells the *bucket* of a state. So buckets are about equally full, each fits a cache
// when it is sorted, and threads share them.
//
// A bucket has a sorted list, where each state is once, and a list of the states that were added
// since the set was *tidied*: then the added states are sorted, those that are not new are dropped,
// and the others are merged into the sorted list.
#ifndef FEWEST_GEN_DEPTH_PACKED_STATES_H
#define FEWEST_GEN_DEPTH_PACKED_STATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PACKED_BUCKETS = 1 << 10 };

struct packed_bucket {
    uint64_t *states; // sorted
    uint64_t count;
    uint64_t *added;
    uint64_t added_count;
    uint64_t room;     // for states that are added
    _Atomic bool busy; // a thread adds a state
};

// The memory of several sets, in bytes.
struct packed_memory {
    uint64_t most;
    _Atomic uint64_t used;
};

struct packed_set {
    unsigned words; // of a state
    _Atomic uint64_t count;
    struct packed_memory *memory;
    // States of these sets are not new: packed_set_tidy drops them.
    struct packed_set *const *known;
    unsigned known_count;
    struct packed_bucket buckets[PACKED_BUCKETS];
};

// Makes an empty set. NULL if memory runs out. packed_set_free also takes NULL.
struct packed_set *packed_set_make(unsigned words, struct packed_memory *memory);
void packed_set_free(struct packed_set *set);

// Adds a state. Threads may add at once. False if memory runs out.
bool packed_set_add(struct packed_set *set, const uint64_t *state);

// Sorts the states that were added, drops those that are not new, and keeps the others. False if
// memory runs out.
bool packed_set_tidy(struct packed_set *set, unsigned threads);

#endif
