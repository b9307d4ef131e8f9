// Reads what operands name: states, moves, tables.
#include "operands.h"
#include "messages.h"
#include "tables/base/ascii.h"
#include "watch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERAND_LONGEST = 1 << 24 }; // bytes: room for two boards of a million cells

// Fills in the text of an operand: the operand itself, all of stdin (`-`) or all of a file
// (`@FILE`). If it was read, it is in *read, which the caller frees; else *read is NULL. The text
// does not end in a NUL, and has at most OPERAND_LONGEST bytes. Returns the exit status, after a
// message if it can't be read.
static enum exit_status read_operand(const char *operand, const char **text, size_t *length,
                                     char **read)
{
    bool standard = operand[0] == '-'; // only if the operand names its input
    *read = NULL;
    *text = operand;
    *length = strlen(operand);
    if (!input_is_named(operand)) {
        return STATUS_ANSWERED;
    }
    const char *name = standard ? "stdin" : operand + 1;
    if (*name == '\0') {
        return complain_usage("`@` needs the name of a file: @FILE");
    }
    if (standard) {
        input_tell_terminal();
    }
    *read = malloc(OPERAND_LONGEST + 1);
    if (!*read) {
        return complain_system(name);
    }
    FILE *file = standard ? stdin : fopen(name, "rb");
    if (!file) {
        return complain_system(name);
    }
    *text = *read;
    *length = fread(*read, 1, OPERAND_LONGEST + 1, file); // one more tells that it is too long
    enum exit_status status = ferror(file) ? complain_system(name) : STATUS_ANSWERED;
    if (!standard) {
        fclose(file);
    }
    size_t mark = ascii_mark_length(*text, *length);
    *text += mark;
    *length -= mark;
    if (status == STATUS_ANSWERED && *length > OPERAND_LONGEST) {
        return complain_usage("%s is longer than %d bytes; `fewest batch` answers one query a line",
                              name, OPERAND_LONGEST);
    }
    return status;
}

// Refuses a request in which stdin stands for two things.
static enum exit_status check_dashes(const struct request *request)
{
    int dashes = (request->from && strcmp(request->from, "-") == 0) +
                 (request->moves && strcmp(request->moves, "-") == 0);
    for (int i = 1; i < request->operand_count; i++) {
        if (strcmp(request->operands[i], "-") == 0) {
            dashes++;
        }
    }
    if (dashes > 1) {
        return complain_usage("`-` can be used only once; stdin may hold both START and TARGET");
    }
    return STATUS_ANSWERED;
}

enum exit_status read_operands(const struct request *request, const char *text[2], size_t length[2],
                               char *read[2])
{
    int count = request->operand_count - 1;
    enum exit_status status = check_dashes(request);
    assert(count >= 0 && count <= 2);
    for (int i = 0; i < count && status == STATUS_ANSWERED; i++) {
        status = read_operand(request->operands[1 + i], &text[i], &length[i], &read[i]);
    }
    return status;
}

enum exit_status check_wanted_paths(const struct request *request)
{
    if (has_option(request, OPTION_FIRST) && !wants_all_paths(request)) {
        return complain_usage("--count needs --all or --within");
    }
    if (has_option(request, OPTION_FIRST) && request->count == 0) {
        return complain_usage("--count: expected a number from 1 to 2^64-1, got '0'");
    }
    return STATUS_ANSWERED;
}

// Returns the bytes of the first `lines` lines of a text, or of all if it has fewer.
static size_t measure_lines(const char *text, size_t length, unsigned long lines)
{
    const char *next = text;
    for (; lines > 0; lines--) {
        const char *newline = memchr(next, '\n', length - (size_t)(next - text));
        if (!newline) {
            return length;
        }
        next = newline + 1;
    }
    return (size_t)(next - text);
}

// Reports an error in the moves of --moves, which stdin or a file holds, at the line where it
// arises. The moves up to the end of that line are the fewest that fail in the same way. A binary
// search finds the line. Returns the exit status.
static enum exit_status complain_moves_file(const struct fewest *table,
                                            const struct request *request, const uint8_t *from,
                                            const char *text, size_t length,
                                            const struct fewest_error *error)
{
    const char *name = request->moves[0] == '-' ? "stdin" : request->moves + 1;
    uint8_t state[FEWEST_CELLS_MOST];
    unsigned long good = 0; // so many lines do not fail in this way
    unsigned long bad = 1;  // so many do: at first, all lines
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') {
            bad++;
        }
    }
    while (bad - good > 1) {
        struct fewest_error found;
        unsigned long middle = good + (bad - good) / 2;
        bool fails = !fewest_read_moves(table, from, text, measure_lines(text, length, middle),
                                        state, &found) &&
                     strcmp(found.text, error->text) == 0;
        if (fails) {
            bad = middle;
        } else {
            good = middle;
        }
    }
    return complain_input(name, bad, "--moves: %s", error->text);
}

// Reads the text of --moves and applies it to `from`, or to the solved state if that is NULL. Fills
// in the state. Returns the exit status, after a message if it fails.
static enum exit_status apply_moves(const struct fewest *table, const struct request *request,
                                    const uint8_t *from, uint8_t *state)
{
    struct fewest_error error;
    const char *text;
    size_t length;
    char *read;
    enum exit_status status = read_operand(request->moves, &text, &length, &read);
    if (status == STATUS_ANSWERED && !fewest_read_moves(table, from, text, length, state, &error)) {
        status = read ? complain_moves_file(table, request, from, text, length, &error)
                      : complain_option("--moves", &error);
    }
    free(read);
    return status;
}

enum exit_status make_moves(const struct fewest *table, const struct request *request,
                            uint8_t *state)
{
    struct fewest_error error;
    uint8_t from[FEWEST_CELLS_MOST];
    const char *text = "";
    size_t length = 0;
    char *read = NULL;
    enum exit_status status = check_dashes(request);
    if (status == STATUS_ANSWERED && request->from) {
        status = read_operand(request->from, &text, &length, &read);
    }
    if (status == STATUS_ANSWERED && request->from &&
        !fewest_read_state(table, "--from", text, length, from, &error)) {
        status = complain_state(table, text, length, &error);
    }
    free(read);
    if (status != STATUS_ANSWERED) {
        return status;
    }
    return apply_moves(table, request, request->from ? from : NULL, state);
}

enum exit_status read_matching(const struct fewest *table, const struct request *request,
                               uint8_t *state, const uint8_t **matching)
{
    struct fewest_error error;
    const char *text;
    size_t length;
    char *read;
    *matching = request->matching ? state : NULL;
    if (!request->matching) {
        return STATUS_ANSWERED;
    }
    enum exit_status status = read_operand(request->matching, &text, &length, &read);
    if (status == STATUS_ANSWERED &&
        !fewest_read_target(table, "--matching", text, length, state, &error)) {
        status = complain_state(table, text, length, &error);
    }
    free(read);
    return status;
}

bool set_options(struct fewest *table, const struct request *request, fewest_watcher *watch,
                 void *context, struct fewest_error *error)
{
    const struct fewest_options options = {
        .cache = request->cache,
        .watch = watch,
        .watch_context = context,
        .threads = request->threads,
        // No distance is as large as UINT16_MAX, so a larger limit is none.
        .limit = request->limit < UINT16_MAX ? (unsigned)request->limit : 0,
        .seconds = request->seconds};
    return fewest_set_options(table, &options, error);
}

struct fewest *open_table(const struct request *request, const char *puzzle,
                          struct fewest_error *error)
{
    struct fewest *table = is_path(puzzle) ? fewest_open(puzzle, error)
                                           : fewest_open_named(puzzle, request->folder, error);
    if (!table) {
        return NULL;
    }
    if (!set_options(table, request, watch_progress, NULL, error)) {
        fewest_close(table);
        return NULL;
    }
    complain_folder(request);
    begin_watch();
    return table;
}

enum exit_status with_table(const struct request *request,
                            enum exit_status (*answer)(const struct request *, struct fewest *))
{
    struct fewest_error error;
    struct fewest *table = open_table(request, request->operands[0], &error);
    if (!table) {
        return complain_table(request, request->operands[0], &error);
    }
    enum exit_status status = answer(request, table);
    fewest_close(table);
    return status;
}

bool is_named_after(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && strcmp(file + length, ".dtab") == 0;
}
