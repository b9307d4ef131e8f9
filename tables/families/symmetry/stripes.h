// The entries of a pattern database by symmetric pages (count_pages.h), as a table has them.
//
// An entry has two bits. Let d be the distance of its state from the solved one, and b the *base*
// of the database:
//
//     entry    0          1      2      3
//     d        b or less  b + 1  b + 2  b + 3 or more, or no moves lead to the solved state
//
// Entries stand in *stripes* of 64 bytes, which are lines of the processor's cache. A stripe has
// 254 entries. Its last four bits tell how far the least distance among its states is below the
// base; 15 stands for more. That is the bound of its entries that read 0. So a look-up needs one
// line of the cache.
//
// A row begins with a new stripe. What is left of its last stripe reads 3.
#ifndef FEWEST_TABLES_FAMILIES_SYMMETRY_STRIPES_H
#define FEWEST_TABLES_FAMILIES_SYMMETRY_STRIPES_H

#include "count_pages.h"

enum {
    STRIPE_ENTRIES = 254,
    STRIPE_SLOTS = 256, // of two bits
    STRIPE_BYTES = 64,
    STRIPE_BELOW_MOST = 15,
    ENTRY_BITS = 2,
    ENTRY_BEYOND = 3,
    BASE_MOST = DISTANCE_MOST - ENTRY_BEYOND,
};

// The stripes of a row.
static inline uint64_t stripes_of_row(uint64_t page_size)
{
    return (page_size + STRIPE_ENTRIES - 1) / STRIPE_ENTRIES;
}

// The slot of an entry, counted from the first one of its row.
static inline unsigned stripe_slot(unsigned offset)
{
    return offset + offset / STRIPE_ENTRIES * (STRIPE_SLOTS - STRIPE_ENTRIES);
}

// The value of a slot.
static inline unsigned stripe_get(const uint8_t *stripes, uint64_t slot)
{
    return stripes[slot / 4] >> slot % 4 * ENTRY_BITS & ENTRY_BEYOND;
}

// The lower bound of a slot's state.
static inline unsigned stripe_bound(const uint8_t *stripes, uint64_t slot, unsigned base)
{
    unsigned value = stripe_get(stripes, slot);
    if (value > 0) {
        return base + value;
    }
    unsigned below = stripes[slot / 4 | (STRIPE_BYTES - 1)] >> 4;
    return below < STRIPE_BELOW_MOST && below <= base ? base - below : 0;
}

// Makes the pages of a projection, but not their maps (symmetric_pages_fill). They are the same for
// the same puzzle, on any machine. If no pages have a fitting size, returns SYMMETRIC_UNFIT, and
// the error is that of stripes_refuse. The caller frees the pages in any case.
enum symmetric_result stripes_make_pages(struct count_pages *pages, const struct puzzle *projection,
                                         bool (*is_stopped)(void *context), void *context,
                                         struct fewest_error *error);

// Fails with FEWEST_BEYOND: a line has no such pages. Returns false.
bool stripes_refuse(const struct puzzle *projection, struct fewest_error *error);

#endif
