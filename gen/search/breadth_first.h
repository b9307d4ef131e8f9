// The breadth-first search: the distance of every state of a puzzle from one of its roots.
#ifndef FEWEST_GEN_SEARCH_BREADTH_FIRST_H
#define FEWEST_GEN_SEARCH_BREADTH_FIRST_H

#include "gen/layers/distances.h"
#include "gen/layers/options.h"
#include "tables/families/symmetry/count_pages.h"
#include "tables/puzzle/puzzle.h"

// Finds the distances of all states from a root or, with several ranks, of this rank's share of the
// states. They are in the layers of `search` (layers.h). If the file is a checkpoint that has
// layers of this search, goes on from them. If it meets few states (few_states.h), they are a list,
// and nothing is in the file. The distances do not depend on the numbers of threads
// and ranks. All ranks call this. The caller frees `distances` in any case. Fails with
// FEWEST_BEYOND if a state is more than DISTANCE_MOST moves away, and with FEWEST_SYSTEM,
// FEWEST_STOPPED and FEWEST_DAMAGED.
bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct file_search search,
                      struct distances *distances, struct fewest_error *error);

enum { ANTIPODES_MOST = 10 };

// A count of the states at each distance. It does not keep the distance of any state. The caller
// fills in what is to be counted.
struct state_count {
    const struct puzzle *puzzle;
    unsigned root;
    const struct count_pages *pages; // symmetric pages. NULL: count by the pages of a table
    const struct chain *chain;       // without `pages`: another numbering of a board; or NULL
    // Filled in by search_counts:
    uint64_t states[DISTANCE_MOST + 1];  // by distance
    uint64_t classes[DISTANCE_MOST + 1]; // with `pages`: classes of these states, by distance
    uint64_t antipodes[ANTIPODES_MOST];  // entries at the largest distance, one of each class
    unsigned antipode_count;
    unsigned largest; // distance
};

// Counts the states at each distance from the root. If `search` has a file, it is a checkpoint, as
// in search_distances. Without a file, no layer is saved. All ranks call this, and get the same
// counts. Fails as search_distances does.
bool search_counts(struct state_count *count, const struct search_options *options,
                   struct file_search search, struct fewest_error *error);

// Makes the entries of a pattern database, in the same way: the states of a projection, by its
// symmetric pages (families/symmetry/stripes.h). The distances become the values of the slots.
// `search` has a file only if the layers shall be saved.
bool search_bounds(const struct puzzle *puzzle, const struct count_pages *count_pages,
                   const struct search_options *options, struct file_search search,
                   struct distances *distances, struct fewest_error *error);

// Computes the memory that search_counts needs on each of `ranks` ranks, in bytes.
bool search_counts_memory(const struct state_count *count, unsigned ranks, uint64_t *bytes,
                          struct fewest_error *error);

#endif
