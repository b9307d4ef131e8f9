// Numbers the wildcard targets of a puzzle whose table is to be made.
#ifndef FEWEST_GEN_PLAN_WILDCARDS_H
#define FEWEST_GEN_PLAN_WILDCARDS_H

#include "tables/puzzle/puzzle.h"

// Finds up to SYMMETRIES_MOST symmetries that keep each root, and numbers the wildcard targets by
// those that are needed. The table will store them. Fails if memory runs out.
bool wildcards_number(struct puzzle *puzzle, struct fewest_error *error);

#endif
