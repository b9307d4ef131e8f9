// Counts the states of a puzzle, however many there are.
#ifndef FEWEST_GEN_COUNT_H
#define FEWEST_GEN_COUNT_H

#include "puzzle/puzzle.h"

// Returns the number of states in decimal digits and, if it is a product, the factors: for example
// "3674160 (2 · 7!·3^6/2)". The caller frees the text. NULL without memory.
char *count_states(const struct puzzle *puzzle);

#endif
