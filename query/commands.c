#include "commands.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char PROGRAM[] = "fewest";

// ---- Complaints ---------------------------------------------------------------------------------------------------

enum exit_status status_of(enum fewest_status status)
{
    switch (status) {
    case FEWEST_OK:
        return STATUS_ANSWERED;
    case FEWEST_BAD_INPUT:
    case FEWEST_BEYOND:
        return STATUS_USAGE;
    case FEWEST_MISSING:
    case FEWEST_DAMAGED:
    case FEWEST_FOREIGN:
        return STATUS_TABLE;
    case FEWEST_SYSTEM:
    case FEWEST_STOPPED:
    case FEWEST_STATUS_COUNT:
        break;
    }
    return STATUS_SYSTEM;
}

enum exit_status complain_error(const struct fewest_error *error)
{
    command_complain(PROGRAM, error->text);
    return status_of(error->status);
}

enum exit_status complain_usage(const char *format, ...)
{
    char text[FEWEST_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    command_complain_usage(PROGRAM, "%s", text);
    return STATUS_USAGE;
}

enum exit_status complain_input(const struct input *input, const char *format, ...)
{
    char what[FEWEST_ERROR_SIZE];
    char text[2 * FEWEST_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(text, sizeof text, "%s:%lu: %s", input->name, input->line, what);
    command_complain(PROGRAM, text);
    return STATUS_USAGE;
}

enum exit_status complain_system(const char *name)
{
    char text[2 * FEWEST_ERROR_SIZE];
    snprintf(text, sizeof text, "%s: %s", name, strerror(errno));
    command_complain(PROGRAM, text);
    return STATUS_SYSTEM;
}

enum exit_status complain_failed(const struct input *input)
{
    return ferror(stdout) || was_interrupted() ? STATUS_SYSTEM : complain_system(input->name);
}

// ---- One question -------------------------------------------------------------------------------------------------

enum { OPERAND_LONGEST = 1 << 24 }; // a board of a million cells fits twice

// The text of an operand: itself, or all of stdin (`-`) or of a file (`@FILE`). The caller frees *read.
static enum exit_status operand_text(const char *operand, const char **text, size_t *length, char **read)
{
    bool standard = strcmp(operand, "-") == 0;
    *read = NULL;
    *text = operand;
    *length = strlen(operand);
    if (!standard && operand[0] != '@') {
        return STATUS_ANSWERED;
    }
    const char *name = standard ? "stdin" : operand + 1;
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
        return complain_usage("%s holds more than a case; for many cases: %s batch", operand, PROGRAM);
    }
    return status;
}

// The texts of START and, where it is given, TARGET.
static enum exit_status operand_texts(const struct request *request, const char *text[2], size_t length[2],
                                      char *read[2])
{
    int count = request->operand_count - 1;
    enum exit_status status = STATUS_ANSWERED;
    assert(count >= 0 && count <= 2);
    if (count == 2 && strcmp(request->operands[1], "-") == 0 && strcmp(request->operands[2], "-") == 0) {
        return complain_usage("stdin can be read once: one `-` reads START and TARGET");
    }
    for (int i = 0; i < count && status == STATUS_ANSWERED; i++) {
        status = operand_text(request->operands[1 + i], &text[i], &length[i], &read[i]);
    }
    return status;
}

// From START, START and TARGET or, after --moves, TARGET or nothing.
static bool read_question(const struct fewest *table, const struct request *request, const char *const *text,
                          const size_t *length, struct fewest_question *question, struct fewest_error *error)
{
    int count = request->operand_count - 1;
    int start = request->moves ? 0 : 1; // operands of it
    if (count == 1 && !request->moves) {
        return fewest_read_question(table, text[0], length[0], question, error);
    }
    question->has_target = count > start;
    return (request->moves ? fewest_read_moves(table, request->moves, strlen(request->moves), question->start, error)
                           : fewest_read_state(table, text[0], length[0], "START", false, question->start, error)) &&
           (!question->has_target ||
            fewest_read_state(table, text[start], length[start], "TARGET", true, question->target, error));
}

// Set by Ctrl-C while a search is on.
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static _Atomic int shown_bound; // on the terminal, by whichever thread; 0: none

bool was_interrupted(void)
{
    return interrupted;
}

// On a terminal a search that takes a while shows how long a path it is looking for. `context` is the time it began.
static bool watch_search(void *context, int bound)
{
    const struct timespec *begin = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - begin->tv_sec >= 1 && isatty(STDERR_FILENO) && atomic_exchange(&shown_bound, bound) != bound) {
        fprintf(stderr, "\rlooking for a path of %d moves ... ", bound);
    }
    return !interrupted;
}

// Takes that line away again, before an answer.
static void hide_search(void)
{
    if (atomic_exchange(&shown_bound, 0) != 0) {
        fprintf(stderr, "\r%40s\r", "");
    }
}

void watch_searches(struct fewest *table)
{
    static struct timespec begin;                                                             // of the command
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}; // a second one ends it
    if (fewest_is_searched(table)) {
        clock_gettime(CLOCK_MONOTONIC, &begin);
        sigaction(SIGINT, &interrupt, NULL);
        fewest_watch(table, watch_search, &begin);
    }
}

struct fewest *open_asked(const struct request *request, bool many, struct fewest_error *error)
{
    const char *puzzle = request->operands[0];
    struct fewest *table = request->with ? fewest_open_for(puzzle, request->with, request->folder, error)
                           : many        ? fewest_open_strongest(puzzle, request->folder, error)
                                         : fewest_open_puzzle(puzzle, request->folder, error);
    if (table && request->cache > 0 && !fewest_set_cache(table, request->cache, error)) {
        fewest_close(table);
        table = NULL;
    }
    if (table) {
        watch_searches(table);
    }
    return table;
}

typedef enum exit_status answer_function(struct fewest *table, const struct fewest_question *question);

// Opens the puzzle, reads START [TARGET], and answers.
static enum exit_status answer_question(const struct request *request, answer_function *answer)
{
    struct fewest_error error;
    struct fewest_question question;
    const char *text[2] = {NULL, NULL};
    size_t length[2] = {0, 0};
    char *read[2] = {NULL, NULL};
    enum exit_status status = STATUS_ANSWERED;
    struct fewest *table = open_asked(request, false, &error);
    if (!table) {
        return complain_error(&error);
    }
    status = operand_texts(request, text, length, read);
    if (status == STATUS_ANSWERED) {
        status = read_question(table, request, text, length, &question, &error) ? answer(table, &question)
                                                                                : complain_error(&error);
    }
    free(read[0]);
    free(read[1]);
    fewest_close(table);
    return status;
}

static void print_path(const struct fewest *table, const unsigned *moves, int steps, FILE *out)
{
    bool short_names = true;
    for (unsigned m = 0; m < fewest_moves(table); m++) {
        short_names &= strlen(fewest_move(table, m)) == 1;
    }
    for (int i = 0; i < steps; i++) {
        if (i > 0 && !short_names) {
            putc(' ', out);
        }
        fputs(fewest_move(table, moves[i]), out);
    }
    putc('\n', out);
}

bool print_steps(struct fewest *table, const struct fewest_question *question, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    int steps;
    bool found = fewest_steps(table, question, &steps, error);
    hide_search();
    if (!found) {
        return false;
    }
    *reachable = steps != FEWEST_UNREACHABLE;
    if (*reachable) {
        fprintf(out, "%d\n", steps);
    } else {
        fputs("unreachable\n", out);
    }
    return true;
}

bool print_moves(struct fewest *table, const struct fewest_question *question, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    int steps;
    unsigned moves[FEWEST_PATH_MOST];
    bool found = fewest_path(table, question, moves, &steps, error);
    hide_search();
    if (!found) {
        return false;
    }
    *reachable = steps != FEWEST_UNREACHABLE;
    if (*reachable) {
        print_path(table, moves, steps, out);
    } else {
        fputs("unreachable\n", out);
    }
    return true;
}

void print_parity_line(bool reachable, const char *reason, FILE *out)
{
    fprintf(out, "%s (%s)\n", reachable ? "reachable" : "unreachable", reason);
}

bool print_parity(struct fewest *table, const struct fewest_question *question, FILE *out, bool *reachable,
                  struct fewest_error *error)
{
    char reason[FEWEST_ERROR_SIZE];
    if (!fewest_parity(table, question, reachable, reason, error)) {
        return false;
    }
    print_parity_line(*reachable, reason, out);
    return true;
}

static enum exit_status answer_with(struct fewest *table, const struct fewest_question *question, print_answer *print)
{
    struct fewest_error error;
    bool reachable;
    if (!print(table, question, stdout, &reachable, &error)) {
        return complain_error(&error);
    }
    return reachable ? STATUS_ANSWERED : STATUS_NEGATIVE;
}

static enum exit_status answer_steps(struct fewest *table, const struct fewest_question *question)
{
    return answer_with(table, question, print_steps);
}

static enum exit_status answer_path(struct fewest *table, const struct fewest_question *question)
{
    return answer_with(table, question, print_moves);
}

static enum exit_status answer_parity(struct fewest *table, const struct fewest_question *question)
{
    return answer_with(table, question, print_parity);
}

enum exit_status command_steps(const struct request *request)
{
    return answer_question(request, answer_steps);
}

enum exit_status command_path(const struct request *request)
{
    return answer_question(request, answer_path);
}

static enum exit_status parity_of_grid(const struct request *request)
{
    struct fewest_error error;
    char reason[FEWEST_ERROR_SIZE];
    bool reachable;
    const char *text[2] = {NULL, NULL};
    size_t length[2] = {0, 0};
    char *read[2] = {NULL, NULL};
    enum exit_status status = operand_texts(request, text, length, read);
    if (status == STATUS_ANSWERED) {
        if (fewest_grid_parity(request->operands[0], text[0], length[0], text[1], length[1], &reachable, reason,
                               &error)) {
            print_parity_line(reachable, reason, stdout);
            status = reachable ? STATUS_ANSWERED : STATUS_NEGATIVE;
        } else {
            status = complain_error(&error);
        }
    }
    free(read[0]);
    free(read[1]);
    return status;
}

enum exit_status command_parity(const struct request *request)
{
    if (fewest_is_grid(request->operands[0])) {
        return request->moves ? complain_usage("a bare grid has no --moves") : parity_of_grid(request);
    }
    return answer_question(request, answer_parity);
}

// ---- The whole table ----------------------------------------------------------------------------------------------

static enum exit_status print_stats(struct fewest *table, const uint8_t *start)
{
    static const uint64_t LOOKED_THROUGH_MOST = 1 << 24; // states; of more, what the header says is told
    struct fewest_stats stats;
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    char text[FEWEST_TEXT_SIZE];
    if (!fewest_get_stats(table, start, &stats, &error)) {
        return complain_error(&error);
    }
    bool small = stats.states <= LOOKED_THROUGH_MOST;
    if (small && !fewest_farthest(table, start, state, &error)) {
        return complain_error(&error);
    }
    printf("distance %12s   share\n", "states");
    for (unsigned d = 0; d <= stats.largest; d++) {
        printf("%8u %12llu %8.4f %%\n", d, (unsigned long long)stats.count[d],
               100.0 * (double)stats.count[d] / (double)stats.reachable);
    }
    printf("\ntotal       %llu\nreachable   %llu\nunreachable %llu\nmean        %.4f\nlargest     %u\n",
           (unsigned long long)stats.states, (unsigned long long)stats.reachable,
           (unsigned long long)(stats.states - stats.reachable), stats.mean, stats.largest);
    if (small) {
        printf("farthest    %s\n", fewest_write_state(table, state, text));
    }
    return STATUS_ANSWERED;
}

static enum exit_status print_stats_tsv(struct fewest *table, const uint8_t *start)
{
    struct fewest_stats stats;
    struct fewest_error error;
    if (!fewest_get_stats(table, start, &stats, &error)) {
        return complain_error(&error);
    }
    for (unsigned d = 0; d <= stats.largest; d++) {
        printf("%u\t%llu\n", d, (unsigned long long)stats.count[d]);
    }
    return STATUS_ANSWERED;
}

enum exit_status command_stats(const struct request *request)
{
    struct fewest_error error;
    struct fewest *table = open_asked(request, false, &error);
    if (!table) {
        return complain_error(&error);
    }
    enum exit_status status = STATUS_ANSWERED;
    uint8_t start[FEWEST_CELLS_MOST];
    if (request->root && !fewest_read_start(table, request->root, start, &error)) {
        status = complain_error(&error);
    } else {
        status = (request->tsv ? print_stats_tsv : print_stats)(table, request->root ? start : NULL);
    }
    fewest_close(table);
    return status;
}

static void print_finding(void *context, const char *text)
{
    char line[2 * FEWEST_ERROR_SIZE];
    snprintf(line, sizeof line, "%s: %s", (const char *)context, text);
    command_complain(PROGRAM, line);
}

// A path, also one that does not end in .dtab; or the name of a puzzle.
static struct fewest *open_to_check(const struct request *request, const char *operand, struct fewest_error *error)
{
    return strchr(operand, '/') ? fewest_open(operand, error) : fewest_open_puzzle(operand, request->folder, error);
}

// What has been proved, and in how long.
static void print_proof(const struct fewest *table, const struct timespec *begin)
{
    static const char *const NAMES[] = {"states", "patterns", "whole states", "arrangements"};
    _Static_assert(sizeof NAMES / sizeof *NAMES == FEWEST_KIND_COUNT, "each kind has a name");
    const char *before = ", and every distance proved: ";
    struct timespec end;
    for (unsigned kind = 0; kind < FEWEST_KIND_COUNT; kind++) {
        uint64_t entries = fewest_entries(table, (enum fewest_kind)kind);
        if (entries > 0) {
            printf("%s%llu %s", before, (unsigned long long)entries, NAMES[kind]);
            before = ", ";
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf(" in %.2f s", (double)(end.tv_sec - begin->tv_sec) + 1e-9 * (double)(end.tv_nsec - begin->tv_nsec));
}

static enum exit_status check_table(const struct request *request, const char *operand)
{
    char shown[FEWEST_ERROR_SIZE];
    fault_escape(shown, sizeof shown, operand, strlen(operand));
    struct fewest_error error;
    struct fewest *table = open_to_check(request, operand, &error);
    if (!table) {
        enum exit_status status = complain_error(&error);
        return error.status == FEWEST_DAMAGED || error.status == FEWEST_FOREIGN ? STATUS_NEGATIVE : status;
    }
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    bool sound = fewest_check(table, request->deep, print_finding, (void *)(uintptr_t)operand);
    if (sound) {
        printf("%s: intact", shown);
        if (request->deep) {
            print_proof(table, &begin);
        }
        putchar('\n');
    }
    fewest_close(table);
    return sound ? STATUS_ANSWERED : STATUS_NEGATIVE;
}

enum exit_status command_check(const struct request *request)
{
    enum exit_status worst = STATUS_ANSWERED;
    for (int i = 0; i < request->operand_count; i++) {
        enum exit_status status = check_table(request, request->operands[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

// Is the file called NAME.dtab, whatever its folder?
static bool is_named_after(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && strcmp(file + length, ".dtab") == 0;
}

// The largest distance to the nearest of several goals is not in the header. It is looked for where that takes a
// moment.
static bool knows_largest(const struct fewest *table)
{
    static const uint64_t LOOKED_THROUGH_MOST = 1 << 20; // states
    return fewest_goals(table) == 1 || fewest_states(table) <= LOOKED_THROUGH_MOST;
}

static void print_table_line(struct fewest *table, const char *path, enum exit_status *worst)
{
    struct fewest_error error;
    struct fewest_stats stats;
    char states[32] = "searched";
    char largest[32] = "";
    bool searched = fewest_is_searched(table);
    if (!searched) {
        snprintf(states, sizeof states, "%llu states", (unsigned long long)fewest_states(table));
    }
    if (!searched && knows_largest(table)) {
        if (!fewest_get_stats(table, NULL, &stats, &error)) {
            *worst = complain_error(&error);
            return;
        }
        snprintf(largest, sizeof largest, "largest distance %3u", stats.largest);
    }
    printf("%-12s %20s %10llu bytes  %-20s  %s\n", fewest_name(table), states, (unsigned long long)fewest_bytes(table),
           largest, path);
}

static void print_table(void *context, const char *path)
{
    enum exit_status *worst = context;
    struct fewest_error error;
    struct fewest *table = fewest_open(path, &error);
    if (!table) {
        *worst = complain_error(&error);
        return;
    }
    if (!is_named_after(path, fewest_name(table))) {
        char text[2 * FEWEST_ERROR_SIZE];
        snprintf(text, sizeof text, "%s: this is the table of %s; it is not found under that name", path,
                 fewest_name(table));
        command_complain(PROGRAM, text);
        *worst = STATUS_TABLE;
        fewest_close(table);
        return;
    }
    print_table_line(table, path, worst);
    fewest_close(table);
}

enum exit_status command_list(const struct request *request)
{
    enum exit_status worst = STATUS_ANSWERED;
    fewest_each_table(request->folder, print_table, &worst);
    return worst;
}
