// The breadth-first search: the distance of every state of a puzzle from one of its roots.
#ifndef FEWEST_GEN_SEARCH_H
#define FEWEST_GEN_SEARCH_H

#include "distances.h"
#include "puzzle.h"

struct checkpoint;

// Called after each depth with how many states have it; `reached` of `entries` have a distance by now. `root` is that
// of the search, or the number of a database.
typedef void search_progress(void *context, unsigned root, unsigned depth, uint64_t states, uint64_t reached,
                             uint64_t entries);

// What a run of the generator may use, and whom it tells.
struct search_options {
    unsigned threads;
    unsigned bits;             // of a distance while searching: 8 or 4, or 0 for what the number of states suggests
    const char *folder;        // for files without a name, or NULL for the system's
    search_progress *progress; // or NULL
    bool (*stopped)(void *context); // or NULL: asked often, from any thread; true stops with FEWEST_STOPPED
    void (*warn)(void *context, const char *text); // told what does not end the search; not NULL with a checkpoint
    void *context;
    struct checkpoint *checkpoint; // where a search is saved and gone on with, or NULL
};

// From so many states on, four bits.
static const uint64_t SEARCH_NARROW_LEAST = UINT64_C(1) << 24;

unsigned search_bits(const struct puzzle *puzzle, unsigned root, const struct search_options *options);

// Makes and fills the distances of 0 … puzzle_whole_count-1. They do not depend on the number of threads. Fails with
// FEWEST_BEYOND beyond DISTANCE_MOST moves, FEWEST_SYSTEM without memory, FEWEST_STOPPED.
bool search_distances(const struct puzzle *puzzle, unsigned root, const struct search_options *options,
                      struct distances *distances, struct fewest_error *error);

#endif
