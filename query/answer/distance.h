// Looks up the distance from a start to the nearest of its targets. Internal to query/. Nothing
// else in the library decides how a distance is looked up, except that fewest_steps_many ranks some
// wildcard targets by itself.
#ifndef FEWEST_QUERY_ANSWER_DISTANCE_H
#define FEWEST_QUERY_ANSWER_DISTANCE_H

#include "answer.h"

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

// The nearest of some targets. find_nearest fills in the distance and, for a wildcard target
// without an entry, the nearest states that match it; list_nearest fills in the rows.
struct nearest {
    int distance;
    unsigned root;     // of the indices
    uint64_t *indices; // of the states, relative to START
    unsigned count;
    unsigned room; // for indices
    uint8_t *rows;
    unsigned row_count;
};

// Sets *distance to the distance from a start to the nearest of some targets, or to
// FEWEST_UNREACHABLE. The table must answer these pairs (method.h).
bool find_distance(struct fewest *table, const uint8_t *start, const struct targets *targets,
                   int *distance, struct fewest_error *error);

// Does the same. If that takes a look-up of all states that match a target, also lists the nearest
// of them in `nearest`, which is {.count = 0} before the call. NULL: no list is wanted.
bool find_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *distance, struct nearest *nearest, struct fewest_error *error);

// Does the same for one target, in the way that choose_lookup chooses.
bool find_distance_to(struct fewest *table, const uint8_t *start, const uint8_t *target,
                      int *distance, struct nearest *nearest, struct fewest_error *error);

// Reports a table in which no move from a state at this distance comes nearer. Returns false.
bool report_no_step(int distance, struct fewest_error *error);

// Fills in nearest->rows, after find_nearest has found a distance above 0. The rows are the nearest
// states that match a target, if find_nearest has listed these; else the targets at that distance.
// Returns false if a look-up fails, if memory runs out, or if there is no row.
bool list_nearest(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  struct nearest *nearest, struct fewest_error *error);

// Frees what the functions above have filled in.
void free_nearest(struct nearest *nearest);

#endif
