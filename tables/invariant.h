// What no move of a permutation puzzle changes, found from its moves; and an index that leaves out what follows from
// it.
//
// Three kinds of invariants are used:
//   parity: of sets of different pieces, such that every move permutes an even number of them oddly (one set, if every
//           move is even). The parity of one of these sets follows from the others': half its permutations are left
//           out.
//   sum:    the orientations of a set always add up to the same, modulo how many there are. The last one's follows.
//   span:   pieces that stay at home and are turned modulo a prime p. What the moves add to a row of orientations are
//   the
//           vectors of a space over the field of p elements, and such a vector follows from its places at the pivots of
//           a reduced basis: p^rank of p^pieces are left.
//
// A small puzzle is numbered by all its rows of cells, whether they can be reached or not (puzzle.h): that costs
// little, and its wildcards are filled by adding to an index. From INDEX_PLAIN_MOST rows of cells on the invariants are
// used.
#ifndef FEWEST_TABLES_INVARIANT_H
#define FEWEST_TABLES_INVARIANT_H

#include "puzzle.h"

static const uint64_t INDEX_PLAIN_MOST = UINT64_C(1) << 20;

// Finds the invariants of a puzzle that has its segments, moves and root, and sets how many states are numbered. False
// without memory.
bool invariants_find(struct puzzle *puzzle, struct fault *fault);

// The index of a question, INDEX_NONE where an invariant says that it can't be reached; and back.
uint64_t invariant_rank(const struct puzzle *puzzle, unsigned root, const uint8_t *question);
void invariant_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *question);

// Calls tell(context, text) for each invariant that is used.
void invariants_tell(const struct puzzle *puzzle, void (*tell)(void *context, const char *text), void *context);

#endif
