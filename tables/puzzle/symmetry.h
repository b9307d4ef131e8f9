// The symmetries of a puzzle: the permutations of its cells that turn its set of moves into itself.
//
// A symmetry s takes a state to its conjugate: symbol v in cell i becomes symbol s(v) in cell s(i).
// A state and its conjugate are equally far from the identity, because the conjugates of the moves
// are moves. The symmetries are a group. The code finds them from the moves alone, so no definition
// states them and no table file can lie about them.
#ifndef FEWEST_TABLES_SYMMETRY_H
#define FEWEST_TABLES_SYMMETRY_H

#include "puzzle/puzzle.h"

// For a puzzle of one segment of different pieces. *symmetries is from malloc, the identity first.
// If there are more than SYMMETRIES_MOST, or if they are too hard to find, it is the identity
// alone.
bool symmetries_find(const struct puzzle *puzzle, struct symmetry **symmetries, unsigned *count,
                     struct fewest_error *error);

#endif
