// Decides by parity which arrangements of a sliding board can be reached.
#include "grid.h"

#include "tables/puzzle/rules.h"

#include <stdio.h>
#include <string.h>

// A board is a line if at least two of its three sizes are 1.
bool grid_is_line(const struct grid *grid)
{
    int ones = (grid->size[0] == 1) + (grid->size[1] == 1) + (grid->size[2] == 1);
    return ones >= 2;
}

uint32_t grid_distance(const struct grid *grid, uint32_t a, uint32_t b)
{
    uint32_t distance = 0;
    for (unsigned axis = 0; axis < AXES; axis++) {
        uint32_t from = a % grid->size[axis];
        uint32_t to = b % grid->size[axis];
        distance += from > to ? from - to : to - from;
        a /= grid->size[axis];
        b /= grid->size[axis];
    }
    return distance;
}

// Returns the cell of the blank, 0, in a filled row.
static uint32_t find_blank(uint32_t cells, const uint16_t *row)
{
    uint32_t blank = 0;
    for (uint32_t cell = 0; cell < cells && row[blank] != 0; cell++) {
        blank = cell;
    }
    return blank;
}

// ---- A line of cells ----------------------------------------------------------------------------

// Does a cell of the target allow this number?
static bool allows_number(uint16_t target_cell, uint16_t number)
{
    return target_cell == GRID_WILD || target_cell == number;
}

// Does the target of a line allow the tiles in the order of the start, with the blank anywhere
// among them? First finds the last cell where the blank can be, so that the cells before it allow
// the first tiles. Then checks the other tiles. An earlier blank would leave more tiles to check.
static bool allows_order(uint32_t cells, const uint16_t *start, const uint16_t *target)
{
    uint32_t from = find_blank(cells, start);
    uint32_t blank = cells;
    for (uint32_t cell = 0; cell < cells; cell++) {
        uint32_t source = cell < from ? cell : cell + 1; // where the start has the tile
        if (allows_number(target[cell], 0)) {
            blank = cell;
        }
        if (source == cells || !allows_number(target[cell], start[source])) {
            break;
        }
    }
    for (uint32_t cell = blank + 1; cell < cells; cell++) {
        uint32_t source = cell <= from ? cell - 1 : cell; // of the tile after the blank
        if (!allows_number(target[cell], start[source])) {
            return false;
        }
    }
    return blank < cells;
}

// ---- Any other board ----------------------------------------------------------------------------

// A target whose wildcards are filled.
struct filled_target {
    uint16_t cells[CELLS_MOST];
    uint32_t wild_count;
    uint32_t wild[2]; // the cells of the wildcards, if there are two
};

// Fills the wildcards of a target with the missing numbers, in rising order.
static void fill_target(uint32_t cells, const uint16_t *target, struct filled_target *filled)
{
    bool given[CELLS_MOST]; // by number
    uint16_t missing = 0;
    memset(given, 0, cells * sizeof *given);
    for (uint32_t cell = 0; cell < cells; cell++) {
        if (target[cell] != GRID_WILD) {
            given[target[cell]] = true;
        }
    }
    filled->wild_count = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        filled->cells[cell] = target[cell];
        if (target[cell] == GRID_WILD) {
            while (given[missing]) {
                missing++;
            }
            filled->cells[cell] = missing++;
            filled->wild[filled->wild_count++ % 2] = cell; // there is room for two
        }
    }
}

// Is the permutation from the start to the target odd? Counts the exchanges that turn the target
// into the start, and makes them, so the target is overwritten.
static bool is_odd(uint32_t cells, const uint16_t *start, uint16_t *target)
{
    uint16_t home[CELLS_MOST]; // by number: its cell in the start
    bool odd = false;
    for (uint32_t cell = 0; cell < cells; cell++) {
        home[start[cell]] = (uint16_t)cell;
    }
    for (uint32_t cell = 0; cell < cells; cell++) {
        while (home[target[cell]] != cell) { // bring the number home that is here
            uint16_t number = target[cell];
            target[cell] = target[home[number]];
            target[home[number]] = number;
            odd = !odd;
        }
    }
    return odd;
}

// Fills the wildcards in one way, and compares two parities: that of the permutation and that of
// the blank's distance. Two wildcards can also be filled the other way round, which changes the
// first parity. It also changes the second one if the blank fills one of them and an odd number of
// moves lies between them. With more than two wildcards, two can be filled with tiles.
bool grid_parity(const struct grid *grid, const uint16_t *start, const uint16_t *target,
                 char reason[REASON_SIZE])
{
    struct filled_target filled;
    if (grid_is_line(grid)) {
        bool same = allows_order(grid->cells, start, target);
        snprintf(reason, REASON_SIZE,
                 "on a line the order of the tiles never changes, and START and TARGET have %s",
                 same ? "the same order" : "different orders");
        return same;
    }
    fill_target(grid->cells, target, &filled);
    uint32_t from = find_blank(grid->cells, start);
    uint32_t blank = find_blank(grid->cells, filled.cells);
    bool odd_distance = grid_distance(grid, from, blank) % 2 == 1;
    bool odd = is_odd(grid->cells, start, filled.cells);
    if (filled.wild_count < 2) {
        snprintf(reason, REASON_SIZE,
                 "the permutation of the cells is %s, and the blank is an %s number of moves from "
                 "its target",
                 odd ? "odd" : "even", odd_distance ? "odd" : "even");
        return odd == odd_distance;
    }
    if (filled.wild_count > 2 || target[blank] != GRID_WILD ||
        grid_distance(grid, filled.wild[0], filled.wild[1]) % 2 == 0) {
        snprintf(reason, REASON_SIZE, "with %u wildcards either parity is possible",
                 filled.wild_count);
        return true;
    }
    snprintf(reason, REASON_SIZE,
             "however the 2 wildcards are filled, the permutation of the cells and the number of "
             "the blank's moves have %s",
             odd == odd_distance ? "the same parity" : "different parities");
    return odd == odd_distance;
}
