// A breadth-first search. The states of one layer are found by a scan of the array, not kept in a queue: the scan is
// sequential, needs no memory, and any thread may take any part of it. Two threads that reach one state write the same.
//
// A layer is found in one of two ways. *Forward*: the neighbours of the last layer's states are marked. *Backward*: for
// each state without a distance, look for a neighbour in the last layer. Backward looks at few states when few are
// left, and stops at the first such neighbour.
#include "search.h"

#include "base/parallel.h"
#include "checkpoint.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

// How many states are looked at together where an index has no pages.
enum { RUN = 1 << 12 };

struct level {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pages *pages;
    struct distances *distances;
    const struct search_options *options;
    unsigned last; // the value of the distance that was found last
    unsigned next; // of the one to be found
    bool backward;
    // By page: does it have states that were found last, or in this level; and does it have none left to find?
    _Atomic bool *active;
    _Atomic bool *next_active;
    _Atomic bool *full;
    _Atomic uint64_t found;
    _Atomic bool stopped;
    _Atomic bool out_of_memory;
};

static bool is_stopped(struct level *level)
{
    if (level->options->stopped && level->options->stopped(level->options->context)) {
        level->stopped = true;
    }
    return level->stopped || level->out_of_memory;
}

// Flags are looked at in the next level, after the threads of this one have ended.
static void set_flag(_Atomic bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

static bool flag_is_set(const _Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

// ---- By pages -----------------------------------------------------------------------------------------------------

static inline uint64_t mark_neighbours(struct level *level, const struct page_cursor *cursor, const uint16_t *places,
                                       unsigned count, unsigned bits)
{
    _Atomic uint8_t *entries = level->distances->entries;
    const unsigned next = level->next;
    uint64_t found = 0;
    for (unsigned m = 0; m < level->puzzle->move_count; m++) {
        if (cursor->to[m] == INDEX_NONE) {
            continue;
        }
        const uint16_t *map = cursor->map[m];
        uint64_t first = cursor->to[m] * level->pages->place_count;
        uint64_t before = found;
        for (unsigned i = 0; i < count; i++) {
            found += distances_mark(entries, first + map[places[i]], next, bits);
        }
        if (found > before) {
            set_flag(&level->next_active[cursor->to[m]]);
        }
    }
    return found;
}

// Marks those of the places, which are unreached, that have a neighbour which was found last.
static inline uint64_t mark_places(struct level *level, const struct page_cursor *cursor, uint64_t page,
                                   uint16_t *places, unsigned count, unsigned bits)
{
    _Atomic uint8_t *entries = level->distances->entries;
    const unsigned last = level->last;
    const unsigned next = level->next;
    uint64_t own = page * level->pages->place_count;
    unsigned before = count;
    for (unsigned m = 0; m < level->puzzle->move_count && count > 0; m++) {
        if (cursor->to[m] == INDEX_NONE) {
            continue;
        }
        const uint16_t *map = cursor->map[m];
        uint64_t first = cursor->to[m] * level->pages->place_count;
        unsigned left = 0;
        for (unsigned i = 0; i < count; i++) {
            unsigned place = places[i];
            if (distances_get(entries, first + map[place], bits) == last) {
                distances_mark(entries, own + place, next, bits);
            } else {
                places[left++] = (uint16_t)place;
            }
        }
        count = left;
    }
    if (count < before) {
        set_flag(&level->next_active[page]);
    }
    return before - count;
}

static uint64_t expand_page(struct level *level, struct page_cursor *cursor, unsigned number, uint16_t *places)
{
    struct distances *distances = level->distances;
    unsigned place_count = level->pages->place_count;
    uint64_t page = cursor->page[number];
    unsigned wanted = level->backward ? distances_unreached(distances->bits) : level->last;
    if (level->backward ? flag_is_set(&level->full[page]) : !flag_is_set(&level->active[page])) {
        return 0;
    }
    unsigned count = distances_find(distances, page * place_count, place_count, wanted, places);
    if (count == 0) {
        if (level->backward) {
            set_flag(&level->full[page]);
        }
        return 0;
    }
    page_cursor_moves(cursor, number);
    if (level->backward) {
        return distances->bits == 8 ? mark_places(level, cursor, page, places, count, 8)
                                    : mark_places(level, cursor, page, places, count, 4);
    }
    return distances->bits == 8 ? mark_neighbours(level, cursor, places, count, 8)
                                : mark_neighbours(level, cursor, places, count, 4);
}

static void expand_groups(void *context, uint64_t begin, uint64_t end)
{
    struct level *level = context;
    struct page_cursor cursor;
    uint64_t found = 0;
    uint16_t *places = malloc((level->pages->place_count + 1) * sizeof *places);
    if (!places || !page_cursor_open(&cursor, level->pages)) {
        free(places);
        level->out_of_memory = true;
        return;
    }
    for (uint64_t group = begin; group < end && !is_stopped(level); group++) {
        page_cursor_go(&cursor, group);
        for (unsigned number = 0; number < level->pages->pages_a_group; number++) {
            found += expand_page(level, &cursor, number, places);
        }
    }
    atomic_fetch_add_explicit(&level->found, found, memory_order_relaxed);
    page_cursor_close(&cursor);
    free(places);
}

// ---- By states ----------------------------------------------------------------------------------------------------

static uint64_t expand_state(struct level *level, uint64_t index)
{
    uint64_t neighbours[MOVES_MOST];
    _Atomic uint8_t *entries = level->distances->entries;
    unsigned bits = level->distances->bits;
    uint64_t found = 0;
    if (level->backward) {
        puzzle_predecessors(level->puzzle, level->root, index, neighbours);
    } else {
        puzzle_neighbours(level->puzzle, level->root, index, neighbours);
    }
    for (unsigned m = 0; m < level->puzzle->move_count; m++) {
        if (neighbours[m] == INDEX_NONE) {
            continue;
        }
        if (!level->backward) {
            found += distances_mark(entries, neighbours[m], level->next, bits);
        } else if (distances_get(entries, neighbours[m], bits) == level->last) {
            return distances_mark(entries, index, level->next, bits);
        }
    }
    return found;
}

static void expand_runs(void *context, uint64_t begin, uint64_t end)
{
    struct level *level = context;
    uint16_t places[RUN + 1];
    uint64_t found = 0;
    unsigned wanted = level->backward ? distances_unreached(level->distances->bits) : level->last;
    for (uint64_t first = begin; first < end && !is_stopped(level); first += RUN) {
        unsigned count = end - first < RUN ? (unsigned)(end - first) : RUN;
        count = distances_find(level->distances, first, count, wanted, places);
        for (unsigned i = 0; i < count; i++) {
            found += expand_state(level, first + places[i]);
        }
    }
    atomic_fetch_add_explicit(&level->found, found, memory_order_relaxed);
}

// ---- The whole ----------------------------------------------------------------------------------------------------

// Backward, a state is asked until a neighbour was found last: about as often as such neighbours are rare.
static bool choose_backward(const struct level *level, uint64_t last, uint64_t unreached)
{
    double moves = level->puzzle->move_count;
    double asked = 1 + (double)unreached / (double)last;
    return (level->pages->place_count == 0 || level->pages->backwards) &&
           (double)unreached * (asked < moves ? asked : moves) < (double)last * moves;
}

static bool find_level(struct level *level, unsigned depth, struct fewest_error *error)
{
    struct distances *distances = level->distances;
    uint64_t unreached = distances->count;
    for (unsigned d = 0; d <= depth; d++) {
        unreached -= distances->histogram[d];
    }
    if (!distances_end_depth(distances, depth, level->options->threads, error)) {
        return false;
    }
    level->last = distances_value(depth, distances->bits);
    level->next = distances_value(depth + 1, distances->bits);
    level->backward = choose_backward(level, distances->histogram[depth], unreached);
    level->found = 0;
    if (unreached == 0) {
        return true;
    }
    if (level->pages->place_count > 0) {
        _Atomic bool *spent = level->next_active;
        level->next_active = level->active;
        level->active = spent;
        memset((void *)level->next_active, 0, level->pages->group_count * level->pages->pages_a_group);
        parallel_for(level->options->threads, level->pages->group_count, 16, expand_groups, level);
    } else {
        parallel_for(level->options->threads, distances->count, RUN, expand_runs, level);
    }
    if (level->out_of_memory) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
    }
    return !level->stopped ||
           error_set(error, FEWEST_STOPPED, "stopped while searching layer %u; no table was made", depth + 1);
}

// Saves a stopped search as it was before the layer that it was looking for.
static bool save_stopped(struct level *level, unsigned depth, struct fewest_error *error)
{
    struct checkpoint *checkpoint = level->options->checkpoint;
    struct fewest_error later;
    if (!checkpoint || error->status != FEWEST_STOPPED) {
        return false;
    }
    if (!distances_take_back(level->distances, depth + 1, &later) ||
        !checkpoint_save(checkpoint, level->root, level->distances, depth, true, &later)) {
        *error = later;
        return error_prefix(error, "stopped, and the checkpoint could not be saved");
    }
    return error_set(error, FEWEST_STOPPED,
                     "stopped while searching layer %u; run the same command again to resume from the checkpoint %s",
                     depth + 1, checkpoint->path);
}

static bool end_level(struct level *level, unsigned depth, struct fewest_error *error)
{
    if (depth >= DISTANCE_MOST && level->found > 0) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has states more than %d moves away; a table holds no larger distance", level->puzzle->name,
                         DISTANCE_MOST);
    }
    level->distances->histogram[depth + 1] = level->found;
    struct checkpoint *checkpoint = level->options->checkpoint;
    struct fewest_error unsaved;
    if (level->found > 0 && checkpoint &&
        !checkpoint_save(checkpoint, level->root, level->distances, depth + 1, false, &unsaved)) {
        error_prefix(&unsaved, "warning: the checkpoint was not saved, but the search continues");
        level->options->warn(level->options->context, unsaved.text);
    }
    return true;
}

static void tell(const struct level *level, unsigned depth)
{
    const struct search_options *options = level->options;
    const uint64_t *histogram = level->distances->histogram;
    uint64_t reached = 0;
    for (unsigned d = 0; d <= depth; d++) {
        reached += histogram[d];
    }
    if (options->progress) {
        options->progress(options->context, level->root, depth, histogram[depth], reached, level->distances->count);
    }
}

static bool find_levels(struct level *level, unsigned depth, struct fewest_error *error)
{
    for (;; depth++) {
        tell(level, depth);
        if (!find_level(level, depth, error)) {
            return save_stopped(level, depth, error);
        }
        if (!end_level(level, depth, error)) {
            return false;
        }
        if (level->found == 0) {
            return true;
        }
    }
}

// Resumes from a checkpoint, or begins with the root.
static bool begin(struct level *level, unsigned *depth, struct fewest_error *error)
{
    const struct search_options *options = level->options;
    struct distances *distances = level->distances;
    size_t page_count = level->pages->group_count * level->pages->pages_a_group;
    *depth = 0;
    distances_clear(distances, options->threads);
    if (options->checkpoint && !checkpoint_load(options->checkpoint, level->root, distances, depth, error)) {
        return false;
    }
    if (*depth > 0) {
        memset((void *)level->next_active, 1, page_count); // a checkpoint does not hold these flags
        return true;
    }
    uint64_t root = puzzle_rank(level->puzzle, level->root, level->puzzle->roots[level->root].target);
    distances_mark(distances->entries, root, 0, distances->bits);
    distances->histogram[0] = 1;
    if (page_count > 0) {
        set_flag(&level->next_active[root / level->pages->place_count]);
    }
    return true;
}

static bool make_flags(struct level *level, struct fewest_error *error)
{
    size_t count = level->pages->group_count * level->pages->pages_a_group + 1;
    level->active = calloc(count, sizeof *level->active);
    level->next_active = calloc(count, sizeof *level->next_active);
    level->full = calloc(count, sizeof *level->full);
    return (level->active && level->next_active && level->full) ||
           error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
}

static void free_flags(struct level *level)
{
    free((void *)level->active);
    free((void *)level->next_active);
    free((void *)level->full);
}

// Eight if another section is made from these distances: it looks them up.
unsigned search_bits(const struct puzzle *puzzle, unsigned root)
{
    static const uint64_t NARROW_LEAST = UINT64_C(1) << 24; // states
    bool looked_up = puzzle->roots[root].patterns.entries > 0 || puzzle->roots[root].hidden > 1;
    return looked_up || puzzle_full_count(puzzle, root) < NARROW_LEAST ? 8 : 4;
}

bool search_distances(const struct puzzle *puzzle, unsigned root, const struct search_options *options,
                      struct distances *distances, struct fewest_error *error)
{
    unsigned depth;
    struct pages pages;
    struct level level = {.puzzle = puzzle, .root = root, .pages = &pages, .distances = distances, .options = options};
    if (!pages_make(&pages, puzzle, root, error)) {
        return false;
    }
    bool done = make_flags(&level, error) && begin(&level, &depth, error) && find_levels(&level, depth, error);
    free_flags(&level);
    pages_free(&pages);
    return done;
}
