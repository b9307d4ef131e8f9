// The bytes of a table: those of an open file, or of memory.
//
// A file is read and not mapped. If another program truncates it, reading fails. A mapped file
// would raise SIGBUS. For a query, reading the header and one block also takes less time than
// mapping and unmapping the file.
#ifndef FEWEST_TABLES_STORAGE_H
#define FEWEST_TABLES_STORAGE_H

#include "base/errors.h"

#include <stdint.h>

// The end of a message about a damaged table, or one of another version.
#define TABLE_AGAIN "; generate the table again with fewest-gen"

struct storage {
    const uint8_t *bytes; // in memory, or NULL if a file has them
    int file;             // or -1
    uint64_t length;
};

// Opens a regular file: a pipe has no offsets. The error is FEWEST_MISSING if the file can't be
// opened or is not regular, and FEWEST_DAMAGED if it is empty. The caller calls storage_close.
bool storage_open(struct storage *storage, const char *path, struct fewest_error *error);
void storage_close(struct storage *storage);

// The same for an open file. The caller closes the file, and not the storage.
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

// Reads bytes of a file at an offset. On failure returns false and sets errno: ENODATA if the file
// ends too early.
bool storage_read_file(int file, uint64_t offset, void *to, size_t length);

#endif
