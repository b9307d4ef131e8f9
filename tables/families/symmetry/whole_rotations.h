// The rotations of the whole puzzle: states that count as solved when only the position counts.
//
// A *rotation of the whole* is an element of the group that the moves generate. If `Rotation` lines
// of the definition declare some, these and their products are the rotations. If not, the rotations
// are the symmetries of the moves (algebra/symmetries.h) that are elements. Among those is each
// element that commutes with all moves, though a person may not call it a rotation. In either case,
// the rotations are a subgroup R. A *position* is a coset gR: all states g·r, in which the pieces
// of g are named as if the puzzle had been turned by r before. A move takes a position to a
// position, because it is multiplied from the left. So the distance of a position is the least of
// those of its states.
//
// If R is exactly the symmetries that are elements, which is usual, each symmetry takes positions
// to positions. There are two other cases. The declared rotations may be only some of these
// symmetries. Or a declared rotation may be no symmetry, because it takes a sequence, or a move
// that does not count alone, to none. Then a symmetry s takes positions to positions only if
// s·R·s⁻¹ is R.
//
// A declared rotation that is no element of the group changes nothing: no state that moves reach
// differs from another one by it.
#ifndef FEWEST_TABLES_FAMILIES_SYMMETRY_WHOLE_ROTATIONS_H
#define FEWEST_TABLES_FAMILIES_SYMMETRY_WHOLE_ROTATIONS_H

#include "tables/base/errors.h"
#include "tables/base/row_set.h"
#include "tables/puzzle/puzzle.h"

struct whole_rotations {
    // Where each rotation takes each point of the slots (point_view.h). Row 0 is the identity.
    struct row_set rows;
    bool are_symmetries; // are they all symmetries that are elements, and nothing else?
};

// Lists the rotations of a numbered permutation puzzle. Fails with FEWEST_BEYOND if its states are
// no group, if the symmetries or rotations are too many, or if there is a rotation that is no
// symmetry and some move can't be undone: then the way to a rotation is not as long as the way
// back. The caller frees, also after a failure.
bool whole_rotations_list(struct whole_rotations *rotations, const struct puzzle *puzzle,
                          struct fewest_error *error);
void whole_rotations_free(struct whole_rotations *rotations);

// Does a symmetry take rotations to rotations, and so positions to positions? to[x] is where it
// takes point x.
bool whole_rotations_are_kept(const struct whole_rotations *rotations, const uint16_t *to);

#endif
