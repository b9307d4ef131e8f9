// Prints the counts of states at each distance (--count).
#ifndef FEWEST_GEN_COMMAND_COUNTS_H
#define FEWEST_GEN_COMMAND_COUNTS_H

#include "command.h"
#include "gen/fewest_gen.h"

// Prints the counts of the puzzle `name` on stdout: as a table or, if the request asks for it, as
// JSON or tab-separated values.
void counts_print(const struct make_request *request, const char *name,
                  const struct fewest_gen_counts *counts);

#endif
