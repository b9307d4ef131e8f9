// Reads a state that is given by the moves that lead to it, such as "R U R'".
#ifndef FEWEST_TABLES_NOTATION_H
#define FEWEST_TABLES_NOTATION_H

#include "puzzle/puzzle.h"

// Applies a sequence of moves to the state `from` and fills in the result. `from` may be `state`
// itself; NULL is the solved state. White space and commas separate moves, and are optional if
// every name of a move is one character. In a permutation puzzle a word may be any power of a
// listed move (R2, R3', in every metric), or a rotation, alias or sequence of the definition.
bool notation_apply(const struct puzzle *puzzle, const uint8_t *from, const char *text,
                    size_t length, uint8_t *state, struct fewest_error *error);

#endif
