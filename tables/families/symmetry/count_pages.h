// The symmetric pages of a permutation puzzle (algebra/symmetric_pages.h), to count its states or
// to keep lower bounds of its states.
//
// A table numbers the states of a puzzle in one order. Here, the order is another one, because it
// needs pages that symmetries take to pages. So each symmetry must take the things of the page to
// things of the page.
//
// A *piece* is a thing of the puzzle, with its slots. Symmetries permute the pieces. A page tells
// one of three things about each orbit of pieces:
//
//   - nothing;
//   - all: where each piece is, and how it is turned;
//   - only which slots the pieces of each *block* have together. Symmetries take blocks to blocks.
//   A
//     block may be the row of a board, or a single piece.
//
// The offset tells the rest. For example, the page of the 2x2x2 tells the slot of each corner, and
// the offset tells how the corners are turned.
#ifndef FEWEST_TABLES_FAMILIES_SYMMETRY_COUNT_PAGES_H
#define FEWEST_TABLES_FAMILIES_SYMMETRY_COUNT_PAGES_H

#include "tables/algebra/symmetric_pages.h"
#include "tables/puzzle/puzzle.h"

struct count_choice {
    // The pages are those of a pattern database. They are the same whenever they are made: the
    // first candidate that fits is taken, also without symmetries. The plan has the moves undone
    // and, if these are no moves of the puzzle, then the moves; and the pages keep their lists.
    bool for_bounds;
    bool symmetries;     // false: take only the identity and the rotations
    bool rotations;      // states that turns of the whole puzzle take to each other count as one
    bool reversed;       // number the states in another way: take the things in the opposite order
    uint64_t most_bytes; // limit for maps and steps
    uint64_t memory;     // bytes that the search may take
    bool (*is_stopped)(void *context); // see symmetric_plan
    void *context;
};

struct count_pages {
    struct symmetric_pages pages;
    unsigned symmetries; // without rotations; 1: only the identity
    unsigned
        rotations; // turns of the whole puzzle, with the identity; 1 unless the choice has them
    // If there are no pages that fit, and things are reversed: plan.chain is that of all things.
    bool has_chain_plan;
    // The arrays that the pages point to:
    struct symmetric_plan plan;
    chain_point *number_of; // by point of the puzzle, and then by slot: the number of the point
    chain_point *point_of;  // the inverse of number_of
    chain_point *rows;      // of the moves
    const chain_point **row_pointers;
    struct chain_thing *things;
    chain_point *thing_points;
    chain_point *others;
    chain_point *symmetry_rows;
};

// Chooses the pages of a numbered puzzle, and makes all but their maps (symmetric_pages_fill).
// Returns SYMMETRIC_UNFIT if no pages would help: the puzzle has no chain or no symmetry, or no
// pages have a fitting size. Fails with FEWEST_BEYOND if the choice has rotations, but they can't
// be found. A puzzle without rotations is no failure. The caller frees the pages in any case.
enum symmetric_result count_pages_make(struct count_pages *pages, const struct puzzle *puzzle,
                                       const struct count_choice *choice,
                                       struct fewest_error *error);
void count_pages_free(struct count_pages *pages);

// Writes the relative target at this offset of a row.
void count_pages_write_state(const struct count_pages *pages, const struct puzzle *puzzle,
                             uint32_t row, unsigned offset, uint8_t *relative);

#endif
