// Generates pattern databases: the least number of moves of a few tiles to their homes, for every
// arrangement of them.
#ifndef FEWEST_GEN_SEARCH_TILE_DATABASE_H
#define FEWEST_GEN_SEARCH_TILE_DATABASE_H

#include "breadth_first.h"

// Fills excess[0 … entries-1] of one of the puzzle's databases (tile_databases.h). An entry is
// UNREACHED if no moves lead to it. The search takes three bytes of memory for each entry, and the
// writing two. The bytes do not depend on the number of threads. Fails with FEWEST_SYSTEM without
// memory.
bool database_excess(const struct puzzle *puzzle, unsigned number,
                     const struct search_options *options, uint8_t *excess,
                     struct fewest_error *error);

// The memory that the search takes, in bytes.
uint64_t database_memory(const struct puzzle *puzzle, unsigned number);

#endif
