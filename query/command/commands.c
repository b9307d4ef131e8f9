// Functions that the commands share: they read operands, open tables and let Ctrl-C stop searches.
#include "commands.h"

#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    if (status == STATUS_ANSWERED && *length > OPERAND_LONGEST) {
        return complain_usage("%s is longer than %d bytes; `fewest batch` answers one query a line",
                              name, OPERAND_LONGEST);
    }
    return status;
}

enum exit_status operand_texts(const struct request *request, const char *text[2], size_t length[2],
                               char *read[2])
{
    int count = request->operand_count - 1;
    int dashes = request->from && strcmp(request->from, "-") == 0;
    enum exit_status status = STATUS_ANSWERED;
    assert(count >= 0 && count <= 2);
    for (int i = 0; i < count; i++) {
        dashes += strcmp(request->operands[1 + i], "-") == 0;
    }
    if (dashes > 1) {
        return complain_usage("`-` can be used only once; stdin may hold both START and TARGET");
    }
    for (int i = 0; i < count && status == STATUS_ANSWERED; i++) {
        status = operand_text(request->operands[1 + i], &text[i], &length[i], &read[i]);
    }
    return status;
}

enum exit_status make_moves(const struct fewest *table, const struct request *request,
                            uint8_t *state)
{
    struct fewest_error error;
    const char *from = "";
    size_t length = 0;
    char *read = NULL;
    enum exit_status status =
        request->from ? operand_text(request->from, &from, &length, &read) : STATUS_ANSWERED;
    if (status == STATUS_ANSWERED && request->from &&
        !fewest_read_state(table, from, length, "--from", false, state, &error)) {
        status = complain_state(table, &error);
    }
    if (status == STATUS_ANSWERED &&
        // NULL: the solved state
        !fewest_read_moves(table, request->from ? state : NULL, request->moves,
                           strlen(request->moves), state, &error)) {
        status = complain_option("--moves", &error);
    }
    free(read);
    return status;
}

// Set by Ctrl-C, once the table of a searched puzzle is open.
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static _Atomic int shown_bound; // on the terminal, written by any thread; 0: none

bool was_interrupted(void)
{
    return interrupted;
}

// After about a second, shows on a terminal how long a path the search looks for. `context` is the
// time when the table was opened. Returns false after Ctrl-C.
static bool watch_search(void *context, int bound)
{
    const struct timespec *begin = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - begin->tv_sec >= 1 && isatty(STDERR_FILENO) &&
        atomic_exchange(&shown_bound, bound) != bound) {
        fprintf(stderr, "\rsearching for a path of %d moves ... ", bound);
    }
    return !interrupted;
}

void hide_search(void)
{
    if (atomic_load_explicit(&shown_bound, memory_order_relaxed) != 0 &&
        atomic_exchange(&shown_bound, 0) != 0) {
        fprintf(stderr, "\r%40s\r", "");
    }
}

void watch_searches(struct fewest *table)
{
    // Static, because the watcher reads it later.
    static struct timespec begin;
    // A second Ctrl-C ends the program at once.
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    if (fewest_is_searched(table)) {
        clock_gettime(CLOCK_MONOTONIC, &begin);
        sigaction(SIGINT, &interrupt, NULL);
        fewest_watch(table, watch_search, &begin);
    }
}

struct fewest *open_table(const struct request *request, const char *puzzle,
                          struct fewest_error *error)
{
    struct fewest *table = is_path(puzzle) ? fewest_open(puzzle, error)
                                           : fewest_open_named(puzzle, request->folder, error);
    if (table && request->cache > 0 && !fewest_set_cache(table, request->cache, error)) {
        fewest_close(table);
        return NULL;
    }
    if (table) {
        fewest_set_limit(table, request->limit < UINT16_MAX ? (unsigned)request->limit : 0);
        complain_folder(request);
        watch_searches(table);
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
