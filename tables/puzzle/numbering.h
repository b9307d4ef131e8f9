// The numbering of a puzzle: its index, its roots, and the functions that a family gives for them.
//
// The *index* of a state is its number in a table, 0 … state_count-1. The *dense index* is its
// number among all rows of cells, reachable or not, 0 … arrangement_count-1: the ranks of the
// segments are its digits, the first segment the most significant.
//
// A *relative target* is a target after renaming the pieces so that the start becomes the root. A
// table has an entry for each relative target.
//
// A typed state may show less than the search must know (rolling cubes show their tops). Then
// `hidden` *full states* share one *visible state*: full state f shows the relative target with
// index f % state_count. In all other puzzles `hidden` is 1, and a full state is a relative target.
#ifndef FEWEST_TABLES_NUMBERING_H
#define FEWEST_TABLES_NUMBERING_H

#include "base/errors.h"
#include "index/wildcard.h"
#include "puzzle/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ROOTS_MOST = 8,
    DISTANCE_MOST = 253, // moves; a byte holds one more, and `unreachable`
};

static const uint64_t STATES_MOST = UINT64_C(1) << 32;

// The index of a state that no moves reach, as an invariant such as the parity says; and of the
// result of a move that can't be made.
static const uint64_t INDEX_NONE = UINT64_MAX;

// The state that distances are counted from or to: one state in a permutation puzzle, a cell of the
// blank on a board.
struct root {
    uint8_t target[CELLS_MOST]; // the relative target with distance 0
    unsigned cell;              // of the blank
    unsigned hidden;            // how many full states share a visible state
    struct wildcard_index wildcards;
};

// The queries that a table answers.
enum answers {
    ANSWERS_ALL,     // any start and any target
    ANSWERS_TARGETS, // any start, but only some targets, or the way back from these
    ANSWERS_STARTS,  // only some starts
};

// The lowest digits of an index that change independently of all others, the lowest first.
struct free_digit {
    uint64_t count; // of values
    unsigned step;  // if above 0, the digit has digits to this base, which are free, too
};

// An index that is (outer) × (arrangements) + the rank of an arrangement of points. Every move maps
// the points to points, in the same way for each arrangement.
struct point_row {
    unsigned outer;  // how many values; a board's cells, for the blank, or 1
    unsigned points; // at most RANK_LONGEST
    unsigned length; // of the arrangement
};

// How a family numbers states. The functions are explained below.
struct numbering_functions {
    uint64_t (*rank)(const struct puzzle *puzzle, unsigned root, const uint8_t *relative);
    void (*unrank)(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative);
    void (*neighbours)(const struct puzzle *puzzle, unsigned root, uint64_t index,
                       uint64_t *neighbours);
    void (*predecessors)(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint64_t *before);
    bool (*relate)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                   unsigned *root, uint8_t *relative, struct fewest_error *error);

    // With ANSWERS_ALL: finds the target of a start and a relative target; or NULL.
    void (*unrelate)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *relative,
                     uint8_t *target);

    // With ANSWERS_TARGETS: is this one of the targets that can be reached from any start?
    bool (*answers_target)(const struct puzzle *puzzle, const uint8_t *target);

    // For the speed of a search, or NULL (gen/pages.h): the free digits of the index, at most
    // CELLS_MOST; returns how many.
    unsigned (*find_free_digits)(const struct puzzle *puzzle, struct free_digit *digits);

    // The same, or both NULL: is the index the rank of a row of points? And fills in where a move
    // takes the points and returns where it takes the outer value, OUTER_NONE if it can't be made.
    bool (*find_points)(const struct puzzle *puzzle, struct point_row *row);
    unsigned (*move_points)(const struct puzzle *puzzle, unsigned outer, unsigned move,
                            uint8_t *map);

    // Calls tell(context, text) for each invariant that the index leaves out; or NULL.
    void (*tell_invariants)(const struct puzzle *puzzle,
                            void (*tell)(void *context, const char *text), void *context);
};

enum { OUTER_NONE = 0xFF };

struct numbering {
    const struct numbering_functions *functions; // NULL: the puzzle has no index; a search answers
    enum answers answers;
    bool dense;           // the index is the dense index
    uint64_t state_count; // entries of a root's table
    struct root roots[ROOTS_MOST];
    unsigned root_count;
};

#endif
