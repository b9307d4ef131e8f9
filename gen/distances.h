// The distances of a section, from the beginning of the search until they are packed.
//
// A distance takes eight bits, or four if there are many. Four bits hold the distance modulo 15, or
// that there is none yet. After every 15 layers, a *snapshot* goes to a file without a name: a bit
// for each state that tells whether it has been reached. A distance is its remainder plus 15 for
// each snapshot that had not reached it. So the memory is four bits for each state, however large
// the distances are.
//
// A scan for the newest layer also finds the states 15, 30, … layers before it. That costs a little
// time and changes nothing, because all their neighbours have been reached.
#ifndef FEWEST_GEN_DISTANCES_H
#define FEWEST_GEN_DISTANCES_H

#include "base/errors.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UNREACHED = 0xFF, // above every distance, so that a minimum ignores it
    NARROW_MODULUS = 15,
};

struct distances {
    uint64_t count;
    unsigned bits; // 8 or 4; with 4, even entries are in the low half of a byte
    _Atomic uint8_t *entries;
    size_t length;      // of the array, in bytes
    const char *folder; // for the file of the snapshots; NULL for the system's
    int file;           // holds one snapshot after the other; -1 if there are none
    unsigned snapshots;
    uint64_t histogram[UNREACHED];
};

// `bits` is 8 or 4. All entries are 0, and take memory only when they are touched. Fails with
// FEWEST_SYSTEM without memory.
bool distances_make(struct distances *distances, uint64_t count, unsigned bits, const char *folder,
                    struct fewest_error *error);
void distances_free(struct distances *distances);

// Makes all entries unreached.
void distances_clear(struct distances *distances, unsigned threads);

// The value of an entry with this distance, and that of one without a distance yet: all bits set.
static inline unsigned distances_value(unsigned distance, unsigned bits)
{
    return bits == 8 ? distance : distance % NARROW_MODULUS;
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
    unsigned pair = atomic_load_explicit(&entries[index / 2], memory_order_relaxed);
    return pair >> (index % 2 * 4) & 15u;
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
    unsigned shift = index % 2 * 4;
    uint8_t keep = (uint8_t)(value << shift | 0xF0u >> shift);
    unsigned pair = atomic_fetch_and_explicit(&entries[index / 2], keep, memory_order_relaxed);
    return (pair >> shift & 15u) == none;
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
    unsigned shift = index % 2 * 4;
    unsigned pair = atomic_load_explicit(&entries[index / 2], memory_order_relaxed);
    pair &= value << shift | 0xF0u >> shift;
    atomic_store_explicit(&entries[index / 2], (uint8_t)pair, memory_order_relaxed);
}

// Lists which of the entries first … first+count-1 hold a value, as offsets from `first`. Returns
// their number.
unsigned distances_find(const struct distances *distances, uint64_t first, unsigned count,
                        unsigned value, uint16_t *found);

// Call it when all states at `distance` are found, and none beyond. Takes a snapshot if one is due.
bool distances_end_layer(struct distances *distances, unsigned distance, unsigned threads,
                         struct fewest_error *error);

// Removes a distance whose layer is incomplete from the entries that have it.
bool distances_take_back(struct distances *distances, unsigned distance,
                         struct fewest_error *error);

// For a checkpoint: the length of a snapshot in bytes, reading a snapshot, and adding one.
uint64_t distances_snapshot_length(const struct distances *distances);
bool distances_get_snapshot(const struct distances *distances, unsigned number,
                            uint8_t *reached_bits, struct fewest_error *error);
bool distances_put_snapshot(struct distances *distances, const uint8_t *reached_bits,
                            struct fewest_error *error);

// Reads entries as distances, a byte each; UNREACHED if an entry has none. With 4 bits, `first` is
// a multiple of 8. Any number of threads may read.
bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error);

// Are the entries in memory those of a section with so many bits (format.h)? Then they can be
// copied: count*bits/8 bytes, rounded up, the rest of the last byte 0. `first` is at the beginning
// of a byte.
bool distances_are_packed(const struct distances *distances, unsigned bits);
void distances_copy_packed(const struct distances *distances, uint64_t first, size_t count,
                           uint8_t *out);

// Counts the histogram of distances that no search has counted. They have 8 bits.
void distances_count(struct distances *distances);

// The largest distance in the histogram.
unsigned distances_largest(const struct distances *distances);

#endif
