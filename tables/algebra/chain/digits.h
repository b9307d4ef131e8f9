// The digits of a chain: for each thing, the group that fixes all things before it, and its images.
#ifndef FEWEST_TABLES_DIGITS_H
#define FEWEST_TABLES_DIGITS_H

#include "chain.h"

// Makes the group of the moves, and then digit after digit: the group of each one fixes the things
// of all digits before it. Returns false if memory runs out or above a limit.
bool digits_make(struct chain *chain);

#endif
