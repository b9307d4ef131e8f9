// May a new table replace the file that is in its place?
#ifndef FEWEST_GEN_WRITE_REPLACE_H
#define FEWEST_GEN_WRITE_REPLACE_H

#include "tables/base/errors.h"
#include "tables/definition/definition.h"

#include <stdbool.h>

// The file may be replaced if it does not exist, is empty, or holds a table of the same puzzle: its
// sets, solved state and moves are the same, whatever its name and metric. So may a table that
// can't be read, because it is damaged or of another version. If not, says what to do.
bool replace_check(const char *path, const struct definition *definition,
                   struct fewest_error *error);

// Do these paths name one file? Either may be NULL. Two paths of a file that does not exist yet can
// look different, so this is not certain before it exists.
bool is_same_file(const char *a, const char *b);

#endif
