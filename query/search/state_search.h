// Shortest paths of puzzles whose pattern databases are projections: iterative-deepening A*, as in
// ida_star.h. Internal to query/.
#ifndef FEWEST_QUERY_STATE_SEARCH_H
#define FEWEST_QUERY_STATE_SEARCH_H

#include "table.h"

// As ida_star_count_nodes (ida_star.h). The target must be the solved state, unless the states are
// a group.
bool state_search_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                            unsigned *moves, int *steps, uint64_t *nodes,
                            struct fewest_error *error);

#endif
