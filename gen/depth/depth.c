// Searches breadth first, from layer to layer of packed states.
//
// A layer is expanded in portions: some states of the frontier, and all that moves undone lead to
// from there. What is new in a portion is merged into the next layer. If each move can be undone by
// a move, only the frontier and the layer before it have neighbours of the frontier that are not
// new. Else every earlier layer can have some, and `before` is all of them.
#include "depth.h"

#include "code_symmetries.h"
#include "gen/plan/forecast.h"
#include "packed_states.h"
#include "tables/base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct depth_search {
    const struct puzzle *puzzle;
    const struct search_options *options;
    struct depth_counts *counts;
    uint64_t memory; // limit in bytes
    struct state_codes codes;
    struct packed_set *before;
    struct packed_set *frontier;
    struct packed_set *next;
    struct packed_portion *portion;
    // By bucket: how many states the buckets before it have, of the set that threads go through.
    uint64_t passed[PACKED_BUCKETS + 1];
    const struct packed_set *visited; // this set
    uint64_t first;                   // the first state of the frontier that the portion expands
    _Atomic uint64_t states;          // of a layer that is counted
    _Atomic bool stopped;
    _Atomic bool out_of_memory;
};

static bool should_stop(struct depth_search *search)
{
    if (options_stop(search->options)) {
        search->stopped = true;
    }
    return search->stopped || search->out_of_memory;
}

static bool report_stopped(const struct depth_search *search, struct fewest_error *error)
{
    return error_set(error, FEWEST_STOPPED, "stopped while searching layer %u",
                     search->counts->layers);
}

// ---- Visiting a set -----------------------------------------------------------------------------

// Begins a visit of the states of a set by their numbers, which threads share.
static void begin_visit(struct depth_search *search, const struct packed_set *set)
{
    uint64_t passed = 0;
    for (unsigned b = 0; b < PACKED_BUCKETS; b++) {
        search->passed[b] = passed;
        passed += set->buckets[b].count;
    }
    search->passed[PACKED_BUCKETS] = passed;
    search->visited = set;
}

// Returns the bucket of a state by its number: the last one that begins with it or before it.
static unsigned find_bucket(const struct depth_search *search, uint64_t number)
{
    unsigned low = 0;
    unsigned high = PACKED_BUCKETS;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (search->passed[middle] <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Reads the state with a number. *bucket is that of an earlier state, or of this one.
static void read_state(const struct depth_search *search, uint64_t number, unsigned *bucket,
                       uint64_t *packed, uint16_t *state)
{
    unsigned words = search->codes.words;
    while (number >= search->passed[*bucket + 1]) {
        ++*bucket;
    }
    const uint64_t *states = search->visited->buckets[*bucket].states;
    memcpy(packed, states + (number - search->passed[*bucket]) * words, words * sizeof *packed);
    packed_gather(packed, words);
    codes_unpack(&search->codes, packed, state);
}

// ---- Expanding ----------------------------------------------------------------------------------

enum { STATES_AT_ONCE = 64 }; // of a thread

// Packs the least state of a class. `least` is room for a state.
static void pack_class(const struct depth_search *search, const uint16_t *state, uint16_t *least,
                       uint64_t *packed)
{
    codes_find_least(&search->codes, state, least);
    codes_pack(&search->codes, least, packed);
    packed_spread(packed, search->codes.words);
}

// Adds to the portion what moves undone lead to from the states begin … end-1, counted from the
// first state of the portion.
static void expand_states(void *context, uint64_t begin, uint64_t end)
{
    struct depth_search *search = context;
    unsigned words = search->codes.words;
    unsigned bucket = find_bucket(search, search->first + begin);
    uint16_t state[CODES_MOST];
    uint16_t neighbour[CODES_MOST];
    uint16_t least[CODES_MOST];
    uint64_t *packed = malloc(((size_t)search->puzzle->move_count + 1) * words * sizeof *packed);
    if (!packed) {
        search->out_of_memory = true;
        return;
    }
    for (uint64_t i = begin; i < end && !should_stop(search); i++) {
        uint64_t count = 0;
        read_state(search, search->first + i, &bucket, packed, state);
        for (unsigned m = 0; m < search->puzzle->move_count; m++) {
            if (codes_undo(&search->codes, m, state, neighbour)) {
                pack_class(search, neighbour, least, packed + count * words);
                count++;
            }
        }
        packed_portion_add(search->portion, packed, count);
    }
    free(packed);
}

// The bytes of all states that the search keeps now. The gaps between growing buckets take up to a
// quarter more (9 to 20 % were measured).
static uint64_t used_bytes(const struct depth_search *search)
{
    uint64_t bytes = packed_set_bytes(search->before) + packed_set_bytes(search->frontier) +
                     packed_set_bytes(search->next);
    return bytes + bytes / 4;
}

// Chooses how many states of the frontier the next portion expands, of those that are left. To
// merge a portion takes time in proportion to all states, so a portion is at least a quarter of
// them if the memory allows. Returns 0 if the memory allows no portion that is worth it.
static uint64_t choose_portion(const struct depth_search *search, uint64_t left)
{
    enum { USUAL_PART = 4, LEAST_PART = 64 };
    static const uint64_t SMALL_BYTES = UINT64_C(32) << 20;
    uint64_t of_a_state = packed_portion_bytes(search->codes.words, search->puzzle->move_count);
    uint64_t used = used_bytes(search);
    uint64_t unused = search->memory > used ? search->memory - used : 0;
    uint64_t bytes = used / USUAL_PART > SMALL_BYTES ? used / USUAL_PART : SMALL_BYTES;
    uint64_t most = unused / 2; // the other half is for what is new
    bytes = bytes < most ? bytes : most;
    uint64_t count = bytes / of_a_state;
    if (count >= left) {
        return left;
    }
    return bytes < used / LEAST_PART ? 0 : count;
}

// Merges what is new in the portion into the next layer. Returns false if that does not fit in the
// memory.
static bool keep_portion(struct depth_search *search)
{
    struct packed_portion *portion = search->portion;
    enum { KNOWN = 3 };
    const struct packed_set *known[KNOWN] = {search->next, search->frontier, search->before};
    packed_portion_sort(portion, known, KNOWN, search->options->threads);
    uint64_t needed = used_bytes(search) + portion->count * portion->words * sizeof(uint64_t) +
                      packed_portion_bytes(portion->words, portion->room);
    return needed <= search->memory &&
           packed_set_add_portion(search->next, portion, search->options->threads);
}

// Expands `count` states of the frontier from number search->first on. Returns false if the memory
// does not do, or if the watcher stopped the search.
static bool expand_portion(struct depth_search *search, uint64_t count)
{
    search->portion = packed_portion_make(search->codes.words, count * search->puzzle->move_count);
    if (!search->portion) {
        return false;
    }
    parallel_for(search->options->threads, count, STATES_AT_ONCE, expand_states, search);
    bool done = !should_stop(search) && keep_portion(search);
    packed_portion_free(search->portion);
    search->portion = NULL;
    return done;
}

// Finds the states of the layer after the frontier. Returns false if the memory does not do, or if
// the watcher stopped the search.
static bool expand_frontier(struct depth_search *search)
{
    uint64_t all = search->frontier->count;
    begin_visit(search, search->frontier);
    search->first = 0;
    while (search->first < all) {
        uint64_t count = choose_portion(search, all - search->first);
        if (count == 0 || !expand_portion(search, count)) {
            return false;
        }
        search->first += count;
    }
    return true;
}

// ---- Layers -------------------------------------------------------------------------------------

// Counts the states of the classes begin … end-1 of a layer. A class has as many states as there
// are symmetries for each one that keeps a state.
static void count_states(void *context, uint64_t begin, uint64_t end)
{
    struct depth_search *search = context;
    unsigned bucket = find_bucket(search, begin);
    uint16_t state[CODES_MOST];
    uint16_t least[CODES_MOST];
    uint64_t *packed = malloc(search->codes.words * sizeof *packed);
    uint64_t states = 0;
    if (!packed) {
        search->out_of_memory = true;
        return;
    }
    for (uint64_t i = begin; i < end && !should_stop(search); i++) {
        read_state(search, i, &bucket, packed, state);
        states += search->codes.symmetry_count / codes_find_least(&search->codes, state, least);
    }
    atomic_fetch_add(&search->states, states);
    free(packed);
}

// Tells the watcher about the newest layer.
static void tell_layer(const struct depth_search *search)
{
    const struct depth_counts *counts = search->counts;
    const struct puzzle *puzzle = search->puzzle;
    struct fewest_gen_progress progress = {.event = FEWEST_GEN_LAYER,
                                           .search = "root",
                                           .count = 1,
                                           .layer = counts->layers - 1,
                                           .found = counts->states[counts->layers - 1],
                                           .entries = puzzle->reachable_count};
    for (unsigned layer = 0; layer < counts->layers; layer++) {
        progress.reached += counts->states[layer];
    }
    options_tell(search->options, &progress);
}

// Counts the states of the next layer, which is complete, and tells the watcher. Returns false if
// it stopped the search, or if memory runs out.
static bool count_layer(struct depth_search *search)
{
    enum { CLASSES_AT_ONCE = 1 << 12 }; // of a thread
    struct depth_counts *counts = search->counts;
    uint64_t classes = search->next->count;
    search->states = classes;
    if (search->codes.symmetry_count > 1) {
        search->states = 0;
        begin_visit(search, search->next);
        parallel_for(search->options->threads, classes, CLASSES_AT_ONCE, count_states, search);
    }
    if (should_stop(search)) {
        return false;
    }
    counts->classes[counts->layers] = classes;
    counts->states[counts->layers] = search->states;
    counts->layers++;
    tell_layer(search);
    return true;
}

// Makes the next layer the frontier. Returns false if memory runs out.
static bool move_frontier(struct depth_search *search)
{
    struct packed_set *newest = search->next;
    if (search->puzzle->reversible) {
        struct packed_set *oldest = search->before;
        packed_set_clear(oldest);
        search->before = search->frontier;
        search->next = oldest;
    } else {
        if (!packed_set_move(search->before, search->frontier, search->options->threads)) {
            return false;
        }
        search->next = search->frontier;
    }
    search->frontier = newest;
    return true;
}

// Puts the goals into the next layer. Returns false after an error.
static bool add_goals(struct depth_search *search, struct fewest_error *error)
{
    unsigned words = search->codes.words;
    uint16_t state[CODES_MOST];
    uint16_t least[CODES_MOST];
    uint64_t *packed = malloc(words * sizeof *packed);
    search->portion = packed_portion_make(words, search->puzzle->goal_count);
    bool done = packed && search->portion;
    for (unsigned g = 0; g < search->puzzle->goal_count && done; g++) {
        if (!codes_read_goal(&search->codes, g, state, error)) {
            free(packed);
            return false;
        }
        pack_class(search, state, least, packed);
        packed_portion_add(search->portion, packed, 1);
    }
    free(packed);
    if (done) {
        packed_portion_sort(search->portion, NULL, 0, 1);
        done = packed_set_add_portion(search->next, search->portion, 1);
    }
    packed_portion_free(search->portion);
    search->portion = NULL;
    return done || error_no_memory(error, "for the states");
}

// Finds one layer after the other, up to the depth. Returns false after an error.
static bool search_layers(struct depth_search *search, unsigned depth, struct fewest_error *error)
{
    struct depth_counts *counts = search->counts;
    bool done = add_goals(search, error);
    if (!done) {
        return false;
    }
    while (count_layer(search) && counts->layers <= depth) {
        if (!move_frontier(search) || !expand_frontier(search)) {
            break;
        }
        if (search->next->count == 0) {
            counts->has_all = true;
            return true;
        }
        if (counts->layers == FEWEST_GEN_DISTANCES) {
            return error_set(error, FEWEST_BEYOND,
                             "%s has states more than %d moves away; a search by depth counts no "
                             "larger distance, but --depth %d counts those up to there",
                             search->puzzle->name, FEWEST_GEN_DISTANCES - 1,
                             FEWEST_GEN_DISTANCES - 1);
        }
    }
    if (search->stopped) {
        return report_stopped(search, error);
    }
    counts->lacked_memory = counts->layers <= depth;
    return counts->layers > 0 || error_no_memory(error, "for the states");
}

// Makes the codes of the puzzle, and empty sets. Returns false after an error.
static bool begin_search(struct depth_search *search, bool use_symmetries,
                         struct fewest_error *error)
{
    struct state_codes *codes = &search->codes;
    if (!codes_make(codes, search->puzzle, error) ||
        (use_symmetries && !code_symmetries_add(codes, error))) {
        return false;
    }
    search->counts->symmetries = codes->symmetry_count;
    search->before = packed_set_make(codes->words);
    search->frontier = packed_set_make(codes->words);
    search->next = packed_set_make(codes->words);
    return (search->before && search->frontier && search->next) ||
           error_no_memory(error, "for the states");
}

bool depth_count(const struct puzzle *puzzle, const struct depth_limits *limits,
                 const struct search_options *options, struct depth_counts *counts,
                 struct fewest_error *error)
{
    struct depth_search search = {.puzzle = puzzle,
                                  .options = options,
                                  .counts = counts,
                                  .memory =
                                      limits->memory > 0 ? limits->memory : forecast_available()};
    *counts = (struct depth_counts){.layers = 0};
    bool done = begin_search(&search, limits->use_symmetries, error) &&
                search_layers(&search, limits->depth, error);
    packed_set_free(search.before);
    packed_set_free(search.frontier);
    packed_set_free(search.next);
    codes_free(&search.codes);
    return done;
}
