// Answers as JSON objects, one a line, for other programs.
#ifndef FEWEST_QUERY_COMMAND_PRINT_JSON_H
#define FEWEST_QUERY_COMMAND_PRINT_JSON_H

#include "print.h"

// {"puzzle": …, "start": …, "target": …, …}: target is null if the query has none. steps is null if
// the target can't be reached.
print_answer json_steps;  // "steps"
print_answer json_path;   // "steps" and "moves"
print_answer json_parity; // "reachable" and "reason"

// `classes` is NULL without --symmetry. `farthest` is a state.
void json_stats(const struct fewest *table, const struct fewest_stats *stats,
                const struct fewest_classes *classes, const char *farthest, FILE *out);

#endif
