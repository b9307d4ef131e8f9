// Finds tables in a list of folders: one by the name of its puzzle, or all of them.
#include "table.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDERS_MOST = 5 };

struct folders {
    const char *path[FOLDERS_MOST]; // in the text
    unsigned count;
    size_t used;
    char text[FOLDERS_MOST * PATH_MAX];
};

static void add_folder(struct folders *folders, const char *base, const char *rest)
{
    char *path = folders->text + folders->used;
    int length = snprintf(path, PATH_MAX, "%s%s", base, rest);
    bool again = folders->count > 0 && strcmp(folders->path[folders->count - 1], path) == 0;
    if (length > 0 && length < PATH_MAX && !again) {
        folders->path[folders->count++] = path;
        folders->used += (size_t)length + 1;
    }
}

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

static void list_folders(struct folders *folders, const char *first)
{
    const char *from_environment = getenv("FEWEST_TABLES");
    char above[PATH_MAX];
    folders->count = 0;
    folders->used = 0;
    if (first) {
        add_folder(folders, first, "");
    }
    if (from_environment && *from_environment) {
        add_folder(folders, from_environment, "");
    }
    if (above_program(above)) {
        add_folder(folders, above, "/tables");
        add_folder(folders, above, "/share/fewest");
    }
    add_folder(folders, FEWEST_DATA_FOLDER, "");
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

static bool report_missing(const char *name, const struct folders *folders,
                           struct fewest_error *error)
{
    char shown[64];
    char places[FEWEST_ERROR_SIZE] = "";
    char shown_places[FEWEST_ERROR_SIZE - 128];
    size_t used = 0;
    for (unsigned f = 0; f < folders->count && used < sizeof places; f++) {
        used += (size_t)snprintf(places + used, sizeof places - used, "%s%s", f > 0 ? ", " : "",
                                 folders->path[f]);
    }
    escape_text(shown, sizeof shown, name, strlen(name));
    escape_text(shown_places, sizeof shown_places, places, strlen(places));
    error_write(error, FEWEST_MISSING, "no table %s%s in %s", shown, FORMAT_SUFFIX, shown_places);
    return false;
}

// Finds the path of a table. This is a function of its own so that opening the table can use the
// same pages of the stack again.
__attribute__((noinline)) static bool find_path(const char *name, const char *folder,
                                                char path[PATH_MAX], struct fewest_error *error)
{
    struct folders folders;
    list_folders(&folders, folder);
    for (unsigned f = 0; f < folders.count; f++) {
        int length = snprintf(path, PATH_MAX, "%s/%s%s", folders.path[f], name, FORMAT_SUFFIX);
        if (length > 0 && length < PATH_MAX && access(path, F_OK) == 0) {
            return true;
        }
    }
    return report_missing(name, &folders, error);
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
    return find_path(name, folder, path, error) ? open_checked(path, name, error) : NULL;
}

static int is_table(const struct dirent *entry)
{
    return format_has_suffix(entry->d_name);
}

static bool is_shadowed(const struct folders *folders, unsigned before, const char *name)
{
    char path[PATH_MAX];
    for (unsigned f = 0; f < before; f++) {
        int length = snprintf(path, sizeof path, "%s/%s", folders->path[f], name);
        if (length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0) {
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
    struct folders folders;
    list_folders(&folders, folder);
    for (unsigned f = 0; f < folders.count; f++) {
        struct dirent **entries;
        char path[PATH_MAX];
        int count = scandir(folders.path[f], &entries, is_table, compare_entries);
        for (int i = 0; i < count; i++) {
            int length = snprintf(path, sizeof path, "%s/%s", folders.path[f], entries[i]->d_name);
            if (length > 0 && (size_t)length < sizeof path &&
                !is_shadowed(&folders, f, entries[i]->d_name)) {
                visit(context, path);
            }
            free(entries[i]);
        }
        if (count >= 0) {
            free(entries);
        }
    }
}
