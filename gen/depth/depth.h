// Counts the states of a puzzle by their distance, up to a depth, for puzzles of any size.
//
// The search keeps only the states that it meets (packed_states.h), not a mark for each index. It
// goes from the goals outward by moves undone. If the puzzle has symmetries, it keeps one state of
// each class (state_codes.h).
#ifndef FEWEST_GEN_DEPTH_DEPTH_H
#define FEWEST_GEN_DEPTH_DEPTH_H

#include "gen/layers/options.h"
#include "tables/puzzle/puzzle.h"

struct depth_counts {
    // By distance to the nearest goal. With one symmetry, each class is one state.
    uint64_t states[FEWEST_GEN_DISTANCES];
    uint64_t classes[FEWEST_GEN_DISTANCES];
    unsigned layers;     // that are complete: distances 0 … layers-1
    unsigned symmetries; // that were used, with the identity
    bool has_all;        // no state is farther away
    bool lacked_memory;  // more layers than these need more memory
};

struct depth_limits {
    unsigned depth;      // the largest distance that is counted
    uint64_t memory;     // bytes; 0: what the machine has available
    bool use_symmetries; // keep one state of each class
};

// Counts the states at distances 0 … depth. If the next layer does not fit in the memory, the
// search ends with the layers that are complete, at least the goals. After each layer, it tells the
// watcher; `entries` is 0 then if the number of states is unknown. Fails with FEWEST_BEYOND for
// rolling cubes and distances that are too large, with FEWEST_STOPPED, and with FEWEST_SYSTEM if
// there is no memory even to begin.
bool depth_count(const struct puzzle *puzzle, const struct depth_limits *limits,
                 const struct search_options *options, struct depth_counts *counts,
                 struct fewest_error *error);

#endif
