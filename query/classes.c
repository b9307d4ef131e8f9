// Counts the classes of states under the symmetries of the puzzle, and under inversion.
//
// A class is an orbit of the symmetry group on the states at one distance. By Burnside's lemma, the
// number of orbits is the mean number of states that a symmetry keeps. So it is the sum over all
// states of the number of symmetries that keep the state, divided by the order of the group.
// Inversion commutes with each symmetry. Together they are a group twice as large: a symmetry
// followed by inversion keeps a state if the symmetry takes it to its inverse. No list of states is
// needed.
#include "base/parallel.h"
#include "choose.h"
#include "puzzle/state_symmetries.h"

#include <string.h>

enum {
    GRAIN = 1 << 14, // states that a thread looks at before it adds its sums to those of all
    DISTANCES = 256,
};

struct class_sums {
    uint64_t keeping[DISTANCES];   // of each state, the symmetries that keep it
    uint64_t inverting[DISTANCES]; // and those that take it to its inverse
};

struct class_count {
    struct fewest *table;
    const struct state_symmetries *symmetries;
    bool counts_inverses;
    unsigned root;
    pthread_mutex_t lock; // for all below
    struct class_sums sums;
    uint64_t done;
    bool failed;
    struct fewest_error error; // if it failed
};

static void add_state(const struct class_count *count, uint64_t index, unsigned distance,
                      struct class_sums *sums)
{
    const struct puzzle *puzzle = &count->table->puzzle;
    uint8_t relative[CELLS_MOST];
    uint8_t state[CELLS_MOST];
    chain_point label[POINTS_MOST];
    puzzle_unrank(puzzle, count->root, index, relative);
    if (puzzle->board) {
        puzzle_unrelate(puzzle, puzzle->goals[0], relative, state);
    }
    state_symmetries_read(puzzle, puzzle->board ? state : relative, label);
    sums->keeping[distance] += state_symmetries_count_keeping(count->symmetries, label);
    if (count->counts_inverses) {
        sums->inverting[distance] += state_symmetries_count_inverting(count->symmetries, label);
    }
}

static bool add_run(const struct class_count *count, uint64_t first, unsigned length,
                    struct class_sums *sums, struct fewest_error *error)
{
    struct run run;
    if (!table_read_run(count->table, &count->table->states[count->root], first, 1, length, &run,
                        error)) {
        return false;
    }
    for (unsigned i = 0; i < length; i++) {
        if (run.distances[i] != RUN_UNREACHABLE) {
            add_state(count, first + i, run.distances[i], sums);
        }
    }
    return true;
}

// Adds the sums of a part to those of all. Returns false after a failure, also of another part.
static bool add_sums(struct class_count *count, const struct class_sums *sums, uint64_t done,
                     bool failed, const struct fewest_error *error)
{
    struct fewest_error stopped;
    pthread_mutex_lock(&count->lock);
    for (unsigned d = 0; d < DISTANCES; d++) {
        count->sums.keeping[d] += sums->keeping[d];
        count->sums.inverting[d] += sums->inverting[d];
    }
    count->done += done;
    if (!failed && !table_watches_on(count->table, "the states", count->done,
                                     count->table->puzzle.numbering.state_count, &stopped)) {
        failed = true;
        error = &stopped;
    }
    if (failed && !count->failed) {
        count->failed = true;
        count->error = *error;
    }
    failed = count->failed;
    pthread_mutex_unlock(&count->lock);
    return !failed;
}

static void add_part(void *context, uint64_t begin, uint64_t end)
{
    struct class_count *count = context;
    struct class_sums sums = {{0}, {0}};
    struct fewest_error error;
    bool failed = !add_sums(count, &sums, 0, false, NULL);
    for (uint64_t first = begin; first < end && !failed; first += RUN_MOST) {
        uint64_t left = end - first;
        failed = !add_run(count, first, left < RUN_MOST ? (unsigned)left : RUN_MOST, &sums, &error);
    }
    add_sums(count, &sums, end - begin, failed, &error);
}

// Sums that are not a multiple of the order come from distances that are not symmetric.
static bool divide_sums(const struct class_count *count, struct fewest_classes *classes,
                        struct fewest_error *error)
{
    uint64_t order = count->symmetries->order;
    classes->symmetries = count->symmetries->order;
    classes->counts_inverses = count->counts_inverses;
    for (unsigned d = 0; d < DISTANCES; d++) {
        uint64_t both = count->sums.keeping[d] + count->sums.inverting[d];
        if (count->sums.keeping[d] % order != 0 ||
            (count->counts_inverses && both % (2 * order) != 0)) {
            return error_set(error, FEWEST_DAMAGED,
                             "the table holds wrong distances: those at distance %u are not "
                             "symmetric",
                             d);
        }
        classes->symmetric[d] = count->sums.keeping[d] / order;
        classes->or_inverse[d] = count->counts_inverses ? both / (2 * order) : 0;
    }
    return true;
}

static bool count_classes(struct class_count *count, struct fewest_classes *classes,
                          struct fewest_error *error)
{
    if (pthread_mutex_init(&count->lock, NULL) != 0) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for a lock");
    }
    parallel_for(count->table->threads, count->table->puzzle.numbering.state_count, GRAIN, add_part,
                 count);
    pthread_mutex_destroy(&count->lock);
    if (count->failed) {
        *error = count->error;
        return false;
    }
    return divide_sums(count, classes, error);
}

bool fewest_count_classes(struct fewest *table, struct fewest_classes *classes,
                          struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct state_symmetries symmetries;
    struct lookup lookup;
    *classes = (struct fewest_classes){.symmetries = 0};
    if (!choose_lookup(table, puzzle->goals[0], puzzle->goals[0], &lookup, error)) {
        return false;
    }
    if (puzzle->goal_count > 1) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has several goals; classes of states need one solved state",
                         puzzle->name);
    }
    bool found = state_symmetries_find(&symmetries, puzzle, error);
    struct class_count count = {.table = table,
                                .symmetries = &symmetries,
                                .counts_inverses = symmetries.group && puzzle->reversible,
                                .root = lookup.root};
    bool counted = found && count_classes(&count, classes, error);
    state_symmetries_free(&symmetries);
    return counted;
}
