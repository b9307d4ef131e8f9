// Generates pattern databases: for every arrangement of a few tiles the least moves of these tiles
// to their homes.
#ifndef FEWEST_GEN_DATABASE_H
#define FEWEST_GEN_DATABASE_H

#include "search.h"

// Fills excess[0 … entries-1] of one of the puzzle's databases (pattern_databases.h); UNREACHED
// where no moves lead. Takes three bytes of memory for each entry while it searches, two while it
// writes them down. The bytes do not depend on the number of threads. Fails with FEWEST_SYSTEM
// without memory.
bool database_excess(const struct puzzle *puzzle, unsigned number,
                     const struct search_options *options, uint8_t *excess,
                     struct fewest_error *error);

// How much memory that takes meanwhile, in bytes.
uint64_t database_memory(const struct puzzle *puzzle, unsigned number);

#endif
