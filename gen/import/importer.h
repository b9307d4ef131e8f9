// Runs fewest-import, a program of the Python package, for files of other programs.
#ifndef FEWEST_GEN_IMPORT_IMPORTER_H
#define FEWEST_GEN_IMPORT_IMPORTER_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>

struct import_file {
    const char *path; // of the definition
    const char *goal; // of the file with the solved state, or NULL
    const char *kind; // what the definition is (foreign_find_kind)
};

// Translates a file: *text becomes the definition in our own language, *length bytes that the
// caller frees. The error is that of fewest-import, or says how to get it.
bool import_translate(const struct import_file *file, char **text, size_t *length,
                      struct fewest_error *error);

#endif
