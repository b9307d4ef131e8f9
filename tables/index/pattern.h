// Patterns: states with wildcards, folded by the puzzle's symmetries and numbered 0 … entries-1.
//
// A pattern over n cells gives the symbols of some cells and leaves the others open. It is met here *relabelled*, so
// that the root of the puzzle is the identity and symbol i is at home in cell i:
//
//     cells    0 1 2      pattern  * 4 *      given: cells 1, 3 and 8
//              3 4 5               0 * *      (a partial permutation: the symbols 4, 0 and 7, in this order)
//              6 7 8               * * 7
//
// How the number of a pattern is made:
//   1. The *mask* is the set of the given cells: bit i for cell i.
//   2. The symmetries of the puzzle (permutations of the cells that turn moves into moves and keep the root) fold the
//      masks into classes; the smallest mask of a class stands for it.
//   3. The symmetry s that takes the mask to its class's also conjugates the pattern: symbol v in
//      cell i becomes symbol s(v) in cell s(i). Its distance stays the same, because s keeps the
//      moves and the root.
//   4. The symbols of the class's cells, in rising order of the cells, are an arrangement: its rank, plus where
//      the class begins, is the number.
//   5. Classes stand in order of how many cells they give, the fewest first, and then of their masks.
//
// Patterns that give all cells are states and have no number here; those with more than `most_given` cells have none
// either, where they would be too many or take too long. Without entries, no pattern has a number.
#ifndef FEWEST_TABLES_PATTERN_H
#define FEWEST_TABLES_PATTERN_H

#include "base/errors.h"
#include "index/rank.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WILD = 0xFF,                   // the value of a cell that is left open
    PATTERN_CELLS_MOST = 12,       // more have too many states for a table
    PATTERN_STATES_MOST = 1 << 24, // of a puzzle whose patterns are tabulated: a byte each while that is done
    CLOSURE_MOST = 1 << 27,        // looks at states to close one pattern table
    PATTERNS_MOST = 1 << 21,       // entries of one pattern table
    SYMMETRIES_MOST = 1 << 11,     // a puzzle with more is folded by none
};

struct symmetry {
    uint8_t to[RANK_LONGEST];   // cell i goes to cell to[i]
    uint8_t from[RANK_LONGEST]; // its inverse
};

struct pattern_class {
    uint16_t mask;
    uint8_t given;              // how many cells the mask holds
    uint8_t cell[RANK_LONGEST]; // which, in rising order
    uint64_t first;             // number of the first pattern
    uint64_t count;             // how many patterns
    unsigned masks;             // how many masks are folded into this one
};

struct pattern_space {
    unsigned cells;      // 0: the puzzle has no numbered patterns
    unsigned most_given; // a pattern that gives at most so many cells has a number
    uint64_t entries;
    struct symmetry *symmetries; // the first is the identity
    unsigned symmetry_count;
    struct pattern_class *classes;
    unsigned class_count;
    uint16_t *class_of;     // by mask; CLASS_NONE where the mask gives more than most_given
    uint16_t *to_canonical; // by mask: the symmetry that takes it to its class's mask
    uint8_t *given_of;      // by mask: how many cells it holds
};

// Takes over `symmetries` (from malloc), a group whose first member is the identity, also on failure.
// cells <= PATTERN_CELLS_MOST. The caller frees with pattern_space_free.
// Patterns that give up to `most_given` cells are numbered, or fewer where those would be too many.
bool pattern_space_build(struct pattern_space *space, unsigned cells, unsigned most_given, struct symmetry *symmetries,
                         unsigned symmetry_count, struct fewest_error *error);
void pattern_space_free(struct pattern_space *space);

// How many cells a pattern gives.
unsigned pattern_given(const struct pattern_space *space, const uint8_t *pattern);

// The number of a pattern with at most `most_given` cells given, and back. Different symbols in
// `pattern` are the caller's duty. pattern_unrank gives the canonical form; every pattern that the
// symmetries take to it has the same number.
uint64_t pattern_rank(const struct pattern_space *space, const uint8_t *pattern);
void pattern_unrank(const struct pattern_space *space, uint64_t number, uint8_t *pattern);

// The class that a number belongs to.
const struct pattern_class *pattern_class_at(const struct pattern_space *space, uint64_t number);

#endif
