// Finds a path layer by layer, for tables that know each state's distance from the start, but not
// to the target.
//
//   1. Collect the full states on shortest paths, from the targets back to the start: a layer for
//      each distance.
//   2. Walk through the layers from the start, by the first move that leads into the next layer.
//
// Two kinds of tables need this:
//   - a table that counts distances to the solved state, if a path begins there;
//   - a table of rolling cubes, which holds only the distance mod 4 of each full state.
#include "layers.h"

#include "puzzle/board.h"
#include "puzzle/matching_states.h"

#include <stdlib.h>
#include <string.h>

// The most states in all layers: a hundred times what a sound table of a million states needed.
enum { LAYERED_MOST = 1 << 18 };
_Static_assert(LAYERED_MOST *(4 * sizeof(uint64_t)) <= 8 << 20,
               "a forged table takes no more: grown by half, and sorted");

struct layer {
    uint64_t *states; // sorted
    size_t count;
    size_t room;
};

struct layers {
    struct fewest *table;
    const struct puzzle *puzzle;
    const uint8_t *start;
    unsigned root;
    struct layer at[FEWEST_PATH_MOST]; // by distance from the start
    int distance;                      // of the target
    size_t total;
    struct fewest_error *error;
    bool failed;
};

// Is a full state at this distance from the start? If the table holds only the distance mod 4, the
// answer is right only for a neighbour of a state that is one move farther.
static bool is_at(const struct layers *layers, int distance, uint64_t full, bool *is)
{
    bool hides = layers->puzzle->numbering.roots[layers->root].hidden > 1;
    const struct unpacked *unpacked =
        hides ? &layers->table->mod4[layers->root] : &layers->table->states[layers->root];
    int expected = !hides ? distance : distance & 2 ? FEWEST_UNREACHABLE : 0;
    int found;
    if (!table_entry(layers->table, unpacked, full, &found, layers->error)) {
        return false;
    }
    *is = found == expected;
    return true;
}

static bool add_to_layer(struct layers *layers, int distance, uint64_t full)
{
    struct layer *layer = &layers->at[distance];
    if (layers->total++ == LAYERED_MOST) {
        return error_set(layers->error, FEWEST_BEYOND,
                         "more than %d states lie on the shortest paths, too many to find the "
                         "first; `fewest steps` "
                         "counts the moves",
                         LAYERED_MOST);
    }
    if (layer->count == layer->room) {
        size_t room = 2 * layer->room + 64;
        uint64_t *states = realloc(layer->states, room * sizeof *states);
        if (!states) {
            return error_set(layers->error, FEWEST_SYSTEM, "not enough memory for the path");
        }
        layer->states = states;
        layer->room = room;
    }
    layer->states[layer->count++] = full;
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

// ---- The targets --------------------------------------------------------------------------------

// Takes `distance` steps from a full state, each one nearer to the start. Do they lead there?
static bool descends_to_start(const struct layers *layers, uint64_t full, bool *arrives)
{
    const struct puzzle *puzzle = layers->puzzle;
    uint64_t neighbours[MOVES_MOST];
    *arrives = false;
    for (int d = layers->distance - 1; d >= 0; d--) {
        bool nearer = false;
        puzzle_neighbours(puzzle, layers->root, full, neighbours);
        for (unsigned m = 0; m < puzzle->move_count && !nearer; m++) {
            if (neighbours[m] == INDEX_NONE) {
                continue;
            }
            if (!is_at(layers, d, neighbours[m], &nearer)) {
                return false;
            }
            full = nearer ? neighbours[m] : full;
        }
        if (!nearer) {
            return true;
        }
    }
    *arrives =
        full == puzzle_rank(puzzle, layers->root, puzzle->numbering.roots[layers->root].target);
    return true;
}

// Adds those full states of a visible state that are nearest to the start.
static bool add_nearest_full_states(struct layers *layers, uint64_t visible)
{
    unsigned hidden = layers->puzzle->numbering.roots[layers->root].hidden;
    for (unsigned h = 0; h < hidden; h++) {
        uint64_t full = visible + h * layers->puzzle->numbering.state_count;
        bool nearest;
        if (!is_at(layers, layers->distance, full, &nearest) ||
            (nearest && hidden > 1 && !descends_to_start(layers, full, &nearest)) ||
            (nearest && !add_to_layer(layers, layers->distance, full))) {
            return false;
        }
    }
    return true;
}

static bool add_state(void *context, const uint8_t *state)
{
    struct layers *layers = context;
    uint8_t relative[CELLS_MOST];
    layers->failed = !puzzle_relate(layers->puzzle, layers->start, state, &layers->root, relative,
                                    layers->error);
    if (layers->failed) {
        return false;
    }
    uint64_t index = puzzle_rank(layers->puzzle, layers->root, relative);
    // INDEX_NONE: no moves lead there.
    layers->failed = index != INDEX_NONE && !add_nearest_full_states(layers, index);
    return !layers->failed;
}

static bool add_run(void *context, uint64_t first, uint64_t step, unsigned count)
{
    struct layers *layers = context;
    const struct unpacked *states = &layers->table->states[layers->root];
    struct run run;
    layers->failed =
        !table_read_run(layers->table, states, first, step, count, &run, layers->error);
    const uint8_t *end = run.distances + count;
    const uint8_t *found = run.distances;
    while (!layers->failed && (found = memchr(found, layers->distance, (size_t)(end - found)))) {
        uint64_t index = first + (uint64_t)(found++ - run.distances) * step;
        layers->failed = !add_nearest_full_states(layers, index);
    }
    return !layers->failed;
}

static bool add_nearest_indices(struct layers *layers, const struct nearest_indices *nearest)
{
    layers->root = nearest->root;
    for (unsigned i = 0; i < nearest->count; i++) {
        if (!add_nearest_full_states(layers, nearest->indices[i])) {
            return false;
        }
    }
    return true;
}

static bool add_targets(struct layers *layers, const uint8_t *start, const struct targets *targets)
{
    for (unsigned t = 0; t < targets->count && !layers->failed; t++) {
        const uint8_t *target = target_at(targets, t);
        struct lookup lookup;
        if (!choose_lookup(layers->table, start, target, &lookup, layers->error)) {
            return false;
        }
        layers->root = lookup.root;
        switch (lookup.way) {
        case LOOKUP_NONE:
            break;
        case LOOKUP_MATCHING_INDICES:
            visit_matching_indices(layers->puzzle, lookup.root, lookup.relative, add_run, layers);
            break;
        case LOOKUP_ENTRY:
        case LOOKUP_MATCHING:
        case LOOKUP_MATCHING_PAIRS:
            visit_matching_states(layers->puzzle, target, add_state, layers);
            break;
        }
    }
    return !layers->failed;
}

// ---- The path -----------------------------------------------------------------------------------

static bool collect_layers(struct layers *layers)
{
    const struct puzzle *puzzle = layers->puzzle;
    uint64_t before[MOVES_MOST];
    for (int d = layers->distance; d > 0; d--) {
        const struct layer *layer = &layers->at[d];
        sort_layer(layers, &layers->at[d]);
        for (size_t i = 0; i < layer->count; i++) {
            // All steps can be undone, so the states one step before are neighbours.
            puzzle_neighbours(puzzle, layers->root, layer->states[i], before);
            for (unsigned m = 0; m < puzzle->move_count; m++) {
                bool nearer = false;
                if (before[m] != INDEX_NONE &&
                    (!is_at(layers, d - 1, before[m], &nearer) ||
                     (nearer && !add_to_layer(layers, d - 1, before[m])))) {
                    return false;
                }
            }
        }
    }
    return true;
}

// The move of the root's board that is conjugate to move m of the player's board.
static unsigned conjugate_move(const struct puzzle *puzzle, const uint8_t *start, unsigned m)
{
    const struct board *board = puzzle->board;
    return board ? board_conjugate_move(board, &board->to_root[board_find(start, 0)], m) : m;
}

static bool walk_down_layers(const struct layers *layers, const uint8_t *start, unsigned *moves)
{
    const struct puzzle *puzzle = layers->puzzle;
    uint64_t state =
        puzzle_rank(puzzle, layers->root, puzzle->numbering.roots[layers->root].target);
    uint64_t after[MOVES_MOST];
    for (int d = 1; d <= layers->distance; d++) {
        const struct layer *layer = &layers->at[d];
        const uint64_t *next = NULL;
        // If distances are counted to the root, a step is a move undone, so each predecessor is the
        // state after a move. For rolling cubes, predecessors and neighbours are the same.
        puzzle_predecessors(puzzle, layers->root, state, after);
        for (unsigned m = 0; m < puzzle->move_count && !next && layer->count > 0; m++) {
            next = bsearch(&after[conjugate_move(puzzle, start, m)], layer->states, layer->count,
                           sizeof *after, compare_states);
            moves[d - 1] = m;
        }
        if (!next) {
            return error_set(layers->error, FEWEST_DAMAGED,
                             "the table holds wrong distances: no path reaches distance %d", d);
        }
        state = *next;
    }
    return true;
}

bool walk_layers(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 int distance, const struct nearest_indices *nearest, unsigned *moves,
                 struct fewest_error *error)
{
    struct layers layers = {.table = table,
                            .puzzle = &table->puzzle,
                            .start = start,
                            .distance = distance,
                            .error = error};
    bool added = nearest->known ? add_nearest_indices(&layers, nearest)
                                : add_targets(&layers, start, targets);
    bool done = added && collect_layers(&layers) && walk_down_layers(&layers, start, moves);
    for (int d = 0; d <= distance; d++) {
        free(layers.at[d].states);
    }
    return done;
}

bool follow_full_states(const struct puzzle *puzzle, const uint8_t *start, const unsigned *moves,
                        unsigned count, uint8_t *state, struct fewest_error *error)
{
    uint64_t after[MOVES_MOST];
    uint8_t relative[CELLS_MOST];
    unsigned root;
    if (!puzzle_relate(puzzle, start, start, &root, relative, error)) {
        return false;
    }
    uint64_t full = puzzle_rank(puzzle, root, relative);
    for (unsigned i = 0; i < count; i++) {
        puzzle_neighbours(puzzle, root, full, after);
        full = after[conjugate_move(puzzle, start, moves[i])];
        if (full == INDEX_NONE) {
            return error_set(error, FEWEST_BAD_INPUT, "move %u, %s, is not possible", i + 1,
                             puzzle->moves[moves[i]].name);
        }
    }
    puzzle_unrank(puzzle, root, full % puzzle->numbering.state_count, relative);
    puzzle_unrelate(puzzle, start, relative, state);
    return true;
}
