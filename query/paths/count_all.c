// Counts the shortest paths of all states: adds up the numbers of sequences (sequences.h).
//
// With one goal, each state has an index of its own, that of the query from it to the goal. With
// several, it has one for each goal. Its paths are those to all goals that are nearest, because
// each path ends at one of them. If several nodes show a state (numbering.h), its paths are those
// to all of these nodes that are nearest to the start.
#include "paths.h"
#include "query/answer/distance.h"
#include "query/answer/rows.h"
#include "sequences.h"
#include "tables/base/array.h"

#include <stdlib.h>

static const uint64_t STATES_COUNTED_MOST = UINT64_C(100000000);

enum {
    GRAIN = 1 << 14, // states that a thread takes at once
    DISTANCES = DISTANCE_MOST + 1,
};

// What is known of the states at one distance, or of some of them.
struct path_sum {
    uint64_t states;
    uint64_t sum[3]; // of their numbers of paths, the lowest part first
    struct fewest_wide largest;
    uint64_t index; // the least one that has the largest number
};

// Indices count on from component to component.
struct all_paths {
    struct fewest *table;
    uint64_t count; // of indices of a component
    uint64_t nodes; // of the first root; as many as states, or several for a state
    struct targets goals;
    struct sequences roots[ROOTS_MOST];
    const struct sequences *first; // those of the first goal's root
    struct path_sum *sums;         // by distance
    struct work work;
};

// Adds the number of paths of a state to the sum of its distance.
static void note_paths(struct path_sum *sum, uint64_t index, struct fewest_wide paths)
{
    if (sum->states == 0 || wide_is_more(paths, sum->largest)) {
        sum->largest = paths;
        sum->index = index;
    }
    sum->states++;
    sum->sum[0] += paths.low;
    uint64_t carry = sum->sum[0] < paths.low;
    uint64_t high = paths.high + carry;
    sum->sum[2] += high < carry;
    sum->sum[1] += high;
    sum->sum[2] += sum->sum[1] < high;
}

// Adds the sum of a part to that of all states. Of several states with the largest number, the one
// with the least index stays, so that the threads do not matter.
static void add_sum(struct path_sum *all, const struct path_sum *part)
{
    bool is_equal =
        part->largest.high == all->largest.high && part->largest.low == all->largest.low;
    if (part->states == 0) {
        return;
    }
    if (all->states == 0 || wide_is_more(part->largest, all->largest) ||
        (is_equal && part->index < all->index)) {
        all->largest = part->largest;
        all->index = part->index;
    }
    all->states += part->states;
    uint64_t carry = 0;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t more = part->sum[i] + carry;
        carry = more < carry;
        all->sum[i] += more;
        carry += all->sum[i] < more;
    }
}

// The goal of the component that an index of all components is in. Makes it one of a root.
static const uint8_t *goal_of(const struct all_paths *all, uint64_t *index)
{
    const struct puzzle *puzzle = &all->table->puzzle;
    unsigned component = (unsigned)(*index / all->count);
    *index %= all->count;
    return puzzle->goals[puzzle->component_goals[component]];
}

// Writes the state of an index of all components. With one goal, its paths to the goal are those of
// the index. On a board, they are those from the goal, turned around.
static void write_state(const struct all_paths *all, uint64_t index, uint8_t *state)
{
    const struct puzzle *puzzle = &all->table->puzzle;
    const uint8_t *goal = goal_of(all, &index);
    uint8_t relative[CELLS_MOST];
    unsigned root;
    struct fewest_error ignored; // the goal is a target that every start has
    puzzle_find_relative(puzzle, goal, goal, &root, relative, &ignored);
    puzzle_unrank(puzzle, root, index, relative);
    puzzle_restore_target(puzzle, goal, relative, state);
    if (!puzzle->board && puzzle->numbering.answers == ANSWERS_ALL) {
        puzzle_find_relative(puzzle, state, goal, &root, relative, &ignored);
        puzzle_restore_target(puzzle, goal, relative, state);
    }
}

// Fills in the distance of a state to one of several goals, and its number of paths. On a board,
// the way from the goal is as long and has as many paths. False if moves do not lead there.
static bool find_paths_to(const struct all_paths *all, const uint8_t *state, const uint8_t *goal,
                          int *distance, struct fewest_wide *paths)
{
    const struct puzzle *puzzle = &all->table->puzzle;
    bool turns = puzzle->board;
    unsigned root;
    uint8_t relative[CELLS_MOST];
    struct fewest_error ignored; // the goal is a target that every start has
    puzzle_find_relative(puzzle, turns ? goal : state, turns ? state : goal, &root, relative,
                         &ignored);
    uint64_t index = puzzle_rank(puzzle, root, relative);
    if (index == INDEX_NONE || all->roots[root].distances[index] == NO_DISTANCE) {
        return false;
    }
    *distance = all->roots[root].distances[index];
    *paths = sequences_at(&all->roots[root], index);
    return true;
}

// Does the same for the nearest of several goals. Returns false if the number has more than 128
// bits.
static bool find_paths(const struct all_paths *all, uint64_t index, int *distance,
                       struct fewest_wide *paths)
{
    uint8_t state[CELLS_MOST];
    write_state(all, index, state);
    *distance = NO_DISTANCE;
    for (unsigned g = 0; g < all->goals.count; g++) {
        int found;
        struct fewest_wide more;
        if (!find_paths_to(all, state, target_at(&all->goals, g), &found, &more)) {
            continue;
        }
        if (found < *distance) {
            *distance = found;
            *paths = more;
        } else if (found == *distance && !wide_add(paths, more)) {
            return false;
        }
    }
    return true;
}

// Fills in the distance of a state and its number of paths, if there is one goal or start. Returns
// false if the number has more than 128 bits.
static bool find_shown(const struct all_paths *all, uint64_t index, int *distance,
                       struct fewest_wide *paths)
{
    *distance = NO_DISTANCE;
    for (uint64_t node = index % all->count; node < all->nodes; node += all->count) {
        int found = all->first->distances[node];
        struct fewest_wide more = sequences_at(all->first, node);
        if (found < *distance) {
            *distance = found;
            *paths = more;
        } else if (found == *distance && found != NO_DISTANCE && !wide_add(paths, more)) {
            return false;
        }
    }
    return true;
}

// Adds up the numbers of paths of the states begin … end-1.
static bool add_states(void *context, uint64_t begin, uint64_t end, struct fewest_error *error)
{
    struct all_paths *all = context;
    struct path_sum sums[DISTANCES] = {{.states = 0}};
    for (uint64_t i = begin; i < end; i++) {
        int distance;
        struct fewest_wide paths = {.low = 0};
        if (!(all->goals.count > 1 ? find_paths(all, i, &distance, &paths)
                                   : find_shown(all, i, &distance, &paths))) {
            return wide_report(error);
        }
        if (distance != NO_DISTANCE) {
            note_paths(&sums[distance], i, paths);
        }
    }
    pthread_mutex_lock(&all->work.lock);
    for (unsigned d = 0; d < DISTANCES; d++) {
        add_sum(&all->sums[d], &sums[d]);
    }
    pthread_mutex_unlock(&all->work.lock);
    return true;
}

// Passes what is known of each layer to the visitor, until it returns false.
static void visit_layers(const struct all_paths *all, fewest_layer_visitor *visit, void *context)
{
    static const double TWO_64 = 18446744073709551616.0;
    bool goes_on = true;
    for (unsigned d = 0; goes_on && d < DISTANCES && all->sums[d].states > 0; d++) {
        const struct path_sum *sum = &all->sums[d];
        uint8_t state[CELLS_MOST];
        double paths = ((double)sum->sum[2] * TWO_64 + (double)sum->sum[1]) * TWO_64;
        paths += (double)sum->sum[0];
        const struct fewest_layer layer = {.distance = d,
                                           .states = sum->states,
                                           .mean = paths / (double)sum->states,
                                           .largest = sum->largest,
                                           .state = state};
        write_state(all, sum->index, state);
        goes_on = visit(context, &layer);
    }
}

// Counts the sequences from the root of each goal, and adds up those of all states.
static bool count_all(struct all_paths *all)
{
    struct fewest_error *error = all->work.error;
    struct lookup lookup;
    bool done = all->sums || error_no_memory(error, "for the numbers of paths");
    for (unsigned g = 0; done && g < all->goals.count; g++) {
        const uint8_t *goal = target_at(&all->goals, g);
        done = choose_lookup(all->table, goal, goal, &lookup, error);
        if (done && !all->roots[lookup.root].distances) {
            done = sequences_count(&all->roots[lookup.root], all->table, lookup.root, error);
        }
        if (done && g == 0) {
            all->first = &all->roots[lookup.root];
            all->nodes = puzzle_node_count(&all->table->puzzle, lookup.root);
        }
    }
    return done && work_do(&all->work, all->count * all->table->puzzle.component_count, GRAIN);
}

// Can the paths of all states be counted? If not, sets the error.
static bool can_count(const struct fewest *table, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!choose_has_distances(table, error)) {
        return false;
    }
    uint64_t states = puzzle->numbering.state_count;
    return states <= STATES_COUNTED_MOST / puzzle->component_count ||
           error_set(error, FEWEST_BEYOND,
                     "%s has too many states to count the paths of all; the limit is %llu",
                     puzzle->name, (unsigned long long)STATES_COUNTED_MOST);
}

bool fewest_count_all_paths(struct fewest *table, fewest_layer_visitor *visit, void *context,
                            struct fewest_error *error)
{
    if (!can_count(table, error)) {
        return false;
    }
    struct all_paths all = {.table = table,
                            .count = table->puzzle.numbering.state_count,
                            // A table that answers from some starts counts from the first.
                            .goals = targets_goals(table),
                            .sums = array_make(DISTANCES, sizeof *all.sums),
                            .work = {.table = table, .part = add_states, .error = error}};
    all.goals.count = table->info.default_start ? 1 : all.goals.count;
    all.work.context = &all;
    bool done = count_all(&all);
    if (done) {
        visit_layers(&all, visit, context);
    }
    for (unsigned r = 0; r < ROOTS_MOST; r++) {
        sequences_free(&all.roots[r]);
    }
    free(all.sums);
    return done;
}
