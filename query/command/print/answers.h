// The answers of the commands steps, path and parity.
#ifndef FEWEST_QUERY_COMMAND_PRINT_ANSWERS_H
#define FEWEST_QUERY_COMMAND_PRINT_ANSWERS_H

#include "print.h"

print_answer print_steps;
print_answer print_moves;
print_answer print_paths;      // all that the query wants, a line each; in a batch after the line
                               // number and a tab
print_answer print_path_count; // the number of shortest paths
print_answer print_parity;
print_answer print_scramble; // a shortest sequence that makes the start of the query
void print_parity_line(const struct fewest_parity *parity, FILE *out);
// Prints the line number of a query in a batch, and a tab.
void print_line_number(uint64_t line, FILE *out);

#endif
