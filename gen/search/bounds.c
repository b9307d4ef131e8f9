// Makes the stripes of a pattern database from the layers of a search.
#include "search.h"

#include "tables/base/parallel.h"
#include "tables/families/symmetry/stripes.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE_LEAST = 16 };

// A pass over the rows of this rank.
struct bounds_pass {
    struct bfs *bfs;
    unsigned layer;
    _Atomic uint64_t counts[ENTRY_BEYOND]; // of the values 0, 1 and 2
};

static void note_rows(void *context, uint64_t begin, uint64_t end)
{
    struct bounds_pass *pass = context;
    struct bfs *bfs = pass->bfs;
    unsigned width = bfs->pages->page_size;
    uint32_t *offsets = malloc(width * sizeof *offsets);
    if (!offsets) {
        bfs->out_of_memory = true;
        return;
    }
    for (uint64_t row = begin; row < end; row++) {
        unsigned count =
            marks_find(&bfs->marks, row * width, width, mark_of_layer(pass->layer), offsets);
        for (unsigned i = 0; i < count; i++) {
            bound_entries_note(bfs->bounds, row, offsets[i], pass->layer);
        }
    }
    free(offsets);
}

void note_layer(struct bfs *bfs, unsigned layer)
{
    struct bounds_pass pass = {.bfs = bfs, .layer = layer};
    parallel_for(bfs->options->threads, bfs_unit_count(bfs), ROWS_AT_ONCE_LEAST, note_rows, &pass);
}

bool note_saved_layers(struct bfs *bfs, struct fewest_error *error)
{
    const struct layers *layers = &bfs->distances->layers;
    unsigned width = bfs->pages->page_size;
    uint8_t *bytes = malloc(width);
    bool read = bytes || error_no_memory(error, "to load the checkpoint");
    for (uint64_t row = 0; row < bfs_unit_count(bfs) && read; row++) {
        memset(bytes, UNREACHED, width);
        read = layers_read(layers, row * width, width, bytes, error);
        for (unsigned offset = 0; offset < width && read; offset++) {
            if (bytes[offset] + 1u < layers->count) {
                bound_entries_note(bfs->bounds, row, offset, bytes[offset]);
            }
        }
    }
    free(bytes);
    return read;
}

// Counts the values in the slots of some rows.
static void count_rows(void *context, uint64_t begin, uint64_t end)
{
    struct bounds_pass *pass = context;
    const struct bound_entries *bounds = pass->bfs->bounds;
    uint64_t counts[UINT8_MAX + 1] = {0};
    uint8_t values[STRIPE_SLOTS];
    uint64_t slots = bound_entries_row_slots(bounds->width);
    for (uint64_t slot = begin * slots; slot < end * slots; slot += STRIPE_SLOTS) {
        bound_entries_read(bounds, slot, STRIPE_SLOTS, values);
        for (unsigned i = 0; i < STRIPE_SLOTS; i++) {
            counts[values[i]]++;
        }
    }
    for (unsigned value = 0; value < ENTRY_BEYOND; value++) {
        pass->counts[value] += counts[value];
    }
}

// Makes the mark of the root an old one. It is the only state.
static void age_root(struct bfs *bfs)
{
    marks_age(&bfs->marks, 0, bfs->marks.count, mark_of_layer(1));
}

void take_bounds(struct bfs *bfs, bool is_early)
{
    struct distances *distances = bfs->distances;
    struct bound_entries *bounds = bfs->bounds;
    struct bounds_pass pass = {.bfs = bfs};
    uint64_t slots = bound_entries_row_slots(bounds->width);
    unsigned largest = distances_largest(distances);
    if (!is_early) { // the layer before the newest has old marks
        bounds->base = largest > 0 ? largest - 1 : 0;
    }
    if (largest == 0) {
        age_root(bfs);
    }
    bounds->marks = bfs->marks;
    bfs->marks = (struct marks){.count = 0};
    parallel_for(bfs->options->threads, bounds->rows, ROWS_AT_ONCE_LEAST, count_rows, &pass);
    layers_free(&distances->layers);
    *distances = (struct distances){.total = bfs->pages->page_count * slots,
                                    .share = ranks_units_each(bfs->pages->page_count) * slots,
                                    .first = bfs->own_units.first * slots,
                                    .count = bounds->rows * slots,
                                    .bounds = bounds};
    for (unsigned value = 0; value < ENTRY_BEYOND; value++) {
        distances->histogram[value] = pass.counts[value];
    }
    ranks_sum(distances->histogram, ENTRY_BEYOND);
}
