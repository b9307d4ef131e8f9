// The nodes of rolling cubes, which are full states. Internal to query/rolling.
#ifndef FEWEST_QUERY_ROLLING_ROLLING_H
#define FEWEST_QUERY_ROLLING_ROLLING_H

#include "query/answer/method.h"

// Sets *agrees to whether a node may be at `distance` from the root. The table tells only whether
// its distance is 2 or 3 mod 4, and not 0 or 1. Without a section for that, each visible state has
// one node, whose distance tells. Returns false if the entry can't be read.
bool nodes_check_mod4(struct fewest *table, unsigned root, uint64_t node, int distance,
                      bool *agrees, struct fewest_error *error);

extern const struct node_functions NODES_OF_ROLLING;

#endif
