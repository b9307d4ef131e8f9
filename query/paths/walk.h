// Goes from state to state, and finds how far each is from its nearest target. Internal to
// query/paths.
//
// All shortest paths, and their number, need nothing but the distances of neighbours: whatever
// method answers a query (method.h) also answers for the states on the way. If states do not tell
// what a move makes of them, the walk goes from node to node. A *row* is a state or a node.
#ifndef FEWEST_QUERY_PATHS_WALK_H
#define FEWEST_QUERY_PATHS_WALK_H

#include "query/answer/method.h"
#include "query/answer/rows.h"
#include "tables/base/row_set.h"

enum { PAIRS_MOST = CELLS_MOST / 2 }; // in a row

struct walk {
    struct fewest *table;
    struct checked_query query;
    struct targets targets;
    size_t row_bytes;
    const struct node_functions *functions; // of nodes; NULL: rows are states
    struct node_walk *nodes;                // once they are found
    int steps;          // from START to the nearest target, or FEWEST_UNREACHABLE
    uint64_t looked_at; // states, for the watcher
    bool is_quick;      // is a look-up quicker than a look into a set of rows?
    // Else the states whose distances were looked up lately, as pairs of bytes.
    struct row_set known;
    int16_t *known_distances; // by number in `known`
    uint32_t room;            // for distances
    struct fewest_error *error;
};

// Validates a query, and finds its distance. Paths may be `more` moves longer. Fails as
// fewest_steps does.
bool walk_begin(struct walk *walk, struct fewest *table, const uint8_t *start,
                const uint8_t *target, unsigned more, struct fewest_error *error);

// Makes the walk ready for paths of at most `most` moves, if a target can be reached. Fills in the
// row of START, unless it fails. walk_end ends the walk, also after a failure.
bool walk_start(struct walk *walk, int most, uint8_t *row);
void walk_end(struct walk *walk);

// Makes a move from a row. Is the next state at most `most` moves away from its nearest target?
// Then *distance becomes that number, else -1. Returns false after an error.
bool walk_step(struct walk *walk, const uint8_t *row, unsigned move, int most, uint8_t *next,
               int *distance);

// The number of pairs of bytes in a row.
static inline unsigned walk_pairs(const struct walk *walk)
{
    return (unsigned)(walk->row_bytes + 1) / 2;
}

// Writes a row as pairs of bytes, as a row_set takes it.
static inline void walk_pack(const struct walk *walk, const uint8_t *row, uint16_t *pairs)
{
    pairs[walk_pairs(walk) - 1] = 0;
    memcpy(pairs, row, walk->row_bytes);
}

#endif
