// Sets of packed states, sorted, for a search that keeps only the states that it meets.
//
// A state is a row of 64-bit *words*, as many for each state of a set. The first word is *spread*:
// mixed with the others, so that equally many states begin with any bits. The first bits tell the
// *bucket* of a state. So buckets are about equally full, each fits a cache when it is sorted, and
// threads share them.
//
// A search puts the states that it meets into a *portion*, in any order. The portion is then
// sorted. What is in it twice, or in a known set, is dropped. The rest is merged into a set.
#ifndef FEWEST_GEN_DEPTH_PACKED_STATES_H
#define FEWEST_GEN_DEPTH_PACKED_STATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PACKED_BUCKET_BITS = 10,
    PACKED_BUCKETS = 1 << PACKED_BUCKET_BITS,
    PACKED_KNOWN_MOST = 3, // sets that packed_portion_sort takes
};

// Spreads the first word of a state, and back.
void packed_spread(uint64_t *state, unsigned words);
void packed_gather(uint64_t *state, unsigned words);

// States of a set with the same first bits, sorted, each once.
struct packed_bucket {
    uint64_t *states;
    uint64_t count;
};

struct packed_set {
    unsigned words; // of a state
    uint64_t count; // of states
    struct packed_bucket buckets[PACKED_BUCKETS];
};

// Makes an empty set. NULL if memory runs out. packed_set_free also takes NULL.
struct packed_set *packed_set_make(unsigned words);
void packed_set_free(struct packed_set *set);

// Frees the states of a set, which is empty then.
void packed_set_clear(struct packed_set *set);

// The memory of the states of a set, in bytes.
static inline uint64_t packed_set_bytes(const struct packed_set *set)
{
    return set->count * set->words * sizeof(uint64_t);
}

struct packed_portion {
    unsigned words;
    uint64_t room;          // the states that fit
    _Atomic uint64_t count; // of states; becomes that of the states that are not dropped
    uint64_t *met;          // the states, in any order
    uint64_t *sorted;       // by buckets
    uint64_t first[PACKED_BUCKETS + 1]; // by bucket: its first state in `sorted`
    uint64_t kept[PACKED_BUCKETS];      // by bucket: how many are left, which come first
};

// Makes an empty portion with room for `room` states. NULL if memory runs out. packed_portion_free
// also takes NULL.
struct packed_portion *packed_portion_make(unsigned words, uint64_t room);
void packed_portion_free(struct packed_portion *portion);

// The memory of a portion with room for `room` states, in bytes.
static inline uint64_t packed_portion_bytes(unsigned words, uint64_t room)
{
    return 2 * room * words * sizeof(uint64_t);
}

// Adds spread states to a portion, which must have room for them. Threads may add at once.
void packed_portion_add(struct packed_portion *portion, const uint64_t *states, uint64_t count);

// Sorts the states of a portion, and drops those that are there twice or in one of the
// `known_count` sets.
void packed_portion_sort(struct packed_portion *portion, const struct packed_set *const *known,
                         unsigned known_count, unsigned threads);

// Adds a sorted portion to a set that has none of its states. False if memory runs out: then the
// set has lost states, and can only be freed.
bool packed_set_add_portion(struct packed_set *set, const struct packed_portion *portion,
                            unsigned threads);

// Moves the states of a set, which is empty then, to another one that has none of them. Fails in
// the same way.
bool packed_set_move(struct packed_set *set, struct packed_set *moved, unsigned threads);

#endif
