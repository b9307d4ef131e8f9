// Visits states by their entries, in runs if the family can list the indices that match.
#include "visit.h"

#include "tables/base/parallel.h"
#include "tables/puzzle/matching_states.h"

#include <stdlib.h>

uint64_t visit_count_entries(const struct puzzle *puzzle, const uint8_t *target)
{
    uint64_t all = puzzle->numbering.state_count;
    uint64_t count = target ? count_matching_states(puzzle, target) : all;
    return count < all ? count : all;
}

void visit_write_state(const struct visit *visit, uint64_t index, uint8_t *state)
{
    uint8_t relative[CELLS_MOST];
    puzzle_unrank(&visit->table->puzzle, visit->root, index, relative);
    puzzle_restore_target(&visit->table->puzzle, visit->start, relative, state);
}

// Writes the relative target whose entry is the distance of `target` from visit->start, and sets
// visit->root to its root. Returns false with visit->error if the table has no such entry.
//
// If an entry counts the moves from a state to the goals, visit->start is the solved state. So
// puzzle_find_relative gets `target` as its start.
static bool find_relative_target(struct visit *visit, const uint8_t *target, uint8_t *relative)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    if (puzzle->numbering.counts_to_goals) {
        return puzzle_find_relative(puzzle, target, visit->start, &visit->root, relative,
                                    visit->error);
    }
    return puzzle_find_relative(puzzle, visit->start, target, &visit->root, relative, visit->error);
}

// Counts `count` more entries as done, and calls the watcher now and then. Returns false with
// visit->error if the watcher stops the visit. A part of visit_in_parts leaves both to add_part.
static bool watch_entries(struct visit *visit, unsigned count)
{
    uint64_t before = visit->done;
    if (visit->is_part) {
        return true;
    }
    if (visit->is_query) {
        return table_watches_query(visit->table, &visit->done, count, visit->error);
    }
    visit->done += count;
    return before / STEPS_PER_WATCH == visit->done / STEPS_PER_WATCH ||
           table_watches_on(visit->table, "the states", before, visit->all, visit->error);
}

// Does the state of an index match visit->compared? If that is NULL, the visit comes only to states
// that match.
static bool matches_target(const struct visit *visit, uint64_t index)
{
    uint8_t state[CELLS_MOST];
    if (!visit->compared) {
        return true;
    }
    visit_write_state(visit, index, state);
    return state_matches(&visit->table->puzzle, state, visit->compared);
}

// Reads the entries first, first+step, ... of visit->root, `count` of them, at most STRIDE_MOST.
// Calls visit->take for each state that matches and is at a distance from visit->least to
// visit->most. Returns false at the end of the visit; visit->failed tells whether that is a
// failure.
static bool visit_stride(void *context, uint64_t first, uint64_t step, unsigned count)
{
    struct visit *visit = context;
    struct stride stride;
    stride.first = first;
    stride.step = step;
    stride.count = count;
    if (!watch_entries(visit, count) ||
        !table_read_stride(visit->table, &visit->table->sections[SECTION_STATES][visit->root],
                           &stride, visit->error)) {
        visit->failed = true;
        return false;
    }
    if (stride.least > visit->most) {
        return true;
    }
    for (unsigned i = 0; i < count; i++) {
        int distance = stride.distances[i];
        uint64_t index = first + i * step;
        if (distance >= visit->least && distance <= visit->most && matches_target(visit, index) &&
            !visit->take(visit, index, distance)) {
            return false;
        }
    }
    return true;
}

// Visits the state with this relative target. Returns false as visit_stride does.
static bool visit_relative(void *context, const uint8_t *relative)
{
    struct visit *visit = context;
    uint64_t index = puzzle_rank(&visit->table->puzzle, visit->root, relative);
    if (index == INDEX_NONE) { // no moves lead there, so it only counts as an entry
        visit->failed = !watch_entries(visit, 1);
        return !visit->failed;
    }
    return visit_stride(visit, index, 0, 1); // one entry
}

// Visits a state by its cells. Returns false as visit_stride does.
static bool visit_state(void *context, const uint8_t *state)
{
    struct visit *visit = context;
    uint8_t relative[CELLS_MOST];
    visit->failed = !find_relative_target(visit, state, relative);
    return !visit->failed && visit_relative(visit, relative);
}

// Returns how many indices from `first` on are in a block that is known to be blank.
static uint64_t count_blank(const struct visit *visit, uint64_t first)
{
    const struct unpacked *unpacked = &visit->table->sections[SECTION_STATES][visit->root];
    uint64_t entry = first; // becomes its number in the block
    uint64_t block = table_block(visit->table, unpacked->section, &entry);
    return table_is_blank(visit->table, unpacked, block)
               ? table_block_entries(visit->table, unpacked->section) - entry
               : 0;
}

// Visits the indices first … end-1, until visit->take or a failure ends the visit. Leaves out the
// blocks that are known to have no state: a visit takes no unreachable states.
static void visit_range(struct visit *visit, uint64_t first, uint64_t end)
{
    bool goes_on = true;
    while (first < end && goes_on) {
        uint64_t left = end - first;
        uint64_t blank = count_blank(visit, first);
        uint64_t count = blank > 0 ? blank : STRIDE_MOST;
        count = count < left ? count : left;
        if (blank > 0) {
            goes_on = watch_entries(visit, (unsigned)count);
            visit->failed = !goes_on;
        } else {
            goes_on = visit_stride(visit, first, 1, (unsigned)count);
        }
        first += count;
    }
}

// Reads the distances of the states from the entries of visit->root, whose indices are those of
// relative targets. There are four ways to come to the entries:
//   1. The family lists the indices of the matching relative targets. This is the fastest way.
//   2. All entries are read, and each state is compared with the target. This is best if there
//      is no target, or if at least as many arrangements match it as there are entries.
//   3. The matching relative targets are listed, and each is ranked.
//   4. The matching states are listed in the order of their dense indices. Each is turned into a
//      relative target and ranked. This also serves a target without a relative target.
bool visit_states(struct visit *visit, const uint8_t *target)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    uint8_t relative[CELLS_MOST];
    bool has_relative = target && puzzle_accepts_wildcards(puzzle, target);
    // This leaves out unreachable entries, because STRIDE_UNREACHABLE is larger.
    visit->most = visit->most < DISTANCE_MOST ? visit->most : DISTANCE_MOST;
    visit->all = visit_count_entries(puzzle, target);
    visit->done = 0;
    visit->compared = NULL;
    // This also sets visit->root. If `target` has no relative target, only the root is needed.
    if (!find_relative_target(visit, has_relative ? target : visit->start, relative)) {
        return false;
    }
    if (has_relative && puzzle->numbering.functions->visit_indices) {
        // Way 1: read only the entries that match.
        puzzle->numbering.functions->visit_indices(puzzle, visit->root, relative, visit_stride,
                                                   visit);
    } else if (visit->all == puzzle->numbering.state_count) {
        // Way 2: read all entries, and compare each state with `target`.
        visit->compared = target;
        visit_range(visit, 0, visit->all);
    } else if (has_relative && visit->is_query) {
        // Way 3: rank each matching relative target. A query takes the states in any order.
        // This is 1.3 × as fast as way 4, 2026-11.
        visit_matching_states(puzzle, relative, visit_relative, visit);
    } else {
        // Way 4: turn each matching state into a relative target, and rank that.
        visit_matching_states(puzzle, target, visit_state, visit);
    }
    return !visit->failed;
}

// ---- In parts -----------------------------------------------------------------------------------

struct parts {
    struct visit *visit; // its context, `done` and `failed` are those of all parts
    size_t bytes;
    void (*add)(void *context, const void *part);
    pthread_mutex_t lock; // for `visit`
};

// Ends a part that has visited `count` entries: adds its context to that of the whole visit, and
// calls the watcher. If the part has failed or the watcher stops it, fails the whole visit. The
// visit keeps the error of the first part that failed.
static void add_part(struct parts *parts, struct visit *part, uint64_t count)
{
    struct visit *visit = parts->visit;
    pthread_mutex_lock(&parts->lock);
    visit->done += count;
    if (!part->failed) {
        parts->add(visit->context, part->context);
        part->failed =
            !table_watches_on(visit->table, "the states", visit->done, visit->all, part->error);
    }
    if (part->failed && !visit->failed) {
        visit->failed = true;
        *visit->error = *part->error;
    }
    pthread_mutex_unlock(&parts->lock);
}

// Has a part failed, or has the watcher stopped the visit?
static bool has_failed(struct parts *parts)
{
    pthread_mutex_lock(&parts->lock);
    bool failed = parts->visit->failed;
    pthread_mutex_unlock(&parts->lock);
    return failed;
}

// Visits the indices begin … end-1 in a thread, with a context of its own. Does nothing if another
// part has failed.
static void visit_part(void *context, uint64_t begin, uint64_t end)
{
    struct parts *parts = context;
    struct fewest_error error;
    if (has_failed(parts)) {
        return;
    }
    struct visit part = {.table = parts->visit->table,
                         .start = parts->visit->start,
                         .most = DISTANCE_MOST,
                         .take = parts->visit->take,
                         .context = calloc(1, parts->bytes),
                         .shared = parts->visit->shared,
                         .error = &error,
                         .root = parts->visit->root,
                         .is_part = true};
    // error_no_memory sets the error, and returns false.
    part.failed = !part.context && !error_no_memory(&error, "for a thread");
    if (!part.failed) {
        visit_range(&part, begin, end);
    }
    add_part(parts, &part, end - begin);
    free(part.context);
}

bool visit_in_parts(struct visit *visit, size_t bytes, void (*add)(void *context, const void *part))
{
    enum { GRAIN = 1 << 14 }; // indices of a part
    struct parts parts = {.visit = visit, .bytes = bytes, .add = add};
    uint8_t relative[CELLS_MOST];
    visit->all = visit->table->puzzle.numbering.state_count;
    visit->done = 0;
    if (!find_relative_target(visit, visit->start, relative)) { // sets visit->root
        return false;
    }
    if (pthread_mutex_init(&parts.lock, NULL) != 0) {
        return error_no_memory(visit->error, "for a lock");
    }
    parallel_for(visit->table->options.threads, visit->all, GRAIN, visit_part, &parts);
    pthread_mutex_destroy(&parts.lock);
    return !visit->failed;
}
