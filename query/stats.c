// Statistics over all states: counts by distance, the largest distance and the mean.
#include "base/ascii.h"
#include "distance.h"
#include "puzzle/board.h"
#include "text/text.h"

#include <string.h>

// Limit of the look-ups for statistics: at most a minute.
static const uint64_t LOOKED_AT_MOST = UINT64_C(1) << 26;

// Calls visit for every state until it returns false. The distance is the one from `start` or, if
// that is NULL, to the nearest goal.
static bool each_state(struct fewest *table, const uint8_t *start, fewest_visitor *visit,
                       void *context, struct fewest_error *error)
{
    uint8_t state[CELLS_MOST];
    struct targets goals = targets_goals(table);
    struct targets itself = {1, state};
    for (uint64_t number = 0; number < table->puzzle.arrangement_count; number++) {
        int distance;
        puzzle_unrank_state(&table->puzzle, number, state);
        if (!find_distance(table, start ? start : state, start ? &itself : &goals, &distance,
                           error)) {
            return false;
        }
        if (!visit(context, state, distance)) {
            return true;
        }
    }
    return true;
}

// Limits the statistics. fewest_each_state has no limit.
static bool can_look_at_all(const struct fewest *table, const uint8_t *start,
                            struct fewest_error *error)
{
    unsigned looks = start ? 1 : table->puzzle.goal_count; // for each state
    return table->puzzle.arrangement_count <= LOOKED_AT_MOST / looks ||
           error_set(error, FEWEST_BEYOND,
                     "%s has several goals and too many states to count the distance to the "
                     "nearest one; count from one "
                     "START instead",
                     table->puzzle.name);
}

// If a table answers only from some starts, the default start is the goal.
static const uint8_t *default_start(const struct puzzle *puzzle)
{
    return puzzle->numbering.answers == ANSWERS_STARTS ? puzzle->goals[0] : NULL;
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

bool fewest_get_stats(struct fewest *table, const uint8_t *start, struct fewest_stats *stats,
                      struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct lookup lookup;
    double sum = 0;
    const uint8_t *from = start ? start : default_start(puzzle);
    const uint8_t *of = from ? from : puzzle->goals[0];
    *stats = (struct fewest_stats){.states = puzzle->arrangement_count, .bytes = table->length};
    if (!choose_lookup(table, of, of, &lookup, error)) {
        return false;
    }
    if (start && puzzle->numbering.answers == ANSWERS_TARGETS && !puzzle->reversible) {
        return error_set(
            error, FEWEST_BEYOND,
            "the table of %s counts distances to the solved state; it can't count from "
            "a state, because some moves can't be undone",
            puzzle->name);
    }
    // Distances from one start or to one goal are those of its root, which the header counts.
    if (from || puzzle->goal_count == 1) {
        const struct section *section = table->states[lookup.root].section;
        stats->largest = section->largest;
        memcpy(stats->count, section->histogram, sizeof stats->count);
    } else if (!can_look_at_all(table, NULL, error) ||
               !each_state(table, NULL, count_state, stats, error)) {
        return false;
    }
    for (unsigned d = 0; d <= stats->largest; d++) {
        stats->reachable += stats->count[d];
        sum += (double)d * (double)stats->count[d];
    }
    if (stats->reachable == 0) {
        error_write(error, FEWEST_DAMAGED,
                    "the table holds wrong distances: no state is reachable, not even a goal");
        return false;
    }
    stats->mean = sum / (double)stats->reachable;
    return true;
}

const uint8_t *fewest_default_start(const struct fewest *table)
{
    return default_start(&table->puzzle);
}

bool fewest_each_state(struct fewest *table, const uint8_t *start, fewest_visitor *visit,
                       void *context, struct fewest_error *error)
{
    struct lookup lookup;
    const uint8_t *from = start ? start : default_start(&table->puzzle);
    const uint8_t *of = from ? from : table->puzzle.goals[0];
    return choose_lookup(table, of, of, &lookup, error) &&
           each_state(table, from, visit, context, error);
}

// A number with too few digits for a state is the number of a cell.
static bool read_cell_number(const struct puzzle *puzzle, const char *text, uint64_t *cell)
{
    size_t length = strlen(text);
    return puzzle->board && length > 0 && length < puzzle->cell_count &&
           ascii_read_number(text, length, cell) == length;
}

bool fewest_read_start(const struct fewest *table, const char *text, uint8_t *state,
                       struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint64_t cell;
    if (!read_cell_number(puzzle, text, &cell)) {
        return fewest_read_state(table, text, strlen(text), "START", false, state, error);
    }
    if (cell < 1 || cell > puzzle->cell_count) {
        error_write(error, FEWEST_BAD_INPUT,
                    "START: expected a state, or a cell from 1 to %u for the blank, got '%s'",
                    puzzle->cell_count, text);
        return false;
    }
    unsigned blank = board_find(puzzle->goals[0], 0);
    memcpy(state, puzzle->goals[0], puzzle->cell_count);
    state[blank] = state[cell - 1];
    state[cell - 1] = 0;
    return true;
}
