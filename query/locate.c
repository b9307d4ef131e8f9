// Finds tables in a list of folders: one by the name of its puzzle, or all of them.
#include "query/table/table.h"
#include "tables/base/program_folder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_COUNT = 5 };

// Writes the path of folder number `folder`, 0 to FOLDER_COUNT - 1, in the order of fewest.h.
// `first` is the path of folder 0, or NULL. Returns false if this folder has no name, or if its
// path is too long.
static bool write_folder(unsigned folder, const char *first, char path[PATH_MAX])
{
    const char *const folders[FOLDER_COUNT] = {first, getenv("FEWEST_TABLES"), "/tables",
                                               "/share/fewest", FEWEST_DATA_FOLDER};
    bool is_above_program = folder == 2 || folder == 3; // "/tables" and "/share/fewest"
    char parent[PATH_MAX] = "";
    if (!folders[folder] || !*folders[folder] ||
        (is_above_program && !program_find_parent(parent))) {
        return false;
    }
    return (size_t)snprintf(path, PATH_MAX, "%s%s", parent, folders[folder]) < PATH_MAX;
}

// Writes the path of the file `name` + `suffix` in folder number `folder`. Returns false as
// write_folder does.
static bool write_file(unsigned folder, const char *first, const char *name, const char *suffix,
                       char path[PATH_MAX])
{
    char place[PATH_MAX];
    return write_folder(folder, first, place) &&
           (size_t)snprintf(path, PATH_MAX, "%s/%s%s", place, name, suffix) < PATH_MAX;
}

// Does this table belong to the puzzle `name`? If not, sets the error.
static bool check_name(const struct fewest *table, const char *path, const char *name,
                       struct fewest_error *error)
{
    if (strcmp(table->puzzle.name, name) == 0) {
        return true;
    }
    error_write(error, FEWEST_FOREIGN, "this file holds the table of %s, not of %s",
                table->puzzle.name, name);
    return error_prefix_path(error, path);
}

// Sets the error: there is no table of this name in the folders, which it lists. Leaves out a
// folder that equals the one before it.
static void report_missing(const char *name, const char *first, struct fewest_error *error)
{
    char path[PATH_MAX];
    char shown[64];
    char places[FEWEST_ERROR_SIZE] = "";
    char shown_places[FEWEST_ERROR_SIZE - 128];
    size_t previous = 0; // where the previous folder begins in `places`
    size_t used = 0;
    for (unsigned folder = 0; folder < FOLDER_COUNT && used < sizeof places; folder++) {
        if (write_folder(folder, first, path) && strcmp(path, places + previous) != 0) {
            const char *comma = used > 0 ? ", " : "";
            previous = used + strlen(comma);
            used += (size_t)snprintf(places + used, sizeof places - used, "%s%s", comma, path);
        }
    }
    escape_text(shown, sizeof shown, name, strlen(name));
    escape_text(shown_places, sizeof shown_places, places, strlen(places));
    error_write(error, FEWEST_MISSING, "no table %s%s in %s", shown, FORMAT_SUFFIX, shown_places);
}

struct fewest *fewest_open_named(const char *name, const char *folder, struct fewest_error *error)
{
    char path[PATH_MAX];
    if (!*name || strchr(name, '/')) {
        char shown[64];
        error_write(error, FEWEST_BAD_INPUT, "expected the name of a puzzle, got '%s'",
                    escape_text(shown, sizeof shown, name, strlen(name)));
        return NULL;
    }
    for (unsigned f = 0; f < FOLDER_COUNT; f++) {
        if (!write_file(f, folder, name, FORMAT_SUFFIX, path)) {
            continue;
        }
        struct fewest *table = fewest_open(path, error);
        if (table && !check_name(table, path, name, error)) {
            fewest_close(table);
            return NULL;
        }
        if (table || error->status != FEWEST_MISSING || access(path, F_OK) == 0) {
            return table; // or NULL, if the file is there but can't be opened
        }
    }
    report_missing(name, folder, error);
    return NULL;
}

// A filter for scandir: 1 if the name is that of a table, which ends in .dtab.
static int is_table(const struct dirent *entry)
{
    return format_has_suffix(entry->d_name);
}

// Has a folder before folder number `folder` a file of this name?
static bool is_shadowed(unsigned folder, const char *first, const char *name)
{
    char path[PATH_MAX];
    for (unsigned earlier = 0; earlier < folder; earlier++) {
        if (write_file(earlier, first, name, "", path) && access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

// An order for scandir: that of the names, byte by byte.
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

void fewest_each_table(const char *folder, void (*visit)(void *context, const char *path),
                       void *context)
{
    char path[PATH_MAX];
    char previous[PATH_MAX] = ""; // the folder before this one, which may be the same
    for (unsigned f = 0; f < FOLDER_COUNT; f++) {
        struct dirent **entries;
        if (!write_folder(f, folder, path) || strcmp(path, previous) == 0) {
            continue;
        }
        memcpy(previous, path, strlen(path) + 1);
        int count = scandir(path, &entries, is_table, compare_entries);
        for (int i = 0; i < count; i++) {
            if (write_file(f, folder, entries[i]->d_name, "", path) &&
                !is_shadowed(f, folder, entries[i]->d_name)) {
                visit(context, path);
            }
            free(entries[i]);
        }
        if (count >= 0) {
            free(entries);
        }
    }
}
