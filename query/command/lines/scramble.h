// Lines of moves, and the scrambles of twsearch and ksolve among them.
#ifndef FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H
#define FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H

#include "lines.h"
#include "query/command/input.h"

// Has this line only a comment?
bool scramble_is_comment(const char *line, size_t length);

// A job's `read`: adds a line, and then the others that have been read from the input, unless
// `one` says to stop. A scramble of several lines becomes one line, with vertical tabs, which the
// reader of moves takes for line ends. Then follows a comment for each of its other lines, so that
// line numbers stay.
bool scramble_read_lines(struct input *input, bool one, struct lines *lines);

#endif
