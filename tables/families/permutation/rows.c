// Makes states of a permutation puzzle: from the rows of a state, or by a product of moves and
// rotations.
//
// A rotation may take a set that no move permutes out of its place. Such a set has no cells, so a
// product is refused unless the set looks solved after it.
//
// A product brings to slot i of a set the piece of slot rows->piece[i], and turns it by
// rows->orientation[i].
#include "permutation.h"

#include <string.h>

// Does the puzzle ignore the orientation of the piece that the state `from` has in a slot of set s?
// The piece's home in the solved state tells. The set's pieces must have cells.
static bool is_ignored(const struct puzzle *puzzle, const uint8_t *from, unsigned s, unsigned slot)
{
    const struct definition *definition = puzzle->definition;
    unsigned first = (unsigned)permutation_of(puzzle)->first_cells[s].pieces;
    const uint8_t *solved = puzzle->goals[0] + first;
    uint8_t piece = from[first + slot];
    unsigned home = 0;
    while (home + 1 < definition->sets[s].pieces && solved[home] != piece) {
        home++;
    }
    return definition->orientation_ignored[definition->sets[s].first + home];
}

// Does slot i of set s look solved after the moves, in everything that has no cells? If only the
// pieces have cells, a piece whose orientation counts must not be turned. If the pieces have no
// cells, they are solved before the moves, and must look so after them: the slot may hold another
// piece that looks alike.
static bool looks_solved(const struct puzzle *puzzle, const struct rows *rows, const uint8_t *state,
                         unsigned s, unsigned i)
{
    const struct definition *definition = puzzle->definition;
    const struct piece_set *set = &definition->sets[s];
    struct first_cells cells = permutation_of(puzzle)->first_cells[s];
    unsigned slot = set->first + i; // in the rows, which have all sets
    unsigned from = set->first + rows->piece[slot];
    unsigned turn = rows->orientation[slot];
    if (cells.pieces >= 0 && cells.orientations >= 0) {
        return true;
    }
    if (cells.pieces >= 0) {
        return turn == 0 || is_ignored(puzzle, state, s, from - set->first);
    }
    if (definition->solved.piece[from] != definition->solved.piece[slot]) {
        return false;
    }
    if (cells.orientations >= 0 || definition->orientation_ignored[slot]) {
        return true;
    }
    unsigned turned = definition->solved.orientation[from] + turn;
    return turned % set->orientations == definition->solved.orientation[slot];
}

// Writes the cells of set s after the moves to the state `to`. Returns false if something without
// cells does not look solved. If `Track` names none of the set's pieces, this does not matter.
static bool apply_to_set(const struct puzzle *puzzle, const struct rows *rows, const uint8_t *state,
                         unsigned s, uint8_t *to)
{
    const struct piece_set *set = &puzzle->definition->sets[s];
    struct first_cells cells = permutation_of(puzzle)->first_cells[s];
    bool looks_good = true;
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned from = rows->piece[set->first + i];
        if (cells.pieces >= 0) {
            unsigned first = (unsigned)cells.pieces;
            to[first + i] = state[first + from];
        }
        if (cells.orientations >= 0) {
            unsigned first = (unsigned)cells.orientations;
            unsigned turn = rows->orientation[set->first + i];
            to[first + i] = (uint8_t)((state[first + from] + turn) % set->orientations);
        }
        looks_good = looks_good && looks_solved(puzzle, rows, state, s, i);
    }
    return looks_good || (set->tracked && set->tracked_count == 0);
}

// Writes all cells of `to`, set by set. After a failure some are missing.
bool permutation_apply_rows(const struct puzzle *puzzle, const struct rows *rows,
                            const uint8_t *from, uint8_t *to, struct fewest_error *error)
{
    for (unsigned s = 0; s < puzzle->definition->set_count; s++) {
        if (!apply_to_set(puzzle, rows, from, s, to)) {
            return error_set(
                error, FEWEST_BAD_INPUT,
                "these moves leave set %s rotated; add the rotation that turns it back",
                puzzle->definition->sets[s].name);
        }
    }
    puzzle_forget_ignored(puzzle, to);
    return true;
}

// ---- The rows of a state ------------------------------------------------------------------------

void permutation_copy_rows(const struct puzzle *puzzle, const struct rows *rows, uint8_t *cells)
{
    for (unsigned s = 0; s < puzzle->definition->set_count; s++) {
        const struct piece_set *set = &puzzle->definition->sets[s];
        struct first_cells first = permutation_of(puzzle)->first_cells[s];
        if (first.pieces >= 0) {
            memcpy(cells + first.pieces, rows->piece + set->first, set->pieces);
        }
        if (first.orientations >= 0) {
            memcpy(cells + first.orientations, rows->orientation + set->first, set->pieces);
        }
    }
}

// Does the solved state have, in any slot of the set, the piece that the rows have in `slot`, in
// the same orientation?
static bool is_in_solved(const struct puzzle *puzzle, const struct piece_set *set,
                         const struct rows *rows, unsigned slot)
{
    const struct rows *solved = &puzzle->definition->solved;
    unsigned home = set->first;
    unsigned end = set->first + set->pieces;
    while (home < end && (solved->piece[home] != rows->piece[slot] ||
                          solved->orientation[home] != rows->orientation[slot])) {
        home++;
    }
    return home < end;
}

// Copies the rows to the cells, and compares what has no cells with the solved state: pieces must
// be in the same slots. If only the pieces have cells, moves take orientations along with them, so
// each piece must have an orientation that it has in the solved state. A set does not matter if
// `Track` names none of its pieces.
bool permutation_read_rows(const struct puzzle *puzzle, const struct rows *rows, uint8_t *state)
{
    bool agrees = true;
    for (unsigned s = 0; s < puzzle->definition->set_count; s++) {
        const struct piece_set *set = &puzzle->definition->sets[s];
        struct first_cells first = permutation_of(puzzle)->first_cells[s];
        for (unsigned i = set->first; i < set->first + set->pieces; i++) {
            agrees &= first.pieces >= 0 || rows->piece[i] == puzzle->definition->solved.piece[i] ||
                      (set->tracked && set->tracked_count == 0);
            agrees &= first.orientations >= 0 || is_in_solved(puzzle, set, rows, i) ||
                      (set->tracked && set->tracked_count == 0);
        }
    }
    permutation_copy_rows(puzzle, rows, state);
    return agrees;
}
