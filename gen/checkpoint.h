// A checkpoint: a file that holds a search as it was at the end of a layer, so that it can be
// resumed.
//
// The file is little-endian and has three parts:
//   - the header: magic number, version, identity (a hash of the definition, the metric and the
//     versions of table and checkpoint), number of ranks, number of this rank, root, bits, number
//     of states, layer, number of layers in their file, its length, histogram;
//   - the array of distances;
//   - the file of the layers (layer_file.h): where its parts are, and its bytes.
// They are written in chunks of at most CHUNK bytes, each after its XXH3-64. The file is replaced
// as a whole or not at all.
//
// Several ranks (ranks.h) save a search in as many files: FILE.0, FILE.1, and so on. All are
// written before the first is put in place. If the program ends in between, some of the files are a
// layer ahead of the others; the search goes back from there.
#ifndef FEWEST_GEN_CHECKPOINT_H
#define FEWEST_GEN_CHECKPOINT_H

#include "distances.h"

struct checkpoint {
    char *path; // of this rank's file, with links followed
    uint64_t identity;
    // The root in the file. Earlier roots are searched again and not saved.
    unsigned root;
    double saved_at;    // clock_seconds() at the last save or, before it, at the opening
    double saving_took; // seconds that the last save took, or a guess; 0 at first
};

// Opens the checkpoint of this definition and metric. The file need not exist, but it must be
// possible to write it. Fails with FEWEST_DAMAGED if it is damaged or not a checkpoint, and with
// FEWEST_FOREIGN if it belongs to another search or another number of ranks. The caller closes it
// in any case.
bool checkpoint_open(struct checkpoint *checkpoint, const char *path, const char *definition,
                     size_t length, unsigned metric, struct fewest_error *error);

// Loads the distances and the last layer of this root. *layer is 0 if the file does not have them.
bool checkpoint_load(const struct checkpoint *checkpoint, unsigned root,
                     struct distances *distances, unsigned *layer, struct fewest_error *error);

// Saves all layers up to `layer`, which is complete. Unless `now` is set, it skips saves, so that
// saving takes at most a fifth of the time. All ranks call this.
bool checkpoint_save(struct checkpoint *checkpoint, unsigned root,
                     const struct distances *distances, unsigned layer, bool now,
                     struct fewest_error *error);

// Frees the memory, also if the opening failed. If the table is `done`, removes the file.
void checkpoint_close(struct checkpoint *checkpoint, bool done);

#endif
