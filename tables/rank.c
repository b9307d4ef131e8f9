#include "rank.h"

#include <assert.h>
#include <string.h>

// A count that may still be multiplied by the number of a colour's cells without wrapping.
static const uint64_t COLOURINGS_MOST = UINT64_MAX / RANK_COLOURS_LONGEST;

uint64_t arrangement_count(unsigned symbols, unsigned length)
{
    assert(length <= symbols && symbols <= RANK_LONGEST);
    uint64_t count = 1;
    for (unsigned i = 0; i < length; i++) {
        count *= symbols - i;
    }
    return count;
}

uint64_t arrangement_rank(unsigned symbols, unsigned length, const uint8_t *arrangement)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned i = 0; i < length; i++) {
        rank = rank * (symbols - i) + lehmer_digit(&code, arrangement[i]);
    }
    return rank;
}

void arrangement_unrank(unsigned symbols, unsigned length, uint64_t rank, uint8_t *arrangement)
{
    uint8_t digit[RANK_LONGEST];
    for (unsigned i = length; i-- > 0;) {
        digit[i] = (uint8_t)(rank % (symbols - i));
        rank /= symbols - i;
    }
    // The unused symbols in rising order, a nibble each: the digit says which to take out.
    uint64_t unused = 0xFEDCBA9876543210u;
    for (unsigned i = 0; i < length; i++) {
        unsigned shift = 4u * digit[i];
        arrangement[i] = (uint8_t)(unused >> shift & 15u);
        uint64_t below = ((uint64_t)1 << shift) - 1;
        unused = (unused & below) | (unused >> 4 & ~below);
    }
}

bool arrangement_is_odd(unsigned length, const uint8_t *arrangement)
{
    unsigned inversions = 0;
    for (unsigned i = 0; i < length; i++) {
        for (unsigned j = 0; j < i; j++) {
            inversions += arrangement[j] > arrangement[i];
        }
    }
    return inversions % 2 == 1;
}

// Each partial product is a binomial coefficient times an integer, so every division is exact.
bool colouring_count(unsigned length, unsigned colours, const uint8_t *amount, uint64_t *count)
{
    unsigned placed = 0;
    *count = 1;
    for (unsigned c = 0; c < colours; c++) {
        for (unsigned k = 1; k <= amount[c]; k++) {
            placed++;
            if (*count > COLOURINGS_MOST / placed) {
                return false;
            }
            *count = *count * placed / k;
        }
    }
    assert(placed == length);
    (void)length;
    return true;
}

// Of `count` colourings of `cells` cells, so many have a colour first that stands `amount` times.
static uint64_t colourings_after(uint64_t count, unsigned cells, unsigned amount)
{
    return count * amount / cells;
}

uint64_t colouring_rank(unsigned length, unsigned colours, const uint8_t *amount, const uint8_t *colouring)
{
    uint8_t left[RANK_COLOURS_LONGEST];
    uint64_t rank = 0;
    uint64_t count = 0;
    memcpy(left, amount, colours);
    colouring_count(length, colours, amount, &count);
    for (unsigned i = 0; i < length; i++) {
        for (unsigned c = 0; c < colouring[i]; c++) {
            rank += colourings_after(count, length - i, left[c]);
        }
        count = colourings_after(count, length - i, left[colouring[i]]--);
    }
    return rank;
}

void colouring_unrank(unsigned length, unsigned colours, const uint8_t *amount, uint64_t rank, uint8_t *colouring)
{
    uint8_t left[RANK_COLOURS_LONGEST];
    uint64_t count = 0;
    memcpy(left, amount, colours);
    colouring_count(length, colours, amount, &count);
    for (unsigned i = 0; i < length; i++) {
        unsigned c = 0;
        uint64_t after = colourings_after(count, length - i, left[0]);
        while (rank >= after) {
            rank -= after;
            c++;
            after = colourings_after(count, length - i, left[c]);
        }
        colouring[i] = (uint8_t)c;
        left[c]--;
        count = after;
    }
}
