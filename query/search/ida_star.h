// Boards that are searched: iterative-deepening A* with the estimates of pattern databases. Internal to query/.
#ifndef FEWEST_QUERY_SOLVE_H
#define FEWEST_QUERY_SOLVE_H

#include "table.h"

// Prepares the solver, if that has not been done. The fewest moves from start to target, and a sequence of them
// (`moves` may be NULL), or FEWEST_UNREACHABLE. Fails with FEWEST_BEYOND where the target has wildcards or its blank
// stands where no symmetry of the board takes the goal's, and with FEWEST_STOPPED where the watcher said so.
bool solver_solve(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves, int *steps,
                  struct fewest_error *error);

// The same, and how many nodes were generated.
bool solver_measure(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves, int *steps,
                    uint64_t *nodes, struct fewest_error *error);

#endif
