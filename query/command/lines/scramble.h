// Scrambles, as --moves reads them: moves, or a block of twsearch and ksolve. `ScrambleAlg NAME` is
// followed by moves, `Scramble NAME` by the rows of the sets, as in `Solved`. Both end with `End`.
#ifndef FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H
#define FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H

#include "query/fewest.h"

// Fills in the state that moves lead to from `from` (NULL: the solved state), or that a block
// gives.
bool scramble_read(const struct fewest *table, const uint8_t *from, const char *text, size_t length,
                   uint8_t *state, struct fewest_error *error);

// Has this line only a comment?
bool scramble_is_comment(const char *line, size_t length);

// Passes one line of a text: returns where the next one begins, or `end`. *inside tells whether the
// line begins inside a block, and becomes whether it ends inside one.
const char *scramble_pass_line(const char *line, const char *end, bool *inside);

#endif
