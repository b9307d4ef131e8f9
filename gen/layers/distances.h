// The distances of a section: in the layers of a search, or in memory, a byte each or, if few
// entries have one, as a list. Those of a pattern database may be marks.
#ifndef FEWEST_GEN_LAYERS_DISTANCES_H
#define FEWEST_GEN_LAYERS_DISTANCES_H

#include "bound_entries.h"
#include "layers.h"

enum { UNREACHED = 0xFF }; // above every distance, so that a minimum ignores it

// An entry that has a distance.
struct listed_distance {
    uint64_t entry;
    uint8_t distance;
};

struct distances {
    uint64_t total; // entries of all ranks (ranks/ranks.h)
    uint64_t share; // entries of each rank; the last ranks may have fewer or none
    uint64_t first; // the first entry that is here; `count` of them are
    uint64_t count;
    // One of four has the distances: these bytes, the list of the entries that have one, rising,
    // the slots of a pattern database, or `layers`. The others are NULL or empty.
    uint8_t *bytes;
    struct listed_distance *list;
    uint64_t list_length;
    struct bound_entries *bounds;
    struct layers layers; // in these, entry `first` has the number 0
    uint64_t histogram[UNREACHED];
};

// Makes room in memory for `count` distances, all 0, of a rank that has them all. The system gives
// the memory only when it is written. Fails with FEWEST_SYSTEM. The caller frees the distances in
// any case.
bool distances_make(struct distances *distances, uint64_t count, struct fewest_error *error);
void distances_free(struct distances *distances);

// Reads `count` distances from entry `first` on, a byte each. All are of this rank. An entry
// without a distance is UNREACHED. Any number of threads may read.
bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error);

// Are the distances a list that has none of the `count` entries from `first` on?
bool distances_list_none(const struct distances *distances, uint64_t first, uint64_t count);

// Moves the entries of all ranks to the memory of the first rank. Afterwards the others have none,
// but meanwhile each rank needs a byte for each of all entries. All ranks call this.
bool distances_gather(struct distances *distances, struct fewest_error *error);

// Counts the histogram of distances in memory.
void distances_count(struct distances *distances);

// The largest distance in the histogram.
unsigned distances_largest(const struct distances *distances);

#endif
