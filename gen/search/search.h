// The state of a breadth-first search. Four files share it: breadth_first.c goes from layer to
// layer, expand.c expands a layer, frontier_page.c marks the neighbours of a page, and illegal.c
// marks illegal states.
#ifndef FEWEST_GEN_SEARCH_SEARCH_H
#define FEWEST_GEN_SEARCH_SEARCH_H

#include "gen/layers/distances.h"
#include "gen/options.h"
#include "gen/ranks/ranks.h"
#include "tables/algebra/pages.h"
#include "tables/puzzle/puzzle.h"

struct bfs {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pages *pages;
    struct range mine; // the units of this rank: pages or, without pages, all states at once
    struct exchange exchange;
    struct distances *distances;
    struct marks marks;
    const struct search_options *options;
    struct fewest_gen_traffic traffic; // of all ranks
    unsigned last;                     // the mark of the frontier
    unsigned next;                     // the mark of the next layer
    bool backward; // by masks: look from each state without a mark for one in the frontier
    uint64_t slice;
    uint64_t slice_count;   // of each layer
    _Atomic uint32_t *left; // by page of this rank: how many of its states have no mark?
    _Atomic uint64_t found;
    _Atomic bool stopped;
    _Atomic bool out_of_memory;
};

// Is the unit one of this rank's? For a unit before the first, the subtraction wraps to a large
// number, so one comparison is enough.
static inline bool bfs_is_mine(const struct bfs *bfs, uint64_t unit)
{
    return unit - bfs->mine.first < bfs->mine.end - bfs->mine.first;
}

static inline bool bfs_has_pages(const struct bfs *bfs)
{
    return bfs->pages->page_size > 0;
}

static inline bool bfs_should_stop(struct bfs *bfs)
{
    if (options_stop(bfs->options)) {
        bfs->stopped = true;
    }
    return bfs->stopped || bfs->out_of_memory;
}

#endif
