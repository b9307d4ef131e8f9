// Applies the symmetries of a puzzle to states that are rows of codes (state_codes.h).
//
// The states that symmetries take to each other are a *class*. Its *least* state, whose row of
// codes comes first, stands for it.
#ifndef FEWEST_GEN_DEPTH_CODE_SYMMETRIES_H
#define FEWEST_GEN_DEPTH_CODE_SYMMETRIES_H

#include "state_codes.h"

enum { CODE_SYMMETRIES_MOST = 4096 };

// Adds the symmetries of a puzzle that keep its goals to codes that have none. Adds none if there
// are too many, or if moves do not connect the goals. Fails only if memory runs out.
bool code_symmetries_add(struct state_codes *codes, struct fewest_error *error);

// Fills in the least state of a class. Returns the number of symmetries that keep a state of the
// class.
unsigned codes_find_least(const struct state_codes *codes, const uint16_t *state, uint16_t *least);

#endif
