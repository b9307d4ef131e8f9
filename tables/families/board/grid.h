// Decides, for sliding boards of at most CELLS_MOST cells and without a table, whether START can
// reach TARGET.
//
// Each move of the blank exchanges two cells. So the permutation from start to target, blank
// included, is even exactly if the number of moves is even. This number has the parity of the
// blank's Manhattan distance. On every board but a line of cells no other condition is needed
// (W. W. Johnson and W. E. Story, "Notes on the 15 puzzle", 1879; R. M. Wilson, "Graph puzzles,
// homotopy, and the alternating group", 1974). On a line the order of the tiles never changes.
#ifndef FEWEST_TABLES_FAMILIES_BOARD_GRID_H
#define FEWEST_TABLES_FAMILIES_BOARD_GRID_H

#include "tables/puzzle/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    AXES = 3,
    GRID_WILD = UINT16_MAX,
};

struct grid {
    uint32_t size[AXES]; // columns, rows, layers
    uint32_t cells;      // their product, read layer by layer
};

// Are all cells in one line? Then the order of the tiles never changes.
bool grid_is_line(const struct grid *grid);

// How far apart two cells are, in moves of the blank.
uint32_t grid_distance(const struct grid *grid, uint32_t a, uint32_t b);

// Can the start reach the target? Writes the reason. The start has each number from 0, the blank,
// to grid->cells-1 once. The target has none twice, and may have GRID_WILD. The time is
// proportional to the number of cells.
bool grid_parity(const struct grid *grid, const uint16_t *start, const uint16_t *target,
                 char reason[REASON_SIZE]);

#endif
