// Notes the layers of a pattern database in its stripes (families/symmetry/stripes.h).
#ifndef FEWEST_GEN_SEARCH_BOUNDS_H
#define FEWEST_GEN_SEARCH_BOUNDS_H

#include "search.h"

// Notes the states of this rank that are in the layer, which is the newest one.
void note_layer(struct bfs *bfs, unsigned layer);

// Does the same for all layers of a checkpoint but the newest one.
bool note_saved_layers(struct bfs *bfs, struct fewest_error *error);

// Makes the slots of a pattern database the distances of a search that has ended. `is_early` tells
// whether it has ended with the layer `base` + 2, or without a further state.
void take_bounds(struct bfs *bfs, bool is_early);

#endif
