// Finds out how far the states on a walk are from the targets.
#include "walk.h"

#include "query/answer/distance.h"
#include "query/answer/method.h"

bool walk_begin(struct walk *walk, struct fewest *table, const uint8_t *start,
                const uint8_t *target, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    *walk = (struct walk){.table = table, .error = error};
    if (puzzle->rules->never_applies_reason) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has rolling cubes: a visible state does not tell where a move leads, "
                         "so only one shortest path can be found",
                         puzzle->name);
    }
    if (!row_check_query(table, start, target, &walk->query, error)) {
        return false;
    }
    walk->targets = targets_of(table, walk->query.target.cells);
    return method_find(table, walk->query.start.cells, walk->query.target.cells, NULL, &walk->steps,
                       error);
}

bool walk_step(struct walk *walk, const uint8_t *state, unsigned move, int most, uint8_t *next,
               int *distance)
{
    struct fewest *table = walk->table;
    *distance = -1;
    if (!puzzle_apply(&table->puzzle, move, state, next)) {
        return true;
    }
    const struct method *method = method_for(table, next, &walk->targets);
    const uint8_t *target = walk->query.target.cells;
    bool is_quick = method->looks_up && !(target && puzzle_has_wildcard(&table->puzzle, target));
    // A step that is not quick calls the watcher.
    if (!table_watches_query(table, &walk->looked_at, is_quick ? 1 : STATES_PER_WATCH,
                             walk->error)) {
        return false;
    }
    bool found = method->looks_up
                     ? find_distance(table, next, &walk->targets, distance, walk->error)
                     : method->find(table, next, &walk->targets, NULL, distance, walk->error);
    if (!found && walk->error->status == FEWEST_LIMITED) { // farther than the limit of the options
        *distance = -1;
        return true;
    }
    *distance = *distance <= most ? *distance : -1; // FEWEST_UNREACHABLE is -1, too
    return found;
}
