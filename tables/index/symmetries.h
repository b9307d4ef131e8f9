// The symmetries of a list of moves. A move is a permutation of the points 0 … degree-1 that takes
// point x to move[x].
//
// A symmetry is a permutation s of the points that turns each move m into a move of the list, its
// conjugate: s(m(x)) = m'(s(x)) for each point x, with m' = s∘m∘s⁻¹. So a symmetry also conjugates
// each product of moves to a product of as many moves.
//
// Two different symmetries can have the same effect on every move, and so on every product of
// moves. For example, turning all corners of the cube in place changes no move.
// SYMMETRIES_BY_MOVES lists only the first symmetry of each such class. The 24 + 24 stickers of the
// corners and edges of the 3x3x3 cube have 48 classes, of 3 · 2 symmetries each.
//
// The search has two parts (symmetries.c):
//   1. It finds images of the moves. All points and moves get colours that a symmetry keeps: a
//      colour is a hash of the colours on a cycle of a move, and in a product of two moves. The
//      search marks one move, and each possible image of it, with a new colour, and colours all
//      anew. If the two then have different sets of colours, it drops this image. It goes on until
//      no two moves have the same colour. Then the image of each move is known.
//   2. It finds images of the points. The image of one point of an orbit gives those of the others.
// At the end it checks each permutation against all moves. So a fault of the search can miss a
// symmetry, but never list a wrong one.
#ifndef FEWEST_TABLES_SYMMETRIES_H
#define FEWEST_TABLES_SYMMETRIES_H

#include "index/random_elements.h"

#include <stddef.h>

// Limits, because a definition may be hostile. The search takes about a second and 200 MiB at most,
// besides the result.
static const uint64_t SYMMETRIES_WORK_MOST = UINT64_C(1) << 28;    // entries read or written
static const uint64_t SYMMETRIES_ENTRIES_MOST = UINT64_C(1) << 24; // degree · moves
static const uint64_t SYMMETRIES_BYTES_MOST = UINT64_C(1) << 26;   // of colours in part 1

struct point_moves {
    unsigned degree;                // from 1 to GROUP_DEGREE_MOST
    unsigned count;                 // at most UINT16_MAX
    const group_point *const *rows; // moves may be equal
};

enum symmetry_choice {
    SYMMETRIES_BY_MOVES, // the first one of each class
    SYMMETRIES_ALL,
};

struct point_symmetries {
    unsigned degree;
    unsigned move_count;
    uint32_t count;
    group_point *rows; // `count` rows of `degree` points: where each symmetry takes each point
    // `count` rows of `move_count` moves: what each symmetry turns each move into. If moves of the
    // list are equal, it is the first of them (unless there are too many entries to compare them).
    uint16_t *moves;
    bool complete; // false if there may be more: `most` or one of the limits stopped the search
    uint64_t work; // of the search
};

// Finds at most `most` symmetries. The first one is the identity; it is there in any case, so
// `most` is at least 1. The order is the same in every run. In SYMMETRIES_BY_MOVES, the first
// symmetry of a class is the one whose row of points is the least. If the list is not complete, it
// need not be a group. Returns false without memory. The caller frees with point_symmetries_free,
// also after a failure.
bool point_symmetries_find(const struct point_moves *moves, enum symmetry_choice choice,
                           uint32_t most, struct point_symmetries *symmetries);
void point_symmetries_free(struct point_symmetries *symmetries);

static inline const group_point *point_symmetries_row(const struct point_symmetries *symmetries,
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
