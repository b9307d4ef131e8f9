// Two bits for each entry of a search. They tell only what the search needs: that an entry has no
// distance yet, that it is in one of the two newest layers, or that it is in an older layer. The
// layers themselves go to a file (layers.h).
#ifndef FEWEST_GEN_LAYERS_MARKS_H
#define FEWEST_GEN_LAYERS_MARKS_H

#include "tables/base/errors.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MARK_NONE = 0,
    MARK_OLD = 3, // in a layer before the two newest
    MARKS_A_WORD = 32,
};

struct marks {
    uint64_t count;
    size_t length;            // of the array, in bytes
    bool alone;               // one thread writes: a search takes 15 % less time (2026-11)
    _Atomic uint8_t *entries; // four a byte, the first in the lowest bits
};

// The bytes of an array: whole words, and at least one, because a rank can be without entries.
static inline uint64_t marks_bytes(uint64_t count)
{
    return (count / MARKS_A_WORD + 1) * 8;
}

// Makes the array, with MARK_NONE for all entries. At most `threads` threads will write to it.
// Fails with FEWEST_SYSTEM if memory runs out.
bool marks_make(struct marks *marks, uint64_t count, unsigned threads, struct fewest_error *error);
void marks_free(struct marks *marks);

// The mark of a layer while it is one of the two newest.
static inline unsigned mark_of_layer(unsigned layer)
{
    return 1 + layer % 2;
}

// Returns the mark of an entry. Other threads may write marks meanwhile.
static inline unsigned marks_get(const struct marks *marks, uint64_t index)
{
    return atomic_load_explicit(&marks->entries[index / 4], memory_order_relaxed) >>
               (index % 4 * 2) &
           3u;
}

// Marks an entry that has no mark. No other thread may write to the same byte meanwhile, but any
// thread may read it. This is several times faster than an atomic change.
static inline void marks_set(struct marks *marks, uint64_t index, unsigned mark)
{
    unsigned set = mark << index % 4 * 2;
    unsigned four = atomic_load_explicit(&marks->entries[index / 4], memory_order_relaxed);
    atomic_store_explicit(&marks->entries[index / 4], (uint8_t)(four | set), memory_order_relaxed);
}

// Marks an entry if it has no mark yet, and returns whether it did. Any number of threads may give
// the same mark, because that only sets bits.
static inline bool marks_add(struct marks *marks, uint64_t index, unsigned mark)
{
    if (marks_get(marks, index) != MARK_NONE) {
        return false;
    }
    if (marks->alone) {
        marks_set(marks, index, mark);
        return true;
    }
    unsigned shift = index % 4 * 2;
    uint8_t set = (uint8_t)(mark << shift);
    unsigned four = atomic_fetch_or_explicit(&marks->entries[index / 4], set, memory_order_relaxed);
    return (four >> shift & 3u) == MARK_NONE;
}

// Lists the entries among first … first+count-1 whose mark is `mark`, as offsets from `first`.
// Returns their number.
unsigned marks_find(const struct marks *marks, uint64_t first, unsigned count, unsigned mark,
                    uint32_t *found);

// Marks each entry first+i without a mark, 0 ≤ i < count, if bit from[i] of `set` is set. Returns
// how many it marked. Other threads may give the same mark meanwhile.
unsigned marks_add_from(struct marks *marks, uint64_t first, unsigned count, const uint16_t *from,
                        const uint64_t *set, unsigned mark);

// For each i < count: sets bit i of `bits` if entry first+i is in the newest layer, and changes the
// mark of the entry to MARK_OLD if it is in the layer before. `newest` is the mark of the newest
// layer, `bits` are 0 at first, and `first` is a multiple of MARKS_A_WORD. Returns false if none of
// the entries is in the newest layer.
bool marks_take_layer(struct marks *marks, uint64_t first, uint64_t count, unsigned newest,
                      uint64_t *bits);

// Changes the marks of the entries first … end-1 that are in the layer before the newest to
// MARK_OLD. `newest` is the mark of the newest layer, and `first` a multiple of MARKS_A_WORD.
void marks_age(struct marks *marks, uint64_t first, uint64_t end, unsigned newest);

#endif
