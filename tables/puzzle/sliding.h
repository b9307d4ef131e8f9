// The family of sliding puzzles: tiles and a blank on a board of rows, columns and layers.
#ifndef FEWEST_TABLES_SLIDING_H
#define FEWEST_TABLES_SLIDING_H

#include "puzzle/puzzle.h"

extern const struct rules SLIDING_RULES;

// The numbering of its states, in sliding_states.c.
extern const struct numbering_functions SLIDING_NUMBERING;

#endif
