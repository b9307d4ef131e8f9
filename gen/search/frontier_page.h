// The offsets of a frontier page, and marking their neighbours.
#ifndef FEWEST_GEN_SEARCH_FRONTIER_PAGE_H
#define FEWEST_GEN_SEARCH_FRONTIER_PAGE_H

#include "search.h"

// The offsets of a page that are in the frontier: as a list, and as a bit for each offset.
struct frontier_page {
    unsigned count;
    const uint16_t *list;
    const uint64_t *bits;     // NULL until they are needed
    uint16_t *list_room;      // buffer for `list`
    uint64_t *bits_room;      // buffer for `bits`
    uint16_t *hit;            // room for the offsets of another page
    struct chain_step *steps; // room for those of the page
    uint64_t found;           // neighbours that were marked
};

// The number of 64-bit words that have a bit for each offset.
unsigned words_a_page(const struct bfs *bfs);

// Returns false, and tells the search, if there is not enough memory. The caller frees the offsets
// in any case, which adds what they found to the search.
bool make_frontier_page(struct bfs *bfs, struct frontier_page *frontier);
void free_frontier_page(struct bfs *bfs, struct frontier_page *frontier);

// Fills in the bits from the list.
void need_bits(const struct bfs *bfs, struct frontier_page *frontier);

// Takes the offsets that another rank sent: fills in the list from their bits.
void take_bits(const struct bfs *bfs, struct frontier_page *frontier, const uint64_t *bits);

// Marks the neighbours of these offsets in the pages of this rank, move by move. `steps` are those
// of their page.
void mark_neighbours(struct bfs *bfs, const struct chain_step *steps,
                     struct frontier_page *frontier);

#endif
