// The name of the puzzle in a table. fewest finds a table by this name.
#ifndef FEWEST_GEN_COMMAND_NAME_H
#define FEWEST_GEN_COMMAND_NAME_H

#include "command.h"
#include "tables/definition/definition.h"

// Chooses the name, and puts it into the `Name` line of the text, which is from malloc and may
// move. The name is that of --name; else the stem of the table's path; else that in the text. If
// the text has no name, or one that says nothing, such as `Unnamed`, the stem of the definition's
// path replaces it. If the text has no `Name` line but needs one, `missing` becomes the name, else
// it becomes empty. Returns false if memory runs out.
bool name_insert(const struct make_request *request, char **text, size_t *length,
                 char missing[NAME_LONGEST + 1]);

#endif
