// Finds the folder of the running program.
#ifndef FEWEST_TABLES_BASE_PROGRAM_FOLDER_H
#define FEWEST_TABLES_BASE_PROGRAM_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// Writes the parent of the running program's folder, with its links resolved and without a slash at
// the end. Returns false if the system does not tell.
static inline bool program_find_parent(char path[PATH_MAX])
{
    enum { NAMES_CUT = 2 }; // the program's, and its folder's
    // The system resolves links and dots.
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    for (int cut = 0; cut < NAMES_CUT; cut++) {
        char *slash = strrchr(path, '/');
        if (!slash) {
            return false;
        }
        *slash = '\0';
    }
    return true;
}

#endif
