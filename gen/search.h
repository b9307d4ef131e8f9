// The breadth-first search: the distance of every state of a puzzle from one of its roots.
#ifndef FEWEST_GEN_SEARCH_H
#define FEWEST_GEN_SEARCH_H

#include "puzzle.h"

#include <stdatomic.h>

enum { UNREACHED = 0xFF }; // above every distance, so that a minimum passes over it

// Called after each depth with how many states have it; `reached` of `entries` have a distance by now.
typedef void search_progress(void *context, unsigned depth, uint64_t states, uint64_t reached, uint64_t entries);

struct search_options {
    unsigned threads;
    search_progress *progress; // or NULL
    void *context;
};

// Fills distances[0 … puzzle_whole_count-1], a byte each; UNREACHED where no moves lead. The bytes do not depend on the
// number of threads. Fails with FAULT_BOUND beyond DISTANCE_MOST moves and FAULT_SYSTEM without memory.
bool search_distances(const struct puzzle *puzzle, unsigned root, const struct search_options *options,
                      _Atomic uint8_t *distances, struct fault *fault);

#endif
