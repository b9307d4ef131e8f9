// Pseudo-random numbers. A seed gives the same ones on every machine.
#ifndef FEWEST_TABLES_RANDOM_H
#define FEWEST_TABLES_RANDOM_H

#include <stdint.h>

// Draws a number from 0 to bound - 1, each equally likely, and changes the seed. The bound is above
// 0. The bits are those of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
// pseudorandom number generators", 2014). Draws again after a number in the last, incomplete run of
// `bound` numbers, which would favour some results.
static inline uint64_t random_below(uint64_t *seed, uint64_t bound)
{
    uint64_t bits;
    do {
        bits = *seed += UINT64_C(0x9E3779B97F4A7C15);
        bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
        bits ^= bits >> 31;
    } while (bits - bits % bound > UINT64_MAX - (bound - 1));
    return bits % bound;
}

#endif
