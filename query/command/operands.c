// Reads what operands name: states, moves, tables.
#include "operands.h"
#include "cut_table.h"
#include "query/command/print/messages.h"
#include "scramble.h"
#include "tables/base/ascii.h"
#include "tables/base/parallel.h"
#include "watch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERAND_LONGEST = 1 << 24 }; // bytes: room for two boards of a million cells

// Fills in the text of an operand: the operand itself, all of stdin (`-`) or all of a file
// (`@FILE`). The caller frees *read.
static enum exit_status operand_text(const char *operand, const char **text, size_t *length,
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
    FILE *file = !*read ? NULL : standard ? stdin : fopen(name, "rb");
    if (!file) {
        return complain_system(name);
    }
    *text = *read;
    *length = fread(*read, 1, OPERAND_LONGEST + 1, file);
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
        dashes += strcmp(request->operands[i], "-") == 0;
    }
    return dashes > 1
               ? complain_usage("`-` can be used only once; stdin may hold both START and TARGET")
               : STATUS_ANSWERED;
}

enum exit_status operand_texts(const struct request *request, const char *text[2], size_t length[2],
                               char *read[2])
{
    int count = request->operand_count - 1;
    enum exit_status status = check_dashes(request);
    assert(count >= 0 && count <= 2);
    for (int i = 0; i < count && status == STATUS_ANSWERED; i++) {
        status = operand_text(request->operands[1 + i], &text[i], &length[i], &read[i]);
    }
    return status;
}

// The bytes of the first `lines` lines of a text.
static size_t measure_lines(const char *text, size_t length, unsigned long lines)
{
    const char *at = text;
    for (; lines > 0 && at; lines--) {
        at = memchr(at, '\n', length - (size_t)(at - text));
        at += at ? 1 : 0;
    }
    return at ? (size_t)(at - text) : length;
}

// Reports the moves of stdin or a file that can't be made, with their line: the first line with
// which the moves up to its end fail in the same way.
static enum exit_status complain_moves_file(const struct fewest *table,
                                            const struct request *request, const uint8_t *from,
                                            const char *text, size_t length,
                                            const struct fewest_error *error)
{
    const char *name = request->moves[0] == '-' ? "stdin" : request->moves + 1;
    uint8_t state[FEWEST_CELLS_MOST];
    unsigned long good = 0; // lines that do not fail
    unsigned long bad = 1;
    for (size_t i = 0; i < length; i++) {
        bad += text[i] == '\n';
    }
    while (bad - good > 1) {
        struct fewest_error found;
        unsigned long middle = good + (bad - good) / 2;
        bool fails =
            !scramble_read(table, from, text, measure_lines(text, length, middle), state, &found) &&
            strcmp(found.text, error->text) == 0;
        good = fails ? good : middle;
        bad = fails ? middle : bad;
    }
    return complain_input(name, bad, "--moves: %s", error->text);
}

// Reads the text of --moves and applies it to `from`, or to the solved state if that is NULL.
static enum exit_status apply_moves(const struct fewest *table, const struct request *request,
                                    const uint8_t *from, uint8_t *state)
{
    struct fewest_error error;
    const char *text;
    size_t length;
    char *read;
    enum exit_status status = operand_text(request->moves, &text, &length, &read);
    if (status == STATUS_ANSWERED && !scramble_read(table, from, text, length, state, &error)) {
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
        status = operand_text(request->from, &text, &length, &read);
    }
    if (status == STATUS_ANSWERED && request->from &&
        !fewest_read_state(table, "--from", text, length, from, &error)) {
        status = complain_state(table, text, length, &error);
    }
    free(read);
    return status == STATUS_ANSWERED
               ? apply_moves(table, request, request->from ? from : NULL, state)
               : status;
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
    enum exit_status status = operand_text(request->matching, &text, &length, &read);
    if (status == STATUS_ANSWERED &&
        !fewest_read_target(table, "--matching", text, length, state, &error)) {
        status = complain_state(table, text, length, &error);
    }
    free(read);
    return status;
}

struct request with_all_threads(const struct request *request)
{
    struct request all = *request;
    all.threads = request->has_threads ? request->threads : parallel_processors();
    return all;
}

bool set_options(struct fewest *table, const struct request *request, fewest_watcher *watch,
                 void *context, struct fewest_error *error)
{
    const struct fewest_options options = {
        .cache = request->cache,
        .watch = watch,
        .watch_context = context,
        .threads = request->threads,
        .limit = request->limit < UINT16_MAX ? (unsigned)request->limit : 0};
    return fewest_set_options(table, &options, error);
}

struct fewest *open_table(const struct request *request, const char *puzzle,
                          struct fewest_error *error)
{
    expect_cut(puzzle);
    struct fewest *table = is_path(puzzle) ? fewest_open(puzzle, error)
                                           : fewest_open_named(puzzle, request->folder, error);
    if (table && !set_options(table, request, watch_progress, NULL, error)) {
        fewest_close(table);
        return NULL;
    }
    if (table) {
        complain_folder(request);
        begin_watch();
    }
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
