// Decides the parity of a sliding board of any size, from text and without a table.
#include "query/table.h"
#include "tables/puzzle/board/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Does what grid_read_cells does, with room for one state or two. Skips a first line with the size
// of the grid, unless with it the number of cells is that of one state or of all.
static bool read_cells(const struct grid *grid, const struct grid_text *typed, uint32_t *cells,
                       uint32_t room, uint32_t *count, struct fewest_error *error)
{
    struct grid_text rest = *typed;
    bool has_size = grid_skip_size(grid, &rest);
    bool is_read = grid_read_cells(grid, typed, cells, room, count, error);
    if (!has_size || (is_read && (*count == grid->cells || *count == room))) {
        return is_read;
    }
    return grid_read_cells(grid, &rest, cells, room, count, error);
}

// Reads the text of one state into `cells`, which has room for the cells of the grid.
static bool read_state(const struct grid *grid, const struct grid_text *typed, uint32_t *cells,
                       struct fewest_error *error)
{
    uint32_t count;
    if (!read_cells(grid, typed, cells, grid->cells, &count, error)) {
        return false;
    }
    return count == grid->cells ||
           error_set(error, FEWEST_BAD_INPUT, "%s: expected %u cells, got %u", typed->what,
                     grid->cells, count);
}

// Reads a text with START and perhaps TARGET. `start` has room for both, one after the other. The
// default of TARGET is the tiles in order and the blank last.
static bool read_start_and_target(const struct grid *grid, const struct grid_text *typed,
                                  uint32_t *start, struct fewest_error *error)
{
    uint32_t *target = start + grid->cells;
    uint32_t count;
    if (!read_cells(grid, typed, start, 2 * grid->cells, &count, error)) {
        return false;
    }
    if (count != grid->cells && count != 2 * grid->cells) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "expected %u cells (START) or %u (START and TARGET), got %u", grid->cells,
                         2 * grid->cells, count);
    }
    if (count == grid->cells) {
        for (uint32_t i = 0; i < grid->cells; i++) {
            target[i] = (i + 1) % grid->cells;
        }
    }
    return true;
}

// Reads the states of a query: START into the first half of `cells`, TARGET into the second.
static bool read_states(const struct grid *grid, const struct fewest_grid_query *query,
                        uint32_t *cells, struct fewest_error *error)
{
    struct grid_text start = {query->start, query->start_length, "START", false};
    struct grid_text target = {query->target, query->target_length, "TARGET", true};
    if (!query->target) {
        return read_start_and_target(grid, &start, cells, error);
    }
    return read_state(grid, &start, cells, error) &&
           read_state(grid, &target, cells + grid->cells, error);
}

bool fewest_grid_parity(const struct fewest_grid_query *query, struct fewest_parity *parity,
                        struct fewest_error *error)
{
    struct grid grid;
    if (!grid_read(query->grid, &grid, error)) {
        return false;
    }
    uint32_t *cells = malloc(2 * (size_t)grid.cells * sizeof *cells);
    if (!cells) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory");
    }
    uint32_t *target = cells + grid.cells;
    bool valid = read_states(&grid, query, cells, error) &&
                 grid_check(&grid, cells, "START", false, error) &&
                 grid_check(&grid, target, "TARGET", true, error);
    bool done =
        valid && grid_parity(&grid, cells, target, &parity->reachable, parity->reason, error);
    free(cells);
    return done;
}
