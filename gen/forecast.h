// What a table will cost, before it is made.
#ifndef FEWEST_GEN_FORECAST_H
#define FEWEST_GEN_FORECAST_H

#include "puzzle.h"
#include "search.h"

struct forecast {
    uint64_t states; // of all roots, or entries of all databases
    uint64_t memory; // bytes, at the peak
    uint64_t disk;   // bytes, at most: of the table, and of what is written beside it meanwhile
};

// With a checkpoint a search takes a bit a state more.
struct forecast forecast_costs(const struct puzzle *puzzle, const struct search_options *options,
                               uint64_t definition_length, bool with_checkpoint);

// About how many seconds it will take, from a short sample of the search; below 0 where none can be taken.
double forecast_seconds(const struct puzzle *puzzle, const struct search_options *options);

// Is there so much memory, in `limit` bytes (0: no limit) and in this machine? FAULT_BOUND or FAULT_SYSTEM.
bool forecast_check_memory(const struct forecast *forecast, const struct puzzle *puzzle, uint64_t limit,
                           struct fault *fault);

enum { FORECAST_SIZE = 32 };

// Writes a number of bytes for people: "252 MiB". Returns `text`.
char *forecast_write_size(uint64_t bytes, char text[FORECAST_SIZE]);

#endif
