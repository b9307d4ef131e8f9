// Scrambles, as --moves reads them: moves, or a block of twsearch and ksolve. `ScrambleAlg NAME` is
// followed by moves, `Scramble NAME` by the rows of the sets, as in `Solved`. Both end with `End`.
#ifndef FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H
#define FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H

#include "input.h"
#include "query/fewest.h"

// Fills in the state that moves lead to from `from` (NULL: the solved state), or that a block
// gives.
bool scramble_read(const struct fewest *table, const uint8_t *from, const char *text, size_t length,
                   uint8_t *state, struct fewest_error *error);

// Has this line only a comment?
bool scramble_is_comment(const char *line, size_t length);

// If the input begins with a block, reads it to its end and makes each block one line. The other
// lines of a block become comments, so that line numbers stay. Returns false if that fails; errno
// tells why.
bool scramble_join_blocks(struct input *input);

#endif
