// The name of the puzzle in a table. fewest finds a table by this name.
#ifndef FEWEST_GEN_NAME_H
#define FEWEST_GEN_NAME_H

#include "base/errors.h"
#include "definition/definition.h"

#include <stdbool.h>
#include <stddef.h>

// The names that the user gives. Each may be NULL.
struct naming {
    const char *name;       // of --name
    const char *output;     // path of the table, of --output
    const char *definition; // path of the definition
};

// May a puzzle be called so? `length` is that of the name.
bool name_is_valid(const char *name, size_t length);

// Chooses the name: that of --name; else the stem of the table's path; else that in the text. If
// the text has a name that says nothing, such as `Unnamed`, or none, the stem of the definition's
// path replaces it. `name` is empty if the text stays as it is.
void name_choose(const struct naming *naming, const char *text, size_t length,
                 char name[NAME_LONGEST + 1]);

// Puts the name into the `Name` line of a text from malloc, which may move. *found is false if the
// text has no such line. Returns false without memory.
bool name_replace(char **text, size_t *length, const char *name, bool *found);

#endif
