// The targets of a query.
#ifndef FEWEST_QUERY_ANSWER_ANSWER_H
#define FEWEST_QUERY_ANSWER_ANSWER_H

#include "query/table/table.h"

#include <string.h>

// The targets of a query: its own, or all goals of the puzzle. The nearest one counts.
struct targets {
    unsigned count;
    const uint8_t *rows;
    unsigned cells; // bytes of a row
    bool are_goals;
};

// The row of target `t`, counted from 0.
static inline const uint8_t *target_at(const struct targets *targets, unsigned t)
{
    return targets->rows + (size_t)t * targets->cells;
}

// All goals of the puzzle, as targets.
static inline struct targets targets_goals(const struct fewest *table)
{
    const struct puzzle *puzzle = &table->puzzle;
    // If an entry is the distance to the nearest goal, the first goal stands for all.
    unsigned count = puzzle_counts_to_nearest(puzzle) ? 1 : puzzle->goal_count;
    return (struct targets){count, puzzle->goals[0], puzzle->cell_count, true};
}

// The targets that a query's target stands for: itself, or all goals if it is NULL. A target must
// be a valid row.
static inline struct targets targets_of(const struct fewest *table, const uint8_t *target)
{
    return target ? (struct targets){1, target, table->puzzle.cell_count, false}
                  : targets_goals(table);
}

// Does the table answer each of these targets from every start?
static inline bool targets_are_answered(const struct puzzle *puzzle, const struct targets *targets)
{
    bool answers = true;
    if (targets->are_goals && puzzle_counts_to_nearest(puzzle)) {
        return true;
    }
    for (unsigned t = 0; t < targets->count && answers; t++) {
        answers = puzzle_answers_target(puzzle, target_at(targets, t));
    }
    return answers;
}

// Returns the only target, or NULL if there are several goals. Only with one target may the rules
// give a reason why it can't be reached: the others might be within reach.
static inline const uint8_t *targets_only(const struct puzzle *puzzle,
                                          const struct targets *targets)
{
    return targets->are_goals && puzzle->goal_count > 1 ? NULL : target_at(targets, 0);
}

// Do the rules know a reason why no moves lead to the targets? Then a search, which might not end,
// is not needed.
static inline bool targets_are_excluded(const struct puzzle *puzzle, const uint8_t *start,
                                        const struct targets *targets)
{
    const uint8_t *target = targets_only(puzzle, targets);
    char reason[FEWEST_ERROR_SIZE];
    return target && puzzle->rules->explain_unreachable &&
           memcmp(start, target, puzzle->cell_count) != 0 &&
           puzzle->rules->explain_unreachable(puzzle, start, target, reason, sizeof reason);
}

// Replaces the moves of a path from `start` by those of the way back to it. Each move is undone by
// the first move that leads back. All moves must have inverses, and `steps` is at most
// FEWEST_PATH_MOST.
void path_undo(const struct puzzle *puzzle, const uint8_t *start, unsigned *moves,
               int steps); // look_up.c

#endif
