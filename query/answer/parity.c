// Parity: can a target be reached at all, and why?
#include "distance.h"
#include "query/search/ida_star.h"
#include "rows.h"

#include <stdio.h>
#include <string.h>

// Decides by the rules, without a look at the table, whether one of the targets can be reached. The
// reason is that of the first one that can, or else of the last one.
static void decide_parities(const struct puzzle *puzzle, const uint8_t *start,
                            const struct targets *targets, struct fewest_parity *parity)
{
    parity->reachable = false;
    for (unsigned t = 0; t < targets->count && !parity->reachable; t++) {
        parity->reachable =
            puzzle->rules->decide_parity(puzzle, start, target_at(targets, t), parity->reason);
    }
}

// Returns the target that a reason may name. NULL if there are several goals: what the rules say of
// one need not hold for the others.
static const uint8_t *only_target(const struct puzzle *puzzle, const struct targets *targets)
{
    return targets->are_goals && puzzle->goal_count > 1 ? NULL : target_at(targets, 0);
}

// Writes the reason why a target can't be reached if the rules know one. Returns whether they do.
// `reason` has room for FEWEST_ERROR_SIZE bytes.
static bool explain_by_rules(const struct puzzle *puzzle, const uint8_t *start,
                             const uint8_t *target, char *reason)
{
    const struct rules *rules = puzzle->rules;
    return rules->explain_unreachable &&
           rules->explain_unreachable(puzzle, start, target, reason, FEWEST_ERROR_SIZE);
}

// Writes the reason of a path of `steps` moves or FEWEST_UNREACHABLE. The target is NULL if any
// goal will do. `reason` has room for FEWEST_ERROR_SIZE bytes.
static void explain(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                    int steps, char *reason)
{
    if (steps != FEWEST_UNREACHABLE) {
        snprintf(reason, FEWEST_ERROR_SIZE, "in %d move%s", steps, steps == 1 ? "" : "s");
    } else if (!target || !explain_by_rules(puzzle, start, target, reason)) {
        snprintf(reason, FEWEST_ERROR_SIZE, "no %smoves lead from START to %s",
                 puzzle->forbids_states ? "legal " : "", target ? "TARGET" : "a goal");
    }
}

// Decides by the rules whether a target of a searched puzzle can be reached. Fails if the search
// does not support the target or if puzzle_find_relative refuses the pair.
static bool decide_reachable(const struct puzzle *puzzle, const uint8_t *start,
                             const uint8_t *target, struct fewest_parity *parity,
                             struct fewest_error *error)
{
    uint8_t relative[CELLS_MOST];
    unsigned root;
    if (!search_accepts(puzzle, target, error)) {
        return false;
    }
    if (!puzzle_find_relative(puzzle, start, target, &root, relative, error)) {
        return false;
    }
    parity->reachable = puzzle->rules->is_reachable(puzzle, start, target);
    if (parity->reachable) {
        snprintf(parity->reason, FEWEST_ERROR_SIZE, "the moves connect START and TARGET");
    } else {
        explain(puzzle, start, target, FEWEST_UNREACHABLE, parity->reason);
    }
    return true;
}

// Decides by a search whether the target of a query can be reached. `target` is the one that the
// reason may name, or NULL.
static bool search_reachable(struct fewest *table, const struct checked_query *query,
                             const uint8_t *target, struct fewest_parity *parity,
                             struct fewest_error *error)
{
    const uint8_t *start = query->start.cells;
    const struct puzzle *puzzle = &table->puzzle;
    int steps;
    if (target && memcmp(start, target, puzzle->cell_count) != 0 &&
        explain_by_rules(puzzle, start, target, parity->reason)) {
        parity->reachable = false; // the search might not end
        return true;
    }
    if (!find_steps(table, start, query->target.cells, &steps, error)) {
        return false;
    }
    parity->reachable = steps != FEWEST_UNREACHABLE;
    explain(puzzle, start, target, steps, parity->reason);
    return true;
}

bool fewest_parity(struct fewest *table, const uint8_t *given_start, const uint8_t *given_target,
                   struct fewest_parity *parity, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct checked_query query;
    int distance;
    if (!row_check_query(table, given_start, given_target, &query, error)) {
        return false;
    }
    const uint8_t *start = query.start.cells;
    struct targets targets = targets_of(table, query.target.cells);
    if (puzzle->rules->decide_parity) {
        decide_parities(puzzle, start, &targets, parity);
        return true;
    }
    // Only a search tells, if states are illegal or the table does not answer this pair.
    if (table->info.is_uncounted || choose_method(table, start, &targets) == METHOD_TWO_SIDED) {
        return search_reachable(table, &query, only_target(puzzle, &targets), parity, error);
    }
    if (puzzle_is_searched(puzzle)) {
        return decide_reachable(puzzle, start, target_at(&targets, 0), parity, error);
    }
    if (!find_distance(table, start, &targets, &distance, error)) {
        return false;
    }
    parity->reachable = distance != FEWEST_UNREACHABLE;
    explain(puzzle, start, only_target(puzzle, &targets), distance, parity->reason);
    return true;
}
