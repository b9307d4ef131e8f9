// Makes the plan of a board with one blank.
#include "board_chain.h"

#include <stdlib.h>
#include <string.h>

// Numbers the cells as points, thing by thing. The blank's home is point 0. The tiles of a thing
// are in the order of their cells or, `reversed`, in the opposite one. Without look-alikes, the
// order of the things is that of the cells.
static void number_cells(struct board_chain *made, unsigned home, const uint8_t *alike,
                         bool reversed)
{
    unsigned point = 1; // the next one
    made->cell_of[0] = (uint8_t)home;
    for (unsigned number = 1; number < (alike ? made->cells : 2); number++) {
        for (unsigned cell = 0; cell < made->cells; cell++) {
            if (cell != home && (!alike || alike[cell] == number)) {
                made->cell_of[point++] = (uint8_t)cell;
            }
        }
    }
    for (unsigned i = 1, j = made->cells - 1; i < j && reversed; i++, j--) {
        uint8_t cell = made->cell_of[i];
        made->cell_of[i] = made->cell_of[j];
        made->cell_of[j] = cell;
    }
    for (unsigned x = 0; x < made->cells; x++) {
        made->point_of[made->cell_of[x]] = (chain_point)x;
        made->points[x] = (chain_point)x;
    }
}

// Makes the things: points whose tiles look alike, one after the other.
static void make_things(struct board_chain *made, const uint8_t *alike)
{
    for (unsigned x = 0; x < made->cells; x++) {
        bool joins = alike && x > 0 && alike[made->cell_of[x]] == alike[made->cell_of[x - 1]];
        if (!joins) {
            made->things[made->thing_count++].points = &made->points[x];
        }
        made->things[made->thing_count - 1].size++;
    }
}

// Fills in the row of a move that takes the blank several cells, from point `blank` on. Each tile
// on the way goes to the point where the blank was before.
static void fill_step(const struct board_chain *made, const struct board *board, unsigned move,
                      unsigned blank, chain_point *row)
{
    unsigned from = made->cell_of[blank];
    memcpy(row, made->points, sizeof made->points); // the identity
    row[blank] = made->point_of[board->to[move][from]];
    for (unsigned i = 0; i < board->length[move]; i++) {
        unsigned next = (unsigned)((int)from + board->stride[move]);
        row[made->point_of[next]] = made->point_of[from];
        from = next;
    }
}

// Fills in what each move does with the blank at each point. A step that can't be made stays NULL.
static void fill_steps(struct board_chain *made, const struct board *board, unsigned move_count)
{
    for (unsigned blank = 0; blank < made->cells; blank++) {
        for (unsigned m = 0; m < move_count; m++) {
            if (board->to[m][made->cell_of[blank]] != NOWHERE) {
                chain_point *row = made->step_rows[blank * move_count + m];
                fill_step(made, board, m, blank, row);
                made->steps[blank * move_count + m] = row;
            }
        }
    }
}

// Adds a loop to the plan: what `walk` does, and then the way back home along the tree. Such loops
// are the Schreier generators of the group of all walks of the blank from home to home. Every such
// walk is a product of them, so they serve as the plan's moves.
//
// `walk` tells where a walk of the blank from home takes each point, so walk[0] is where the blank
// is then. The tree has reached that point before. There is room, because each step closes at most
// one loop. If a loop moves a tile, the board is no line.
static void add_loop(struct board_chain *made, const chain_point *walk)
{
    const chain_point *tree = made->elements[walk[0]];
    chain_point *loop = made->loop_rows[made->plan.move_count];
    chain_point back[BOARD_CELLS_MOST] = {0}; // the inverse of the tree's walk
    for (unsigned x = 0; x < made->cells; x++) {
        back[tree[x]] = (chain_point)x;
    }
    for (unsigned x = 0; x < made->cells; x++) {
        loop[x] = back[walk[x]];
        if (loop[x] != x) {
            made->is_line = false;
        }
    }
    made->loops[made->plan.move_count++] = loop;
}

// Leaves the two last tiles out of the plan, because they follow from the others. Adds their
// exchange to the loops, so that either order of them is in the group. This doubles its order.
static void leave_out_last_two(struct board_chain *made)
{
    chain_point *exchange = made->loop_rows[made->plan.move_count];
    memcpy(exchange, made->points, sizeof made->points);
    exchange[made->cells - 2] = (chain_point)(made->cells - 1);
    exchange[made->cells - 1] = (chain_point)(made->cells - 2);
    made->loops[made->plan.move_count++] = exchange;
    made->plan.thing_count -= 2;
    made->plan.bound *= 2;
}

// Finds a walk of the blank from home to each point (`tree`, `elements`), by a breadth-first
// search of steps by one cell. A step that comes to a point again closes a loop.
static void fill_tree(struct board_chain *made, const struct board *board, unsigned move_count)
{
    unsigned queue[BOARD_CELLS_MOST] = {0}; // points of the blank; the first is home
    unsigned count = 1;
    made->elements[0] = made->points; // the empty walk
    for (unsigned i = 0; i < count; i++) {
        const chain_point *walk_before = made->elements[queue[i]];
        for (unsigned m = 0; m < move_count; m++) {
            const chain_point *step = made->steps[queue[i] * move_count + m];
            chain_point walk[BOARD_CELLS_MOST] = {0};
            if (!step || board->length[m] > 1) {
                continue;
            }
            for (unsigned x = 0; x < made->cells; x++) {
                walk[x] = step[walk_before[x]];
            }
            if (made->elements[walk[0]]) {
                add_loop(made, walk);
                continue;
            }
            queue[count++] = walk[0];
            memcpy(made->tree[walk[0]], walk, sizeof walk);
            made->elements[walk[0]] = made->tree[walk[0]];
        }
    }
}

// An upper bound for the order of the group of the loops: (cells-1)!/2, the number of even
// permutations of the tiles. A loop has an even number of moves, and each is an exchange of two.
static long double bound_order(unsigned cells)
{
    long double order = 1;
    for (unsigned i = 3; i < cells; i++) {
        order *= i;
    }
    return order;
}

// First finds the loops, which fill_tree counts in made->plan, and then fills in the rest of the
// plan. What the plan points to lies in *made, or belongs to it.
bool board_chain_make(struct board_chain *made, const struct board *board, unsigned move_count,
                      unsigned home, const uint8_t *alike, bool reversed)
{
    unsigned cells = board->grid.cells;
    *made = (struct board_chain){.cells = cells, .is_line = true};
    made->step_rows = calloc((size_t)cells * move_count, sizeof *made->step_rows);
    made->steps = calloc((size_t)cells * move_count, sizeof *made->steps);
    if (!made->step_rows || !made->steps) {
        return false;
    }
    number_cells(made, home, alike, reversed);
    make_things(made, alike);
    fill_steps(made, board, move_count);
    fill_tree(made, board, move_count);
    made->plan = (struct chain_plan){.degree = cells,
                                     .moves = made->loops,
                                     .move_count = made->plan.move_count,
                                     .things = made->things,
                                     .thing_count = made->thing_count,
                                     .others = made->points,
                                     .other_count = cells,
                                     .bound = bound_order(cells),
                                     .first_elements = made->elements,
                                     .first_count = cells,
                                     .steps = made->steps,
                                     .step_count = move_count};
    if (!made->is_line && !alike) {
        leave_out_last_two(made);
    }
    return true;
}

void board_chain_free(struct board_chain *made)
{
    free(made->step_rows);
    free(made->steps);
}
