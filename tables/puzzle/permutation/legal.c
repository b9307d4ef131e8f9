// Decides which states are legal, if the definition has `Illegal`.
//
// A move is possible if the states before and after it are legal. So if the inverse of each move is
// a move, each possible move can be undone.
#include "permutation.h"

#include <stdlib.h>
#include <string.h>

// A set whose pieces have no cells stays as it is in `Solved`, which is legal.
bool permutation_find_guarded(struct puzzle *puzzle, struct fewest_error *error)
{
    struct permutation *permutation = permutation_of(puzzle);
    const struct definition *definition = puzzle->definition;
    if (!definition->illegal) {
        return true;
    }
    permutation->guarded = calloc(definition->piece_count, sizeof *permutation->guarded);
    if (!permutation->guarded) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the puzzle");
    }
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        int cells = permutation->first_cells[s].pieces;
        for (unsigned i = 0; i < set->pieces && cells >= 0; i++) {
            const bool *illegal =
                definition->illegal + (size_t)(set->first + i) * PIECES_OF_SET_MOST;
            if (memchr(illegal, 1, PIECES_OF_SET_MOST)) {
                permutation->guarded[permutation->guarded_count++] =
                    (struct guarded_slot){.first = (unsigned)cells,
                                          .cell = (unsigned)cells + i,
                                          .in_rows = set->first + i,
                                          .illegal = illegal};
            }
        }
    }
    puzzle->forbids_states = permutation->guarded_count > 0;
    return true;
}

const struct guarded_slot *permutation_find_illegal(const struct puzzle *puzzle,
                                                    const uint8_t *state)
{
    const struct permutation *permutation = permutation_of(puzzle);
    for (unsigned i = 0; i < permutation->guarded_count; i++) {
        const struct guarded_slot *guarded = &permutation->guarded[i];
        if (state[guarded->cell] != WILD && guarded->illegal[state[guarded->cell]]) {
            return guarded;
        }
    }
    return NULL;
}

bool permutation_is_legal(const struct puzzle *puzzle, const uint8_t *state)
{
    return !permutation_find_illegal(puzzle, state);
}

// Slot s holds the piece that `from` has in slot rows->piece[s] of the same set.
bool permutation_rows_are_legal(const struct puzzle *puzzle, const struct rows *rows,
                                const uint8_t *from)
{
    const struct permutation *permutation = permutation_of(puzzle);
    for (unsigned i = 0; i < permutation->guarded_count; i++) {
        const struct guarded_slot *guarded = &permutation->guarded[i];
        uint8_t piece = from[guarded->first + rows->piece[guarded->in_rows]];
        if (guarded->illegal[piece]) {
            return false;
        }
    }
    return true;
}
