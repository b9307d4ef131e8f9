// All states that can be reached: visits and picks them, and counts them by distance.
#include "query/answer/distance.h"
#include "query/answer/rows.h"
#include "query/table/visit.h"
#include "tables/base/array.h"
#include "tables/puzzle/matching_states.h"

#include <stdlib.h>
#include <string.h>

// Limit of the look-ups for statistics: at most a minute.
static const uint64_t LOOKED_AT_MOST = UINT64_C(1) << 26;

// Can distances be counted from this start, as far as that depends on the kind of table? NULL
// stands for the default. If not, sets the error.
//
// A table of distances to the nearest goal tells nothing about the distances from a start. Nor does
// one of distances to the solved state, if some moves can't be undone.
static bool accepts_start(const struct puzzle *puzzle, const uint8_t *start,
                          struct fewest_error *error)
{
    if (!start || puzzle->numbering.answers != ANSWERS_TARGETS) {
        return true;
    }
    bool nearest = puzzle_counts_to_nearest(puzzle);
    if (puzzle->reversible && !nearest) {
        return true;
    }
    return error_set(error, FEWEST_BEYOND,
                     "the table of %s counts distances to the %s; it can't count from a state%s",
                     puzzle->name, nearest ? "nearest goal" : "solved state",
                     nearest ? "" : ", because some moves can't be undone");
}

// ---- All states ---------------------------------------------------------------------------------

// The selected states that can be reached, each once: for each component in turn, in the order of
// the table's index or, if few states match, in the order of their cells.
struct selected_visit {
    const uint8_t *matching; // NULL: all states
    bool is_entry;           // is the entry of a state its distance?
    int distance;            // of the states; FEWEST_ANY: any
    fewest_visitor *visit;
    void *context;
    bool stopped; // the visitor returned false
};

// Is the distance from the only goal to a state also the distance from the state to the goal? If
// the table counts distances to the nearest goal, its entries are the latter.
static bool entry_is_distance(const struct fewest *table)
{
    const struct puzzle *puzzle = &table->puzzle;
    return targets_goals(table).count == 1 &&
           (puzzle->reversible || puzzle->numbering.answers == ANSWERS_TARGETS);
}

// Sets *distance to that of a state to the nearest goal. Returns false, with visit->failed, after
// an error.
static bool find_goal_distance(struct visit *visit, const uint8_t *state, int *distance)
{
    struct targets goals = targets_goals(visit->table);
    visit->failed = !find_distance(visit->table, state, &goals, distance, visit->error);
    return !visit->failed;
}

// Passes a state to the caller's visitor if it is at the selected distance. If its entry, which is
// `distance`, does not tell that, looks up the distance to the nearest goal. Returns false if the
// visitor stops the visit or, with visit->failed, after an error.
static bool take_state(struct visit *visit, uint64_t index, int distance)
{
    struct selected_visit *selected = visit->context;
    uint8_t state[CELLS_MOST];
    visit_write_state(visit, index, state);
    if (!selected->is_entry && !find_goal_distance(visit, state, &distance)) {
        return false;
    }
    if (selected->distance == FEWEST_ANY || distance == selected->distance) {
        selected->stopped = !selected->visit(selected->context, state, distance);
    }
    return !selected->stopped;
}

// Visits the selected states that moves connect with the state `base`. Fails with FEWEST_BEYOND if
// the table can't count from there, which choose_lookup tells. Leaves out unreachable states, which
// the index may also number (of rolling cubes, and of a puzzle with forbidden states).
static bool visit_component(struct fewest *table, const uint8_t *base,
                            struct selected_visit *selected, struct fewest_error *error)
{
    bool one_distance = selected->is_entry && selected->distance != FEWEST_ANY;
    struct visit visit = {.table = table,
                          .start = base,
                          .least = one_distance ? selected->distance : 0,
                          .most = one_distance ? selected->distance : DISTANCE_MOST,
                          .take = take_state,
                          .context = selected,
                          .error = error};
    struct lookup lookup;
    return choose_lookup(table, base, base, &lookup, error) &&
           visit_states(&visit, selected->matching);
}

// Does what fewest_visit does, for a selection whose rows are valid: visits the component of the
// start or, if distances are those to the nearest goal, the components of all goals.
static bool visit_selected(struct fewest *table, const struct fewest_selection *selection,
                           fewest_visitor *visit, void *context, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const uint8_t *start = selection->start ? selection->start : table->info.default_start;
    struct selected_visit selected = {.matching = selection->matching,
                                      .is_entry = start || entry_is_distance(table),
                                      .distance = selection->distance,
                                      .visit = visit,
                                      .context = context};
    if (!accepts_start(puzzle, selection->start, error)) {
        return false;
    }
    if (start) {
        return visit_component(table, start, &selected, error);
    }
    for (unsigned c = 0; c < puzzle->component_count && !selected.stopped; c++) {
        if (!visit_component(table, puzzle->goals[puzzle->component_goals[c]], &selected, error)) {
            return false;
        }
    }
    return true;
}

// A selection whose rows were validated.
struct checked_selection {
    struct row start;
    struct row matching;
    struct fewest_selection rows;
};

// Validates the rows of a selection; NULL selects all states. Fills in the selection with valid
// rows, which point to the caller's or to copies in `checked`. Fails with FEWEST_BAD_INPUT.
static bool check_selection(const struct fewest *table, const struct fewest_selection *selection,
                            struct checked_selection *checked, struct fewest_error *error)
{
    checked->rows = selection ? *selection : (struct fewest_selection){.distance = FEWEST_ANY};
    if (checked->rows.start) {
        if (!row_check_state(table, "START", checked->rows.start, &checked->start, error)) {
            return false;
        }
        checked->rows.start = checked->start.cells;
    }
    if (checked->rows.matching) {
        if (!row_check_target(table, "matching", checked->rows.matching, &checked->matching,
                              error)) {
            return false;
        }
        checked->rows.matching = checked->matching.cells;
    }
    return true;
}

bool fewest_visit(struct fewest *table, const struct fewest_selection *selection,
                  fewest_visitor *visit, void *context, struct fewest_error *error)
{
    struct checked_selection checked;
    return check_selection(table, selection, &checked, error) &&
           visit_selected(table, &checked.rows, visit, context, error);
}

// ---- Picking ------------------------------------------------------------------------------------

enum { REACHABLE_CHUNK = 1 << 12 }; // indices

// Adds to *count the reachable states of one chunk: the indices from `first` on, REACHABLE_CHUNK of
// them or as many as are left.
static bool count_chunk(struct fewest *table, unsigned root, uint64_t first, uint64_t *count,
                        struct fewest_error *error)
{
    uint64_t left = table->puzzle.numbering.state_count - first;
    struct stride stride;
    left = left < REACHABLE_CHUNK ? left : REACHABLE_CHUNK;
    stride.step = 1;
    for (stride.first = first; left > 0; stride.first += stride.count) {
        stride.count = left < STRIDE_MOST ? (unsigned)left : STRIDE_MOST;
        if (!table_read_stride(table, &table->sections[SECTION_STATES][root], &stride, error)) {
            return false;
        }
        for (unsigned i = 0; i < stride.count; i++) {
            *count += stride.distances[i] != STRIDE_UNREACHABLE;
        }
        left -= stride.count;
    }
    return true;
}

// Is a chunk, given by its first index, in a block that is known to have no state?
static bool is_blank_chunk(const struct fewest *table, unsigned root, uint64_t first)
{
    const struct unpacked *unpacked = &table->sections[SECTION_STATES][root];
    return table_block_entries(table, unpacked->section) >= REACHABLE_CHUNK &&
           table_is_blank(table, unpacked, table_block_of(table, unpacked->section, first));
}

// Fills in before[c], the number of reachable states before chunk c, for all `chunks` chunks of a
// root's indices. Returns false if a block can't be read or the watcher stops the work.
static bool count_chunks(struct fewest *table, unsigned root, uint64_t chunks, uint64_t *before,
                         struct fewest_error *error)
{
    uint64_t count = 0;
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
        before[chunk] = count;
        if (!table_goes_on(table, "the states", chunk * REACHABLE_CHUNK, chunks * REACHABLE_CHUNK,
                           error) ||
            (!is_blank_chunk(table, root, chunk * REACHABLE_CHUNK) &&
             !count_chunk(table, root, chunk * REACHABLE_CHUNK, &count, error))) {
            return false;
        }
    }
    return true;
}

// Returns the number of reachable states before each chunk of a root's indices. The first call
// counts them, and the table keeps them until it is closed. Returns NULL after an error. Several
// threads may call this at once: then each counts, and the first one to end gives its list to all.
static const uint64_t *find_reachable_before(struct fewest *table, unsigned root, uint64_t chunks,
                                             struct fewest_error *error)
{
    uint64_t *before = table->reachable_before[root];
    uint64_t *others = NULL; // another thread's, which has been faster
    if (before) {
        return before;
    }
    before = array_make(chunks, sizeof *before);
    if (!before) {
        (void)error_no_memory(error, "to number the states");
        return NULL;
    }
    if (!count_chunks(table, root, chunks, before, error)) {
        free(before);
        return NULL;
    }
    if (!atomic_compare_exchange_strong(&table->reachable_before[root], &others, before)) {
        free(before);
        return others;
    }
    return before;
}

// Sets *index to the index of reachable state `number`, counted from 0 in the order of the indices
// of a root. Needed if some indices belong to unreachable states; else the number is the index. A
// binary search finds the chunk, and then its entries are counted.
static bool find_reachable(struct fewest *table, unsigned root, uint64_t number, uint64_t *index,
                           struct fewest_error *error)
{
    uint64_t count = table->puzzle.numbering.state_count;
    uint64_t chunk = 0;
    uint64_t chunks = (count - 1) / REACHABLE_CHUNK + 1;
    const uint64_t *before = find_reachable_before(table, root, chunks, error);
    if (!before) {
        return false;
    }
    uint64_t after = chunks; // the state is in one of the chunks chunk … after-1
    while (after - chunk > 1) {
        uint64_t middle = chunk + (after - chunk) / 2;
        if (before[middle] <= number) {
            chunk = middle;
        } else {
            after = middle;
        }
    }
    number -= before[chunk]; // now counted in the chunk
    for (*index = chunk * REACHABLE_CHUNK; *index < count; ++*index) {
        int distance;
        if (!table_entry(table, &table->sections[SECTION_STATES][root], *index, &distance, error)) {
            return false;
        }
        if (distance == FEWEST_UNREACHABLE) {
            continue;
        }
        if (number == 0) {
            return true;
        }
        number--;
    }
    return error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: it has fewer states than its puzzle");
}

bool fewest_pick(struct fewest *table, uint64_t number, uint8_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint64_t in_component = puzzle->reachable_count / puzzle->component_count; // equal in all
    uint8_t relative[CELLS_MOST];
    struct lookup lookup;
    if (!choose_has_distances(table, error)) {
        return false;
    }
    if (number >= puzzle->reachable_count) {
        return error_set(error, FEWEST_BAD_INPUT, "%s has only %llu states", puzzle->name,
                         (unsigned long long)puzzle->reachable_count);
    }
    const uint8_t *base = puzzle->goals[puzzle->component_goals[number / in_component]];
    if (!choose_lookup(table, base, base, &lookup, error)) { // for the root of `base`
        return false;
    }
    uint64_t index = number % in_component;
    if (in_component != puzzle->numbering.state_count &&
        !find_reachable(table, lookup.root, number % in_component, &index, error)) {
        return false;
    }
    puzzle_unrank(puzzle, lookup.root, index, relative);
    puzzle_restore_target(puzzle, base, relative, state);
    return true;
}

// ---- Statistics ---------------------------------------------------------------------------------

// Are there few enough states to look up each one's distance to every goal? `matching` is the
// target that they match; NULL: all states. If not, sets the error. fewest_visit has no such limit.
static bool can_look_at_all(const struct puzzle *puzzle, const uint8_t *matching,
                            struct fewest_error *error)
{
    uint64_t count = matching ? visit_count_entries(puzzle, matching) : puzzle->reachable_count;
    return count <= LOOKED_AT_MOST / puzzle->goal_count ||
           error_set(error, FEWEST_BEYOND,
                     "%s has several goals and too many states to count the distance to the "
                     "nearest one; count from one START instead",
                     puzzle->name);
}

// A visitor: counts a state at its distance in a struct fewest_stats, unless it is unreachable.
static bool count_state(void *context, const uint8_t *state, int distance)
{
    struct fewest_stats *stats = context;
    (void)state;
    if (distance != FEWEST_UNREACHABLE) {
        stats->count[distance]++;
        stats->largest = (unsigned)distance > stats->largest ? (unsigned)distance : stats->largest;
    }
    return true;
}

// Counts a state at its distance to the nearest of all goals, which is looked up. The entry of the
// state is the distance to one of them only.
static bool count_to_nearest_goal(struct visit *visit, uint64_t index, int distance)
{
    uint8_t state[CELLS_MOST];
    visit_write_state(visit, index, state);
    return find_goal_distance(visit, state, &distance) &&
           count_state(visit->context, state, distance);
}

// Adds the counts of a part of a visit to those of all.
static void add_counts(void *context, const void *part)
{
    struct fewest_stats *stats = context;
    const struct fewest_stats *counted = part;
    for (unsigned d = 0; d <= counted->largest; d++) {
        stats->count[d] += counted->count[d];
    }
    stats->largest = counted->largest > stats->largest ? counted->largest : stats->largest;
}

// Counts all states at each distance to the nearest of several goals, in all threads.
static bool count_to_goals(struct fewest *table, struct fewest_stats *stats,
                           struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    for (unsigned c = 0; c < puzzle->component_count; c++) {
        struct visit visit = {.table = table,
                              .start = puzzle->goals[puzzle->component_goals[c]],
                              .take = count_to_nearest_goal,
                              .context = stats,
                              .error = error};
        if (!visit_in_parts(&visit, sizeof *stats, add_counts)) {
            return false;
        }
    }
    return true;
}

// Counts the selected states at each distance, in the cheapest of three ways:
//   - All states, from one start or to one goal: the header has these counts for `section`, which
//     is that of the start or goal.
//   - All states, to the nearest of several goals: looks up each state, in all threads.
//   - Some of the states: visits them.
static bool count_selected(struct fewest *table, const struct fewest_selection *selection,
                           const struct section *section, struct fewest_stats *stats,
                           struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    bool one = selection->start || table->info.default_start || targets_goals(table).count == 1;
    bool all = !selection->matching && selection->distance == FEWEST_ANY;
    if (one && all) {
        stats->largest = section->largest; // at most DISTANCE_MOST, so it fits `count`
        memcpy(stats->count, section->histogram,
               (section->largest + 1) * sizeof *section->histogram);
        return true;
    }
    if (!one && !can_look_at_all(puzzle, selection->matching, error)) {
        return false;
    }
    if (!one && all) {
        return count_to_goals(table, stats, error);
    }
    return visit_selected(table, selection, count_state, stats, error);
}

bool fewest_count(struct fewest *table, const struct fewest_selection *selection,
                  struct fewest_stats *stats, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct checked_selection checked;
    struct lookup lookup;
    double sum = 0;
    if (!check_selection(table, selection, &checked, error)) {
        return false;
    }
    const struct fewest_selection *rows = &checked.rows;
    const uint8_t *start = rows->start ? rows->start : table->info.default_start;
    const uint8_t *base = start ? start : puzzle->goals[0]; // its root has the section
    bool all = !rows->matching && rows->distance == FEWEST_ANY;
    *stats = (struct fewest_stats){.states = 0};
    if (!accepts_start(puzzle, rows->start, error) ||
        !choose_lookup(table, base, base, &lookup, error) ||
        !count_selected(table, rows, table->sections[SECTION_STATES][lookup.root].section, stats,
                        error)) {
        return false;
    }
    for (unsigned d = 0; d <= stats->largest; d++) {
        stats->states += stats->count[d];
        sum += (double)d * (double)stats->count[d];
    }
    stats->mean = stats->states > 0 ? sum / (double)stats->states : 0;
    return stats->states > 0 || !all ||
           error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: no state is reachable, not even a goal");
}

// ---- Arrangements -------------------------------------------------------------------------------

// What visit_arrangement needs to call the caller's visitor and the watcher.
struct arrangement_visit {
    struct fewest *table;
    fewest_arrangement_visitor *visit;
    void *context;
    uint64_t all;
    uint64_t done;
    struct fewest_error *error;
    bool failed;
};

// Calls the caller's visitor for one arrangement, and the watcher now and then. Returns false if
// one of them stops; `failed` is set if it was the watcher.
static bool visit_arrangement(void *context, const uint8_t *state)
{
    struct arrangement_visit *arrangements = context;
    arrangements->failed =
        !table_goes_on(arrangements->table, "the arrangements", arrangements->done,
                       arrangements->all, arrangements->error);
    arrangements->done++;
    return !arrangements->failed && arrangements->visit(arrangements->context, state);
}

bool fewest_visit_arrangements(struct fewest *table, const uint8_t *matching,
                               fewest_arrangement_visitor *visit, void *context,
                               struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct arrangement_visit arrangements = {
        .table = table, .visit = visit, .context = context, .error = error};
    uint8_t any[CELLS_MOST];
    struct row row;
    memset(any, WILD, puzzle->cell_count);
    if (!row_check_target(table, "matching", matching ? matching : any, &row, error)) {
        return false;
    }
    arrangements.all = count_matching_states(puzzle, row.cells);
    visit_matching_states(puzzle, row.cells, visit_arrangement, &arrangements);
    return !arrangements.failed;
}
