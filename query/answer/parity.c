// Parity: can a target be reached at all, and why?
#include "distance.h"
#include "query/search/ida_star.h"
#include "rows.h"

#include <stdio.h>

// Decides by the rules, without a look at the table, whether one of the targets can be reached. The
// reason is that of the first one that can, or else of the last one.
static bool decide_parities(const struct puzzle *puzzle, const uint8_t *start,
                            const struct targets *targets, struct fewest_parity *parity,
                            struct fewest_error *error)
{
    parity->reachable = false;
    for (unsigned t = 0; t < targets->count && !parity->reachable; t++) {
        if (!puzzle->rules->decide_parity(puzzle, start, target_at(targets, t), &parity->reachable,
                                          parity->reason, error)) {
            return false;
        }
    }
    return true;
}

// Returns the target that a reason may name. NULL if there are several goals: what the rules say of
// one need not hold for the others.
static const uint8_t *only_target(const struct puzzle *puzzle, const struct targets *targets)
{
    return targets->are_goals && puzzle->goal_count > 1 ? NULL : target_at(targets, 0);
}

// Writes the reason after a search, which found a path of `steps` moves or FEWEST_UNREACHABLE. The
// target is NULL if any goal will do. `reason` has room for FEWEST_ERROR_SIZE bytes.
static void explain_search(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                           int steps, char *reason)
{
    if (steps != FEWEST_UNREACHABLE) {
        snprintf(reason, FEWEST_ERROR_SIZE, "in %d move%s", steps, steps == 1 ? "" : "s");
        return;
    }
    if (target &&
        puzzle->rules->explain_parity(puzzle, start, target, false, reason, FEWEST_ERROR_SIZE)) {
        return; // the rules know a reason, and have written it
    }
    snprintf(reason, FEWEST_ERROR_SIZE, "no %smoves lead from START to %s",
             puzzle->forbids_states ? "legal " : "", target ? "TARGET" : "a goal");
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
    if (!parity->reachable) {
        explain_search(puzzle, start, target, FEWEST_UNREACHABLE, parity->reason);
    } else if (!puzzle->rules->explain_parity(puzzle, start, target, true, parity->reason,
                                              FEWEST_ERROR_SIZE)) {
        snprintf(parity->reason, FEWEST_ERROR_SIZE, "the moves connect START and TARGET");
    }
    return true;
}

// Decides by a search whether the target of a query can be reached. `target` is the one that the
// reason may name, or NULL.
static bool search_reachable(struct fewest *table, const struct checked_query *query,
                             const uint8_t *target, struct fewest_parity *parity,
                             struct fewest_error *error)
{
    int steps;
    if (!find_steps(table, query->start.cells, query->target.cells, &steps, error)) {
        return false;
    }
    parity->reachable = steps != FEWEST_UNREACHABLE;
    explain_search(&table->puzzle, query->start.cells, target, steps, parity->reason);
    return true;
}

// Writes the reason for an unreachable target if the rules know none: how many arrangements the
// section reaches. The section counts distances from START, or else distances to the target or to
// the nearest goal. `target` is NULL for the goals.
static void explain_unreachable(const struct puzzle *puzzle, const struct section *section,
                                const uint8_t *target, char *reason)
{
    bool to_target = puzzle->numbering.answers == ANSWERS_TARGETS &&
                     (!target || puzzle_answers_target(puzzle, target));
    unsigned long long reachable = section_count_reachable(section);
    unsigned long long all = puzzle->arrangement_count; // 0: too many
    char of_all[40] = "";
    if (all > 0) {
        snprintf(of_all, sizeof of_all, " of the %llu", all);
    }
    if (to_target) {
        snprintf(reason, FEWEST_ERROR_SIZE, "%llu%s arrangements can reach %s, but not START",
                 reachable, of_all, target ? "TARGET" : "a goal");
    } else {
        snprintf(reason, FEWEST_ERROR_SIZE, "START can reach %llu%s arrangements, but %s",
                 reachable, of_all, target ? "not TARGET" : "no goal");
    }
}

// Writes the reason after the distance to the nearest target was looked up: that of the rules, or
// the number of moves, or else what the table tells about an unreachable target.
static bool explain_distance(struct fewest *table, const uint8_t *start,
                             const struct targets *targets, int distance, char *reason,
                             struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    bool reachable = distance != FEWEST_UNREACHABLE;
    const uint8_t *target = only_target(puzzle, targets);
    struct lookup lookup;
    if (target && puzzle->rules->explain_parity &&
        puzzle->rules->explain_parity(puzzle, start, target, reachable, reason,
                                      FEWEST_ERROR_SIZE)) {
        return true;
    }
    if (reachable) {
        snprintf(reason, FEWEST_ERROR_SIZE, "in %d move%s", distance, distance == 1 ? "" : "s");
        return true;
    }
    if (!choose_lookup(table, start, target_at(targets, 0), &lookup, error)) {
        return false;
    }
    explain_unreachable(puzzle, table->states[lookup.root].section, target, reason);
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
        return decide_parities(puzzle, start, &targets, parity, error);
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
    return explain_distance(table, start, &targets, distance, parity->reason, error);
}
