// Functions that the commands share: they read operands, open tables and let Ctrl-C stop searches.
#include "commands.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "scramble.h"

#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
        !fewest_read_state(table, text, length, "--from", false, from, &error)) {
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
        !fewest_read_state(table, text, length, "--matching", true, state, &error)) {
        status = complain_state(table, text, length, &error);
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

static double search_begin; // when the table was opened

bool watch_search(void *context, int bound)
{
    (void)context;
    if (bound > 0 && clock_seconds() - search_begin >= 1 && isatty(STDERR_FILENO) &&
        atomic_exchange(&shown_bound, bound) != bound) {
        fprintf(stderr, "\rsearching for a path of %d moves ... ", bound);
    }
    return !interrupted;
}

enum { SHOWN_WIDTH = 60 }; // columns of the line

void hide_search(void)
{
    if (atomic_load_explicit(&shown_bound, memory_order_relaxed) != 0 &&
        atomic_exchange(&shown_bound, 0) != 0) {
        fprintf(stderr, "\r%*s\r", SHOWN_WIDTH, "");
    }
}

// Lets Ctrl-C set `interrupted`. A second Ctrl-C ends the program at once. Returns the time.
static double catch_interrupt(void)
{
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &interrupt, NULL);
    return clock_seconds();
}

void watch_searches(struct fewest *table)
{
    search_begin = catch_interrupt();
    fewest_watch(table, watch_search, NULL);
}

bool is_due(double *next)
{
    static const double PAUSE = 0.1; // seconds
    double now = clock_seconds();
    bool due = now >= *next;
    if (due) {
        *next = now + PAUSE;
    }
    return due;
}

bool show_work(void *context, const char *what, uint64_t done, uint64_t all)
{
    struct work *work = context;
    double now = clock_seconds();
    if (done < work->done) { // a new part
        work->begin = now;
    }
    work->done = done;
    if (is_due(&work->next) && isatty(STDERR_FILENO)) {
        char text[2 * SHOWN_WIDTH];
        char left[SHOWN_WIDTH] = "";
        if (now - work->begin >= 1 && done > 0) {
            double seconds = (now - work->begin) * ((double)all / (double)done - 1);
            snprintf(left, sizeof left, "about %.0f %s left",
                     seconds < 120 ? seconds : seconds / 60, seconds < 120 ? "s" : "min");
        }
        snprintf(text, sizeof text, "%s: %.0f %% ... %s", what, 100.0 * (double)done / (double)all,
                 left);
        fprintf(stderr, "\r%-*s", SHOWN_WIDTH, text);
        atomic_store(&shown_bound, 1);
    }
    return !interrupted;
}

void watch_work(struct fewest *table, struct work *work)
{
    *work = (struct work){.begin = catch_interrupt()};
    work->next = work->begin + 1;
    fewest_watch_work(table, show_work, work);
}

// ---- A table that another program cuts short ----------------------------------------------------

static char cut_message[FEWEST_ERROR_SIZE]; // made before a table is opened
static void (*hand_over)(void);             // NULL, or hands over what this thread has answered

void before_cut(void (*function)(void))
{
    hand_over = function;
}

static _Noreturn void end_cut(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending)) { // another thread ends the program
        pause();
    }
    (void)fflush(stdout);
    (void)!write(STDERR_FILENO, cut_message, strlen(cut_message));
    _exit(STATUS_TABLE);
}

// Reading the file of a table beyond its new end raises SIGBUS, in the thread that reads. That
// thread is in the library then, and not inside a function of stdio or malloc, so it may call them.
// Its stdout has whole lines only, because answers are found before they are printed.
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code <= 0 || !fewest_is_mapped(info->si_addr)) {
        signal(number, SIG_DFL); // as if there were no handler
        raise(number);
        return;
    }
    if (hand_over) {
        hand_over();
    }
    end_cut();
}

void expect_cut(const char *puzzle)
{
    char shown[sizeof cut_message / 2];
    struct sigaction cut = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    snprintf(cut_message, sizeof cut_message,
             PROGRAM ": %s: another program cut the file short while it was open; generate the "
                     "table again with fewest-gen\n",
             escape_text(shown, sizeof shown, puzzle, strlen(puzzle)));
    sigaction(SIGBUS, &cut, NULL);
}

struct fewest *open_table(const struct request *request, const char *puzzle,
                          struct fewest_error *error)
{
    expect_cut(puzzle);
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
