// Fuzz target: the first line is a command, `judge PROBLEM` or `batch PUZZLE`, perhaps with an
// option of BATCHES. The rest is its input. Any input must be answered or refused. A batch must
// print one line for each line but comments. A batch of moves and scrambles prints moves, and
// answers these in the same way.
#include "query/command/lines/judge.h"
#include "query/command/lines/batch.h"
#include "tables/base/ascii.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { PROBLEMS_MOST = 32, BOUND = 30 }; // searches for longer paths are stopped

static const struct batch_option {
    const char *option;
    print_answer *print;
} BATCHES[] = {
    {"", print_steps},
    {" --path", print_moves},
    {" --parity", print_parity},
    {" --moves", print_scramble},
};

enum { BATCH_COUNT = sizeof BATCHES / sizeof *BATCHES };

static bool stop_soon(void *context, const struct fewest_progress *progress)
{
    (void)context;
    return progress->bound < BOUND;
}

struct opened {
    const char *problem;
    const char *puzzle;
    struct fewest *table;
};

// Opens the table of each problem. Finds it as the fewest command does, beside the program's
// folder.
static void open_all(struct opened *opened)
{
    const char *puzzle;
    unsigned count = 0;
    for (const char *name; (name = judge_problem(count, &puzzle)); count++) {
        struct fewest_error error;
        opened[count] = (struct opened){name, puzzle, fewest_open_named(puzzle, NULL, &error)};
        if (!opened[count].table || count == PROBLEMS_MOST) {
            fprintf(stderr, "%s: %s\n", puzzle, error.text);
            exit(1);
        }
        if (!fewest_set_options(opened[count].table, &(struct fewest_options){.watch = stop_soon},
                                &error)) {
            abort();
        }
    }
}

// Takes what is on stdout, which is a file in memory. The caller frees it.
static char *take_output(size_t *length)
{
    struct stat status;
    fflush(stdout);
    if (fstat(STDOUT_FILENO, &status) != 0) {
        abort();
    }
    *length = (size_t)status.st_size;
    char *text = malloc(*length + 1);
    if (!text || pread(STDOUT_FILENO, text, *length, 0) != (ssize_t)*length ||
        ftruncate(STDOUT_FILENO, 0) != 0 || lseek(STDOUT_FILENO, 0, SEEK_SET) != 0) {
        abort();
    }
    text[*length] = '\0';
    return text;
}

static int file_in_memory(void)
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0) {
        perror("memfd_create");
        exit(1);
    }
    return file;
}

// Lets an input be what a file in memory then holds.
static void begin_input(struct input *input, const char *bytes, size_t length)
{
    int file = file_in_memory();
    if (pwrite(file, bytes, length, 0) != (ssize_t)length) {
        abort();
    }
    input_begin(input, file, "input");
}

static unsigned lines_of(const char *bytes, size_t length)
{
    unsigned lines = length > 0 && bytes[length - 1] != '\n';
    for (size_t i = 0; i < length; i++) {
        lines += bytes[i] == '\n';
    }
    return lines;
}

// Counts the lines that begin with a comment. No puzzle here has a letter #. Such a line gets no
// answer, unless a carriage return ends the comment.
static unsigned comments_of(const char *bytes, size_t length)
{
    const char *end = bytes + length;
    unsigned comments = 0;
    bytes += ascii_mark_length(bytes, length);
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *stop = newline ? newline : end;
        while (bytes < stop && ascii_is_space(*bytes)) {
            bytes++;
        }
        comments += bytes < stop && *bytes == '#';
        bytes = newline ? newline + 1 : end;
    }
    return comments;
}

// Answers the moves that a batch has printed: each line that is not `error` or `unreachable` must
// be printed again.
static void read_back(struct fewest *table, const char *printed, size_t length)
{
    static struct input input;
    size_t again_length;
    begin_input(&input, printed, length);
    enum exit_status status = batch_answer(table, print_scramble, true, &input);
    input_close(&input);
    char *again = take_output(&again_length);
    const char *next = again;
    for (const char *line = printed; *line && status <= STATUS_USAGE;) {
        size_t width = strcspn(line, "\n") + 1;
        if (strncmp(line, "error\n", width) != 0 && strncmp(line, "unreachable\n", width) != 0 &&
            strncmp(line, next, width) != 0) {
            abort();
        }
        line += width;
        next += strcspn(next, "\n") + 1;
    }
    free(again);
}

static void batch(struct fewest *table, print_answer *print, struct input *input, const char *bytes,
                  size_t length)
{
    bool moves = print == print_scramble;
    size_t printed;
    enum exit_status status = batch_answer(table, print, moves, input);
    char *output = take_output(&printed);
    unsigned answers = lines_of(output, printed);
    unsigned lines = lines_of(bytes, length);
    unsigned comments = comments_of(bytes, length);
    if (status > STATUS_USAGE ? !fewest_info(table)->is_searched
                              : answers > lines || (answers < lines - comments && !moves)) {
        abort();
    }
    if (moves && status <= STATUS_USAGE) {
        read_back(table, output, printed);
    }
    free(output);
}

static void judge(const struct opened *chosen, struct input *input)
{
    size_t printed;
    enum exit_status status = judge_answer(chosen->problem, chosen->table, input);
    free(take_output(&printed));
    if (status != STATUS_ANSWERED && status != STATUS_USAGE &&
        !fewest_info(chosen->table)->is_searched) {
        abort();
    }
}

// Is this the first line that stands for a command?
static bool is_line(const char *line, size_t length, const char *command, const char *name,
                    const char *option)
{
    char expected[64];
    int expected_length = snprintf(expected, sizeof expected, "%s %s%s", command, name, option);
    return length == (size_t)expected_length && memcmp(line, expected, length) == 0;
}

// Returns the batch of this puzzle that a first line stands for, or NULL.
static const struct batch_option *find_batch(const char *line, size_t length, const char *puzzle)
{
    for (unsigned i = 0; i < BATCH_COUNT; i++) {
        if (is_line(line, length, "batch", puzzle, BATCHES[i].option)) {
            return &BATCHES[i];
        }
    }
    return NULL;
}

// Answers the rest as the first line says. An input whose first line is no command is left alone.
static void answer(const struct opened *opened, const char *bytes, size_t length)
{
    static struct input input;
    const char *end = length > 0 ? memchr(bytes, '\n', length) : NULL;
    if (!end) {
        return;
    }
    size_t width = (size_t)(end - bytes);
    const char *rest = end + 1;
    size_t rest_length = length - width - 1;
    for (; opened->problem; opened++) {
        const struct batch_option *chosen = find_batch(bytes, width, opened->puzzle);
        if (chosen || is_line(bytes, width, "judge", opened->problem, "")) {
            begin_input(&input, rest, rest_length);
            if (chosen) {
                batch(opened->table, chosen->print, &input, rest, rest_length);
            } else {
                judge(opened, &input);
            }
            input_close(&input);
            return;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct opened opened[PROBLEMS_MOST + 1]; // the last one has no name
    if (!opened->problem) {
        open_all(opened);
        dup2(file_in_memory(), STDOUT_FILENO);
    }
    answer(opened, (const char *)bytes, length);
    return 0;
}
