// Answers queries for a number of moves: one, or many at once.
#include "distance.h"
#include "method.h"
#include "rows.h"

bool fewest_steps(struct fewest *table, const uint8_t *start, const uint8_t *target, int *steps,
                  struct fewest_error *error)
{
    struct checked_query query;
    return row_check_query(table, start, target, &query, error) &&
           method_find(table, query.start.cells, query.target.cells, NULL, steps, error);
}

// ---- Many queries -------------------------------------------------------------------------------
// Each phase runs for up to sixteen queries before the next phase starts. So the processor overlaps
// the work of these queries.

// A query in progress. It is unreachable, or an entry of `section` has its answer. If `section` is
// NULL, fewest_steps must answer the query.
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
    if (targets.count > 1 || !row_accepts(table, start, false)) { // no wildcards in a start
        return;
    }
    if (!to_goals && !row_accepts(table, target, true)) {
        return;
    }
    begun->is_ranking = can_rank_without_relating(table) &&
                        wildcard_begin_ranking(&table->puzzle.numbering.roots[0].wildcards, start,
                                               targets.rows, &begun->ranking);
    if (begun->is_ranking) {
        begun->section = &table->sections[SECTION_WILDCARDS][0];
        return;
    }
    if (method_for(table, start, &targets)->looks_up &&
        choose_lookup(table, start, targets.rows, &lookup, &ignored)) {
        begun->unreachable = lookup.way == LOOKUP_NONE;
        begun->section = lookup.way == LOOKUP_ENTRY ? lookup.section : NULL;
        begun->entry = lookup.entry;
    }
}

// The second phase: ends the ranking, if the first phase has begun one, and prefetches the entry.
// If its block is not unpacked, or may be dropped, the section becomes NULL.
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
