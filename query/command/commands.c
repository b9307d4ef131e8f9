// What the commands share: messages, operands, open tables; and steps, path and parity.
#include "commands.h"
#include "json.h"
#include "base/nearest.h"
#include "picture.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- Messages -----------------------------------------------------------------------------------------------------

enum exit_status complain_error(const struct fewest_error *error)
{
    command_complain(PROGRAM, error->text);
    return exit_status_of(error->status);
}

enum exit_status complain_option(const char *option, const struct fewest_error *error)
{
    char text[2 * FEWEST_ERROR_SIZE];
    snprintf(text, sizeof text, "%s: %s", option, error->text);
    command_complain(PROGRAM, text);
    return exit_status_of(error->status);
}

static const char SUFFIX[] = ".dtab"; // of a table's file

static void offer_table(void *context, const char *path)
{
    char name[NEAREST_NAME] = "";
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(SUFFIX)), file);
    nearest_offer(context, name);
}

bool is_path(const char *puzzle)
{
    size_t length = strlen(puzzle);
    return strchr(puzzle, '/') || (length > strlen(SUFFIX) && strcmp(puzzle + length - strlen(SUFFIX), SUFFIX) == 0);
}

bool is_grid(const char *puzzle)
{
    return *puzzle >= '0' && *puzzle <= '9' && strpbrk(puzzle, "xX") && puzzle[strspn(puzzle, "0123456789xX")] == '\0';
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length > strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

// What to type instead of the name of a file in this folder: "; ...". False if there is none.
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

// What to type instead of a name that no table has: "; ...".
static void write_hint(const struct request *request, const char *name, char *hint, size_t size)
{
    struct nearest nearest = {.typed = name};
    char similar[2 * NEAREST_NAME];
    fewest_each_table(request->folder, offer_table, &nearest);
    if (*nearest_text(&nearest, similar)) {
        snprintf(hint, size, "%s", similar);
    } else {
        snprintf(hint, size, "; `fewest list` lists the tables, fewest-gen makes new ones");
    }
}

// The path of no file has no folder. It may be meant as the name of a table elsewhere.
static void write_path_hint(const char *path, char *hint, size_t size)
{
    *hint = '\0';
    if (!strchr(path, '/')) {
        snprintf(hint, size, "; to look for the table in all folders, type %.*s", (int)(strlen(path) - strlen(SUFFIX)),
                 path);
    }
}

enum exit_status complain_table(const struct request *request, const char *puzzle, const struct fewest_error *error)
{
    char hint[FEWEST_ERROR_SIZE];
    char text[2 * FEWEST_ERROR_SIZE];
    if (error->status != FEWEST_MISSING) {
        return complain_error(error);
    }
    bool names_file = !is_path(puzzle) && write_file_hint(puzzle, hint, sizeof hint); // such as 2x2x2.dtab
    if (is_grid(puzzle) && !names_file) {
        return complain_usage("%s is a bare board, which only `fewest parity` and `fewest batch --parity` take; "
                              "`fewest list` lists the puzzles",
                              puzzle);
    }
    if (is_path(puzzle)) {
        write_path_hint(puzzle, hint, sizeof hint);
    } else if (!names_file) {
        write_hint(request, puzzle, hint, sizeof hint);
    }
    snprintf(text, sizeof text, "%s%s", error->text, hint);
    command_complain(PROGRAM, text);
    return exit_status_of(error->status);
}

enum exit_status complain_state(const struct fewest *table, const struct fewest_error *error)
{
    enum { SHORT = 60 };
    struct fewest_error ignored;
    uint8_t state[FEWEST_CELLS_MOST];
    char shown[FEWEST_TEXT_SIZE];
    char text[2 * FEWEST_ERROR_SIZE];
    if (error->status != FEWEST_BAD_INPUT || !fewest_read_moves(table, NULL, "", 0, state, &ignored) ||
        strlen(fewest_write_state(table, state, shown)) > SHORT) {
        return complain_error(error);
    }
    snprintf(text, sizeof text, "%s (the solved state of %s is %.*s)", error->text, fewest_name(table), SHORT, shown);
    command_complain(PROGRAM, text);
    return exit_status_of(error->status);
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
    snprintf(text, sizeof text, "%s: %s", *name ? name : "''", strerror(errno));
    command_complain(PROGRAM, text);
    return STATUS_SYSTEM;
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

// ---- One query -------------------------------------------------------------------------------------------------

enum { OPERAND_LONGEST = 1 << 24 }; // a board of a million cells fits twice

// The text of an operand: itself, or all of stdin (`-`) or of a file (`@FILE`). The caller frees *read.
static enum exit_status operand_text(const char *operand, const char **text, size_t *length, char **read)
{
    bool standard = operand[0] == '-'; // of what is named
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
        return complain_usage("%s is longer than %d bytes; `fewest batch` answers one query a line", name,
                              OPERAND_LONGEST);
    }
    return status;
}

// The texts of START and, where it is given, TARGET.
static enum exit_status operand_texts(const struct request *request, const char *text[2], size_t length[2],
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

enum exit_status make_moves(const struct fewest *table, const struct request *request, uint8_t *state)
{
    struct fewest_error error;
    const char *from = "";
    size_t length = 0;
    char *read = NULL;
    enum exit_status status = request->from ? operand_text(request->from, &from, &length, &read) : STATUS_ANSWERED;
    if (status == STATUS_ANSWERED && request->from &&
        !fewest_read_state(table, from, length, "--from", false, state, &error)) {
        status = complain_state(table, &error);
    }
    if (status == STATUS_ANSWERED && !fewest_read_moves(table, request->from ? state : NULL, request->moves,
                                                        strlen(request->moves), state, &error)) {
        status = complain_option("--moves", &error);
    }
    free(read);
    return status;
}

// From START, START and TARGET or, after --moves, which have made the start, TARGET or nothing.
static bool read_query(const struct fewest *table, const struct request *request, const char *const *text,
                       const size_t *length, struct fewest_query *query, struct fewest_error *error)
{
    int count = request->operand_count - 1;
    int start = request->moves ? 0 : 1; // operands of it
    if (count == 1 && !request->moves) {
        return fewest_read_query(table, text[0], length[0], query, error);
    }
    query->has_target = count > start;
    return (request->moves || fewest_read_state(table, text[0], length[0], "START", false, query->start, error)) &&
           (!query->has_target ||
            fewest_read_state(table, text[start], length[start], "TARGET", true, query->target, error));
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
        fprintf(stderr, "\rsearching for a path of %d moves ... ", bound);
    }
    return !interrupted;
}

void hide_search(void)
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

struct fewest *open_table(const struct request *request, const char *puzzle, struct fewest_error *error)
{
    struct fewest *table =
        is_path(puzzle) ? fewest_open(puzzle, error) : fewest_open_named(puzzle, request->folder, error);
    if (table && request->cache > 0 && !fewest_set_cache(table, request->cache, error)) {
        fewest_close(table);
        return NULL;
    }
    if (table) {
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

typedef enum exit_status answer_function(const struct request *request, struct fewest *table,
                                         const struct fewest_query *query);

// Opens the puzzle, reads START [TARGET], and answers.
static enum exit_status answer_query(const struct request *request, answer_function *answer)
{
    struct fewest_error error;
    struct fewest_query query;
    const char *text[2] = {NULL, NULL};
    size_t length[2] = {0, 0};
    char *read[2] = {NULL, NULL};
    enum exit_status status = STATUS_ANSWERED;
    struct fewest *table = open_table(request, request->operands[0], &error);
    if (!table) {
        return complain_table(request, request->operands[0], &error);
    }
    status = operand_texts(request, text, length, read);
    if (status == STATUS_ANSWERED && request->moves) {
        status = make_moves(table, request, query.start);
    }
    if (status == STATUS_ANSWERED) {
        status = read_query(table, request, text, length, &query, &error) ? answer(request, table, &query)
                                                                          : complain_state(table, &error);
    }
    free(read[0]);
    free(read[1]);
    fewest_close(table);
    return status;
}

static void print_path(const struct fewest *table, const unsigned *moves, int steps, FILE *out)
{
    bool short_names = true;
    for (unsigned m = 0; m < fewest_move_count(table); m++) {
        short_names &= strlen(fewest_move_name(table, m)) == 1;
    }
    for (int i = 0; i < steps; i++) {
        if (i > 0 && !short_names) {
            putc(' ', out);
        }
        fputs(fewest_move_name(table, moves[i]), out);
    }
    putc('\n', out);
}

bool print_steps(struct fewest *table, const struct fewest_query *query, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    int steps;
    bool found = fewest_steps(table, query, &steps, error);
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

bool print_moves(struct fewest *table, const struct fewest_query *query, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    int steps;
    unsigned moves[FEWEST_PATH_MOST];
    bool found = fewest_path(table, query, moves, &steps, error);
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

bool print_parity(struct fewest *table, const struct fewest_query *query, FILE *out, bool *reachable,
                  struct fewest_error *error)
{
    char reason[FEWEST_ERROR_SIZE];
    if (!fewest_parity(table, query, reachable, reason, error)) {
        return false;
    }
    print_parity_line(*reachable, reason, out);
    return true;
}

static enum exit_status answer_with(struct fewest *table, const struct fewest_query *query, print_answer *print)
{
    struct fewest_error error;
    bool reachable;
    if (!print(table, query, stdout, &reachable, &error)) {
        return complain_error(&error);
    }
    return reachable ? STATUS_ANSWERED : STATUS_NEGATIVE;
}

// Why not, is another query.
static enum exit_status explain_unreachable(const struct request *request, enum exit_status status)
{
    if (status == STATUS_NEGATIVE && isatty(STDERR_FILENO)) {
        fprintf(stderr, "fewest: `fewest parity %s ...` prints the reason\n", request->operands[0]);
    }
    return status;
}

static enum exit_status answer_steps(const struct request *request, struct fewest *table,
                                     const struct fewest_query *query)
{
    return explain_unreachable(request, answer_with(table, query, request->json ? json_steps : print_steps));
}

// Each board of the way, with the moves between them.
static bool show_path(struct fewest *table, const struct fewest_query *query, FILE *out, bool *reachable,
                      struct fewest_error *error)
{
    int steps;
    unsigned moves[FEWEST_PATH_MOST];
    uint8_t state[FEWEST_CELLS_MOST];
    bool found = fewest_path(table, query, moves, &steps, error);
    hide_search();
    if (!found) {
        return false;
    }
    *reachable = steps != FEWEST_UNREACHABLE;
    if (!*reachable) {
        fputs("unreachable\n", out);
        return true;
    }
    memcpy(state, query->start, fewest_cell_count(table));
    picture_board(table, state, out);
    for (int i = 0; i < steps; i++) {
        uint8_t moved[FEWEST_CELLS_MOST];
        fprintf(out, "%s\n", fewest_move_name(table, moves[i]));
        if (fewest_apply(table, moves[i], state, moved)) { // of rolling cubes, the tops do not tell all
            memcpy(state, moved, fewest_cell_count(table));
            picture_board(table, state, out);
        }
    }
    return true;
}

static enum exit_status answer_path(const struct request *request, struct fewest *table,
                                    const struct fewest_query *query)
{
    print_answer *print = request->json ? json_path : request->show ? show_path : print_moves;
    return explain_unreachable(request, answer_with(table, query, print));
}

static enum exit_status answer_parity(const struct request *request, struct fewest *table,
                                      const struct fewest_query *query)
{
    return answer_with(table, query, request->json ? json_parity : print_parity);
}

enum exit_status command_steps(const struct request *request)
{
    return answer_query(request, answer_steps);
}

enum exit_status command_path(const struct request *request)
{
    if (request->json && request->show) {
        return complain_usage("use either --json or --show, not both");
    }
    return answer_query(request, answer_path);
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
    if (is_grid(request->operands[0])) {
        return request->moves || request->json
                   ? complain_usage("a bare board such as %s takes neither --moves nor --json", request->operands[0])
                   : parity_of_grid(request);
    }
    return answer_query(request, answer_parity);
}
