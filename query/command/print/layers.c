// Prints the numbers of shortest paths of all states.
#include "layers.h"

#include "tables/base/errors.h"
#include "tables/program/command_line.h"

#include <stdlib.h>
#include <string.h>

struct layer_counter {
    const struct fewest *table;
    struct counted_layers *layers;
    bool out_of_memory;
};

// The visitor of fewest_count_all_paths: keeps a layer.
static bool keep_layer(void *context, const struct fewest_layer *layer)
{
    struct layer_counter *counter = context;
    struct counted_layer *kept = &counter->layers->layer[counter->layers->count];
    char text[FEWEST_TEXT_SIZE];
    struct fewest_error ignored; // the state is valid
    fewest_write_state(counter->table, layer->state, text, &ignored);
    kept->mean = layer->mean;
    fewest_write_wide(layer->largest, kept->largest);
    kept->state = strdup(text);
    counter->out_of_memory = !kept->state;
    return ++counter->layers->count < LAYERS_MOST && !counter->out_of_memory;
}

bool layers_count(struct fewest *table, struct counted_layers *layers, struct fewest_error *error)
{
    struct layer_counter counter = {.table = table, .layers = layers};
    *layers = (struct counted_layers){.count = 0};
    return fewest_count_all_paths(table, keep_layer, &counter, error) &&
           (!counter.out_of_memory || error_no_memory(error, "for the numbers of paths"));
}

void layers_free(struct counted_layers *layers)
{
    for (unsigned d = 0; d < layers->count; d++) {
        free(layers->layer[d].state);
    }
}

void layers_print(const struct counted_layers *layers, FILE *out)
{
    int width = (int)strlen("most paths");
    for (unsigned d = 0; d < layers->count; d++) {
        int length = (int)strlen(layers->layer[d].largest);
        width = length > width ? length : width;
    }
    fprintf(out, "distance    mean paths  %*s  a state that has them\n", width, "most paths");
    for (unsigned d = 0; d < layers->count; d++) {
        const struct counted_layer *layer = &layers->layer[d];
        fprintf(out, "%8u %13.*f  %*s  %s\n", d, layer->mean < 1e9 ? 2 : 0, layer->mean, width,
                layer->largest, layer->state);
    }
}

void layers_print_columns(const struct counted_layers *layers, unsigned distance, FILE *out)
{
    if (distance < layers->count) {
        const struct counted_layer *layer = &layers->layer[distance];
        fprintf(out, "\t%.17g\t%s\t%s", layer->mean, layer->largest, layer->state);
    }
}

void layers_print_json(const struct counted_layers *layers, FILE *out)
{
    fputs(", \"how_many\": {\"mean\": [", out);
    for (unsigned d = 0; d < layers->count; d++) {
        fprintf(out, "%s%.17g", d > 0 ? ", " : "", layers->layer[d].mean);
    }
    fputs("], \"largest\": [", out);
    for (unsigned d = 0; d < layers->count; d++) {
        fprintf(out, "%s%s", d > 0 ? ", " : "", layers->layer[d].largest);
    }
    fputs("], \"states\": [", out);
    for (unsigned d = 0; d < layers->count; d++) {
        fputs(d > 0 ? ", " : "", out);
        print_json_text(layers->layer[d].state, out);
    }
    fputs("]}", out);
}
