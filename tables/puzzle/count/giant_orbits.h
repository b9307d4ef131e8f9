// The orbits of a permutation puzzle that are giants (state_count.h explains them).
#ifndef FEWEST_TABLES_PUZZLE_COUNT_GIANT_ORBITS_H
#define FEWEST_TABLES_PUZZLE_COUNT_GIANT_ORBITS_H

#include "tables/puzzle/permutation/point_view.h"

struct state_orbit {
    unsigned *slots; // of the view, rising
    unsigned slot_count;
    unsigned turns;    // orientations of each slot
    unsigned counting; // the number of slots whose orientation counts
    bool is_giant;
    bool all_differ; // no two of its pieces look alike at the root: the sign of a giant matters
    bool sum_counts; // it has several orientations, and all count: the sum of a giant matters
    unsigned small_first; // of a giant: its first point in the small group
    uint64_t rows;        // 0 if they exceed 63 bits
};

// The number of orientations of a giant that can be chosen freely. If the sum matters, the last one
// follows from the others.
static inline unsigned giant_free_turns(const struct state_orbit *giant)
{
    return giant->sum_counts ? giant->counting - 1 : giant->counting;
}

// Sets `is_giant` of each of the `count` orbits. Adds to *work, of CHAIN_WORK_MOST. Fails with
// FEWEST_SYSTEM without memory, and with FEWEST_BEYOND if that would take too long.
bool giant_orbits_find(const struct point_view *view, struct state_orbit *orbits, unsigned count,
                       uint64_t *work, struct fewest_error *error);

// Sets the error of a puzzle whose states would take too long to count. Returns false.
static inline bool giant_orbits_refuse(const struct point_view *view, struct fewest_error *error)
{
    return error_set(error, FEWEST_BEYOND,
                     "the states of %s would take too long to count: too many of its sets or slots "
                     "depend on each other",
                     view->puzzle->name);
}

#endif
