// What no move of a permutation puzzle changes, found from its moves; and an index that leaves out
// what follows from it.
//
// Four kinds of invariants are used:
//   orbits: the slots of a set between which no move takes a piece. The pieces of each are a part
//   of the index by
//           themselves; slots that nothing ever leaves, like a corner that is held, are no part at
//           all.
//   parity: of parts of different pieces, such that every move permutes an even number of them
//   oddly (one part, if every
//           move is even). The parity of one of these follows from the others': half its
//           permutations are left out.
//   sum:    the orientations of a part always add up to the same, modulo how many there are. The
//   last one's follows. span:   pieces that stay at home and are turned modulo a prime p. What the
//   moves add to a row of orientations are the
//           vectors of a space over the field of p elements, and such a vector follows from its
//           places at the pivots of a reduced basis: p^rank of p^pieces are left.
//
// A small puzzle is numbered by all its rows of cells, whether they can be reached or not
// (puzzle.h): that costs little, and its wildcards are filled by adding to an index. Each of its
// segments is one part. From INDEX_PLAIN_MOST rows of cells on the invariants are used.
#ifndef FEWEST_TABLES_INVARIANT_H
#define FEWEST_TABLES_INVARIANT_H

#include "puzzle/permutation_own.h"

static const uint64_t INDEX_PLAIN_MOST = UINT64_C(1) << 20;

// What of a part follows from the others, so that the index leaves it out.
enum implied {
    IMPLIED_NOTHING,
    IMPLIED_PARITY,
    IMPLIED_SUM,
    IMPLIED_SPAN,
};

// Of orientations at home: a reduced basis of what the moves add to them.
struct span {
    unsigned rank;
    uint8_t pivot[PIECES_MOST];
    uint8_t basis[PIECES_MOST][PIECES_MOST];
};

// Cells of a segment that are a digit of the index. Its own numbers stand for the values of the
// cells: those that the root has there, in rising order.
struct part {
    enum segment_kind kind; // arrangement, multiset or orientation
    unsigned segment;
    unsigned length;
    uint8_t cell[PIECES_MOST];   // of the state, rising
    unsigned symbols;            // its own numbers; of orientations, the modulus
    uint8_t number[PIECES_MOST]; // by value, or NO_NUMBER
    uint8_t value[PIECES_MOST];  // by number
    uint8_t amount[PIECES_MOST]; // of pieces, by number
    bool ignores;                // of orientations: some do not count
    uint64_t count;              // of ranks
    uint64_t kept;               // of these, how many the index tells apart
    enum implied implied;
    uint64_t parity_with; // the parts, a bit each, whose parities add up to the same always
    bool parity_of_root;  // which is this
    bool parity_counts;   // its parity is needed to find another's
    unsigned sum;         // of the orientations, always
    struct span *span;    // or NULL
};

enum { NO_NUMBER = 0xFF };

// Finds the invariants of a puzzle that has its segments, moves and root, and sets how many states
// are numbered. False without memory.
bool invariants_find(struct puzzle *puzzle, struct fewest_error *error);

void invariants_free(struct permutation *permutation);

// The index of a relative target, INDEX_NONE where an invariant says that it can't be reached; and
// back.
uint64_t invariant_rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative);
void invariant_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index,
                      uint8_t *relative);

// Calls tell(context, text) for each invariant that is used.
void invariants_tell(const struct puzzle *puzzle, void (*tell)(void *context, const char *text),
                     void *context);

// ---- What finding and numbering share -----------------------------------------------------------

// Is the puzzle numbered by all its rows of cells?
static inline bool puzzle_is_plain(const struct puzzle *puzzle)
{
    return puzzle->arrangement_count <= INDEX_PLAIN_MOST;
}

// Do the values in the part's cells stand in an odd order? Of a move, these are cells.
static inline bool part_is_odd(const struct part *part, const uint8_t *cells)
{
    unsigned inversions = 0;
    for (unsigned i = 0; i < part->length; i++) {
        for (unsigned j = 0; j < i; j++) {
            inversions += cells[part->cell[j]] > cells[part->cell[i]];
        }
    }
    return inversions % 2 == 1;
}

static inline unsigned part_sum(const struct part *part, const uint8_t *cells)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < part->length; i++) {
        sum += cells[part->cell[i]];
    }
    return sum % part->symbols;
}

// row += times × other
static inline void span_add_times(uint8_t *row, const uint8_t *other, unsigned times,
                                  unsigned length, unsigned prime)
{
    for (unsigned i = 0; i < length; i++) {
        row[i] = (uint8_t)((row[i] + times * other[i]) % prime);
    }
}

#endif
