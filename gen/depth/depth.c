// Searches breadth first, from layer to layer of packed states.
//
// The search undoes each move from each state of the frontier, and adds the results to the next
// layer. If each move can be undone by a move, only the frontier and the layer before it have
// neighbours of the frontier that are not new. Else every earlier layer can have some, so all of
// them are kept.
#include "depth.h"

#include "code_symmetries.h"
#include "gen/plan/forecast.h"
#include "packed_states.h"
#include "tables/base/parallel.h"

#include <stdatomic.h>
#include <string.h>

struct depth_search {
    const struct puzzle *puzzle;
    const struct search_options *options;
    struct depth_counts *counts;
    struct state_codes codes;
    struct packed_memory memory;
    struct packed_set *layers[FEWEST_GEN_DISTANCES + 1]; // NULL: no longer needed
    struct packed_set *newest;                           // of these; it is not complete yet
    unsigned first;          // bucket of the frontier that is expanded now
    _Atomic uint64_t states; // of a layer that is counted
    _Atomic bool stopped;
    _Atomic bool lacks_memory;
};

static bool should_stop(struct depth_search *search)
{
    if (options_stop(search->options)) {
        search->stopped = true;
    }
    return search->stopped || search->lacks_memory;
}

static bool report_stopped(const struct depth_search *search, struct fewest_error *error)
{
    return error_set(error, FEWEST_STOPPED, "stopped while searching layer %u",
                     search->counts->layers);
}

// ---- Expanding ----------------------------------------------------------------------------------

// Adds the least state of a class to the newest layer. Returns false if memory runs out.
static bool add_class(struct depth_search *search, const uint16_t *state)
{
    uint16_t least[CODES_MOST];
    uint64_t packed[CODE_WORDS_MOST];
    codes_find_least(&search->codes, state, least);
    codes_pack(&search->codes, least, packed);
    if (!packed_set_add(search->newest, packed)) {
        search->lacks_memory = true;
        return false;
    }
    return true;
}

// Undoes each move from a state, and adds the results. Returns false if it needs more memory than
// there is.
static bool expand_state(struct depth_search *search, const uint16_t *state)
{
    uint16_t neighbour[CODES_MOST];
    for (unsigned m = 0; m < search->puzzle->move_count; m++) {
        if (codes_undo(&search->codes, m, state, neighbour) && !add_class(search, neighbour)) {
            return false;
        }
    }
    return true;
}

// Expands the states of the buckets begin … end-1, counted from search->first, of the frontier.
static void expand_buckets(void *context, uint64_t begin, uint64_t end)
{
    enum { STATES_A_QUESTION = 16 };
    struct depth_search *search = context;
    const struct packed_set *frontier = search->layers[search->counts->layers - 1];
    uint16_t state[CODES_MOST];
    for (uint64_t b = search->first + begin; b < search->first + end; b++) {
        const struct packed_bucket *bucket = &frontier->buckets[b];
        for (uint64_t i = 0; i < bucket->count; i++) {
            bool is_asked = i % STATES_A_QUESTION == 0;
            codes_unpack(&search->codes, bucket->states + i * frontier->words, state);
            if ((is_asked && should_stop(search)) || !expand_state(search, state)) {
                return;
            }
        }
    }
}

// Chooses how many buckets of the frontier are expanded before the next layer is tidied. The time
// for tidying grows with all states, so a quarter of the used memory may be added, or 16 MiB if
// that is more, but at most half of the unused memory. Returns 0 if that is less than a 64th of the
// used memory.
static unsigned choose_buckets(const struct depth_search *search)
{
    enum { USUAL_PART = 4, LEAST_PART = 64 };
    static const uint64_t SMALL_BYTES = UINT64_C(16) << 20;
    const struct packed_set *frontier = search->layers[search->counts->layers - 1];
    uint64_t of_a_state = sizeof(uint64_t) * frontier->words * search->puzzle->move_count;
    uint64_t used = search->memory.used;
    uint64_t unused = search->memory.most > used ? search->memory.most - used : 0;
    uint64_t most = used / USUAL_PART > SMALL_BYTES ? used / USUAL_PART : SMALL_BYTES;
    most = most < unused / 2 ? most : unused / 2; // the other half is for what is new
    unsigned count = 0;
    uint64_t bytes = 0;
    while (search->first + count < PACKED_BUCKETS && bytes <= most) {
        bytes += frontier->buckets[search->first + count].count * of_a_state;
        count++;
    }
    return most < used / LEAST_PART ? 0 : count;
}

// Finds the states of the layer after the frontier. Returns false if memory runs out, or if
// the watcher stopped the search.
static bool expand_frontier(struct depth_search *search)
{
    unsigned threads = search->options->threads;
    for (search->first = 0; search->first < PACKED_BUCKETS;) {
        unsigned count = choose_buckets(search);
        parallel_for(threads, count, 1, expand_buckets, search);
        if (count == 0 || should_stop(search) || !packed_set_tidy(search->newest, threads)) {
            return false;
        }
        search->first += count;
    }
    return true;
}

// Makes an empty set for the layer after the complete ones. Returns false if memory runs out.
static bool begin_layer(struct depth_search *search)
{
    unsigned layers = search->counts->layers;
    unsigned first = 0; // of the layers that can have neighbours of the frontier
    if (search->puzzle->reversible && layers > 2) {
        first = layers - 2;
        packed_set_free(search->layers[first - 1]);
        search->layers[first - 1] = NULL;
    }
    search->newest = search->layers[layers] = packed_set_make(search->codes.words, &search->memory);
    if (search->newest) {
        search->newest->known = search->layers + first;
        search->newest->known_count = layers - first;
    }
    return search->newest;
}

// ---- Layers -------------------------------------------------------------------------------------

// Counts the states of the classes in the buckets begin … end-1 of the newest layer. A class has as
// many states as there are symmetries for each one that keeps a state.
static void count_buckets(void *context, uint64_t begin, uint64_t end)
{
    struct depth_search *search = context;
    uint16_t state[CODES_MOST];
    uint16_t least[CODES_MOST];
    uint64_t states = 0;
    for (uint64_t b = begin; b < end && !should_stop(search); b++) {
        const struct packed_bucket *bucket = &search->newest->buckets[b];
        for (uint64_t i = 0; i < bucket->count; i++) {
            codes_unpack(&search->codes, bucket->states + i * search->codes.words, state);
            states += search->codes.symmetry_count / codes_find_least(&search->codes, state, least);
        }
    }
    search->states += states;
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

// Counts the states of the newest layer, which is complete, and tells the watcher. Returns false if
// it stopped the search.
static bool count_layer(struct depth_search *search)
{
    struct depth_counts *counts = search->counts;
    search->states = search->newest->count;
    if (search->codes.symmetry_count > 1) {
        search->states = 0;
        parallel_for(search->options->threads, PACKED_BUCKETS, 1, count_buckets, search);
    }
    if (should_stop(search)) {
        return false;
    }
    counts->classes[counts->layers] = search->newest->count;
    counts->states[counts->layers] = search->states;
    counts->layers++;
    tell_layer(search);
    return true;
}

// Finds the goals, whatever their memory. Returns false after an error.
static bool find_goals(struct depth_search *search, struct fewest_error *error)
{
    bool done = begin_layer(search);
    search->memory.most = UINT64_MAX;
    for (unsigned g = 0; g < search->puzzle->goal_count && done; g++) {
        done = add_class(search, codes_goal(&search->codes, g));
    }
    if (!done || !packed_set_tidy(search->newest, 1)) {
        return error_no_memory(error, "for the states");
    }
    return count_layer(search) || report_stopped(search, error);
}

// Finds one layer after the other, up to the depth. Returns false after an error.
static bool search_layers(struct depth_search *search, unsigned depth, struct fewest_error *error)
{
    struct depth_counts *counts = search->counts;
    bool done = true;
    while (done && counts->layers <= depth) {
        done = begin_layer(search) && expand_frontier(search);
        if (done && search->newest->count == 0) {
            counts->has_all = true;
            return true;
        }
        if (done && counts->layers == FEWEST_GEN_DISTANCES) {
            return error_set(error, FEWEST_BEYOND,
                             "%s has states more than %d moves away; a search by depth counts no "
                             "larger distance, but --depth %d counts those up to there",
                             search->puzzle->name, FEWEST_GEN_DISTANCES - 1,
                             FEWEST_GEN_DISTANCES - 1);
        }
        done = done && count_layer(search);
    }
    if (search->stopped) {
        return report_stopped(search, error);
    }
    counts->lacked_memory = !done;
    return true;
}

bool depth_count(const struct puzzle *puzzle, const struct depth_limits *limits,
                 const struct search_options *options, struct depth_counts *counts,
                 struct fewest_error *error)
{
    struct depth_search search = {.puzzle = puzzle, .options = options, .counts = counts};
    uint64_t memory = limits->memory > 0 ? limits->memory : forecast_available();
    *counts = (struct depth_counts){.layers = 0};
    bool done = codes_make(&search.codes, puzzle, error) &&
                (!limits->use_symmetries || code_symmetries_add(&search.codes, error));
    if (done) {
        counts->symmetries = search.codes.symmetry_count;
        done = find_goals(&search, error);
    }
    if (done) {
        // The gaps that buckets leave when they grow, and the program, take up to three tenths.
        search.memory.most = memory / 10 * 7;
        done = search_layers(&search, limits->depth, error);
    }
    for (unsigned d = 0; d <= FEWEST_GEN_DISTANCES; d++) {
        packed_set_free(search.layers[d]);
    }
    codes_free(&search.codes);
    return done;
}
