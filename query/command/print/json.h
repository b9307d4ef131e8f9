// Answers as JSON objects, one a line, for other programs.
#ifndef FEWEST_QUERY_COMMAND_PRINT_JSON_H
#define FEWEST_QUERY_COMMAND_PRINT_JSON_H

#include "layers.h"
#include "print.h"

// {"puzzle": …, "start": …, "target": …, …}: target is null if the query has none. steps is null if
// the target can't be reached, and then there is a "reason". In a batch, {"line": …, …}, without a
// "reason" but that of json_parity.
print_answer json_steps;      // "steps"
print_answer json_path;       // "steps" and "moves"
print_answer json_paths;      // "steps" and "paths", an array of arrays
print_answer json_path_count; // "steps" and "how_many"
print_answer json_parity;     // "reachable" and "reason"

// The objects of lines of a batch: with a distance that is known, with the parity of a board
// without a table, without an answer because of an error, and without one because of --limit.
void json_line_steps(uint64_t line, int steps, FILE *out);
void json_line_parity(uint64_t line, const struct fewest_parity *parity, FILE *out);
void json_line_error(uint64_t line, const struct fewest_error *error, FILE *out);

// Prints the object of a query without an answer: it takes at least `at_least` moves.
void json_at_least(const struct fewest *table, const struct query *query, unsigned at_least,
                   FILE *out);

// What `stats` has counted.
struct counts {
    struct fewest_stats stats;            // of states; of positions if there are rotations
    const struct fewest_classes *classes; // NULL without --symmetry
    const struct counted_layers *layers;  // NULL without --how-many
    unsigned rotations; // of the whole; 1 if there is only the identity; 0 without --rotations
};

// Are they counts of positions, and not of states?
static inline bool counts_positions(const struct counts *counts)
{
    return counts->rotations > 1;
}

// `farthest` is a state.
void json_stats(const struct fewest *table, const struct counts *counts, const char *farthest,
                FILE *out);

// {"puzzle": …, "blocks": …, "goals": …, "moves": …}: the rules, with cells and values that count
// from 0. A block has the cells of a set's pieces or orientations. Fails for rolling cubes.
bool json_rules(const struct fewest *table, FILE *out, struct fewest_error *error);

#endif
