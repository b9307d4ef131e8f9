// The pattern databases of a searched puzzle, as a search uses them.
//
// Read symmetric_pages.h and stripes.h first. The pieces of a `Database` line make a projection of
// the puzzle, in which other pieces look alike (J. C. Culberson and J. Schaeffer, "Pattern
// databases", 1998). The states of the puzzle that show one state of the projection are a coset of
// a group, and the projection is the *space* of these cosets. The distance of a coset is a lower
// bound for its states.
//
// The space has one row for each class of pages. A coset is at a *place*: a symmetry y takes it to
// an offset of a row. A move m of the puzzle does there what y makes of it, the move ymy⁻¹. So the
// search needs three look-ups in small tables for a move: the step of the row, the map of the move,
// and the map of the symmetry that leads to the next row. The next y is a product of two
// symmetries.
//
// If the states are a group and moves can be undone, the inverse of a state is as far from solved,
// and has a coset, too. A move changes a state from the left, so it changes its inverse from the
// right, and no table tells what it makes of the inverse's coset. It is found from its points,
// as digits (chain/finder.h).
#ifndef FEWEST_QUERY_COSETS_H
#define FEWEST_QUERY_COSETS_H

#include "query/table/database.h"
#include "tables/families/permutation/point_view.h"
#include "tables/families/symmetry/stripes.h"

struct coset_place {
    uint32_t row;
    uint32_t offset;
    uint16_t symmetry; // y
};

// How a point of a thing is found from the points of a state. Its source is a point of the puzzle,
// and a list tells what the image of the source stands for. One half of the list is for points with
// an orientation, the other one for slots alone.
struct coset_source {
    uint8_t point;
    uint16_t half; // 0, or the number of the puzzle's points
};

struct coset_space {
    const struct puzzle *puzzle;
    const struct puzzle *projection;
    struct database database;
    struct count_pages made;
    const struct symmetric_pages *pages; // of `made`
    uint64_t row_slots;
    unsigned move_count; // of the puzzle
    unsigned columns;    // of the steps: moves in the plan of the pages
    uint16_t *column_of_move;
    uint16_t *images; // by symmetry and column: the column that the symmetry makes of it
    // By symmetry s and y: s⁻¹y; and by s: s⁻¹.
    uint16_t *after;
    uint16_t *inverse_of;
    // They find a page and an offset. The first view that finds places by points makes them.
    struct chain_finder page_finder;
    struct chain_finder offset_finder;
};

// A symmetry s of the puzzle takes a state to one that is as far from solved. If the space does not
// have this symmetry, the coset of the other state is another lower bound. So a space has several
// views: one for each symmetry, but only one for those that differ by a symmetry of the space. The
// first view is that of the identity.
struct coset_view {
    const struct coset_space *space;
    // By symmetry y of the space and move m: the column of y(sms⁻¹)y⁻¹.
    uint16_t *column_of;
    uint64_t *keeps; // the set of the moves that keep the coset of the solved state, as it is seen
    // To find places by points, which are those of the puzzle. Images are those of the pages.
    chain_point *stands_for;           // the list of images, as above
    struct coset_source *page_sources; // by point of the page's things
    // By symmetry: the sources of the later things' points, and a list to which the symmetry was
    // applied.
    struct coset_source *later_sources;
    chain_point *seen;
};

// Sets of moves have a bit for each move.
static inline unsigned move_set_words(unsigned moves)
{
    return (moves + 63) / 64;
}

static inline bool move_set_has(const uint64_t *set, unsigned move)
{
    return set[move / 64] >> move % 64 & 1;
}

static inline void move_set_add(uint64_t *set, unsigned move)
{
    set[move / 64] |= UINT64_C(1) << move % 64;
}

// Makes the space of projection `number`. Copies the database. Fails with FEWEST_DAMAGED if the
// database is not that of the projection. The caller frees the space in any case.
bool coset_space_make(struct coset_space *space, const struct puzzle *puzzle, unsigned number,
                      const struct database *database, struct fewest_error *error);
void coset_space_free(struct coset_space *space);

// A symmetry of the puzzle's points, and what it makes of the moves.
struct coset_symmetry {
    const chain_point *points;
    const uint16_t *moves;
};

// Makes a view. With `by_points`, also makes what coset_find_points needs. Returns false if memory
// runs out. The caller frees the view in any case.
bool coset_view_make(struct coset_view *view, struct coset_space *space,
                     const struct coset_symmetry *symmetry, bool by_points);
void coset_view_free(struct coset_view *view);

// Writes a number for each move. They are the same for two symmetries if these have one view.
void coset_view_key(const struct coset_space *space, const uint16_t *move_images, uint16_t *key);

// Finds the place of a state of the puzzle in the first view. Returns false if no moves lead to it.
bool coset_find(const struct coset_space *space, const uint8_t *state, struct coset_place *place);

// The same from a relative target of the projection, which shows the state from the solved one.
bool coset_find_relative(const struct coset_space *space, const uint8_t *relative,
                         struct coset_place *place);

// A state whose place is looked for: `images` are the images of the puzzle's points under the
// state, after `first` was applied to the points. There are moves that lead to it.
struct coset_search {
    const uint8_t *images;
    const uint8_t *first;
    uint64_t sum;             // of a finder
    struct coset_place place; // the result
};

// Finds the places of several states in a view, in passes over all of them. Each pass prefetches
// what the next one reads.
void coset_find_points(const struct coset_view *view, struct coset_search *searches,
                       unsigned count);

// Begins to load the steps of a row.
static inline void coset_prefetch(const struct coset_space *space, uint32_t row)
{
    enum { LINE = 64 };
    const char *steps = (const char *)symmetric_pages_steps(space->pages, row);
    const char *views = (const char *)symmetric_pages_views(space->pages, row);
    for (size_t at = 0; at < space->columns * sizeof(struct chain_step); at += LINE) {
        __builtin_prefetch(steps + at);
    }
    for (size_t at = 0; at < space->columns * sizeof(struct symmetric_view); at += LINE) {
        __builtin_prefetch(views + at);
    }
}

// The slot of a place in the section.
static inline uint64_t coset_slot(const struct coset_space *space, struct coset_place place)
{
    return place.row * space->row_slots + stripe_slot(place.offset);
}

#endif
