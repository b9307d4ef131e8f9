// Publishes a finished file: it appears in its place complete or not at all.
//
// The bytes go to a file without a name in the folder of the table, so nothing is left behind
// however the program ends. The finished file is flushed to the disk, mapped and verified, and
// renamed over the file that was there. On a system without files without a name, a program that is
// killed (SIGKILL) leaves a file named .fewest-gen.PID.NUMBER.
#ifndef FEWEST_GEN_PUBLISH_H
#define FEWEST_GEN_PUBLISH_H

#include "base/errors.h"
#include "scratch.h"

struct publication {
    char *path; // real: absolute, links followed
    char *folder;
    char *temporary; // the name that the file has before it is renamed
    bool named;      // it has that name now
    bool unchanged;  // publish_finish found these bytes in place
    int file;
    struct fewest_error *error;
};

// Begins to publish at `path`, which may be a regular file, a link to one, or not exist yet. The
// caller calls publish_end in any case.
bool publish_begin(struct publication *publication, const char *path, struct fewest_error *error);
struct output publish_output(const struct publication *publication);

// Puts what was written in place, whatever it is.
bool publish_place(struct publication *publication);

// Verifies the table and puts it in place. Leaves a file that holds these bytes already untouched.
bool publish_finish(struct publication *publication, unsigned threads);

// Removes what publish_place has not put in place, and frees all memory.
void publish_end(struct publication *publication);

#endif
