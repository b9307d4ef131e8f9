// A checkpoint: a file that holds a search as it was at the end of a layer, so that it can be
// resumed.
//
// The file is little-endian: a magic number, what it belongs to (a hash of the definition, the
// metric and the version), root, bits, number of states, layer, histogram; then the array of
// distances and its snapshots (distances.h). All of it stands in chunks of at most CHUNK bytes,
// each with its XXH3-64 before it. It is replaced as a whole or not at all.
#ifndef FEWEST_GEN_CHECKPOINT_H
#define FEWEST_GEN_CHECKPOINT_H

#include "distances.h"

struct checkpoint {
    char *path; // links followed
    uint64_t identity;
    // The file's root when the program began; earlier ones are searched again and not saved.
    unsigned root;
    double saved_at;    // clock_seconds() of the last time
    double saving_took; // seconds, the last time
};

// Opens the checkpoint of this definition and metric; the file need not exist. False if it can't be
// written, with FEWEST_DAMAGED if it is damaged or not a checkpoint, or with FEWEST_FOREIGN if it
// belongs to another search. The caller closes it in any case.
bool checkpoint_open(struct checkpoint *checkpoint, const char *path, const char *definition,
                     size_t length, unsigned metric, struct fewest_error *error);

// Fills in the distances and the last layer that the file has for this root; *layer is 0 if it has
// none.
bool checkpoint_load(const struct checkpoint *checkpoint, unsigned root,
                     struct distances *distances, unsigned *layer, struct fewest_error *error);

// Saves all layers up to `layer`, the last one, which is complete. Unless `now`, it saves so rarely
// that saving takes at most a fifth of the time.
bool checkpoint_save(struct checkpoint *checkpoint, unsigned root,
                     const struct distances *distances, unsigned layer, bool now,
                     struct fewest_error *error);

// Closes it, whether it could be opened or not. If the table is `done`, removes the file.
void checkpoint_close(struct checkpoint *checkpoint, bool done);

#endif
