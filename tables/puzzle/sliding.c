// How a sliding puzzle is made of its definition. sliding_states.c tells how it becomes a table.
#include "puzzle/sliding.h"

#include "index/rank.h"
#include "puzzle/board.h"

#include <stdlib.h>
#include <string.h>

// Larger boards have a table of one root, their goal's: each takes as much room as all states.
enum { ALL_ROOTS_MOST = 10 };

// A wildcard target with at most six open cells has at most 720 matching states, and needs no
// number of its own. So the wildcard table of a board of up to nine cells leaves these out. On
// larger boards it leaves out more, because the closure would take too long.
static bool add_wildcards(struct puzzle *puzzle, struct root *root, struct fewest_error *error)
{
    enum { OPEN = 6 };
    const struct board *board = puzzle->board;
    if (puzzle->cell_count <= OPEN + 1 || puzzle->state_count > WILDCARD_STATES_MOST) {
        return true;
    }
    struct symmetry *kept = malloc(BOARD_SYMMETRIES_MOST * sizeof *kept);
    unsigned count = 0;
    for (unsigned s = 0; s < board->symmetry_count && kept; s++) {
        if (board->symmetries[s].to[root->cell] == root->cell) {
            kept[count++] = board->symmetries[s];
        }
    }
    return wildcard_index_build(&root->wildcards, puzzle->cell_count, puzzle->cell_count - OPEN - 1, kept, count,
                                error);
}

bool sliding_add_segment(struct puzzle *puzzle)
{
    unsigned cells = puzzle->cell_count;
    puzzle->segments = malloc(sizeof *puzzle->segments);
    if (!puzzle->segments) {
        return false;
    }
    puzzle->segments[0] = (struct segment){.kind = SEGMENT_ARRANGEMENT,
                                           .length = cells,
                                           .symbols = cells,
                                           .blank = true,
                                           .pieces = -1,
                                           .count = arrangement_count(cells, cells)};
    memset(puzzle->segments[0].amount, 1, cells);
    puzzle->segment_count = 1;
    puzzle->typed_by_character = cells <= 10;
    puzzle->arrangement_count = puzzle->segments[0].count;
    puzzle->state_count = cells * ((arrangement_count(cells - 1, cells - 1) + 1) / 2);
    return true;
}

bool sliding_compile(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error)
{
    puzzle->family = &SLIDING_FAMILY;
    puzzle->answers_all = true;
    if (!board_build(puzzle, definition, WILDCARD_CELLS_MOST, ", or 16 with `Track`", error)) {
        return false;
    }
    if (!sliding_add_segment(puzzle)) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the puzzle");
    }
    if (puzzle->cell_count > ALL_ROOTS_MOST) {
        board_keep_goal_root(puzzle);
        puzzle->answers_all = false;
    }
    for (unsigned r = 0; r < puzzle->root_count; r++) {
        puzzle->roots[r].hidden = 1;
        for (unsigned i = 0; i < puzzle->cell_count; i++) {
            puzzle->roots[r].target[i] = (uint8_t)i;
        }
        if (!add_wildcards(puzzle, &puzzle->roots[r], error)) {
            return false;
        }
    }
    return true;
}
