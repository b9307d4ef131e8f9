// Finds the folder of the running program.
#ifndef FEWEST_TABLES_BASE_PROGRAM_FOLDER_H
#define FEWEST_TABLES_BASE_PROGRAM_FOLDER_H

#include <limits.h>
#include <stdbool.h>

// Writes the parent of the running program's folder, with its links resolved and without a slash at
// the end. Returns false if the system does not tell.
bool program_find_parent(char path[PATH_MAX]);

#endif
