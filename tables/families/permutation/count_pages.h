// The symmetric pages of a permutation puzzle (algebra/symmetric_pages.h), to count its states.
//
// The table of a puzzle numbers its states in one order; a count may choose another one. It wants
// pages that the symmetries take to pages, so the things of the page must be kept by all of them.
//
// The *pieces* are the things of the puzzle, each with its slots. Symmetries permute the pieces.
// For each orbit of pieces, the page may tell nothing, or all about them, or only which slots the
// pieces of a *block* have together. Blocks are what symmetries take to blocks, such as the rows of
// a board or single pieces. For example, the page of the 2x2x2 tells the slot of each corner, and
// the offset tells how the corners are turned.
#ifndef FEWEST_TABLES_FAMILIES_PERMUTATION_COUNT_PAGES_H
#define FEWEST_TABLES_FAMILIES_PERMUTATION_COUNT_PAGES_H

#include "tables/algebra/symmetric_pages.h"
#include "tables/puzzle/puzzle.h"

struct count_choice {
    bool symmetries;     // else only the identity and the rotations
    bool rotations;      // count states as one if a turn of the whole takes one to the other
    bool reversed;       // take the things in the opposite order: another numbering
    uint64_t most_bytes; // for maps and steps
    unsigned threads;
};

struct count_pages {
    struct symmetric_pages pages;
    unsigned symmetries; // that conjugate
    unsigned rotations;  // turns of the whole that count as one; or 1
    // What the pages point to:
    struct symmetric_plan plan;
    chain_point *number_of; // by point of the puzzle, and then by slot: the number of the point
    chain_point *point_of;  // the way back
    chain_point *rows;      // of the moves
    const chain_point **row_pointers;
    struct chain_thing *things;
    chain_point *thing_points;
    chain_point *others;
    chain_point *symmetry_rows;
};

// Chooses the pages of a numbered puzzle, and makes them. SYMMETRIC_UNFIT means that there are none
// that would help: no chain, no symmetry, or no such pages of a fitting size. Fails with
// FEWEST_BEYOND if there shall be rotations, and the puzzle has none or they can't be found. The
// caller frees the pages in any case.
enum symmetric_result count_pages_make(struct count_pages *pages, const struct puzzle *puzzle,
                                       const struct count_choice *choice,
                                       struct fewest_error *error);
void count_pages_free(struct count_pages *pages);

// Writes the relative target at this offset of a row.
void count_pages_write_state(const struct count_pages *pages, const struct puzzle *puzzle,
                             uint32_t row, unsigned offset, uint8_t *relative);

#endif
