// The breadth-first search: the distance of every state of a puzzle from one of its roots.
#ifndef FEWEST_GEN_SEARCH_H
#define FEWEST_GEN_SEARCH_H

#include "distances.h"
#include "puzzle/puzzle.h"

struct checkpoint;

// What a search has found after a layer.
struct search_progress {
    const char *kind; // "root" or "pattern database": what the search begins from
    unsigned number;  // which of them, from 0
    unsigned count;   // how many there are
    unsigned layer;
    uint64_t states;  // of the layer
    uint64_t reached; // states with a distance by now
    uint64_t entries; // all states
};

// The limits and callbacks of a run of the generator.
struct search_options {
    unsigned threads;
    const char *folder; // for files without a name, or NULL for the system's
    void (*progress)(void *context, const struct search_progress *progress); // or NULL
    // Or NULL: asked often, from any thread; true stops with FEWEST_STOPPED.
    bool (*stopped)(void *context);
    // Told what does not end the search; needed with a checkpoint.
    void (*warn)(void *context, const char *text);
    void *context;
    struct checkpoint *checkpoint; // where the search is saved, or NULL
};

// How many bits a distance should have during the search: 4 or, for few states, 8.
unsigned search_bits(const struct puzzle *puzzle, unsigned root);

// Fills `distances`, which distances_make has made for puzzle_full_count states. They do not depend
// on the number of threads. Fails with FEWEST_BEYOND beyond DISTANCE_MOST moves, FEWEST_SYSTEM
// without memory, FEWEST_STOPPED, and as checkpoint_load does.
bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct distances *distances,
                      struct fewest_error *error);

#endif
