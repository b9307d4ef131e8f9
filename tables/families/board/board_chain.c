// Makes the plan of a board with one blank.
#include "board_chain.h"

#include <string.h>

// Numbers the cells as points: the blank's home is point 0, and the others follow in their order
// or, `reversed`, in the opposite one.
static void number_cells(struct board_chain *made, unsigned home, bool reversed)
{
    for (unsigned cell = 0; cell < made->cells; cell++) {
        unsigned point = cell < home ? cell + 1 : cell;
        if (reversed) {
            point = made->cells - point;
        }
        if (cell == home) {
            point = 0;
        }
        made->point_of[cell] = (chain_point)point;
        made->cell_of[point] = (uint8_t)cell;
        made->points[cell] = (chain_point)cell;
        made->things[cell] = (struct chain_thing){.size = 1, .points = &made->points[cell]};
    }
}

// Fills in what each move does with the blank at each point: it exchanges the blank's point and the
// point where the blank goes. A step that can't be made stays NULL.
static void fill_steps(struct board_chain *made, const struct board *board, unsigned move_count)
{
    for (unsigned blank = 0; blank < made->cells; blank++) {
        for (unsigned m = 0; m < move_count; m++) {
            unsigned next_cell = board->to[m][made->cell_of[blank]];
            if (next_cell == NOWHERE) {
                continue;
            }
            unsigned next = made->point_of[next_cell];
            chain_point *row = made->exchange[blank * move_count + m];
            memcpy(row, made->points, sizeof made->points); // the identity
            row[blank] = (chain_point)next;
            row[next] = (chain_point)blank;
            made->steps[blank * move_count + m] = row;
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
// search. A step that comes to a point again closes a loop.
static void fill_tree(struct board_chain *made, unsigned move_count)
{
    unsigned queue[BOARD_CELLS_MOST] = {0}; // points of the blank; the first is home
    unsigned count = 1;
    made->elements[0] = made->points; // the empty walk
    for (unsigned i = 0; i < count; i++) {
        const chain_point *walk_before = made->elements[queue[i]];
        for (unsigned m = 0; m < move_count; m++) {
            const chain_point *step = made->steps[queue[i] * move_count + m];
            chain_point walk[BOARD_CELLS_MOST] = {0};
            if (!step) {
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
// plan. Everything that the plan points to lies in *made.
void board_chain_make(struct board_chain *made, const struct board *board, unsigned cells,
                      unsigned move_count, unsigned home, bool reversed)
{
    *made = (struct board_chain){.cells = cells, .is_line = true};
    number_cells(made, home, reversed);
    fill_steps(made, board, move_count);
    fill_tree(made, move_count);
    made->plan = (struct chain_plan){.degree = cells,
                                     .moves = made->loops,
                                     .move_count = made->plan.move_count,
                                     .things = made->things,
                                     .thing_count = cells,
                                     .others = made->points,
                                     .other_count = cells,
                                     .bound = bound_order(cells),
                                     .first_elements = made->elements,
                                     .first_count = cells,
                                     .steps = made->steps,
                                     .step_count = move_count};
    if (!made->is_line) {
        leave_out_last_two(made);
    }
}
