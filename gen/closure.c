// Computes the distances of wildcard targets from those of states.
#include "closure.h"

#include "base/parallel.h"
#include "search.h"

struct closure {
    const struct puzzle *puzzle;
    unsigned root;
    const struct wildcard_index *wildcards; // the root's
    const uint8_t *states;
    uint8_t *distances;
    const struct wildcard_class *class; // the one to fill now
};

// Finds the least distance over all symbols for the first wildcard. The target gives `given` cells,
// and `used` are their symbols, a bit each. If the filled target gives too many cells to have a
// number, the function calls itself.
static unsigned close_target(const struct closure *closure, uint8_t *target, unsigned given,
                             unsigned used)
{
    const struct wildcard_index *wildcards = closure->wildcards;
    unsigned least = UNREACHED;
    unsigned wild = 0;
    while (target[wild] != WILD) {
        wild++;
    }
    for (unsigned symbol = 0; symbol < wildcards->cells; symbol++) {
        if (used >> symbol & 1) {
            continue;
        }
        unsigned distance;
        target[wild] = (uint8_t)symbol;
        if (given + 1 == wildcards->cells) {
            uint64_t index = puzzle_rank(closure->puzzle, closure->root, target);
            distance = index == INDEX_NONE ? UNREACHED : closure->states[index];
        } else if (given + 1 <= wildcards->most_given) {
            distance = closure->distances[wildcard_rank(wildcards, target)];
        } else {
            distance = close_target(closure, target, given + 1, used | 1u << symbol);
        }
        least = distance < least ? distance : least;
    }
    target[wild] = WILD;
    return least;
}

static void close_part(void *context, uint64_t begin, uint64_t end)
{
    const struct closure *closure = context;
    const struct wildcard_class *class = closure->class;
    for (uint64_t number = class->first + begin; number < class->first + end; number++) {
        uint8_t target[RANK_LONGEST];
        unsigned used = 0;
        wildcard_unrank(closure->wildcards, number, target);
        for (unsigned i = 0; i < class->given; i++) {
            used |= 1u << target[class->cell[i]];
        }
        closure->distances[number] = (uint8_t)close_target(closure, target, class->given, used);
    }
}

void closure_distances(const struct puzzle *puzzle, unsigned root, unsigned threads,
                       const uint8_t *states, uint8_t *distances)
{
    enum { GRAIN = 1 << 10 };
    struct closure closure = {.puzzle = puzzle,
                              .root = root,
                              .wildcards = &puzzle->numbering.roots[root].wildcards,
                              .states = states,
                              .distances = distances};
    for (unsigned c = closure.wildcards->class_count; c-- > 0;) { // the most given cells first
        closure.class = &closure.wildcards->classes[c];
        parallel_for(threads, closure.class->count, GRAIN, close_part, &closure);
    }
}
