// Publishes a finished file: it appears in its place complete or not at all.
//
// The bytes go to a file without a name in the folder of the target, so a program that ends early
// leaves nothing behind. The finished file is flushed to the disk, and a table is verified. At last
// the file gets a temporary name, .fewest-gen.PID.NUMBER, and is renamed into place.
//
// If the system has no files without a name, the file has the temporary name from the beginning. A
// program that is killed (SIGKILL) then leaves it behind.
#ifndef FEWEST_GEN_WRITE_PUBLISH_H
#define FEWEST_GEN_WRITE_PUBLISH_H

#include "gen/layers/scratch.h"
#include "tables/base/errors.h"

struct publication {
    char *path; // absolute, with links followed; NULL for a table in memory
    char *folder;
    char *temporary; // the name that the file has before it is renamed
    bool named;      // the file has that name now
    bool unchanged;  // publish_finish found these bytes in place
    int file;
    struct fewest_error *error;
};

// Begins to publish at `path`, which may be a regular file, a link to one, or not exist yet. The
// caller calls publish_end in any case.
bool publish_begin(struct publication *publication, const char *path, struct fewest_error *error);

// Begins a table that will be read into memory. Until then it is a temporary file in the folder or,
// if this is NULL, in the system's.
bool publish_begin_in_memory(struct publication *publication, const char *folder,
                             struct fewest_error *error);

// The file to which the table is written. Its name is valid until publish_end.
struct output publish_output(const struct publication *publication);

// Verifies the table. If it has a path, flushes it first, and then puts it in place. If the file in
// place already holds the same bytes, that file stays, and only its time changes. This function and
// publish_read write to the error that publish_begin was given.
bool publish_finish(struct publication *publication, unsigned threads);

// Reads the table into memory, which the caller frees in any case. Fails with FEWEST_BEYOND if it
// has more than `most` bytes; 0 is no limit.
bool publish_read(const struct publication *publication, uint64_t most, uint8_t **bytes,
                  size_t *length);

// Closes the file, removes it if it was not put in place, and frees all memory.
void publish_end(struct publication *publication);

#endif
