// Computes the distances of wildcard targets (wildcard.h) from those of states.
//
// A target *gives* a cell that is no wildcard. Its distance is the least one of all its *fillings*:
// the states that result if each wildcard becomes a symbol. The targets that give most cells come
// first, in one of two ways:
//   - If they have one wildcard, filling it gives a state, whose distance is known.
//   - If they have several, filling one gives a target without a number. So each state lowers the
//     distances of all the targets that it matches.
// Every other target gets the least distance of those that result from filling its first wildcard.
// They give one cell more, so their distances are there already.
#include "closure.h"

#include "gen/search/breadth_first.h"
#include "tables/base/parallel.h"

#include <string.h>

struct closure {
    const struct puzzle *puzzle;
    unsigned root;
    const struct wildcard_index *wildcards; // the root's
    const uint8_t *states;
    uint8_t *distances;
    const struct wildcard_class *first_class; // of those that are filled in at the same time
};

// Lowers a distance to another one that is less.
static void lower_distance(uint8_t *distance, uint8_t other)
{
    if (other < *distance) {
        *distance = other;
    }
}

// ---- From each state ----------------------------------------------------------------------------

// Returns the number of the target that the state matches among those of a class. The targets of a
// class give the same cells, and are numbered by the rank of their symbols (rank.h).
static uint64_t number_in_class(const struct closure *closure, const struct wildcard_class *class,
                                const uint8_t *state)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned i = 0; i < class->given; i++) {
        rank = rank * (closure->wildcards->cells - i) + lehmer_digit(&code, state[class->cell[i]]);
    }
    return class->first + rank;
}

// Lowers the distances of the targets of the classes begin … end-1, counted from `first_class`, to
// those of the states that match them. No target is in two classes, so threads share the classes.
static void lower_classes(void *context, uint64_t begin, uint64_t end)
{
    const struct closure *closure = context;
    for (uint64_t index = 0; index < closure->puzzle->numbering.state_count; index++) {
        uint8_t state[CELLS_MOST];
        puzzle_unrank(closure->puzzle, closure->root, index, state);
        for (uint64_t c = begin; c < end; c++) {
            uint64_t number = number_in_class(closure, &closure->first_class[c], state);
            lower_distance(&closure->distances[number], closure->states[index]);
        }
    }
}

// ---- By filling one wildcard --------------------------------------------------------------------

// Returns the distance of a state, or of a wildcard target whose distance is there already.
static uint8_t look_up(const struct closure *closure, const uint8_t *target)
{
    uint64_t number;
    if (wildcard_rank(closure->wildcards, target, &number)) {
        return closure->distances[number];
    }
    uint64_t index = puzzle_rank(closure->puzzle, closure->root, target);
    return index == INDEX_NONE ? UNREACHED : closure->states[index];
}

// Returns the distance of the target with this number: the least one over all symbols for its first
// wildcard.
static uint8_t find_target_distance(const struct closure *closure, uint64_t number)
{
    unsigned cells = closure->wildcards->cells;
    uint8_t target[RANK_LONGEST];
    uint8_t least = UNREACHED;
    unsigned used = 0; // bit s: symbol s is in a cell
    unsigned wild = 0; // the cell of the first wildcard
    wildcard_unrank(closure->wildcards, number, target);
    for (unsigned i = cells; i-- > 0;) { // down, so that `wild` ends at the first wildcard
        if (target[i] == WILD) {
            wild = i;
        } else {
            used |= 1u << target[i];
        }
    }
    for (unsigned symbol = 0; symbol < cells; symbol++) {
        if (!(used >> symbol & 1)) {
            target[wild] = (uint8_t)symbol;
            lower_distance(&least, look_up(closure, target));
        }
    }
    return least;
}

// Fills in the distances of the targets begin … end-1, counted from the first one of `first_class`.
static void fill_targets(void *context, uint64_t begin, uint64_t end)
{
    const struct closure *closure = context;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t number = closure->first_class->first + i;
        closure->distances[number] = find_target_distance(closure, number);
    }
}

// Goes from the targets that give most cells to the one that gives none. The classes are sorted by
// the number of given cells, and threads share those that give equally many: the table of the game
// takes 0.6 times as long with two threads (2026-11).
void closure_distances(const struct puzzle *puzzle, unsigned root, const uint8_t *states,
                       unsigned threads, uint8_t *distances)
{
    enum { GRAIN = 1 << 12 }; // targets
    const struct wildcard_index *wildcards = &puzzle->numbering.roots[root].wildcards;
    struct closure closure = {puzzle, root, wildcards, states, distances, NULL};
    bool by_states = wildcards->most_given + 1 < wildcards->cells; // they have several wildcards
    const struct wildcard_class *end = wildcards->classes + wildcards->class_count;
    uint64_t end_number = wildcards->entries;
    memset(distances, UNREACHED, wildcards->entries);
    while (end > wildcards->classes) {
        const struct wildcard_class *first = end; // becomes the first that gives as many as end[-1]
        while (first > wildcards->classes && first[-1].given == end[-1].given) {
            first--;
        }
        closure.first_class = first;
        if (by_states && first->given == wildcards->most_given) {
            uint64_t count = (uint64_t)(end - first);
            uint64_t count_each = (count - 1) / threads + 1; // one part for each thread
            parallel_for(threads, count, count_each, lower_classes, &closure);
        } else {
            parallel_for(threads, end_number - first->first, GRAIN, fill_targets, &closure);
        }
        end = first;
        end_number = first->first;
    }
}
