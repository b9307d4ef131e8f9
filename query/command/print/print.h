// Functions by which the commands print on stdout.
#ifndef FEWEST_QUERY_COMMAND_PRINT_PRINT_H
#define FEWEST_QUERY_COMMAND_PRINT_PRINT_H

#include "query/fewest.h"

#include <stdio.h>

// The rows of a query. The target stands for the nearest goal if it begins with FEWEST_GOALS.
struct query {
    const uint8_t *start;
    const uint8_t *target;
    unsigned more;       // if all paths are wanted: moves more than the least number
    uint64_t most_paths; // that are printed
    uint64_t line;       // of a batch, from 1; 0: the query is not from a batch
};

// Prints the answer to one query on `out`. Fills in whether the target can be reached.
typedef bool print_answer(struct fewest *table, const struct query *query, FILE *out,
                          bool *reachable, struct fewest_error *error);

// Gives stdout a buffer of this many bytes, unless it is a terminal. Call this before anything is
// printed.
enum { OUTPUT_BUFFER = 1 << 16 };
void enlarge_output_buffer(void);

// These are faster than fprintf and fputs, which matters in a batch. No other thread may
// write to `out`.
enum { DISTANCES_MOST = 16 };
void print_text(const char *text, FILE *out);
void print_number(uint64_t number, FILE *out);
// Prints up to DISTANCES_MOST distances, each on a line. FEWEST_UNREACHABLE becomes `unreachable`.
void print_distances(const int *steps, size_t count, FILE *out);
// Prints the names of `count` moves on one line, with spaces between them if `spaced`.
void print_names(const struct fewest *table, const unsigned *moves, int count, bool spaced,
                 FILE *out);
// Did any of these calls lose a character? A file of open_memstream may lose some if memory runs
// out, and then take more.
bool output_was_lost(void);

#endif
