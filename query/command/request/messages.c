// The messages of the command: what is wrong and what to type instead.
#include "messages.h"
#include "tables/base/ascii.h"
#include "tables/base/spelling.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum exit_status complain(enum exit_status status, const char *format, ...)
{
    char text[2 * FEWEST_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hide_search();
    command_complain(PROGRAM, text);
    return status;
}

enum exit_status complain_error(const struct fewest_error *error)
{
    return complain(exit_status_of(error->status), "%s", error->text);
}

enum exit_status complain_option(const char *option, const struct fewest_error *error)
{
    return complain(exit_status_of(error->status), "%s: %s", option, error->text);
}

static const char SUFFIX[] = ".dtab"; // of a table's file

// A visitor of table files: offers the name of a file, without its folder and suffix, as one that
// may have been meant.
static void offer_table(void *context, const char *path)
{
    char name[NEAREST_NAME] = "";
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(SUFFIX)), file);
    nearest_offer(context, name);
}

// Does a text end with another one, and is longer?
static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length > strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

bool is_path(const char *puzzle)
{
    return strchr(puzzle, '/') || ends_with(puzzle, SUFFIX);
}

bool is_grid(const char *puzzle)
{
    return ascii_is_digit(*puzzle) && strpbrk(puzzle, "xX") &&
           puzzle[strspn(puzzle, "0123456789xX")] == '\0';
}

// Writes a suggestion, "; …", if a name that no table has is that of a file or folder here, perhaps
// without .dtab. Returns false if there is no such file.
static bool write_file_hint(const char *name, char *hint, size_t size)
{
    char file[NEAREST_NAME];
    struct stat status;
    bool fits = snprintf(file, sizeof file, "%s%s", name, SUFFIX) < (int)sizeof file;
    if (fits && access(file, R_OK) == 0) {
        snprintf(hint, size, "; to use the file in this folder, type ./%s", file);
    } else if (stat(name, &status) != 0) {
        return false;
    } else if (S_ISDIR(status.st_mode)) {
        snprintf(hint, size, "; %s is a folder: --tables DIR looks for tables in a folder", name);
    } else if (ends_with(name, ".puzzle") || ends_with(name, ".tws")) {
        snprintf(hint, size, "; %s is a definition: `fewest-gen %s` makes its table", name, name);
    } else {
        snprintf(hint, size, "; to use the file in this folder, type ./%s", name);
    }
    return true;
}

// Writes a suggestion, "; …", for a name that no table has: a similar name, or how to list the
// tables.
static void write_hint(const struct request *request, const char *name, char *hint, size_t size)
{
    struct nearest_name nearest = {.typed = name};
    char similar[2 * NEAREST_NAME];
    fewest_each_table(request->folder, offer_table, &nearest);
    if (*nearest_text(&nearest, similar)) {
        snprintf(hint, size, "%s", similar);
    } else {
        snprintf(hint, size, "; `fewest list` lists the tables, fewest-gen makes new ones");
    }
}

// Writes a suggestion, "; …", for a path that does not exist, or "". A path without a folder, such
// as game.dtab, may be meant as a table's name.
static void write_path_hint(const char *path, char *hint, size_t size)
{
    *hint = '\0';
    if (!strchr(path, '/')) {
        snprintf(hint, size, "; to look for the table in all folders, type %.*s",
                 (int)(strlen(path) - strlen(SUFFIX)), path);
    }
}

enum exit_status complain_table(const struct request *request, const char *puzzle,
                                const struct fewest_error *error)
{
    char hint[FEWEST_ERROR_SIZE];
    if (error->status != FEWEST_MISSING) {
        return complain_error(error);
    }
    // A file in this folder may be called like a bare board, such as 2x2x2.dtab.
    bool names_file = !is_path(puzzle) && write_file_hint(puzzle, hint, sizeof hint);
    if (is_grid(puzzle) && !names_file) {
        return complain_usage(
            "%s is a bare board, which only `fewest parity` and `fewest batch --parity` take; "
            "`fewest list` lists the puzzles",
            puzzle);
    }
    if (is_path(puzzle)) {
        write_path_hint(puzzle, hint, sizeof hint);
    } else if (!names_file) {
        write_hint(request, puzzle, hint, sizeof hint);
    }
    return complain(exit_status_of(error->status), "%s%s", error->text, hint);
}

// Can the text be read as moves, and is it more than separators and comments?
static bool is_moves(const struct fewest *table, const char *text, size_t length)
{
    struct fewest_error ignored;
    uint8_t state[FEWEST_CELLS_MOST];
    size_t used = 0;
    bool is_comment = false;
    for (; used < length; used++) {
        is_comment = text[used] == '#' || (is_comment && text[used] != '\n');
        if (!is_comment && !ascii_is_separator(text[used]) && !ascii_is_bracket(text[used])) {
            break;
        }
    }
    return used < length && fewest_read_moves(table, NULL, text, length, state, &ignored);
}

// Does the text begin as a JSON object with a key: `{"`, with white space between them?
static bool is_json(const char *text, size_t length)
{
    size_t used = 1;
    while (used < length && ascii_is_space(text[used])) {
        used++;
    }
    return used < length && *text == '{' && text[used] == '"';
}

enum exit_status complain_state(const struct fewest *table, const char *typed, size_t length,
                                const struct fewest_error *error)
{
    enum { SHORT = 60 };
    struct fewest_error ignored;
    char shown[FEWEST_TEXT_SIZE];
    const char *name = fewest_info(table)->name;
    enum exit_status status = exit_status_of(error->status);
    if (error->status != FEWEST_BAD_INPUT) {
        return complain_error(error);
    }
    if (is_json(typed, length)) {
        return complain(status,
                        "%s; this is a pattern in JSON: type its pieces, counted from 1, then its "
                        "orientations, set by set, as `fewest show %s STATE` does",
                        error->text, name);
    }
    if (!looks_like_facelets(typed, length) && is_moves(table, typed, length)) {
        return complain(status, "%s; these are moves: type --moves \"%s\"", error->text,
                        escape_text(shown, SHORT, typed, length));
    }
    if (fewest_write_state(table, fewest_info(table)->goals, shown, &ignored) &&
        strlen(shown) <= SHORT) {
        return complain(status, "%s (the solved state of %s is %s)", error->text, name, shown);
    }
    return complain_error(error);
}

enum exit_status complain_no_match(const struct fewest *table)
{
    return complain(STATUS_USAGE, "--matching: no state of %s that can be reached matches",
                    fewest_info(table)->name);
}

enum exit_status complain_input(const char *name, uint64_t line, const char *format, ...)
{
    char what[FEWEST_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return complain(STATUS_USAGE, "%s:%llu: %s", name, (unsigned long long)line, what);
}

enum exit_status complain_system(const char *name)
{
    return complain(STATUS_SYSTEM, "%s: %s", *name ? name : "''", strerror(errno));
}

enum exit_status complain_folder(const struct request *request)
{
    if (!request->folder) {
        return STATUS_ANSWERED;
    }
    int folder = open(request->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        char place[FEWEST_ERROR_SIZE];
        snprintf(place, sizeof place, "--tables %s", request->folder);
        complain_system(place);
        return STATUS_TABLE;
    }
    close(folder);
    return STATUS_ANSWERED;
}

enum exit_status complain_failed(const struct input *input)
{
    return ferror(stdout) || was_interrupted() ? STATUS_SYSTEM : complain_system(input->name);
}

bool set_header_error(struct fewest_error *error)
{
    return error_set(
        error, FEWEST_DAMAGED,
        "the table holds wrong distances: the header counts states that are not there");
}
