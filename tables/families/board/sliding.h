// The family of sliding puzzles: tiles and a blank on a board of rows, columns and layers.
#ifndef FEWEST_TABLES_FAMILIES_BOARD_SLIDING_H
#define FEWEST_TABLES_FAMILIES_BOARD_SLIDING_H

#include "tables/puzzle/puzzle.h"

extern const struct rules SLIDING_RULES;

// The numbering of its states, in sliding_numbers.c.
extern const struct numbering_functions SLIDING_NUMBERING;

// Makes puzzle->own, the chains of the roots. The cells of the roots must be there.
bool sliding_make_chains(struct puzzle *puzzle, struct fewest_error *error);
void sliding_free(void *own);

#endif
