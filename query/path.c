// Finds shortest paths. If the table answers every state on the path as a start, the path goes
// downhill: each move leads to a distance that is one less. It is the first path in byte order of
// the move names. Other paths come from layers.c and search/ida_star.c.
#include "breadth_first.h"
#include "distance.h"
#include "layers.h"
#include "nearer.h"
#include "puzzle/matching_states.h"
#include "search/ida_star.h"

#include <stdlib.h>
#include <string.h>

// ---- The nearest targets ------------------------------------------------------------------------
// If a wildcard target has no entry of its own, every step of the path would look up all states
// that match it. But each shortest path ends in one of the nearest matching states, and these are
// usually few. So they are collected once, if they were not kept with the distance.

enum { NEAREST_MOST = 1024 };

// The most look-ups for a path if the nearest targets are too many to keep. Each step then looks up
// all states that match.
static const uint64_t LOOKED_UP_MOST = UINT64_C(100000000);

struct nearest_targets {
    struct fewest *table;
    const uint8_t *start;
    int distance;
    const struct nearest_indices *indices; // what find_distance_and_nearest kept
    unsigned root;                         // of the indices that are visited
    struct walk *walk;                     // keeps the targets, or NULL: `rows` does
    uint8_t *rows;
    unsigned room;  // for rows
    unsigned count; // of rows; if above NEAREST_MOST, not all are kept
    struct fewest_error *error;
    bool failed;
};

static bool keep_row(struct nearest_targets *nearest, const uint8_t *target)
{
    size_t cells = nearest->table->puzzle.cell_count;
    if (nearest->count == nearest->room) {
        unsigned room = 2 * nearest->room + 8; // most often, there are few
        uint8_t *larger = realloc(nearest->rows, room * cells);
        if (!larger) {
            nearest->failed = true;
            return error_set(nearest->error, FEWEST_SYSTEM, "not enough memory for the path");
        }
        nearest->rows = larger;
        nearest->room = room;
    }
    memcpy(nearest->rows + nearest->count++ * cells, target, cells);
    return true;
}

// Keeps a target, which may have wildcards unless there is a walk. Returns false if no more can be
// kept.
static bool keep_target(struct nearest_targets *nearest, const uint8_t *target)
{
    if (nearest->walk) {
        nearest->failed = !walk_add_target(nearest->walk, target);
        return !nearest->failed;
    }
    if (nearest->count < NEAREST_MOST) {
        return keep_row(nearest, target);
    }
    nearest->count++;
    return false;
}

// Keeps a target if it is one of the nearest. (A walk looks by itself.)
static bool keep_state(void *context, const uint8_t *state)
{
    struct nearest_targets *nearest = context;
    struct targets target = {1, state, nearest->table->puzzle.cell_count, false};
    int distance = nearest->distance;
    nearest->failed = !nearest->walk && !find_distance(nearest->table, nearest->start, &target,
                                                       &distance, nearest->error);
    return !nearest->failed && (distance != nearest->distance || keep_target(nearest, state));
}

// Keeps the nearest target that an index stands for.
static bool keep_index(struct nearest_targets *nearest, uint64_t index)
{
    const struct puzzle *puzzle = &nearest->table->puzzle;
    uint8_t relative[CELLS_MOST];
    uint8_t target[CELLS_MOST];
    if (nearest->walk && puzzle->numbering.self_inverse) {
        nearest->failed = !walk_add_index(nearest->walk, index);
        return !nearest->failed;
    }
    puzzle_unrank(puzzle, nearest->root, index, relative);
    puzzle_unrelate(puzzle, nearest->start, relative, target);
    return keep_target(nearest, target);
}

// Keeps the nearest targets of a run of entries. Few have that distance, so memchr finds them fast.
static bool keep_run(void *context, uint64_t first, uint64_t step, unsigned count)
{
    struct nearest_targets *nearest = context;
    struct run run;
    if (!table_read_run(nearest->table, &nearest->table->states[nearest->root], first, step, count,
                        &run, nearest->error)) {
        nearest->failed = true;
        return false;
    }
    const uint8_t *end = run.distances + count;
    const uint8_t *found = run.distances;
    bool room = true;
    while (room && (found = memchr(found, nearest->distance, (size_t)(end - found)))) {
        uint64_t index = first + (uint64_t)(found++ - run.distances) * step;
        room = keep_index(nearest, index);
    }
    return room;
}

static bool keep_nearest(struct nearest_targets *nearest, const struct targets *targets)
{
    const struct puzzle *puzzle = &nearest->table->puzzle;
    if (nearest->indices->known) {
        nearest->root = nearest->indices->root;
        for (unsigned i = 0; i < nearest->indices->count; i++) {
            if (!keep_index(nearest, nearest->indices->indices[i])) {
                break;
            }
        }
        return !nearest->failed;
    }
    for (unsigned t = 0; t < targets->count && !nearest->failed; t++) {
        const uint8_t *target = target_at(targets, t);
        struct lookup lookup;
        if (!choose_lookup(nearest->table, nearest->start, target, &lookup, nearest->error)) {
            return false;
        }
        switch (lookup.way) {
        case LOOKUP_NONE:
            break;
        case LOOKUP_ENTRY:
            keep_state(nearest, target);
            break;
        case LOOKUP_MATCHING_INDICES:
            nearest->root = lookup.root;
            visit_matching_indices(puzzle, lookup.root, lookup.relative, keep_run, nearest);
            break;
        case LOOKUP_MATCHING:
        case LOOKUP_MATCHING_PAIRS:
            visit_matching_states(puzzle, target, keep_state, nearest);
            break;
        }
    }
    return !nearest->failed;
}

// ---- The path -----------------------------------------------------------------------------------

// Takes the first move, in byte order of the names, that comes one nearer to a target. In a sound
// table there is one.
static bool step_nearer(struct fewest *table, uint8_t *state, const struct targets *targets,
                        int distance, unsigned *move, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t moved[CELLS_MOST];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        int left;
        if (!puzzle_apply(puzzle, m, state, moved)) {
            continue;
        }
        if (!find_distance(table, moved, targets, &left, error)) {
            return false;
        }
        if (left == distance - 1) {
            memcpy(state, moved, puzzle->cell_count);
            *move = m;
            return true;
        }
    }
    return report_no_step(distance, error);
}

static bool go_down(struct fewest *table, const uint8_t *start, const struct targets *targets,
                    int distance, unsigned *moves, struct fewest_error *error)
{
    uint8_t state[CELLS_MOST];
    memcpy(state, start, table->puzzle.cell_count);
    for (int i = 0; i < distance; i++) {
        if (!step_nearer(table, state, targets, distance - i, &moves[i], error)) {
            return false;
        }
    }
    return true;
}

static bool can_look_through(const struct puzzle *puzzle, const struct targets *targets,
                             int distance, struct fewest_error *error)
{
    uint64_t left = LOOKED_UP_MOST / puzzle->move_count / (uint64_t)distance;
    for (unsigned t = 0; t < targets->count; t++) {
        uint64_t count = count_matching_states(puzzle, target_at(targets, t));
        if (count > left) {
            return error_set(error, FEWEST_BEYOND,
                             "too many states that match TARGET are equally near to find the first "
                             "path; use fewer wildcards");
        }
        left -= count;
    }
    return true;
}

// Collects the nearest targets, and goes down to them.
static bool go_down_to_nearest(struct nearest_targets *nearest, const struct targets *targets,
                               unsigned *moves)
{
    struct fewest *table = nearest->table;
    struct targets found = {0, NULL, table->puzzle.cell_count, false};
    bool done = keep_nearest(nearest, targets);
    found.rows = nearest->rows;
    found.count = nearest->count;
    if (done && nearest->count > NEAREST_MOST) {
        found = *targets;
        done = can_look_through(&table->puzzle, targets, nearest->distance, nearest->error);
    }
    done = done && go_down(table, nearest->start, &found, nearest->distance, moves, nearest->error);
    free(nearest->rows);
    return done;
}

static bool walk_to_nearest(struct nearest_targets *nearest, const struct targets *targets,
                            unsigned *moves)
{
    struct walk walk = {.table = nearest->table,
                        .start = nearest->start,
                        .distance = nearest->distance,
                        .error = nearest->error};
    nearest->walk = &walk;
    bool done = keep_nearest(nearest, targets) && walk_find_path(&walk, moves);
    free(walk.pursuers);
    nearest->walk = NULL;
    return done;
}

static bool find_downhill(struct fewest *table, const uint8_t *start, const struct targets *targets,
                          int distance, const struct nearest_indices *indices, unsigned *moves,
                          struct fewest_error *error)
{
    struct nearest_targets nearest = {
        .table = table, .start = start, .distance = distance, .indices = indices, .error = error};
    bool open = false;
    bool entry = false; // of a target with wildcards
    for (unsigned t = 0; t < targets->count; t++) {
        struct lookup lookup;
        if (puzzle_has_wildcard(&table->puzzle, target_at(targets, t))) {
            open = true;
            if (!choose_lookup(table, start, target_at(targets, t), &lookup, error)) {
                return false;
            }
            entry |= lookup.way == LOOKUP_ENTRY;
        }
    }
    if (can_walk(&table->puzzle, open) && !entry) {
        return walk_to_nearest(&nearest, targets, moves);
    }
    return open ? go_down_to_nearest(&nearest, targets, moves)
                : go_down(table, start, targets, distance, moves, error);
}

bool fewest_path(struct fewest *table, const struct fewest_query *query,
                 unsigned moves[FEWEST_PATH_MOST], int *steps, struct fewest_error *error)
{
    struct targets targets = targets_of(table, query);
    enum method method = choose_method(table, query->start, &targets);
    if (method == METHOD_SEARCH) {
        return ida_star_find_path(table, query->start, target_at(&targets, 0), moves, steps, error);
    }
    if (method == METHOD_BREADTH_FIRST) {
        return breadth_first_find_path(table, query->start, target_at(&targets, 0), moves, steps,
                                       error);
    }
    struct nearest_indices nearest = {.known = false};
    bool done = find_distance_and_nearest(table, query->start, &targets, steps, &nearest, error) &&
                table_keeps_limit(table, *steps, error);
    if (done && *steps > 0) {
        done = method == METHOD_DOWNHILL
                   ? find_downhill(table, query->start, &targets, *steps, &nearest, moves, error)
                   : walk_layers(table, query->start, &targets, *steps, &nearest, moves, error);
    }
    free(nearest.indices);
    return done;
}

bool fewest_follow(const struct fewest *table, const uint8_t *start, const unsigned *moves,
                   unsigned count, uint8_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t before[CELLS_MOST];
    if (puzzle->rules->never_applies) {
        return follow_full_states(puzzle, start, moves, count, state, error);
    }
    memcpy(state, start, puzzle->cell_count);
    for (unsigned i = 0; i < count; i++) {
        memcpy(before, state, puzzle->cell_count);
        if (!puzzle_apply(puzzle, moves[i], before, state)) {
            return error_set(error, FEWEST_BAD_INPUT, "move %u, %s, is not possible", i + 1,
                             puzzle->moves[moves[i]].name);
        }
    }
    return true;
}

// ---- Scrambles ----------------------------------------------------------------------------------

// Undoes a path: turns its moves into those of the way back, in their order. All moves have
// inverses.
static void undo_path(const struct puzzle *puzzle, const uint8_t *start, unsigned *moves, int steps)
{
    uint8_t state[CELLS_MOST];
    uint8_t next[CELLS_MOST];
    uint8_t back[CELLS_MOST];
    unsigned undone[FEWEST_PATH_MOST];
    memcpy(state, start, puzzle->cell_count);
    for (int i = 0; i < steps; i++) {
        unsigned m = 0;
        puzzle_apply(puzzle, moves[i], state, next);
        while (m + 1 < puzzle->move_count && !(puzzle_apply(puzzle, m, next, back) &&
                                               memcmp(back, state, puzzle->cell_count) == 0)) {
            m++;
        }
        undone[steps - 1 - i] = m;
        memcpy(state, next, puzzle->cell_count);
    }
    memcpy(moves, undone, (size_t)steps * sizeof *moves);
}

bool fewest_scramble(struct fewest *table, const uint8_t *state, unsigned moves[FEWEST_PATH_MOST],
                     int *steps, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct fewest_query query;
    query.has_target = true;
    memcpy(query.start, puzzle->goals[0], puzzle->cell_count);
    memcpy(query.target, state, puzzle->cell_count);
    if (fewest_path(table, &query, moves, steps, error)) {
        return true;
    }
    if (error->status != FEWEST_BEYOND || !puzzle->reversible) {
        return false;
    }
    memcpy(query.start, state, puzzle->cell_count);
    memcpy(query.target, puzzle->goals[0], puzzle->cell_count);
    if (!fewest_path(table, &query, moves, steps, error)) {
        return false;
    }
    if (*steps > 0) {
        undo_path(puzzle, state, moves, *steps);
    }
    return true;
}
