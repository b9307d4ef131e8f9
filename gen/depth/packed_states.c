// Sorts and merges packed states.
#include "packed_states.h"

#include "tables/base/array.h"
#include "tables/base/parallel.h"

#include <assert.h>
#include <string.h>

// ---- States -------------------------------------------------------------------------------------

// An odd number, so that a multiplication by it can be undone: 2^64 / golden ratio.
static const uint64_t SPREAD = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t SPREAD_UNDONE = UINT64_C(0xF1DE83E19937733D); // SPREAD times it is 1

// A number that depends on all words but the first.
static uint64_t mix_rest(const uint64_t *state, unsigned words)
{
    uint64_t mixed = 0;
    for (unsigned w = 1; w < words; w++) {
        mixed = (mixed ^ state[w]) * SPREAD;
        mixed ^= mixed >> 32;
    }
    return mixed;
}

void packed_spread(uint64_t *state, unsigned words)
{
    uint64_t first = state[0] ^ mix_rest(state, words);
    first ^= first >> 32;
    first *= SPREAD;
    first ^= first >> 32;
    state[0] = first * SPREAD;
}

// Undoes the steps of packed_spread, the last one first. A shift by half of the bits undoes itself.
void packed_gather(uint64_t *state, unsigned words)
{
    uint64_t first = state[0] * SPREAD_UNDONE;
    first ^= first >> 32;
    first *= SPREAD_UNDONE;
    first ^= first >> 32;
    state[0] = first ^ mix_rest(state, words);
}

static unsigned find_bucket(const uint64_t *state)
{
    return (unsigned)(state[0] >> (64 - PACKED_BUCKET_BITS));
}

// Is state a before state b?
static inline bool is_less(const uint64_t *a, const uint64_t *b, unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        if (a[w] != b[w]) {
            return a[w] < b[w];
        }
    }
    return false;
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

// ---- Sorting ------------------------------------------------------------------------------------

// Sorts a few states: inserts each into those before it.
static void insert_states(uint64_t *states, uint64_t count, unsigned words)
{
    for (uint64_t i = 1; i < count; i++) {
        for (uint64_t j = i; j > 0 && is_less(states + j * words, states + (j - 1) * words, words);
             j--) {
            swap_states(states + j * words, states + (j - 1) * words, words);
        }
    }
}

// Puts the median of the first, the middle and the last state first.
static void choose_pivot(uint64_t *states, uint64_t count, unsigned words)
{
    uint64_t *middle = states + count / 2 * words;
    uint64_t *last = states + (count - 1) * words;
    if (is_less(last, middle, words)) {
        swap_states(last, middle, words);
    }
    if (is_less(middle, states, words)) { // then the least of the three is in the middle
        if (is_less(states, last, words)) {
            return;
        }
        swap_states(states, last, words);
        return;
    }
    swap_states(states, middle, words);
}

// Exchanges states until none of the first part is above the pivot, the first state, and none of
// the second part below it. The pivot then stands between the parts. Returns its place.
static uint64_t part_states(uint64_t *states, uint64_t count, unsigned words)
{
    uint64_t low = 0;
    uint64_t high = count;
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

// Sorts states (Quicksort). Only the shorter part is sorted by a call, so the calls are not deep.
static void sort_states(uint64_t *states, uint64_t count, unsigned words)
{
    enum { FEW = 16 };
    while (count > FEW) {
        choose_pivot(states, count, words);
        uint64_t middle = part_states(states, count, words);
        uint64_t *rest = states + (middle + 1) * words;
        uint64_t rest_count = count - middle - 1;
        if (middle < rest_count) {
            sort_states(states, middle, words);
            states = rest;
            count = rest_count;
        } else {
            sort_states(rest, rest_count, words);
            count = middle;
        }
    }
    insert_states(states, count, words);
}

// ---- Sets ---------------------------------------------------------------------------------------

struct packed_set *packed_set_make(unsigned words)
{
    struct packed_set *set = calloc(1, sizeof *set);
    if (set) {
        set->words = words;
    }
    return set;
}

void packed_set_clear(struct packed_set *set)
{
    for (unsigned b = 0; b < PACKED_BUCKETS; b++) {
        free(set->buckets[b].states);
        set->buckets[b] = (struct packed_bucket){.count = 0};
    }
    set->count = 0;
}

void packed_set_free(struct packed_set *set)
{
    if (set) {
        packed_set_clear(set);
        free(set);
    }
}

// Merges `count` sorted states into a bucket that has none of them, from the last one on. So each
// state moves to its place at once. Returns false if memory runs out.
static bool merge_states(struct packed_bucket *bucket, const uint64_t *added, uint64_t count,
                         unsigned words)
{
    if (count == 0) {
        return true;
    }
    uint64_t all = bucket->count + count;
    size_t size = words * sizeof *bucket->states;
    uint64_t *states = all < SIZE_MAX / size ? realloc(bucket->states, (size_t)all * size) : NULL;
    if (!states) {
        return false;
    }
    uint64_t old = bucket->count; // states of the bucket that are not at their place yet
    for (uint64_t left = count; left > 0;) {
        const uint64_t *last = added + (left - 1) * words;
        const uint64_t *last_old = states + (old - 1) * words;
        if (old > 0 && is_less(last, last_old, words)) {
            old--;
            copy_state(states + (old + left) * words, last_old, words);
        } else {
            left--;
            copy_state(states + (old + left) * words, last, words);
        }
    }
    bucket->states = states;
    bucket->count = all;
    return true;
}

// A merge of a portion or a set into a set, by all threads.
struct merge {
    struct packed_set *set;
    const struct packed_portion *portion; // or NULL
    struct packed_set *moved;             // or NULL
    _Atomic bool failed;
};

// Merges the buckets begin … end-1.
static void merge_buckets(void *context, uint64_t begin, uint64_t end)
{
    struct merge *merge = context;
    unsigned words = merge->set->words;
    for (uint64_t b = begin; b < end && !merge->failed; b++) {
        struct packed_bucket *bucket = &merge->set->buckets[b];
        bool done;
        if (merge->portion) {
            const struct packed_portion *portion = merge->portion;
            done = merge_states(bucket, portion->sorted + portion->first[b] * words,
                                portion->kept[b], words);
        } else {
            struct packed_bucket *moved = &merge->moved->buckets[b];
            done = merge_states(bucket, moved->states, moved->count, words);
            free(moved->states);
            *moved = (struct packed_bucket){.count = 0};
        }
        if (!done) {
            merge->failed = true;
        }
    }
}

enum { BUCKETS_AT_ONCE = 4 }; // of a thread

// Merges all buckets, and adds `count` to the number of states.
static bool merge_all(struct merge *merge, uint64_t count, unsigned threads)
{
    parallel_for(threads, PACKED_BUCKETS, BUCKETS_AT_ONCE, merge_buckets, merge);
    merge->set->count += count;
    return !merge->failed;
}

bool packed_set_add_portion(struct packed_set *set, const struct packed_portion *portion,
                            unsigned threads)
{
    struct merge merge = {.set = set, .portion = portion};
    return merge_all(&merge, portion->count, threads);
}

bool packed_set_move(struct packed_set *set, struct packed_set *moved, unsigned threads)
{
    struct merge merge = {.set = set, .moved = moved};
    uint64_t count = moved->count;
    moved->count = 0;
    return merge_all(&merge, count, threads);
}

// ---- Portions -----------------------------------------------------------------------------------

struct packed_portion *packed_portion_make(unsigned words, uint64_t room)
{
    struct packed_portion *portion = calloc(1, sizeof *portion);
    if (!portion) {
        return NULL;
    }
    portion->words = words;
    portion->room = room;
    portion->met = array_make(room, words * sizeof *portion->met);
    portion->sorted = array_make(room, words * sizeof *portion->sorted);
    if (!portion->met || !portion->sorted) {
        packed_portion_free(portion);
        return NULL;
    }
    return portion;
}

void packed_portion_free(struct packed_portion *portion)
{
    if (portion) {
        free(portion->met);
        free(portion->sorted);
        free(portion);
    }
}

void packed_portion_add(struct packed_portion *portion, const uint64_t *states, uint64_t count)
{
    uint64_t first = atomic_fetch_add_explicit(&portion->count, count, memory_order_relaxed);
    assert(first + count <= portion->room);
    memcpy(portion->met + first * portion->words, states, count * portion->words * sizeof *states);
}

// The sorting of a portion, by all threads.
struct sorting {
    struct packed_portion *portion;
    const struct packed_set *const *known;
    unsigned known_count;
    // By bucket: the number of its states; later, where the next one goes.
    _Atomic uint64_t places[PACKED_BUCKETS];
    _Atomic uint64_t kept;
};

// Counts the states of each bucket among the states begin … end-1 of the portion.
static void count_part(const struct packed_portion *portion, uint64_t begin, uint64_t end,
                       uint64_t counts[PACKED_BUCKETS])
{
    memset(counts, 0, PACKED_BUCKETS * sizeof *counts);
    for (uint64_t i = begin; i < end; i++) {
        counts[find_bucket(portion->met + i * portion->words)]++;
    }
}

static void count_buckets(void *context, uint64_t begin, uint64_t end)
{
    struct sorting *sorting = context;
    uint64_t counts[PACKED_BUCKETS];
    count_part(sorting->portion, begin, end, counts);
    for (unsigned b = 0; b < PACKED_BUCKETS; b++) {
        atomic_fetch_add_explicit(&sorting->places[b], counts[b], memory_order_relaxed);
    }
}

// Copies the states begin … end-1 of the portion to their buckets. First reserves the places.
static void fill_buckets(void *context, uint64_t begin, uint64_t end)
{
    struct sorting *sorting = context;
    struct packed_portion *portion = sorting->portion;
    unsigned words = portion->words;
    uint64_t next[PACKED_BUCKETS];
    count_part(portion, begin, end, next);
    for (unsigned b = 0; b < PACKED_BUCKETS; b++) {
        next[b] = atomic_fetch_add_explicit(&sorting->places[b], next[b], memory_order_relaxed);
    }
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t *state = portion->met + i * words;
        copy_state(portion->sorted + next[find_bucket(state)]++ * words, state, words);
    }
}

// Moves states of a sorted bucket to its beginning, each once, and leaves out those that a known
// set has. Returns how many are left. All lists rise, so one pass is enough.
static uint64_t drop_states(const struct sorting *sorting, unsigned b, uint64_t *states,
                            uint64_t count)
{
    unsigned words = sorting->portion->words;
    uint64_t at[PACKED_KNOWN_MOST] = {0}; // by set: its first state that is not before this one
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *state = states + i * words;
        bool is_known = kept > 0 && is_equal(state, states + (kept - 1) * words, words);
        for (unsigned k = 0; k < sorting->known_count && !is_known; k++) {
            const struct packed_bucket *bucket = &sorting->known[k]->buckets[b];
            while (at[k] < bucket->count && is_less(bucket->states + at[k] * words, state, words)) {
                at[k]++;
            }
            is_known =
                at[k] < bucket->count && is_equal(bucket->states + at[k] * words, state, words);
        }
        if (!is_known) {
            copy_state(states + kept * words, state, words);
            kept++;
        }
    }
    return kept;
}

// Sorts the buckets begin … end-1, and drops states.
static void sort_buckets(void *context, uint64_t begin, uint64_t end)
{
    struct sorting *sorting = context;
    struct packed_portion *portion = sorting->portion;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t *states = portion->sorted + portion->first[b] * portion->words;
        uint64_t count = portion->first[b + 1] - portion->first[b];
        sort_states(states, count, portion->words);
        portion->kept[b] = drop_states(sorting, (unsigned)b, states, count);
        atomic_fetch_add_explicit(&sorting->kept, portion->kept[b], memory_order_relaxed);
    }
}

void packed_portion_sort(struct packed_portion *portion, const struct packed_set *const *known,
                         unsigned known_count, unsigned threads)
{
    enum { STATES_AT_ONCE = 1 << 16 }; // of a thread
    struct sorting sorting = {.portion = portion, .known = known, .known_count = known_count};
    assert(known_count <= PACKED_KNOWN_MOST);
    parallel_for(threads, portion->count, STATES_AT_ONCE, count_buckets, &sorting);
    uint64_t first = 0;
    for (unsigned b = 0; b < PACKED_BUCKETS; b++) {
        portion->first[b] = first;
        first += sorting.places[b];
        sorting.places[b] = portion->first[b];
    }
    portion->first[PACKED_BUCKETS] = first;
    parallel_for(threads, portion->count, STATES_AT_ONCE, fill_buckets, &sorting);
    parallel_for(threads, PACKED_BUCKETS, BUCKETS_AT_ONCE, sort_buckets, &sorting);
    portion->count = sorting.kept;
}
