// Ranking: the bijections between arrangements and the numbers 0 … count-1.
//
// unrank(rank(x)) = x. An arrangement's rank is lexicographic: 0 is the smallest, read from the
// left. Nothing here allocates or keeps state; every function may be called from any thread.
#ifndef FEWEST_TABLES_ALGEBRA_RANK_H
#define FEWEST_TABLES_ALGEBRA_RANK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    RANK_LONGEST = 16,    // symbols of an arrangement that is ranked fast: one nibble each
    RANK_CELLS_MOST = 255 // symbols of an arrangement, and cells of a multiset permutation
};

// An *arrangement* is `length` different symbols out of 0 … symbols-1, in order: a partial
// permutation, or a complete one if length = symbols. Its rank is the number that its Lehmer code
// spells in the mixed radix symbols, symbols-1, … (D. H. Lehmer, "Teaching combinatorial tricks to
// a computer", 1960).
//
// The code's digit of a symbol is the number of smaller symbols that are still unused. `struct
// lehmer` holds that number for every symbol at once, a nibble each. The use of a symbol takes one
// off every nibble above it. No borrow crosses a nibble, because every nibble above an unused
// symbol counts that symbol and is at least 1.
struct lehmer {
    uint64_t smaller_unused;
};

// Returns the code before the first symbol: symbol s has s smaller ones.
static inline struct lehmer lehmer_start(void)
{
    return (struct lehmer){0xFEDCBA9876543210u};
}

// Uses a symbol, 0 … RANK_LONGEST-1, and returns its digit. The caller uses each symbol once.
static inline unsigned lehmer_digit(struct lehmer *code, unsigned symbol)
{
    unsigned digit = (unsigned)(code->smaller_unused >> (4 * symbol)) & 15u;
    code->smaller_unused -= 0x1111111111111110u << (4 * symbol);
    return digit;
}

static inline unsigned count_bits(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

// The greatest common divisor of two numbers, of which the first is not 0.
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
    assert(a > 0); // or the divisor could be 0
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// The number of arrangements of `length` out of `symbols`: symbols! / (symbols-length)!.
// length <= symbols <= RANK_CELLS_MOST. The count is 0 if it exceeds 64 bits; do not call the
// others then. arrangement_rank returns the rank of an arrangement, and arrangement_unrank writes
// the arrangement that has a rank below the count.
uint64_t arrangement_count(unsigned symbols, unsigned length);
uint64_t arrangement_rank(unsigned symbols, unsigned length, const uint8_t *arrangement);
void arrangement_unrank(unsigned symbols, unsigned length, uint64_t rank, uint8_t *arrangement);

// Turns an arrangement into the one with the next rank; the last one into the first. `symbols` is
// at most 31: they are bits of a mask.
void arrangement_next(unsigned symbols, unsigned length, uint8_t *arrangement);

// A complete arrangement of at most RANK_LONGEST symbols: its rank, and whether it is odd. The
// digits of a Lehmer code add up to the number of inversions.
uint64_t arrangement_rank_odd(unsigned length, const uint8_t *arrangement, bool *odd);

// Writes the odd one (or, without `odd`, the even one) of two complete arrangements: those with the
// ranks 2h and 2h + 1. They differ only in the two last symbols, so one of them is odd.
void arrangement_unrank_half(unsigned length, uint64_t h, bool odd, uint8_t *arrangement);

// Is the arrangement, as a permutation of its own symbols in rising order, odd?
bool arrangement_is_odd(unsigned length, const uint8_t *arrangement);

// A *multiset permutation* is a row of `length` cells in which colour c appears exactly amount[c]
// times. Its rank has two digits:
//   1. the arrangement of the cells of the colours that appear once, in rising order of colours;
//   2. the lexicographic rank of the other colours in the cells that are left.
// So if a few distinct pieces are among many that look alike, the rank is mainly that of their
// places. A move changes the place of each piece independently.
//
// multiset_count returns false if its product does not fit 56 bits; do not call the others then.
// length <= RANK_CELLS_MOST, colours <= length.
bool multiset_count(unsigned length, unsigned colours, const uint8_t *amount, uint64_t *count);
uint64_t multiset_rank(unsigned length, unsigned colours, const uint8_t *amount,
                       const uint8_t *multiset);
void multiset_unrank(unsigned length, unsigned colours, const uint8_t *amount, uint64_t rank,
                     uint8_t *multiset);

#endif
