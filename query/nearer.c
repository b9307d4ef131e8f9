// Finds shortest paths by indices alone.
//
// If every move has an inverse, the way back is as long. So the table can take each target as the
// start, and the state on the path as the relative target. That index is computed once. The
// neighbours of an index are the indices after each move. If a move has no inverse, the index is
// that of the target relative to the state, and each move is made.
//
// A batch comes through the same states again and again. So the table remembers the first step from
// a state to a target.
#include "nearer.h"

#include "puzzle/board.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// The state on the path and one target.
struct pursuer {
    unsigned root;
    unsigned blank; // of a board: the target's cell of the blank, else 0
    uint64_t index;
    const uint8_t *target; // if a move has no inverse
    // For a board that was looked up after a symmetry: the move that each move becomes under it.
    uint8_t turned[BOARD_MOVES_MOST];
};

bool can_walk(const struct puzzle *puzzle, bool open)
{
    return puzzle->numbering.answers == ANSWERS_ALL && (puzzle->reversible || !open);
}

bool report_no_step(int distance, struct fewest_error *error)
{
    return error_set(
        error, FEWEST_DAMAGED,
        "the table holds wrong distances: no move from distance %d leads to distance %d", distance,
        distance - 1);
}

// ---- The nearest targets ------------------------------------------------------------------------

static bool add_pursuer(struct walk *walk, const struct pursuer *pursuer)
{
    int distance;
    if (pursuer->index == INDEX_NONE) {
        return true;
    }
    if (!table_entry(walk->table, &walk->table->states[pursuer->root], pursuer->index, &distance,
                     walk->error)) {
        return false;
    }
    if (distance != walk->distance) {
        return true;
    }
    if (walk->count == walk->room) {
        unsigned room = 2 * walk->room + 1;
        struct pursuer *larger = realloc(walk->pursuers, room * sizeof *larger);
        if (!larger) {
            return error_set(walk->error, FEWEST_SYSTEM, "not enough memory for the path");
        }
        walk->pursuers = larger;
        walk->room = room;
    }
    walk->pursuers[walk->count++] = *pursuer;
    return true;
}

bool walk_add_target(struct walk *walk, const uint8_t *target)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    struct pursuer pursuer = {.blank = puzzle->board ? board_find(target, 0) : 0, .target = target};
    uint8_t relative[CELLS_MOST];
    bool back = puzzle->reversible;
    if (!puzzle_relate(puzzle, back ? target : walk->start, back ? walk->start : target,
                       &pursuer.root, relative, walk->error)) {
        return false;
    }
    pursuer.index = puzzle_rank(puzzle, pursuer.root, relative);
    for (unsigned m = 0; m < puzzle->move_count && puzzle->board; m++) {
        pursuer.turned[m] =
            (uint8_t)board_conjugate_move(puzzle->board, &puzzle->board->to_root[pursuer.blank], m);
    }
    return add_pursuer(walk, &pursuer);
}

bool walk_add_index(struct walk *walk, uint64_t index)
{
    return add_pursuer(walk, &(struct pursuer){.index = index});
}

// ---- Steps --------------------------------------------------------------------------------------

// A step is the next index, shifted, and the move + 1. 0 stands for none.
static unsigned step_shift(const struct puzzle *puzzle)
{
    return 32 - (unsigned)__builtin_clz(puzzle->move_count);
}

// Fills in the indices after each move, if a move has no inverse. `moves` lead from the start to
// the state.
static bool make_moves(const struct walk *walk, const struct pursuer *pursuer,
                       const unsigned *moves, unsigned count, uint64_t *neighbours)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint8_t state[2][CELLS_MOST];
    uint8_t relative[CELLS_MOST];
    unsigned root;
    memcpy(state[0], walk->start, puzzle->cell_count);
    for (unsigned i = 0; i < count; i++) {
        puzzle_apply(puzzle, moves[i], state[i % 2], state[(i + 1) % 2]);
    }
    const uint8_t *last = state[count % 2];
    uint8_t *moved = state[(count + 1) % 2];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        neighbours[m] = INDEX_NONE;
        if (puzzle_apply(puzzle, m, last, moved)) {
            if (!puzzle_relate(puzzle, moved, pursuer->target, &root, relative, walk->error)) {
                return false;
            }
            neighbours[m] = puzzle_rank(puzzle, root, relative);
        }
    }
    return true;
}

// Finds the first move, in byte order of the names, that leads to `distance`.
static bool find_step(const struct walk *walk, const struct pursuer *pursuer, const unsigned *moves,
                      int distance, uint64_t *step)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint64_t neighbours[MOVES_MOST];
    if (puzzle->reversible) {
        puzzle_neighbours(puzzle, pursuer->root, pursuer->index, neighbours);
    } else if (!make_moves(walk, pursuer, moves, (unsigned)(walk->distance - distance - 1),
                           neighbours)) {
        return false;
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        unsigned own = puzzle->board ? pursuer->turned[m] : m;
        int found;
        if (neighbours[own] == INDEX_NONE) {
            continue;
        }
        if (!table_entry(walk->table, &walk->table->states[pursuer->root], neighbours[own], &found,
                         walk->error)) {
            return false;
        }
        if (found == distance) {
            *step = neighbours[own] << step_shift(puzzle) | (m + 1);
            return true;
        }
    }
    return report_no_step(distance + 1, walk->error);
}

// The first steps to targets with the same cell of the blank, by index. NULL if the steps do not
// fit 32 bits, or without memory; it is only slower then.
static _Atomic uint32_t *find_first_steps(struct fewest *table, unsigned blank)
{
    static const uint64_t STATES_REMEMBERED = 1 << 24;
    const struct puzzle *puzzle = &table->puzzle;
    uint64_t states = puzzle->numbering.state_count;
    _Atomic uint32_t *steps = table->first_steps[blank];
    if (!steps && states <= STATES_REMEMBERED && states << step_shift(puzzle) <= UINT32_MAX) {
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

static bool recall_step(const struct walk *walk, const struct pursuer *pursuer,
                        const unsigned *moves, int distance, uint64_t *step)
{
    _Atomic uint32_t *first_steps = find_first_steps(walk->table, pursuer->blank);
    *step =
        first_steps ? atomic_load_explicit(&first_steps[pursuer->index], memory_order_relaxed) : 0;
    if (*step == 0) {
        if (!find_step(walk, pursuer, moves, distance, step)) {
            return false;
        }
        if (first_steps) {
            atomic_store_explicit(&first_steps[pursuer->index], (uint32_t)*step,
                                  memory_order_relaxed);
        }
    }
    return true;
}

// The move is the first of all pursuers' moves. Whoever could make it, makes it first. So those
// that have it go on, and no other target is as near after it.
static bool make_step(struct walk *walk, unsigned *moves, int distance)
{
    unsigned *move = &moves[walk->distance - distance - 1];
    unsigned shift = step_shift(&walk->table->puzzle);
    unsigned kept = 0;
    *move = UINT_MAX;
    for (unsigned p = 0; p < walk->count; p++) {
        struct pursuer pursuer = walk->pursuers[p];
        uint64_t step;
        if (!recall_step(walk, &pursuer, moves, distance, &step)) {
            return false;
        }
        unsigned own = (unsigned)(step & ((1u << shift) - 1)) - 1;
        if (own > *move) {
            continue;
        }
        kept = own < *move ? 0 : kept;
        *move = own;
        pursuer.index = step >> shift;
        walk->pursuers[kept++] = pursuer;
    }
    walk->count = kept;
    return kept > 0 || report_no_step(distance + 1, walk->error);
}

// Follows the remembered steps of a single pursuer, up to one that is not remembered. Returns the
// number of moves made so far.
static int follow_remembered(const struct walk *walk, unsigned *moves, int moved)
{
    if (walk->count != 1) { // a forged table can leave no pursuer
        return moved;
    }
    struct pursuer *pursuer = &walk->pursuers[0];
    const _Atomic uint32_t *steps = find_first_steps(walk->table, pursuer->blank);
    unsigned shift = step_shift(&walk->table->puzzle);
    uint32_t step;
    while (steps && moved < walk->distance &&
           (step = atomic_load_explicit(&steps[pursuer->index], memory_order_relaxed)) != 0) {
        moves[moved++] = (step & ((1u << shift) - 1)) - 1;
        pursuer->index = step >> shift;
    }
    return moved;
}

bool walk_find_path(struct walk *walk, unsigned *moves)
{
    for (int i = 0; (i = follow_remembered(walk, moves, i)) < walk->distance; i++) {
        if (!make_step(walk, moves, walk->distance - i - 1)) {
            return false;
        }
    }
    return true;
}
