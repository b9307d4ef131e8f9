// Declarations that only the files of the permutation family share.
#ifndef FEWEST_TABLES_PERMUTATION_OWN_H
#define FEWEST_TABLES_PERMUTATION_OWN_H

#include "puzzle/orbits.h"
#include "puzzle/puzzle.h"

// The first cells of a set's pieces and orientations; -1 if no move changes them.
struct set_cells {
    int pieces;
    int orientations;
};

// A cell of a piece where `Illegal` forbids some pieces.
struct guarded_slot {
    unsigned cell;
    const bool *illegal; // by piece; in the definition
};

struct permutation {
    struct set_cells *set_cells; // by set
    struct orbits orbits;
    unsigned *still; // cells whose value no move changes
    unsigned still_count;
    // Do all pieces differ and all orientations count? Then the states are a group, distances are
    // counted from the identity, and the table answers any start and any target. Otherwise
    // distances are counted to the nearest goal.
    bool group;
    bool even;        // one segment, of different pieces, and every move is an even permutation
    bool alternating; // the states are all even permutations of at most RANK_LONGEST pieces
    // By move: the bits of the index that it flips; NULL if the index is not a row of bits.
    uint64_t *flips;
    struct numbering_functions flips_numbering; // that of the family, but for what flips do faster
    struct steps *steps;                        // NULL before permutation_prepare
    // Slots where some piece is illegal. If there is one, the states are no group. The dense index
    // numbers all arrangements, and `orbits` and `still` are empty. If a search answers, `orbits`
    // and `still` are those of the puzzle without illegal states.
    struct guarded_slot *guarded;
    unsigned guarded_count;
};

static inline struct permutation *permutation_of(const struct puzzle *puzzle)
{
    return (struct permutation *)puzzle->own;
}

extern const struct numbering_functions PERMUTATION_NUMBERING;

// If the index is a row of bits, finds what each move flips, and numbers states faster
// (permutation_flips.c).
bool permutation_find_flips(struct puzzle *puzzle, struct fewest_error *error);

// Rules of the family (rules.h).
bool permutation_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from,
                       uint8_t *to);
bool permutation_apply_rows(const struct puzzle *puzzle, const struct rows *rows,
                            const uint8_t *from, uint8_t *to, struct fewest_error *error);

bool permutation_is_reachable(const struct puzzle *puzzle, const uint8_t *start,
                              const uint8_t *target);

// What `Illegal` forbids (permutation_legal.c).
bool permutation_find_guarded(struct puzzle *puzzle, struct fewest_error *error);
bool permutation_rows_are_legal(const struct puzzle *puzzle, const struct rows *rows,
                                const uint8_t *from);

// The first guarded slot that holds an illegal piece. NULL if the state, which may have wildcards,
// is legal.
const struct guarded_slot *permutation_find_illegal(const struct puzzle *puzzle,
                                                    const uint8_t *state);

bool permutation_explain(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                         bool reachable, char *reason, size_t size);

// Renames the pieces so that `start` becomes the identity. The states must be a group.
void permutation_relabel(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                         uint8_t *relative);

// The index (numbering.h, permutation_index.c).
uint64_t permutation_rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative);
void permutation_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index,
                        uint8_t *relative);
void permutation_count_states(const struct puzzle *puzzle, struct state_counter *counter);

// Steps from index to index (permutation_steps.c). Free what permutation_prepare makes with
// steps_free. steps_take fills in the neighbours of an index.
struct steps;
bool permutation_prepare(struct puzzle *puzzle, struct fewest_error *error);
void steps_free(struct steps *steps, unsigned orbit_count);
void steps_take(const struct puzzle *puzzle, uint64_t index, uint64_t *found);

// How the index can be cut for a search (numbering.h, permutation_pages.c).
unsigned permutation_find_free_digits(const struct puzzle *puzzle, struct free_digit *digits);
bool permutation_find_points(const struct puzzle *puzzle, struct point_row *row);
unsigned permutation_find_variants(const struct puzzle *puzzle, unsigned digit_count,
                                   uint32_t *variant_of);
unsigned permutation_move_points(const struct puzzle *puzzle, unsigned outer, unsigned move,
                                 struct point_move *to);

#endif
