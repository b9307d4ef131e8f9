// Finds shortest paths by indices alone.
//
// If every move has an inverse, the way back is as long. So the table can take each target as the
// start, and the state on the path as the relative target: its index is computed once, and the
// neighbours of an index give the index after each move. The walk keeps only those targets that are
// still as near as the nearest one.
//
// A batch comes through the same states again and again. So the table remembers the first step from
// a state to its target.
#include "nearer.h"

#include "puzzle/board.h"

#include <stdlib.h>

// The state on the path, relative to one target.
struct pursuer {
    unsigned root;
    uint64_t index;
    unsigned blank; // of a board: the target's cell of the blank, else 0
};

struct walk {
    struct fewest *table;
    struct pursuer *pursuers;
    unsigned count;
    uint64_t *neighbours; // of each pursuer, by move
    struct fewest_error *error;
    bool failed;
};

bool walks_indices(const struct puzzle *puzzle, const struct targets *targets)
{
    bool open = false;
    for (unsigned t = 0; t < targets->count && !open; t++) {
        open = puzzle_wild_count(puzzle, target_at(targets, t)) > 0;
    }
    return !open && puzzle->reversible && puzzle->numbering.answers == ANSWERS_ALL;
}

bool report_no_step(int distance, struct fewest_error *error)
{
    return error_set(
        error, FEWEST_DAMAGED,
        "the table holds wrong distances: no move from distance %d leads to distance %d", distance,
        distance - 1);
}

// ---- Steps --------------------------------------------------------------------------------------

static bool is_at(struct walk *walk, unsigned root, uint64_t index, int distance)
{
    int found;
    if (index == INDEX_NONE || walk->failed) {
        return false;
    }
    walk->failed =
        !table_entry(walk->table, &walk->table->states[root], index, &found, walk->error);
    return !walk->failed && found == distance;
}

static bool add_pursuers(struct walk *walk, const uint8_t *start, const struct targets *targets,
                         int distance)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    for (unsigned t = 0; t < targets->count; t++) {
        const uint8_t *target = target_at(targets, t);
        struct pursuer *pursuer = &walk->pursuers[walk->count];
        uint8_t relative[CELLS_MOST];
        if (!puzzle_relate(puzzle, target, start, &pursuer->root, relative, walk->error)) {
            return false;
        }
        pursuer->index = puzzle_rank(puzzle, pursuer->root, relative);
        pursuer->blank = puzzle->board ? board_find(target, 0) : 0;
        walk->count += is_at(walk, pursuer->root, pursuer->index, distance);
    }
    return !walk->failed;
}

// The pursuer's index after a move of the state. On a board, relating the state to the target has
// turned the moves, too.
static uint64_t find_next(const struct walk *walk, unsigned p, unsigned move)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    unsigned own =
        puzzle->board ? board_conjugate_move(puzzle->board,
                                             &puzzle->board->to_root[walk->pursuers[p].blank], move)
                      : move;
    return walk->neighbours[(size_t)p * puzzle->move_count + own];
}

// Finds the first move, in byte order of the names, that brings a pursuer to `distance`.
static unsigned find_move(struct walk *walk, int distance)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    unsigned first = puzzle->move_count;
    for (unsigned p = 0; p < walk->count; p++) {
        const struct pursuer *pursuer = &walk->pursuers[p];
        puzzle_neighbours(puzzle, pursuer->root, pursuer->index,
                          walk->neighbours + (size_t)p * puzzle->move_count);
        for (unsigned m = 0; m < first; m++) {
            if (is_at(walk, pursuer->root, find_next(walk, p, m), distance)) {
                first = m;
            }
        }
    }
    return first;
}

// Makes a move, and keeps the pursuers that it brings to `distance`.
static void make_move(struct walk *walk, unsigned move, int distance)
{
    unsigned kept = 0;
    for (unsigned p = 0; p < walk->count; p++) {
        struct pursuer pursuer = walk->pursuers[p];
        pursuer.index = find_next(walk, p, move);
        if (is_at(walk, pursuer.root, pursuer.index, distance)) {
            walk->pursuers[kept++] = pursuer;
        }
    }
    walk->count = kept;
}

// ---- Remembered steps ---------------------------------------------------------------------------

// The first steps to targets with the same cell of the blank, by index: 0 if a step is not known
// yet, or else the next index × the number of moves + the move + 1. NULL if the steps do not fit 32
// bits, or without memory; it is only slower then.
static _Atomic uint32_t *find_first_steps(struct fewest *table, unsigned blank)
{
    static const uint64_t STATES_REMEMBERED = 1 << 24;
    const struct puzzle *puzzle = &table->puzzle;
    uint64_t states = puzzle->numbering.state_count;
    _Atomic uint32_t *steps = table->first_steps[blank];
    if (!steps && states <= STATES_REMEMBERED && states * puzzle->move_count < UINT32_MAX) {
        pthread_mutex_lock(&table->lock);
        steps = table->first_steps[blank];
        if (!steps) {
            steps = calloc(states, sizeof *steps); // only pages in use take memory
            table->first_steps[blank] = steps;
        }
        pthread_mutex_unlock(&table->lock);
    }
    return steps;
}

static bool walk_to_one(struct walk *walk, int distance, unsigned *moves)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    struct pursuer *pursuer = &walk->pursuers[0];
    _Atomic uint32_t *first_steps = find_first_steps(walk->table, pursuer->blank);
    for (int i = 0; i < distance; i++) {
        _Atomic uint32_t *known = first_steps ? &first_steps[pursuer->index] : NULL;
        uint64_t step = known ? atomic_load_explicit(known, memory_order_relaxed) : 0;
        if (step == 0) {
            unsigned move = find_move(walk, distance - i - 1);
            if (move == puzzle->move_count) {
                return !walk->failed && report_no_step(distance - i, walk->error);
            }
            step = find_next(walk, 0, move) * puzzle->move_count + move + 1;
            if (known) {
                atomic_store_explicit(known, (uint32_t)step, memory_order_relaxed);
            }
        }
        moves[i] = (unsigned)((step - 1) % puzzle->move_count);
        pursuer->index = (step - 1) / puzzle->move_count;
    }
    return true;
}

static bool walk_to_many(struct walk *walk, int distance, unsigned *moves)
{
    for (int i = 0; i < distance; i++) {
        int left = distance - i - 1;
        moves[i] = find_move(walk, left);
        if (moves[i] == walk->table->puzzle.move_count) {
            return !walk->failed && report_no_step(left + 1, walk->error);
        }
        make_move(walk, moves[i], left);
    }
    return !walk->failed;
}

bool walk_indices(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int distance, unsigned *moves, struct fewest_error *error)
{
    struct walk walk = {.table = table, .error = error};
    size_t moves_of_all = (size_t)targets->count * table->puzzle.move_count;
    walk.pursuers = malloc(targets->count * sizeof *walk.pursuers);
    walk.neighbours = malloc(moves_of_all * sizeof *walk.neighbours);
    bool done = walk.pursuers && walk.neighbours
                    ? add_pursuers(&walk, start, targets, distance)
                    : error_set(error, FEWEST_SYSTEM, "not enough memory for the path");
    done = done && (walk.count == 1 ? walk_to_one(&walk, distance, moves)
                                    : walk_to_many(&walk, distance, moves));
    free(walk.pursuers);
    free(walk.neighbours);
    return done;
}
