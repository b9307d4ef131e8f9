// Lines of moves, and the scrambles of twsearch and ksolve among them.
#ifndef FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H
#define FEWEST_QUERY_COMMAND_LINES_SCRAMBLE_H

#include "lines.h"
#include "query/command/request/input.h"

// Has this line only a comment?
bool scramble_is_comment(const char *line, size_t length);

// A job's `read`. Adds one line or, unless `one` is set, all lines that have been read from the
// input. A scramble of several lines is added as one line, with vertical tabs in place of its line
// ends; the reader of moves knows them. Then follows a comment for each of its other lines, so that
// the line numbers stay right.
bool scramble_read_lines(struct input *input, bool one, struct lines *lines);

#endif
