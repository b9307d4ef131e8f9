// The symmetries of a puzzle: the permutations of its cells that turn its set of moves into itself.
//
// If s is one, a state and the state carried by s (symbol v in cell i becomes symbol s(v) in cell s(i)) are equally
// far from the identity: carry the moves of a shortest path as well. They form a group. They are found from the moves
// alone, so that no definition has to state them and no table file can lie about them.
#ifndef FEWEST_TABLES_SYMMETRY_H
#define FEWEST_TABLES_SYMMETRY_H

#include "puzzle/puzzle.h"

// For a puzzle of one segment of different pieces. *symmetries is from malloc, the identity first. Where they are more
// than SYMMETRIES_MOST, or too hard to find, it is the identity alone.
bool symmetries_find(const struct puzzle *puzzle, struct symmetry **symmetries, unsigned *count,
                     struct fewest_error *error);

#endif
