// Parity: can a target be reached at all, and why?
#include "method.h"
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

// Writes why the target can be reached, in `steps` moves or STEPS_SOME (method.h), or why it can't
// be reached (FEWEST_UNREACHABLE). The target is NULL if any goal will do. `reason` has room for
// FEWEST_ERROR_SIZE bytes.
static void explain(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                    int steps, char *reason)
{
    if (steps == STEPS_SOME) {
        snprintf(reason, FEWEST_ERROR_SIZE, "the moves connect START and TARGET");
    } else if (steps != FEWEST_UNREACHABLE) {
        snprintf(reason, FEWEST_ERROR_SIZE, "in %d move%s", steps, steps == 1 ? "" : "s");
    } else if (!target || !puzzle->rules->explain_unreachable ||
               !puzzle->rules->explain_unreachable(puzzle, start, target, reason,
                                                   FEWEST_ERROR_SIZE)) {
        snprintf(reason, FEWEST_ERROR_SIZE, "no %smoves lead from START to %s",
                 puzzle->filter ? "legal " : "", target ? "TARGET" : "a goal");
    }
}

bool fewest_parity(struct fewest *table, const uint8_t *given_start, const uint8_t *given_target,
                   struct fewest_parity *parity, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct checked_query query;
    if (!row_check_query(table, given_start, given_target, &query, error)) {
        return false;
    }
    const uint8_t *start = query.start.cells;
    struct targets targets = targets_of(table, query.target.cells);
    if (puzzle->rules->decide_parity) { // then no table is needed
        decide_parities(puzzle, start, &targets, parity);
        return true;
    }
    const struct method *method = method_for(table, start, &targets);
    int steps;
    if (!method->reach(table, start, &targets, &steps, error)) {
        return false;
    }
    parity->reachable = steps != FEWEST_UNREACHABLE;
    explain(puzzle, start, targets_only(puzzle, &targets), steps, parity->reason);
    return true;
}
