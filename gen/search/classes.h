// What a search by symmetric pages (algebra/symmetric_pages.h) does besides a search by pages.
#ifndef FEWEST_GEN_SEARCH_CLASSES_H
#define FEWEST_GEN_SEARCH_CLASSES_H

#include "frontier_page.h"
#include "search.h"

// Gives the mark to all states to which keepers take a state that has it, and counts these in
// bfs->found. Does nothing without symmetric pages.
void mark_kept_states(struct bfs *bfs, unsigned mark);

// Marks the forbidden states of this rank as old. If the search is stopped meanwhile, some have no
// mark.
void mark_forbidden_entries(struct bfs *bfs);

// Marks the states of a row that have no mark and a neighbour in the frontier. This rank owns all
// rows, and the inverse of each move is a move.
void mark_row_backward(struct bfs *bfs, struct frontier_page *frontier, uint32_t row);

// Counts the classes of this rank that have the mark. Only with symmetric pages.
uint64_t count_classes(struct bfs *bfs, unsigned mark);

// Adds the classes of this rank in the layers of the checkpoint but the last to bfs->classes. Only
// with symmetric pages.
bool count_saved_classes(struct bfs *bfs, struct fewest_error *error);

// Returns the first entry of this rank from `entry` on that has the mark and is the first of its
// class, by number among the entries of all ranks. UINT64_MAX if there is none. Without symmetric
// pages, each state is a class.
uint64_t find_first_of_class(const struct bfs *bfs, uint64_t entry, unsigned mark);

#endif
