// Makes the plan of a board with one blank.
#include "board_chain.h"

#include <string.h>

static void number_cells(struct board_chain *made, unsigned home)
{
    made->cell_of[0] = (uint8_t)home;
    for (unsigned cell = 0; cell < made->cells; cell++) {
        unsigned point = cell == home ? 0 : cell + (cell < home);
        made->point_of[cell] = (chain_point)point;
        made->cell_of[point] = (uint8_t)cell;
        made->points[cell] = (chain_point)cell;
        made->things[cell] = (struct chain_thing){.size = 1, .points = &made->points[cell]};
    }
}

// A move exchanges the blank with a neighbour.
static void fill_steps(struct board_chain *made, const struct board *board, unsigned moves)
{
    for (unsigned at = 0; at < made->cells; at++) {
        for (unsigned m = 0; m < moves; m++) {
            chain_point *row = made->exchange[at * moves + m];
            unsigned to = board->to[m][made->cell_of[at]];
            if (to != NOWHERE) {
                memcpy(row, made->points, sizeof made->points);
                row[at] = made->point_of[to];
                row[made->point_of[to]] = (chain_point)at;
                made->steps[at * moves + m] = row;
            }
        }
    }
}

// Adds the loop of a walk: back along the tree to home.
static void add_loop(struct board_chain *made, const chain_point *walk)
{
    const chain_point *tree = made->elements[walk[0]];
    chain_point *loop = made->loop[made->plan.move_count];
    chain_point back[BOARD_CELLS_MOST] = {0};
    for (unsigned x = 0; x < made->cells; x++) {
        back[tree[x]] = (chain_point)x;
    }
    for (unsigned x = 0; x < made->cells; x++) {
        loop[x] = back[walk[x]];
        made->is_line = made->is_line && loop[x] == x;
    }
    made->loops[made->plan.move_count++] = loop;
}

static void leave_out_last_two(struct board_chain *made)
{
    chain_point *exchange = made->loop[made->plan.move_count];
    memcpy(exchange, made->points, sizeof made->points);
    exchange[made->cells - 2] = (chain_point)(made->cells - 1);
    exchange[made->cells - 1] = (chain_point)(made->cells - 2);
    made->loops[made->plan.move_count++] = exchange;
    made->plan.thing_count -= 2;
    made->plan.bound *= 2;
}

// Walks from home to all cells, and closes a loop where it comes to a cell again.
static void fill_tree(struct board_chain *made, unsigned moves)
{
    unsigned queue[BOARD_CELLS_MOST] = {0};
    unsigned count = 1;
    made->elements[0] = made->points;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned m = 0; m < moves; m++) {
            const chain_point *step = made->steps[queue[i] * moves + m];
            chain_point walk[BOARD_CELLS_MOST] = {0};
            if (!step) {
                continue;
            }
            for (unsigned x = 0; x < made->cells; x++) {
                walk[x] = step[made->elements[queue[i]][x]];
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

// The moves are exchanges, and a walk from home to home has an even number of them. So it is an
// even permutation of the tiles.
static long double bound_order(unsigned cells)
{
    long double order = 1;
    for (unsigned i = 3; i < cells; i++) {
        order *= i;
    }
    return order;
}

void board_chain_make(struct board_chain *made, const struct board *board, unsigned cells,
                      unsigned move_count, unsigned home)
{
    *made = (struct board_chain){.cells = cells, .is_line = true};
    number_cells(made, home);
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
