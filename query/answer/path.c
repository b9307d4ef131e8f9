// Finds shortest paths: downhill by look-ups, by a search from both sides (two_sided.c) or by IDA*
// (search/ida_star.c).
//
// Downhill, each move leads one nearer to one of the nearest targets. It is the first such move in
// byte order of the names, so the path is the first of all. If the table does not answer the
// targets from every start, the path goes downhill from a target to the start, and is undone.
#include "distance.h"
#include "query/search/ida_star.h"
#include "query/select/visit.h"
#include "rows.h"
#include "tables/puzzle/board/board.h"
#include "two_sided.h"

#include <stdlib.h>
#include <string.h>

// A path that goes downhill from a start to the nearest of some targets.
struct descent {
    struct fewest *table;
    const uint8_t *start;
    struct targets targets;
    struct nearest nearest; // the nearest states that match the target, if they were looked up
    int distance;           // to the nearest target
    unsigned *moves;        // room for FEWEST_PATH_MOST
    struct fewest_error *error;
};

// Reports a table in which no move from a state at this distance comes nearer. Returns false.
static bool report_no_step(int distance, struct fewest_error *error)
{
    return error_set(
        error, FEWEST_DAMAGED,
        "the table holds wrong distances: no move from distance %d leads to distance %d", distance,
        distance - 1);
}

// ---- Downhill by indices ------------------------------------------------------------------------
// If the table answers all pairs, an index tells how the state on the path and a target lie to each
// other, and which move comes first. If every move has an inverse, the target is taken as the
// start, and the state on the path as the relative target. Then the indices after each move are its
// neighbours.

// How the state on the path and a target lie to each other.
struct relation {
    unsigned root;
    unsigned blank; // of a board: the target's cell of the blank, else 0
    uint64_t index;
    _Atomic uint32_t *steps; // that are remembered, by index; or NULL
};

// Sets *is_there to whether the state of an index is at this distance from the target of the
// relation; INDEX_NONE never is. Returns false if its entry can't be read.
static bool check_distance(const struct descent *descent, const struct relation *relation,
                           uint64_t index, int distance, bool *is_there)
{
    int found;
    *is_there = false;
    if (index == INDEX_NONE) {
        return true;
    }
    const struct unpacked *states = &descent->table->states[relation->root];
    if (!table_entry(descent->table, states, index, &found, descent->error)) {
        return false;
    }
    *is_there = found == distance;
    return true;
}

// The number of bits that a move's number + 1 takes. A puzzle has at least one move.
static unsigned count_move_bits(const struct puzzle *puzzle)
{
    return 32 - (unsigned)__builtin_clz(puzzle->move_count);
}

// Returns the list of remembered steps for a target with its blank in a cell, or without a blank in
// 0: by index, the first step downhill, or 0 if it is not known yet. A step is the next index,
// shifted by count_move_bits, plus the number of the move + 1. Returns NULL if the steps do not
// fit, or without memory: then nothing is remembered. The list belongs to the table.
//
// A batch comes through the same states again and again. This makes `batch --path` 2.7 × as fast on
// game and 6 × on eight (2026-11).
static _Atomic uint32_t *find_first_steps(struct fewest *table, unsigned blank)
{
    static const uint64_t STATES_REMEMBERED = 1 << 24;
    uint64_t states = table->puzzle.numbering.state_count;
    _Atomic uint32_t *steps = table->first_steps[blank];
    if (!steps && states <= STATES_REMEMBERED &&
        states << count_move_bits(&table->puzzle) <= UINT32_MAX) {
        pthread_mutex_lock(&table->lock);
        if (!table->first_steps[blank]) {
            table->first_steps[blank] = calloc(states, sizeof *steps); // unused pages cost nothing
        }
        steps = table->first_steps[blank];
        pthread_mutex_unlock(&table->lock);
    }
    return steps;
}

// Fills in the relation of the descent's start to a target, and whether this target is one of the
// nearest. Returns false with an error if puzzle_find_relative refuses the pair or a block can't be
// read.
static bool relate_target(const struct descent *descent, const uint8_t *target,
                          struct relation *relation, bool *is_nearest)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    const uint8_t *from = descent->start;
    const uint8_t *to = target;
    uint8_t relative[CELLS_MOST];
    if (puzzle->reversible) { // the distance is the same, and moves lead to the index's neighbours
        from = target;
        to = descent->start;
    }
    if (!puzzle_find_relative(puzzle, from, to, &relation->root, relative, descent->error)) {
        return false;
    }
    relation->blank = puzzle->board ? board_find_cell(target, 0) : 0;
    relation->index = puzzle_rank(puzzle, relation->root, relative);
    relation->steps = find_first_steps(descent->table, relation->blank);
    return check_distance(descent, relation, relation->index, descent->distance, is_nearest);
}

// Returns the index of a target relative to the state that a move makes from the solved state, or
// INDEX_NONE. Every move is possible there, because the puzzle has no blank and no illegal states.
static uint64_t rank_after_move(const struct descent *descent, unsigned move, const uint8_t *target)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    uint8_t moved[CELLS_MOST];
    uint8_t relative[CELLS_MOST];
    unsigned root;
    puzzle_apply(puzzle, move, puzzle->goals[0], moved);
    if (!puzzle_find_relative(puzzle, moved, target, &root, relative, descent->error)) {
        return INDEX_NONE;
    }
    return puzzle_rank(puzzle, root, relative);
}

// Finds the first move that leads from the relation's index to a state at `distance`, and sets
// *step to it, in the form of find_first_steps. Fails with FEWEST_DAMAGED if there is no such move.
//
// If every move has an inverse, the neighbours of the index tell where each move leads. On a board,
// the index describes the board after the symmetry that takes the target's blank to its root; this
// symmetry turns the moves, too. Without inverses, each move is made from the solved state, and the
// target is taken as far from there as the index says.
static bool find_step(const struct descent *descent, const struct relation *relation, int distance,
                      uint64_t *step)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    const struct board *board = puzzle->board;
    const struct visit visit = {
        .table = descent->table, .start = puzzle->goals[0], .root = relation->root};
    const bool has_neighbours = puzzle->reversible;
    uint64_t next[MOVES_MOST];
    uint8_t target[CELLS_MOST];
    if (has_neighbours) {
        puzzle_neighbours(puzzle, relation->root, relation->index, next);
    } else {
        visit_write_state(&visit, relation->index, target);
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        unsigned move = m; // the same one on the turned board
        if (board) {
            move = board_conjugate_move(board, &board->to_root[relation->blank], m);
        }
        uint64_t index = has_neighbours ? next[move] : rank_after_move(descent, move, target);
        bool is_nearer;
        if (!check_distance(descent, relation, index, distance, &is_nearer)) {
            return false;
        }
        if (is_nearer) {
            *step = index << count_move_bits(puzzle) | (m + 1);
            return true;
        }
    }
    return report_no_step(distance + 1, descent->error);
}

// Makes the first move that leads to a state at `distance`: fills in its number, and changes the
// relation's index. Takes the step from the remembered ones, or remembers it.
static bool step_relation(const struct descent *descent, struct relation *relation, int distance,
                          unsigned *move)
{
    unsigned bits = count_move_bits(&descent->table->puzzle);
    _Atomic uint32_t *known = relation->steps ? &relation->steps[relation->index] : NULL;
    uint64_t step = known ? atomic_load_explicit(known, memory_order_relaxed) : 0;
    if (step == 0) {
        if (!find_step(descent, relation, distance, &step)) {
            return false;
        }
        if (known) {
            atomic_store_explicit(known, (uint32_t)step, memory_order_relaxed);
        }
    }
    relation->index = step >> bits;
    *move = (unsigned)(step & ((UINT64_C(1) << bits) - 1)) - 1;
    return true;
}

// Follows the first path of a relation to its target, and writes it over descent->moves, which
// holds the best path to an earlier target. Stops as soon as this path is later in byte order than
// that one. Returns false after an error.
static bool follow_relation(const struct descent *descent, struct relation *relation)
{
    bool is_same = true; // as the best path, up to here
    for (int i = 0; i < descent->distance; i++) {
        unsigned move;
        if (!step_relation(descent, relation, descent->distance - i - 1, &move)) {
            return false;
        }
        if (is_same && move > descent->moves[i]) {
            return true;
        }
        // Before the first path, only moves[0] has a value: nothing behind a difference is read.
        is_same = is_same && move == descent->moves[i];
        descent->moves[i] = move;
    }
    return true;
}

// The number of targets that write_target knows: the nearest states that were looked up or else the
// query's own targets, of which some may be farther.
static unsigned count_targets(const struct descent *descent)
{
    return descent->nearest.count > 0 ? descent->nearest.count : descent->targets.count;
}

// Writes target number t of count_targets.
static void write_target(const struct descent *descent, unsigned t, uint8_t *target)
{
    struct visit visit = {
        .table = descent->table, .start = descent->start, .root = descent->nearest.root};
    if (descent->nearest.count > 0) {
        visit_write_state(&visit, descent->nearest.indices[t], target);
    } else {
        memcpy(target, target_at(&descent->targets, t), descent->targets.cells);
    }
}

// Are there few enough nearest states to look for the first path to any of them? If not, sets the
// error. The distance is above 0.
static bool can_look_up(const struct descent *descent)
{
    static const uint64_t LOOKED_UP_MOST = UINT64_C(100000000);
    uint64_t most =
        LOOKED_UP_MOST / descent->table->puzzle.move_count / (uint64_t)descent->distance;
    return descent->nearest.count <= most ||
           error_set(descent->error, FEWEST_BEYOND,
                     "too many states that match TARGET are equally near to find the first path; "
                     "use fewer wildcards");
}

// Fills in the first path to a nearest target by indices: of the first paths to each nearest
// target, it keeps the first. The distance is above 0.
static bool descend_by_index(const struct descent *descent)
{
    uint8_t target[CELLS_MOST];
    if (!descent->table->puzzle.reversible && !can_look_up(descent)) {
        return false;
    }
    descent->moves[0] = MOVES_MOST; // above every move, so any path comes before this
    for (unsigned t = 0; t < count_targets(descent); t++) {
        struct relation relation;
        bool is_nearest;
        write_target(descent, t, target);
        if (!relate_target(descent, target, &relation, &is_nearest) ||
            (is_nearest && !follow_relation(descent, &relation))) {
            return false;
        }
    }
    return descent->moves[0] < MOVES_MOST || report_no_step(descent->distance, descent->error);
}

// ---- Downhill by states -------------------------------------------------------------------------

// Makes the first move that leads to distance - 1 from the targets: fills in its number, and
// changes the state. Fails with FEWEST_DAMAGED if there is none.
static bool step_state(const struct descent *descent, const struct targets *targets, uint8_t *state,
                       int distance, unsigned *move)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    uint8_t moved[CELLS_MOST];
    for (*move = 0; *move < puzzle->move_count; ++*move) {
        int left;
        if (!puzzle_apply(puzzle, *move, state, moved)) {
            continue;
        }
        if (!find_distance(descent->table, moved, targets, &left, descent->error)) {
            return false;
        }
        if (left == distance - 1) {
            memcpy(state, moved, puzzle->cell_count);
            return true;
        }
    }
    return report_no_step(distance, descent->error);
}

// Fills in the first path from descent->start to the nearest of some targets, which is
// descent->distance moves away. Looks up the state after each move.
static bool go_down(const struct descent *descent, const struct targets *targets)
{
    uint8_t state[CELLS_MOST];
    memcpy(state, descent->start, targets->cells);
    for (int i = 0; i < descent->distance; i++) {
        if (!step_state(descent, targets, state, descent->distance - i, &descent->moves[i])) {
            return false;
        }
    }
    return true;
}

// Fills in the first path to a nearest target by states: to the nearest states that were looked up
// or else to the query's own targets.
static bool descend_by_state(const struct descent *descent)
{
    unsigned count = descent->nearest.count;
    size_t cells = descent->targets.cells;
    if (count == 0) {
        return go_down(descent, &descent->targets);
    }
    if (!can_look_up(descent)) {
        return false;
    }
    uint8_t *rows = malloc(count * cells);
    if (!rows) {
        return error_set(descent->error, FEWEST_SYSTEM, "not enough memory for the path");
    }
    for (unsigned t = 0; t < count; t++) {
        write_target(descent, t, rows + t * cells);
    }
    bool done = go_down(descent, &(struct targets){count, rows, (unsigned)cells, false});
    free(rows);
    return done;
}

// ---- The way back -------------------------------------------------------------------------------

// Returns the first move that leads from one state to another. One must: if no other does, it is
// the last.
static unsigned find_move_between(const struct puzzle *puzzle, const uint8_t *from,
                                  const uint8_t *to)
{
    uint8_t moved[CELLS_MOST];
    for (unsigned m = 0; m + 1 < puzzle->move_count; m++) {
        if (puzzle_apply(puzzle, m, from, moved) && memcmp(moved, to, puzzle->cell_count) == 0) {
            return m;
        }
    }
    return puzzle->move_count - 1; // no other is left
}

// Replaces the moves of a path from `start` by those of the way back to it. Each move is undone by
// the first move that leads back. All moves must have inverses, and `steps` is at most
// FEWEST_PATH_MOST.
static void undo_path(const struct puzzle *puzzle, const uint8_t *start, unsigned *moves, int steps)
{
    uint8_t state[CELLS_MOST];
    uint8_t next[CELLS_MOST];
    unsigned undone[FEWEST_PATH_MOST];
    memcpy(state, start, puzzle->cell_count);
    for (int i = 0; i < steps; i++) {
        puzzle_apply(puzzle, moves[i], state, next);
        undone[steps - 1 - i] = find_move_between(puzzle, next, state);
        memcpy(state, next, puzzle->cell_count);
    }
    memcpy(moves, undone, (size_t)steps * sizeof *moves);
}

// Fills in a path from descent->start to a target: goes downhill from the target to the start, and
// undoes that path. All moves have inverses.
static bool descend_from_target(const struct descent *descent, const uint8_t *target)
{
    struct targets start = {1, descent->start, descent->targets.cells, false};
    struct descent back = *descent;
    back.start = target;
    if (!go_down(&back, &start)) {
        return false;
    }
    undo_path(&descent->table->puzzle, target, descent->moves, descent->distance);
    return true;
}

// Sets *high to whether a full state's distance is 2 or 3, and not 0 or 1, mod 4. If the table has
// no section of distances mod 4, each visible state has one full state, whose distance tells.
// Returns false if the entry can't be read.
static bool read_mod4(void *context, unsigned root, uint64_t full, bool *high)
{
    const struct descent *descent = context;
    const struct unpacked *mod4 = &descent->table->mod4[root];
    const struct unpacked *states = &descent->table->states[root];
    int found;
    if (!table_entry(descent->table, mod4->section ? mod4 : states, full, &found, descent->error)) {
        return false;
    }
    // In the section of distances mod 4, 0 stands for 0 or 1, and FEWEST_UNREACHABLE for 2 or 3.
    // Both -1 and the numbers 2 and 3 mod 4 have this bit.
    *high = found & 2;
    return true;
}

// Fills in a path to a target through full states, which the puzzle's family finds by distances
// mod 4 (rolling cubes).
static bool descend_full_states(struct descent *descent, const uint8_t *target)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    const struct full_path path = {.start = descent->start,
                                   .target = target,
                                   .distance = (unsigned)descent->distance,
                                   .moves = descent->moves,
                                   .read = read_mod4,
                                   .context = descent};
    bool found;
    return puzzle->numbering.functions->find_path(puzzle, &path, &found) &&
           (found || report_no_step(descent->distance, descent->error));
}

// ---- The path -----------------------------------------------------------------------------------

// Writes the first of the targets that are descent->distance moves away, which one is. Returns
// false if a look-up fails.
static bool write_nearest(const struct descent *descent, uint8_t *target)
{
    int distance = FEWEST_UNREACHABLE;
    struct targets one = {1, target, descent->targets.cells, false};
    for (unsigned t = 0; t < count_targets(descent) && distance != descent->distance; t++) {
        write_target(descent, t, target);
        if (!find_distance(descent->table, descent->start, &one, &distance, descent->error)) {
            return false;
        }
    }
    return true;
}

// Fills in a shortest path, of descent->distance moves, which is above 0. Chooses between indices,
// states, and, if the table answers only from some starts or to the solved state, the way back.
static bool descend(struct descent *descent)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    bool answers_all = puzzle->numbering.answers == ANSWERS_ALL;
    bool has_wildcard = puzzle_has_wildcard(puzzle, target_at(&descent->targets, 0));
    uint8_t target[CELLS_MOST];
    if (answers_all && (!has_wildcard || descent->nearest.count > 0)) {
        return descend_by_index(descent);
    }
    if (answers_all || choose_answers_targets(puzzle, &descent->targets)) {
        return descend_by_state(descent);
    }
    if (!write_nearest(descent, target)) {
        return false;
    }
    if (puzzle->rules->never_applies_reason) { // a state does not tell what a move makes of it
        return descend_full_states(descent, target);
    }
    return descend_from_target(descent, target);
}

// Looks up the distance to the nearest target, sets *steps to it or to FEWEST_UNREACHABLE, and
// fills in a path of that length.
static bool find_downhill(struct descent *descent, int *steps)
{
    bool done = find_nearest(descent->table, descent->start, &descent->targets, steps,
                             &descent->nearest, descent->error) &&
                table_keeps_limit(descent->table, *steps, descent->error);
    descent->distance = *steps;
    if (done && *steps > 0) {
        done = descend(descent);
    }
    free(descent->nearest.indices);
    return done;
}

// Does what fewest_path does, for rows that were validated. A target that is NULL stands for the
// goals.
static bool find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                      struct fewest_path *path, struct fewest_error *error)
{
    struct descent descent = {.table = table,
                              .start = start,
                              .targets = targets_of(table, target),
                              .moves = path->moves,
                              .error = error};
    const uint8_t *first = target_at(&descent.targets, 0);
    switch (choose_method(table, start, &descent.targets)) {
    case METHOD_IDA_STAR:
        return ida_star_find_path(table, start, first, path->moves, &path->steps, error);
    case METHOD_TWO_SIDED:
        return two_sided_find_path(table, start, first, path->moves, &path->steps, error);
    case METHOD_DOWNHILL:
        break;
    }
    return find_downhill(&descent, &path->steps);
}

bool fewest_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                 struct fewest_path *path, struct fewest_error *error)
{
    struct checked_query query;
    return row_check_query(table, start, target, &query, error) &&
           find_path(table, query.start.cells, query.target.cells, path, error);
}

size_t fewest_path_many(struct fewest *table, const uint8_t *starts, const uint8_t *targets,
                        size_t count, struct fewest_path *paths, struct fewest_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!fewest_path(table, row_of(table, starts, i), row_of(table, targets, i), &paths[i],
                         error)) {
            return row_end_at(i, error);
        }
    }
    return count;
}

// ---- Moves --------------------------------------------------------------------------------------

// Is there a move with this number? If not, sets the error.
static bool check_move(const struct puzzle *puzzle, unsigned move, struct fewest_error *error)
{
    return move < puzzle->move_count ||
           error_set(error, FEWEST_BAD_INPUT, "%s has no move number %u; expected 0 to %u",
                     puzzle->name, move, puzzle->move_count - 1);
}

bool fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to,
                  struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct row row;
    uint8_t moved[CELLS_MOST];
    if (!row_check_state(table, "STATE", from, &row, error) || !check_move(puzzle, move, error)) {
        return false;
    }
    if (!puzzle_apply(puzzle, move, row.cells, moved)) {
        return error_set(error, FEWEST_BEYOND, "move %s is not possible", puzzle->moves[move].name);
    }
    memcpy(to, moved, puzzle->cell_count);
    return true;
}

bool fewest_follow(const struct fewest *table, const uint8_t *start, const unsigned *moves,
                   unsigned count, uint8_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t before[CELLS_MOST];
    struct row row;
    if (!row_check_state(table, "START", start, &row, error)) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!check_move(puzzle, moves[i], error)) {
            return false;
        }
    }
    if (puzzle->rules->never_applies_reason) {         // only the family knows the full states
        memcpy(before, row.cells, puzzle->cell_count); // `state` may be the start
        return puzzle->numbering.functions->follow(puzzle, before, moves, count, state, error);
    }
    memmove(state, row.cells, puzzle->cell_count);
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

bool fewest_scramble(struct fewest *table, const uint8_t *state, struct fewest_path *path,
                     struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const uint8_t *solved = puzzle->goals[0];
    struct row row;
    if (!row_check_state(table, "STATE", state, &row, error)) {
        return false;
    }
    if (find_path(table, solved, row.cells, path, error)) {
        return true;
    }
    if (error->status != FEWEST_BEYOND || !puzzle->reversible ||
        !find_path(table, row.cells, solved, path, error)) {
        return false;
    }
    if (path->steps > 0) {
        undo_path(puzzle, row.cells, path->moves, path->steps);
    }
    return true;
}
