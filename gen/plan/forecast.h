// Estimates the memory, disk space and time for a table before it is made.
#ifndef FEWEST_GEN_PLAN_FORECAST_H
#define FEWEST_GEN_PLAN_FORECAST_H

#include "gen/layers/size.h"
#include "gen/search/breadth_first.h"
#include "tables/puzzle/puzzle.h"

// With several ranks, memory is that of the rank which needs most of it, and disk that of all.
struct forecast {
    const char *what; // for messages: what has these costs, as in "making the table"
    uint64_t entries; // of all roots, or of all databases
    unsigned roots;   // number of searches that find the states
    unsigned databases;
    const struct puzzle *unfit; // the first projection that has no pages (stripes.h); or NULL
    uint64_t memory;            // bytes, at the peak
    uint64_t waiting;           // of these: the entries that wait for packing
    uint64_t table;             // bytes on the disk at most: before compression
    uint64_t layers;            // bytes on the disk at most, beside the table
    uint64_t layers_least;      // bytes
    uint64_t sent;              // bytes, by all ranks together in a layer of a search
    double seconds;             // rough, for one thread
};

// What `ranks` ranks with the threads of these options need. Counts the wildcard targets that have
// numbers (wildcards.h).
struct forecast forecast_costs(const struct puzzle *puzzle, const struct search_options *options,
                               unsigned ranks, uint64_t definition_length);

// Forecasts the costs of a count (search_counts) in the same way. Fails if memory runs out.
bool forecast_count(struct forecast *forecast, const struct state_count *count,
                    const struct search_options *options, unsigned ranks,
                    struct fewest_error *error);

// Is there enough memory? Fails with FEWEST_BEYOND if more than `limit` bytes are needed (0: no
// limit), and with FEWEST_SYSTEM if this machine has less available.
bool forecast_check_memory(const struct forecast *forecast, const struct puzzle *puzzle,
                           uint64_t limit, struct fewest_error *error);

// Is there enough disk in the folder of the options, and for their checkpoint? Fails with
// FEWEST_SYSTEM if the least that is needed is more than what is free, and warns if the most is.
bool forecast_check_disk(const struct forecast *forecast, const struct puzzle *puzzle,
                         const struct search_options *options, struct fewest_error *error);

// The memory that this machine has available for the program, in bytes.
uint64_t forecast_available(void);

#endif
