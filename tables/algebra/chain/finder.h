// Finds the digits of elements by tables, several times as fast as chain_divide.
//
// The image of a thing of one point is looked up by its point. The image of a larger thing is a
// set: the sum of a random number for each of its points finds it in a hash table. The first bits
// of the sum tell where, and the table has the last ones. All of these differ, or other random
// numbers are taken. So only images of the thing may be looked up: the sum of any other set may be
// one of theirs.
#ifndef FEWEST_TABLES_CHAIN_FINDER_H
#define FEWEST_TABLES_CHAIN_FINDER_H

#include "chain.h"

#include <assert.h>

struct finder_slot {
    uint32_t tag;    // the last bits of the sum
    uint32_t number; // of the image, or UINT32_MAX
};

struct digit_finder {
    unsigned size;             // of the thing
    uint32_t length;           // images
    uint32_t *number;          // of a thing of one point: by point
    uint64_t *random;          // of a larger one: by point
    struct finder_slot *slots; // 2^bits of them
    unsigned bits;
    const chain_point **rows; // by number: what chain_row returns. NULL if the chain keeps no rows
};

struct chain_finder {
    const struct chain *chain;
    struct digit_finder *digits; // all digits of the chain
};

enum { FINDER_IMAGES_MOST = 1 << 22 };

// Begins without tables, for a finished chain. The caller frees in any case.
bool finder_begin(struct chain_finder *finder, const struct chain *chain);
void finder_free(struct chain_finder *finder);

// Makes the tables of the digits first … end-1, unless they are there. A digit of more than
// FINDER_IMAGES_MOST images has none, and is found as chain_divide finds it. Returns false if
// memory runs out.
bool finder_add(struct chain_finder *finder, unsigned first, unsigned end);

// Returns the number of the image of a digit's thing. May overwrite the images.
static inline uint32_t finder_number(const struct chain_finder *finder, unsigned d,
                                     chain_point *images)
{
    const struct digit_finder *digit = &finder->digits[d];
    if (digit->number) {
        return digit->number[images[0]];
    }
    if (!digit->slots) {
        return (uint32_t)chain_number(&finder->chain->digits[d], images);
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < digit->size; i++) {
        sum += digit->random[images[i]];
    }
    uint64_t at = sum >> (64 - digit->bits);
    while (digit->slots[at].tag != (uint32_t)sum && digit->slots[at].number != UINT32_MAX) {
        at = (at + 1) & ((UINT64_C(1) << digit->bits) - 1);
    }
    return digit->slots[at].number;
}

// Does what chain_divide does, for an element that has such images. `room` has room for two rows of
// points.
static inline uint64_t finder_divide(const struct chain_finder *finder, unsigned first,
                                     unsigned end, chain_point *images, unsigned count,
                                     chain_point *room)
{
    uint64_t rank = 0;
    for (unsigned d = first; d < end && count > 0; d++) {
        const struct digit_finder *digit = &finder->digits[d];
        assert(digit->size <= count);
        if (digit->length > 1) {
            uint32_t number = finder_number(finder, d, images);
            rank = rank * digit->length + number;
            if (count > digit->size && number > 0) {
                const chain_point *row =
                    digit->rows ? digit->rows[number] : chain_row(finder->chain, d, number, room);
                const chain_point *inverse = row + finder->chain->plan->degree;
                for (unsigned i = digit->size; i < count; i++) {
                    images[i] = inverse[images[i]];
                }
            }
        }
        images += digit->size;
        count -= digit->size;
    }
    return rank;
}

#endif
