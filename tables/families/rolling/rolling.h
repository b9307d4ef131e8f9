// The family of rolling puzzles: cubes that roll into a blank cell on a board of rows and columns.
#ifndef FEWEST_TABLES_FAMILIES_ROLLING_ROLLING_H
#define FEWEST_TABLES_FAMILIES_ROLLING_ROLLING_H

#include "tables/puzzle/puzzle.h"

extern const struct rules ROLLING_RULES;

#endif
