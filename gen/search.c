// Searches breadth first. A scan of the array finds the states of the frontier; there is no queue.
// The scan is sequential and needs no memory, and any thread may take any part of it. Two threads
// that reach a state write the same value.
//
// The search finds a layer in one of two ways:
//   - *Forward*: mark the neighbours of the frontier's states.
//   - *Backward*: for each state without a distance, look for a neighbour in the frontier, and stop
//     at the first one. This looks at few states when few are left.
#include "search.h"

#include "base/parallel.h"
#include "checkpoint.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

// Number of states that a thread scans at once if the index has no pages.
enum { RUN = 1 << 12 };

struct bfs {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pages *pages;
    struct distances *distances;
    const struct search_options *options;
    unsigned last; // value of an entry in the frontier
    unsigned next; // value of an entry in the next layer
    bool backward;
    _Atomic bool *active;      // by page: may it have states of the frontier?
    _Atomic bool *next_active; // by page: may it have states of the next layer?
    _Atomic bool *full;        // by page: is it known that all its states are reached?
    _Atomic uint64_t found;
    _Atomic bool stopped;
    _Atomic bool out_of_memory;
};

static bool should_stop(struct bfs *bfs)
{
    if (bfs->options->stopped && bfs->options->stopped(bfs->options->context)) {
        bfs->stopped = true;
    }
    return bfs->stopped || bfs->out_of_memory;
}

// Relaxed, because threads read the flags only in the next layer, after the threads of this one
// have ended.
static void set_flag(_Atomic bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

static bool flag_is_set(const _Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

// ---- By pages -----------------------------------------------------------------------------------

// Room for the places of a page.
struct places {
    uint16_t *place; // those to expand
    uint16_t *hit;   // those that a move is about to change
    unsigned count;  // to expand
};

// Marks the neighbours of these places. First lists which are unreached: without branches, because
// no branch could be predicted.
static inline uint64_t mark_neighbours(struct bfs *bfs, const struct page_cursor *cursor,
                                       const struct places *places, unsigned bits)
{
    _Atomic uint8_t *entries = bfs->distances->entries;
    const unsigned none = distances_unreached(bits);
    uint64_t found = 0;
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        if (cursor->to[m] == INDEX_NONE) {
            continue;
        }
        const uint16_t *map = cursor->map[m];
        uint64_t first = cursor->to[m] * bfs->pages->place_count;
        unsigned hits = 0;
        for (unsigned i = 0; i < places->count; i++) {
            uint16_t to = map[places->place[i]];
            places->hit[hits] = to;
            hits += distances_get(entries, first + to, bits) == none;
        }
        for (unsigned i = 0; i < hits; i++) {
            found += distances_mark(entries, first + places->hit[i], bfs->next, bits);
        }
        if (hits > 0) {
            set_flag(&bfs->next_active[cursor->to[m]]);
        }
    }
    return found;
}

// Marks those of these unreached places that have a neighbour in the frontier.
static inline uint64_t mark_places(struct bfs *bfs, const struct page_cursor *cursor, uint64_t page,
                                   struct places *places, unsigned bits)
{
    _Atomic uint8_t *entries = bfs->distances->entries;
    const unsigned last = bfs->last;
    // Else the page shares its first or last byte with another page.
    const bool owns_bytes = bits == 8 || bfs->pages->place_count % (8 / NARROW_BITS) == 0;
    uint64_t own = page * bfs->pages->place_count;
    unsigned before = places->count;
    for (unsigned m = 0; m < bfs->puzzle->move_count && places->count > 0; m++) {
        if (cursor->to[m] == INDEX_NONE) {
            continue;
        }
        const uint16_t *map = cursor->map[m];
        uint64_t first = cursor->to[m] * bfs->pages->place_count;
        unsigned left = 0;
        unsigned hits = 0;
        for (unsigned i = 0; i < places->count; i++) {
            uint16_t place = places->place[i];
            bool is_hit = distances_get(entries, first + map[place], bits) == last;
            places->hit[hits] = place;
            places->place[left] = place;
            hits += is_hit;
            left += !is_hit;
        }
        for (unsigned i = 0; i < hits; i++) {
            if (owns_bytes) {
                distances_set(entries, own + places->hit[i], bfs->next, bits);
            } else {
                distances_mark(entries, own + places->hit[i], bfs->next, bits);
            }
        }
        places->count = left;
    }
    if (places->count < before) {
        set_flag(&bfs->next_active[page]);
    }
    return before - places->count;
}

// Has a page nothing that this layer expands?
static bool page_is_idle(const struct bfs *bfs, uint64_t page)
{
    return bfs->backward ? flag_is_set(&bfs->full[page]) : !flag_is_set(&bfs->active[page]);
}

static uint64_t expand_page(struct bfs *bfs, struct page_cursor *cursor, unsigned number,
                            struct places *places)
{
    struct distances *distances = bfs->distances;
    unsigned place_count = bfs->pages->place_count;
    uint64_t page = cursor->page[number];
    unsigned wanted = bfs->backward ? distances_unreached(distances->bits) : bfs->last;
    if (page_is_idle(bfs, page)) {
        return 0;
    }
    places->count =
        distances_find(distances, page * place_count, place_count, wanted, places->place);
    if (places->count == 0) {
        if (bfs->backward) {
            set_flag(&bfs->full[page]);
        }
        return 0;
    }
    page_cursor_moves(cursor, number);
    if (bfs->backward) {
        return distances->bits == 8 ? mark_places(bfs, cursor, page, places, 8)
                                    : mark_places(bfs, cursor, page, places, NARROW_BITS);
    }
    return distances->bits == 8 ? mark_neighbours(bfs, cursor, places, 8)
                                : mark_neighbours(bfs, cursor, places, NARROW_BITS);
}

static void expand_groups(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct page_cursor cursor;
    uint64_t found = 0;
    size_t room = bfs->pages->place_count + 1; // distances_find and the lists write one more
    uint16_t *both = malloc(2 * room * sizeof *both);
    if (!both || !page_cursor_open(&cursor, bfs->pages)) {
        free(both);
        bfs->out_of_memory = true;
        return;
    }
    struct places places = {.place = both, .hit = both + room};
    bool page_is_group = bfs->pages->pages_a_group == 1 && bfs->pages->maps;
    for (uint64_t group = begin; group < end; group++) {
        if (page_is_group && page_is_idle(bfs, group)) {
            continue;
        }
        if (should_stop(bfs)) {
            break;
        }
        page_cursor_go(&cursor, group);
        for (unsigned number = 0; number < bfs->pages->pages_a_group; number++) {
            found += expand_page(bfs, &cursor, number, &places);
        }
    }
    atomic_fetch_add_explicit(&bfs->found, found, memory_order_relaxed);
    page_cursor_close(&cursor);
    free(both);
}

// ---- By states ----------------------------------------------------------------------------------

static uint64_t expand_state(struct bfs *bfs, uint64_t index)
{
    uint64_t neighbours[MOVES_MOST];
    _Atomic uint8_t *entries = bfs->distances->entries;
    unsigned bits = bfs->distances->bits;
    uint64_t found = 0;
    if (bfs->backward && !bfs->puzzle->reversible) {
        puzzle_predecessors(bfs->puzzle, bfs->root, index, neighbours);
    } else {
        puzzle_neighbours(bfs->puzzle, bfs->root, index, neighbours);
    }
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        if (neighbours[m] == INDEX_NONE) {
            continue;
        }
        if (!bfs->backward) {
            found += distances_mark(entries, neighbours[m], bfs->next, bits);
        } else if (distances_get(entries, neighbours[m], bits) == bfs->last) {
            distances_set(entries, index, bfs->next, bits); // a run has whole bytes
            return 1;
        }
    }
    return found;
}

static void expand_runs(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    uint16_t places[RUN + 1];
    uint64_t found = 0;
    unsigned wanted = bfs->backward ? distances_unreached(bfs->distances->bits) : bfs->last;
    for (uint64_t first = begin; first < end && !should_stop(bfs); first += RUN) {
        unsigned count = end - first < RUN ? (unsigned)(end - first) : RUN;
        count = distances_find(bfs->distances, first, count, wanted, places);
        for (unsigned i = 0; i < count; i++) {
            found += expand_state(bfs, first + places[i]);
        }
    }
    atomic_fetch_add_explicit(&bfs->found, found, memory_order_relaxed);
}

// ---- The search ---------------------------------------------------------------------------------

// Estimates which way looks at fewer neighbours. Backward, a state is done at its first neighbour
// in the frontier. The rarer these are, the more neighbours it looks at.
static bool choose_backward(const struct bfs *bfs, uint64_t last, uint64_t unreached)
{
    double moves = bfs->puzzle->move_count;
    double asked = 1 + (double)unreached / (double)last;
    return (bfs->pages->place_count == 0 || bfs->puzzle->reversible) &&
           (double)unreached * (asked < moves ? asked : moves) < (double)last * moves;
}

static bool find_layer(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    uint64_t unreached = distances->count;
    for (unsigned d = 0; d <= layer; d++) {
        unreached -= distances->histogram[d];
    }
    if (!distances_end_layer(distances, layer, bfs->options->threads, error)) {
        return false;
    }
    bfs->last = distances_value(layer, distances->bits);
    bfs->next = distances_value(layer + 1, distances->bits);
    bfs->backward = choose_backward(bfs, distances->histogram[layer], unreached);
    bfs->found = 0;
    if (unreached == 0) {
        return true;
    }
    if (bfs->pages->place_count > 0) {
        _Atomic bool *spent = bfs->next_active;
        bfs->next_active = bfs->active;
        bfs->active = spent;
        memset((void *)bfs->next_active, 0, bfs->pages->group_count * bfs->pages->pages_a_group);
        // Each part allocates memory, so there are not too many.
        enum { GRAIN_LEAST = 16, PARTS = 64 };
        unsigned threads = bfs->options->threads;
        uint64_t grain = bfs->pages->group_count / ((uint64_t)threads * PARTS);
        parallel_for(threads, bfs->pages->group_count, grain > GRAIN_LEAST ? grain : GRAIN_LEAST,
                     expand_groups, bfs);
    } else {
        parallel_for(bfs->options->threads, distances->count, RUN, expand_runs, bfs);
    }
    if (bfs->out_of_memory) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
    }
    return !bfs->stopped ||
           error_set(error, FEWEST_STOPPED, "stopped while searching layer %u; no table was made",
                     layer + 1);
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
        return error_set(error, FEWEST_BEYOND,
                         "%s has states more than %d moves away; a table holds no larger distance",
                         bfs->puzzle->name, DISTANCE_MOST);
    }
    bfs->distances->histogram[layer + 1] = bfs->found;
    struct checkpoint *checkpoint = bfs->options->checkpoint;
    struct fewest_error unsaved;
    if (bfs->found > 0 && checkpoint &&
        !checkpoint_save(checkpoint, bfs->root, bfs->distances, layer + 1, false, &unsaved)) {
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
                                           .entries = bfs->distances->count};
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

// Resumes from a checkpoint, or begins with the root.
static bool begin_search(struct bfs *bfs, unsigned *layer, struct fewest_error *error)
{
    const struct search_options *options = bfs->options;
    struct distances *distances = bfs->distances;
    size_t page_count = bfs->pages->group_count * bfs->pages->pages_a_group;
    *layer = 0;
    distances_clear(distances, options->threads);
    if (options->checkpoint &&
        !checkpoint_load(options->checkpoint, bfs->root, distances, layer, error)) {
        return false;
    }
    // The first layer to be found makes `next_active` the flags of the frontier.
    if (*layer > 0) {
        memset((void *)bfs->next_active, 1, page_count); // a checkpoint does not hold these flags
        return true;
    }
    uint64_t root =
        puzzle_rank(bfs->puzzle, bfs->root, bfs->puzzle->numbering.roots[bfs->root].target);
    distances_mark(distances->entries, root, distances_value(0, distances->bits), distances->bits);
    distances->histogram[0] = 1;
    if (page_count > 0) {
        set_flag(&bfs->next_active[root / bfs->pages->place_count]);
    }
    return true;
}

static bool make_flags(struct bfs *bfs, struct fewest_error *error)
{
    size_t count = bfs->pages->group_count * bfs->pages->pages_a_group + 1;
    bfs->active = calloc(count, sizeof *bfs->active);
    bfs->next_active = calloc(count, sizeof *bfs->next_active);
    bfs->full = calloc(count, sizeof *bfs->full);
    return (bfs->active && bfs->next_active && bfs->full) ||
           error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
}

static void free_flags(struct bfs *bfs)
{
    free((void *)bfs->active);
    free((void *)bfs->next_active);
    free((void *)bfs->full);
}

// A section that is made from these distances reads them as bytes.
unsigned search_bits(const struct puzzle *puzzle, unsigned root,
                     const struct search_options *options)
{
    static const uint64_t NARROW_LEAST = UINT64_C(1) << 24; // states
    uint64_t least = options->narrow_least > 0 ? options->narrow_least : NARROW_LEAST;
    bool looked_up = puzzle->numbering.roots[root].wildcards.entries > 0 ||
                     puzzle->numbering.roots[root].hidden > 1;
    return looked_up || puzzle_full_count(puzzle, root) < least ? 8 : NARROW_BITS;
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
    if (!pages_make(&pages, puzzle, root, error)) {
        return false;
    }
    bool done = make_flags(&bfs, error) && begin_search(&bfs, &layer, error) &&
                find_layers(&bfs, layer, error);
    free_flags(&bfs);
    pages_free(&pages);
    return done;
}
