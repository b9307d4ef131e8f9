// Computes the distances of wildcard targets from those of states.
#include "closure.h"

#include "breadth_first.h"
#include "tables/base/parallel.h"

#include <string.h>

struct closure {
    const struct puzzle *puzzle;
    unsigned root;
    const struct wildcard_index *wildcards; // the root's
    const uint8_t *states;
    uint8_t *distances;
};

// ---- The targets that give most cells -----------------------------------------------------------
// If one of their wildcards is filled, the result has no entry. So each state lowers the distances
// of all targets that it matches.

// A class has the targets that give the same cells. Returns the number of the one that the state
// matches: the targets of a class are numbered by the rank of their symbols.
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

// Lowers a distance to another one that is less.
static void lower_distance(uint8_t *distance, uint8_t other)
{
    if (other < *distance) {
        *distance = other;
    }
}

// Lowers the distances of these targets to those of the states that match them. At first, all are
// UNREACHED.
static void lower_by_states(const struct closure *closure)
{
    const struct wildcard_index *wildcards = closure->wildcards;
    for (uint64_t index = 0; index < closure->puzzle->numbering.state_count; index++) {
        uint8_t state[CELLS_MOST];
        puzzle_unrank(closure->puzzle, closure->root, index, state);
        // The classes that give most cells are the last ones.
        for (unsigned c = wildcards->class_count; c-- > 0;) {
            const struct wildcard_class *class = &wildcards->classes[c];
            if (class->given < wildcards->most_given) {
                break;
            }
            lower_distance(&closure->distances[number_in_class(closure, class, state)],
                           closure->states[index]);
        }
    }
}

// ---- All other targets --------------------------------------------------------------------------
// The distance of a target is the least distance over all symbols for its first wildcard.

// The targets of a class, with their first wildcard filled. If they are states, `filled` is NULL.
// Otherwise all of them are in one class, and one symmetry takes them to its cells.
struct filling {
    struct closure *closure;
    const struct wildcard_class *class;
    unsigned wild; // the cell of the first wildcard
    const struct wildcard_class *filled;
    const struct symmetry *to_canonical; // that symmetry
    uint8_t source[RANK_LONGEST];        // by cell of `filled`, in rising order: the target's cell
};

// Prepares the filling of all targets of a class, which have at least one wildcard.
static struct filling make_filling(struct closure *closure, const struct wildcard_class *class)
{
    const struct wildcard_index *wildcards = closure->wildcards;
    struct filling filling = {.closure = closure, .class = class};
    while (class->mask >> filling.wild & 1) {
        filling.wild++;
    }
    if (class->given + 1u < wildcards->cells) {
        unsigned mask = class->mask | 1u << filling.wild;
        filling.filled = wildcard_class_of_mask(wildcards, mask, &filling.to_canonical);
        for (unsigned i = 0; i < filling.filled->given; i++) {
            filling.source[i] = filling.to_canonical->from[filling.filled->cell[i]];
        }
    }
    return filling;
}

// Returns the distance of a target whose first wildcard has been filled. It is that of a state if
// no other wildcard is left, else that of a target whose distance is there already.
static uint8_t look_up_filled(const struct filling *filling, const uint8_t *target)
{
    const struct closure *closure = filling->closure;
    const struct wildcard_class *filled = filling->filled;
    if (!filled) {
        uint64_t index = puzzle_rank(closure->puzzle, closure->root, target);
        return index == INDEX_NONE ? UNREACHED : closure->states[index];
    }
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned i = 0; i < filled->given; i++) {
        unsigned symbol = filling->to_canonical->to[target[filling->source[i]]];
        rank = rank * (closure->wildcards->cells - i) + lehmer_digit(&code, symbol);
    }
    return closure->distances[filled->first + rank];
}

// Returns the least distance over all symbols for the target's first wildcard. Leaves one of them
// in target[wild]. Bit s of `used` tells that symbol s is in another cell.
static uint8_t find_target_distance(const struct filling *filling, uint8_t *target, unsigned used)
{
    uint8_t least = UNREACHED;
    for (unsigned symbol = 0; symbol < filling->closure->wildcards->cells; symbol++) {
        if (!(used >> symbol & 1)) {
            target[filling->wild] = (uint8_t)symbol;
            lower_distance(&least, look_up_filled(filling, target));
        }
    }
    return least;
}

// Fills in the distances of the targets begin … end-1 of a class.
static void fill_class(void *context, uint64_t begin, uint64_t end)
{
    const struct filling *filling = context;
    const struct wildcard_class *class = filling->class;
    unsigned cells = filling->closure->wildcards->cells;
    uint8_t symbols[RANK_LONGEST] = {0};
    arrangement_unrank(cells, class->given, begin, symbols);
    for (uint64_t rank = begin; rank < end; rank++) {
        uint8_t target[RANK_LONGEST] = {0}; // what it has for the other wildcards is not read
        unsigned used = 0;
        for (unsigned i = 0; i < class->given; i++) {
            target[class->cell[i]] = symbols[i];
            used |= 1u << symbols[i];
        }
        filling->closure->distances[class->first + rank] =
            find_target_distance(filling, target, used);
        arrangement_next(cells, class->given, symbols);
    }
}

// Fills in the distance of every wildcard target that has a number: the least distance of all
// fillings, the states that result if each wildcard becomes a symbol. A target *gives* a cell that
// is no wildcard. The targets that give most cells come first, in one of two ways:
//   - If they have one wildcard, filling it gives a state, whose distance is known.
//   - If they have several (`by_states`), filling one gives a target without a number. So
//     each state lowers the distances of all the targets that it matches.
// Every other target gets the least distance of those that result from filling its first wildcard.
// They give one cell more, so their distances are there already.
void closure_distances(const struct puzzle *puzzle, unsigned root, unsigned threads,
                       const uint8_t *states, uint8_t *distances)
{
    enum { GRAIN = 1 << 10 };
    struct closure closure = {.puzzle = puzzle,
                              .root = root,
                              .wildcards = &puzzle->numbering.roots[root].wildcards,
                              .states = states,
                              .distances = distances};
    const struct wildcard_index *wildcards = closure.wildcards;
    bool by_states = wildcards->most_given + 1 < wildcards->cells;
    if (by_states) {
        memset(distances, UNREACHED, wildcards->entries);
        lower_by_states(&closure);
    }
    for (unsigned c = wildcards->class_count; c-- > 0;) { // those that give most cells first
        const struct wildcard_class *class = &wildcards->classes[c];
        if (!by_states || class->given < wildcards->most_given) {
            struct filling filling = make_filling(&closure, class);
            parallel_for(threads, class->count, GRAIN, fill_class, &filling);
        }
    }
}
