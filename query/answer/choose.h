// Chooses how a query is answered. Nothing else in the library decides this, except that
// fewest_steps_many ranks some wildcard targets by itself.
#ifndef FEWEST_QUERY_ANSWER_CHOOSE_H
#define FEWEST_QUERY_ANSWER_CHOOSE_H

#include "query/table.h"

// The targets of a query: its own, or all goals of the puzzle. The nearest one counts.
struct targets {
    unsigned count;
    const uint8_t *rows;
    unsigned cells; // bytes of a row
    bool are_goals;
};

// The row of target `t`, counted from 0.
static inline const uint8_t *target_at(const struct targets *targets, unsigned t)
{
    return targets->rows + (size_t)t * targets->cells;
}

// All goals of the puzzle, as targets.
static inline struct targets targets_goals(const struct fewest *table)
{
    const struct puzzle *puzzle = &table->puzzle;
    // If an entry is the distance to the nearest goal, the first goal stands for all.
    unsigned count = puzzle_counts_to_nearest(puzzle) ? 1 : puzzle->goal_count;
    return (struct targets){count, puzzle->goals[0], puzzle->cell_count, true};
}

// The targets that a query's target stands for: itself, or all goals if it is NULL. A target must
// be a valid row.
static inline struct targets targets_of(const struct fewest *table, const uint8_t *target)
{
    return target ? (struct targets){1, target, table->puzzle.cell_count, false}
                  : targets_goals(table);
}

// The way to a distance and to a path.
enum method {
    METHOD_IDA_STAR,  // no table of distances: IDA* finds a path (search/ida_star.h)
    METHOD_DOWNHILL,  // look-ups
    METHOD_TWO_SIDED, // the table does not answer: a search from START and TARGET (two_sided.h)
};

// Does the table have no distances from this start to a target that it does not answer from every
// start? Then only a search from both sides can tell them. That is so if distances are counted to
// the solved state or to the nearest goal, and the start is not the solved state or some moves
// can't be undone. NULL as the start is never so. Nor is a board, which has too many states for
// that search.
bool choose_needs_two_sides(const struct puzzle *puzzle, const uint8_t *start);

// Does the table answer each of these targets from every start?
static inline bool choose_answers_targets(const struct puzzle *puzzle,
                                          const struct targets *targets)
{
    bool answers = true;
    if (targets->are_goals && puzzle_counts_to_nearest(puzzle)) {
        return true;
    }
    for (unsigned t = 0; t < targets->count && answers; t++) {
        answers = puzzle_answers_target(puzzle, target_at(targets, t));
    }
    return answers;
}

// Chooses how the distance from a start to the nearest of some targets is found. NULL as the start
// stands for one that the table answers.
static inline enum method choose_method(const struct fewest *table, const uint8_t *start,
                                        const struct targets *targets)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!puzzle_is_numbered(puzzle)) {
        return METHOD_IDA_STAR;
    }
    if (!choose_answers_targets(puzzle, targets) && choose_needs_two_sides(puzzle, start)) {
        return METHOD_TWO_SIDED;
    }
    return METHOD_DOWNHILL;
}

// The way to look up the distance to one target.
enum lookup_way {
    LOOKUP_NONE,   // no entry: no moves lead there
    LOOKUP_ENTRY,  // one entry of a section
    LOOKUP_STATES, // the entries of all states that match the target (visit.h)
};

struct lookup {
    enum lookup_way way;
    unsigned root;                // of the relative target
    struct unpacked *section;     // for LOOKUP_ENTRY
    uint64_t entry;               // for LOOKUP_ENTRY: its number in the section
    uint8_t relative[CELLS_MOST]; // the relative target, if the target has one
};

// Can wildcard targets with an entry be ranked from START and TARGET, without a relative target?
// The entries are those of root 0.
static inline bool can_rank_without_relating(const struct fewest *table)
{
    const struct numbering *numbering = &table->puzzle.numbering;
    return numbering->only_renames && table_has_wildcard_numbers(table) &&
           numbering->roots[0].wildcards.entries > 0;
}

// Does the table hold distances? Fails with FEWEST_BEYOND if a search answers instead.
bool choose_has_distances(const struct fewest *table, struct fewest_error *error);

// Fills in how to look up the distance from a start, without wildcards, to one target. Fails with
// FEWEST_BEYOND if the table can't answer this pair.
bool choose_lookup(struct fewest *table, const uint8_t *start, const uint8_t *target,
                   struct lookup *lookup, struct fewest_error *error);

#endif
