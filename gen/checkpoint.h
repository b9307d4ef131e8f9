// A search that can be stopped and gone on with: a file that holds it as it was at the end of a depth.
//
// The file is little-endian: a magic number, what it belongs to (a hash of the definition, the metric and the version),
// root, bits, number of states, depth, histogram; then the array of distances and its snapshots (distances.h). All of
// it stands in chunks of at most CHUNK bytes, each with its XXH3-64 before it. It is replaced as a whole or not at all.
#ifndef FEWEST_GEN_CHECKPOINT_H
#define FEWEST_GEN_CHECKPOINT_H

#include "distances.h"

struct checkpoint {
    char *path; // links followed
    uint64_t identity;
    unsigned root;      // that the file had when the program began; earlier ones are searched anew and not saved
    double saved_at;    // seconds of a clock
    double saving_took; // the last time
};

// For the table of this definition. False where the file is there but can't be gone on with, or could not be written.
// The caller closes it in any case.
bool checkpoint_open(struct checkpoint *checkpoint, const char *path, const char *definition, size_t length,
                     unsigned metric, struct fewest_error *error);

// Fills in the distances and the depth that the file has for this root; *depth is 0 where it has none.
bool checkpoint_load(const struct checkpoint *checkpoint, unsigned root, struct distances *distances, unsigned *depth,
                     struct fewest_error *error);

// Saves all up to `depth`, which has been found whole and is the last. Unless `now`, it does nothing for so long that
// saving takes a fifth of the time at most.
bool checkpoint_save(struct checkpoint *checkpoint, unsigned root, const struct distances *distances, unsigned depth,
                     bool now, struct fewest_error *error);

// Closes it, whether it could be opened or not. Where the table is `done`, and in its place, the file is taken away.
void checkpoint_close(struct checkpoint *checkpoint, bool done);

#endif
