// Searches breadth first. A scan of the array finds the states of the frontier; there is no queue.
// The scan is sequential and needs no memory, and any thread may take any part of it. Two threads
// that reach a state write the same value.
#include "search.h"

#include "base/parallel.h"
#include "checkpoint.h"
#include "expand.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES_AT_ONCE = 256 }; // that a thread counts

bool search_report_beyond(const struct puzzle *puzzle, struct fewest_error *error)
{
    return error_set(error, FEWEST_BEYOND,
                     "%s has states more than %d moves away; a table holds no larger distance",
                     puzzle->name, DISTANCE_MOST);
}

bool search_report_stopped(unsigned layer, struct fewest_error *error)
{
    return error_set(error, FEWEST_STOPPED, "stopped while searching layer %u; no table was made",
                     layer);
}

static bool find_layer(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    uint64_t unreached = distances->total;
    for (unsigned d = 0; d <= layer; d++) {
        unreached -= distances->histogram[d];
    }
    bool written = distances_end_layer(distances, layer, bfs->options->threads, error);
    if (!ranks_agree(written, error)) {
        return false;
    }
    bfs->last = distances_value(layer, distances->bits);
    bfs->next = distances_value(layer + 1, distances->bits);
    bfs->found = 0;
    if (unreached == 0) {
        return true;
    }
    if (bfs->exchange) {
        exchange_begin(bfs->exchange);
    }
    expand_own(bfs);
    if (bfs->exchange && !end_with_ranks(bfs, error)) {
        return false;
    }
    if (bfs->out_of_memory) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
    }
    return !bfs->stopped || search_report_stopped(layer + 1, error);
}

// Saves a stopped search without the layer that it was looking for.
static bool save_stopped(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    struct checkpoint *checkpoint = bfs->options->checkpoint;
    struct fewest_error later;
    if (!checkpoint || error->status != FEWEST_STOPPED) {
        return false;
    }
    distances_take_back(bfs->distances, layer + 1);
    if (!checkpoint_save(checkpoint, bfs->root, bfs->distances, layer, true, &later)) {
        *error = later;
        return error_prefix(error, "stopped, and the checkpoint could not be saved");
    }
    return error_set(error, FEWEST_STOPPED, "stopped while searching layer %u", layer + 1);
}

static bool end_layer(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    if (layer >= DISTANCE_MOST && bfs->found > 0) {
        return search_report_beyond(bfs->puzzle, error);
    }
    bfs->distances->histogram[layer + 1] = bfs->found;
    struct checkpoint *checkpoint = bfs->options->checkpoint;
    struct fewest_error unsaved;
    if (bfs->found > 0 && checkpoint &&
        !checkpoint_save(checkpoint, bfs->root, bfs->distances, layer + 1, false, &unsaved)) {
        if (!ranks_agree(true, error)) { // a rank died
            return false;
        }
        error_prefix(&unsaved, "warning: the checkpoint was not saved, but the search continues");
        bfs->options->warn(bfs->options->context, unsaved.text);
    }
    return true;
}

static void report_layer(const struct bfs *bfs, unsigned layer)
{
    const struct search_options *options = bfs->options;
    const uint64_t *histogram = bfs->distances->histogram;
    uint64_t reached = 0;
    for (unsigned d = 0; d <= layer; d++) {
        reached += histogram[d];
    }
    if (options->progress) {
        bool database = options->database_count > 0;
        struct search_progress progress = {.kind = database ? "pattern database" : "root",
                                           .number = database ? options->database : bfs->root,
                                           .count = database ? options->database_count
                                                             : bfs->puzzle->numbering.root_count,
                                           .layer = layer,
                                           .states = histogram[layer],
                                           .reached = reached,
                                           .entries = bfs->distances->total,
                                           .sent = bfs->sent};
        options->progress(options->context, &progress);
    }
}

static bool find_layers(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    for (;; layer++) {
        report_layer(bfs, layer);
        if (!find_layer(bfs, layer, error)) {
            return save_stopped(bfs, layer, error);
        }
        if (!end_layer(bfs, layer, error)) {
            return false;
        }
        if (bfs->found == 0) {
            distances_finish(bfs->distances);
            return true;
        }
    }
}

// Counts the states of some pages that have no distance.
static void count_pages(void *context, uint64_t begin, uint64_t end)
{
    const struct bfs *bfs = context;
    unsigned place_count = bfs->pages->place_count;
    for (uint64_t page = begin; page < end; page++) {
        bfs->left[page] = distances_count_value(bfs->distances, page * place_count, place_count,
                                                distances_unreached(bfs->distances->bits));
    }
}

// Loads the checkpoint. If the ranks saved different layers because the program ended in between,
// all go back to the first of these.
static bool load_checkpoint(struct bfs *bfs, unsigned *layer, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    uint64_t *layers = malloc(ranks_count() * sizeof *layers);
    bool loaded = layers || error_set(error, FEWEST_SYSTEM, "not enough memory for the ranks");
    loaded =
        loaded && checkpoint_load(bfs->options->checkpoint, bfs->root, distances, layer, error);
    loaded = ranks_agree(loaded, error) && layers && ranks_gather(*layer, layers, error);
    unsigned first = *layer;
    for (unsigned rank = 0; rank < ranks_count() && loaded; rank++) {
        first = layers[rank] < first ? (unsigned)layers[rank] : first;
    }
    free(layers);
    if (loaded && first < *layer) {
        *layer = first;
        loaded = distances_go_back(distances, first, error);
    }
    return ranks_agree(loaded, error);
}

// Gives distance 0 to the targets of the root.
static void mark_root(struct bfs *bfs)
{
    struct distances *distances = bfs->distances;
    const struct root *root = &bfs->puzzle->numbering.roots[bfs->root];
    distances->histogram[0] = 1 + root->more;
    for (unsigned t = 0; t <= root->more; t++) {
        const uint8_t *target = root->target + (size_t)t * bfs->puzzle->cell_count;
        // Very large before the first entry of this rank.
        uint64_t own = puzzle_rank(bfs->puzzle, bfs->root, target) - distances->first;
        if (own >= distances->count) {
            continue;
        }
        // It has its distance already if the search went back to it.
        bool is_new = distances_mark(distances->entries, own, distances_value(0, distances->bits),
                                     distances->bits);
        if (bfs_has_pages(bfs)) {
            uint64_t page = own / bfs->pages->place_count;
            bfs->left[page] -= is_new;
            set_flag(&bfs->next_active[page]);
        }
    }
}

// Resumes from a checkpoint, or begins with the root.
static bool begin_search(struct bfs *bfs, unsigned *layer, struct fewest_error *error)
{
    const struct search_options *options = bfs->options;
    *layer = 0;
    distances_clear(bfs->distances, options->threads);
    if (options->checkpoint && !load_checkpoint(bfs, layer, error)) {
        return false;
    }
    // The first layer to be found makes `next_active` the flags of the frontier. A checkpoint does
    // not hold these flags.
    if (bfs_has_pages(bfs)) {
        uint64_t page_count = bfs->end_unit - bfs->first_unit;
        memset((void *)bfs->next_active, *layer > 0, page_count);
        parallel_for(options->threads, page_count, PAGES_AT_ONCE, count_pages, bfs);
    }
    if (*layer == 0) {
        mark_root(bfs);
    }
    return true;
}

static bool make_flags(struct bfs *bfs, struct fewest_error *error)
{
    size_t count = bfs_has_pages(bfs) ? bfs->end_unit - bfs->first_unit + 1 : 1;
    bfs->active = calloc(count, sizeof *bfs->active);
    bfs->next_active = calloc(count, sizeof *bfs->next_active);
    bfs->left = calloc(count, sizeof *bfs->left);
    bfs->exchange = ranks_count() > 1 ? exchange_open(bfs->options->threads) : NULL;
    return (bfs->active && bfs->next_active && bfs->left &&
            (bfs->exchange || ranks_count() == 1)) ||
           error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
}

static void free_flags(struct bfs *bfs)
{
    free((void *)bfs->active);
    free((void *)bfs->next_active);
    free((void *)bfs->left);
    if (bfs->exchange) {
        exchange_close(bfs->exchange);
    }
}

bool search_is_looked_up(const struct puzzle *puzzle, unsigned root)
{
    return puzzle->numbering.roots[root].wildcards.entries > 0;
}

unsigned search_bits(const struct puzzle *puzzle, unsigned root,
                     const struct search_options *options)
{
    static const uint64_t NARROW_LEAST = UINT64_C(1) << 24; // states
    uint64_t least = options->narrow_least > 0 ? options->narrow_least : NARROW_LEAST;
    bool is_wide = search_is_looked_up(puzzle, root) || puzzle->numbering.state_count < least;
    return is_wide ? 8 : NARROW_BITS;
}

// Gives this rank its units, and makes room for their distances.
static bool take_share(struct bfs *bfs, struct fewest_error *error)
{
    const struct search_options *options = bfs->options;
    uint64_t total = bfs->puzzle->numbering.state_count;
    unsigned unit = bfs_has_pages(bfs) ? bfs->pages->place_count : RUN;
    bfs->unit_count = (total + unit - 1) / unit;
    bfs->first_unit = ranks_first(bfs->unit_count, ranks_number());
    bfs->end_unit = ranks_first(bfs->unit_count, ranks_number() + 1);
    uint64_t first = bfs->first_unit * unit;
    uint64_t end = bfs->end_unit * unit;
    first = first < total ? first : total;
    end = end < total ? end : total;
    bool made =
        distances_make(bfs->distances, end - first, search_bits(bfs->puzzle, bfs->root, options),
                       options->folder, error);
    distances_place(bfs->distances, first, total);
    return made;
}

bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct distances *distances,
                      struct fewest_error *error)
{
    unsigned layer;
    struct pages pages;
    struct bfs bfs = {.puzzle = puzzle,
                      .root = root,
                      .pages = &pages,
                      .distances = distances,
                      .options = options};
    *distances = (struct distances){.count = 0};
    bool made = pages_make(&pages, puzzle, root, error) && take_share(&bfs, error) &&
                make_flags(&bfs, error);
    bool done = ranks_agree(made, error) && made && begin_search(&bfs, &layer, error) &&
                find_layers(&bfs, layer, error);
    free_flags(&bfs);
    pages_free(&pages);
    return done;
}
