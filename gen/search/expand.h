// Expands a layer of a search: finds the states of the next one, and marks them.
//
// If a frontier page has neighbour pages on another rank, its owner sends that rank the frontier
// offsets of the page. The receiver marks the neighbours. So a rank gets each page, and each state,
// at most once in a layer.
//
// The first rank owns all states of a puzzle without pages, which is most often small.
#ifndef FEWEST_GEN_SEARCH_EXPAND_H
#define FEWEST_GEN_SEARCH_EXPAND_H

#include "search.h"

enum { RUN = 1 << 12 }; // number of states that a thread scans at once without pages

// Expands the frontier on all threads and ranks, and adds to bfs->found what this rank found.
// Returns true even if the layer ended early: then bfs->stopped or bfs->out_of_memory is true on
// some rank. Fails if the ranks lack memory to exchange.
bool expand_layer(struct bfs *bfs, struct fewest_error *error);

// An upper bound of the bytes that `ranks` ranks together send in one layer.
uint64_t expand_most_sent(const struct pages *pages, unsigned ranks);

// The memory that a rank needs to exchange, in bytes.
uint64_t expand_exchange_memory(const struct pages *pages, unsigned ranks);

// The number of slices of each layer: so many that a rank sends some 4 MiB in each.
uint64_t expand_slice_count(const struct pages *pages, unsigned ranks);

#endif
