// Finds the folder of the running program.
#include "program_folder.h"

#include <string.h>
#include <unistd.h>

bool program_find_parent(char path[PATH_MAX])
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
