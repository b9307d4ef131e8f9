#include "search.h"

#include "parallel.h"

#include <string.h>

// The states of one depth are found by a scan of the array, not kept in a queue: the scan is sequential, needs no
// memory, and any thread may take any part of it. Two threads that reach one state write the same byte.
struct level {
    const struct puzzle *puzzle;
    unsigned root;
    _Atomic uint8_t *distances;
    unsigned depth;
    _Atomic uint64_t states; // found at this depth
};

static void expand_part(void *context, uint64_t begin, uint64_t end)
{
    struct level *level = context;
    uint64_t neighbours[MOVES_MOST];
    uint64_t states = 0;
    for (uint64_t index = begin; index < end; index++) {
        if (atomic_load_explicit(&level->distances[index], memory_order_relaxed) != level->depth) {
            continue;
        }
        states++;
        puzzle_neighbours(level->puzzle, level->root, index, neighbours);
        for (unsigned m = 0; m < level->puzzle->move_count; m++) {
            if (neighbours[m] == INDEX_NONE) {
                continue;
            }
            _Atomic uint8_t *reached = &level->distances[neighbours[m]];
            if (atomic_load_explicit(reached, memory_order_relaxed) == UNREACHED) {
                atomic_store_explicit(reached, (uint8_t)(level->depth + 1), memory_order_relaxed);
            }
        }
    }
    atomic_fetch_add_explicit(&level->states, states, memory_order_relaxed);
}

bool search_distances(const struct puzzle *puzzle, unsigned root, const struct search_options *options,
                      _Atomic uint8_t *distances, struct fault *fault)
{
    enum { GRAIN = 1 << 12 };
    uint64_t states = puzzle_whole_count(puzzle, root);
    uint64_t reached = 0;
    memset((void *)distances, UNREACHED, states);
    atomic_store(&distances[puzzle_rank(puzzle, root, puzzle->roots[root].question)], 0);
    for (unsigned depth = 0;; depth++) {
        struct level level = {.puzzle = puzzle, .root = root, .distances = distances, .depth = depth};
        parallel_for(options->threads, states, GRAIN, expand_part, &level);
        if (level.states == 0) {
            return true;
        }
        if (depth > DISTANCE_MOST) {
            return fault_set(fault, FAULT_BOUND, "%s has states more than %d moves away: too far for a table",
                             puzzle->name, DISTANCE_MOST);
        }
        if (options->progress) {
            reached += level.states;
            options->progress(options->context, depth, level.states, reached, states);
        }
    }
}
