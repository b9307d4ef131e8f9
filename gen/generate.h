// Makes the bytes of a puzzle's table file.
#ifndef FEWEST_GEN_GENERATE_H
#define FEWEST_GEN_GENERATE_H

#include "gen/layers/scratch.h"
#include "gen/plan/plan.h"

// Makes the table of a plan that has its costs (plan_costs), and writes its bytes to the output.
// The bytes depend only on the text, the metric and the version of zlib.
bool generate_table(const struct plan *plan, const struct search_options *options,
                    const struct output *output, struct fewest_error *error);

#endif
