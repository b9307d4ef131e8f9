// Asks the library one query, which may search for long.
#ifndef FEWEST_QUERY_COMMAND_ASK_H
#define FEWEST_QUERY_COMMAND_ASK_H

#include "query/command/print/print.h"

// Each function asks what its name says, hides the line about a search, and fills in whether the
// target can be reached. Returns false with the library's error.
bool ask_steps(struct fewest *table, const struct query *query, int *steps, bool *reachable,
               struct fewest_error *error);
bool ask_path(struct fewest *table, const struct query *query, struct fewest_path *path,
              bool *reachable, struct fewest_error *error);
bool ask_scramble(struct fewest *table, const uint8_t *state, struct fewest_path *path,
                  bool *reachable, struct fewest_error *error);
bool ask_parity(struct fewest *table, const struct query *query, struct fewest_parity *parity,
                bool *reachable, struct fewest_error *error);

#endif
