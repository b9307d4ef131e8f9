// A file mapped into memory, for reading.
//
// Only a regular file that is not empty can be mapped: a pipe or a device may change under the map.
// Even so, another program may cut the file while it is mapped; touching the lost part then raises
// SIGBUS, which is for the command to handle and not for this code.
#ifndef FEWEST_TABLES_MAPPING_H
#define FEWEST_TABLES_MAPPING_H

#include "base/errors.h"

#include <stdint.h>

struct mapping {
    const uint8_t *bytes;
    size_t length;
};

// A file that can't be opened is FEWEST_MISSING; one that is empty, FEWEST_DAMAGED. The caller
// calls mapping_close.
bool mapping_open(struct mapping *mapping, const char *path, struct fewest_error *error);
// An open one, which is not closed.
bool mapping_of_file(struct mapping *mapping, int file, struct fewest_error *error);
void mapping_close(struct mapping *mapping);

#endif
