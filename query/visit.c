// Visits states by their entries, in runs if the family can list the indices that match.
#include "visit.h"

#include "puzzle/matching_states.h"

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
    puzzle_unrelate(&visit->table->puzzle, visit->start, relative, state);
}

// If distances are counted to the solved state, the way back is what the table answers.
static bool relate(struct visit *visit, const uint8_t *target, uint8_t *relative)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    bool back = puzzle->numbering.answers == ANSWERS_TARGETS && !puzzle->board;
    return puzzle_relate(puzzle, back ? target : visit->start, back ? visit->start : target,
                         &visit->root, relative, visit->error);
}

// Calls the watcher for the next `count` entries.
static bool goes_on(struct visit *visit, unsigned count)
{
    uint64_t before = visit->done;
    if (visit->is_query) {
        return table_watches_query(visit->table, &visit->done, count, visit->error);
    }
    visit->done += count;
    return before / STEPS_PER_WATCH == visit->done / STEPS_PER_WATCH ||
           table_watches_on(visit->table, "the states", before, visit->all, visit->error);
}

static bool matches(const struct visit *visit, uint64_t index)
{
    uint8_t state[CELLS_MOST];
    if (!visit->unmatched) {
        return true;
    }
    visit_write_state(visit, index, state);
    return state_matches(&visit->table->puzzle, state, visit->unmatched);
}

// Visits the states first, first+step, ... that are near enough, at most RUN_MOST.
static bool visit_run(void *context, uint64_t first, uint64_t step, unsigned count)
{
    struct visit *visit = context;
    struct run run;
    if (!goes_on(visit, count) || !table_read_run(visit->table, &visit->table->states[visit->root],
                                                  first, step, count, &run, visit->error)) {
        visit->failed = true;
        return false;
    }
    if (run.least > visit->most) {
        return true;
    }
    for (unsigned i = 0; i < count; i++) {
        int distance = run.distances[i];
        uint64_t index = first + i * step;
        if (distance >= visit->least && distance <= visit->most && matches(visit, index) &&
            !visit->take(visit, index, distance)) {
            return false;
        }
    }
    return true;
}

// Visits a state by its relative target.
static bool visit_relative(void *context, const uint8_t *relative)
{
    struct visit *visit = context;
    uint64_t index = puzzle_rank(&visit->table->puzzle, visit->root, relative);
    if (index != INDEX_NONE) { // else no moves lead there
        return visit_run(visit, index, 0, 1);
    }
    visit->failed = !goes_on(visit, 1);
    return !visit->failed;
}

static bool visit_state(void *context, const uint8_t *state)
{
    struct visit *visit = context;
    uint8_t relative[CELLS_MOST];
    visit->failed = !relate(visit, state, relative);
    return !visit->failed && visit_relative(visit, relative);
}

static void visit_all(struct visit *visit)
{
    uint64_t left = visit->table->puzzle.numbering.state_count;
    unsigned count;
    for (uint64_t first = 0; left > 0; first += count, left -= count) {
        count = left < RUN_MOST ? (unsigned)left : RUN_MOST;
        if (!visit_run(visit, first, 1, count)) {
            return;
        }
    }
}

bool visit_states(struct visit *visit, const uint8_t *target)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    uint8_t relative[CELLS_MOST];
    bool relates = target && puzzle_relates_wildcards(puzzle, target);
    // No distance exceeds that of a run's unreachable entries.
    visit->most = visit->most < DISTANCE_MOST ? visit->most : DISTANCE_MOST;
    visit->all = visit_count_entries(puzzle, target);
    visit->done = 0;
    visit->unmatched = NULL;
    if (!relate(visit, relates ? target : visit->start, relative)) {
        return false;
    }
    if (relates && has_matching_indices(puzzle)) {
        visit_matching_indices(puzzle, visit->root, relative, visit_run, visit);
    } else if (visit->all == puzzle->numbering.state_count) {
        visit->unmatched = target;
        visit_all(visit);
    } else if (relates && visit->is_query) { // 1.3 × as fast as in the order of the cells, 2026-11
        visit_matching_states(puzzle, relative, visit_relative, visit);
    } else {
        visit_matching_states(puzzle, target, visit_state, visit);
    }
    return !visit->failed;
}
