// All states that can be reached: visits and picks them, and counts them by distance.
#include "query/answer/distance.h"
#include "query/answer/rows.h"
#include "tables/puzzle/matching_states.h"
#include "visit.h"

#include <stdlib.h>
#include <string.h>

// Limit of the look-ups for statistics: at most a minute.
static const uint64_t LOOKED_AT_MOST = UINT64_C(1) << 26;

// If some moves can't be undone, distances to the solved state tell nothing about a start. Nor do
// distances to the nearest goal.
static bool refuse_start(const struct puzzle *puzzle, const uint8_t *start,
                         struct fewest_error *error)
{
    bool nearest = puzzle_counts_to_nearest(puzzle);
    return !start || puzzle->numbering.answers != ANSWERS_TARGETS ||
           (puzzle->reversible && !nearest) ||
           error_set(error, FEWEST_BEYOND,
                     "the table of %s counts distances to the %s; it can't count from a state%s",
                     puzzle->name, nearest ? "nearest goal" : "solved state",
                     nearest ? "" : ", because some moves can't be undone");
}

// ---- All states ---------------------------------------------------------------------------------

// The selected states that can be reached, each once: for each component in turn, in the order of
// the table's index or, if few states match, in the order of their cells.
struct selecting {
    const uint8_t *matching; // NULL: all states
    bool is_entry;           // is an entry the distance?
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

static bool take_state(struct visit *visit, uint64_t index, int distance)
{
    struct selecting *selecting = visit->context;
    uint8_t state[CELLS_MOST];
    visit_write_state(visit, index, state);
    if (!selecting->is_entry) {
        struct targets goals = targets_goals(visit->table);
        if (!find_distance(visit->table, state, &goals, &distance, visit->error)) {
            visit->failed = true;
            return false;
        }
    }
    if (selecting->distance == FEWEST_ANY || distance == selecting->distance) {
        selecting->stopped = !selecting->visit(selecting->context, state, distance);
    }
    return !selecting->stopped;
}

// Visits the selected states that moves connect with `base`. An index can have unreachable states,
// too: that of a sliding board on a line, of rolling cubes, and of a puzzle with illegal states.
static bool visit_component(struct fewest *table, const uint8_t *base, struct selecting *selecting,
                            struct fewest_error *error)
{
    bool one = selecting->is_entry && selecting->distance != FEWEST_ANY;
    struct visit visit = {.table = table,
                          .start = base,
                          .least = one ? selecting->distance : 0,
                          .most = one ? selecting->distance : DISTANCE_MOST,
                          .take = take_state,
                          .context = selecting,
                          .error = error};
    struct lookup lookup;
    return choose_lookup(table, base, base, &lookup, error) &&
           visit_states(&visit, selecting->matching);
}

static bool visit_selected(struct fewest *table, const struct fewest_selection *selection,
                           fewest_visitor *visit, void *context, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const uint8_t *start = selection->start ? selection->start : table->info.default_start;
    struct selecting selecting = {.matching = selection->matching,
                                  .is_entry = start || entry_is_distance(table),
                                  .distance = selection->distance,
                                  .visit = visit,
                                  .context = context};
    if (!refuse_start(puzzle, selection->start, error)) {
        return false;
    }
    if (start) {
        return visit_component(table, start, &selecting, error);
    }
    for (unsigned c = 0; c < puzzle->component_count && !selecting.stopped; c++) {
        if (!visit_component(table, puzzle->goals[puzzle->component_goals[c]], &selecting, error)) {
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

static bool check_selection(const struct fewest *table, const struct fewest_selection *selection,
                            struct checked_selection *checked, struct fewest_error *error)
{
    checked->rows = selection ? *selection : (struct fewest_selection){.distance = FEWEST_ANY};
    if ((checked->rows.start &&
         !row_check_state(table, "START", checked->rows.start, &checked->start, error)) ||
        (checked->rows.matching &&
         !row_check_target(table, "matching", checked->rows.matching, &checked->matching, error))) {
        return false;
    }
    checked->rows.start = checked->rows.start ? checked->start.cells : NULL;
    checked->rows.matching = checked->rows.matching ? checked->matching.cells : NULL;
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

enum { REACHABLE_CHUNK = 1 << 12 };

static bool count_chunk(struct fewest *table, unsigned root, uint64_t first, uint64_t *count,
                        struct fewest_error *error)
{
    uint64_t left = table->puzzle.numbering.state_count - first;
    struct run run;
    left = left < REACHABLE_CHUNK ? left : REACHABLE_CHUNK;
    run.step = 1;
    for (run.first = first; left > 0; run.first += run.count) {
        run.count = left < RUN_MOST ? (unsigned)left : RUN_MOST;
        if (!table_read_run(table, &table->states[root], &run, error)) {
            return false;
        }
        for (unsigned i = 0; i < run.count; i++) {
            *count += run.distances[i] != RUN_UNREACHABLE;
        }
        left -= run.count;
    }
    return true;
}

static bool count_chunks(struct fewest *table, unsigned root, uint64_t chunks, uint64_t *before,
                         struct fewest_error *error)
{
    uint64_t count = 0;
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
        before[chunk] = count;
        if (!table_goes_on(table, "the states", chunk * REACHABLE_CHUNK, chunks * REACHABLE_CHUNK,
                           error) ||
            !count_chunk(table, root, chunk * REACHABLE_CHUNK, &count, error)) {
            return false;
        }
    }
    return true;
}

// Returns the number of reachable states before each chunk of indices. The first call counts them.
static const uint64_t *find_reachable_before(struct fewest *table, unsigned root, uint64_t chunks,
                                             struct fewest_error *error)
{
    uint64_t *before = table->reachable_before[root];
    uint64_t *others = NULL; // another thread's, which has been faster
    if (before) {
        return before;
    }
    before = chunks <= SIZE_MAX / sizeof *before ? malloc((size_t)chunks * sizeof *before) : NULL;
    if (!before) {
        error_write(error, FEWEST_SYSTEM, "not enough memory to number the states");
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

// For an index with unreachable states: looks for the reachable one that has a number in its
// component.
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
    for (uint64_t after = chunks; after - chunk > 1;) {
        uint64_t middle = chunk + (after - chunk) / 2;
        *(before[middle] <= number ? &chunk : &after) = middle;
    }
    number -= before[chunk];
    for (*index = chunk * REACHABLE_CHUNK; *index < count; ++*index) {
        int distance;
        if (!table_entry(table, &table->states[root], *index, &distance, error)) {
            return false;
        }
        if (distance != FEWEST_UNREACHABLE && number-- == 0) {
            return true;
        }
    }
    return error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: it has fewer states than its puzzle");
}

bool fewest_pick(struct fewest *table, uint64_t number, uint8_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint64_t in_component = puzzle->reachable_count / puzzle->component_count;
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
    if (!choose_lookup(table, base, base, &lookup, error)) {
        return false;
    }
    uint64_t index = number % in_component;
    if (in_component != puzzle->numbering.state_count &&
        !find_reachable(table, lookup.root, number % in_component, &index, error)) {
        return false;
    }
    puzzle_unrank(puzzle, lookup.root, index, relative);
    puzzle_unrelate(puzzle, base, relative, state);
    return true;
}

// ---- Statistics ---------------------------------------------------------------------------------

// Limits the statistics. fewest_visit has no limit.
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

static bool take_counted(struct visit *visit, uint64_t index, int distance)
{
    uint8_t state[CELLS_MOST];
    struct targets goals = targets_goals(visit->table);
    visit_write_state(visit, index, state);
    if (!find_distance(visit->table, state, &goals, &distance, visit->error)) {
        visit->failed = true;
        return false;
    }
    return count_state(visit->context, state, distance);
}

static void add_counts(void *context, const void *part)
{
    struct fewest_stats *stats = context;
    const struct fewest_stats *counted = part;
    for (unsigned d = 0; d <= counted->largest; d++) {
        stats->count[d] += counted->count[d];
    }
    stats->largest = counted->largest > stats->largest ? counted->largest : stats->largest;
}

// Counts the states at each distance to the nearest of several goals, in all threads.
static bool count_to_goals(struct fewest *table, struct fewest_stats *stats,
                           struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    for (unsigned c = 0; c < puzzle->component_count; c++) {
        struct visit visit = {.table = table,
                              .start = puzzle->goals[puzzle->component_goals[c]],
                              .take = take_counted,
                              .context = stats,
                              .error = error};
        if (!visit_in_parts(&visit, sizeof *stats, add_counts)) {
            return false;
        }
    }
    return true;
}

// Distances from one start or to one goal are those of its root, which the header counts.
static bool count_selected(struct fewest *table, const struct fewest_selection *selection,
                           const struct section *section, struct fewest_stats *stats,
                           struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    bool one = selection->start || table->info.default_start || targets_goals(table).count == 1;
    if (one && !selection->matching && selection->distance == FEWEST_ANY) {
        stats->largest = section->largest;
        memcpy(stats->count, section->histogram,
               (section->largest + 1) * sizeof *section->histogram);
        return true;
    }
    if (!one && !can_look_at_all(puzzle, selection->matching, error)) {
        return false;
    }
    if (!one && !selection->matching && selection->distance == FEWEST_ANY) {
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
    const uint8_t *from = rows->start ? rows->start : table->info.default_start;
    const uint8_t *of = from ? from : puzzle->goals[0];
    bool all = !rows->matching && rows->distance == FEWEST_ANY;
    *stats = (struct fewest_stats){.states = 0};
    if (!refuse_start(puzzle, rows->start, error) ||
        !choose_lookup(table, of, of, &lookup, error) ||
        !count_selected(table, rows, table->states[lookup.root].section, stats, error)) {
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

struct arranging {
    struct fewest *table;
    fewest_arrangement_visitor *visit;
    void *context;
    uint64_t all;
    uint64_t done;
    struct fewest_error *error;
    bool failed;
};

static bool visit_arrangement(void *context, const uint8_t *state)
{
    struct arranging *arranging = context;
    arranging->failed = !table_goes_on(arranging->table, "the arrangements", arranging->done,
                                       arranging->all, arranging->error);
    arranging->done++;
    return !arranging->failed && arranging->visit(arranging->context, state);
}

bool fewest_visit_arrangements(struct fewest *table, const uint8_t *matching,
                               fewest_arrangement_visitor *visit, void *context,
                               struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct arranging arranging = {
        .table = table, .visit = visit, .context = context, .error = error};
    uint8_t any[CELLS_MOST];
    struct row row;
    memset(any, WILD, puzzle->cell_count);
    if (!row_check_target(table, "matching", matching ? matching : any, &row, error)) {
        return false;
    }
    arranging.all = count_matching_states(puzzle, row.cells);
    visit_matching_states(puzzle, row.cells, visit_arrangement, &arranging);
    return !arranging.failed;
}
