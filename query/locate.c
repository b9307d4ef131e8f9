// Finds tables in a list of folders: one by the name of its puzzle, or all of them.
#include "table.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Fills in the parent of the running program's folder, without a slash at the end. False if the
// system does not tell.
static bool above_program(char folder[PATH_MAX])
{
    // The system resolves links and dots.
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = '\0';
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(folder, '/');
        if (!slash) {
            return false;
        }
        *slash = '\0';
    }
    return true;
}

enum { FOLDERS = 5 }; // that are searched, in the order of their numbers

// Writes the path of the folder with this number, 0 to 4. `own` is the folder that the user names,
// or NULL. Returns false if this folder is not set, or if the path is too long.
static bool write_folder(unsigned number, const char *own, char path[PATH_MAX])
{
    char above[PATH_MAX];
    const char *base = FEWEST_DATA_FOLDER;
    const char *below = "";
    switch (number) {
    case 0:
        base = own && *own ? own : NULL;
        break;
    case 1:
        base = getenv("FEWEST_TABLES");
        base = base && *base ? base : NULL;
        break;
    case 2:
    case 3:
        base = above_program(above) ? above : NULL;
        below = number == 2 ? "/tables" : "/share/fewest";
        break;
    default:
        break;
    }
    int length = base ? snprintf(path, PATH_MAX, "%s%s", base, below) : 0;
    return length > 0 && length < PATH_MAX;
}

// The same with `rest` after the folder. If a folder is the one before it again, returns false.
static bool write_path(unsigned number, const char *own, const char *rest, char path[PATH_MAX])
{
    char before[PATH_MAX];
    unsigned earlier = number;
    if (!write_folder(number, own, path)) {
        return false;
    }
    while (earlier > 0 && !write_folder(earlier - 1, own, before)) {
        earlier--;
    }
    size_t used = strlen(path);
    size_t length = strlen(rest);
    if ((earlier > 0 && strcmp(before, path) == 0) || length >= PATH_MAX - used) {
        return false;
    }
    memcpy(path + used, rest, length + 1);
    return true;
}

static struct fewest *open_checked(const char *path, const char *name, struct fewest_error *error)
{
    struct fewest *table = fewest_open(path, error);
    if (table && strcmp(fewest_name(table), name) != 0) {
        char shown[FEWEST_ERROR_SIZE / 2];
        error_write(error, FEWEST_FOREIGN, "%s: this file holds the table of %s, not of %s",
                    escape_text(shown, sizeof shown, path, strlen(path)), fewest_name(table), name);
        fewest_close(table);
        return NULL;
    }
    return table;
}

static void report_missing(const char *name, const char *own, struct fewest_error *error)
{
    char shown[64];
    char places[FEWEST_ERROR_SIZE] = "";
    char shown_places[FEWEST_ERROR_SIZE - 128];
    char path[PATH_MAX];
    size_t used = 0;
    for (unsigned f = 0; f < FOLDERS && used < sizeof places; f++) {
        if (write_path(f, own, "", path)) {
            used += (size_t)snprintf(places + used, sizeof places - used, "%s%s",
                                     used > 0 ? ", " : "", path);
        }
    }
    escape_text(shown, sizeof shown, name, strlen(name));
    escape_text(shown_places, sizeof shown_places, places, strlen(places));
    error_write(error, FEWEST_MISSING, "no table %s%s in %s", shown, FORMAT_SUFFIX, shown_places);
}

struct fewest *fewest_open_named(const char *name, const char *folder, struct fewest_error *error)
{
    char file[NAME_MAX + 2];
    char path[PATH_MAX];
    if (!*name || strchr(name, '/')) {
        char shown[64];
        error_write(error, FEWEST_BAD_INPUT, "expected the name of a puzzle, got '%s'",
                    escape_text(shown, sizeof shown, name, strlen(name)));
        return NULL;
    }
    int length = snprintf(file, sizeof file, "/%s%s", name, FORMAT_SUFFIX);
    for (unsigned f = 0; f < FOLDERS && (size_t)length < sizeof file; f++) {
        if (write_path(f, folder, file, path) && access(path, F_OK) == 0) {
            return open_checked(path, name, error);
        }
    }
    report_missing(name, folder, error);
    return NULL;
}

static int is_table(const struct dirent *entry)
{
    return format_has_suffix(entry->d_name);
}

// Does a folder before this one have a file of this name?
static bool is_shadowed(unsigned number, const char *own, const char *file)
{
    char path[PATH_MAX];
    for (unsigned f = 0; f < number; f++) {
        if (write_path(f, own, file, path) && access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

void fewest_each_table(const char *folder, void (*visit)(void *context, const char *path),
                       void *context)
{
    for (unsigned f = 0; f < FOLDERS; f++) {
        struct dirent **entries;
        char path[PATH_MAX];
        int count = write_path(f, folder, "", path)
                        ? scandir(path, &entries, is_table, compare_entries)
                        : -1;
        for (int i = 0; i < count; i++) {
            char file[NAME_MAX + 2];
            snprintf(file, sizeof file, "/%s", entries[i]->d_name);
            if (write_path(f, folder, file, path) && !is_shadowed(f, folder, file)) {
                visit(context, path);
            }
            free(entries[i]);
        }
        if (count >= 0) {
            free(entries);
        }
    }
}
