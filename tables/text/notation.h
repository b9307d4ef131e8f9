// States by the moves that make them: "R U R'".
#ifndef FEWEST_TABLES_NOTATION_H
#define FEWEST_TABLES_NOTATION_H

#include "puzzle/puzzle.h"

// Fills in the state that a sequence of moves makes of another, `from`, which may be `state` itself; NULL is the solved
// one. Blanks and commas separate; where every name of a move is one character they need not stand. Of a permutation
// puzzle a word may be any power of a listed move (R2, R3', whatever counts as a move), and a rotation, alias or
// sequence of the definition.
bool notation_read(const struct puzzle *puzzle, const uint8_t *from, const char *text, size_t length, uint8_t *state,
                   struct fewest_error *error);

#endif
