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
    struct nearest_indices *kept; // of the distance so far, or NULL
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
    if (least->start) {
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

static bool keep_index(struct nearest_indices *kept, uint64_t index)
{
    enum { KEPT_MOST = 1 << 12 };
    if (kept->count == kept->room) {
        unsigned room = 2 * kept->room + 64;
        uint64_t *larger = room < KEPT_MOST ? realloc(kept->indices, room * sizeof *larger) : NULL;
        if (!larger) {
            return false;
        }
        kept->indices = larger;
        kept->room = room;
    }
    kept->indices[kept->count++] = index;
    return true;
}

// Keeps the indices of a run whose distance is the least so far.
static void keep_run(const struct least *least, uint64_t first, uint64_t step, unsigned count,
                     const struct run *run)
{
    struct nearest_indices *kept = least->kept;
    bool is_first = least->distance == FEWEST_UNREACHABLE;
    if (run->nearest == RUN_UNREACHABLE || (!is_first && run->nearest > least->distance)) {
        return;
    }
    if (is_first || run->nearest < least->distance) {
        kept->known = true;
        kept->count = 0;
    }
    const uint8_t *found = run->distances;
    const uint8_t *end = found + count;
    while (kept->known && (found = memchr(found, run->nearest, (size_t)(end - found)))) {
        kept->known = keep_index(kept, first + (uint64_t)(found++ - run->distances) * step);
    }
}

static bool take_run(void *context, uint64_t first, uint64_t step, unsigned count)
{
    struct least *least = context;
    struct run run;
    if (!table_read_run(least->table, &least->table->states[least->root], first, step, count, &run,
                        least->error)) {
        least->failed = true;
        return false;
    }
    if (least->kept) {
        keep_run(least, first, step, count, &run);
    }
    take_distance(least, run.nearest == RUN_UNREACHABLE ? FEWEST_UNREACHABLE : run.nearest);
    return least->kept || least->distance != NEAREST;
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
                                   int *distance, struct nearest_indices *kept,
                                   struct fewest_error *error)
{
    struct least least = {.table = table,
                          .root = lookup->root,
                          .distance = FEWEST_UNREACHABLE,
                          .kept = kept,
                          .error = error};
    if (state_matches(&table->puzzle, start, target)) {
        *distance = 0;
        return true;
    }
    if (!can_look_up_all(&table->puzzle, target, error)) {
        return false;
    }
    if (lookup->way == LOOKUP_MATCHING_INDICES) {
        if (kept) {
            kept->root = lookup->root;
        }
        visit_matching_indices(&table->puzzle, lookup->root, lookup->relative, take_run, &least);
    } else if (lookup->way == LOOKUP_MATCHING) {
        visit_matching_states(&table->puzzle, lookup->relative, take_least, &least);
    } else {
        least.start = start;
        visit_matching_states(&table->puzzle, target, take_least, &least);
    }
    *distance = least.distance;
    return !least.failed;
}

static bool find_distance_to(struct fewest *table, const uint8_t *start, const uint8_t *target,
                             int *distance, struct nearest_indices *kept,
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
    return find_least_of_matching(table, start, target, &lookup, distance, kept, error);
}

bool find_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *distance, struct nearest_indices *nearest, struct fewest_error *error)
{
    struct nearest_indices *kept = targets->count == 1 ? nearest : NULL;
    *distance = FEWEST_UNREACHABLE;
    for (unsigned t = 0; t < targets->count; t++) {
        int found;
        if (!find_distance_to(table, start, target_at(targets, t), &found, kept, error)) {
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
// Each step is made for several queries before the next one, so that the processor overlaps them.

// A query that one entry answers. In all other cases `section` is NULL.
struct begun {
    bool unreachable; // there is no entry
    bool ranks;       // `ranking` will give the entry
    struct wildcard_ranking ranking;
    const struct unpacked *section;
    uint64_t entry;
    const uint8_t *bytes; // of its block
    uint64_t in_block;    // its number in the block
};

// The first step: chooses the section and, unless it begins to rank, the entry.
static void begin_steps(struct fewest *table, const struct fewest_query *query, struct begun *begun)
{
    struct targets targets = targets_of(table, query);
    struct lookup lookup;
    struct fewest_error ignored;
    begun->unreachable = false;
    begun->section = NULL;
    if (targets.count > 1) {
        return;
    }
    begun->ranks = choose_ranks_wildcards(table) &&
                   wildcard_begin_ranking(&table->puzzle.numbering.roots[0].wildcards, query->start,
                                          targets.rows, &begun->ranking);
    if (begun->ranks) {
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

// The second step: finds the entry and begins to fetch it, if its block is unpacked.
static void fetch_steps(const struct fewest *table, struct begun *begun)
{
    if (begun->section && begun->section->mask != UINT64_MAX) { // a bounded section
        begun->section = NULL;
    }
    if (!begun->section) {
        return;
    }
    if (begun->ranks) {
        begun->entry =
            wildcard_end_ranking(&table->puzzle.numbering.roots[0].wildcards, &begun->ranking);
    }
    const struct section *section = begun->section->section;
    uint64_t in_block = begun->entry;
    begun->bytes = table_bytes(begun->section, table_block(table, section, &in_block));
    begun->in_block = in_block;
    __builtin_prefetch(&begun->bytes[in_block * section->bits / 8]);
}

// The last step: answers.
static bool end_steps(struct fewest *table, const struct fewest_query *query,
                      const struct begun *begun, int *steps, struct fewest_error *error)
{
    *steps = FEWEST_UNREACHABLE;
    if (begun->unreachable) {
        return true;
    }
    if (!begun->section || !begun->bytes) {
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
    struct begun begun[TOGETHER];
    size_t end;
    for (size_t first = 0; first < count; first = end) {
        end = count - first < TOGETHER ? count : first + TOGETHER;
        for (size_t i = first; i < end; i++) {
            begin_steps(table, &queries[i], &begun[i - first]);
        }
        for (size_t i = first; i < end; i++) {
            fetch_steps(table, &begun[i - first]);
        }
        for (size_t i = first; i < end; i++) {
            if (!end_steps(table, &queries[i], &begun[i - first], &steps[i], error)) {
                return i;
            }
        }
    }
    return count;
}
