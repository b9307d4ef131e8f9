// The family of rolling puzzles: cubes that roll into a blank cell on a board of rows and columns.
#ifndef FEWEST_TABLES_ROLLING_H
#define FEWEST_TABLES_ROLLING_H

#include "puzzle/puzzle.h"

// Fills a puzzle that holds only its name, kind and metric. On failure the caller frees what is there.
bool rolling_compile(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error);

#endif
