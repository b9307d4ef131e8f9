// Tells what a count would cost (--dry-run).
#ifndef FEWEST_GEN_COUNT_H
#define FEWEST_GEN_COUNT_H

#include "fewest_gen.h"
#include "gen/plan/plan.h"

struct count_costs {
    struct plan plan;    // with the forecast; the caller frees it with plan_free in any case
    unsigned symmetries; // as in struct fewest_gen_counts
    unsigned rotations;
};

// Computes the costs of fewest_gen_count on each of `ranks` ranks. Fails if they are too high, or
// if the puzzle can't be counted. Even then, costs->plan is filled in as far as it is known.
bool count_plan(const char *definition, size_t length, const struct fewest_gen_options *options,
                unsigned ranks, struct count_costs *costs, struct fewest_error *error);

#endif
