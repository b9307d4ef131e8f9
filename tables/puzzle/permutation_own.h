// Declarations that only the files of the permutation family share.
#ifndef FEWEST_TABLES_PERMUTATION_OWN_H
#define FEWEST_TABLES_PERMUTATION_OWN_H

#include "puzzle/puzzle.h"

struct part;

// The first cells of a set's pieces and orientations; -1 if no move changes them.
struct set_cells {
    int pieces;
    int orientations;
};

struct permutation {
    struct set_cells set_cells[SETS_MOST];
    struct part *parts; // coordinates of the index (invariant.h)
    unsigned part_count;
    // Do all pieces differ and all orientations count? Then the states are a group, distances are
    // counted from the identity, and the table answers any start and any target. Otherwise
    // distances are counted to the goal.
    bool group;
    bool even; // one segment, of different pieces, and every move is an even permutation
    // By move: the bits of the index that it flips; NULL if the index is not a row of bits.
    uint64_t *flips;
};

static inline struct permutation *permutation_of(const struct puzzle *puzzle)
{
    return (struct permutation *)puzzle->own;
}

extern const struct numbering_functions PERMUTATION_NUMBERING;

// Rules of the family (rules.h).
bool permutation_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from,
                       uint8_t *to);
bool permutation_apply_rows(const struct puzzle *puzzle, const struct rows *rows,
                            const uint8_t *from, uint8_t *to, struct fewest_error *error);

// Renames the pieces so that `start` becomes the identity. The states must be a group.
void permutation_relabel(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                         uint8_t *relative);

// How the index can be cut for a search (numbering.h, permutation_pages.c).
unsigned permutation_find_free_digits(const struct puzzle *puzzle, struct free_digit *digits);
bool permutation_find_points(const struct puzzle *puzzle, struct point_row *row);
unsigned permutation_move_points(const struct puzzle *puzzle, unsigned outer, unsigned move,
                                 uint8_t *map);

#endif
