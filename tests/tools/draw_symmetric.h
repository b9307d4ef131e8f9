// Draws random small puzzles whose moves have symmetries.
#ifndef DRAW_SYMMETRIC_H
#define DRAW_SYMMETRIC_H

#include "tests/twin/twin_sets.h"

enum symmetric_kind {
    SYMMETRIC_ONE_SET,  // different pieces of one set
    SYMMETRIC_TWO_SETS, // of two sets, which a symmetry may exchange
    SYMMETRIC_ALIKE,    // some pieces look alike or have no orientation that counts
    SYMMETRIC_TOGGLES,  // lamps on a graph: a move turns a lamp and its neighbours
    SYMMETRIC_COUNT,
};

// Some move of the puzzle changes something. Most puzzles have fewer than 10,000 states, and some
// have no symmetry but the identity.
void draw_symmetric(enum symmetric_kind kind, struct sets_puzzle *puzzle);

#endif
