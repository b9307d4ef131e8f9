// Pages of which only one of each class under the symmetries is kept.
//
// Read chain_pages.h first: pages, offsets and maps. The state of an element g is in the page of u,
// the canonical element of the first digits, and its offset is that of q, with g = uq. Both u and q
// act on points, and q fixes the things of the page.
//
// A *symmetry* is a pair (l, w) of permutations of the points. It takes g to lgw⁻¹. It turns moves
// into moves, because l does, and w takes each thing of the page to a thing of the page, and each
// later thing to a later one. With l = w, it conjugates. With l = wr, where r is a turn of the
// whole puzzle, it also turns the state.
//
// Symmetries take pages to pages. A class of pages is a *row*. The row keeps the first of its
// pages, and stands for all: a search has marks for the states of these pages alone. So a step
// leads from row to row. The move m takes u to some page, which a symmetry (l, w) took from the
// page v of its row. Undoing that symmetry, the step leads to v:
//
//     l⁻¹(muq)w = vq'    with    q' = aqb,    a = v⁻¹l⁻¹mu,    b = w.
//
// The offset of q' depends on a where q can take the points that b makes of later things, and on b
// at the points of later things. So steps share a *map* if their a and b agree there.
//
// If the elements that fix the things of the page are a *normal* subgroup, and each state is that
// of one element, g = qu instead. Then
//
//     l⁻¹(mqu)w = q'v    with    q' = aqb,    a = l⁻¹m,    b = uwv⁻¹.
//
// That makes far fewer maps, because a does not depend on the page, and b hardly.
//
// Some symmetries take the page of a row to itself. They take its offsets to offsets by maps of the
// same kind: a = u⁻¹lu and b = w⁻¹ or, if normal, a = l and b = uw⁻¹u⁻¹. These are the *keepers* of
// the row. Offsets that keepers take to
// each other are one class of states, and a search must mark all of them. Then a row of n pages has
// n states for each marked offset.
//
// The theory of the tables is that of coset spaces reduced by symmetries (R. E. Korf and others use
// it for the cube since 1997; H. Kociemba's symmetry coordinates are the special case of one set).
#ifndef FEWEST_TABLES_SYMMETRIC_PAGES_H
#define FEWEST_TABLES_SYMMETRIC_PAGES_H

#include "chain_pages.h"

// What the pages are made of. It stays as long as they do.
struct symmetric_plan {
    struct chain_plan chain; // the things of the page come first
    unsigned page_things;
    // By symmetry, rows of `degree` points: l, w and their inverses. Symmetry 0 is the identity.
    unsigned symmetry_count; // at most SYMMETRIC_MOST
    const chain_point *left;
    const chain_point *right;
    const chain_point *left_inverse;
    const chain_point *right_inverse;
};

enum { SYMMETRIC_MOST = UINT16_MAX };

struct symmetric_pages {
    const struct symmetric_plan *plan;
    struct chain chain;
    bool is_normal;
    unsigned split; // the first digit of an offset that has several values
    unsigned end;   // one after the last
    unsigned page_size;
    uint64_t page_count;
    uint32_t row_count;
    uint32_t *first_pages;    // by row: its page
    uint32_t *weights;        // by row: the number of its pages
    struct chain_step *steps; // by row and move; `page` is the row that it leads to
    // By row, and one more: where its keepers begin in `keepers`, which has maps.
    uint32_t *keeper_begins;
    uint32_t *keepers;
    uint32_t keeper_count;
    uint32_t keeper_room;
    struct row_set keys; // by map: a where q can take points, and then b at the later things
    uint16_t *maps;      // by map and offset
    chain_point *points; // those of the page, one thing after the other, those of the later things,
    unsigned page_points;
    unsigned later_points;
    unsigned tail_points; // and those where a counts, rising
    // By page, until the steps are made: its row, and the symmetry that takes the row's page there.
    uint32_t *row_of;
    uint16_t *taken_by;
};

// What came of symmetric_pages_make.
enum symmetric_result {
    SYMMETRIC_MADE,
    SYMMETRIC_UNFIT, // the pages are too large or too many, or the maps take more than `most_bytes`
    SYMMETRIC_FAILED,
};

// Makes all but the maps, which only get their numbers. `most_bytes` limits the memory of maps and
// steps. The caller frees the pages in any case.
enum symmetric_result symmetric_pages_make(struct symmetric_pages *pages,
                                           const struct symmetric_plan *plan, uint64_t most_bytes,
                                           struct fewest_error *error);

// Fills in the maps. Fails if memory runs out.
bool symmetric_pages_fill(struct symmetric_pages *pages, unsigned threads,
                          struct fewest_error *error);
void symmetric_pages_free(struct symmetric_pages *pages);

// The memory of the pages, in bytes.
uint64_t symmetric_pages_bytes(const struct symmetric_pages *pages);

// Returns the steps from a row, by move.
static inline const struct chain_step *symmetric_pages_steps(const struct symmetric_pages *pages,
                                                             uint32_t row)
{
    return pages->steps + (size_t)row * pages->plan->chain.move_count;
}

// Returns the entries of a map: by offset, the offset that it becomes.
static inline const uint16_t *symmetric_pages_map(const struct symmetric_pages *pages, uint32_t map)
{
    return pages->maps + (size_t)map * pages->page_size;
}

// Replaces `count` points by their images under an element of the state at this offset of the row.
void symmetric_pages_unrank(const struct symmetric_pages *pages, uint32_t row, unsigned offset,
                            chain_point *points, unsigned count);

#endif
