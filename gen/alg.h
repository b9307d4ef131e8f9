// The notation for sequences of moves that KPuzzle definitions use ("algs"): `R2' U`, groups
// `(R U)2`, conjugates `[x: U]` and commutators `[R, U]`.
#ifndef FEWEST_GEN_ALG_H
#define FEWEST_GEN_ALG_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ALG_MOVES_MOST = 4351, // as many as a `MoveSequence` lists
    ALG_TIMES_MOST = 999,  // of a move; as many as the name of a power can say
    ALG_NESTING_MOST = 64, // groups, conjugates and commutators in each other
};

// A name in the text, such as `3Rw`, how often it is made, and whether it is inverted.
struct alg_move {
    const char *name;
    size_t length;
    unsigned times; // at least 1
    bool inverse;
};

// The moves in a row, without groups.
struct alg {
    struct alg_move moves[ALG_MOVES_MOST];
    size_t count;
};

// Reads a text and writes out its groups. The moves point into the text. An error's text begins
// with "character N: ".
bool alg_read(struct alg *alg, const char *text, size_t length, struct fewest_error *error);

#endif
