// Finds the `Database` lines that share the pattern database of an earlier line.
//
// Let a line name the pieces B, and an earlier one the pieces A. Let s be a symmetry of the moves
// (algebra/symmetries.h) that takes the homes of B to those of A. A state is a product of moves,
// that is, a permutation g of the points (point_view.h). Then s∘g∘s⁻¹ is also a state, because s
// turns moves into moves. It has the pieces A at home if and only if g has the pieces B at home. So
// the distance of g in the projection of B is that of s∘g∘s⁻¹ in the projection of A, and one table
// answers for both.
//
// This holds if the states are a group: all pieces differ and all orientations count. In other
// puzzles, a line shares a database only if it names the same pieces.
#ifndef FEWEST_TABLES_FAMILIES_PERMUTATION_SHARED_DATABASES_H
#define FEWEST_TABLES_FAMILIES_PERMUTATION_SHARED_DATABASES_H

#include "tables/algebra/symmetries.h"
#include "tables/puzzle/puzzle.h"

// If there are more symmetries, or if a limit of their search stops it, only the identity counts.
enum { SHARING_SYMMETRIES_MOST = 1024 };

// The symmetries of a puzzle, which are found when two lines first need them.
struct database_sharing {
    bool is_known;
    struct point_symmetries symmetries; // none if the states are no group
};

// Finds the earlier line that a line shares its database with. Fills in what the line needs of it.
// *found is false if there is none. Returns false if memory runs out. Zero *sharing before the
// first line, and free it after the last one.
bool sharing_find_line(struct database_sharing *sharing, const struct puzzle *puzzle,
                       unsigned number, struct database_line *line, bool *found);
void sharing_free(struct database_sharing *sharing);

#endif
