// The bytes of a table: those of an open file, or of memory.
//
// A file is read and not mapped. If another program truncates it, reading fails, where a mapped
// file would raise SIGBUS. For a query, reading the header and one block also takes less time than
// mapping them and unmapping them.
#ifndef FEWEST_TABLES_STORAGE_H
#define FEWEST_TABLES_STORAGE_H

#include "base/errors.h"

#include <stdint.h>

struct storage {
    const uint8_t *bytes; // NULL: those of the file
    int file;
    uint64_t length;
};

// Opens a regular file that is not empty: a pipe or a device could not be read twice. The error is
// FEWEST_MISSING for a file that can't be opened, and FEWEST_DAMAGED for an empty one. The caller
// calls storage_close.
bool storage_open(struct storage *storage, const char *path, struct fewest_error *error);
void storage_close(struct storage *storage);

// Uses an open file, which the caller closes.
bool storage_of_file(struct storage *storage, int file, struct fewest_error *error);

static inline struct storage storage_of_bytes(const uint8_t *bytes, uint64_t length)
{
    return (struct storage){.bytes = bytes, .file = -1, .length = length};
}

// Copies `length` bytes, which must lie inside the storage. Fails with FEWEST_DAMAGED if the file
// has become shorter, and with FEWEST_SYSTEM if the system can't read it. May be called from any
// thread.
bool storage_read(const struct storage *storage, uint64_t offset, uint8_t *to, size_t length,
                  struct fewest_error *error);

// Reads bytes of a file at an offset. False with the reason in errno, ENODATA past the end.
bool file_read(int file, uint64_t offset, void *to, size_t length);

#endif
