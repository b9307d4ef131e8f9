// The family of sliding puzzles: tiles and a blank on a board of rows, columns and layers.
#ifndef FEWEST_TABLES_SLIDING_H
#define FEWEST_TABLES_SLIDING_H

#include "puzzle/puzzle.h"

extern const struct family SLIDING_FAMILY;

// Fills a puzzle that holds only its name and metric. On failure the caller frees what is there.
bool sliding_compile(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error);

// Can the target be reached, and why (GRID_REASON bytes)? What is known of boards of any size says so.
bool sliding_parity(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, bool *reachable,
                    char *reason, struct fewest_error *error);

// Shared by searched boards (pattern_databases.h) and tabulated ones: the cells of a state, and the
// effect of a move.
bool sliding_add_segment(struct puzzle *puzzle);
bool sliding_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to);

#endif
