// Draws boards, and the number of states at each distance.
#ifndef FEWEST_QUERY_COMMAND_PRINT_PICTURE_H
#define FEWEST_QUERY_COMMAND_PRINT_PICTURE_H

#include "query/fewest.h"

#include <stdio.h>

// Draws a state: as a grid if its definition has a board, else set by set and in one line. The
// environment decides between UTF-8 and ASCII.
void picture_board(const struct fewest *table, const uint8_t *state, FILE *out);

// The width of the terminal in columns, 40 to 1000; 80 if it is unknown.
unsigned picture_columns(void);
// Draws a bar of a histogram: `width` columns stand for `most`. Only a count of 0 draws nothing.
void picture_bar(uint64_t count, uint64_t most, unsigned width, FILE *out);

// Writes the histogram as an SVG plot, with axes and labels, for light and dark backgrounds. `log`
// makes the vertical axis logarithmic.
void picture_svg(const char *name, const struct fewest_stats *stats, bool log, FILE *out);

#endif
