// Estimates the time and memory for a table before it is made.
#ifndef FEWEST_GEN_FORECAST_H
#define FEWEST_GEN_FORECAST_H

#include "puzzle/puzzle.h"
#include "search.h"

struct forecast {
    uint64_t states; // of all roots, or entries of all databases
    unsigned roots;  // how many searches find the states
    unsigned databases;
    uint64_t memory; // bytes, at the peak
    uint64_t disk;   // bytes, at most: of the table, and of what is written beside it meanwhile
    double seconds;  // roughly, with one thread: it does not measure this machine
};

// With a checkpoint a search takes a bit a state more.
struct forecast forecast_costs(const struct puzzle *puzzle, const struct search_options *options,
                               uint64_t definition_length, bool with_checkpoint);

// Does the table need no more memory than `limit` bytes (0: no limit; else FEWEST_BEYOND) and than
// this machine has available (else FEWEST_SYSTEM)?
bool forecast_check_memory(const struct forecast *forecast, const struct puzzle *puzzle,
                           uint64_t limit, struct fewest_error *error);

enum { FORECAST_SIZE = 32 };

// Writes a number of bytes for people: "252 MiB". Returns `text`.
char *forecast_write_size(uint64_t bytes, char text[FORECAST_SIZE]);

#endif
