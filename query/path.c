// Shortest paths: of several, the first in byte order of the move names. Where every state on the way is a start that
// the table answers, the way is downhill; the others are in layers.c.
#include "layers.h"
#include "table.h"

#include <string.h>

// Takes the first move, in byte order of the names, that comes one nearer to the target. In a sound table there is one.
static bool step_nearer(struct fewest *table, uint8_t *state, const struct targets *targets, int distance,
                        unsigned *move, struct fault *fault)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t moved[CELLS_MOST];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        int left;
        if (!puzzle_apply(puzzle, m, state, moved)) {
            continue;
        }
        if (!find_distance(table, moved, targets, &left, fault)) {
            return false;
        }
        if (left == distance - 1) {
            memcpy(state, moved, puzzle->cell_count);
            *move = m;
            return true;
        }
    }
    return fault_set(fault, FAULT_DAMAGED, "the table is wrong: %d moves are said to be left, and no move comes nearer",
                     distance);
}

static bool walk_down(struct fewest *table, const uint8_t *start, const struct targets *targets, int distance,
                      unsigned *moves, struct fault *fault)
{
    uint8_t state[CELLS_MOST];
    memcpy(state, start, table->puzzle.cell_count);
    for (int i = 0; i < distance; i++) {
        if (!step_nearer(table, state, targets, distance - i, &moves[i], fault)) {
            return false;
        }
    }
    return true;
}

bool fewest_path(struct fewest *table, const struct fewest_question *question, unsigned moves[FEWEST_PATH_MOST],
                 int *steps, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct targets targets = targets_of(table, question);
    // Is every state on the way a start that the table answers?
    bool down = puzzle->answers_all || (puzzle->kind == KIND_PERMUTATION &&
                                        memcmp(targets.cells[0], puzzle->goals[0], puzzle->cell_count) == 0);
    struct fault fault;
    if (!find_distance(table, question->start, &targets, steps, &fault)) {
        return raise_fault(error, &fault);
    }
    if (*steps > 0 && !(down ? walk_down(table, question->start, &targets, *steps, moves, &fault)
                             : walk_layers(table, question->start, &targets, *steps, moves, &fault))) {
        return raise_fault(error, &fault);
    }
    return true;
}
