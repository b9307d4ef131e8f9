// Draws random puzzles in which some coordinates follow from others.
#ifndef DRAW_PUZZLE_H
#define DRAW_PUZZLE_H

#include "tests/twin/twin_sets.h"

enum puzzle_kind {
    KIND_INDEPENDENT, // each move permutes and turns each set at random
    KIND_LOCKED,      // the permutation of a set follows from that of another
    KIND_FOLLOWING,   // orientations follow from the parity or orientation sum of another set
    KIND_TOGGLES,     // pieces stay in their slots and are only turned
    KIND_ALIKE,       // some pieces look alike
    KIND_IGNORED,     // some orientations do not count
    KIND_GROUPS,      // small permutation groups with a name
    KIND_ONE_WAY,     // moves without their inverses
    KIND_ORBITS,      // several orbits in a set, and slots that no move changes
    KIND_MIXED,       // orbits of one set, turned or not, whose pieces look alike
    KIND_COUNT,
};

// Some move of the puzzle changes something. The puzzle has at most 2^55 rows of cells, and most
// puzzles have more than 2^20.
void draw_puzzle(enum puzzle_kind kind, struct sets_puzzle *puzzle);

#endif
