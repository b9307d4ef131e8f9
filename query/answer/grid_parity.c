// Decides the parity of a sliding board of any size, from text and without a table.
#include "query/table.h"
#include "tables/puzzle/board/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_state(const struct grid *grid, const struct grid_text *typed, uint32_t *cells,
                       struct fewest_error *error)
{
    uint32_t count;
    if (!grid_read_cells(grid, typed, cells, grid->cells, &count, error)) {
        return false;
    }
    return count == grid->cells ||
           error_set(error, FEWEST_BAD_INPUT, "%s: expected %u cells, got %u", typed->what,
                     grid->cells, count);
}

// Reads a START and an optional TARGET: by default, the tiles in order and the blank last.
static bool read_case(const struct grid *grid, const struct grid_text *typed, uint32_t *start,
                      struct fewest_error *error)
{
    uint32_t *target = start + grid->cells;
    uint32_t count;
    if (!grid_read_cells(grid, typed, start, 2 * grid->cells, &count, error)) {
        return false;
    }
    if (count != grid->cells && count != 2 * grid->cells) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "expected %u cells (START) or %u (START and TARGET), got %u", grid->cells,
                         2 * grid->cells, count);
    }
    for (uint32_t i = 0; i < grid->cells && count == grid->cells; i++) {
        target[i] = (i + 1) % grid->cells;
    }
    return true;
}

bool fewest_grid_parity(const struct fewest_grid_query *query, struct fewest_parity *parity,
                        struct fewest_error *error)
{
    struct grid grid;
    if (!grid_read(query->grid, &grid, error)) {
        return false;
    }
    struct grid_text start = {query->start, query->start_length, "START", false};
    struct grid_text target = {query->target, query->target_length, "TARGET", true};
    uint32_t *cells = malloc(2 * (size_t)grid.cells * sizeof *cells);
    bool done = cells || error_set(error, FEWEST_SYSTEM, "not enough memory");
    done = done && (query->target ? read_state(&grid, &start, cells, error) &&
                                        read_state(&grid, &target, cells + grid.cells, error)
                                  : read_case(&grid, &start, cells, error));
    done = done && grid_check(&grid, cells, "START", false, error) &&
           grid_check(&grid, cells + grid.cells, "TARGET", true, error) &&
           grid_parity(&grid, cells, cells + grid.cells, &parity->reachable, parity->reason, error);
    free(cells);
    return done;
}
