// Numbers of sets as sums, and images of sets as unions, of two halves that are looked up.
//
// A set of `size` of at most SET_SLOTS_MOST slots is a *mask*, with a bit for each slot. The sets
// are numbered in the order of their masks, as whole numbers. Implicit digits (chain/sets.h) have
// the same numbers: a set has C(p_j, j+1) smaller ones that differ from it first at its slot p_j,
// from the top. A mask has a high and a low half. Sets with one high half follow each other, in the
// order of their low halves. So the number of a set is that of the first one with its high half,
// plus that of its low half among those of as many bits.
//
// A permutation of the slots takes a set to the union of the images of its halves.
#ifndef FEWEST_TABLES_SET_MASKS_H
#define FEWEST_TABLES_SET_MASKS_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SET_SLOTS_MOST = 40 }; // a half then has 2^20 masks

struct set_masks {
    unsigned low_bits;   // of the low half
    unsigned high_bits;  // of the high half
    unsigned size;       // of a set
    uint64_t count;      // of sets
    uint64_t *first;     // by high half: the number of the first set that has it, or a higher one
    uint32_t *rank;      // by low half: its number among the low halves of as many bits
    uint32_t *halves;    // the low halves, sorted by their number of bits
    uint32_t *halves_of; // by number of bits: where its low halves begin; then where they end
};

// False if memory runs out. The caller frees the masks in any case.
bool set_masks_make(struct set_masks *masks, unsigned slots, unsigned size);
void set_masks_free(struct set_masks *masks);

// Returns the number of the set that a mask of `size` bits is.
static inline uint64_t set_masks_number(const struct set_masks *masks, uint64_t mask)
{
    return masks->first[mask >> masks->low_bits] +
           masks->rank[mask & ((UINT64_C(1) << masks->low_bits) - 1)];
}

// Returns the mask of the set with a number, which is below `count`.
uint64_t set_masks_mask(const struct set_masks *masks, uint64_t number);

// Writes to `out` the masks of `count` sets. The numbers of the sets are first + offsets[i], and
// rise.
void set_masks_list(const struct set_masks *masks, uint64_t first, const uint32_t *offsets,
                    unsigned count, uint64_t *out);

// The number of halves: low halves, and then high ones.
static inline size_t set_masks_image_count(const struct set_masks *masks)
{
    return ((size_t)1 << masks->low_bits) + ((size_t)1 << masks->high_bits);
}

// Writes the images of all halves under a permutation of the slots: slot i goes to slot_images[i].
// `images` has room for set_masks_image_count of them.
void set_masks_fill(const struct set_masks *masks, const uint8_t *slot_images, uint64_t *images);

// Returns the image of a set, from the images of the halves.
static inline uint64_t set_masks_image(const struct set_masks *masks, const uint64_t *images,
                                       uint64_t mask)
{
    uint64_t lows = UINT64_C(1) << masks->low_bits;
    return images[mask & (lows - 1)] | images[lows + (mask >> masks->low_bits)];
}

// The bytes of masks, without images.
uint64_t set_masks_bytes(const struct set_masks *masks);

#endif
