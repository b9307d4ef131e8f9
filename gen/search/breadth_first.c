// Searches breadth first. A scan of the marks finds the states of the frontier; there is no queue.
// The scan is sequential and needs no memory, and any thread may take any part of it. Two threads
// that reach a state write the same mark.
#include "breadth_first.h"

#include "classes.h"
#include "expand.h"
#include "few_states.h"
#include "forbidden.h"
#include "tables/base/parallel.h"
#include "tables/families/symmetry/stripes.h"
#include "tables/file/format.h"

#include <stdlib.h>
#include <string.h>

// ---- Layers -------------------------------------------------------------------------------------

// Fills in bfs->traffic: the longest time that a rank waited for others in this layer, and the
// slowest rank, which is the one that waited least. `waited_before` are the seconds that this rank
// had waited before the layer.
static void find_slowest_rank(struct bfs *bfs, double waited_before)
{
    // A number has the rank in its low bits, and above them the microseconds, up to 200 days. So
    // the least number of all ranks tells which rank waited least.
    enum { RANK_BITS = 20 };
    static const double MILLION = 1e6;
    uint64_t waited = (uint64_t)((bfs->exchange.waited - waited_before) * MILLION);
    uint64_t most_waited = UINT64_MAX - ranks_find_least(UINT64_MAX - waited); // least complement
    uint64_t least_waited = ranks_find_least(waited << RANK_BITS | ranks_number());
    bfs->traffic.waited = (double)most_waited / MILLION;
    bfs->traffic.slowest = (unsigned)(least_waited & ((1u << RANK_BITS) - 1));
}

// Adds up the states that all ranks found in a layer (progress->found), and the bytes that they
// have sent so far (bfs->traffic). Fails on all ranks if one was stopped or lacks memory, or if the
// layer is beyond the largest distance.
static bool sum_layer(struct bfs *bfs, unsigned layer, struct fewest_gen_progress *progress,
                      struct fewest_error *error)
{
    enum { FOUND, STOPPED, WITHOUT_MEMORY, SENT, NUMBERS };
    uint64_t sums[NUMBERS] = {[FOUND] = bfs->found,
                              [STOPPED] = bfs->stopped,
                              [WITHOUT_MEMORY] = bfs->out_of_memory,
                              [SENT] = bfs->exchange.bytes};
    ranks_sum(sums, NUMBERS);
    progress->found = sums[FOUND];
    bfs->traffic.sent = sums[SENT];
    if (sums[WITHOUT_MEMORY] > 0) {
        return error_no_memory(error, "for the breadth-first search");
    }
    if (sums[STOPPED] > 0) {
        return search_report_stopped(layer, error);
    }
    if (layer > DISTANCE_MOST && progress->found > 0) {
        return search_report_beyond(bfs->puzzle, error);
    }
    return true;
}

// Marks the states of a layer (marks.h), and counts them in progress->found, which at first counts
// those of the layer before. If all states are reached, the layer is empty.
static bool find_layer(struct bfs *bfs, unsigned layer, struct fewest_gen_progress *progress,
                       struct fewest_error *error)
{
    double waited_before = bfs->exchange.waited;
    uint64_t unreached = progress->entries - progress->reached;
    // By symmetric pages, a backward search reads the marks of other rows. They must be this
    // rank's.
    bfs->backward = bfs->puzzle->reversible && unreached < progress->found &&
                    !(bfs->pages->rows && ranks_count() > 1);
    bfs->unreached = unreached;
    bfs->frontier_mark = mark_of_layer(layer - 1);
    bfs->next_mark = mark_of_layer(layer);
    bfs->found = 0;
    progress->layer = layer;
    progress->found = 0;
    if (unreached == 0) {
        return true;
    }
    if (!expand_layer(bfs, error) || !sum_layer(bfs, layer, progress, error)) {
        return false;
    }
    find_slowest_rank(bfs, waited_before);
    return true;
}

// Adds a layer that was found to the states that are reached, and tells the watcher.
static void report_layer(const struct bfs *bfs, struct fewest_gen_progress *progress)
{
    progress->reached += progress->found;
    options_tell(bfs->options, progress);
}

// Changes the marks begin … end-1 to MARK_OLD if they are of the layer before the newest.
static void age_marks(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    marks_age(&bfs->marks, begin, end, bfs->next_mark);
}

// Ends a layer that was found: writes it to the file, which also makes the marks of the layer
// before old. A count without a checkpoint has no file, so it only does the latter. A count by
// symmetric pages also counts the classes of the layer.
static bool end_layer(struct bfs *bfs, unsigned layer, uint64_t found, struct fewest_error *error)
{
    enum { MARKS_AT_ONCE = 1 << 18 };
    struct layers *layers = &bfs->distances->layers;
    unsigned threads = bfs->options->threads;
    if (bfs->classes && bfs->pages->rows) {
        bfs->classes[layer] = count_classes(bfs, mark_of_layer(layer));
    }
    if (layers->file && layer >= layers->count) { // it is not in the file yet
        return layers_add(layers, &bfs->marks, found, threads, error);
    }
    if (!layers->file) {
        bfs->next_mark = mark_of_layer(layer);
        parallel_for(threads, bfs->marks.count, MARKS_AT_ONCE, age_marks, bfs);
    }
    return !bfs->out_of_memory || error_no_memory(error, "for the breadth-first search");
}

// Does the search of a pattern database end with this layer, which was found last? Notes the layer
// in the stripes. The search ends when a quarter of the states are reached: then the next layer is
// most often the largest one, and the entries tell it from the two before it. On the cube, bounds
// with a larger base take 1.6 times as many nodes (2026-11).
static bool completes_bounds(struct bfs *bfs, unsigned layer,
                             const struct fewest_gen_progress *progress)
{
    enum { PART = 4, LAYERS_LEAST = 2 };
    if (!bfs->bounds) {
        return false;
    }
    note_layer(bfs, layer);
    bfs->bounds->base = layer > LAYERS_LEAST ? layer - LAYERS_LEAST : 0;
    return layer >= LAYERS_LEAST &&
           (layer >= BASE_MOST || progress->reached >= progress->entries / PART);
}

// Finds one layer after the other, until one is empty, and ends each. At first, the marks have all
// layers up to progress->layer. If these come from a checkpoint, they are in the file; else the
// file has no layer yet.
static bool find_layers(struct bfs *bfs, struct fewest_gen_progress *progress,
                        struct fewest_error *error)
{
    report_layer(bfs, progress);
    for (unsigned layer = progress->layer; progress->found > 0; layer++) {
        bfs->distances->histogram[layer] = progress->found;
        if (completes_bounds(bfs, layer, progress)) {
            return true;
        }
        bool ended = end_layer(bfs, layer, progress->found, error);
        if (!ranks_barrier(ended, error) || !find_layer(bfs, layer + 1, progress, error)) {
            return false;
        }
        if (progress->found > 0) {
            report_layer(bfs, progress);
        }
    }
    return true;
}

// ---- The beginning ------------------------------------------------------------------------------

// Marks the root of a count that has its own numbering. The root is entry 0 there, and its images
// under the keepers are the same class.
static void mark_first_entry(struct bfs *bfs, struct fewest_gen_progress *progress)
{
    uint64_t found = 0;
    if (bfs_owns_unit(bfs, 0)) {
        marks_set(&bfs->marks, 0, mark_of_layer(0));
        bfs->found = pages_weight(bfs->pages, 0);
    }
    mark_kept_states(bfs, mark_of_layer(0));
    found = bfs->found;
    ranks_sum(&found, 1);
    progress->found = found;
}

// Marks the targets of the root as layer 0, and counts them in progress->found. Each rank marks
// only those that it owns.
static void mark_root(struct bfs *bfs, struct fewest_gen_progress *progress)
{
    const struct root *root = &bfs->puzzle->numbering.roots[bfs->root];
    unsigned target_count = 1 + root->more; // `more` targets follow the first
    if (bfs->starts_at_zero) {
        mark_first_entry(bfs, progress);
        return;
    }
    progress->found = target_count;
    for (unsigned t = 0; t < target_count; t++) {
        const uint8_t *target = root->target + (size_t)t * bfs->puzzle->cell_count;
        // For an index before this rank's first, the subtraction wraps to a large number.
        uint64_t entry = puzzle_rank(bfs->puzzle, bfs->root, target) - bfs->distances->first;
        if (entry < bfs->marks.count) {
            marks_set(&bfs->marks, entry, mark_of_layer(0));
        }
    }
}

// Reads the layers that the checkpoint of this rank has of this search, if there is one. If a rank
// finds a damaged layer, the watchers of all ranks get the warning of the lowest such rank.
static bool read_saved_layers(struct bfs *bfs, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    struct fewest_error warning = {0};
    bool read = layers_resume(&distances->layers, bfs->options, bfs->states, distances->histogram,
                              &warning, error);
    if (!ranks_barrier(read, error)) {
        return false;
    }
    bool is_clean = warning.text[0] == '\0';
    if (!ranks_barrier(is_clean, &warning)) { // the warning is now on all ranks
        options_tell(bfs->options, &(struct fewest_gen_progress){.event = FEWEST_GEN_WARNING,
                                                                 .text = warning.text});
    }
    return true;
}

// Restores the marks from the layers that a checkpoint has. *saved becomes the number of these
// layers, 0 without a checkpoint. If a run ended while the ranks wrote a layer, some ranks have it
// and others do not. Then all go back to the layers that all have.
static bool resume_search(struct bfs *bfs, unsigned *saved, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    struct layers *layers = &distances->layers;
    if (!read_saved_layers(bfs, error)) {
        return false;
    }
    *saved = (unsigned)ranks_find_least(layers->count);
    for (unsigned layer = *saved; layer < layers->count; layer++) {
        distances->histogram[layer] = 0;
    }
    uint64_t digest = format_hash(distances->histogram, sizeof distances->histogram);
    if (!ranks_check_same(digest, "checkpoint", error)) {
        return false;
    }
    bool restored = layers_go_back(layers, *saved, &bfs->marks, bfs->options->threads, error);
    return ranks_barrier(restored, error);
}

// Fills in the progress of a search that goes on from its first `saved` layers, at least one: the
// last of them is the frontier, and the earlier ones are reached.
static void restore_progress(const struct bfs *bfs, unsigned saved,
                             struct fewest_gen_progress *progress)
{
    const uint64_t *histogram = bfs->distances->histogram;
    progress->layer = saved - 1;
    progress->found = histogram[saved - 1];
    for (unsigned layer = 0; layer + 1 < saved; layer++) {
        progress->reached += histogram[layer];
    }
}

// Marks the layers of a checkpoint or, without one, layer 0, and fills in the progress. In a search
// by pages, also marks the forbidden states (forbidden.h).
static bool begin_search(struct bfs *bfs, struct fewest_gen_progress *progress,
                         struct fewest_error *error)
{
    unsigned saved = 0;
    if (bfs->distances->layers.file && !resume_search(bfs, &saved, error)) {
        return false;
    }
    bool marked = true;
    if (saved > 0 && bfs->bounds) {
        marked = note_saved_layers(bfs, error);
    } else if (saved > 0 && bfs->pages->rows) {
        marked = count_saved_classes(bfs, error);
    }
    if (bfs->puzzle->filter && bfs->count_pages) {
        mark_forbidden_entries(bfs);
    } else if (bfs->puzzle->filter && bfs_has_pages(bfs)) {
        marked = mark_forbidden_states(bfs, error);
    }
    if (!ranks_barrier(marked, error)) {
        return false;
    }
    if (saved == 0) {
        mark_root(bfs, progress);
    } else {
        restore_progress(bfs, saved, progress);
    }
    return true;
}

// Gives this rank its units (struct bfs), and makes room for their marks and for the exchange with
// other ranks. Without pages, all states are one unit, so the first rank owns them all. The caller
// calls free_share in any case.
static bool make_share(struct bfs *bfs, struct file_search search, struct fewest_error *error)
{
    const struct pages *pages = bfs->pages;
    bfs->states = puzzle_node_count(bfs->puzzle, bfs->root);
    uint64_t total = bfs_has_pages(bfs) ? pages->page_count * pages->page_size : bfs->states;
    uint64_t unit_size = bfs_has_pages(bfs) ? pages->page_size : total;
    uint64_t unit_count = total / unit_size;
    bfs->own_units = ranks_own_range(unit_count);
    bfs->slice_count = expand_slice_count(pages, ranks_count());
    struct distances *distances = bfs->distances;
    *distances = (struct distances){.total = total,
                                    .share = ranks_units_each(unit_count) * unit_size,
                                    .first = bfs->own_units.first * unit_size,
                                    .count = bfs_unit_count(bfs) * unit_size};
    layers_begin(&distances->layers, search, distances->count);
    return marks_make(&bfs->marks, distances->count, bfs->options->threads, error) &&
           exchange_open(&bfs->exchange, error);
}

static void free_share(struct bfs *bfs)
{
    marks_free(&bfs->marks);
    exchange_close(&bfs->exchange);
}

// Makes the distances of a search that has met few states, and tells the watcher about its layers.
static void take_few_states(struct few_states *few, const struct search_options *options,
                            struct fewest_gen_progress *progress, struct distances *distances)
{
    *distances = (struct distances){.total = progress->entries,
                                    .share = progress->entries,
                                    .count = progress->entries,
                                    .list = few->list,
                                    .list_length = few->count};
    few->list = NULL;
    for (unsigned layer = 0; layer < few->layers; layer++) {
        distances->histogram[layer] = few->histogram[layer];
        progress->layer = layer;
        progress->found = few->histogram[layer];
        progress->reached += progress->found;
        options_tell(options, progress);
    }
}

// The progress of a search that begins.
static struct fewest_gen_progress begin_progress(struct bfs *bfs)
{
    const struct search_options *options = bfs->options;
    const struct puzzle *puzzle = bfs->puzzle;
    bool is_database = options->database_count > 0;
    return (struct fewest_gen_progress){.event = FEWEST_GEN_LAYER,
                                        .search = is_database ? "pattern database" : "root",
                                        .number = is_database ? options->database : bfs->root,
                                        .count = is_database ? options->database_count
                                                             : puzzle->numbering.root_count,
                                        .entries = puzzle_node_count(puzzle, bfs->root),
                                        .traffic = ranks_count() > 1 ? &bfs->traffic : NULL};
}

// Searches with marks for all entries, by the pages that the caller has set. `made` tells whether
// this rank has them; if not, `error` tells why. The caller calls free_share.
static bool search_with_marks(struct bfs *bfs, bool made, struct file_search search,
                              struct fewest_gen_progress *progress, struct fewest_error *error)
{
    made = made && make_share(bfs, search, error);
    return ranks_barrier(made, error) && begin_search(bfs, progress, error) &&
           find_layers(bfs, progress, error);
}

bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct file_search search,
                      struct distances *distances, struct fewest_error *error)
{
    struct few_states few;
    struct pages pages = {.page_size = 0};
    struct bfs bfs = {.puzzle = puzzle,
                      .root = root,
                      .pages = &pages,
                      .distances = distances,
                      .options = options};
    struct fewest_gen_progress progress = begin_progress(&bfs);
    *distances = (struct distances){.count = 0};
    bool done = few_states_search(&few, puzzle, root, options, error);
    if (done && few.complete) {
        take_few_states(&few, options, &progress, distances);
    } else if (done) {
        bool made = pages_make(&pages, puzzle->numbering.roots[root].chain, error);
        done = search_with_marks(&bfs, made, search, &progress, error);
    }
    free_share(&bfs);
    pages_free(&pages);
    few_states_free(&few);
    return done;
}

// ---- Counts -------------------------------------------------------------------------------------

// Lists the antipodes with the lowest numbers, one of each class. All ranks get the same list.
static void list_antipodes(const struct bfs *bfs, struct state_count *count)
{
    uint64_t entry = 0;
    while (count->antipode_count < ANTIPODES_MOST) {
        entry = ranks_find_least(find_first_of_class(bfs, entry, mark_of_layer(count->largest)));
        if (entry == UINT64_MAX) {
            break;
        }
        count->antipodes[count->antipode_count++] = entry++;
    }
}

// Makes the pages of a count. With `forecast`, only tells how large they would be.
static bool make_count_pages(struct pages *pages, const struct state_count *count, bool forecast,
                             struct fewest_error *error)
{
    const struct root *root = &count->puzzle->numbering.roots[count->root];
    const struct chain *chain = count->chain ? count->chain : root->chain;
    if (count->pages) {
        pages_take_rows(pages, &count->pages->pages);
        return true;
    }
    return forecast ? pages_forecast(pages, chain, error) : pages_make(pages, chain, error);
}

// Takes the counts and antipodes from the distances that a search has found.
static void take_counts(const struct bfs *bfs, struct state_count *count)
{
    const struct distances *distances = bfs->distances;
    memcpy(count->states, distances->histogram, sizeof count->states);
    count->largest = distances_largest(distances);
    ranks_sum(count->classes, DISTANCE_MOST + 1);
    for (uint64_t i = 0; i < distances->list_length; i++) {
        if (distances->list[i].distance == count->largest &&
            count->antipode_count < ANTIPODES_MOST) {
            count->antipodes[count->antipode_count++] = distances->list[i].entry;
        }
    }
    if (!distances->list) {
        list_antipodes(bfs, count);
    }
}

bool search_counts(struct state_count *count, const struct search_options *options,
                   struct file_search search, struct fewest_error *error)
{
    struct few_states few = {.complete = false};
    struct pages pages = {.page_size = 0};
    struct distances distances = {.count = 0};
    struct bfs bfs = {.puzzle = count->puzzle,
                      .root = count->root,
                      .pages = &pages,
                      .distances = &distances,
                      .options = options,
                      .count_pages = count->pages,
                      .starts_at_zero = count->pages || count->chain,
                      .classes = count->classes};
    struct fewest_gen_progress progress = begin_progress(&bfs);
    bool is_plain = !count->pages && !count->chain;
    bool done = !is_plain || few_states_search(&few, count->puzzle, count->root, options, error);
    if (done && few.complete) {
        take_few_states(&few, options, &progress, &distances);
    } else if (done) {
        bool made = make_count_pages(&pages, count, false, error);
        done = search_with_marks(&bfs, made, search, &progress, error);
    }
    if (done) {
        take_counts(&bfs, count);
    }
    few_states_free(&few);
    free_share(&bfs);
    distances_free(&distances);
    pages_free(&pages);
    return done;
}

bool search_bounds(const struct puzzle *puzzle, const struct count_pages *count_pages,
                   const struct search_options *options, struct file_search search,
                   struct distances *distances, struct fewest_error *error)
{
    struct pages pages;
    struct bfs bfs = {.puzzle = puzzle,
                      .pages = &pages,
                      .distances = distances,
                      .options = options,
                      .count_pages = count_pages,
                      .starts_at_zero = true,
                      .bounds = calloc(1, sizeof *bfs.bounds)};
    *distances = (struct distances){.count = 0};
    pages_take_rows(&pages, &count_pages->pages);
    struct range own = ranks_own_range(pages.page_count);
    struct fewest_gen_progress progress = begin_progress(&bfs);
    bool made = bfs.bounds
                    ? bound_entries_make(bfs.bounds, own.end - own.first, pages.page_size, error)
                    : error_no_memory(error, "for a pattern database");
    bool done = search_with_marks(&bfs, made, search, &progress, error);
    if (done) {
        take_bounds(&bfs, progress.found > 0);
    } else if (bfs.bounds) {
        bound_entries_free(bfs.bounds);
        free(bfs.bounds);
    }
    free_share(&bfs);
    return done;
}

bool search_counts_memory(const struct state_count *count, unsigned ranks, uint64_t *bytes,
                          struct fewest_error *error)
{
    struct pages pages;
    const struct chain *chain = count->puzzle->numbering.roots[count->root].chain;
    uint64_t entries = puzzle_node_count(count->puzzle, count->root);
    if (!make_count_pages(&pages, count, true, error)) {
        return false;
    }
    if (pages.rows) {
        entries = pages.page_count * pages.page_size;
    }
    *bytes = pages.bytes + expand_exchange_memory(&pages, ranks) +
             (pages.rows ? 0 : forbidden_memory(count->puzzle, &pages)) +
             (chain ? chain_bytes(chain) : 0) +
             marks_bytes(entries) / (pages.page_size > 0 ? ranks : 1);
    if (pages.rows) { // before the search, there are lists of all pages instead of the marks
        uint64_t before = pages.bytes + symmetric_pages_listed_bytes(pages.rows);
        *bytes = *bytes > before ? *bytes : before;
    }
    pages_free(&pages);
    return true;
}
