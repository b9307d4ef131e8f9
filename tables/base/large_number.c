// Multiplies and divides by one limb at a time, as on paper.
#include "large_number.h"

#include <stdio.h>

static const uint32_t LIMB = 1000000000;

void large_set(struct large *large, uint32_t number)
{
    large->count = 1;
    large->limbs[0] = 1;
    large_multiply(large, number); // which may need two limbs
}

void large_multiply(struct large *large, uint32_t number)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < large->count; i++) {
        carry += (uint64_t)large->limbs[i] * number; // below 10^9 × 2^32 + 2^33, so it fits
        large->limbs[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    for (; carry > 0 && large->count > 0; carry /= LIMB) {
        if (large->count == LARGE_LIMBS) {
            large->count = 0; // the number is too large
            return;
        }
        large->limbs[large->count++] = (uint32_t)(carry % LIMB);
    }
}

void large_divide(struct large *large, uint32_t number)
{
    uint64_t rest = 0;
    for (unsigned i = large->count; i-- > 0;) {
        rest = rest * LIMB + large->limbs[i];
        large->limbs[i] = (uint32_t)(rest / number);
        rest %= number;
    }
    while (large->count > 1 && large->limbs[large->count - 1] == 0) {
        large->count--;
    }
}

size_t large_write(const struct large *large, char text[LARGE_TEXT_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = large->count; i-- > 0;) { // all limbs but the first have nine digits
        used += (size_t)sprintf(text + used, used > 0 ? "%09u" : "%u", large->limbs[i]);
    }
    return used;
}
