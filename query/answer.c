// The answers: states to and from text, steps and parity. Paths are in path.c.
#include "puzzle/board.h"
#include "puzzle/matching_states.h"
#include "puzzle/sliding.h"
#include "search/ida_star.h"
#include "table.h"
#include "text/notation.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)FEWEST_TEXT_SIZE >= (int)TEXT_STATE_SIZE, "a state's text fits");
_Static_assert((int)FEWEST_WILD == (int)WILD, "a wildcard is one everywhere");

// If a wildcard target has no entry of its own, the answer is the least distance of all states that
// match it.
enum { MATCHING_STATES_MOST = 10 * 1000 * 1000 };

// ---- States -------------------------------------------------------------------------------------------------------

bool fewest_read_query(const struct fewest *table, const char *text, size_t length, struct fewest_query *query,
                       struct fewest_error *error)
{
    return text_read_case(&table->puzzle, text, length, query->start, query->target, &query->has_target, error);
}

bool fewest_read_state(const struct fewest *table, const char *text, size_t length, const char *what, bool wild,
                       uint8_t *state, struct fewest_error *error)
{
    return text_read_state(&table->puzzle, text, length, what, wild, state, error);
}

bool fewest_read_moves(const struct fewest *table, const uint8_t *from, const char *text, size_t length, uint8_t *state,
                       struct fewest_error *error)
{
    return notation_read(&table->puzzle, from, text, length, state, error);
}

bool fewest_read_cell(const struct fewest *table, unsigned position, const char *text, size_t length, const char *what,
                      bool wild, uint8_t *cell, struct fewest_error *error)
{
    return text_read_cell(&table->puzzle, position, text, length, what, wild, cell, error);
}

bool fewest_check_state(const struct fewest *table, const char *what, bool wild, uint8_t *state,
                        struct fewest_error *error)
{
    return text_check_state(&table->puzzle, what, wild, state, error);
}

char *fewest_write_state(const struct fewest *table, const uint8_t *state, char text[FEWEST_TEXT_SIZE])
{
    text_write_state(&table->puzzle, state, text);
    return text;
}

bool fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to)
{
    return puzzle_apply(&table->puzzle, move, from, to);
}

bool fewest_board(const struct fewest *table, unsigned size[3])
{
    const struct puzzle *puzzle = &table->puzzle;
    unsigned columns = puzzle->board_columns;
    if (columns == 0) {
        return false;
    }
    size[2] = puzzle->board ? puzzle->board->size[2] : 1;
    size[1] = columns;
    size[0] = (puzzle->cell_count + columns - 1) / columns / size[2];
    return true;
}

uint64_t fewest_rank(const struct fewest *table, const uint8_t *state)
{
    return puzzle_rank_state(&table->puzzle, state);
}

bool fewest_unrank(const struct fewest *table, uint64_t number, uint8_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (number >= puzzle->arrangement_count) {
        error_write(error, FEWEST_BAD_INPUT, "the states of %s are numbered 0 to %llu", puzzle->name,
                    (unsigned long long)puzzle->arrangement_count - 1);
        return false;
    }
    puzzle_unrank_state(puzzle, number, state);
    return true;
}

// ---- Distances ----------------------------------------------------------------------------------------------------

// Finds the distance of a relative target without wildcards.
static bool find_entry(struct fewest *table, unsigned root, const uint8_t *relative, int *distance,
                       struct fewest_error *error)
{
    uint64_t index = puzzle_rank(&table->puzzle, root, relative);
    *distance = FEWEST_UNREACHABLE;
    return index == INDEX_NONE || table_entry(table, &table->states[root], index, distance, error);
}

// The least distance over many states.
struct least {
    struct fewest *table;
    const uint8_t *start; // NULL: the states are relative targets already, of `root`
    unsigned root;
    int distance;
    struct fewest_error *error;
    bool failed;
};

// A start that matches the target has distance 0 without a look-up. So no distance that is looked
// up is below this.
static const int NEAREST = 1;

static void take_distance(struct least *least, int distance)
{
    if (distance != FEWEST_UNREACHABLE && (least->distance == FEWEST_UNREACHABLE || distance < least->distance)) {
        least->distance = distance;
    }
}

static bool take_least(void *context, const uint8_t *state)
{
    struct least *least = context;
    const struct puzzle *puzzle = &least->table->puzzle;
    uint8_t relative[CELLS_MOST];
    int distance;
    if (least->start) {
        least->failed = !puzzle_relate(puzzle, least->start, state, &least->root, relative, least->error);
        state = relative;
    }
    if (!least->failed) {
        least->failed = !find_entry(least->table, least->root, state, &distance, least->error);
    }
    if (least->failed) {
        return false;
    }
    take_distance(least, distance);
    return least->distance != NEAREST;
}

static bool take_run(void *context, uint64_t first, uint64_t step, unsigned count)
{
    struct least *least = context;
    for (; count > 0; count--, first += step) {
        int distance;
        if (!table_entry(least->table, &least->table->states[least->root], first, &distance, least->error)) {
            least->failed = true;
            return false;
        }
        take_distance(least, distance);
    }
    return least->distance != NEAREST;
}

static bool find_least_of_matching(struct least *least, const uint8_t *target)
{
    const struct puzzle *puzzle = &least->table->puzzle;
    uint64_t count = count_matching_states(puzzle, target);
    if (count > MATCHING_STATES_MOST) {
        return error_set(least->error, FEWEST_BEYOND,
                         "%llu states match TARGET, and the limit is %d; use fewer wildcards",
                         (unsigned long long)count, MATCHING_STATES_MOST);
    }
    if (!least->start && has_matching_indices(puzzle)) {
        visit_matching_indices(puzzle, target, take_run, least);
    } else {
        visit_matching_states(puzzle, target, take_least, least);
    }
    return !least->failed;
}

static bool matches_target(const struct puzzle *puzzle, const uint8_t *state, const uint8_t *target)
{
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        if (target[i] != WILD && target[i] != state[i]) {
            return false;
        }
    }
    return true;
}

bool target_is_open(const struct puzzle *puzzle, unsigned root, unsigned wild)
{
    const struct wildcard_index *wildcards = &puzzle->roots[root].wildcards;
    return wild > 0 && (wildcards->entries == 0 || puzzle->cell_count - wild > wildcards->most_given);
}

// Finds the distance to one target: a single look-up if its relative target has an entry, otherwise
// the least distance of all states that match the target.
static bool find_distance_to(struct fewest *table, const uint8_t *start, const uint8_t *target, int *distance,
                             struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t relative[CELLS_MOST];
    struct least least = {.table = table, .distance = FEWEST_UNREACHABLE, .error = error};
    bool has_relative = puzzle_relates_wildcards(puzzle, target);
    unsigned wild = puzzle_wild_count(puzzle, target);
    unsigned root = 0;
    if (has_relative && !puzzle_relate(puzzle, start, target, &root, relative, error)) {
        return false;
    }
    if (wild == 0) {
        return find_entry(table, root, relative, distance, error);
    }
    if (has_relative && !target_is_open(puzzle, root, wild)) {
        uint64_t number = wildcard_rank(&puzzle->roots[root].wildcards, relative);
        return table_entry(table, &table->wildcards[root], number, distance, error);
    }
    if (matches_target(puzzle, start, target)) {
        *distance = 0;
        return true;
    }
    least.start = has_relative ? NULL : start;
    least.root = root;
    bool done = find_least_of_matching(&least, has_relative ? relative : target);
    *distance = least.distance;
    return done;
}

struct targets targets_goals(const struct fewest *table)
{
    return (struct targets){table->puzzle.goal_count, table->puzzle.goals[0]};
}

struct targets targets_of(const struct fewest *table, const struct fewest_query *query)
{
    return query->has_target ? (struct targets){1, query->target} : targets_goals(table);
}

bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets, int *distance,
                   struct fewest_error *error)
{
    *distance = FEWEST_UNREACHABLE;
    for (unsigned t = 0; t < targets->count; t++) {
        int found;
        if (!find_distance_to(table, start, target_at(targets, t), &found, error)) {
            return false;
        }
        if (found != FEWEST_UNREACHABLE && (*distance == FEWEST_UNREACHABLE || found < *distance)) {
            *distance = found;
        }
    }
    return true;
}

bool fewest_steps(struct fewest *table, const struct fewest_query *query, int *steps, struct fewest_error *error)
{
    struct targets targets = targets_of(table, query);
    if (table->puzzle.partition) {
        return ida_star_find_path(table, query->start, target_at(&targets, 0), NULL, steps, error);
    }
    return find_distance(table, query->start, &targets, steps, error);
}

// ---- Parity -------------------------------------------------------------------------------------------------------

// Fills the last wildcard of a permutation, if it has just one.
static void fill_last(const struct puzzle *puzzle, uint8_t *relative)
{
    unsigned missing = 0;
    unsigned at = puzzle->cell_count;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        missing += i;
        if (relative[i] == WILD) {
            at = i;
        } else {
            missing -= relative[i];
        }
    }
    if (at < puzzle->cell_count) {
        relative[at] = (uint8_t)missing;
    }
}

// Why, where the moves are even permutations; the table has said whether.
static void explain_even(const struct puzzle *puzzle, uint8_t *relative, bool reachable, char *reason, size_t size)
{
    unsigned wild = puzzle_wild_count(puzzle, relative);
    if (wild >= 2) {
        snprintf(reason, size, "the %u wildcards can be filled so that the permutation is even, %s", wild,
                 reachable ? "and every move is even" : "but no moves lead to such a state");
        return;
    }
    fill_last(puzzle, relative);
    if (arrangement_is_odd(puzzle->cell_count, relative)) {
        snprintf(reason, size, "the permutation from START to TARGET is odd, but every move is even");
    } else {
        snprintf(reason, size, "the permutation from START to TARGET is even, %s",
                 reachable ? "and so is every move" : "but no moves make it");
    }
}

// On a sliding board this needs no look at the table.
static bool slide_parity(const struct puzzle *puzzle, const uint8_t *start, const struct targets *targets,
                         bool *reachable, char *reason, struct fewest_error *error)
{
    bool known = true;
    *reachable = false;
    for (unsigned t = 0; t < targets->count && known && !*reachable; t++) {
        known = sliding_parity(puzzle, start, target_at(targets, t), reachable, reason, error);
    }
    return known;
}

static void explain_parity(const struct fewest *table, unsigned root, int distance, char *reason, size_t size)
{
    const struct section *section = table->states[root].section;
    unsigned long long states = table->puzzle.arrangement_count;
    unsigned long long linked = 0;
    if (distance != FEWEST_UNREACHABLE) {
        snprintf(reason, size, "in %d move%s", distance, distance == 1 ? "" : "s");
        return;
    }
    for (unsigned d = 0; d <= section->largest; d++) {
        linked += section->histogram[d];
    }
    if (table->puzzle.answers_all) {
        snprintf(reason, size, "the %llu states fall into classes of %llu; START and TARGET are in different classes",
                 states, linked);
    } else if (table->puzzle.kind == KIND_ROLL) {
        snprintf(reason, size, "START can reach %llu of the %llu states, but not TARGET", linked, states);
    } else {
        snprintf(reason, size, "%llu of the %llu states are connected to the solved state; START or TARGET is not",
                 linked, states);
    }
}

bool fewest_parity(struct fewest *table, const struct fewest_query *query, bool *reachable,
                   char reason[FEWEST_ERROR_SIZE], struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct targets targets = targets_of(table, query);
    int distance;
    uint8_t relative[CELLS_MOST];
    unsigned root = 0;
    if (puzzle->kind == KIND_SLIDE) {
        return slide_parity(puzzle, query->start, &targets, reachable, reason, error);
    }
    if (!find_distance(table, query->start, &targets, &distance, error)) {
        return false;
    }
    *reachable = distance != FEWEST_UNREACHABLE;
    if (targets.count == 1 && puzzle_relates_wildcards(puzzle, target_at(&targets, 0)) &&
        puzzle_relate(puzzle, query->start, target_at(&targets, 0), &root, relative, error) && puzzle->even) {
        explain_even(puzzle, relative, *reachable, reason, FEWEST_ERROR_SIZE);
    } else {
        explain_parity(table, root, distance, reason, FEWEST_ERROR_SIZE);
    }
    return true;
}
