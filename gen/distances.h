// The distances of a section, from the beginning of the search until they are packed.
//
// A distance takes eight bits, or two if there are many. Two bits tell only what the search needs:
// that an entry has no distance yet, that it is in one of the two newest layers, or that it has a
// smaller distance. A layer that is complete goes to a file (layer_file.h). The distances are put
// together from it when the table is written, so the memory is two bits for each state, however
// large the distances are.
#ifndef FEWEST_GEN_DISTANCES_H
#define FEWEST_GEN_DISTANCES_H

#include "base/errors.h"
#include "layer_file.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UNREACHED = 0xFF, // above every distance, so that a minimum ignores it
    NARROW_BITS = 2,
};

struct distances {
    uint64_t total; // entries of all ranks (ranks.h)
    uint64_t first; // the first entry that is here; `count` of them are
    uint64_t count;
    unsigned bits;            // 8 or 2; with 2, entry 0 is in the lowest bits of its byte
    _Atomic uint8_t *entries; // NULL after distances_finish with 2 bits
    size_t length;            // of the array, in bytes
    struct layer_file layers; // with 2 bits
    uint64_t histogram[UNREACHED];
};

// `bits` is 8 or 2. The file of the layers will be in this folder. All entries are 0, and take
// memory only when they are touched. Fails with FEWEST_SYSTEM without memory. All functions but
// distances_read number the entries from 0, as if no other rank had any.
bool distances_make(struct distances *distances, uint64_t count, unsigned bits, const char *folder,
                    struct fewest_error *error);
void distances_free(struct distances *distances);

// Makes all entries unreached.
void distances_clear(struct distances *distances, unsigned threads);

// The value of an entry with this distance, and that of one without a distance yet: all bits set.
// With two bits, an entry becomes 0 when the layer after its own is complete.
static inline unsigned distances_value(unsigned distance, unsigned bits)
{
    return bits == 8 ? distance : 1 + distance % 2;
}

static inline unsigned distances_unreached(unsigned bits)
{
    return (1u << bits) - 1;
}

static inline unsigned distances_get(const _Atomic uint8_t *entries, uint64_t index, unsigned bits)
{
    if (bits == 8) {
        return atomic_load_explicit(&entries[index], memory_order_relaxed);
    }
    unsigned four = atomic_load_explicit(&entries[index / 4], memory_order_relaxed);
    return four >> (index % 4 * 2) & 3u;
}

// Writes a value if the entry has none yet, and returns whether it did. Any number of threads may
// write the same value, because writing only clears bits.
static inline bool distances_mark(_Atomic uint8_t *entries, uint64_t index, unsigned value,
                                  unsigned bits)
{
    unsigned none = distances_unreached(bits);
    if (distances_get(entries, index, bits) != none) {
        return false;
    }
    if (bits == 8) {
        return atomic_fetch_and_explicit(&entries[index], (uint8_t)value, memory_order_relaxed) ==
               none;
    }
    unsigned shift = index % 4 * 2;
    uint8_t keep = (uint8_t) ~((none ^ value) << shift);
    unsigned four = atomic_fetch_and_explicit(&entries[index / 4], keep, memory_order_relaxed);
    return (four >> shift & 3u) == none;
}

// Writes a value to an entry without one. No other thread may write to the same byte meanwhile, but
// any thread may read it. This is several times faster than distances_mark.
static inline void distances_set(_Atomic uint8_t *entries, uint64_t index, unsigned value,
                                 unsigned bits)
{
    if (bits == 8) {
        atomic_store_explicit(&entries[index], (uint8_t)value, memory_order_relaxed);
        return;
    }
    unsigned keep = ~((distances_unreached(bits) ^ value) << (index % 4 * 2));
    unsigned four = atomic_load_explicit(&entries[index / 4], memory_order_relaxed);
    atomic_store_explicit(&entries[index / 4], (uint8_t)(four & keep), memory_order_relaxed);
}

// Lists which of the entries first … first+count-1 hold a value, as offsets from `first`. Returns
// their number.
unsigned distances_find(const struct distances *distances, uint64_t first, unsigned count,
                        unsigned value, uint16_t *found);

// The same as bits: bit i is set if entry first+i holds the value. `found` has count/64 + 2 words.
void distances_find_bits(const struct distances *distances, uint64_t first, unsigned count,
                         unsigned value, uint64_t *found);

// Writes a value to each entry first+i without one, 0 ≤ i < count, if bit from[i] of `set` is set.
// Returns how many it wrote. If the caller is `alone`, no other thread may write meanwhile, and
// this is faster.
unsigned distances_mark_from(struct distances *distances, uint64_t first, unsigned count,
                             const uint16_t *from, const uint64_t *set, unsigned value, bool alone);

// Counts which of the entries first … first+count-1 hold a value.
unsigned distances_count_value(const struct distances *distances, uint64_t first, unsigned count,
                               unsigned value);

// Call it when all states at `distance` are found, and none beyond. With two bits, writes the layer
// to the file, unless it is there.
bool distances_end_layer(struct distances *distances, unsigned distance, unsigned threads,
                         struct fewest_error *error);

// Makes this the part of the distances that begins with entry `first`, of `total`.
void distances_place(struct distances *distances, uint64_t first, uint64_t total);

// Moves the entries of all ranks to rank 0. They have 8 bits. All ranks call this.
bool distances_gather(struct distances *distances, struct fewest_error *error);

// Removes a distance whose layer is incomplete from the entries that have it.
void distances_take_back(struct distances *distances, unsigned distance);

// Call it after the last layer. With two bits, frees the array, because the file tells all.
void distances_finish(struct distances *distances);

// Goes back to an earlier layer: entries beyond it become unreached, and the histogram ends there.
bool distances_go_back(struct distances *distances, unsigned layer, struct fewest_error *error);

// Reads entries as distances, a byte each; UNREACHED if an entry has none. With two bits, only
// complete layers count. Any number of threads may read. The number `first` counts the entries of
// all ranks, but only those that are here can be read.
bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error);

// Counts the histogram of distances that no search has counted. They have 8 bits.
void distances_count(struct distances *distances);

// The largest distance in the histogram.
unsigned distances_largest(const struct distances *distances);

#endif
