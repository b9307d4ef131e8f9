// Looks up distances, and the least distance of all states that match a wildcard target.
#include "distance.h"

#include "breadth_first.h"
#include "puzzle/matching_states.h"
#include "search/ida_star.h"

#include <stdlib.h>
#include <string.h>

// Limit for a wildcard target without an entry of its own: the answer is then the least distance of
// all states that match it.
enum { MATCHING_STATES_MOST = 10 * 1000 * 1000 };

// The least distance over many states.
struct least {
    struct fewest *table;
    const uint8_t *start; // NULL: the states are relative targets of `root`
    unsigned root;
    int distance;
    struct nearest_indices *nearest; // the nearest states so far, or NULL
    uint64_t looked_at;              // states so far
    struct fewest_error *error;
    bool failed;
};

// A start that matches the target has distance 0 without a look-up. So no distance that is looked
// up is below this.
static const int NEAREST = 1;

static void take_distance(struct least *least, int distance)
{
    if (distance != FEWEST_UNREACHABLE &&
        (least->distance == FEWEST_UNREACHABLE || distance < least->distance)) {
        least->distance = distance;
    }
}

static bool take_entry(struct least *least, unsigned root, uint64_t index)
{
    int distance;
    if (!table_entry(least->table, &least->table->states[root], index, &distance, least->error)) {
        least->failed = true;
        return false;
    }
    take_distance(least, distance);
    return true;
}

static bool take_least(void *context, const uint8_t *state)
{
    struct least *least = context;
    const struct puzzle *puzzle = &least->table->puzzle;
    uint8_t relative[CELLS_MOST];
    least->failed = !table_watches_query(least->table, &least->looked_at, 1, least->error);
    if (!least->failed && least->start) {
        least->failed =
            !puzzle_relate(puzzle, least->start, state, &least->root, relative, least->error);
        state = relative;
    }
    if (least->failed) {
        return false;
    }
    uint64_t index = puzzle_rank(puzzle, least->root, state);
    return (index == INDEX_NONE || take_entry(least, least->root, index)) &&
           least->distance != NEAREST;
}

static bool remember_index(struct nearest_indices *nearest, uint64_t index)
{
    enum { REMEMBERED_MOST = 1 << 12 }; // indices; more of them are looked up again
    if (nearest->count == nearest->room) {
        unsigned room = 2 * nearest->room + 64;
        uint64_t *larger =
            room < REMEMBERED_MOST ? realloc(nearest->indices, room * sizeof *larger) : NULL;
        if (!larger) {
            return false;
        }
        nearest->indices = larger;
        nearest->room = room;
    }
    nearest->indices[nearest->count++] = index;
    return true;
}

// Remembers the indices of this run that have the least distance so far.
static void remember_nearest(const struct least *least, uint64_t first, uint64_t step,
                             unsigned count, const struct run *run)
{
    struct nearest_indices *nearest = least->nearest;
    bool none_yet = least->distance == FEWEST_UNREACHABLE;
    if (run->least == RUN_UNREACHABLE || (!none_yet && run->least > least->distance)) {
        return;
    }
    if (none_yet || run->least < least->distance) {
        nearest->known = true;
        nearest->count = 0;
    }
    const uint8_t *found = run->distances;
    const uint8_t *end = found + count;
    while (nearest->known && (found = memchr(found, run->least, (size_t)(end - found)))) {
        nearest->known =
            remember_index(nearest, first + (uint64_t)(found++ - run->distances) * step);
    }
}

static bool take_run(void *context, uint64_t first, uint64_t step, unsigned count)
{
    struct least *least = context;
    struct run run;
    if (!table_watches_query(least->table, &least->looked_at, count, least->error) ||
        !table_read_run(least->table, &least->table->states[least->root], first, step, count, &run,
                        least->error)) {
        least->failed = true;
        return false;
    }
    if (least->nearest) {
        remember_nearest(least, first, step, count, &run);
    }
    take_distance(least, run.least == RUN_UNREACHABLE ? FEWEST_UNREACHABLE : run.least);
    // At distance NEAREST the visit may end, unless it remembers all nearest states.
    return least->nearest || least->distance != NEAREST;
}

static bool can_look_up_all(const struct puzzle *puzzle, const uint8_t *target,
                            struct fewest_error *error)
{
    uint64_t count = count_matching_states(puzzle, target);
    return count <= MATCHING_STATES_MOST ||
           error_set(error, FEWEST_BEYOND,
                     "%llu states match TARGET, and the limit is %d; use fewer wildcards",
                     (unsigned long long)count, MATCHING_STATES_MOST);
}

static bool find_least_of_matching(struct fewest *table, const uint8_t *start,
                                   const uint8_t *target, const struct lookup *lookup,
                                   int *distance, struct nearest_indices *nearest,
                                   struct fewest_error *error)
{
    struct least least = {.table = table,
                          .root = lookup->root,
                          .distance = FEWEST_UNREACHABLE,
                          .nearest = nearest,
                          .error = error};
    if (state_matches(&table->puzzle, start, target)) {
        *distance = 0;
        return true;
    }
    if (!can_look_up_all(&table->puzzle, target, error)) {
        return false;
    }
    if (lookup->way == LOOKUP_MATCHING_INDICES) {
        if (nearest) {
            nearest->root = lookup->root;
        }
        visit_matching_indices(&table->puzzle, lookup->root, lookup->relative, take_run, &least);
    } else if (lookup->way == LOOKUP_MATCHING) {
        visit_matching_states(&table->puzzle, lookup->relative, take_least, &least);
    } else {
        least.start = start;
        visit_matching_states(&table->puzzle, target, take_least, &least);
    }
    if (least.failed) {
        return false;
    }
    *distance = least.distance;
    return least.distance != 0 ||
           error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: 0 for a START that does not match TARGET");
}

static bool find_distance_to(struct fewest *table, const uint8_t *start, const uint8_t *target,
                             int *distance, struct nearest_indices *nearest,
                             struct fewest_error *error)
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
    case LOOKUP_MATCHING_INDICES:
    case LOOKUP_MATCHING:
    case LOOKUP_MATCHING_PAIRS:
        break;
    }
    return find_least_of_matching(table, start, target, &lookup, distance, nearest, error);
}

bool find_distance_and_nearest(struct fewest *table, const uint8_t *start,
                               const struct targets *targets, int *distance,
                               struct nearest_indices *nearest, struct fewest_error *error)
{
    nearest = targets->count == 1 ? nearest : NULL;
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
    return find_distance_and_nearest(table, start, targets, distance, NULL, error);
}

bool fewest_steps(struct fewest *table, const struct fewest_query *query, int *steps,
                  struct fewest_error *error)
{
    struct targets targets = targets_of(table, query);
    const uint8_t *target = target_at(&targets, 0);
    switch (choose_method(table, query->start, &targets)) {
    case METHOD_SEARCH:
        return ida_star_find_path(table, query->start, target, NULL, steps, error);
    case METHOD_BREADTH_FIRST:
        return breadth_first_find_path(table, query->start, target, NULL, steps, error);
    case METHOD_DOWNHILL:
    case METHOD_LAYERS:
        break;
    }
    return find_distance(table, query->start, &targets, steps, error) &&
           table_keeps_limit(table, *steps, error);
}

// ---- Many queries -------------------------------------------------------------------------------
// Each phase runs for up to sixteen queries before the next phase starts. So the processor overlaps
// the work of these queries.

// A query in progress. If it is not unreachable and its section is NULL, fewest_steps answers it.
struct begun_query {
    bool unreachable; // there is no entry
    bool is_ranking;  // the second phase gets the entry from `ranking`
    struct wildcard_ranking ranking;
    const struct unpacked *section;
    uint64_t entry;
    const uint8_t *bytes; // of the entry's block
    uint64_t in_block;    // the entry's number in that block
};

// The first phase: chooses the section. It finds the entry, or begins to rank a wildcard target.
static void begin_query(struct fewest *table, const struct fewest_query *query,
                        struct begun_query *begun)
{
    struct targets targets = targets_of(table, query);
    struct lookup lookup;
    struct fewest_error ignored;
    begun->unreachable = false;
    begun->section = NULL;
    if (targets.count > 1) {
        return;
    }
    begun->is_ranking = can_rank_without_relating(table) &&
                        wildcard_begin_ranking(&table->puzzle.numbering.roots[0].wildcards,
                                               query->start, targets.rows, &begun->ranking);
    if (begun->is_ranking) {
        begun->section = &table->wildcards[0];
        return;
    }
    enum method method = choose_method(table, query->start, &targets);
    if ((method == METHOD_DOWNHILL || method == METHOD_LAYERS) &&
        choose_lookup(table, query->start, targets.rows, &lookup, &ignored)) {
        begun->unreachable = lookup.way == LOOKUP_NONE;
        begun->section = lookup.way == LOOKUP_ENTRY ? lookup.section : NULL;
        begun->entry = lookup.entry;
    }
}

// The second phase: ends the ranking, and starts to fetch the entry. If its block is not unpacked,
// or may be displaced, the section becomes NULL.
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

// The third phase.
static bool answer_query(struct fewest *table, const struct fewest_query *query,
                         const struct begun_query *begun, int *steps, struct fewest_error *error)
{
    if (begun->unreachable) {
        *steps = FEWEST_UNREACHABLE;
        return true;
    }
    if (!begun->section) {
        return fewest_steps(table, query, steps, error);
    }
    unsigned value = entry_get(begun->bytes, begun->section->section->bits, begun->in_block);
    return table_distance(begun->section, begun->entry, value, steps, error) &&
           table_keeps_limit(table, *steps, error);
}

size_t fewest_steps_many(struct fewest *table, const struct fewest_query *queries, size_t count,
                         int *steps, struct fewest_error *error)
{
    enum { TOGETHER = 16 };
    struct begun_query begun[TOGETHER];
    size_t end;
    for (size_t first = 0; first < count; first = end) {
        end = count - first < TOGETHER ? count : first + TOGETHER;
        for (size_t i = first; i < end; i++) {
            begin_query(table, &queries[i], &begun[i - first]);
        }
        for (size_t i = first; i < end; i++) {
            fetch_entry(table, &begun[i - first]);
        }
        for (size_t i = first; i < end; i++) {
            int found; // a watcher may read steps[i] only when the answer is there
            if (!answer_query(table, &queries[i], &begun[i - first], &found, error)) {
                return i;
            }
            steps[i] = found;
        }
    }
    return count;
}
