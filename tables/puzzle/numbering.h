// The numbering of a puzzle: its index, its roots, and the functions that a family gives for them.
//
// The *index* of a state is its number in a table, 0 … state_count-1. The *dense index* is its
// number among all rows of cells, reachable or not, 0 … arrangement_count-1: the ranks of the
// segments are its digits, the first segment the most significant.
//
// A *relative target* is a target after renaming the pieces so that the start becomes the root. A
// table has an entry for each relative target.
//
// A search goes from *node* to node. A node is a state, but in a family whose states do not tell
// what a move makes of them. There, several nodes show one state: node n shows the state with index
// n % state_count.
#ifndef FEWEST_TABLES_NUMBERING_H
#define FEWEST_TABLES_NUMBERING_H

#include "rules.h"
#include "tables/algebra/chain/chain.h"
#include "tables/algebra/rank.h"
#include "tables/algebra/wildcard.h"
#include "tables/base/errors.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ROOTS_MOST = 8,
    DISTANCE_MOST = 253, // moves; a byte holds one more, and `unreachable`
};

static const uint64_t STATES_MOST = UINT64_C(1) << 40;

// The index of a row of cells that no moves reach, and of the result of a move that can't be made.
static const uint64_t INDEX_NONE = UINT64_MAX;

// The state that distances are counted from or to. A board with one blank has a root for some cells
// of the blank, every other puzzle has one root.
struct root {
    uint8_t *target; // the relative target with distance 0
    unsigned more;   // targets that follow it: distances are those to the nearest of several goals
    unsigned cell;   // of the blank
    uint64_t nodes;  // if they are not the states; else 0 (puzzle_node_count)
    // Numbers the states as the index does. NULL in a family whose index is no chain's.
    const struct chain *chain;
    struct wildcard_index wildcards;
};

// The queries that a table answers.
enum answers {
    ANSWERS_NONE,    // the puzzle has no numbering
    ANSWERS_ALL,     // any start and any target
    ANSWERS_TARGETS, // any start, but only some targets; or the way back if moves can be undone
    ANSWERS_STARTS,  // only some starts; moves can be undone
};

enum { INDEX_STRIDE_MOST = 256 };

// Is called with runs of `count` indices, at most INDEX_STRIDE_MOST: first, first+step, …, until it
// returns false.
typedef bool index_taker(void *context, uint64_t first, uint64_t step, unsigned count);

// The numbering of a family: one table of functions.
struct numbering_functions {
    // See the functions of the same names in puzzle.h: puzzle_rank and so on. `find_relative`
    // accepts every goal as a target and as its own start, but only the first if all goals are
    // targets of the root. If it can't answer a wildcard target, it fails.
    uint64_t (*rank)(const struct puzzle *puzzle, unsigned root, const uint8_t *relative);
    void (*unrank)(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative);
    void (*neighbours)(const struct puzzle *puzzle, unsigned root, uint64_t index,
                       uint64_t *neighbours);
    void (*predecessors)(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint64_t *before);
    bool (*find_relative)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          unsigned *root, uint8_t *relative, struct fewest_error *error);
    void (*restore_target)(const struct puzzle *puzzle, const uint8_t *start,
                           const uint8_t *relative, uint8_t *target);
    // Only asked with ANSWERS_TARGETS.
    bool (*answers_target)(const struct puzzle *puzzle, const uint8_t *target);

    // Fills in the cells of the relative target that has these images in the root's chain, for
    // those who prove the numbers. `images` has the images of the points of all things, one thing
    // after the other, and then those of any points that no thing has, rising. NULL in a family
    // without chains.
    void (*write_images)(const struct puzzle *puzzle, unsigned root, const chain_point *images,
                         uint8_t *relative);
    // Undoes `write_images`, if the index is that of the images in the chain (`by_chain`). False if
    // no element has these cells.
    bool (*read_images)(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                        chain_point *images);

    // Visits the indices of all states that match a relative target with wildcards, far faster than
    // if each were ranked. May be NULL.
    void (*visit_indices)(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                          index_taker *take, void *context);

    // If a state does not tell what a move makes of it: applies moves to a start, and fills in the
    // last state. Fails if a query can't have this start, or a move can't be made. NULL if it does.
    bool (*follow)(const struct puzzle *puzzle, const uint8_t *start, const unsigned *moves,
                   unsigned count, uint8_t *state, struct fewest_error *error);
};

struct numbering {
    // NULL for a sliding board with pattern databases. In another puzzle with pattern databases,
    // only `find_relative` and `restore_target` may be used.
    const struct numbering_functions *functions;
    enum answers answers;
    bool counts_to_goals; // the root's targets are the goals: a state is its own relative target
    bool by_chain;        // `rank` is all digits (chain_divide) of `read_images`
    bool only_renames;    // `find_relative` only renames: the piece in cell i of START becomes i
    unsigned least_open;  // the fewest wildcards of a target with a number; 0: none has a number
    uint64_t state_count; // the number of indices of a root; 0 if they exceed 63 bits
    struct root roots[ROOTS_MOST];
    unsigned root_count;
};

#endif
