// Searches breadth first. A scan of the marks finds the states of the frontier; there is no queue.
// The scan is sequential and needs no memory, and any thread may take any part of it. Two threads
// that reach a state write the same mark.
#include "breadth_first.h"

#include "expand.h"
#include "illegal.h"
#include "tables/base/parallel.h"
#include "tables/file/format.h"

#include <stdlib.h>
#include <string.h>

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

// ---- Layers -------------------------------------------------------------------------------------

// Finds out how long the ranks waited in this layer, and for which one: that which waited least.
static void find_slowest(struct bfs *bfs, double waited_before)
{
    enum { RANK_BITS = 20 };
    static const double MILLION = 1e6;
    uint64_t waited = (uint64_t)((bfs->exchange.waited - waited_before) * MILLION);
    bfs->traffic.waited = (double)(UINT64_MAX - ranks_least(UINT64_MAX - waited)) / MILLION;
    bfs->traffic.slowest =
        (unsigned)(ranks_least(waited << RANK_BITS | ranks_number()) & ((1u << RANK_BITS) - 1));
}

// Adds up what all ranks found in a layer, and what they sent.
static bool add_up(struct bfs *bfs, unsigned layer, struct fewest_gen_progress *progress,
                   struct fewest_error *error)
{
    uint64_t sums[] = {bfs->found, bfs->stopped, bfs->out_of_memory, bfs->exchange.bytes};
    ranks_reduce(sums, sizeof sums / sizeof *sums);
    progress->found = sums[0];
    bfs->traffic.sent = sums[3];
    if (sums[2] > 0) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
    }
    if (sums[1] > 0) {
        return search_report_stopped(layer, error);
    }
    return layer <= DISTANCE_MOST || progress->found == 0 ||
           search_report_beyond(bfs->puzzle, error);
}

// Finds the states of a layer, and counts them.
static bool find_layer(struct bfs *bfs, unsigned layer, struct fewest_gen_progress *progress,
                       struct fewest_error *error)
{
    double waited = bfs->exchange.waited;
    uint64_t left = progress->entries - progress->reached;
    bfs->backward = bfs->puzzle->reversible && left < progress->found;
    progress->layer = layer;
    progress->found = 0;
    bfs->last = mark_of_layer(layer - 1);
    bfs->next = mark_of_layer(layer);
    bfs->found = 0;
    if (progress->reached == progress->entries) {
        return true;
    }
    if (!expand_layer(bfs, error) || !add_up(bfs, layer, progress, error)) {
        return false;
    }
    find_slowest(bfs, waited);
    return true;
}

static void report_layer(const struct bfs *bfs, struct fewest_gen_progress *progress)
{
    progress->reached += progress->found;
    options_tell(bfs->options, progress);
}

// Goes from layer to layer. At first, the marks have all layers up to progress->layer. The file
// lacks the last of them, unless it came from a checkpoint.
static bool find_layers(struct bfs *bfs, struct fewest_gen_progress *progress,
                        struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    struct layers *layers = &distances->layers;
    report_layer(bfs, progress);
    for (unsigned layer = progress->layer; progress->found > 0; layer++) {
        distances->histogram[layer] = progress->found;
        bool written = layers->count > layer || layers_add(layers, &bfs->marks, progress->found,
                                                           bfs->options->threads, error);
        if (!ranks_barrier(written, error) || !find_layer(bfs, layer + 1, progress, error)) {
            return false;
        }
        if (progress->found > 0) {
            report_layer(bfs, progress);
        }
    }
    return true;
}

// ---- The beginning ------------------------------------------------------------------------------

enum { PAGES_AT_ONCE = 256 }; // that a thread counts

// Counts the states of some pages that have no mark.
static void count_pages(void *context, uint64_t begin, uint64_t end)
{
    const struct bfs *bfs = context;
    unsigned page_size = bfs->pages->page_size;
    for (uint64_t page = begin; page < end; page++) {
        bfs->left[page] = marks_count_none(&bfs->marks, page * page_size, page_size);
    }
}

// Gives distance 0 to the targets of the root.
static void mark_root(struct bfs *bfs, struct fewest_gen_progress *progress)
{
    const struct root *root = &bfs->puzzle->numbering.roots[bfs->root];
    progress->found = 1 + root->more;
    for (unsigned t = 0; t <= root->more; t++) {
        const uint8_t *target = root->target + (size_t)t * bfs->puzzle->cell_count;
        // Very large before the first entry of this rank.
        uint64_t entry = puzzle_rank(bfs->puzzle, bfs->root, target) - bfs->distances->first;
        if (entry < bfs->marks.count) {
            marks_set(&bfs->marks, entry, mark_of_layer(0));
        }
    }
}

// Reads the layers that a checkpoint has. If a run ended while the ranks wrote a layer, some have
// it and others do not: then all go back to what all have.
static bool resume(struct bfs *bfs, unsigned *saved, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    struct layers *layers = &distances->layers;
    struct fewest_error warning = {0};
    bool read = layers_resume(layers, bfs->options, distances->total, distances->histogram,
                              &warning, error);
    if (!ranks_barrier(read, error)) {
        return false;
    }
    if (!ranks_barrier(!warning.text[0], &warning)) {
        options_tell(bfs->options, &(struct fewest_gen_progress){.event = FEWEST_GEN_WARNING,
                                                                 .text = warning.text});
    }
    *saved = (unsigned)ranks_least(layers->count);
    for (unsigned layer = *saved; layer < layers->count; layer++) {
        distances->histogram[layer] = 0;
    }
    uint64_t digest = format_hash(distances->histogram, sizeof distances->histogram);
    return ranks_same(digest, "checkpoint", error) &&
           ranks_barrier(layers_go_back(layers, *saved, &bfs->marks, bfs->options->threads, error),
                         error);
}

// Goes on from a checkpoint, or begins with the root.
static bool begin_search(struct bfs *bfs, struct fewest_gen_progress *progress,
                         struct fewest_error *error)
{
    const struct distances *distances = bfs->distances;
    uint64_t pages = bfs->mine.end - bfs->mine.first;
    unsigned saved;
    bool has_marks = bfs->puzzle->forbids_states && bfs_has_pages(bfs);
    if (!resume(bfs, &saved, error) ||
        !ranks_barrier(!has_marks || mark_illegal_states(bfs, error), error)) {
        return false;
    }
    if (saved == 0) {
        mark_root(bfs, progress);
    }
    for (unsigned layer = 0; layer < saved; layer++) {
        progress->layer = layer;
        progress->reached += layer + 1 < saved ? distances->histogram[layer] : 0;
        progress->found = distances->histogram[layer];
    }
    if (bfs_has_pages(bfs)) {
        parallel_for(bfs->options->threads, pages, PAGES_AT_ONCE, count_pages, bfs);
    }
    return true;
}

// Gives this rank its units, and makes room for them. The first rank has all states of a puzzle
// without pages.
static bool take_share(struct bfs *bfs, struct file_search search, struct fewest_error *error)
{
    const struct pages *pages = bfs->pages;
    uint64_t total = bfs->puzzle->numbering.state_count;
    bool has_pages = bfs_has_pages(bfs);
    uint64_t unit = has_pages ? pages->page_size : total;
    bfs->mine = ranks_mine(total / unit);
    bfs->slice_count = expand_slices(pages, ranks_count());
    struct distances *distances = bfs->distances;
    *distances = (struct distances){.total = total,
                                    .share = ranks_share(total / unit) * unit,
                                    .first = bfs->mine.first * unit,
                                    .count = (bfs->mine.end - bfs->mine.first) * unit};
    layers_begin(&distances->layers, search, distances->count);
    bfs->left = calloc(bfs->mine.end - bfs->mine.first + 1, sizeof *bfs->left);
    return marks_make(&bfs->marks, distances->count, bfs->options->threads, error) &&
           exchange_open(&bfs->exchange, error) &&
           (bfs->left ||
            error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search"));
}

static void free_share(struct bfs *bfs)
{
    marks_free(&bfs->marks);
    exchange_close(&bfs->exchange);
    free((void *)bfs->left);
}

bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct file_search search,
                      struct distances *distances, struct fewest_error *error)
{
    struct pages pages;
    struct bfs bfs = {.puzzle = puzzle,
                      .root = root,
                      .pages = &pages,
                      .distances = distances,
                      .options = options};
    bool is_database = options->database_count > 0;
    struct fewest_gen_progress progress = {.event = FEWEST_GEN_LAYER,
                                           .search = is_database ? "pattern database" : "root",
                                           .number = is_database ? options->database : root,
                                           .count = is_database ? options->database_count
                                                                : puzzle->numbering.root_count,
                                           .entries = puzzle->numbering.state_count,
                                           .traffic = ranks_count() > 1 ? &bfs.traffic : NULL};
    *distances = (struct distances){.count = 0};
    bool made = pages_make(&pages, puzzle->numbering.roots[root].chain, error) &&
                take_share(&bfs, search, error);
    bool done = ranks_barrier(made, error) && begin_search(&bfs, &progress, error) &&
                find_layers(&bfs, &progress, error);
    free_share(&bfs);
    pages_free(&pages);
    return done;
}
