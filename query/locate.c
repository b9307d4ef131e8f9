// Finds tables in a list of folders: one by the name of its puzzle, or all of them.
#include "table.h"
#include "tables/base/program_folder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_COUNT = 5 };

// A path while it is put together. `length` is PATH_MAX as soon as the path is too long.
struct path {
    char text[PATH_MAX];
    size_t length;
};

// Appends a text and its NUL to a path, or marks the path as too long.
static void append_text(struct path *path, const char *text)
{
    size_t length = strlen(text);
    if (length >= PATH_MAX - path->length) { // always, if it is too long already
        path->length = PATH_MAX;
        return;
    }
    memcpy(path->text + path->length, text, length + 1);
    path->length += length;
}

// Writes the path of folder number `folder`, 0 to FOLDER_COUNT - 1, in the order of fewest.h.
// `first` is the path of folder 0, or NULL. Returns false if this folder has no name, or if its
// path is too long.
static bool write_folder(unsigned folder, const char *first, struct path *path)
{
    const char *const folders[FOLDER_COUNT] = {first, getenv("FEWEST_TABLES"), "/tables",
                                               "/share/fewest", FEWEST_DATA_FOLDER};
    bool is_above_program = folder == 2 || folder == 3; // "/tables" and "/share/fewest"
    path->length = 0;
    if (!folders[folder] || !*folders[folder]) {
        return false;
    }
    if (is_above_program) {
        if (!program_find_parent(path->text)) {
            return false;
        }
        path->length = strlen(path->text);
    }
    append_text(path, folders[folder]);
    return path->length < PATH_MAX;
}

// Writes the path of the file `name` + `suffix` in folder number `folder`. Returns false as
// write_folder does.
static bool write_file(unsigned folder, const char *first, const char *name, const char *suffix,
                       struct path *path)
{
    if (!write_folder(folder, first, path)) {
        return false;
    }
    append_text(path, "/");
    append_text(path, name);
    append_text(path, suffix);
    return path->length < PATH_MAX;
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
// folder that equals the one before it. *path is only room for the path of a folder.
static void report_missing(const char *name, const char *first, struct path *path,
                           struct fewest_error *error)
{
    char shown[64];
    char places[FEWEST_ERROR_SIZE] = "";
    char shown_places[FEWEST_ERROR_SIZE - 128];
    size_t previous = 0; // where the previous folder begins in `places`
    size_t used = 0;
    for (unsigned folder = 0; folder < FOLDER_COUNT && used < sizeof places; folder++) {
        if (write_folder(folder, first, path) && strcmp(path->text, places + previous) != 0) {
            const char *comma = used > 0 ? ", " : "";
            previous = used + strlen(comma);
            used +=
                (size_t)snprintf(places + used, sizeof places - used, "%s%s", comma, path->text);
        }
    }
    escape_text(shown, sizeof shown, name, strlen(name));
    escape_text(shown_places, sizeof shown_places, places, strlen(places));
    error_write(error, FEWEST_MISSING, "no table %s%s in %s", shown, FORMAT_SUFFIX, shown_places);
}

struct fewest *fewest_open_named(const char *name, const char *folder, struct fewest_error *error)
{
    struct path path;
    if (!*name || strchr(name, '/')) {
        char shown[64];
        error_write(error, FEWEST_BAD_INPUT, "expected the name of a puzzle, got '%s'",
                    escape_text(shown, sizeof shown, name, strlen(name)));
        return NULL;
    }
    for (unsigned f = 0; f < FOLDER_COUNT; f++) {
        if (!write_file(f, folder, name, FORMAT_SUFFIX, &path)) {
            continue;
        }
        struct fewest *table = fewest_open(path.text, error);
        if (table && !check_name(table, path.text, name, error)) {
            fewest_close(table);
            return NULL;
        }
        if (table || error->status != FEWEST_MISSING || access(path.text, F_OK) == 0) {
            return table; // or NULL, if the file is there but can't be opened
        }
    }
    report_missing(name, folder, &path, error);
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
    struct path path;
    for (unsigned earlier = 0; earlier < folder; earlier++) {
        if (write_file(earlier, first, name, "", &path) && access(path.text, F_OK) == 0) {
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
    struct path path;
    char previous[PATH_MAX] = ""; // the folder before this one, which may be the same
    for (unsigned f = 0; f < FOLDER_COUNT; f++) {
        struct dirent **entries;
        if (!write_folder(f, folder, &path) || strcmp(path.text, previous) == 0) {
            continue;
        }
        memcpy(previous, path.text, path.length + 1);
        int count = scandir(path.text, &entries, is_table, compare_entries);
        for (int i = 0; i < count; i++) {
            if (write_file(f, folder, entries[i]->d_name, "", &path) &&
                !is_shadowed(f, folder, entries[i]->d_name)) {
                visit(context, path.text);
            }
            free(entries[i]);
        }
        if (count >= 0) {
            free(entries);
        }
    }
}
