// Looks up distances, and the least distance of all states that match a wildcard target.
#include "distance.h"

#include "query/table/visit.h"
#include "tables/puzzle/matching_states.h"

#include <stdlib.h>
#include <string.h>

// ---- How ----------------------------------------------------------------------------------------

// Chooses how to look up a wildcard target, whose relative target is in the lookup. It is by the
// target's own entry or, without one, by all states that match it. Numbers the wildcard targets
// first, if no query has done so. Returns false after an error.
static bool choose_wildcard_lookup(struct fewest *table, struct lookup *lookup,
                                   struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const struct wildcard_index *wildcards = &puzzle->numbering.roots[lookup->root].wildcards;
    if (!table_has_wildcard_numbers(table) && !table_number_wildcards(table, error)) {
        return table_prefix_path(table, error);
    }
    if (wildcards->entries > 0 && wildcard_rank(wildcards, lookup->relative, &lookup->entry)) {
        lookup->way = LOOKUP_ENTRY;
        lookup->section = &table->sections[SECTION_WILDCARDS][lookup->root];
    } else {
        lookup->way = LOOKUP_STATES;
    }
    return true;
}

bool choose_has_distances(const struct fewest *table, struct fewest_error *error)
{
    return puzzle_is_numbered(&table->puzzle) ||
           error_set(error, FEWEST_BEYOND,
                     "%s is solved by a search: its table holds no distances, which this needs",
                     table->puzzle.name);
}

bool choose_lookup(struct fewest *table, const uint8_t *start, const uint8_t *target,
                   struct lookup *lookup, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!choose_has_distances(table, error)) {
        return false;
    }
    bool is_wild = puzzle_has_wildcard(puzzle, target);
    if (is_wild && !puzzle_accepts_wildcards(puzzle, target)) {
        lookup->way = LOOKUP_STATES; // there is no relative target, so no root is known
        lookup->root = 0;
        return true;
    }
    if (!puzzle_find_relative(puzzle, start, target, &lookup->root, lookup->relative, error)) {
        return false;
    }
    if (is_wild) {
        return choose_wildcard_lookup(table, lookup, error);
    }
    lookup->section = &table->sections[SECTION_STATES][lookup->root];
    lookup->entry = puzzle_rank(puzzle, lookup->root, lookup->relative);
    lookup->way = lookup->entry == INDEX_NONE ? LOOKUP_NONE : LOOKUP_ENTRY;
    return true;
}

// ---- All states that match ----------------------------------------------------------------------

// Limit for a wildcard target without an entry of its own: the answer is then the least distance of
// all states that match it.
enum { MATCHING_STATES_MOST = 10 * 1000 * 1000 };

// What a visit of the states that match a target has found so far.
struct least {
    int distance;            // the least one, or FEWEST_UNREACHABLE
    struct nearest *nearest; // gets all states at that distance; NULL if nobody wants them
};

// Adds the index of a state to the list of nearest ones, and notes its root. If memory runs out,
// fails the visit and returns false.
static bool add_nearest(struct visit *visit, struct nearest *nearest, uint64_t index)
{
    nearest->root = visit->root;
    if (nearest->count == nearest->room) {
        unsigned room = 2 * nearest->room + 64;
        uint64_t *larger = realloc(nearest->indices, room * sizeof *larger);
        if (!larger) {
            visit->failed = true;
            return error_no_memory(visit->error, "for the path");
        }
        nearest->indices = larger;
        nearest->room = room;
    }
    nearest->indices[nearest->count++] = index;
    return true;
}

// A taker (visit.h): notes the distance of a matching state, which is the least so far. Lowers
// visit->most, so that only nearer states come here; if all nearest ones are listed, also equally
// near ones. Returns false to end the visit. A distance of 0 is damage, because START does not
// match the target.
static bool take_state(struct visit *visit, uint64_t index, int distance)
{
    struct least *least = visit->context;
    if (distance == 0) {
        visit->failed = true;
        return error_set(
            visit->error, FEWEST_DAMAGED,
            "the table holds wrong distances: 0 for a START that does not match TARGET");
    }
    if (!least->nearest) {
        least->distance = distance;
        visit->most = distance - 1;
        return distance > 1; // none is nearer: 0 would be START
    }
    if (distance != least->distance) {
        least->nearest->count = 0;
    }
    least->distance = distance;
    visit->most = distance;
    return add_nearest(visit, least->nearest, index);
}

// Do few enough states match the target to look up each of them? If not, sets the error.
static bool can_look_up_all(const struct puzzle *puzzle, const uint8_t *target,
                            struct fewest_error *error)
{
    uint64_t count = count_matching_states(puzzle, target);
    return count <= MATCHING_STATES_MOST ||
           error_set(error, FEWEST_BEYOND,
                     "%llu states match TARGET, and the limit is %d; use fewer wildcards",
                     (unsigned long long)count, MATCHING_STATES_MOST);
}

// Sets *distance to the least distance from a start to a state that matches the target, or to
// FEWEST_UNREACHABLE. Looks up each matching state. Lists the nearest ones, unless `nearest` is
// NULL or the start itself matches.
static bool find_least_of_matching(struct fewest *table, const uint8_t *start,
                                   const uint8_t *target, int *distance, struct nearest *nearest,
                                   struct fewest_error *error)
{
    struct least least = {FEWEST_UNREACHABLE, nearest};
    struct visit visit = {.table = table,
                          .start = start,
                          .most = DISTANCE_MOST,
                          .is_query = true,
                          .take = take_state,
                          .context = &least,
                          .error = error};
    if (state_matches(&table->puzzle, start, target)) {
        *distance = 0;
        return true;
    }
    if (!can_look_up_all(&table->puzzle, target, error) || !visit_states(&visit, target)) {
        return false;
    }
    *distance = least.distance;
    return true;
}

bool find_distance_to(struct fewest *table, const uint8_t *start, const uint8_t *target,
                      int *distance, struct nearest *nearest, struct fewest_error *error)
{
    struct lookup lookup;
    if (!choose_lookup(table, start, target, &lookup, error)) {
        return false;
    }
    switch (lookup.way) {
    case LOOKUP_NONE:
        *distance = FEWEST_UNREACHABLE;
        return true;
    case LOOKUP_ENTRY:
        return table_entry(table, lookup.section, lookup.entry, distance, error);
    case LOOKUP_STATES:
        break;
    }
    return find_least_of_matching(table, start, target, distance, nearest, error);
}

bool find_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *distance, struct nearest *nearest, struct fewest_error *error)
{
    *distance = FEWEST_UNREACHABLE;
    // Several targets are goals, without wildcards. So only a single target can fill the list.
    for (unsigned t = 0; t < targets->count; t++) {
        int found;
        if (!find_distance_to(table, start, target_at(targets, t), &found, nearest, error)) {
            return false;
        }
        if (found != FEWEST_UNREACHABLE && (*distance == FEWEST_UNREACHABLE || found < *distance)) {
            *distance = found;
        }
    }
    if (nearest) {
        nearest->distance = *distance;
    }
    return true;
}

bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error)
{
    return find_nearest(table, start, targets, distance, NULL, error);
}

bool report_no_step(int distance, struct fewest_error *error)
{
    return error_set(
        error, FEWEST_DAMAGED,
        "the table holds wrong distances: no move from distance %d leads to distance %d", distance,
        distance - 1);
}

bool list_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  struct nearest *nearest, struct fewest_error *error)
{
    const struct visit visit = {.table = table, .start = start, .root = nearest->root};
    size_t cells = targets->cells;
    nearest->rows = malloc((targets->count + nearest->count) * cells);
    if (!nearest->rows) {
        return error_no_memory(error, "for the path");
    }
    for (unsigned n = 0; n < nearest->count; n++) {
        visit_write_state(&visit, nearest->indices[n],
                          nearest->rows + nearest->row_count++ * cells);
    }
    // Only if no nearest states are listed: then the targets themselves are.
    for (unsigned t = 0; t < targets->count && nearest->count == 0; t++) {
        const uint8_t *target = target_at(targets, t);
        int distance;
        if (!find_distance_to(table, start, target, &distance, NULL, error)) {
            return false;
        }
        if (distance == nearest->distance) {
            memcpy(nearest->rows + nearest->row_count++ * cells, target, cells);
        }
    }
    // If another program writes the file meanwhile, there may be none.
    return nearest->row_count > 0 || report_no_step(nearest->distance, error);
}

void free_nearest(struct nearest *nearest)
{
    free(nearest->indices);
    free(nearest->rows);
}
