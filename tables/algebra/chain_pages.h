// Cuts the numbers of a chain's states into pages, and makes steps from page to page.
//
// A move then takes all states of a page to another page, in a few look-ups for each.
//
// The first digits of a state make its *page*, the others its *offset*: number = page × page_size
// + offset. The element of a page is g = u_1 … u_d, the product of the canonical elements of its d
// digits. Each state of the page is that of some gq, where q fixes the things B_1, …, B_d, and its
// offset is that of q. A move m makes mgq of it. Let g' be the element of the page where that is,
// and mg = g'h. Then h fixes these things, too, and mgq = g'(hq). So all states of the page come
// to one page, and the offset of q becomes that of hq. That is the *map* of the step.
//
// The map depends only on where h takes the points that q can have brought the later things to.
// These points are the *tail*: all that the points of the later things can reach while the things
// of the page stay fixed. Steps share a map if their h agree on the tail. Most puzzles have a few
// maps for thousands of pages and all moves.
//
// If the last digit alone has more than CHAIN_PAGE_MOST values, it must be an implicit one
// (chain/sets.h) of at most SET_SLOTS_MOST slots. Then this digit is the offset, and the maps are
// made of masks (set_masks.h).
//
// First number the maps, by taking the steps of all pages. Then fill them in, all at once.
#ifndef FEWEST_TABLES_CHAIN_PAGES_H
#define FEWEST_TABLES_CHAIN_PAGES_H

#include "set_masks.h"
#include "tables/algebra/chain/chain.h"

enum { CHAIN_PAGE_MOST = 1 << 16 }; // if an entry of a map has 16 bits

#define CHAIN_PAGE_NONE UINT32_MAX

struct chain_pages {
    const struct chain *chain;
    unsigned split; // the first digit of an offset
    unsigned end;   // of the digits of an offset that have several values
    uint64_t page_count;
    uint64_t page_size;      // 0 if there is no cut
    struct set_masks *masks; // of an offset; NULL if the maps have an entry for each offset
    // The points whose images tell a step: those of the things of the page, one thing after the
    // other, and then the tail, rising.
    chain_point *points;
    unsigned page_points;
    unsigned tail_count;
    struct row_set keys;  // by map: where it takes the points of the tail
    uint32_t *inverse_of; // by map, after chain_pages_invert: the map that leads back
    uint16_t *maps;       // by map and offset, after chain_pages_fill
    uint64_t *images;     // instead, if offsets are masks: by map, the images of their halves
};

// A step from a page: the page that it leads to, and its map. If it can't be made, the page is
// CHAIN_PAGE_NONE.
struct chain_step {
    uint32_t page;
    uint32_t map;
};

// Cuts the numbers of a chain, which must be finished, and stay as long as the pages. An offset
// gets as many of the last digits as give at most `wanted` offsets, or the last digit alone if that
// gives more. The cell of a blank always belongs to the page. There is no cut, and page_size is 0,
// if there are too many offsets, or CHAIN_PAGE_NONE pages or more, or if the states exceed 63 bits.
// Returns false if memory runs out. The caller frees the pages in any case.
bool chain_pages_make(struct chain_pages *pages, const struct chain *chain, unsigned wanted);
void chain_pages_free(struct chain_pages *pages);

// The number of steps from a page: one for each move or, if the plan has some, for each of its
// `steps`.
unsigned chain_pages_step_count(const struct chain_pages *pages);

// Fills in the steps from a page, and numbers the maps that are new. Once the steps of all pages
// have been taken, no map is new, and threads may share the pages. Returns false if memory runs
// out.
bool chain_pages_step(struct chain_pages *pages, uint64_t page, struct chain_step *steps);

// Numbers the inverses of all maps: fills in inverse_of. Returns false if memory runs out.
bool chain_pages_invert(struct chain_pages *pages);

// Fills in all maps that have a number. No step may bring a new one after this. Fails if
// memory runs out.
bool chain_pages_fill(struct chain_pages *pages);

// The memory of the pages once they are filled, in bytes.
uint64_t chain_pages_bytes(const struct chain_pages *pages);

// Returns the entries of a map: by offset, the offset that it becomes.
static inline const uint16_t *chain_pages_map(const struct chain_pages *pages, uint32_t map)
{
    return pages->maps + (size_t)map * pages->page_size;
}

// The same if offsets are masks: the images of the halves, for set_masks_image.
static inline const uint64_t *chain_pages_images(const struct chain_pages *pages, uint32_t map)
{
    return pages->images + map * set_masks_image_count(pages->masks);
}

// Returns the number of the state that a step makes of a state. The step is one of the state's
// page, and can be made.
uint64_t chain_pages_go(const struct chain_pages *pages, struct chain_step step, uint64_t state);

#endif
