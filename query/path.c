// Shortest paths: of several, the first in byte order of the move names.
#include "table.h"

#include <stdlib.h>
#include <string.h>

// ---- Downhill: every state on the way is a start that the table answers
// -----------------------------------------------

// Takes the first move, in byte order of the names, that comes one nearer to the target. In a sound table there is one.
static bool step_nearer(struct fewest *table, uint8_t *state, const struct targets *targets, int distance,
                        unsigned *move, struct fault *fault)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t moved[CELLS_MOST];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        int left;
        if (!puzzle_apply(puzzle, m, state, moved)) {
            continue;
        }
        if (!find_distance(table, moved, targets, &left, fault)) {
            return false;
        }
        if (left == distance - 1) {
            memcpy(state, moved, puzzle->cell_count);
            *move = m;
            return true;
        }
    }
    return fault_set(fault, FAULT_DAMAGED, "the table is wrong: %d moves are said to be left, and no move comes nearer",
                     distance);
}

static bool walk_down(struct fewest *table, const uint8_t *start, const struct targets *targets, int distance,
                      unsigned *moves, struct fault *fault)
{
    uint8_t state[CELLS_MOST];
    memcpy(state, start, table->puzzle.cell_count);
    for (int i = 0; i < distance; i++) {
        if (!step_nearer(table, state, targets, distance - i, &moves[i], fault)) {
            return false;
        }
    }
    return true;
}

// ---- Uphill: from the solved state of a table that answers only to it -----------------------------------------------
// The table knows how far each state is from the solved one, but not how far from the target. So the states that lie on
// a shortest path are collected first, from the target back to the solved state, a layer for each distance; then the
// path is walked through them.

enum { LAYERED_MOST = 1 << 22 };

struct layer {
    uint64_t *states; // sorted
    size_t count;
    size_t room;
};

struct layers {
    struct fewest *table;
    struct layer at[FEWEST_PATH_MOST]; // by distance from the solved state
    int distance;                      // of the target
    size_t total;
    struct fault *fault;
    bool failed;
};

static bool add_to_layer(struct layers *layers, int distance, uint64_t index)
{
    struct layer *layer = &layers->at[distance];
    int found;
    if (!table_entry(layers->table, &layers->table->states[0], index, &found, layers->fault)) {
        return false;
    }
    if (found != distance) {
        return true;
    }
    if (layers->total++ == LAYERED_MOST) {
        return fault_set(layers->fault, FAULT_BOUND, "more than %d states lie on the shortest paths there",
                         LAYERED_MOST);
    }
    if (layer->count == layer->room) {
        size_t room = 2 * layer->room + 64;
        uint64_t *states = realloc(layer->states, room * sizeof *states);
        if (!states) {
            return fault_set(layers->fault, FAULT_SYSTEM, "not enough memory for the path");
        }
        layer->states = states;
        layer->room = room;
    }
    layer->states[layer->count++] = index;
    return true;
}

static int compare_states(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_layer(struct layers *layers, struct layer *layer)
{
    size_t kept = 0;
    if (layer->count > 0) {
        qsort(layer->states, layer->count, sizeof *layer->states, compare_states);
    }
    for (size_t i = 0; i < layer->count; i++) {
        if (kept == 0 || layer->states[kept - 1] != layer->states[i]) {
            layer->states[kept++] = layer->states[i];
        }
    }
    layers->total -= layer->count - kept;
    layer->count = kept;
}

static bool add_target(void *context, const uint8_t *state)
{
    struct layers *layers = context;
    uint64_t index = puzzle_rank(&layers->table->puzzle, 0, state);
    layers->failed = !add_to_layer(layers, layers->distance, index);
    return !layers->failed;
}

static bool collect(struct layers *layers, const uint8_t *target)
{
    const struct puzzle *puzzle = &layers->table->puzzle;
    uint64_t before[MOVES_MOST];
    puzzle_complete(puzzle, target, add_target, layers);
    for (int d = layers->distance; d > 0 && !layers->failed; d--) {
        const struct layer *layer = &layers->at[d];
        sort_layer(layers, &layers->at[d]);
        for (size_t i = 0; i < layer->count && !layers->failed; i++) {
            puzzle_neighbours(puzzle, 0, layer->states[i], before); // counted to the goal, a step undoes a move
            for (unsigned m = 0; m < puzzle->move_count && !layers->failed; m++) {
                layers->failed = !add_to_layer(layers, d - 1, before[m]);
            }
        }
    }
    return !layers->failed;
}

static bool walk_layers(struct layers *layers, unsigned *moves)
{
    const struct puzzle *puzzle = &layers->table->puzzle;
    uint64_t state = puzzle_rank(puzzle, 0, puzzle->goals[0]);
    uint64_t after[MOVES_MOST];
    for (int d = 1; d <= layers->distance; d++) {
        const struct layer *layer = &layers->at[d];
        unsigned m = 0;
        puzzle_predecessors(puzzle, 0, state, after);
        while (m < puzzle->move_count &&
               !(layer->count > 0 && bsearch(&after[m], layer->states, layer->count, sizeof *after, compare_states))) {
            m++;
        }
        if (m == puzzle->move_count) {
            return fault_set(layers->fault, FAULT_DAMAGED, "the table is wrong: no way leads %d moves far", d);
        }
        moves[d - 1] = m;
        state = after[m];
    }
    return true;
}

static bool walk_up(struct fewest *table, const uint8_t *target, int distance, unsigned *moves, struct fault *fault)
{
    struct layers layers = {.table = table, .distance = distance, .fault = fault};
    bool done = collect(&layers, target) && walk_layers(&layers, moves);
    for (int d = 0; d <= distance; d++) {
        free(layers.at[d].states);
    }
    return done;
}

bool fewest_path(struct fewest *table, const struct fewest_question *question, unsigned moves[FEWEST_PATH_MOST],
                 int *steps, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct targets targets = targets_of(table, question);
    bool down = puzzle->answers_all || memcmp(targets.cells[0], puzzle->goals[0], puzzle->cell_count) == 0;
    struct fault fault;
    if (!find_distance(table, question->start, &targets, steps, &fault)) {
        return raise_fault(error, &fault);
    }
    if (*steps > 0 && !(down ? walk_down(table, question->start, &targets, *steps, moves, &fault)
                             : walk_up(table, targets.cells[0], *steps, moves, &fault))) {
        return raise_fault(error, &fault);
    }
    return true;
}
