// Generates pattern databases: the least number of moves of a few tiles to their homes, for every
// arrangement of them.
#ifndef FEWEST_GEN_SEARCH_TILE_DATABASE_H
#define FEWEST_GEN_SEARCH_TILE_DATABASE_H

#include "breadth_first.h"

// Fills excess[0 … entries-1] of database `number` of the puzzle (tile_databases.h). An entry is
// UNREACHED if no moves lead to its arrangement, or if the table does not keep so large an excess.
// The search takes three bytes of memory for each entry, and the writing two. The bytes do not
// depend on the number of threads. Fails with FEWEST_SYSTEM if memory runs out.
bool database_excess(const struct puzzle *puzzle, unsigned number,
                     const struct search_options *options, uint8_t *excess,
                     struct fewest_error *error);

// The memory that database_excess takes for its search, in bytes.
uint64_t database_memory(const struct puzzle *puzzle, unsigned number);

#endif
