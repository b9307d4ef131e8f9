// Verifies that a finished table is sound.
#ifndef FEWEST_GEN_WRITE_VERIFY_H
#define FEWEST_GEN_WRITE_VERIFY_H

#include "tables/base/errors.h"

#include <stdbool.h>

// Does an open file hold a sound table? The header must be valid. Every block must have the
// right checksum and length. The number of entries at each distance must be as in the header.
bool verify_table(int file, unsigned threads, struct fewest_error *error);

#endif
