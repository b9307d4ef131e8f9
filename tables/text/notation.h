// Reads a state that is given by the moves that lead to it, such as "R U R'".
#ifndef FEWEST_TABLES_NOTATION_H
#define FEWEST_TABLES_NOTATION_H

#include "tables/puzzle/puzzle.h"

// Applies a sequence of moves to the state `from` and fills in the result. `from` may be `state`
// itself; NULL is the solved state. The words may be names of moves, any power of them (R2, R3'),
// in every metric, or rotations, aliases and sequences of the definition. Names of one character
// may stand without spaces. definition/alg.h tells what else a text may have, such as groups.
bool notation_apply(const struct puzzle *puzzle, const uint8_t *from, const char *text,
                    size_t length, uint8_t *state, struct fewest_error *error);

// May a row of moves be written without spaces and is still read back as it is?
bool notation_joins(const struct puzzle *puzzle);

#endif
