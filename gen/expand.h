// Expands a layer of a search: finds the states of the next one.
#ifndef FEWEST_GEN_EXPAND_H
#define FEWEST_GEN_EXPAND_H

#include "bfs.h"

// Expands the part of the frontier that this rank has, on all threads.
void expand_own(struct bfs *bfs);

// Takes the rest of what other ranks send in this layer, and adds up what all have found.
bool end_with_ranks(struct bfs *bfs, struct fewest_error *error);

#endif
