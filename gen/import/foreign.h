// Knows files of other programs that have the moves of a puzzle, too: GAP, JSON without orbits,
// Python, CSV. Nothing reads them. An error says what they are, and how to translate them by hand.
#ifndef FEWEST_GEN_IMPORT_FOREIGN_H
#define FEWEST_GEN_IMPORT_FOREIGN_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>

// Fills in the error of a text that could not be read as a definition, if it is a file of another
// program. Keeps the error otherwise: if memory or input failed, or if it names a later line than
// the first one that is more than a comment. Returns false.
bool foreign_explain(const char *text, size_t length, struct fewest_error *error);

// Fills in the error of a JSON file without orbits. Returns false.
bool foreign_explain_json(struct fewest_error *error);

#endif
