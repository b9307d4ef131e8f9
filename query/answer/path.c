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

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A path that goes downhill from a start to the nearest of some targets.
struct descent {
    struct fewest *table;
    const uint8_t *start;
    uint8_t *targets;   // rows, which become fewer on the way
    unsigned count;     // of targets
    int distance;       // to each target
    unsigned *moves;    // room for FEWEST_PATH_MOST
    uint64_t looked_at; // states, for the watcher
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

// ---- Downhill -----------------------------------------------------------------------------------

// Keeps only the targets at `distance` from a state, in their order, if there are any; else keeps
// all. Sets *found to whether there are any. Returns false if a look-up fails.
static bool keep_targets(struct descent *descent, const uint8_t *state, int distance, bool *found)
{
    unsigned cells = descent->table->puzzle.cell_count;
    unsigned kept = 0;
    for (unsigned t = 0; t < descent->count; t++) {
        uint8_t *row = descent->targets + (size_t)t * cells;
        int from_state;
        bool goes_on = descent->count == 1 ||
                       table_watches_query(descent->table, &descent->looked_at, 1, descent->error);
        if (!goes_on ||
            !find_distance_to(descent->table, state, row, &from_state, NULL, descent->error)) {
            return false;
        }
        if (from_state == distance) {
            if (kept < t) {
                memcpy(descent->targets + (size_t)kept * cells, row, cells);
            }
            kept++;
        }
    }
    *found = kept > 0;
    descent->count = *found ? kept : descent->count;
    return true;
}

// Makes the first move that leads to a state at `distance` from a target: fills in its number, and
// changes the state. Fails with FEWEST_DAMAGED if there is none. `before` is the state before the
// last move. It is farther. One of the few moves of a board leads back to it, and is not looked up:
// `batch --path` takes 0.87 × the time on eight (2026-11).
static bool step_down(struct descent *descent, uint8_t *state, uint8_t *before, int distance,
                      unsigned *move)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    uint8_t moved[CELLS_MOST];
    for (*move = 0; *move < puzzle->move_count; ++*move) {
        bool is_nearer;
        if (!puzzle_apply(puzzle, *move, state, moved) ||
            (puzzle->board && memcmp(moved, before, puzzle->cell_count) == 0)) {
            continue;
        }
        if (!keep_targets(descent, moved, distance, &is_nearer)) {
            return false;
        }
        if (is_nearer) {
            memcpy(before, state, puzzle->cell_count);
            memcpy(state, moved, puzzle->cell_count);
            return true;
        }
    }
    return report_no_step(distance + 1, descent->error);
}

// Fills in the first path to a nearest target.
static bool go_down(struct descent *descent)
{
    uint8_t state[CELLS_MOST];
    uint8_t before[CELLS_MOST];
    assert(descent->start);
    memcpy(state, descent->start, descent->table->puzzle.cell_count);
    memcpy(before, descent->start, descent->table->puzzle.cell_count);
    for (int i = 0; i < descent->distance; i++) {
        if (!step_down(descent, state, before, descent->distance - i - 1, &descent->moves[i])) {
            return false;
        }
    }
    return true;
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

// Fills in a path to the first target: goes downhill from it to descent->start, and undoes that
// path. All moves have inverses.
static bool go_back(const struct descent *descent)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    uint8_t start[CELLS_MOST];
    struct descent back = *descent;
    memcpy(start, descent->start, puzzle->cell_count);
    back.start = descent->targets;
    back.targets = start;
    back.count = 1;
    if (!go_down(&back)) {
        return false;
    }
    undo_path(puzzle, back.start, back.moves, back.distance);
    return true;
}

// ---- Full states --------------------------------------------------------------------------------
// A state of rolling cubes does not tell what a move makes of it. So the way leads through full
// states, from one that shows the target to the root, and is written from its end.

// Sets *agrees to whether the table allows a full state to be at `distance` from the root: it tells
// whether the distance is 2 or 3, and not 0 or 1, mod 4. If it has no section of distances mod 4,
// each visible state has one full state, whose distance tells. Returns false if the entry can't be
// read.
static bool check_mod4(const struct descent *descent, unsigned root, uint64_t full, int distance,
                       bool *agrees)
{
    const struct unpacked *mod4 = &descent->table->mod4[root];
    const struct unpacked *states = &descent->table->states[root];
    int found;
    *agrees = false;
    if (!table_entry(descent->table, mod4->section ? mod4 : states, full, &found, descent->error)) {
        return false;
    }
    // In the section of distances mod 4, 0 stands for 0 or 1, and FEWEST_UNREACHABLE for 2 or 3.
    // Both -1 and the numbers 2 and 3 mod 4 have this bit.
    *agrees = (found & 2) == (distance & 2);
    return true;
}

// Returns the move that leads from full state `from` to its neighbour `to`. A full state has the
// start's blank in a root, so its neighbours belong to the conjugates of the moves.
static unsigned find_full_move(const struct descent *descent, unsigned root, uint64_t from,
                               uint64_t to)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    const struct board *board = puzzle->board;
    const struct symmetry *to_root = &board->to_root[board_find_cell(descent->start, 0)];
    uint64_t next[BOARD_MOVES_MOST];
    unsigned move = 0;
    puzzle_neighbours(puzzle, root, from, next);
    while (move + 1 < puzzle->move_count &&
           next[board_conjugate_move(board, to_root, move)] != to) {
        move++;
    }
    return move;
}

// Goes from a full state to the root, and fills in the moves of the way back. Each step goes to the
// first neighbour whose distance is one less mod 4; it is one less, because neighbours differ by
// one. Sets *arrives to whether the state is descent->distance from the root. Returns false if an
// entry can't be read.
static bool go_to_root(const struct descent *descent, unsigned root, uint64_t full, bool *arrives)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    uint64_t next[BOARD_MOVES_MOST];
    if (!check_mod4(descent, root, full, descent->distance, arrives)) {
        return false;
    }
    for (int d = descent->distance; d > 0 && *arrives; d--) {
        uint64_t from = full;
        *arrives = false;
        puzzle_neighbours(puzzle, root, from, next);
        for (unsigned m = 0; m < puzzle->move_count && !*arrives; m++) {
            if (next[m] == INDEX_NONE) {
                continue;
            }
            if (!check_mod4(descent, root, next[m], d - 1, arrives)) {
                return false;
            }
            full = next[m];
        }
        descent->moves[d - 1] = find_full_move(descent, root, full, from);
    }
    *arrives = *arrives && full == puzzle_rank(puzzle, root, puzzle->numbering.roots[root].target);
    return true;
}

// Fills in a path to the first target. Tries each full state that shows it: some of them have the
// least distance.
static bool go_by_full_states(const struct descent *descent)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    struct lookup lookup;
    bool arrives = false;
    if (!choose_lookup(descent->table, descent->start, descent->targets, &lookup, descent->error)) {
        return false;
    }
    const uint64_t end = puzzle_full_count(puzzle, lookup.root);
    for (uint64_t full = lookup.entry; full < end && !arrives;
         full += puzzle->numbering.state_count) {
        if (!go_to_root(descent, lookup.root, full, &arrives)) {
            return false;
        }
    }
    return arrives || report_no_step(descent->distance, descent->error);
}

// ---- The path -----------------------------------------------------------------------------------

// Lists the nearest of the query's targets or, if they were looked up, the nearest states that
// match them. The caller frees the rows. Returns false if a look-up fails, or without memory.
static bool list_targets(struct descent *descent, const struct targets *targets,
                         const struct nearest *nearest)
{
    const struct visit visit = {
        .table = descent->table, .start = descent->start, .root = nearest->root};
    size_t cells = targets->cells;
    descent->targets = malloc((targets->count + nearest->count) * cells);
    if (!descent->targets) {
        return error_no_memory(descent->error, "for the path");
    }
    for (unsigned n = 0; n < nearest->count; n++) {
        visit_write_state(&visit, nearest->indices[n], descent->targets + descent->count++ * cells);
    }
    for (unsigned t = 0; t < targets->count && nearest->count == 0; t++) {
        const uint8_t *target = target_at(targets, t);
        int distance;
        if (!find_distance_to(descent->table, descent->start, target, &distance, NULL,
                              descent->error)) {
            return false;
        }
        if (distance == descent->distance) {
            memcpy(descent->targets + descent->count++ * cells, target, cells);
        }
    }
    // If another program writes the file meanwhile, there may be none.
    return descent->count > 0 || report_no_step(descent->distance, descent->error);
}

// Are there few enough targets to look for the first path to any of them? If not, sets the error.
static bool can_look_up(const struct descent *descent)
{
    static const uint64_t LOOKED_UP_MOST = UINT64_C(100000000);
    uint64_t most =
        LOOKED_UP_MOST / descent->table->puzzle.move_count / (uint64_t)descent->distance;
    return descent->count <= most ||
           error_set(descent->error, FEWEST_BEYOND,
                     "too many states that match TARGET are equally near to find the first path; "
                     "use fewer wildcards");
}

// Fills in a shortest path, of descent->distance moves, which is above 0. If the table does not
// answer the query's targets from every start, the path is found from its end.
static bool descend(struct descent *descent, const struct targets *targets)
{
    const struct puzzle *puzzle = &descent->table->puzzle;
    if (choose_answers_targets(puzzle, targets)) {
        return go_down(descent);
    }
    return puzzle->rules->never_applies_reason ? go_by_full_states(descent) : go_back(descent);
}

// Looks up the distance to the nearest target, sets path->steps to it or to FEWEST_UNREACHABLE, and
// fills in a path of that length.
static bool find_downhill(struct fewest *table, const uint8_t *start, const struct targets *targets,
                          struct fewest_path *path, struct fewest_error *error)
{
    struct descent descent = {.table = table, .start = start, .moves = path->moves, .error = error};
    struct nearest nearest = {.count = 0};
    bool done = find_nearest(table, start, targets, &path->steps, &nearest, error) &&
                table_keeps_limit(table, path->steps, error);
    descent.distance = path->steps;
    if (done && path->steps > 0) {
        done = list_targets(&descent, targets, &nearest) && can_look_up(&descent) &&
               descend(&descent, targets);
    }
    free(descent.targets);
    free(nearest.indices);
    return done;
}

// Does what fewest_path does, for rows that were validated. A target that is NULL stands for the
// goals.
static bool find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                      struct fewest_path *path, struct fewest_error *error)
{
    const struct targets targets = targets_of(table, target);
    const uint8_t *first = target_at(&targets, 0);
    switch (choose_method(table, start, &targets)) {
    case METHOD_IDA_STAR:
        return ida_star_find_path(table, start, first, path->moves, &path->steps, error);
    case METHOD_TWO_SIDED:
        return two_sided_find_path(table, start, first, path->moves, &path->steps, error);
    case METHOD_DOWNHILL:
        break;
    }
    return find_downhill(table, start, &targets, path, error);
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
