// Finds several digits of an element at once, many times as fast as chain_divide.
//
// The images of the digits' things tell their number. Each thing has a random number for each
// point. The sum of these numbers, over the images of all points, finds the number in a hash table.
// The first bits of the sum tell where, and the table has the last ones. All of these differ, or
// other random numbers are taken. So only images under an element that fixes the things before may
// be looked up: the sum of any others may be the same.
#ifndef FEWEST_TABLES_CHAIN_FINDER_H
#define FEWEST_TABLES_CHAIN_FINDER_H

#include "chain.h"

struct finder_slot {
    uint32_t tag;    // the last bits of the sum
    uint32_t number; // or UINT32_MAX
};

struct chain_finder {
    const struct chain *chain;
    unsigned first; // digit
    unsigned end;   // digit
    unsigned count; // of the points of their things
    uint64_t *random;
    const uint64_t **random_of; // by point of the things: the random numbers, by image
    struct finder_slot *slots;  // 2^bits of them; NULL: chain_divide finds the digits
    unsigned bits;
};

enum { FINDER_NUMBERS_MOST = 1 << 22 };

// Makes the table of the digits first … end-1 of a finished chain. If they have more than
// FINDER_NUMBERS_MOST numbers, there is no table. Returns false if memory runs out. The caller
// frees in any case.
bool finder_make(struct chain_finder *finder, const struct chain *chain, unsigned first,
                 unsigned end);
void finder_free(struct chain_finder *finder);

// The sum of the random numbers of the images.
static inline uint64_t finder_add_up(const struct chain_finder *finder, const chain_point *images)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < finder->count; i++) {
        sum += finder->random_of[i][images[i]];
    }
    return sum;
}

// A look-up has two steps, so that several can wait for the memory at the same time. The first one
// returns the sum for the images of the points of the digits' things, one thing after the other,
// and begins to load what the second one reads. It may overwrite the images. An element has these
// images.
static inline uint64_t finder_sum(const struct chain_finder *finder, chain_point *images)
{
    if (!finder->slots) {
        return chain_divide(finder->chain, finder->first, finder->end, images, finder->count);
    }
    uint64_t sum = finder_add_up(finder, images);
    __builtin_prefetch(&finder->slots[sum >> (64 - finder->bits)]);
    return sum;
}

// The second step: returns what chain_divide does.
static inline uint32_t finder_number(const struct chain_finder *finder, uint64_t sum)
{
    if (!finder->slots) {
        return (uint32_t)sum;
    }
    uint64_t at = sum >> (64 - finder->bits);
    while (finder->slots[at].tag != (uint32_t)sum && finder->slots[at].number != UINT32_MAX) {
        at = (at + 1) & ((UINT64_C(1) << finder->bits) - 1);
    }
    return finder->slots[at].number;
}

#endif
