// Numbers wildcard targets 0 … entries-1, folded by the puzzle's symmetries.
//
// A wildcard target over n cells gives the symbols of some cells and leaves the others open. The
// number is that of a *relative* target: the root of the puzzle is the identity, and symbol i is at
// home in cell i:
//
//     cells    0 1 2      target   * 4 *      given: cells 1, 3 and 8,
//              3 4 5               0 * *      whose symbols 4, 0 and 7 are
//              6 7 8               * * 7      a partial permutation
//
// The number of a wildcard target is made in these steps:
//   1. The *mask* is the set of the given cells: bit i for cell i.
//   2. Symmetries of the puzzle (permutations of the cells that turn moves into moves and keep the
//      root) fold the masks into classes. The smallest mask of a class represents it.
//   3. The symmetry s that takes the mask to that of its class also conjugates the target: symbol v
//      in cell i becomes symbol s(v) in cell s(i). The result is the *canonical form*. The distance
//      stays the same, because s keeps the moves and the root.
//   4. The symbols of the class's cells, in rising order of the cells, are an arrangement. The
//      number is the rank of this arrangement plus the first number of the class.
//   5. Classes are sorted by the number of given cells, the fewest first, and then by their masks.
//
// A target that gives all cells is a state and has no number here. Targets that give more than
// `most_given` cells have none either, because they would be too many or their closure would take
// too long. With 0 entries, no target has a number. The *closure* computes the distances of all
// targets from those of the states.
#ifndef FEWEST_TABLES_ALGEBRA_WILDCARD_H
#define FEWEST_TABLES_ALGEBRA_WILDCARD_H

#include "rank.h"
#include "tables/base/errors.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WILD = 0xFF,              // the value of a cell that is left open
    WILDCARD_CELLS_MOST = 12, // cells of a puzzle with a wildcard table
    // States of a puzzle with a wildcard table: a byte each while the table is made.
    WILDCARD_STATES_MOST = 1 << 24,
    CLOSURE_MOST = 1 << 27,          // look-ups of states to compute one wildcard closure
    WILDCARD_TARGETS_MOST = 1 << 21, // entries of one wildcard table
    SYMMETRIES_MOST = 1 << 11,       // that fold one wildcard table
    SYMMETRY_CELLS_MOST = 25,        // of a puzzle or a board with symmetries
};

struct symmetry {
    uint8_t to[SYMMETRY_CELLS_MOST];   // cell i goes to cell to[i]
    uint8_t from[SYMMETRY_CELLS_MOST]; // its inverse
};

// Fills in `from`. Returns false if `to` is no permutation of 0 … cells-1.
bool symmetry_invert(struct symmetry *symmetry, unsigned cells);

extern const struct symmetry SYMMETRY_IDENTITY; // of any number of cells

struct wildcard_class {
    uint16_t mask;
    uint8_t given;              // number of cells in the mask
    uint8_t cell[RANK_LONGEST]; // these cells, in rising order
    uint64_t first;             // number of the first target
    uint64_t count;             // number of targets
};

struct wildcard_index {
    unsigned cells;      // 0: the puzzle has no numbered targets
    unsigned most_given; // the most cells that a target with a number gives
    uint64_t entries;
    struct symmetry *symmetries; // the first is the identity
    unsigned symmetry_count;
    struct wildcard_class *classes;
    unsigned class_count;
    uint16_t *class_of;     // by mask; CLASS_NONE if the mask gives more than most_given
    uint16_t *to_canonical; // by mask: the first symmetry that takes it to its class's mask
    // By the number of given cells and the place of a digit: the weight of the digit in the rank.
    uint32_t weights[WILDCARD_CELLS_MOST + 1][WILDCARD_CELLS_MOST];
};

// Numbers the wildcard targets that give up to `most_given` cells, or fewer cells if those would be
// too many. Copies the symmetries, 1 to SYMMETRIES_MOST. The first one is the identity, and the
// others may be any permutations: a number always belongs to one canonical form. But a distance can
// be looked up only by symmetries of the puzzle. cells <= WILDCARD_CELLS_MOST. The caller frees
// with wildcard_index_free.
bool wildcard_index_build(struct wildcard_index *wildcards, unsigned cells, unsigned most_given,
                          const struct symmetry *symmetries, unsigned symmetry_count,
                          struct fewest_error *error);
void wildcard_index_free(struct wildcard_index *wildcards);

// Returns the number of cells that a target gives.
unsigned wildcard_count_given(const struct wildcard_index *wildcards, const uint8_t *target);

// A target whose number is being computed, in two phases. If each phase runs for many targets
// before the next one, the processor overlaps their work.
struct wildcard_ranking {
    const struct wildcard_class *class;
    const struct symmetry *to_canonical;
    const uint8_t *target;
    uint8_t image_of[RANK_LONGEST]; // by symbol of the target: its symbol in the canonical form
};

// The first phase. The number will be that of the relative target: the target after renaming the
// symbol in cell i of `start` to i. Returns false if the target has no number, because it gives
// more than `most_given` cells. The caller makes sure that the symbols of `start` differ, and those
// of `target`. It keeps `target` until the second phase.
bool wildcard_begin_ranking(const struct wildcard_index *wildcards, const uint8_t *start,
                            const uint8_t *target, struct wildcard_ranking *ranking);

// The second phase: returns the number.
uint64_t wildcard_end_ranking(const struct wildcard_index *wildcards,
                              const struct wildcard_ranking *ranking);

// These two need an index with entries. wildcard_rank runs both phases for a relative target.
// wildcard_unrank computes the canonical form for a number; every relative target that the
// symmetries take to it has that number.
bool wildcard_rank(const struct wildcard_index *wildcards, const uint8_t *target, uint64_t *number);
void wildcard_unrank(const struct wildcard_index *wildcards, uint64_t number, uint8_t *target);

// Returns the class that a number belongs to, which is below `entries`.
const struct wildcard_class *wildcard_class_at(const struct wildcard_index *wildcards,
                                               uint64_t number);

#endif
