// Puts a finished table in its place, wholly or not at all.
#ifndef FEWEST_GEN_PUBLISH_H
#define FEWEST_GEN_PUBLISH_H

#include "fault.h"

#include <stdint.h>

// Writes the bytes to a temporary file beside `path`, flushes it to the disk, maps and verifies it, and renames it to
// `path`. Whatever happens, `path` holds what it held before or the whole new table, and the temporary file is gone.
// Signals wait until that is so. A `path` that is there must be a regular file: a device is never replaced.
// A file that is replaced passes its permissions on; one that holds these bytes already is left untouched.
bool publish_table(const char *path, const uint8_t *bytes, size_t length, struct fault *fault);

// Could a table be put there? For an error before a long search, and not after it.
bool publish_check(const char *path, struct fault *fault);

#endif
