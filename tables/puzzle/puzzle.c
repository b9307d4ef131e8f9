// Code that all families share: the dense index of a state, and the wildcards of a target.
#include "puzzle.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All cells lie in one piece of memory, which puzzle->goals[0] begins.
bool puzzle_make_goals(struct puzzle *puzzle, struct fewest_error *error)
{
    unsigned goals = puzzle->definition->goal_count + 1; // and the solved state
    uint8_t *cells = calloc(goals + ROOTS_MOST, puzzle->cell_count);
    if (!cells) {
        return error_no_memory(error, "for the puzzle");
    }
    for (unsigned g = 0; g < goals; g++) {
        puzzle->goals[g] = cells + (size_t)g * puzzle->cell_count;
    }
    for (unsigned r = 0; r < ROOTS_MOST; r++) {
        puzzle->numbering.roots[r].target = cells + (size_t)(goals + r) * puzzle->cell_count;
    }
    return true;
}

bool puzzle_find_size(const struct puzzle *puzzle, unsigned size[3])
{
    if (puzzle->typed_columns == 0) {
        return false;
    }
    size[2] = puzzle->board ? puzzle->definition->layers : 1;
    size[1] = puzzle->typed_columns;
    size[0] = puzzle->cell_count / size[1] / size[2];
    return true;
}

// Returns the dense index of a state, a number in mixed radix. Each segment s is a digit: its rank
// r_s, in the base n_s, the number of ranks that it has:
//
//     index = (… (r_0 × n_1 + r_1) × n_2 + …) × n_last + r_last
//
// The index is below n_0 × n_1 × … × n_last, which is arrangement_count. So nothing overflows.
uint64_t puzzle_rank_state(const struct puzzle *puzzle, const uint8_t *state)
{
    uint64_t index = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        index = index * segment->count + segment_rank(segment, state);
    }
    return index;
}

// Writes the state of a dense index. Finds the digits, the ranks of the segments, from the last to
// the first. Then fills in the segments from the first to the last: orientations need the pieces
// before them.
void puzzle_unrank_state(const struct puzzle *puzzle, uint64_t index, uint8_t *state)
{
    uint64_t rank[2 * SETS_MOST]; // by segment: a set has at most two
    assert(index < puzzle->arrangement_count);
    for (unsigned s = puzzle->segment_count; s-- > 0;) {
        rank[s] = index % puzzle->segments[s].count;
        index /= puzzle->segments[s].count;
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        segment_unrank(&puzzle->segments[s], rank[s], state);
    }
}

bool puzzle_allows(const struct puzzle *puzzle, const uint8_t *state, bool wild)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (!segment_allows(&puzzle->segments[s], state, wild)) {
            return false;
        }
    }
    return true;
}

void puzzle_forget_ignored(const struct puzzle *puzzle, uint8_t *state)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (puzzle->segments[s].ignores) {
            segment_forget_ignored(&puzzle->segments[s], state);
        }
    }
}

void puzzle_forget_wildcards(struct puzzle *puzzle)
{
    for (unsigned r = 0; r < puzzle->numbering.root_count; r++) {
        wildcard_index_free(&puzzle->numbering.roots[r].wildcards);
    }
}

bool puzzle_numbers_wildcards(const struct puzzle *puzzle)
{
    unsigned cells = puzzle->cell_count;
    unsigned open = puzzle->numbering.least_open;
    if (open == 0 || cells <= open || cells > WILDCARD_CELLS_MOST) {
        return false; // the family numbers none, or a state has too few or too many cells
    }
    return puzzle->definition->database_count == 0 && !puzzle_is_too_large(puzzle) &&
           puzzle->numbering.state_count <= WILDCARD_STATES_MOST;
}

bool puzzle_number_wildcards(struct puzzle *puzzle, unsigned root,
                             const struct symmetry *symmetries, unsigned symmetry_count,
                             struct fewest_error *error)
{
    struct wildcard_index *wildcards = &puzzle->numbering.roots[root].wildcards;
    wildcard_index_free(wildcards); // those of an earlier call
    if (!puzzle_numbers_wildcards(puzzle)) {
        return true;
    }
    unsigned most_given = puzzle->cell_count - puzzle->numbering.least_open;
    return wildcard_index_build(wildcards, puzzle->cell_count, most_given, symmetries,
                                symmetry_count, error);
}

// An orientation of a relative target is counted from the one that its piece has in the start. So
// the piece must be known.
bool puzzle_accepts_wildcards(const struct puzzle *puzzle, const uint8_t *target)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION || segment->pieces < 0) {
            continue;
        }
        for (unsigned i = 0; i < segment->length; i++) {
            if (target[(unsigned)segment->pieces + i] == WILD &&
                target[segment->first + i] != WILD) {
                return false;
            }
        }
    }
    return true;
}

// ---- The goals ----------------------------------------------------------------------------------

bool puzzle_is_counted_goal(const struct puzzle *puzzle, const uint8_t *target)
{
    return !puzzle_counts_to_nearest(puzzle) &&
           memcmp(target, puzzle->goals[0], puzzle->cell_count) == 0;
}

bool puzzle_relate_to_goals(const struct puzzle *puzzle, const uint8_t *start,
                            const uint8_t *target, uint8_t *relative, struct fewest_error *error)
{
    const char *cause = "pieces that look alike or orientations that do not count";
    if (memcmp(target, puzzle->goals[0], puzzle->cell_count) == 0) {
        memcpy(relative, start, puzzle->cell_count);
        return true;
    }
    if (puzzle->reversible && puzzle_is_counted_goal(puzzle, start)) {
        memcpy(relative, target, puzzle->cell_count);
        return true;
    }
    if (puzzle->filter) {
        cause = "illegal states";
    }
    return error_set(error, FEWEST_BEYOND,
                     "the puzzle %s has %s, so %sTARGET must be the solved state", puzzle->name,
                     cause, puzzle->reversible ? "START or " : "");
}

void puzzle_keep_goal(struct puzzle *puzzle)
{
    unsigned same = 0; // the first goal with these cells; at the latest, the new one
    while (memcmp(puzzle->goals[same], puzzle->goals[puzzle->goal_count], puzzle->cell_count) !=
           0) {
        same++;
    }
    puzzle->goal_count += same == puzzle->goal_count;
}

// ---- The number of states -----------------------------------------------------------------------

// Finds out whether moves lead from goal `start` to goal `target`, and sets *connected. Fails if
// memory runs out.
static bool are_connected(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          bool *connected, struct fewest_error *error)
{
    uint8_t relative[CELLS_MOST];
    char reason[REASON_SIZE];
    unsigned root;
    if (puzzle->rules->decide_parity) {
        *connected = puzzle->rules->decide_parity(puzzle, start, target, reason);
        return true;
    }
    if (!puzzle_find_relative(puzzle, start, target, &root, relative, error)) {
        return false;
    }
    *connected = puzzle_rank(puzzle, root, relative) != INDEX_NONE;
    return true;
}

void puzzle_restore_counted(const struct puzzle *puzzle, uint8_t *relative, uint8_t *state)
{
    struct fewest_error ignored; // the goal is a target that every start has
    unsigned root;
    puzzle_restore_target(puzzle, puzzle->goals[0], relative, state);
    if (!puzzle->reversible && puzzle->numbering.answers == ANSWERS_ALL) {
        puzzle_find_relative(puzzle, state, puzzle->goals[0], &root, relative, &ignored);
        puzzle_restore_target(puzzle, puzzle->goals[0], relative, state);
    }
}

// Each goal that no goal before it is connected with begins a component. There is only one in four
// cases: there is one goal; the puzzle is too large for a table; all goals are targets of one root;
// or the table answers only from some starts, so goals do not matter.
bool puzzle_find_components(struct puzzle *puzzle, struct fewest_error *error)
{
    puzzle->component_goals[0] = 0;
    puzzle->component_count = 1;
    if (puzzle->goal_count == 1 || puzzle_is_too_large(puzzle) ||
        puzzle_counts_to_nearest(puzzle) || puzzle->numbering.answers == ANSWERS_STARTS) {
        return true;
    }
    for (unsigned g = 1; g < puzzle->goal_count; g++) {
        bool connected = false;
        for (unsigned c = 0; c < puzzle->component_count && !connected; c++) {
            if (!are_connected(puzzle, puzzle->goals[puzzle->component_goals[c]], puzzle->goals[g],
                               &connected, error)) {
                return false;
            }
        }
        if (!connected) {
            puzzle->component_goals[puzzle->component_count++] = g;
        }
    }
    puzzle->reachable_count *= puzzle->component_count;
    return true;
}

char *puzzle_write_state_count(const struct puzzle *puzzle, char text[STATE_COUNT_SIZE])
{
    struct large number;
    const char *prefix = "";
    if (puzzle->is_unfinished && puzzle->filter) {
        sprintf(text, "unknown");
        return text;
    }
    if (puzzle->is_unfinished) {
        prefix = "at least ";
    } else if (puzzle->filter) {
        prefix = "at most ";
    }
    large_set(&number, puzzle->component_count);
    puzzle->rules->count_states(puzzle, &number); // × the states of one component
    large_write(&number, text + sprintf(text, "%s", prefix));
    return text;
}

// The text fits: numbers of lines and of databases have few digits.
bool puzzle_write_sharing(const struct puzzle *puzzle, unsigned line, char text[SHARING_SIZE])
{
    if (line >= puzzle->line_count || !puzzle->lines[line].shares) {
        return false;
    }
    unsigned database = puzzle->lines[line].database;
    unsigned owner = 0; // the first line with this database
    while (puzzle->lines[owner].database != database) {
        owner++;
    }
    snprintf(text, SHARING_SIZE,
             "database %u is database %u under a symmetry and is stored once, as tiles-%u",
             line + 1, owner + 1, database + 1);
    return true;
}
