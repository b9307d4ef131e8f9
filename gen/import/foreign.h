// Knows files of other programs that have the moves of a puzzle: KPuzzle and other JSON, GAP,
// Python, CSV. The command fewest-import translates them.
#ifndef FEWEST_GEN_IMPORT_FOREIGN_H
#define FEWEST_GEN_IMPORT_FOREIGN_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>

// Returns what a text is by its first lines, such as "a GAP file". Returns NULL if it is no file of
// another program that is known, so perhaps a definition.
const char *foreign_find_kind(const char *text, size_t length);

// Fills in the error of a text that could not be read as a definition, if it is a file of another
// program. Keeps the error otherwise. Returns false.
bool foreign_explain(const char *text, size_t length, struct fewest_error *error);

#endif
