// Sorts and merges packed states.
#include "packed_states.h"

#include "tables/base/parallel.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

// ---- States -------------------------------------------------------------------------------------

static unsigned find_bucket(const uint64_t *state, unsigned words)
{
    static const uint64_t SPREAD = UINT64_C(0x9E3779B97F4A7C15); // 2^64 / golden ratio
    uint64_t hash = 0;
    for (unsigned w = 0; w < words; w++) {
        hash = (hash ^ state[w]) * SPREAD;
        hash ^= hash >> 32;
    }
    return (unsigned)(hash % PACKED_BUCKETS);
}

// Is state a before state b?
static inline bool is_less(const uint64_t *a, const uint64_t *b, unsigned words)
{
    unsigned w = 0;
    while (w + 1 < words && a[w] == b[w]) {
        w++;
    }
    return a[w] < b[w];
}

static inline bool is_equal(const uint64_t *a, const uint64_t *b, unsigned words)
{
    unsigned w = 0;
    while (w < words && a[w] == b[w]) {
        w++;
    }
    return w == words;
}

static inline void copy_state(uint64_t *to, const uint64_t *from, unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        to[w] = from[w];
    }
}

static inline void swap_states(uint64_t *a, uint64_t *b, unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        uint64_t word = a[w];
        a[w] = b[w];
        b[w] = word;
    }
}

// ---- Sorted lists -------------------------------------------------------------------------------

// Sorts a few states: inserts each into those before it.
static void insert_states(uint64_t *states, uint64_t count, unsigned words)
{
    for (uint64_t i = 1; i < count; i++) {
        for (uint64_t *state = states + i * words;
             state > states && is_less(state, state - words, words); state -= words) {
            swap_states(state, state - words, words);
        }
    }
}

// Exchanges states until none of the first part is above the pivot, which was in the middle, and
// none of the second part below it. The pivot then stands between the parts. Returns its place.
static uint64_t part_states(uint64_t *states, uint64_t count, unsigned words)
{
    uint64_t low = 0;
    uint64_t high = count;
    swap_states(states, states + count / 2 * words, words);
    for (;;) {
        do {
            low++;
        } while (low < count && is_less(states + low * words, states, words));
        do {
            high--;
        } while (is_less(states, states + high * words, words));
        if (low >= high) {
            swap_states(states, states + high * words, words);
            return high;
        }
        swap_states(states + low * words, states + high * words, words);
    }
}

// Sorts states (Quicksort).
static void sort_states(uint64_t *states, uint64_t count, unsigned words)
{
    enum { FEW = 16 };
    while (count > FEW) {
        uint64_t middle = part_states(states, count, words);
        sort_states(states, middle, words);
        states += (middle + 1) * words;
        count -= middle + 1;
    }
    insert_states(states, count, words);
}

// Leaves out of a sorted list what is there twice or in a bucket. Returns how many are left. Both
// lists rise, so one pass is enough.
static uint64_t drop_known(uint64_t *states, uint64_t count, const struct packed_bucket *known,
                           unsigned words)
{
    const uint64_t *at = known->states;
    const uint64_t *end = at + known->count * words;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *state = states + i * words;
        while (at < end && is_less(at, state, words)) {
            at += words;
        }
        bool is_known = (at < end && is_equal(at, state, words)) ||
                        (kept > 0 && is_equal(states + (kept - 1) * words, state, words));
        if (!is_known) {
            copy_state(states + kept * words, state, words);
            kept++;
        }
    }
    return kept;
}

// ---- Buckets ------------------------------------------------------------------------------------

// Changes the room of a list from `before` to `room` states. Returns the list, or NULL if
// memory runs out.
static uint64_t *change_room(const struct packed_set *set, uint64_t *list, uint64_t before,
                             uint64_t room)
{
    size_t size = set->words * sizeof *list;
    uint64_t more = (room - before) * size;
    struct packed_memory *memory = set->memory;
    assert(room > 0 && size > 0);
    bool fits = atomic_fetch_add(&memory->used, more) + more <= memory->most;
    uint64_t *states = fits ? realloc(list, room * size) : NULL;
    if (!states) {
        atomic_fetch_sub(&memory->used, more);
    }
    return states;
}

// Merges `count` sorted states into a bucket that has none of them, from the last one on. So each
// state moves to its place at once. Returns false if memory runs out.
static bool merge_states(const struct packed_set *set, struct packed_bucket *bucket, uint64_t count)
{
    unsigned words = set->words;
    uint64_t old = bucket->count; // states of the bucket that are not at their place yet
    if (count == 0) {
        return true;
    }
    uint64_t *states = change_room(set, bucket->states, old, old + count);
    if (!states) {
        return false;
    }
    bucket->states = states;
    bucket->count += count;
    while (count > 0) {
        uint64_t *to = states + (old + count - 1) * words;
        const uint64_t *last = bucket->added + (count - 1) * words;
        if (old > 0 && is_less(last, states + (old - 1) * words, words)) {
            copy_state(to, states + (old - 1) * words, words);
            old--;
        } else {
            copy_state(to, last, words);
            count--;
        }
    }
    return true;
}

static void free_added(const struct packed_set *set, struct packed_bucket *bucket)
{
    set->memory->used -= bucket->room * set->words * sizeof *bucket->added;
    free(bucket->added);
    bucket->added = NULL;
    bucket->added_count = 0;
    bucket->room = 0;
}

// Tidies a bucket. Returns false if memory runs out.
static bool tidy_bucket(const struct packed_set *set, struct packed_bucket *bucket)
{
    uint64_t count = bucket->added_count;
    sort_states(bucket->added, count, set->words);
    count = drop_known(bucket->added, count, bucket, set->words);
    for (unsigned k = 0; k < set->known_count; k++) {
        const struct packed_bucket *known = &set->known[k]->buckets[bucket - set->buckets];
        count = drop_known(bucket->added, count, known, set->words);
    }
    bool merged = merge_states(set, bucket, count);
    free_added(set, bucket);
    return merged;
}

// Adds a state to a bucket. Returns false if memory runs out.
static bool add_state(const struct packed_set *set, struct packed_bucket *bucket,
                      const uint64_t *state)
{
    enum { LEAST_ROOM = 8 };
    if (bucket->added_count == bucket->room) {
        uint64_t room = bucket->room > 0 ? 2 * bucket->room : LEAST_ROOM;
        uint64_t *added = change_room(set, bucket->added, bucket->room, room);
        if (!added) {
            return false;
        }
        bucket->added = added;
        bucket->room = room;
    }
    copy_state(bucket->added + bucket->added_count * set->words, state, set->words);
    bucket->added_count++;
    return true;
}

// ---- Sets ---------------------------------------------------------------------------------------

struct packed_set *packed_set_make(unsigned words, struct packed_memory *memory)
{
    struct packed_set *set = calloc(1, sizeof *set);
    if (set) {
        set->words = words;
        set->memory = memory;
    }
    return set;
}

void packed_set_free(struct packed_set *set)
{
    for (unsigned b = 0; b < PACKED_BUCKETS && set; b++) {
        struct packed_bucket *bucket = &set->buckets[b];
        free_added(set, bucket);
        set->memory->used -= bucket->count * set->words * sizeof *bucket->states;
        free(bucket->states);
    }
    free(set);
}

bool packed_set_add(struct packed_set *set, const uint64_t *state)
{
    struct packed_bucket *bucket = &set->buckets[find_bucket(state, set->words)];
    while (atomic_exchange_explicit(&bucket->busy, true, memory_order_acquire)) {
        sched_yield();
    }
    bool added = add_state(set, bucket, state);
    atomic_store_explicit(&bucket->busy, false, memory_order_release);
    return added;
}

struct tidying {
    struct packed_set *set;
    _Atomic bool failed;
};

// Tidies the buckets begin … end-1.
static void tidy_buckets(void *context, uint64_t begin, uint64_t end)
{
    struct tidying *tidying = context;
    for (uint64_t b = begin; b < end && !tidying->failed; b++) {
        struct packed_bucket *bucket = &tidying->set->buckets[b];
        uint64_t before = bucket->count;
        if (!tidy_bucket(tidying->set, bucket)) {
            tidying->failed = true;
        }
        tidying->set->count += bucket->count - before;
    }
}

bool packed_set_tidy(struct packed_set *set, unsigned threads)
{
    struct tidying tidying = {.set = set};
    parallel_for(threads, PACKED_BUCKETS, 1, tidy_buckets, &tidying);
    return !tidying.failed;
}
