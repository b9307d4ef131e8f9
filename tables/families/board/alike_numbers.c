// Numbers the states of a sliding board on which some tiles look alike.
//
// Tiles that look alike can't be renamed one by one, so distances are counted to the goals. A state
// is its own relative target, and its index is its number in the board's chain (board_chain.h). The
// only root has the blank where the solved state has it.
#include "sliding.h"

#include <stdlib.h>
#include <string.h>

static const struct sliding *sliding_of(const struct puzzle *puzzle)
{
    return puzzle->own;
}

// ---- States and indices -------------------------------------------------------------------------

// Fills in the images of all points, thing by thing: the points where a state has the tiles that
// look alike.
static bool read_images(const struct puzzle *puzzle, unsigned root, const uint8_t *state,
                        chain_point *images)
{
    (void)root;
    const struct sliding *sliding = sliding_of(puzzle);
    unsigned filled[BOARD_CELLS_MOST] = {0}; // by number
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        unsigned number = state[cell];
        if (filled[number] == puzzle->segments[0].amount[number]) {
            return false;
        }
        images[sliding->first_point[number] + filled[number]++] = sliding->boards[0].point_of[cell];
    }
    return true;
}

static void write_images(const struct puzzle *puzzle, unsigned root, const chain_point *images,
                         uint8_t *state)
{
    (void)root;
    const struct board_chain *board = &sliding_of(puzzle)->boards[0];
    for (unsigned x = 0; x < puzzle->cell_count; x++) {
        state[board->cell_of[images[x]]] = puzzle->goals[0][board->cell_of[x]];
    }
}

static uint64_t rank_state(const struct puzzle *puzzle, unsigned root, const uint8_t *state)
{
    const struct chain *chain = &sliding_of(puzzle)->chains[0];
    chain_point images[BOARD_CELLS_MOST];
    if (!read_images(puzzle, root, state, images)) {
        return INDEX_NONE;
    }
    return chain_divide(chain, 0, chain->digit_count, images, puzzle->cell_count);
}

static void unrank_state(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *state)
{
    chain_point images[BOARD_CELLS_MOST];
    memcpy(images, sliding_of(puzzle)->boards[0].points, sizeof images);
    chain_unrank_images(&sliding_of(puzzle)->chains[0], index, images, puzzle->cell_count);
    write_images(puzzle, root, images, state);
}

// Fills in the index after each move, or INDEX_NONE where the blank would leave the board. Every
// move is undone by another, so these are also the indices before each move.
static void find_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                            uint64_t *found)
{
    (void)root;
    const struct sliding *sliding = sliding_of(puzzle);
    const struct board_chain *board = &sliding->boards[0];
    unsigned count = puzzle->cell_count;
    chain_point images[BOARD_CELLS_MOST];
    chain_point moved[BOARD_CELLS_MOST];
    memcpy(images, board->points, sizeof images);
    chain_unrank_images(&sliding->chains[0], index, images, count);
    const chain_point *const *steps = &board->steps[(size_t)images[0] * puzzle->move_count];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (!steps[m]) {
            found[m] = INDEX_NONE;
            continue;
        }
        for (unsigned i = 0; i < count; i++) {
            moved[i] = steps[m][images[i]];
        }
        found[m] = chain_divide(&sliding->chains[0], 0, sliding->step_digits, moved, count);
    }
}

// ---- Start and target ---------------------------------------------------------------------------

static bool find_relative(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          unsigned *root, uint8_t *relative, struct fewest_error *error)
{
    *root = 0;
    return puzzle_relate_to_goals(puzzle, start, target, relative, error);
}

static void restore_target(const struct puzzle *puzzle, const uint8_t *start,
                           const uint8_t *relative, uint8_t *target)
{
    (void)start; // the solved state
    memcpy(target, relative, puzzle->cell_count);
}

// ---- The chain ----------------------------------------------------------------------------------

// Keeps each goal once. Fails if no moves lead from it to the solved state.
static bool keep_goals(struct puzzle *puzzle, struct fewest_error *error)
{
    unsigned count = puzzle->goal_count;
    puzzle->goal_count = 1;
    for (unsigned g = 1; g < count; g++) {
        if (rank_state(puzzle, 0, puzzle->goals[g]) == INDEX_NONE) {
            return error_set_line(error, FEWEST_BAD_INPUT, puzzle->definition->goal_lines[g - 1],
                                  "no moves connect this goal with `Solved`; check its cells, or "
                                  "make it the `Solved` of another table");
        }
        memmove(puzzle->goals[puzzle->goal_count], puzzle->goals[g], puzzle->cell_count);
        puzzle_keep_goal(puzzle);
    }
    puzzle->numbering.roots[0].more = puzzle->goal_count - 1;
    return true;
}

static const struct numbering_functions ALIKE_NUMBERING = {
    .rank = rank_state,
    .unrank = unrank_state,
    .neighbours = find_neighbours,
    .predecessors = find_neighbours,
    .write_images = write_images,
    .read_images = read_images,
    .find_relative = find_relative,
    .restore_target = restore_target,
    .answers_target = puzzle_is_counted_goal,
};

// puzzle_free frees the chain through sliding_free, also after a failure.
bool alike_make_chain(struct puzzle *puzzle, struct fewest_error *error)
{
    struct numbering *numbering = &puzzle->numbering;
    struct sliding *sliding = calloc(1, sizeof *sliding);
    puzzle->own = sliding;
    if (!sliding) {
        return error_no_memory(error, "for the puzzle");
    }
    *numbering = (struct numbering){.functions = &ALIKE_NUMBERING,
                                    .answers = ANSWERS_TARGETS,
                                    .counts_to_goals = true,
                                    .by_chain = true};
    struct board_chain *board = &sliding->boards[0];
    struct chain *chain = &sliding->chains[0];
    numbering->roots[0].cell = board_find_cell(puzzle->goals[0], 0);
    if (!board_chain_make(board, puzzle->board, puzzle->move_count, numbering->roots[0].cell,
                          puzzle->goals[0], false)) {
        return error_no_memory(error, "for the puzzle");
    }
    for (unsigned x = puzzle->cell_count; x-- > 0;) {
        sliding->first_point[puzzle->goals[0][board->cell_of[x]]] = (uint8_t)x;
    }
    if (!chain_make(chain, &board->plan, error)) {
        return false;
    }
    numbering->state_count = puzzle->reachable_count = chain->count;
    if (puzzle_is_too_large(puzzle)) {
        return true;
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        sliding->step_digits = chain->digits[d].length > 1 ? d + 1 : sliding->step_digits;
    }
    numbering->roots[0].target = puzzle->goals[0];
    numbering->roots[0].chain = chain;
    numbering->root_count = 1;
    return chain_finish(chain, error) && keep_goals(puzzle, error);
}
