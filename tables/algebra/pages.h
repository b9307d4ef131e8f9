// Cuts an index into a page and an offset in the page, so that the search of millions of states
// works on data in the processor's cache.
//
// The index of a state is page × page_size + offset, where a page is the first digits of the
// chain's number (algebra/chain_pages.h). A move takes all states of a page to one page, and each
// offset to an offset by a *map* that many pages share. So a neighbour is a look-up in a small
// table, and the neighbours of a page lie in as many pages as there are moves. These few pages and
// the maps fit in the processor's cache.
//
// If a page is all images of one large set of look-alikes, an offset is a mask, and a map has the
// images of its halves.
//
// If the index is no chain's, or if there is no good cut, a search goes from state to state.
//
// A count may use symmetric pages (symmetric_pages.h). Then a page here is one of their rows.
#ifndef FEWEST_TABLES_PAGES_H
#define FEWEST_TABLES_PAGES_H

#include "chain_pages.h"
#include "symmetric_pages.h"

struct pages {
    unsigned page_size; // 0 if the index can't be cut, or if offsets are masks
    uint64_t page_count;
    bool masks; // is an offset a mask (algebra/set_masks.h)?
    struct chain_pages *cut;
    const struct symmetric_pages *rows; // symmetric pages, which replace the cut; or NULL
    // By page and move: where it leads. NULL if that takes too much memory: then each step is
    // computed when it is needed.
    struct chain_step *steps;
    uint64_t bytes; // of the cut, its maps and the steps
    // Only in a forecast:
    double step_seconds; // of processor time, to take the steps of all pages once
    bool keeps_steps;    // does a search keep them?
};

// Makes pages. `chain` is NULL if the index is no chain's; then there are none. The chain must be
// finished, and stay as long as the pages. The caller frees them with pages_free after success.
// Returns false if memory runs out.
bool pages_make(struct pages *pages, const struct chain *chain, struct fewest_error *error);
void pages_free(struct pages *pages);

// Makes pages from symmetric ones, which must stay as long.
void pages_take_rows(struct pages *pages, const struct symmetric_pages *rows);

// Tells what pages_make would make: the numbers of offsets and pages, `bytes`, and the time of the
// steps. `bytes` may be too high if there are many pages. Takes at most a tenth of a second, and
// keeps no maps and steps.
bool pages_forecast(struct pages *pages, const struct chain *chain, struct fewest_error *error);

// Returns the steps from a page, by move. If they are not kept, it writes them to `room`, which has
// room for a step of each move.
const struct chain_step *pages_steps(const struct pages *pages, uint64_t page,
                                     struct chain_step *room);

// The number of steps from a page: one for each move.
unsigned pages_step_count(const struct pages *pages);

// How many states an entry of a page stands for.
static inline uint64_t pages_weight(const struct pages *pages, uint64_t page)
{
    return pages->rows ? pages->rows->weights[page] : 1;
}

#endif
