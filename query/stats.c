// What the whole table says of the puzzle's goals: counts, mean, and a state that is farthest away.
#include "table.h"

#include <string.h>

// Calls visit for every state with its distance to the nearest goal, until it returns false.
typedef bool stats_visitor(void *context, const uint8_t *state, int distance);

static bool each_state(struct fewest *table, stats_visitor *visit, void *context, struct fault *fault)
{
    struct targets goals = targets_goals(table);
    uint8_t state[CELLS_MOST];
    for (uint64_t number = 0; number < table->puzzle.arrangement_count; number++) {
        int distance;
        puzzle_unrank_state(&table->puzzle, number, state);
        if (!find_distance(table, state, &goals, &distance, fault)) {
            return false;
        }
        if (!visit(context, state, distance)) {
            return true;
        }
    }
    return true;
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

bool fewest_get_stats(struct fewest *table, struct fewest_stats *stats, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct fault fault;
    unsigned root;
    uint8_t question[CELLS_MOST];
    double sum = 0;
    *stats = (struct fewest_stats){.states = puzzle->arrangement_count, .bytes = table->length};
    if (!puzzle_relate(puzzle, puzzle->goals[0], puzzle->goals[0], &root, question, &fault)) {
        return raise_fault(error, &fault);
    }
    if (puzzle->goal_count == 1) { // as far from the goal as from its root: the header has counted them
        const struct section *section = table->states[root].section;
        stats->largest = section->largest;
        memcpy(stats->count, section->histogram, sizeof stats->count);
    } else if (!each_state(table, count_state, stats, &fault)) {
        return raise_fault(error, &fault);
    }
    for (unsigned d = 0; d <= stats->largest; d++) {
        stats->reachable += stats->count[d];
        sum += (double)d * (double)stats->count[d];
    }
    stats->mean = stats->reachable > 0 ? sum / (double)stats->reachable : 0;
    return true;
}

struct farthest {
    const struct puzzle *puzzle;
    uint8_t *state;
    int distance;
    bool found;
};

static bool take_farthest(void *context, const uint8_t *state, int distance)
{
    struct farthest *farthest = context;
    if (distance == farthest->distance) {
        memcpy(farthest->state, state, farthest->puzzle->cell_count);
        farthest->found = true;
    }
    return !farthest->found;
}

bool fewest_farthest(struct fewest *table, uint8_t *state, struct fewest_error *error)
{
    struct fewest_stats stats;
    struct fault fault;
    if (!fewest_get_stats(table, &stats, error)) {
        return false;
    }
    struct farthest farthest = {&table->puzzle, state, (int)stats.largest, false};
    if (!each_state(table, take_farthest, &farthest, &fault)) {
        return raise_fault(error, &fault);
    }
    if (!farthest.found) {
        fault_write(&fault, FAULT_DAMAGED, "the table is wrong: no state has the largest distance, %u", stats.largest);
        return raise_fault(error, &fault);
    }
    return true;
}
