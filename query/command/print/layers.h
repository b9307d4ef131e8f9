// The numbers of shortest paths of all states, as `stats --how-many` prints them.
#ifndef FEWEST_QUERY_COMMAND_PRINT_LAYERS_H
#define FEWEST_QUERY_COMMAND_PRINT_LAYERS_H

#include "print.h"

enum { LAYERS_MOST = 256 };

// The states at one distance.
struct counted_layer {
    double mean;                    // number of shortest paths
    char largest[FEWEST_WIDE_SIZE]; // number of shortest paths, in digits
    char *state;                    // that has it, as text
};

struct counted_layers {
    unsigned count; // distances from 0 on
    struct counted_layer layer[LAYERS_MOST];
};

// Counts the paths of all states. The caller frees the layers, also after a failure.
bool layers_count(struct fewest *table, struct counted_layers *layers, struct fewest_error *error);
void layers_free(struct counted_layers *layers);

// Print the layers for people, and as a member of a JSON object. layers_print_columns prints what
// follows the other columns of a distance in a line with tabs; nothing if there is no such layer.
void layers_print(const struct counted_layers *layers, FILE *out);
void layers_print_json(const struct counted_layers *layers, FILE *out);
void layers_print_columns(const struct counted_layers *layers, unsigned distance, FILE *out);

#endif
