// A search that keeps only the states that it meets. It is for puzzles with a filter, whose moves
// often reach few of the states that have numbers. Square-1, for example, has 3,678 shapes among
// 9,465,511,770 arrangements.
#ifndef FEWEST_GEN_SEARCH_FEW_STATES_H
#define FEWEST_GEN_SEARCH_FEW_STATES_H

#include "gen/layers/distances.h"
#include "gen/layers/options.h"
#include "tables/puzzle/puzzle.h"

// With fewer indices, marks for all are as good.
static const uint64_t FEW_STATES_LEAST_INDICES = UINT64_C(1) << 20;

struct few_states {
    bool complete;                // the search has met all states
    struct listed_distance *list; // of all states, rising
    uint64_t count;
    unsigned layers;
    uint64_t histogram[UNREACHED];
};

// Searches the states of a root in one thread, until it has met more than a 1024th of those that
// have numbers, or 2^18 of them: then the search is not complete, and its list is of no use. It
// also is not complete, without a search, if the puzzle has no filter or fewer than 2^20 states, or
// if there are several ranks. It does not tell the watcher about layers. Fails as search_distances
// does. The caller frees in any case.
bool few_states_search(struct few_states *few, const struct puzzle *puzzle, unsigned root,
                       const struct search_options *options, struct fewest_error *error);
void few_states_free(struct few_states *few);

// The memory that such a search needs at most, in bytes.
uint64_t few_states_memory(const struct puzzle *puzzle, unsigned root);

#endif
