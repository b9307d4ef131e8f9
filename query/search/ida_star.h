// Shortest paths of searched boards: iterative-deepening A* with pattern databases. Internal to
// query/.
#ifndef FEWEST_QUERY_IDA_STAR_H
#define FEWEST_QUERY_IDA_STAR_H

#include "table.h"

// Can a search have this target? If it has wildcards, sets the error.
bool search_accepts(const struct puzzle *puzzle, const uint8_t *target, struct fewest_error *error);

// Finds the least number of moves from start to target, and a path of that length (`moves` may be
// NULL), or FEWEST_UNREACHABLE. Makes the heuristic first if there is none yet. Fails with
// FEWEST_BEYOND if the target has wildcards, or if no symmetry of the board takes its blank to the
// goal's. Fails with FEWEST_STOPPED if the watcher stops it.
bool ida_star_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        unsigned *moves, int *steps, struct fewest_error *error);

// The same, and counts the nodes that the search generated.
bool ida_star_count_nodes(struct fewest *table, const uint8_t *start, const uint8_t *target,
                          unsigned *moves, int *steps, uint64_t *nodes, struct fewest_error *error);

#endif
