// Lists the halves of masks.
#include "set_masks.h"

#include "rank.h"

#include <assert.h>
#include <stdlib.h>

// Sorts the low halves by their number of bits (a counting sort): fills in `halves`, `halves_of`
// and `rank`. halves_of has low_bits + 2 entries, which are 0 before.
static void list_low_halves(struct set_masks *masks)
{
    uint32_t next[SET_SLOTS_MOST / 2 + 1]; // by number of bits: where the next one goes
    uint32_t end = UINT32_C(1) << masks->low_bits;
    for (uint32_t half = 0; half < end; half++) {
        masks->halves_of[count_bits(half) + 1]++; // counts, which become places below
    }
    for (unsigned bits = 0; bits <= masks->low_bits; bits++) {
        next[bits] = masks->halves_of[bits];
        masks->halves_of[bits + 1] += masks->halves_of[bits];
    }
    for (uint32_t half = 0; half < end; half++) {
        unsigned bits = count_bits(half);
        masks->rank[half] = next[bits] - masks->halves_of[bits];
        masks->halves[next[bits]++] = half;
    }
}

// Numbers the sets: fills in the number of the first set with each high half, and the count of all.
// A high half belongs to no set if the rest of the set does not fit into a low half. Then it gets
// the number of the next set.
static void number_high_halves(struct set_masks *masks)
{
    uint64_t highs = UINT64_C(1) << masks->high_bits;
    for (uint64_t half = 0; half < highs; half++) {
        unsigned high = count_bits(half);
        masks->first[half] = masks->count;
        if (high <= masks->size && masks->size - high <= masks->low_bits) {
            unsigned low = masks->size - high; // bits of the low halves that go with it
            masks->count += masks->halves_of[low + 1] - masks->halves_of[low];
        }
    }
}

bool set_masks_make(struct set_masks *masks, unsigned slots, unsigned size)
{
    assert(size <= slots && slots <= SET_SLOTS_MOST);
    *masks =
        (struct set_masks){.low_bits = slots / 2, .high_bits = slots - slots / 2, .size = size};
    size_t lows = (size_t)1 << masks->low_bits;
    masks->first = calloc((size_t)1 << masks->high_bits, sizeof *masks->first);
    masks->rank = calloc(lows, sizeof *masks->rank);
    masks->halves = calloc(lows, sizeof *masks->halves);
    masks->halves_of = calloc(masks->low_bits + 2, sizeof *masks->halves_of);
    if (!masks->first || !masks->rank || !masks->halves || !masks->halves_of) {
        return false;
    }
    list_low_halves(masks);
    number_high_halves(masks);
    return true;
}

void set_masks_free(struct set_masks *masks)
{
    free(masks->first);
    free(masks->rank);
    free(masks->halves);
    free(masks->halves_of);
    *masks = (struct set_masks){.count = 0};
}

// Returns the high half of the set with a number: the last one whose first set has at most this
// number. A binary search, from the highest bit on.
static uint64_t find_high_half(const struct set_masks *masks, uint64_t number)
{
    uint64_t half = 0;
    for (uint64_t bit = UINT64_C(1) << masks->high_bits >> 1; bit > 0; bit >>= 1) {
        if (masks->first[half | bit] <= number) {
            half |= bit;
        }
    }
    return half;
}

uint64_t set_masks_mask(const struct set_masks *masks, uint64_t number)
{
    uint32_t offset = 0;
    uint64_t mask;
    set_masks_list(masks, number, &offset, 1, &mask);
    return mask;
}

// Searches the high half of the first set only. The numbers rise, so from set to set the half stays
// or goes up.
void set_masks_list(const struct set_masks *masks, uint64_t first, const uint32_t *offsets,
                    unsigned count, uint64_t *out)
{
    uint64_t highs = UINT64_C(1) << masks->high_bits;
    uint64_t half = count > 0 ? find_high_half(masks, first + offsets[0]) : 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t number = first + offsets[i];
        while (half + 1 < highs && masks->first[half + 1] <= number) {
            half++;
        }
        const uint32_t *lows = masks->halves + masks->halves_of[masks->size - count_bits(half)];
        out[i] = half << masks->low_bits | lows[number - masks->first[half]];
    }
}

// Makes the image of each half from that of the half without its lowest bit, which comes before,
// and from the image of this bit.
void set_masks_fill(const struct set_masks *masks, const uint8_t *slot_images, uint64_t *images)
{
    uint64_t *highs = images + ((size_t)1 << masks->low_bits);
    images[0] = 0;
    for (size_t half = 1; half >> masks->low_bits == 0; half++) {
        images[half] = images[half & (half - 1)] | UINT64_C(1)
                                                       << slot_images[__builtin_ctzll(half)];
    }
    highs[0] = 0;
    for (size_t half = 1; half >> masks->high_bits == 0; half++) {
        highs[half] = highs[half & (half - 1)] |
                      UINT64_C(1) << slot_images[masks->low_bits + (unsigned)__builtin_ctzll(half)];
    }
}

uint64_t set_masks_bytes(const struct set_masks *masks)
{
    uint64_t lows = UINT64_C(1) << masks->low_bits;
    return lows * (sizeof *masks->rank + sizeof *masks->halves) +
           (sizeof *masks->first << masks->high_bits);
}
