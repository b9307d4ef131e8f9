// The plan of a table: its puzzle, the numbers of its wildcard targets, and its costs. Every table
// is made from a plan, so no table lacks its wildcard sections.
#ifndef FEWEST_GEN_PLAN_H
#define FEWEST_GEN_PLAN_H

#include "forecast.h"
#include "gen/layers/options.h"
#include "tables/puzzle/puzzle.h"

struct plan {
    const char *text; // of the definition
    size_t length;
    struct puzzle puzzle;
    char states[STATE_COUNT_SIZE]; // puzzle_write_state_count
    struct forecast forecast;
    enum fewest_gen_fault fault; // what the error is about, if a function of a plan fails
};

// Compiles the definition, whose text must stay. Warns the watcher of moves that were taken for
// rotations. The caller calls plan_free in any case.
bool plan_begin(struct plan *plan, const char *text, size_t length, enum metric metric,
                const struct search_options *options, struct fewest_error *error);
void plan_free(struct plan *plan);

// Fails if there are more than `most` states, or if their number is not known.
bool plan_check_states(struct plan *plan, uint64_t most, struct fewest_error *error);

// Numbers the wildcard targets, and forecasts what `ranks` ranks with the threads of these options
// need. Fails if the puzzle is too large for a table.
bool plan_costs(struct plan *plan, const struct search_options *options, unsigned ranks,
                struct fewest_error *error);

// Is there enough memory? Fails as forecast_check_memory does, and says what may help.
bool plan_check_memory(struct plan *plan, uint64_t limit, struct fewest_error *error);

// Tells the watcher what is planned, and which pattern databases share a section.
void plan_tell(const struct plan *plan, const struct search_options *options);

#endif
