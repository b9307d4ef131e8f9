// May a new table replace the file that is in its place?
#ifndef FEWEST_GEN_WRITE_REPLACE_H
#define FEWEST_GEN_WRITE_REPLACE_H

#include "tables/base/errors.h"
#include "tables/definition/definition.h"

#include <stdbool.h>

// Fails if the file at `path` may not be replaced, and says what to do. It may be replaced if it
// does not exist, is empty, or holds a table of the same puzzle: one with the same sets, solved
// state and moves, whatever its name and metric. So may a table that can't be read, because it is
// damaged or of another version.
bool replace_check(const char *path, const struct definition *definition,
                   struct fewest_error *error);

// Do these paths name one file? Either may be NULL. Two paths of a file that does not exist yet can
// look different, so this is not certain before it exists.
bool is_same_file(const char *a, const char *b);

#endif
