// Decides which states are legal, if the definition has `Illegal`.
//
// A move is possible if the states before and after it are legal. So if the inverse of each move is
// a move, each possible move can be undone.
#include "permutation.h"

#include <string.h>

// A set whose pieces have no cells stays as it is in `Solved`, which is legal.
bool permutation_forbids_states(const struct puzzle *puzzle)
{
    const struct definition *definition = puzzle->definition;
    for (unsigned s = 0; s < definition->set_count && definition->illegal; s++) {
        const struct piece_set *set = &definition->sets[s];
        if (permutation_of(puzzle)->first_cells[s].pieces >= 0 &&
            memchr(definition->illegal + (size_t)set->first * PIECES_OF_SET_MOST, 1,
                   (size_t)set->pieces * PIECES_OF_SET_MOST)) {
            return true;
        }
    }
    return false;
}

// After `rows`, slot i holds the piece that the state has in slot rows->piece[i] of the set.
int permutation_find_illegal(const struct puzzle *puzzle, const struct rows *rows,
                             const uint8_t *state)
{
    const struct definition *definition = puzzle->definition;
    if (!puzzle->forbids_states) {
        return -1;
    }
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        int first = permutation_of(puzzle)->first_cells[s].pieces;
        for (unsigned i = 0; i < set->pieces && first >= 0; i++) {
            unsigned slot = set->first + i;
            uint8_t piece = state[(unsigned)first + (rows ? rows->piece[slot] : i)];
            if (piece != WILD && definition->illegal[(size_t)slot * PIECES_OF_SET_MOST + piece]) {
                return first + (int)i;
            }
        }
    }
    return -1;
}

bool permutation_is_legal(const struct puzzle *puzzle, const struct rows *rows,
                          const uint8_t *state)
{
    return permutation_find_illegal(puzzle, rows, state) < 0;
}
