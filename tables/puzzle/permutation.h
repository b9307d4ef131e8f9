// The family of permutation puzzles: sets of pieces with orientations, and moves that permute and
// turn them.
#ifndef FEWEST_TABLES_PERMUTATION_H
#define FEWEST_TABLES_PERMUTATION_H

#include "puzzle/point_view.h"

extern const struct rules PERMUTATION_RULES;

// The view of a puzzle (point_view.h). NULL in another family.
const struct point_view *permutation_view(const struct puzzle *puzzle);

#endif
