// Shortest paths by indices alone. Internal to query/.
#ifndef FEWEST_QUERY_NEARER_H
#define FEWEST_QUERY_NEARER_H

#include "choose.h"

// Can a walk find the paths to these targets? The table must answer all pairs of states. If every
// move has an inverse, wildcards may be open, and the walk gets the states that match.
bool can_walk(const struct puzzle *puzzle, bool open);

// A walk from `start` to the nearest of some targets, which is `distance` moves away.
struct walk {
    struct fewest *table;
    const uint8_t *start;
    int distance;
    struct fewest_error *error;
    struct pursuer *pursuers; // of the nearest targets; free them
    unsigned count;
    unsigned room;
};

// Adds a target without wildcards, unless it is farther. It must stay where it is if a move has no
// inverse. walk_add_index adds one by the index of the start relative to it; the puzzle is no
// board.
bool walk_add_target(struct walk *walk, const uint8_t *target);
bool walk_add_index(struct walk *walk, uint64_t index);

// Finds the first path in byte order.
bool walk_find_path(struct walk *walk, unsigned *moves);

// Reports that no move leads one nearer. Returns false.
bool report_no_step(int distance, struct fewest_error *error);

#endif
