// The distances of a section while they are found, and until they are packed.
//
// Eight bits each, where there are few, and four where there are many. Four hold a distance modulo
// 15, or that there is none yet. To tell the true distances in the end, each time that 15 more of
// them are found a *snapshot* is put into a file without a name: a bit for each state, whether it
// has been reached. A distance is its remainder plus 15 for each snapshot that had not reached it.
// So the memory is four bits a state, whatever the largest distance is.
//
// A search that looks for the states of the last layer also meets those of 15 layers before. That
// costs a little time and changes nothing, because all their neighbours have been reached.
#ifndef FEWEST_GEN_DISTANCES_H
#define FEWEST_GEN_DISTANCES_H

#include "base/errors.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UNREACHED = 0xFF, // above every distance, so that a minimum passes over it
    NARROW_MODULUS = 15,
};

struct distances {
    uint64_t count;
    unsigned bits; // 8 or 4, the even entry in the low half
    _Atomic uint8_t *entries;
    size_t length;      // of the array, in bytes
    const char *folder; // where the snapshots' file is made
    int file;           // one snapshot after the other; -1 without any
    unsigned snapshots;
    uint64_t histogram[UNREACHED];
};

// `bits` is 8 or 4. All are 0; they take memory as they are touched. Fails with FEWEST_SYSTEM
// without memory.
bool distances_make(struct distances *distances, uint64_t count, unsigned bits, const char *folder,
                    struct fewest_error *error);
void distances_free(struct distances *distances);

// Makes all unreached.
void distances_clear(struct distances *distances, unsigned threads);

// How a distance is written, and what says that there is none yet: all bits set.
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

// Writes a value where there is none yet, and says whether it did. Any number of threads may write
// the same value. (To write is to clear bits.)
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

// Lists which of the entries first … first+count-1 hold a value, counted from the first. Returns
// how many.
unsigned distances_find(const struct distances *distances, uint64_t first, unsigned count,
                        unsigned value, uint16_t *found);

// All of `distance` are found, and none beyond: takes a snapshot if it is time for one.
bool distances_end_layer(struct distances *distances, unsigned distance, unsigned threads,
                         struct fewest_error *error);

// Takes a distance back, which is being found and may have been written for some.
bool distances_take_back(struct distances *distances, unsigned distance,
                         struct fewest_error *error);

// The snapshots, for keeping: their length in bytes, one of them, and adding one.
uint64_t distances_snapshot_length(const struct distances *distances);
bool distances_get_snapshot(const struct distances *distances, unsigned number,
                            uint8_t *reached_bits, struct fewest_error *error);
bool distances_put_snapshot(struct distances *distances, const uint8_t *reached_bits,
                            struct fewest_error *error);

// Reads entries as distances, a byte each, UNREACHED where there is none, from an even one on. Any
// number of threads may read.
bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error);

// Counts the histogram of distances of eight bits that did not come from a search.
void distances_count(struct distances *distances);

// The largest distance that the histogram has.
unsigned distances_largest(const struct distances *distances);

#endif
