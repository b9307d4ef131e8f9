// The family of sliding puzzles: tiles and a blank on a board of rows, columns and layers.
#ifndef FEWEST_TABLES_SLIDING_H
#define FEWEST_TABLES_SLIDING_H

#include "puzzle.h"

// Fills a puzzle that holds only its name and metric. On failure the caller frees what is there.
bool sliding_compile(struct puzzle *puzzle, const struct definition *definition, struct fault *fault);

#endif
