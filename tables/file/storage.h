// The bytes of a table: those of a mapped file, or of memory.
//
// A file is mapped, and its bytes are read where they lie. Other processes that map it share them.
// If another program cuts the file short, reading them raises SIGBUS. If another program writes the
// file, bytes may change at any time. So what must not change is copied before it is checked, and
// an entry is checked whenever it is read. A file that can't be mapped is read into memory.
#ifndef FEWEST_TABLES_STORAGE_H
#define FEWEST_TABLES_STORAGE_H

#include "tables/base/errors.h"

#include <stdint.h>

// The end of a message about a damaged table, or one of another version.
#define TABLE_AGAIN "; generate the table again with fewest-gen"

struct storage {
    const uint8_t *bytes;
    uint64_t length; // fits a size_t
    uint8_t *own;    // the bytes, if storage_close frees them
    bool mapped;     // storage_close ends the mapping
};

// Opens a regular file: a pipe has no offsets. The error is FEWEST_MISSING if the file can't be
// opened or is not regular, FEWEST_DAMAGED if it is empty, and FEWEST_BEYOND if it is larger than
// the memory that a program can address. After success, the caller calls storage_close.
bool storage_open(struct storage *storage, const char *path, struct fewest_error *error);
void storage_close(struct storage *storage);

// The same for an open file, which the caller closes, before or after the storage.
bool storage_of_file(struct storage *storage, int file, struct fewest_error *error);

// The same for bytes of the caller, who keeps them. It needs no storage_close.
static inline struct storage storage_of_bytes(const uint8_t *bytes, size_t length)
{
    return (struct storage){.bytes = bytes, .length = length};
}

// Gives back the memory of the bytes that were read so far, if they are mapped. Whoever reads them
// again reads the file again, which the system still has if it has room. Any thread may call this.
void storage_release(const struct storage *storage);

// Reads bytes of a file at an offset. On failure returns false and sets errno: ENODATA if the file
// ends too early.
bool storage_read_file(int file, uint64_t offset, void *to, size_t length);

#endif
