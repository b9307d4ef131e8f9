// Answers in the format of a judge problem.
#ifndef FEWEST_QUERY_COMMAND_LINES_JUDGE_H
#define FEWEST_QUERY_COMMAND_LINES_JUDGE_H

#include "query/command/request/command.h"
#include "query/fewest.h"

// Answers the file of the request as its problem, which is known, with the table of the problem.
enum exit_status judge_answer(const struct request *request, struct fewest *table);

#endif
