// Tells which sections the table of a puzzle has, to both the generator and the query.
#ifndef FEWEST_TABLES_SECTIONS_H
#define FEWEST_TABLES_SECTIONS_H

#include "file/format.h"
#include "puzzle/puzzle.h"

// Fills in all of each section but what only a search can know: the bits, the largest distance and
// the histogram. Returns how many there are.
unsigned sections_of(const struct puzzle *puzzle, struct section sections[SECTIONS_MOST]);

// Are the sections of a file's header those of the puzzle that the header defines? Tells them their
// roots.
bool sections_check(struct header *header, const struct puzzle *puzzle, struct fewest_error *error);

#endif
