// Goes from state to state, and finds how far each is from its nearest target. Internal to
// query/paths.
//
// All shortest paths, and their number, need nothing but the distances of neighbours: whatever
// method answers a query (method.h) also answers for the states on the way.
#ifndef FEWEST_QUERY_PATHS_WALK_H
#define FEWEST_QUERY_PATHS_WALK_H

#include "query/answer/answer.h"
#include "query/answer/rows.h"

struct walk {
    struct fewest *table;
    struct checked_query query;
    struct targets targets;
    int steps;          // from START to the nearest target, or FEWEST_UNREACHABLE
    uint64_t looked_at; // states, for the watcher
    struct fewest_error *error;
};

// Validates a query, and finds its distance. Fails as fewest_steps does, and with FEWEST_BEYOND for
// rolling cubes, because a visible state does not tell where a move leads.
bool walk_begin(struct walk *walk, struct fewest *table, const uint8_t *start,
                const uint8_t *target, struct fewest_error *error);

// Makes a move from a state. Is the next state at most `most` moves away from its nearest target?
// Then *distance becomes that number, else -1. Returns false after an error.
bool walk_step(struct walk *walk, const uint8_t *state, unsigned move, int most, uint8_t *next,
               int *distance);

#endif
