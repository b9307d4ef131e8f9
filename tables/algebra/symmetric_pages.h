// Pages under symmetries: one page of each class stands for all of them.
//
// Read chain_pages.h first; it explains pages, offsets and maps. A state is an element g of the
// group of the moves. It has two factors, g = uq. The page of the state belongs to u, the canonical
// element of the first digits. The offset belongs to q, which fixes the things of the page. Both
// act on points.
//
// A *symmetry* is a pair (l, w) of permutations of the points. It takes g to lgw⁻¹. It has two
// properties:
//
//   - It takes moves to moves: lml⁻¹ is a move for each move m. So it takes neighbours to
//     neighbours.
//   - w takes each thing of the page to a thing of the page, and each later thing to a later one.
//     So the symmetry takes pages to pages.
//
// If l = w, the symmetry conjugates. If l = wr, where r turns the whole puzzle, it also turns the
// state.
//
// A class of pages is a *row*. The first page of a row stands for all of them: a search has marks
// only for the states of this page. So a step leads from row to row. Let u be the page of a row.
// The move m takes uq to a page x:
//
//     muq = xq'    with    q' = aq,    a = x⁻¹mu.
//
// A symmetry (l, w) took the page v of its own row to x. To get to v, the step undoes it:
//
//     l⁻¹(xq')w = vq"    with    q" = aq'b,    a = v⁻¹l⁻¹x,    b = w.
//
// The offset of aqb depends on few values of a and b: b counts only at the points of later things,
// and a only at the points to which qb can take these. Steps whose a and b agree there share a
// *map*. A step has two maps, one for the move and one for the symmetry, because many steps share
// one of the two: these are fewer than the maps that do both at once (1.5 to 6 times on the cube's
// pieces and on Loopover).
//
// Many offsets make long maps. If there are more than 65,536, an offset is cut into a high and a
// low part: offset = high × low_size + low. The high part belongs to the first digits of q, the low
// one to the others, as the page and the offset of a state do: q = q₁q₂. Then
//
//     aqb = aq₁b · b⁻¹q₂b,    aq₁b = q₁'h,
//
// where q₁' is the canonical element of the new high part. So a map tells, by high part, the new
// high part and which map the low part takes: the *low map* of h and b.
//
// Some symmetries take the page of a row to itself. They take its offsets to offsets by maps of the
// same kind: a = u⁻¹lu and b = w⁻¹. These are the *keepers* of the row (the stabilizer of its
// page). If a keeper takes one offset to another, the states are in one class. A search must mark
// all offsets of a class. Then a row of n pages has n states for each marked offset.
//
// The idea is not new: H. Kociemba's symmetry coordinates of the cube keep one coset of each class,
// too.
#ifndef FEWEST_TABLES_SYMMETRIC_PAGES_H
#define FEWEST_TABLES_SYMMETRIC_PAGES_H

#include "chain_pages.h"
#include "tables/algebra/chain/finder.h"

// What the pages are made of. It must stay as long as they do.
struct symmetric_plan {
    struct chain_plan chain; // the things of the page come first
    unsigned page_things;
    unsigned symmetry_count; // at most SYMMETRIC_MOST
    // By symmetry, rows of `degree` points: l, w and their inverses. Symmetry 0 is the identity.
    const chain_point *left;
    const chain_point *right;
    const chain_point *left_inverse;
    const chain_point *right_inverse;
    uint64_t most_bytes;               // of maps and steps
    uint64_t most_listed;              // bytes of the lists that make the rows and steps
    bool keeps_lists;                  // keep those that symmetric_pages_find needs
    bool (*is_stopped)(void *context); // is asked often, from any thread; NULL: never
    void *context;
};

enum { SYMMETRIC_MOST = 1 << 14 };

// What a step does after the move: undoes the symmetry `symmetry`, by a map.
struct symmetric_view {
    uint32_t map : 18;
    uint32_t symmetry : 14;
};

enum { SYMMETRIC_MAPS_MOST = 1 << 18, SYMMETRIC_OFFSETS_MOST = 1 << 20 };

// A part of an offset: some of its digits, and the maps that tell what becomes of it. A map depends
// on where a takes the points of the tail, and where b takes those of the things from digit `first`
// on. That is its key.
struct offset_part {
    unsigned first; // digit
    unsigned end;   // one after the last
    unsigned size;  // values
    const chain_point *tail;
    unsigned tail_count;
    struct row_set keys; // by map
};

struct symmetric_pages {
    const struct symmetric_plan *plan;
    struct chain chain;
    bool is_stopped; // by the caller, while they were made
    unsigned page_size;
    uint32_t page_count;
    uint32_t row_count;
    uint32_t *first_pages; // by row: the page that stands for it
    uint32_t *weights;     // by row: the number of its pages
    // By row and move: the row to which the step leads and the map of the move; and then the rest.
    struct chain_step *steps;
    struct symmetric_view *views;
    uint32_t *keeper_begins; // by row: where its keepers begin in `keepers`; and where all end
    uint32_t *keepers;       // numbers of maps; the identity is left out
    uint32_t keeper_count;
    uint32_t keeper_room;
    struct offset_part high;
    struct offset_part low; // if there are few offsets, it has one value and no maps
    // By map and high part: the new high part and, if the low one has several values, its map.
    uint16_t *maps;
    uint16_t *low_maps; // by map and low part: the new low part
    // Lists of points, one after the other: those of the things of the page; those of the later
    // things; and the tails of both parts, in rising order.
    chain_point *points;
    unsigned page_points;
    unsigned later_points;
    // By page: its row, and the symmetry that takes the row's page there. Only until the steps are
    // made, unless the plan keeps the lists.
    uint32_t *row_of;
    uint16_t *taken_by;
    chain_point *inverses; // by row: of the element of its page. Only if the lists are kept
};

// The result of symmetric_pages_make.
enum symmetric_result {
    SYMMETRIC_MADE,
    SYMMETRIC_UNFIT, // the pages are too large, or lists, maps or steps take more than they may
    SYMMETRIC_FAILED,
};

// Makes all but the maps, which only get their numbers. Fails with FEWEST_STOPPED if the caller
// stops it. The caller frees the pages in any case.
enum symmetric_result symmetric_pages_make(struct symmetric_pages *pages,
                                           const struct symmetric_plan *plan,
                                           struct fewest_error *error);

// Fills in the maps. Fails if memory runs out, or if the caller stops it.
bool symmetric_pages_fill(struct symmetric_pages *pages, unsigned threads,
                          struct fewest_error *error);
void symmetric_pages_free(struct symmetric_pages *pages);

// The memory of the pages, in bytes; and what the lists took besides, while they were made.
uint64_t symmetric_pages_bytes(const struct symmetric_pages *pages);
uint64_t symmetric_pages_listed_bytes(const struct symmetric_pages *pages);

// Returns the steps from a row, by move.
static inline const struct chain_step *symmetric_pages_steps(const struct symmetric_pages *pages,
                                                             uint32_t row)
{
    return pages->steps + (size_t)row * pages->plan->chain.move_count;
}

// Returns what these steps do after their moves.
static inline const struct symmetric_view *
symmetric_pages_views(const struct symmetric_pages *pages, uint32_t row)
{
    return pages->views + (size_t)row * pages->plan->chain.move_count;
}

// Returns the offset that a map makes of an offset.
static inline uint32_t symmetric_pages_go(const struct symmetric_pages *pages, uint32_t map,
                                          uint32_t offset)
{
    if (pages->low.size == 1) {
        return pages->maps[(size_t)map * pages->high.size + offset];
    }
    uint32_t high = offset / pages->low.size;
    const uint16_t *entry = pages->maps + 2 * ((size_t)map * pages->high.size + high);
    return entry[0] * pages->low.size +
           pages->low_maps[entry[1] * pages->low.size + offset % pages->low.size];
}

// Begins to load what symmetric_pages_go will read first.
static inline void symmetric_pages_prefetch(const struct symmetric_pages *pages, uint32_t map,
                                            uint32_t offset)
{
    size_t first = (size_t)map * pages->high.size;
    __builtin_prefetch(pages->low.size == 1 ? &pages->maps[first + offset]
                                            : &pages->maps[2 * (first + offset / pages->low.size)]);
}

// Where a state is: the symmetry `symmetry`, undone, takes it to this offset of the row.
struct symmetric_place {
    uint32_t row;
    uint32_t symmetry;
    uint32_t offset;
};

// Finds the place of a state, from the images of the points of all things. The plan has kept the
// lists. `room` has room for `degree` points. Returns false if no element has these images.
bool symmetric_pages_find(const struct symmetric_pages *pages, const chain_point *images,
                          chain_point *room, struct symmetric_place *place);

// Replaces `count` points by their images under the element of the state at this offset of the row.
void symmetric_pages_unrank(const struct symmetric_pages *pages, uint32_t row, unsigned offset,
                            chain_point *points, unsigned count);

#endif
