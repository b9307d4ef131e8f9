// Finds the symmetries that fold the wildcard targets of a table.
#include "wildcards.h"

#include "tables/algebra/symmetries.h"
#include "tables/puzzle/board/board.h"

#include <stdlib.h>

// The symmetries of the board that keep the root's cell. Returns how many there are.
static unsigned find_of_board(const struct puzzle *puzzle, unsigned root,
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

// The list may be incomplete, because it need not be a group. The points are the cells, also those
// that no move changes. A symmetry of the inverse moves is one of the moves, so the rows may tell
// where the piece in each cell comes from. Returns 0 without memory.
static unsigned find_of_moves(const struct puzzle *puzzle, struct symmetry *symmetries)
{
    struct point_symmetries found = {.count = 0};
    const chain_point **rows = malloc(puzzle->move_count * sizeof *rows);
    for (unsigned m = 0; m < puzzle->move_count && rows; m++) {
        rows[m] = puzzle->moves[m].from;
    }
    struct point_moves moves = {puzzle->cell_count, puzzle->move_count, rows};
    bool done = rows && point_symmetries_find(&moves, SYMMETRIES_ALL, SYMMETRIES_MOST, &found);
    unsigned count = done ? found.count : 0;
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

// Keeps only the symmetries that the index needs, in their order. Returns how many there are. From
// these alone, the same masks make the same classes, because each mask that joins a class does so
// by the first symmetry that takes it there.
static unsigned keep_needed(const struct wildcard_index *wildcards, struct symmetry *symmetries)
{
    bool needed[SYMMETRIES_MOST] = {true}; // the identity
    unsigned count = 0;
    for (unsigned mask = 0; mask < 1u << wildcards->cells && wildcards->entries > 0; mask++) {
        if (wildcards->given_of[mask] <= wildcards->most_given) {
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

static bool lacks_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory for the symmetries");
}

bool wildcards_number(struct puzzle *puzzle, struct fewest_error *error)
{
    if (!puzzle_numbers_wildcards(puzzle)) {
        return true;
    }
    struct symmetry *symmetries = malloc(SYMMETRIES_MOST * sizeof *symmetries);
    bool done = symmetries || lacks_memory(error);
    for (unsigned r = 0; r < puzzle->numbering.root_count && done; r++) {
        unsigned count = puzzle->board ? find_of_board(puzzle, r, symmetries)
                                       : find_of_moves(puzzle, symmetries);
        done = (count > 0 || lacks_memory(error)) &&
               puzzle_number_wildcards(puzzle, r, symmetries, count, error);
        if (done) {
            count = keep_needed(&puzzle->numbering.roots[r].wildcards, symmetries);
            done = puzzle_number_wildcards(puzzle, r, symmetries, count, error);
        }
    }
    free(symmetries);
    return done;
}
