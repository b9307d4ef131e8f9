// Puts a finished table in its place, wholly or not at all.
//
// The bytes go to a file without a name in the folder of the table (where the system has no such files, to one with a
// name of its own). When it is whole it is flushed to the disk, mapped and verified, and takes the place of the table.
// Whatever happens, that holds what it held before or the whole new table.
#ifndef FEWEST_GEN_PUBLISH_H
#define FEWEST_GEN_PUBLISH_H

#include "fault.h"
#include "sink.h"

#include <sys/types.h>

struct publication {
    char *path; // links followed
    char *folder;
    char *temporary; // the name while there is one; empty before that
    int file;
    mode_t mode; // of the file that is replaced, or of any new one
    struct fault *fault;
};

// Begins: a `path` that is there must be a regular file, a device is never replaced. The caller calls publish_end,
// whether this succeeded or not.
bool publish_begin(struct publication *publication, const char *path, struct fault *fault);
struct sink publish_sink(struct publication *publication);

// Puts what was written in place, whatever it is.
bool publish_place(struct publication *publication);

// Puts the table in place, if it is a sound one. A file that is replaced passes its permissions on; one that holds
// these bytes already is left untouched.
bool publish_finish(struct publication *publication, unsigned threads);

// Leaves nothing behind but what publish_finish has put in place.
void publish_end(struct publication *publication);

#endif
