// The family of permutation puzzles: sets of pieces with orientations, and moves that permute and
// turn them.
#ifndef FEWEST_TABLES_PERMUTATION_H
#define FEWEST_TABLES_PERMUTATION_H

#include "puzzle/puzzle.h"

extern const struct rules PERMUTATION_RULES;

#endif
