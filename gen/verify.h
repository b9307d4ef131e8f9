// Verifies that a finished table is sound.
#ifndef FEWEST_GEN_VERIFY_H
#define FEWEST_GEN_VERIFY_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Are these the bytes of a sound table file? The header must be valid. Every block must have the
// right checksum and length. The number of entries at each distance must be as in the header.
bool verify_table(const uint8_t *bytes, size_t length, unsigned threads,
                  struct fewest_error *error);

#endif
