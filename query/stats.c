// What the whole table says of the puzzle's goals, or of a start: counts, mean, and a state that is farthest away.
#include "board.h"
#include "table.h"
#include "text.h"

#include <string.h>

// A quarter of a minute.
static const uint64_t LOOKED_AT_MOST = UINT64_C(1) << 26;

// Calls visit for every state with its distance to the nearest goal or, if there is a start, from there, until it
// returns false.
static bool each_state(struct fewest *table, const uint8_t *start, fewest_visitor *visit, void *context,
                       struct fault *fault)
{
    uint8_t state[CELLS_MOST];
    struct targets goals = targets_goals(table);
    struct targets itself = {1, state};
    for (uint64_t number = 0; number < table->puzzle.arrangement_count; number++) {
        int distance;
        puzzle_unrank_state(&table->puzzle, number, state);
        if (!find_distance(table, start ? start : state, start ? &itself : &goals, &distance, fault)) {
            return false;
        }
        if (!visit(context, state, distance)) {
            return true;
        }
    }
    return true;
}

// For what is asked in passing.
static bool can_look_at_all(const struct fewest *table, const uint8_t *start, struct fault *fault)
{
    unsigned looks = start ? 1 : table->puzzle.goal_count; // a state
    return table->puzzle.arrangement_count <= LOOKED_AT_MOST / looks ||
           fault_set(fault, FAULT_BOUND, "%s has too many states to look at each of them", table->puzzle.name);
}

// Where a table answers from some starts alone, the goal is the one that counts.
static const uint8_t *default_start(const struct puzzle *puzzle)
{
    return puzzle->kind == KIND_ROLL ? puzzle->goals[0] : NULL;
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
    struct fault fault;
    unsigned root;
    uint8_t question[CELLS_MOST];
    double sum = 0;
    const uint8_t *from = start ? start : default_start(puzzle);
    const uint8_t *of = from ? from : puzzle->goals[0];
    *stats = (struct fewest_stats){.states = puzzle->arrangement_count, .bytes = table->length};
    if (!puzzle_relate(puzzle, of, of, &root, question, &fault)) {
        return raise_fault(error, &fault);
    }
    if (from || puzzle->goal_count == 1) { // as far from or to that one state as from its root: the header has counted
        const struct section *section = table->states[root].section;
        stats->largest = section->largest;
        memcpy(stats->count, section->histogram, sizeof stats->count);
    } else if (!can_look_at_all(table, NULL, &fault) || !each_state(table, NULL, count_state, stats, &fault)) {
        return raise_fault(error, &fault);
    }
    for (unsigned d = 0; d <= stats->largest; d++) {
        stats->reachable += stats->count[d];
        sum += (double)d * (double)stats->count[d];
    }
    if (stats->reachable == 0) {
        fault_write(&fault, FAULT_DAMAGED, "the table is wrong: no state can be reached, not even a goal");
        return raise_fault(error, &fault);
    }
    stats->mean = sum / (double)stats->reachable;
    return true;
}

const uint8_t *fewest_default_start(const struct fewest *table)
{
    return default_start(&table->puzzle);
}

bool fewest_each_state(struct fewest *table, const uint8_t *start, fewest_visitor *visit, void *context,
                       struct fewest_error *error)
{
    struct fault fault;
    uint8_t question[CELLS_MOST];
    unsigned root;
    const uint8_t *from = start ? start : default_start(&table->puzzle);
    const uint8_t *of = from ? from : table->puzzle.goals[0];
    return (puzzle_relate(&table->puzzle, of, of, &root, question, &fault) &&
            each_state(table, from, visit, context, &fault)) ||
           raise_fault(error, &fault);
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

bool fewest_farthest(struct fewest *table, const uint8_t *start, uint8_t *state, struct fewest_error *error)
{
    struct fewest_stats stats;
    struct fault fault;
    if (!fewest_get_stats(table, start, &stats, error)) {
        return false;
    }
    struct farthest farthest = {&table->puzzle, state, (int)stats.largest, false};
    const uint8_t *from = start ? start : default_start(&table->puzzle);
    if (!can_look_at_all(table, from, &fault) || !each_state(table, from, take_farthest, &farthest, &fault)) {
        return raise_fault(error, &fault);
    }
    if (!farthest.found) {
        fault_write(&fault, FAULT_DAMAGED, "the table is wrong: no state has the largest distance, %u", stats.largest);
        return raise_fault(error, &fault);
    }
    return true;
}

// Digits that are too few for a state are the number of a cell.
static bool is_cell_number(const struct puzzle *puzzle, const char *text)
{
    size_t length = strlen(text);
    return puzzle->board && length > 0 && length < puzzle->cell_count && strspn(text, "0123456789") == length;
}

bool fewest_read_start(const struct fewest *table, const char *text, uint8_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    unsigned cell = 0;
    if (!is_cell_number(puzzle, text)) {
        return fewest_read_state(table, text, strlen(text), "START", false, state, error);
    }
    while (*text && cell <= puzzle->cell_count) {
        cell = cell * 10 + (unsigned)(*text++ - '0');
    }
    if (cell < 1 || cell > puzzle->cell_count) {
        struct fault fault;
        fault_write(&fault, FAULT_INPUT, "START: the cells are numbered 1 to %u", puzzle->cell_count);
        return raise_fault(error, &fault);
    }
    unsigned blank = board_find(puzzle->goals[0], 0);
    memcpy(state, puzzle->goals[0], puzzle->cell_count);
    state[blank] = state[cell - 1];
    state[cell - 1] = 0;
    return true;
}
