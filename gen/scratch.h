// Files without a name: they are gone when the program is, however it ends.
#ifndef FEWEST_GEN_SCRATCH_H
#define FEWEST_GEN_SCRATCH_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The folder for such files: the one that is given or, if it is NULL, that of the system.
const char *scratch_folder(const char *folder);

// The caller closes *file.
bool scratch_open(const char *folder, int *file, struct fewest_error *error);

// Write or read all of the bytes at an offset. False with errno, which is ENODATA if the file ends
// before. Threads may do this at the same time.
bool scratch_write(int file, uint64_t offset, const void *bytes, size_t length);
bool scratch_read(int file, uint64_t offset, void *bytes, size_t length);

// A file to write, and its name for messages.
struct output {
    int file;
    const char *name;
};

// The same for such a file. False: FEWEST_SYSTEM.
bool output_write(const struct output *output, uint64_t offset, const void *bytes, size_t length,
                  struct fewest_error *error);

#endif
