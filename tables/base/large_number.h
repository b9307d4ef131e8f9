// Natural numbers of any size that a puzzle's states can have, as decimal digits.
#ifndef FEWEST_TABLES_BASE_LARGE_NUMBER_H
#define FEWEST_TABLES_BASE_LARGE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum {
    LARGE_LIMBS = 2600, // 23,400 digits; 4096! times 127^4096 has 21,637
    LARGE_LIMB_DIGITS = 9,
    LARGE_TEXT_SIZE = LARGE_LIMBS * LARGE_LIMB_DIGITS + 1, // with the closing NUL
};

// A limb is a digit to the base 10^9.
struct large {
    unsigned count;              // of limbs; 0 if the number has too many
    uint32_t limbs[LARGE_LIMBS]; // the lowest first
};

// These set a number, and multiply it by another one. A number that becomes too large stays so.
void large_set(struct large *large, uint32_t number);
void large_multiply(struct large *large, uint32_t number);

// Divides, and rounds down.
void large_divide(struct large *large, uint32_t number);

// Writes the decimal digits of a number with a closing NUL, or no digits if it became too large.
// Returns how many.
size_t large_write(const struct large *large, char text[LARGE_TEXT_SIZE]);

#endif
