// The parts of a search that only symmetric pages need (algebra/symmetric_pages.h): their rows have
// keepers.
#ifndef FEWEST_GEN_SEARCH_CLASSES_H
#define FEWEST_GEN_SEARCH_CLASSES_H

#include "frontier_page.h"
#include "search.h"

// Completes the classes of a layer: if an entry has the mark, the keepers of its row take it to
// other entries, which get the mark, too. Adds their states to bfs->found. Does nothing without
// symmetric pages.
void mark_kept_states(struct bfs *bfs, unsigned mark);

// Marks the forbidden states of this rank as old. Ends early if the search is stopped.
void mark_forbidden_entries(struct bfs *bfs);

// Marks each state of a row that has no mark yet, but a neighbour in the frontier. The caller makes
// sure that this rank owns all rows, and that the inverse of each move is a move.
void mark_row_backward(struct bfs *bfs, struct frontier_page *frontier, uint32_t row);

// Counts the classes of this rank that have the mark. There must be symmetric pages.
uint64_t count_classes(struct bfs *bfs, unsigned mark);

// Counts the classes of this rank in the layers of the checkpoint, and adds them to bfs->classes.
// Leaves out the last layer, whose classes the search counts. There must be symmetric pages.
bool count_saved_classes(struct bfs *bfs, struct fewest_error *error);

// Returns the first entry of this rank, from `entry` on, that has the mark and is the first of its
// class; UINT64_MAX if there is none. Entries have their numbers among those of all ranks. Without
// symmetric pages, each state is a class.
uint64_t find_first_of_class(const struct bfs *bfs, uint64_t entry, unsigned mark);

#endif
