// The family of permutation puzzles: sets of pieces with orientations, and moves that permute and
// turn them. What the files of this folder share.
#ifndef FEWEST_TABLES_FAMILIES_PERMUTATION_PERMUTATION_H
#define FEWEST_TABLES_FAMILIES_PERMUTATION_PERMUTATION_H

#include "point_view.h"
#include "tables/puzzle/numbering.h"
#include "tables/puzzle/puzzle.h"

extern const struct rules PERMUTATION_RULES;

// The first cells of a set's pieces and orientations; -1 if no move changes them.
struct first_cells {
    int pieces;
    int orientations;
};

struct permutation {
    struct first_cells *first_cells; // by set
    struct point_view view;
    struct chain chain;   // numbers the view's states
    unsigned step_digits; // how many digits there are up to the last one with several values
    unsigned rank_digits; // how many digits tell whether a row of cells is a state, and which
    // Different pieces of one set whose rows can all be reached, or the even ones: the length of a
    // row. Else 0 (numbers.c).
    unsigned row_length;
    bool only_even;
    chain_point *exchange;    // of the two last pieces
    const chain_point **rows; // the moves, and the exchange
    // Do all pieces differ, do all orientations count, and are all states permitted? Then the
    // states are a group, distances are counted from the identity, and the table answers any start
    // and any target. Otherwise distances are counted to the nearest goal.
    bool group;
};

static inline struct permutation *permutation_of(const struct puzzle *puzzle)
{
    return (struct permutation *)puzzle->own;
}

extern const struct numbering_functions PERMUTATION_NUMBERING;

// Rules of the family (rules.h).
bool permutation_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from,
                       uint8_t *to);
bool permutation_apply_rows(const struct puzzle *puzzle, const struct rows *rows,
                            const uint8_t *from, uint8_t *to, struct fewest_error *error);
bool permutation_read_rows(const struct puzzle *puzzle, const struct rows *rows, uint8_t *state);

// Copies the rows of a state to its cells. What has no cells is left out.
void permutation_copy_rows(const struct puzzle *puzzle, const struct rows *rows, uint8_t *cells);

bool permutation_is_reachable(const struct puzzle *puzzle, const uint8_t *start,
                              const uint8_t *target);

// The filter of the definition (legal.c), or NULL if it forbids no state.
const struct filter *permutation_filter(const struct puzzle *puzzle);

// Writes why no moves lead to the target (rules.h, parity.c).
bool permutation_explain_unreachable(const struct puzzle *puzzle, const uint8_t *start,
                                     const uint8_t *target, char *reason, size_t size);

// Relates a start to a target (numbering.h, states.c).
bool permutation_find_relative(const struct puzzle *puzzle, const uint8_t *start,
                               const uint8_t *target, unsigned *root, uint8_t *relative,
                               struct fewest_error *error);
void permutation_restore_target(const struct puzzle *puzzle, const uint8_t *start,
                                const uint8_t *relative, uint8_t *target);

// Makes the chain, and counts the states by it (numbers.c). If that takes too long, sets
// puzzle->is_unfinished. Fails only if memory runs out.
bool permutation_make_chain(struct puzzle *puzzle, struct fewest_error *error);

// Is a row of cells, of values below their limits, a state? If the puzzle is unfinished, it is one
// if each piece is in its orbit. Threads may share the puzzle.
bool permutation_is_state(const struct puzzle *puzzle, const uint8_t *relative);

#endif
