// Where tables are found: by path, or by the name of their puzzle in a row of folders.
#include "board.h"
#include "table.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDERS_MOST = 5 };

struct folders {
    char path[FOLDERS_MOST][PATH_MAX];
    unsigned count;
};

static void add_folder(struct folders *folders, const char *base, const char *rest)
{
    char *path = folders->path[folders->count];
    int length = snprintf(path, PATH_MAX, "%s%s", base, rest);
    bool again = folders->count > 0 && strcmp(folders->path[folders->count - 1], path) == 0;
    folders->count += length > 0 && length < PATH_MAX && !again;
}

// The folder above that of the running program, without a last slash. False where the system does not tell.
static bool above_program(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1); // without links and dots
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

static struct fewest *open_named(const char *path, const char *name, struct fewest_error *error)
{
    struct fewest *table = fewest_open(path, error);
    if (table && strcmp(fewest_name(table), name) != 0) {
        struct fault fault;
        char shown[FAULT_TEXT / 2];
        fault_write(&fault, FAULT_FOREIGN, "%s: this is the table of %s, not of %s",
                    fault_escape(shown, sizeof shown, path, strlen(path)), fewest_name(table), name);
        raise_fault(error, &fault);
        fewest_close(table);
        return NULL;
    }
    return table;
}

static bool missing(const char *name, const struct folders *folders, struct fewest_error *error)
{
    struct fault fault;
    char shown[64];
    char places[FAULT_TEXT] = "";
    char shown_places[FAULT_TEXT - 128];
    size_t used = 0;
    for (unsigned f = 0; f < folders->count && used < sizeof places; f++) {
        used += (size_t)snprintf(places + used, sizeof places - used, "%s%s", f > 0 ? ", " : "", folders->path[f]);
    }
    fault_escape(shown, sizeof shown, name, strlen(name));
    fault_escape(shown_places, sizeof shown_places, places, strlen(places));
    fault_write(&fault, FAULT_MISSING, "there is no table %s%s in %s", shown, FORMAT_SUFFIX, shown_places);
    return raise_fault(error, &fault);
}

struct fewest *fewest_open_puzzle(const char *puzzle, const char *folder, struct fewest_error *error)
{
    struct folders folders;
    char path[PATH_MAX];
    if (format_has_suffix(puzzle) || strchr(puzzle, '/')) {
        return fewest_open(puzzle, error);
    }
    list_folders(&folders, folder);
    for (unsigned f = 0; f < folders.count; f++) {
        int length = snprintf(path, sizeof path, "%s/%s%s", folders.path[f], puzzle, FORMAT_SUFFIX);
        if (length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0) {
            return open_named(path, puzzle, error);
        }
    }
    missing(puzzle, &folders, error);
    return NULL;
}

static int is_table(const struct dirent *entry)
{
    return format_has_suffix(entry->d_name);
}

static bool shadowed(const struct folders *folders, unsigned before, const char *name)
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

void fewest_each_table(const char *folder, void (*visit)(void *context, const char *path), void *context)
{
    struct folders folders;
    list_folders(&folders, folder);
    for (unsigned f = 0; f < folders.count; f++) {
        struct dirent **entries;
        char path[PATH_MAX];
        int count = scandir(folders.path[f], &entries, is_table, compare_entries);
        for (int i = 0; i < count; i++) {
            int length = snprintf(path, sizeof path, "%s/%s", folders.path[f], entries[i]->d_name);
            if (length > 0 && (size_t)length < sizeof path && !shadowed(&folders, f, entries[i]->d_name)) {
                visit(context, path);
            }
            free(entries[i]);
        }
        if (count >= 0) {
            free(entries);
        }
    }
}

// ---- Stronger tables ----------------------------------------------------------------------------------------------

static bool is_for(const struct fewest *table, const char *puzzle)
{
    return strcmp(fewest_name(table), puzzle) == 0 || strcmp(table->puzzle.answers_for, puzzle) == 0;
}

// A definition may say `For` any puzzle. It answers the same questions where it has the same board and goal.
static bool is_same_board(const struct fewest *a, const struct fewest *b)
{
    const struct puzzle *p = &a->puzzle;
    const struct puzzle *q = &b->puzzle;
    return p->tracked && q->tracked && memcmp(p->board->size, q->board->size, sizeof p->board->size) == 0 &&
           memcmp(p->goals[0], q->goals[0], p->cell_count) == 0;
}

struct strongest {
    const char *puzzle;
    struct fewest *table;
};

// A table that can't be opened is not what was asked for.
static void take_stronger(void *context, const char *path)
{
    struct strongest *strongest = context;
    struct fewest_error ignored;
    struct fewest *table = fewest_open(path, &ignored);
    if (table && is_for(table, strongest->puzzle) && is_same_board(table, strongest->table) &&
        fewest_bytes(table) > fewest_bytes(strongest->table)) {
        fewest_close(strongest->table);
        strongest->table = table;
    } else {
        fewest_close(table);
    }
}

struct fewest *fewest_open_strongest(const char *puzzle, const char *folder, struct fewest_error *error)
{
    struct strongest strongest = {puzzle, fewest_open_puzzle(puzzle, folder, error)};
    if (strongest.table && fewest_is_searched(strongest.table) && !format_has_suffix(puzzle)) {
        fewest_each_table(folder, take_stronger, &strongest);
    }
    return strongest.table;
}

struct fewest *fewest_open_for(const char *puzzle, const char *with, const char *folder, struct fewest_error *error)
{
    struct fewest_error ignored;
    struct fewest *table = fewest_open_puzzle(with, folder, error);
    struct fewest *own = table ? fewest_open_puzzle(puzzle, folder, &ignored) : NULL; // it may be missing
    bool is = table && is_for(table, puzzle) && (!own || !strcmp(with, puzzle) || is_same_board(table, own));
    fewest_close(own);
    if (table && !is) {
        struct fault fault;
        fault_write(&fault, FAULT_FOREIGN, "the table %s is not for %s", fewest_name(table), puzzle);
        raise_fault(error, &fault);
        fewest_close(table);
        return NULL;
    }
    return table;
}
