// Searches breadth first. A scan of the array finds the states of the frontier; there is no queue.
// The scan is sequential and needs no memory, and any thread may take any part of it. Two threads
// that reach a state write the same value.
//
// The search finds new states in one of two ways:
//   - *Forward*: mark the neighbours of the frontier's states.
//   - *Backward*: for each state without a distance, look for a neighbour in the frontier. This
//     looks at few states when few are left.
// If the index has pages, each pair of a page and a neighbour page takes the quicker way. Else a
// layer takes one way.
#include "search.h"

#include "base/parallel.h"
#include "checkpoint.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

// Numbers of states and pages that a thread scans at once.
enum { RUN = 1 << 12, PAGES_AT_ONCE = 256 };

struct bfs {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pages *pages;
    struct distances *distances;
    const struct search_options *options;
    unsigned last;             // value of an entry in the frontier
    unsigned next;             // value of an entry in the next layer
    bool backward;             // the way, by states
    _Atomic bool *active;      // by page: may it have states of the frontier?
    _Atomic bool *next_active; // by page: may it have states of the next layer?
    _Atomic uint32_t *left;    // by page: how many of its states have no distance
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

static unsigned count_left(const struct bfs *bfs, uint64_t page)
{
    return atomic_load_explicit(&bfs->left[page], memory_order_relaxed);
}

// ---- By pages -----------------------------------------------------------------------------------

// The places of a page that are in the frontier.
struct places {
    uint64_t first; // entry of the page
    uint16_t *place;
    unsigned count;
    uint64_t *bits; // the same, a bit for each place; made when they are first needed
    bool have_bits;
    uint16_t *hit; // room for the places of another page
};

static void make_bits(const struct bfs *bfs, struct places *places)
{
    if (!places->have_bits) {
        distances_find_bits(bfs->distances, places->first, bfs->pages->place_count, bfs->last,
                            places->bits);
        places->have_bits = true;
    }
}

// Marks the unreached places of a page that a move leads to. First lists them without branches,
// because no branch could be predicted.
static inline unsigned mark_forward(struct bfs *bfs, uint64_t first, const uint16_t *map,
                                    const struct places *places, unsigned bits)
{
    _Atomic uint8_t *entries = bfs->distances->entries;
    const unsigned none = distances_unreached(bits);
    unsigned hits = 0;
    unsigned marked = 0;
    for (unsigned i = 0; i < places->count; i++) {
        uint16_t to = map[places->place[i]];
        places->hit[hits] = to;
        hits += distances_get(entries, first + to, bits) == none;
    }
    if (bfs->options->threads == 1) {
        for (unsigned i = 0; i < hits; i++) {
            distances_set(entries, first + places->hit[i], bfs->next, bits);
        }
        return hits;
    }
    for (unsigned i = 0; i < hits; i++) {
        marked += distances_mark(entries, first + places->hit[i], bfs->next, bits);
    }
    return marked;
}

static unsigned mark_page(struct bfs *bfs, uint64_t page, const uint16_t *map,
                          const uint16_t *inverse, struct places *places)
{
    enum { ENTRIES_AT_ONCE = 16 }; // that the way backward skips in the time of one place
    unsigned place_count = bfs->pages->place_count;
    uint64_t first = page * place_count;
    if (inverse && count_left(bfs, page) + place_count / ENTRIES_AT_ONCE < places->count) {
        make_bits(bfs, places);
        return distances_mark_from(bfs->distances, first, place_count, inverse, places->bits,
                                   bfs->next, bfs->options->threads == 1);
    }
    return bfs->distances->bits == 8 ? mark_forward(bfs, first, map, places, 8)
                                     : mark_forward(bfs, first, map, places, NARROW_BITS);
}

// Marks the neighbours of these places, move by move.
static uint64_t mark_neighbours(struct bfs *bfs, const struct page_cursor *cursor,
                                struct places *places)
{
    uint64_t found = 0;
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        uint64_t page = cursor->to[m];
        if (page == INDEX_NONE || count_left(bfs, page) == 0) {
            continue;
        }
        unsigned marked = mark_page(bfs, page, cursor->map[m], cursor->inverse[m], places);
        if (marked > 0) {
            atomic_fetch_sub_explicit(&bfs->left[page], marked, memory_order_relaxed);
            set_flag(&bfs->next_active[page]);
        }
        found += marked;
    }
    return found;
}

static uint64_t expand_page(struct bfs *bfs, struct page_cursor *cursor, unsigned number,
                            struct places *places)
{
    struct distances *distances = bfs->distances;
    unsigned place_count = bfs->pages->place_count;
    uint64_t page = cursor->page[number];
    if (!flag_is_set(&bfs->active[page])) {
        return 0;
    }
    places->first = page * place_count;
    places->have_bits = false;
    places->count = distances_find(distances, places->first, place_count, bfs->last, places->place);
    if (places->count == 0) {
        return 0;
    }
    page_cursor_moves(cursor, number);
    return mark_neighbours(bfs, cursor, places);
}

static bool make_places(const struct bfs *bfs, struct places *places)
{
    size_t room = bfs->pages->place_count + 1; // mark_forward writes one more
    places->place = malloc(room * sizeof *places->place);
    places->hit = malloc(room * sizeof *places->hit);
    places->bits = malloc((room / 64 + 2) * sizeof *places->bits);
    return places->place && places->hit && places->bits;
}

static void free_places(struct places *places)
{
    free(places->place);
    free(places->hit);
    free(places->bits);
}

static void expand_groups(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct page_cursor cursor;
    uint64_t found = 0;
    struct places places;
    if (!make_places(bfs, &places) || !page_cursor_open(&cursor, bfs->pages)) {
        free_places(&places);
        bfs->out_of_memory = true;
        return;
    }
    bool page_is_group = bfs->pages->pages_a_group == 1 && bfs->pages->maps;
    for (uint64_t group = begin; group < end; group++) {
        if (page_is_group && !flag_is_set(&bfs->active[group])) {
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
    free_places(&places);
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
    return (double)unreached * (asked < moves ? asked : moves) < (double)last * moves;
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
    // The first layer to be found makes `next_active` the flags of the frontier. A checkpoint does
    // not hold these flags.
    memset((void *)bfs->next_active, *layer > 0, page_count);
    parallel_for(options->threads, page_count, PAGES_AT_ONCE, count_pages, bfs);
    if (*layer > 0) {
        return true;
    }
    uint64_t root =
        puzzle_rank(bfs->puzzle, bfs->root, bfs->puzzle->numbering.roots[bfs->root].target);
    distances_mark(distances->entries, root, distances_value(0, distances->bits), distances->bits);
    distances->histogram[0] = 1;
    if (page_count > 0) {
        bfs->left[root / bfs->pages->place_count]--;
        set_flag(&bfs->next_active[root / bfs->pages->place_count]);
    }
    return true;
}

static bool make_flags(struct bfs *bfs, struct fewest_error *error)
{
    size_t count = bfs->pages->group_count * bfs->pages->pages_a_group + 1;
    bfs->active = calloc(count, sizeof *bfs->active);
    bfs->next_active = calloc(count, sizeof *bfs->next_active);
    bfs->left = calloc(count, sizeof *bfs->left);
    return (bfs->active && bfs->next_active && bfs->left) ||
           error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
}

static void free_flags(struct bfs *bfs)
{
    free((void *)bfs->active);
    free((void *)bfs->next_active);
    free((void *)bfs->left);
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
