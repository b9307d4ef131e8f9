// Answers as JSON objects, a line each, for other programs.
#ifndef FEWEST_QUERY_JSON_H
#define FEWEST_QUERY_JSON_H

#include "commands.h"

// {"puzzle": …, "start": …, "target": …, …}: target is null where the goals are asked about. steps
// is null where the target can't be reached.
print_answer json_steps;  // "steps"
print_answer json_path;   // "steps" and "moves"
print_answer json_parity; // "reachable" and "reason"

// "farthest": a state, or null where too many would be looked through.
void json_stats(const struct fewest *table, const struct fewest_stats *stats, const char *farthest,
                FILE *out);

#endif
