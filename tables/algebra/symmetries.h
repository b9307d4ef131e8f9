// The symmetries of a list of moves. A move is a permutation of the points 0 … degree-1 that takes
// point x to move[x].
//
// A symmetry is a permutation s of the points that turns each move m into a move of the list, its
// conjugate: s(m(x)) = m'(s(x)) for each point x, with m' = s∘m∘s⁻¹. So a symmetry also conjugates
// each product of moves to a product of as many moves.
//
// Two different symmetries can have the same effect on every move, and so on every product of
// moves. For example, turning all corners of the cube in place changes no move.
// SYMMETRIES_BY_MOVES lists one symmetry of each such class. The 24 + 24 stickers of the corners
// and edges of the 3x3x3 cube have 48 classes, of 3 · 2 symmetries each.
//
// How. All points and moves get *colours* that a symmetry keeps: hashes of the colours that the
// moves connect, again and again until that distinguishes no more. A *base* is chosen: points that
// are marked one after another, each with a new colour, until all colours differ. A symmetry is
// known from the images of the base. The search tries images, and drops one as soon as it leads to
// other colours than the base. It checks each permutation that is left against all moves. So a
// fault of the search can miss a symmetry, but never list a wrong one.
//
// The search begins with symmetries that keep the whole base but the last point. Then they may take
// one point more elsewhere, and so on. Known symmetries take a point to a whole orbit, and one more
// image in this orbit would bring nothing (B. D. McKay, "Practical graph isomorphism", 1981). So it
// finds a few *generators*, and their products are all symmetries.
#ifndef FEWEST_TABLES_SYMMETRIES_H
#define FEWEST_TABLES_SYMMETRIES_H

#include "tables/algebra/chain/chain.h"

enum {
    SYMMETRIES_DEGREE_MOST = 256,
    SYMMETRIES_MOVES_MOST = 4096,
};

// Limit, because a definition may be hostile: about a second.
static const uint64_t SYMMETRIES_WORK_MOST = UINT64_C(1) << 28; // entries read or written

struct point_moves {
    unsigned degree;                // at most SYMMETRIES_DEGREE_MOST
    unsigned count;                 // at most SYMMETRIES_MOVES_MOST
    const chain_point *const *rows; // moves may be equal
};

enum symmetry_choice {
    SYMMETRIES_BY_MOVES, // of each class, the one whose row of points is the least
    SYMMETRIES_ALL,
};

struct point_symmetries {
    unsigned degree;
    unsigned move_count;
    uint32_t count;
    chain_point *rows; // `count` rows of `degree` points: where each symmetry takes each point
    // `count` rows of `move_count` moves: what each symmetry turns each move into. If moves of the
    // list are equal, it is the first of them.
    uint16_t *moves;
    bool complete; // false if there are or may be more, because of `most` or SYMMETRIES_WORK_MOST
    uint64_t work; // of the search
};

// Finds at most `most` symmetries, which is at least 1. They are in the order of what they turn the
// moves into, and then of their rows. So the first one is the identity, which is there in any case.
// If the list is not complete, it need not be a group. Returns false if memory runs out. The caller
// frees with point_symmetries_free, also after a failure.
bool point_symmetries_find(const struct point_moves *moves, enum symmetry_choice choice,
                           uint32_t most, struct point_symmetries *symmetries);
void point_symmetries_free(struct point_symmetries *symmetries);

static inline const chain_point *point_symmetries_row(const struct point_symmetries *symmetries,
                                                      uint32_t number)
{
    return symmetries->rows + (size_t)number * symmetries->degree;
}

static inline const uint16_t *point_symmetries_moves(const struct point_symmetries *symmetries,
                                                     uint32_t number)
{
    return symmetries->moves + (size_t)number * symmetries->move_count;
}

#endif
