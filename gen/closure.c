// Computes the distances of wildcard targets from those of states.
#include "closure.h"

#include "base/parallel.h"
#include "search.h"

struct closure {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pattern_space *space; // the root's
    const uint8_t *states;
    uint8_t *distances;
    const struct pattern_class *class; // the one at hand
};

// The least distance over all ways to fill one wildcard. `given` cells of the pattern are given, `used` are their
// symbols. A pattern too full to have a number of its own is closed on the spot.
static unsigned close_pattern(const struct closure *closure, uint8_t *pattern, unsigned given, unsigned used)
{
    const struct pattern_space *space = closure->space;
    unsigned least = UNREACHED;
    unsigned wild = 0;
    while (pattern[wild] != WILD) {
        wild++;
    }
    for (unsigned symbol = 0; symbol < space->cells; symbol++) {
        if (used >> symbol & 1) {
            continue;
        }
        unsigned distance;
        pattern[wild] = (uint8_t)symbol;
        if (given + 1 == space->cells) {
            uint64_t index = puzzle_rank(closure->puzzle, closure->root, pattern);
            distance = index == INDEX_NONE ? UNREACHED : closure->states[index];
        } else if (given + 1 <= space->most_given) {
            distance = closure->distances[pattern_rank(space, pattern)];
        } else {
            distance = close_pattern(closure, pattern, given + 1, used | 1u << symbol);
        }
        least = distance < least ? distance : least;
    }
    pattern[wild] = WILD;
    return least;
}

static void close_part(void *context, uint64_t begin, uint64_t end)
{
    const struct closure *closure = context;
    const struct pattern_class *class = closure->class;
    for (uint64_t number = class->first + begin; number < class->first + end; number++) {
        uint8_t pattern[RANK_LONGEST];
        unsigned used = 0;
        pattern_unrank(closure->space, number, pattern);
        for (unsigned i = 0; i < class->given; i++) {
            used |= 1u << pattern[class->cell[i]];
        }
        closure->distances[number] = (uint8_t)close_pattern(closure, pattern, class->given, used);
    }
}

void closure_distances(const struct puzzle *puzzle, unsigned root, unsigned threads, const uint8_t *states,
                       uint8_t *distances)
{
    enum { GRAIN = 1 << 10 };
    struct closure closure = {.puzzle = puzzle,
                              .root = root,
                              .space = &puzzle->roots[root].patterns,
                              .states = states,
                              .distances = distances};
    for (unsigned c = closure.space->class_count; c-- > 0;) { // the fullest first
        closure.class = &closure.space->classes[c];
        parallel_for(threads, closure.class->count, GRAIN, close_part, &closure);
    }
}
