// The state of a breadth-first search. Four files share it: search.c goes from layer to layer,
// expand.c expands a layer, places.c marks the neighbours of a page, and visitor.c writes and reads
// messages.
#ifndef FEWEST_GEN_BFS_H
#define FEWEST_GEN_BFS_H

#include "distances.h"
#include "exchange.h"
#include "options.h"
#include "pages.h"

enum { RUN = 1 << 12 }; // number of states that a thread scans at once without pages

struct bfs {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pages *pages;
    // The units, pages or runs of states, are divided among the ranks.
    uint64_t unit_count;       // of all ranks together
    uint64_t first_unit;       // of this rank
    uint64_t end_unit;         // one after the last of this rank
    struct exchange *exchange; // NULL if there is one rank
    uint64_t sent;             // bytes, by all ranks
    struct distances *distances;
    const struct search_options *options;
    unsigned last; // value of an entry in the frontier
    unsigned next; // value of an entry in the next layer
    // By page of this rank:
    _Atomic bool *active;      // may it have states of the frontier?
    _Atomic bool *next_active; // may it have states of the next layer?
    _Atomic uint32_t *left;    // how many of its states have no distance?
    _Atomic uint64_t found;
    _Atomic bool stopped;
    _Atomic bool out_of_memory;
};

// Does this rank own the unit? For a unit before the first, the subtraction wraps to a large
// number, so one comparison is enough.
static inline bool bfs_owns(const struct bfs *bfs, uint64_t unit)
{
    return unit - bfs->first_unit < bfs->end_unit - bfs->first_unit;
}

static inline bool bfs_has_pages(const struct bfs *bfs)
{
    return bfs->pages->place_count > 0;
}

// Relaxed, because threads read the flags only in the next layer, after the threads of this one
// have ended.
static inline void set_flag(_Atomic bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

static inline bool flag_is_set(const _Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

static inline void add_found(struct bfs *bfs, uint64_t found)
{
    atomic_fetch_add_explicit(&bfs->found, found, memory_order_relaxed);
}

#endif
