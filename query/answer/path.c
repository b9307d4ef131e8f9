// Answers queries for paths, and follows paths.
#include "answer.h"
#include "method.h"
#include "rows.h"

#include <string.h>

bool fewest_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                 struct fewest_path *path, struct fewest_error *error)
{
    struct checked_query query;
    return row_check_query(table, start, target, &query, error) &&
           method_find(table, query.start.cells, query.target.cells, path->moves, &path->steps,
                       error);
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
    if (puzzle->rules->never_applies_reason) {         // only the family knows the nodes
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
    if (method_find(table, solved, row.cells, path->moves, &path->steps, error)) {
        return true;
    }
    if (error->status != FEWEST_BEYOND || !puzzle->reversible ||
        !method_find(table, row.cells, solved, path->moves, &path->steps, error)) {
        return false;
    }
    if (path->steps > 0) {
        path_undo(puzzle, row.cells, path->moves, path->steps);
    }
    return true;
}
