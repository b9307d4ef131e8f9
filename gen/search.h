// The breadth-first search: the distance of every state of a puzzle from one of its roots.
#ifndef FEWEST_GEN_SEARCH_H
#define FEWEST_GEN_SEARCH_H

#include "distances.h"
#include "options.h"
#include "puzzle/puzzle.h"

// The memory of a search besides its distances and its pages: two flags and a number for each page.
enum { SEARCH_BYTES_A_PAGE = 2 + 4 };

// Is another section made from the distances of this root? That needs all of them, a byte each.
bool search_is_looked_up(const struct puzzle *puzzle, unsigned root);

// The number of bits that a distance should have during the search: 8 if there are few states or
// another section is made from them, else 2.
unsigned search_bits(const struct puzzle *puzzle, unsigned root,
                     const struct search_options *options);

// Makes `distances`: of all states or, with several ranks, of this rank's share. They do not depend
// on the numbers of threads and ranks. All ranks call this. The caller frees `distances` in any
// case. Fails with FEWEST_BEYOND if a state is more than DISTANCE_MOST moves
// away. Fails also with FEWEST_SYSTEM, with FEWEST_STOPPED, and as checkpoint_load does.
bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct distances *distances,
                      struct fewest_error *error);

// The errors of a puzzle with too large distances, and of a search that was stopped in a layer.
bool search_report_beyond(const struct puzzle *puzzle, struct fewest_error *error);
bool search_report_stopped(unsigned layer, struct fewest_error *error);

#endif
