// A fast depth-first search for sliding boards. Internal to query/.
//
// A search by single nodes waits for two things: for entries of the databases, which are scattered
// over memory, and for branches that the processor predicts wrongly. This search takes a bundle of
// nodes from its stack. It starts the look-ups of all their children, and then reads the entries.
// It keeps or drops a child without a branch.
//
// The nodes on the stack stay in the order in which a depth-first search enters them. A bundle is
// taken from the top, and the children of an earlier node are pushed above those of a later one.
// When the search finds a path, it drops all later nodes, and searches the earlier ones for an
// earlier path. So it finds the same path as a search by single nodes. It generates about a
// hundredth more nodes.
//
// It remembers only the first moves of the path. The caller searches the small tree below them
// again.
#ifndef FEWEST_QUERY_BUNDLE_H
#define FEWEST_QUERY_BUNDLE_H

#include "search/ida_star.h"
#include "search/tile_bounds.h"

enum {
    BUNDLE_LINES_MOST = 4,                       // `Database` lines
    SLOTS = TILE_VIEWS_MOST * BUNDLE_LINES_MOST, // by view and then by `Database` line
    BUNDLE_STEPS = 8 * BOARD_CELLS_MOST,
};

// The changes of a node when a move moves this tile.
struct bundle_step {
    uint64_t exchange;                // the exclusive or of the board before and after
    uint32_t spread[TILE_VIEWS_MOST]; // by view: the exclusive or of the index in spread.h
    uint8_t slot[TILE_VIEWS_MOST];    // by view: the slot of its database
    uint8_t farther;                  // 1 if the tile goes away from home
};

// The tables of a search in bundles, for one automaton.
struct bundle {
    // By step, whose number is eight times the cell of the blank, plus the move:
    struct bundle_step steps[BUNDLE_STEPS][BOARD_CELLS_MOST]; // and by tile
    uint8_t shift[BUNDLE_STEPS];                              // of the tile's nibble
    // The automaton without the moves that it prunes. Each of its states has a row. The row begins
    // with the number of its moves. For each of them, a value follows: the index of the next row,
    // times BUNDLE_STEPS, plus the step.
    uint32_t *rows;
    const struct tile_view *views[SLOTS]; // any tile of each slot
};

// Can these databases be searched in bundles? There may be too many.
bool bundle_fits(const struct partition *partition);

// NULL on failure. The caller frees with bundle_free, which accepts NULL. The databases must fit.
struct bundle *bundle_make(const struct tile_bounds *bounds,
                           const struct pruning_automaton *automaton, struct fewest_error *error);
void bundle_free(struct bundle *bundle);

// Both are find_first_moves of a node family (ida_star.h), with a struct tile_node. The first reads
// the entries where they lie in the table, the second in the spread databases.
bool bundle_find_first_moves(struct searcher *searcher, const void *root, unsigned depth,
                             unsigned *known);
bool bundle_find_first_moves_spread(struct searcher *searcher, const void *root, unsigned depth,
                                    unsigned *known);

#endif
