// The state of a breadth-first search. Six files share it: breadth_first.c goes from layer to
// layer, expand.c expands a layer, frontier_page.c marks the neighbours of a page, forbidden.c
// marks forbidden states, classes.c knows what only symmetric pages need, and bounds.c makes
// pattern databases. All searches share the errors.
#ifndef FEWEST_GEN_SEARCH_SEARCH_H
#define FEWEST_GEN_SEARCH_SEARCH_H

#include "gen/layers/distances.h"
#include "gen/layers/options.h"
#include "gen/ranks/ranks.h"
#include "tables/algebra/pages.h"
#include "tables/families/symmetry/count_pages.h"
#include "tables/puzzle/puzzle.h"

struct bfs {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pages *pages;
    // The units of this rank: pages or, without pages, one unit of all states.
    struct range own_units;
    struct exchange exchange;
    struct distances *distances;
    struct marks marks;
    const struct search_options *options;
    struct fewest_gen_traffic traffic;     // of all ranks
    const struct count_pages *count_pages; // of a count by symmetric pages; or NULL
    // The entries that the search makes, if it is that of a pattern database by symmetric pages; it
    // then ends early. Else NULL.
    struct bound_entries *bounds;
    bool starts_at_zero;    // the count has its own numbering, in which the root is entry 0
    uint64_t states;        // of all ranks. With symmetric pages they are more than the entries
    uint64_t *classes;      // of a count, by distance: classes of states on this rank; else NULL
    unsigned frontier_mark; // of the frontier: the newest layer that is complete
    unsigned next_mark;     // of the layer that is being found
    uint64_t unreached;     // states of all ranks, before the layer that is being found
    // By masks and by symmetric pages: from each state without a mark, look for a neighbour in the
    // frontier. That is faster if few states are left.
    bool backward;
    uint64_t slice;       // the current one, from 0 (ranks/ranks.h)
    uint64_t slice_count; // of each layer
    // What the threads of this rank found in the layer, or met:
    _Atomic uint64_t found; // states
    _Atomic bool stopped;   // the watcher wants to stop
    _Atomic bool out_of_memory;
};

static inline uint64_t bfs_unit_count(const struct bfs *bfs)
{
    return bfs->own_units.end - bfs->own_units.first;
}

// Is the unit one of this rank's? For a unit before the first, the subtraction wraps to a large
// number, so one comparison is enough.
static inline bool bfs_owns_unit(const struct bfs *bfs, uint64_t unit)
{
    return unit - bfs->own_units.first < bfs_unit_count(bfs);
}

static inline bool bfs_has_pages(const struct bfs *bfs)
{
    return bfs->pages->page_size > 0;
}

// The number of the first mark of a page that this rank owns.
static inline uint64_t bfs_first_mark(const struct bfs *bfs, uint64_t page)
{
    return (page - bfs->own_units.first) * bfs->pages->page_size;
}

// Asks the watcher, and remembers if it wants to stop. Also true if a thread lacks memory.
static inline bool bfs_should_stop(struct bfs *bfs)
{
    if (options_stop(bfs->options)) {
        bfs->stopped = true;
    }
    return bfs->stopped || bfs->out_of_memory;
}

// The stripes of a pattern database (bounds.c).

// Notes the states of this rank that are in the layer, which is the newest one.
void note_layer(struct bfs *bfs, unsigned layer);

// Does the same for all layers of a checkpoint but the newest one.
bool note_saved_layers(struct bfs *bfs, struct fewest_error *error);

// Makes the slots of a pattern database the distances of a search that has ended. `is_early` tells
// whether it has ended with the layer `base` + 2, or without a further state.
void take_bounds(struct bfs *bfs, bool is_early);

// The errors of a puzzle with too large distances, and of a search that was stopped in a layer.

static inline bool search_report_beyond(const struct puzzle *puzzle, struct fewest_error *error)
{
    return error_set(error, FEWEST_BEYOND,
                     "%s has states more than %d moves away; a table holds no larger distance",
                     puzzle->name, DISTANCE_MOST);
}

static inline bool search_report_stopped(unsigned layer, struct fewest_error *error)
{
    return error_set(error, FEWEST_STOPPED, "stopped while searching layer %u", layer);
}

#endif
