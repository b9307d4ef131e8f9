// Finds out how far the states on a walk are from the targets.
#include "walk.h"

#include "query/answer/distance.h"

#include <stdlib.h>

// Rows whose distances are kept. 65,536 states of 16 switches are neighbours of 16 others each:
// their paths take 0.45 of the time (2026-11).
enum { KNOWN_MOST = 1 << 18 };

// Does one look-up tell the distance of a state, or a few for several goals?
static bool is_quick(const struct walk *walk, const uint8_t *state)
{
    const struct fewest *table = walk->table;
    const uint8_t *target = walk->query.target.cells;
    return method_for(table, state, &walk->targets)->looks_up &&
           !(target && puzzle_has_wildcard(&table->puzzle, target));
}

bool walk_begin(struct walk *walk, struct fewest *table, const uint8_t *start,
                const uint8_t *target, unsigned more, struct fewest_error *error)
{
    *walk = (struct walk){.table = table, .error = error};
    if (!row_check_query(table, start, target, &walk->query, error)) {
        return false;
    }
    walk->targets = targets_of(table, walk->query.target.cells);
    const struct method *method = method_for(table, walk->query.start.cells, &walk->targets);
    walk->functions = method->nodes ? method->nodes(table, more) : NULL;
    if (walk->functions && walk->functions->steps) {
        error->status = FEWEST_OK;
        walk->nodes =
            walk->functions->open(table, walk->query.start.cells, &walk->targets, 0, error);
        if (!walk->nodes && error->status != FEWEST_OK) {
            return false;
        }
        if (!walk->nodes) { // there is too much to keep
            walk->functions = NULL;
        }
    }
    walk->row_bytes = walk->functions ? sizeof(uint64_t) : table->puzzle.cell_count;
    walk->is_quick = is_quick(walk, walk->query.start.cells) && !table->puzzle.numbering.by_chain;
    row_set_open(&walk->known, walk_pairs(walk));
    if (walk->nodes) {
        walk->steps = walk->functions->steps(walk->nodes);
        return true;
    }
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
    if (!walk->nodes) {
        walk->nodes = walk->functions->open(walk->table, start, &walk->targets, most, walk->error);
    }
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
    row_set_close(&walk->known);
    free(walk->known_distances);
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

// Looks up how far a state is from its nearest target, or sets *distance to FEWEST_UNREACHABLE:
// also if it is farther than the limit of the options.
static bool look_up(struct walk *walk, const uint8_t *state, int *distance)
{
    struct fewest *table = walk->table;
    const struct method *method = method_for(table, state, &walk->targets);
    // A step that is not quick calls the watcher.
    if (!table_watches_query(table, &walk->looked_at, is_quick(walk, state) ? 1 : STATES_PER_WATCH,
                             walk->error)) {
        return false;
    }
    bool found = method->looks_up
                     ? find_distance(table, state, &walk->targets, distance, walk->error)
                     : method->find(table, state, &walk->targets, NULL, distance, walk->error);
    unsigned limit = table->options.limit;
    if (!found && walk->error->status == FEWEST_LIMITED && limit > 0 &&
        walk->error->at_least == limit + 1) { // not because of its time
        *distance = FEWEST_UNREACHABLE;
        return true;
    }
    if (!found && walk->error->at_least > 0) { // what it proved of this state says nothing of START
        error_write(walk->error, walk->error->status,
                    "stopped while looking for the paths of %d moves", walk->steps);
        walk->error->at_least = walk->steps > 0 ? (unsigned)walk->steps : 0;
    }
    return found;
}

// Makes room for the distance of one more known state. Above KNOWN_MOST, forgets all.
static bool make_room(struct walk *walk)
{
    if (walk->known.count == KNOWN_MOST) {
        row_set_clear(&walk->known);
    }
    if (walk->known.count == walk->room) {
        uint32_t room = 2 * walk->room + 64;
        int16_t *larger = realloc(walk->known_distances, room * sizeof *larger);
        if (!larger) {
            return error_no_memory(walk->error, "for the paths");
        }
        walk->known_distances = larger;
        walk->room = room;
    }
    return true;
}

// Does what look_up does, but only once for a state: most are neighbours of several.
static bool find_known(struct walk *walk, const uint8_t *state, int *distance)
{
    uint16_t pairs[PAIRS_MOST];
    walk_pack(walk, state, pairs);
    if (!make_room(walk)) {
        return false;
    }
    uint32_t before = walk->known.count;
    uint32_t number = row_set_add(&walk->known, pairs);
    if (number == ROW_NONE) {
        return error_no_memory(walk->error, "for the paths");
    }
    if (number < before) {
        *distance = walk->known_distances[number];
        return true;
    }
    bool found = look_up(walk, state, distance);
    walk->known_distances[number] = (int16_t)*distance;
    return found;
}

bool walk_step(struct walk *walk, const uint8_t *row, unsigned move, int most, uint8_t *next,
               int *distance)
{
    if (walk->nodes) {
        return step_to_node(walk, row, move, most, next, distance);
    }
    *distance = -1;
    if (!puzzle_apply(&walk->table->puzzle, move, row, next)) {
        return true;
    }
    bool found = walk->is_quick ? look_up(walk, next, distance) : find_known(walk, next, distance);
    *distance = *distance <= most ? *distance : -1; // FEWEST_UNREACHABLE is -1, too
    return found;
}
