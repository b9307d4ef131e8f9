// Files without a name, which disappear when the program ends, and access at an offset.
#ifndef FEWEST_GEN_LAYERS_SCRATCH_H
#define FEWEST_GEN_LAYERS_SCRATCH_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The folder for files without a name: `folder` or, if it is NULL, the system's.
const char *scratch_folder(const char *folder);

// Makes a file without a name in scratch_folder(folder). The caller closes *file.
bool scratch_open(const char *folder, int *file, struct fewest_error *error);

// Writes all bytes at an offset. Returns false with errno. Several threads may use a file at the
// same time. To read, call storage_read_file (file/storage.h).
bool scratch_write(int file, uint64_t offset, const void *bytes, size_t length);

// A file to write, and its name for messages.
struct output {
    int file;
    const char *name;
};

// Write or read all bytes of an output at an offset. Fail with FEWEST_SYSTEM.
bool output_write(const struct output *output, uint64_t offset, const void *bytes, size_t length,
                  struct fewest_error *error);
bool output_read(const struct output *output, uint64_t offset, void *bytes, size_t length,
                 struct fewest_error *error);

#endif
