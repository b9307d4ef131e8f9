// A file mapped into memory, for reading.
//
// Only a regular file that is not empty can be mapped: a pipe or a device may change under the map.
// Even so, another program may truncate the file while it is mapped. Reading the lost part then
// raises SIGBUS. The command handles that signal, not this code.
#ifndef FEWEST_TABLES_MAPPING_H
#define FEWEST_TABLES_MAPPING_H

#include "base/errors.h"

#include <stdint.h>

struct mapping {
    const uint8_t *bytes;
    size_t length;
};

// The error is FEWEST_MISSING for a file that can't be opened, and FEWEST_DAMAGED for an empty one.
// The caller calls mapping_close.
bool mapping_open(struct mapping *mapping, const char *path, struct fewest_error *error);
// Maps an open file, and does not close it.
bool mapping_of_file(struct mapping *mapping, int file, struct fewest_error *error);
void mapping_close(struct mapping *mapping);

// Gives back the memory of bytes that were read and should not be needed again. If they are, they
// are read from the file once more. Does nothing without a map.
void mapping_give_back(const struct mapping *mapping, size_t offset, size_t length);

#endif
