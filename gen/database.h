// Generates pattern databases: for every arrangement of a few tiles the least moves of these tiles to their homes.
#ifndef FEWEST_GEN_DATABASE_H
#define FEWEST_GEN_DATABASE_H

#include "search.h"

// Fills excess[0 … entries-1] of one of the puzzle's databases (tracked.h); UNREACHED where no moves lead. Takes three
// bytes of memory for each entry while it searches, two while it writes them down. The bytes do not depend on the
// number of threads. Fails with FAULT_SYSTEM without memory.
bool database_excess(const struct puzzle *puzzle, unsigned number, const struct search_options *options,
                     uint8_t *excess, struct fault *fault);

// How much memory that takes meanwhile, in bytes.
uint64_t database_memory(const struct puzzle *puzzle, unsigned number);

// How many seconds an entry takes one thread: from making the largest database or, of more than five tiles, one of its
// first five, which takes a tenth of a second. Below 0 without memory.
double database_sample(const struct puzzle *puzzle);

#endif
