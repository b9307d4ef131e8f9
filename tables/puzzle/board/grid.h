// Decides, for sliding boards of any size and without a table, whether START can reach TARGET.
//
// Each move of the blank exchanges two cells. So the permutation from start to target, blank
// included, is even exactly if the number of moves is even. This number has the parity of the
// blank's Manhattan distance. On every board but a line of cells no other condition is needed
// (W. W. Johnson and W. E. Story, "Notes on the 15 puzzle", 1879; R. M. Wilson, "Graph puzzles,
// homotopy, and the alternating group", 1974). On a line the order of the tiles never changes.
#ifndef FEWEST_TABLES_PUZZLE_BOARD_GRID_H
#define FEWEST_TABLES_PUZZLE_BOARD_GRID_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GRID_CELLS_MOST = 1 << 20,
    GRID_REASON = 160,
    AXES = 3,
};

static const uint32_t GRID_WILD = UINT32_MAX;

struct grid {
    uint32_t size[AXES]; // columns, rows, layers
    uint32_t cells;      // their product, read layer by layer
};

// Reads "4x4" or "3x3x3". A grid that is read has 1 to GRID_CELLS_MOST cells.
bool grid_read(const char *text, struct grid *grid, struct fewest_error *error);

// Text to read cells from. Messages call it `what`. If `wild` is true, they may offer `*`.
struct grid_text {
    const char *text;
    size_t length;
    const char *what;
    bool wild;
};

// Skips a first line with the size of the grid (signs.h). False if there is none.
bool grid_skip_size(const struct grid *grid, struct grid_text *typed);

// Reads numbers 0 … cells-1, a blank as 0, x, X, _ or `.`, and `*`, with the signs around them
// (signs.h). Separators may be left out if each number is one digit. Sets *count to the number of
// cells in the text, and stores at most `room` of them. Messages call the cells after a START a
// TARGET.
bool grid_read_cells(const struct grid *grid, const struct grid_text *typed, uint32_t *cells,
                     uint32_t room, uint32_t *count, struct fewest_error *error);

// Is this a state: no number twice, and wildcards only if `wild`? `cells` has grid->cells numbers
// below grid->cells, or GRID_WILD, as grid_read_cells reads them. Fails with FEWEST_BAD_INPUT if it
// is none, and with FEWEST_SYSTEM without memory. Messages call it `what`.
bool grid_check(const struct grid *grid, const uint32_t *cells, const char *what, bool wild,
                struct fewest_error *error);

// Are all cells in one line? Then the order of the tiles never changes.
bool grid_is_line(const struct grid *grid);

// How far apart two cells are, in moves of the blank.
uint32_t grid_distance(const struct grid *grid, uint32_t a, uint32_t b);

// Decides whether the start can reach the target, and gives the reason. Both are states
// (grid_check); the target may have wildcards. Time and memory are proportional to the number of
// cells. Returns false only if memory runs out.
bool grid_parity(const struct grid *grid, const uint32_t *start, const uint32_t *target,
                 bool *reachable, char reason[GRID_REASON], struct fewest_error *error);

#endif
