// The offsets of a frontier page, and marking their neighbours.
#ifndef FEWEST_GEN_SEARCH_FRONTIER_PAGE_H
#define FEWEST_GEN_SEARCH_FRONTIER_PAGE_H

#include "search.h"

// The offsets of a page that are in the frontier: as a list, and as a bit for each offset. Each
// thread has one of these, and uses its buffers for one page after the other.
struct frontier_page {
    unsigned count;           // of `list`
    uint32_t *list;           // rising
    uint64_t *bits;           // filled in when they are needed
    bool has_bits;            // are they?
    uint32_t *hit;            // buffer for the offsets that are marked in a neighbour page
    uint32_t *moved;          // buffer for what a map makes of the list
    struct chain_step *steps; // buffer for the steps from the page
    uint64_t found;           // neighbours that were marked, on all pages so far
};

// The number of 64-bit words that have a bit for each offset of a page.
unsigned page_word_count(const struct bfs *bfs);

// Makes the buffers. If memory runs out, sets bfs->out_of_memory and returns false. The caller
// closes the frontier page in any case: that frees the buffers, and adds `found` to bfs->found.
bool open_frontier_page(struct bfs *bfs, struct frontier_page *frontier);
void close_frontier_page(struct bfs *bfs, struct frontier_page *frontier);

// Fills in the bits from the list, unless they are there already.
void fill_frontier_bits(const struct bfs *bfs, struct frontier_page *frontier);

// Takes the bits that another rank sent: fills in bits and list.
void take_received_bits(const struct bfs *bfs, struct frontier_page *frontier,
                        const uint64_t *bits);

// Marks those neighbours of a frontier page's offsets that this rank owns and that have no mark.
// Adds their number to frontier->found. `steps` are those of the page, by move.
void mark_neighbours(struct bfs *bfs, uint64_t page, const struct chain_step *steps,
                     struct frontier_page *frontier);

#endif
