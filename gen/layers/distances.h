// The distances of a section: in the layers of a search, or in memory, a byte each.
#ifndef FEWEST_GEN_LAYERS_DISTANCES_H
#define FEWEST_GEN_LAYERS_DISTANCES_H

#include "layers.h"

enum { UNREACHED = 0xFF }; // above every distance, so that a minimum ignores it

struct distances {
    uint64_t total; // entries of all ranks (ranks/ranks.h)
    uint64_t share; // entries of each rank; the last ranks may have fewer or none
    uint64_t first; // the first entry that is here; `count` of them are
    uint64_t count;
    uint8_t *bytes;       // NULL if they are in `layers`
    struct layers layers; // their entries are numbered from 0, as if no other rank had any
    uint64_t histogram[UNREACHED];
};

// Makes room for distances in memory, of one rank that has them all. They are 0. The system gives
// the memory when it is written. Fails with FEWEST_SYSTEM. The caller frees the distances in any
// case.
bool distances_make(struct distances *distances, uint64_t count, struct fewest_error *error);
void distances_free(struct distances *distances);

// Reads entries, of those that are here, as a byte each; UNREACHED if an entry has no distance. Any
// number of threads may read.
bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error);

// Moves the entries of all ranks to the memory of the first one. Then the others have none, but
// meanwhile each needs a byte for each entry. All ranks call this.
bool distances_gather(struct distances *distances, struct fewest_error *error);

// Counts the histogram of distances in memory.
void distances_count(struct distances *distances);

// The largest distance in the histogram.
unsigned distances_largest(const struct distances *distances);

#endif
