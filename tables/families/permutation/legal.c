// The filter of a definition with `Illegal`. A state is *legal* if no piece is in a slot that may
// not hold it.
//
// A move is possible if the states before and after it are legal. So if the inverse of each move is
// a move, each possible move can be undone.
#include "permutation.h"

#include <stdio.h>
#include <string.h>

// Does `Illegal` forbid something in a set whose pieces have cells? Any other set stays as it is in
// `Solved`, which is legal.
static bool has_illegal_pieces(const struct puzzle *puzzle)
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

// Returns the first cell of a state that holds an illegal piece; -1 if there is none. The state may
// have wildcards. If `rows` is not NULL, looks at the state after these moves: slot i then holds
// the piece that the state has in slot rows->piece[i] of the set.
static int find_illegal(const struct puzzle *puzzle, const struct rows *rows, const uint8_t *state)
{
    const struct definition *definition = puzzle->definition;
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

static bool is_legal(const struct puzzle *puzzle, const struct rows *rows, const uint8_t *state)
{
    return find_illegal(puzzle, rows, state) < 0;
}

// Writes why a state is illegal; false if it is legal (rules.h).
static bool explain_illegal(const struct puzzle *puzzle, const char *name, const uint8_t *state,
                            char *reason, size_t size)
{
    int cell = find_illegal(puzzle, NULL, state);
    char piece[16];
    if (cell < 0) {
        return false;
    }
    const struct segment *segment = puzzle_find_segment(puzzle, (unsigned)cell);
    segment_write_value(segment, state[cell], piece, sizeof piece);
    snprintf(reason, size, "%s is illegal: slot %u of %s can't hold piece %s", name,
             (unsigned)cell - segment->first + 1, puzzle->definition->sets[segment->set].name,
             piece);
    return true;
}

const struct filter *permutation_filter(const struct puzzle *puzzle)
{
    static const struct filter LEGAL = {.permits = is_legal, .explain = explain_illegal};
    return has_illegal_pieces(puzzle) ? &LEGAL : NULL;
}

bool point_view_forbids(const struct point_view *view, const struct puzzle *puzzle, unsigned point,
                        unsigned label)
{
    const struct view_slot *slot = &view->slots[view->slot_of[point]];
    const struct view_slot *home = &view->slots[view->slot_of[label]];
    const bool *illegal = puzzle->definition->illegal;
    return illegal && slot->piece >= 0 && slot->orbit == home->orbit &&
           illegal[(size_t)slot->in_rows * PIECES_OF_SET_MOST + view->root[home->piece]];
}
