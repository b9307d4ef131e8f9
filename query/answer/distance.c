// Looks up distances, and the least distance of all states that match a wildcard target.
#include "distance.h"

#include "query/search/ida_star.h"
#include "query/select/visit.h"
#include "rows.h"
#include "tables/puzzle/matching_states.h"
#include "two_sided.h"

#include <stdlib.h>

// Limit for a wildcard target without an entry of its own: the answer is then the least distance of
// all states that match it.
enum { MATCHING_STATES_MOST = 10 * 1000 * 1000 };

// What a visit of the states that match a target has found so far.
struct least {
    int distance;            // the least one, or FEWEST_UNREACHABLE
    struct nearest *nearest; // gets all states at that distance; NULL if nobody wants them
};

// Adds a state to the list of nearest ones. Without memory, it fails the visit and returns false.
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

// Takes a matching state whose distance is the least so far, and lowers visit->most, so that only
// states that change the result come here again: nearer ones or, if the nearest states are wanted,
// equally near ones, too. Returns false to end the visit. A distance of 0 is damage, because START
// does not match the target.
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
    for (unsigned t = 0; t < targets->count; t++) {
        int found;
        if (!find_distance_to(table, start, target_at(targets, t), &found, nearest, error)) {
            return false;
        }
        if (found != FEWEST_UNREACHABLE && (*distance == FEWEST_UNREACHABLE || found < *distance)) {
            *distance = found;
        }
    }
    return true;
}

bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error)
{
    return find_nearest(table, start, targets, distance, NULL, error);
}

bool find_steps(struct fewest *table, const uint8_t *start, const uint8_t *target, int *steps,
                struct fewest_error *error)
{
    struct targets targets = targets_of(table, target);
    const uint8_t *first = target_at(&targets, 0);
    switch (choose_method(table, start, &targets)) {
    case METHOD_IDA_STAR:
        return ida_star_find_path(table, start, first, NULL, steps, error);
    case METHOD_TWO_SIDED:
        return two_sided_find_path(table, start, first, NULL, steps, error);
    case METHOD_DOWNHILL:
        break;
    }
    return find_distance(table, start, &targets, steps, error) &&
           table_keeps_limit(table, *steps, error);
}

bool fewest_steps(struct fewest *table, const uint8_t *start, const uint8_t *target, int *steps,
                  struct fewest_error *error)
{
    struct checked_query query;
    return row_check_query(table, start, target, &query, error) &&
           find_steps(table, query.start.cells, query.target.cells, steps, error);
}

// ---- Many queries -------------------------------------------------------------------------------
// Each phase runs for up to sixteen queries before the next phase starts. So the processor overlaps
// the work of these queries.

// A query in progress. It is unreachable, or an entry of `section` has its answer. If that is NULL,
// no phase can answer it, and fewest_steps does.
struct begun_query {
    bool unreachable; // no moves lead to the target, as choose_lookup tells
    bool is_ranking;  // the second phase gets the entry from `ranking`
    struct wildcard_ranking ranking;
    const struct unpacked *section;
    uint64_t entry;
    const uint8_t *bytes; // of the entry's block
    uint64_t in_block;    // the entry's number in that block
};

// The first phase: chooses the section with the answer. Finds the entry or, for a wildcard target,
// begins to rank it. Leaves the section NULL for a bad row, several goals, or a query that needs
// more than one look-up. An error is ignored, because fewest_steps will find it again.
static void begin_query(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        struct begun_query *begun)
{
    bool to_goals = row_is_goals(target);
    struct targets targets = to_goals ? targets_goals(table) : targets_of(table, target);
    struct lookup lookup;
    struct fewest_error ignored;
    begun->unreachable = false;
    begun->section = NULL;
    if (targets.count > 1 || !row_accepts(table, start, false)) {
        return;
    }
    if (!to_goals && !row_accepts(table, target, true)) {
        return;
    }
    begun->is_ranking = can_rank_without_relating(table) &&
                        wildcard_begin_ranking(&table->puzzle.numbering.roots[0].wildcards, start,
                                               targets.rows, &begun->ranking);
    if (begun->is_ranking) {
        begun->section = &table->wildcards[0];
        return;
    }
    if (choose_method(table, start, &targets) == METHOD_DOWNHILL &&
        choose_lookup(table, start, targets.rows, &lookup, &ignored)) {
        begun->unreachable = lookup.way == LOOKUP_NONE;
        begun->section = lookup.way == LOOKUP_ENTRY ? lookup.section : NULL;
        begun->entry = lookup.entry;
    }
}

// The second phase: ends the ranking, if the first phase has begun one, and prefetches the entry.
// If its block is not unpacked, or may be displaced, the section becomes NULL.
static void fetch_entry(const struct fewest *table, struct begun_query *begun)
{
    const struct unpacked *unpacked = begun->section;
    begun->section = NULL;
    if (!unpacked) {
        return;
    }
    if (begun->is_ranking) {
        begun->entry =
            wildcard_end_ranking(&table->puzzle.numbering.roots[0].wildcards, &begun->ranking);
    }
    uint64_t in_block = begun->entry;
    const uint8_t *bytes = table_bytes(unpacked, table_block(table, unpacked->section, &in_block));
    if (bytes) {
        __builtin_prefetch(&bytes[in_block * unpacked->section->bits / 8]);
        begun->section = unpacked;
        begun->bytes = bytes;
        begun->in_block = in_block;
    }
}

// The third phase: fills in the answer from the fetched entry. If there is none, fewest_steps
// answers the query from the beginning.
static bool answer_query(struct fewest *table, const uint8_t *start, const uint8_t *target,
                         const struct begun_query *begun, int *steps, struct fewest_error *error)
{
    if (begun->unreachable) {
        *steps = FEWEST_UNREACHABLE;
        return true;
    }
    if (!begun->section) {
        return fewest_steps(table, start, target, steps, error);
    }
    unsigned value = entry_get(begun->bytes, begun->section->section->bits, begun->in_block);
    return table_distance(begun->section, begun->entry, value, steps, error) &&
           table_keeps_limit(table, *steps, error);
}

size_t fewest_steps_many(struct fewest *table, const uint8_t *starts, const uint8_t *targets,
                         size_t count, int *steps, struct fewest_error *error)
{
    enum { TOGETHER = 16 }; // queries in one phase
    struct begun_query begun[TOGETHER];
    size_t end;
    for (size_t first = 0; first < count; first = end) {
        end = count - first < TOGETHER ? count : first + TOGETHER;
        for (size_t i = first; i < end; i++) {
            begin_query(table, row_of(table, starts, i), row_of(table, targets, i),
                        &begun[i - first]);
        }
        for (size_t i = first; i < end; i++) {
            fetch_entry(table, &begun[i - first]);
        }
        for (size_t i = first; i < end; i++) {
            int found; // a watcher may read steps[i] only when the answer is there
            if (!answer_query(table, row_of(table, starts, i), row_of(table, targets, i),
                              &begun[i - first], &found, error)) {
                return row_end_at(i, error);
            }
            steps[i] = found;
        }
    }
    return count;
}
