// Lists the sections in the table of a puzzle, for both the generator and the query.
#ifndef FEWEST_TABLES_SECTIONS_H
#define FEWEST_TABLES_SECTIONS_H

#include "format.h"
#include "tables/puzzle/puzzle.h"

// Fills in the sections, except what only a search finds out: the bits, the largest distance and
// the histogram; and of stripes, the base and the entries. Returns the number of sections.
unsigned sections_of(const struct puzzle *puzzle, struct section sections[SECTIONS_MOST]);

// Are the sections of a file's header those of the puzzle that the header defines? With
// `wildcards`, the puzzle must have numbered the wildcard targets, and nothing is changed. Without
// it, each section gets its root_number, and a section of wildcard targets may stand behind each
// section of states. Of these targets, only the number of cells is compared.
bool sections_check(struct header *header, const struct puzzle *puzzle, bool wildcards,
                    struct fewest_error *error);

#endif
