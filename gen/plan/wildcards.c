// Finds the symmetries that fold the wildcard targets of a table.
#include "wildcards.h"

#include "tables/algebra/symmetries.h"
#include "tables/families/board/board.h"

#include <stdlib.h>

// Lists the symmetries of the board that keep the blank's cell of the root. Returns how many there
// are, at most SYMMETRIES_MOST.
static unsigned list_board_symmetries(const struct puzzle *puzzle, unsigned root,
                                      struct symmetry *symmetries)
{
    const struct board *board = puzzle->board;
    unsigned cell = puzzle->numbering.roots[root].cell;
    unsigned count = 0;
    for (unsigned s = 0; s < board->symmetry_count; s++) {
        if (board->symmetries[s].to[cell] == cell) {
            symmetries[count++] = board->symmetries[s];
        }
    }
    return count;
}

// Finds symmetries of the moves: permutations of the cells that take each move to a move. Returns
// how many, at most SYMMETRIES_MOST, or 0 if memory runs out. The identity is always found. The
// list may be incomplete, because it need not be a group. The rows tell where the piece in each
// cell comes from, which is the inverse move: the inverse moves have the same symmetries.
static unsigned find_move_symmetries(const struct puzzle *puzzle, struct symmetry *symmetries)
{
    struct point_symmetries found = {.count = 0};
    const chain_point **rows = malloc(puzzle->move_count * sizeof *rows);
    if (!rows) {
        return 0;
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        rows[m] = puzzle->moves[m].from;
    }
    struct point_moves moves = {puzzle->cell_count, puzzle->move_count, rows};
    unsigned count = 0;
    if (point_symmetries_find(&moves, SYMMETRIES_ALL, SYMMETRIES_MOST, &found)) {
        count = found.count;
    }
    for (unsigned s = 0; s < count; s++) {
        for (unsigned i = 0; i < puzzle->cell_count; i++) {
            symmetries[s].to[i] = (uint8_t)point_symmetries_row(&found, s)[i];
        }
        symmetry_invert(&symmetries[s], puzzle->cell_count);
    }
    point_symmetries_free(&found);
    free(rows);
    return count;
}

// Copies to `symmetries` those that the index uses, in their order, and returns how many there are.
// The index (wildcard.h) uses a symmetry if some set of given cells has joined its class by it. If
// the targets are numbered anew by these symmetries alone, the classes stay the same: each set
// joined its class by the first symmetry that takes it there.
static unsigned keep_needed_symmetries(const struct wildcard_index *wildcards,
                                       struct symmetry *symmetries)
{
    bool needed[SYMMETRIES_MOST] = {true}; // the identity
    unsigned count = 0;
    // If no target has a number, the index has no masks.
    unsigned mask_count = wildcards->entries > 0 ? 1u << wildcards->cells : 0;
    // A mask has a bit for each given cell. Targets that give too many cells have no number.
    for (unsigned mask = 0; mask < mask_count; mask++) {
        if (count_bits(mask) <= wildcards->most_given) {
            needed[wildcards->to_canonical[mask]] = true;
        }
    }
    for (unsigned s = 0; s < wildcards->symmetry_count; s++) {
        if (needed[s]) {
            symmetries[count++] = wildcards->symmetries[s];
        }
    }
    return count;
}

// Numbers the wildcard targets of one root: first by all symmetries, and then by those of them that
// are needed. `symmetries` is a buffer for SYMMETRIES_MOST of them.
static bool number_targets_of_root(struct puzzle *puzzle, unsigned root,
                                   struct symmetry *symmetries, struct fewest_error *error)
{
    unsigned count = puzzle->board ? list_board_symmetries(puzzle, root, symmetries)
                                   : find_move_symmetries(puzzle, symmetries);
    if (count == 0) {
        return error_no_memory(error, "for the symmetries");
    }
    if (!puzzle_number_wildcards(puzzle, root, symmetries, count, error)) {
        return false;
    }
    count = keep_needed_symmetries(&puzzle->numbering.roots[root].wildcards, symmetries);
    return puzzle_number_wildcards(puzzle, root, symmetries, count, error);
}

bool wildcards_number(struct puzzle *puzzle, struct fewest_error *error)
{
    if (!puzzle_numbers_wildcards(puzzle)) {
        return true;
    }
    struct symmetry *symmetries = malloc(SYMMETRIES_MOST * sizeof *symmetries);
    if (!symmetries) {
        return error_no_memory(error, "for the symmetries");
    }
    bool done = true;
    for (unsigned r = 0; r < puzzle->numbering.root_count && done; r++) {
        done = number_targets_of_root(puzzle, r, symmetries, error);
    }
    free(symmetries);
    return done;
}
