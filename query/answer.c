// The answers: states to and from text, steps and parity. Paths are in path.c.
#include "table.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)FEWEST_TEXT_SIZE >= (int)TEXT_STATE_SIZE, "a state's text fits");
_Static_assert((int)FEWEST_WILD == (int)WILD, "a wildcard is one everywhere");

// A question without an entry of its own is answered by looking up every state that agrees with the target.
enum { COMPLETIONS_MOST = 10 * 1000 * 1000 };

// ---- States -------------------------------------------------------------------------------------------------------

bool fewest_read_question(const struct fewest *table, const char *text, size_t length, struct fewest_question *question,
                          struct fewest_error *error)
{
    struct fault fault;
    return text_read_case(&table->puzzle, text, length, question->start, question->target, &question->has_target,
                          &fault) ||
           raise_fault(error, &fault);
}

bool fewest_read_state(const struct fewest *table, const char *text, size_t length, const char *what, bool wild,
                       uint8_t *state, struct fewest_error *error)
{
    struct fault fault;
    return text_read_state(&table->puzzle, text, length, what, wild, state, &fault) || raise_fault(error, &fault);
}

bool fewest_read_cell(const struct fewest *table, unsigned position, const char *text, size_t length, uint8_t *cell,
                      struct fewest_error *error)
{
    struct fault fault;
    return text_read_cell(&table->puzzle, position, text, length, cell, &fault) || raise_fault(error, &fault);
}

bool fewest_check_state(const struct fewest *table, const char *what, bool wild, uint8_t *state,
                        struct fewest_error *error)
{
    struct fault fault;
    return text_check_state(&table->puzzle, what, wild, state, &fault) || raise_fault(error, &fault);
}

char *fewest_write_state(const struct fewest *table, const uint8_t *state, char text[FEWEST_TEXT_SIZE])
{
    text_write_state(&table->puzzle, state, text);
    return text;
}

void fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to)
{
    puzzle_apply(&table->puzzle, move, from, to);
}

// ---- Distances ----------------------------------------------------------------------------------------------------

// The least distance over many states.
struct least {
    struct fewest *table;
    const uint8_t *start; // NULL: the states are questions already
    int distance;
    struct fault *fault;
    bool failed;
};

static bool take_least(void *context, const uint8_t *state)
{
    struct least *least = context;
    const struct puzzle *puzzle = &least->table->puzzle;
    uint8_t question[CELLS_MOST];
    int distance;
    if (least->start) {
        least->failed = !puzzle_relate(puzzle, least->start, state, question, least->fault);
        state = question;
    }
    if (!least->failed) {
        least->failed =
            !table_entry(least->table, &least->table->states, puzzle_rank(puzzle, state), &distance, least->fault);
    }
    if (least->failed) {
        return false;
    }
    if (distance != FEWEST_UNREACHABLE && (least->distance == FEWEST_UNREACHABLE || distance < least->distance)) {
        least->distance = distance;
    }
    return least->distance != 0; // nothing is nearer
}

static bool complete(struct least *least, const uint8_t *pattern)
{
    const struct puzzle *puzzle = &least->table->puzzle;
    uint64_t count = puzzle_completions(puzzle, pattern);
    if (count > COMPLETIONS_MOST) {
        return fault_set(least->fault, FAULT_BOUND, "%llu states agree with the target, more than the %d we look up",
                         (unsigned long long)count, COMPLETIONS_MOST);
    }
    puzzle_complete(puzzle, pattern, take_least, least);
    return !least->failed;
}

bool find_distance(struct fewest *table, const uint8_t *start, const uint8_t *target, int *distance,
                   struct fault *fault)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t question[CELLS_MOST];
    struct least least = {.table = table, .distance = FEWEST_UNREACHABLE, .fault = fault};
    if (!puzzle_relates_wildcards(puzzle, target)) {
        least.start = start;
        bool done = complete(&least, target);
        *distance = least.distance;
        return done;
    }
    if (!puzzle_relate(puzzle, start, target, question, fault)) {
        return false;
    }
    unsigned wild = puzzle_wild_count(puzzle, question);
    if (wild == 0) {
        return table_entry(table, &table->states, puzzle_rank(puzzle, question), distance, fault);
    }
    if (table->patterns.section && puzzle->cell_count - wild <= puzzle->patterns.most_given) {
        return table_entry(table, &table->patterns, pattern_rank(&puzzle->patterns, question), distance, fault);
    }
    bool done = complete(&least, question);
    *distance = least.distance;
    return done;
}

const uint8_t *target_of(const struct fewest *table, const struct fewest_question *question)
{
    return question->has_target ? question->target : table->puzzle.goal;
}

bool fewest_steps(struct fewest *table, const struct fewest_question *question, int *steps, struct fewest_error *error)
{
    struct fault fault;
    return find_distance(table, question->start, target_of(table, question), steps, &fault) ||
           raise_fault(error, &fault);
}

// ---- Parity -------------------------------------------------------------------------------------------------------

// Fills the last wildcard of a permutation, if it has just one.
static void fill_last(const struct puzzle *puzzle, uint8_t *question)
{
    unsigned missing = 0;
    unsigned at = puzzle->cell_count;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        missing += i;
        if (question[i] == WILD) {
            at = i;
        } else {
            missing -= question[i];
        }
    }
    if (at < puzzle->cell_count) {
        question[at] = (uint8_t)missing;
    }
}

static bool is_odd(const struct puzzle *puzzle, const uint8_t *permutation)
{
    unsigned inversions = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        for (unsigned j = 0; j < i; j++) {
            inversions += permutation[j] > permutation[i];
        }
    }
    return inversions % 2 == 1;
}

// Why, where the moves are even permutations; the table has said whether.
static void explain_even(const struct puzzle *puzzle, uint8_t *question, bool reachable, char *reason, size_t size)
{
    unsigned wild = puzzle_wild_count(puzzle, question);
    if (wild >= 2) {
        snprintf(reason, size, "the %u wildcards can be filled so that the permutation is even, as every move is%s",
                 wild, reachable ? "" : "; but the moves do not make any of these");
        return;
    }
    fill_last(puzzle, question);
    if (is_odd(puzzle, question)) {
        snprintf(reason, size, "the permutation from START to TARGET is odd, but every move is even");
    } else {
        snprintf(reason, size, "the permutation from START to TARGET is even, as every move is%s",
                 reachable ? "" : "; but the moves do not make it");
    }
}

static void explain(const struct fewest *table, int distance, char *reason, size_t size)
{
    struct fewest_stats stats;
    if (distance != FEWEST_UNREACHABLE) {
        snprintf(reason, size, "%d move%s there", distance, distance == 1 ? " leads" : "s lead");
        return;
    }
    fewest_get_stats(table, &stats);
    snprintf(reason, size, "the moves link %llu of the %llu states, and not these two",
             (unsigned long long)stats.reachable, (unsigned long long)stats.states);
}

bool fewest_parity(struct fewest *table, const struct fewest_question *question, bool *reachable,
                   char reason[FEWEST_ERROR_SIZE], struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const uint8_t *target = target_of(table, question);
    struct fault fault;
    int distance;
    uint8_t related[CELLS_MOST];
    if (!find_distance(table, question->start, target, &distance, &fault)) {
        return raise_fault(error, &fault);
    }
    *reachable = distance != FEWEST_UNREACHABLE;
    if (puzzle->even && puzzle_relate(puzzle, question->start, target, related, &fault)) {
        explain_even(puzzle, related, *reachable, reason, FEWEST_ERROR_SIZE);
    } else {
        explain(table, distance, reason, FEWEST_ERROR_SIZE);
    }
    return true;
}
