// The breadth-first search: the distance of every state of a puzzle from one of its roots.
#ifndef FEWEST_GEN_SEARCH_BREADTH_FIRST_H
#define FEWEST_GEN_SEARCH_BREADTH_FIRST_H

#include "gen/layers/distances.h"
#include "gen/layers/options.h"
#include "tables/puzzle/puzzle.h"

// Finds the distances of all states from a root or, with several ranks, of this rank's share of the
// states. They are in the layers of `search` (layers.h). If the file is a checkpoint that has
// layers of this search, goes on from them. The distances do not depend on the numbers of threads
// and ranks. All ranks call this. The caller frees `distances` in any case. Fails with
// FEWEST_BEYOND if a state is more than DISTANCE_MOST moves away, and with FEWEST_SYSTEM,
// FEWEST_STOPPED and FEWEST_DAMAGED.
bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct file_search search,
                      struct distances *distances, struct fewest_error *error);

// The errors of a puzzle with too large distances, and of a search that was stopped in a layer.
bool search_report_beyond(const struct puzzle *puzzle, struct fewest_error *error);
bool search_report_stopped(unsigned layer, struct fewest_error *error);

#endif
