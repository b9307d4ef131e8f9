// The family of permutation puzzles: sets of pieces with orientations, and moves that permute and turn them.
#ifndef FEWEST_TABLES_PERMUTATION_H
#define FEWEST_TABLES_PERMUTATION_H

#include "puzzle/puzzle.h"

extern const struct family PERMUTATION_FAMILY;

// Fills a puzzle that holds only its name and metric. On failure the caller frees what is there.
bool permutation_compile(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error);

#endif
