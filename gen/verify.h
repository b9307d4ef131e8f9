// Is a table whole, as it was written?
#ifndef FEWEST_GEN_VERIFY_H
#define FEWEST_GEN_VERIFY_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Are these the bytes of a sound table file: the header valid, every block as its checksum says and
// of its length, and as many entries at each distance as the header counts?
bool verify_table(const uint8_t *bytes, size_t length, unsigned threads,
                  struct fewest_error *error);

#endif
