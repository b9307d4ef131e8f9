// Finds out how far the states on a walk are from the targets.
#include "walk.h"

#include "query/answer/distance.h"

bool walk_begin(struct walk *walk, struct fewest *table, const uint8_t *start,
                const uint8_t *target, struct fewest_error *error)
{
    *walk = (struct walk){.table = table, .error = error};
    if (!row_check_query(table, start, target, &walk->query, error)) {
        return false;
    }
    walk->targets = targets_of(table, walk->query.target.cells);
    walk->functions = method_for(table, walk->query.start.cells, &walk->targets)->nodes;
    walk->row_bytes = walk->functions ? sizeof(uint64_t) : table->puzzle.cell_count;
    return method_find(table, walk->query.start.cells, walk->query.target.cells, NULL, &walk->steps,
                       error);
}

bool walk_start(struct walk *walk, int most, uint8_t *row)
{
    const uint8_t *start = walk->query.start.cells;
    if (!walk->functions) {
        memcpy(row, start, walk->row_bytes);
        return true;
    }
    walk->nodes = walk->functions->open(walk->table, start, &walk->targets, most, walk->error);
    if (walk->nodes) {
        uint64_t node = walk->functions->start(walk->nodes);
        memcpy(row, &node, sizeof node);
    }
    return walk->nodes;
}

void walk_end(struct walk *walk)
{
    if (walk->nodes) {
        walk->functions->close(walk->nodes);
    }
}

// Does what walk_step does, if rows are nodes.
static bool step_to_node(struct walk *walk, const uint8_t *row, unsigned move, int most,
                         uint8_t *next, int *distance)
{
    uint64_t node;
    uint64_t to;
    memcpy(&node, row, sizeof node);
    bool is_on_path = walk->functions->step(walk->nodes, node, move, &to, distance);
    memcpy(next, &to, sizeof to);
    *distance = is_on_path && *distance <= most ? *distance : -1;
    return table_watches_query(walk->table, &walk->looked_at, 1, walk->error);
}

bool walk_step(struct walk *walk, const uint8_t *row, unsigned move, int most, uint8_t *next,
               int *distance)
{
    struct fewest *table = walk->table;
    if (walk->nodes) {
        return step_to_node(walk, row, move, most, next, distance);
    }
    *distance = -1;
    if (!puzzle_apply(&table->puzzle, move, row, next)) {
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
