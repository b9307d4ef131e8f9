// Draws boards, and the number of states at each distance.
#ifndef FEWEST_QUERY_PICTURE_H
#define FEWEST_QUERY_PICTURE_H

#include "fewest.h"

#include <stdio.h>

// Draws a state: in a grid where its definition has a board, else in a line. Lines of the character
// set that the environment names, UTF-8 or ASCII.
void picture_board(const struct fewest *table, const uint8_t *state, FILE *out);

// The bars of a histogram, as wide as the terminal, a line each: `count` of `most` in `width`
// columns. Nothing is printed for none, and something for few.
unsigned picture_columns(void);
void picture_bar(uint64_t count, uint64_t most, unsigned width, FILE *out);

// A plot of the histogram, by itself: axes, labels, for light and dark surroundings.
void picture_svg(const char *name, const struct fewest_stats *stats, FILE *out);

#endif
