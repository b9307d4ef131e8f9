// Marks the states that a filter forbids before a search by pages, as if they were in an old
// layer. So the search passes them by, and no file of layers has them: they have no distance.
#ifndef FEWEST_GEN_SEARCH_FORBIDDEN_H
#define FEWEST_GEN_SEARCH_FORBIDDEN_H

#include "search.h"

// Marks the forbidden states in the pages of this rank. Other entries keep their marks. If the
// search is stopped meanwhile, some forbidden states have no mark. Fails if memory runs out.
bool mark_forbidden_states(struct bfs *bfs, struct fewest_error *error);

// The memory that mark_forbidden_states takes, in bytes.
uint64_t forbidden_memory(const struct puzzle *puzzle, const struct pages *pages);

#endif
