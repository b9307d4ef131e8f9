// Answers in the format of a judge problem.
#ifndef FEWEST_QUERY_COMMAND_LINES_JUDGE_H
#define FEWEST_QUERY_COMMAND_LINES_JUDGE_H

#include "input.h"
#include "query/fewest.h"
#include "tables/program/command_line.h"

// Tests call these: answers an open input as a known problem. judge_problem returns the name of a
// problem by its number, and fills in its puzzle; NULL after the last problem.
enum exit_status judge_answer(const char *problem, struct fewest *table, struct input *input);
const char *judge_problem(unsigned number, const char **puzzle);

#endif
