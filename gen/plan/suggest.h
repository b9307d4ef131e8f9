// Proposes pattern databases for a puzzle that is too large for a table.
#ifndef FEWEST_GEN_PLAN_SUGGEST_H
#define FEWEST_GEN_PLAN_SUGGEST_H

#include "plan.h"

struct suggest_request {
    struct plan *plan; // that has begun, without pattern databases
    uint64_t memory;   // limit in bytes
    const struct search_options *options;
};

// Prints `Database` lines that can be appended to the definition. Before each, a comment tells its
// cost, and the last line is a comment with the cost of all. Making the table takes no more than
// the limit, and nor do its unpacked entries. Fails with FEWEST_BEYOND if no pattern database fits,
// with the parser's error if the puzzle can't have any, with FEWEST_SYSTEM and FEWEST_STOPPED.
bool suggest_databases(const struct suggest_request *request, struct fewest_error *error);

#endif
