// Chooses how a query is answered. Nothing else in the library decides this.
#ifndef FEWEST_QUERY_CHOOSE_H
#define FEWEST_QUERY_CHOOSE_H

#include "table.h"

// The targets of a query: its own, or all goals of the puzzle. The nearest one counts.
struct targets {
    unsigned count;
    const uint8_t *rows;
    unsigned cells; // bytes of a row
};

static inline const uint8_t *target_at(const struct targets *targets, unsigned t)
{
    return targets->rows + (size_t)t * targets->cells;
}

struct targets targets_of(const struct fewest *table, const struct fewest_query *query);
struct targets targets_goals(const struct fewest *table);

// The way to a distance and to a path.
enum method {
    METHOD_SEARCH,   // no table of distances: IDA* finds a path (search/ida_star.h)
    METHOD_DOWNHILL, // look-ups; every state on a shortest path is a start that the table answers
    METHOD_LAYERS,   // look-ups; the path goes through states that the table does not answer
    METHOD_BREADTH_FIRST, // the table does not answer: a search from the start (breadth_first.h)
};

// `start` may be NULL: then any start that the table answers.
enum method choose_method(const struct fewest *table, const uint8_t *start,
                          const struct targets *targets);

// The way to look up the distance to one target.
enum lookup_way {
    LOOKUP_NONE,             // no entry: no moves lead there
    LOOKUP_ENTRY,            // one entry of a section
    LOOKUP_MATCHING_INDICES, // the entries of all states that match the relative target, as indices
    LOOKUP_MATCHING,         // the same, but each state must be ranked
    LOOKUP_MATCHING_PAIRS,   // all states that match the target, each with its own relative target
};

struct lookup {
    enum lookup_way way;
    unsigned root;                // for LOOKUP_MATCHING_PAIRS any
    uint8_t relative[CELLS_MOST]; // the relative target; not for LOOKUP_MATCHING_PAIRS
    struct unpacked *section;     // for LOOKUP_ENTRY
    uint64_t entry;               // for LOOKUP_ENTRY: its number in the section
};

// Fails with FEWEST_BEYOND if the table can't answer this start and target.
bool choose_lookup(struct fewest *table, const uint8_t *start, const uint8_t *target,
                   struct lookup *lookup, struct fewest_error *error);

#endif
