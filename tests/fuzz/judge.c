// Fuzz target: the first byte chooses a judge problem or a batch, and the rest is its input. Any
// input must be answered or refused. A batch must print one line for each line. A batch of moves
// and scrambles prints moves, and answers these in the same way.
#include "query/command/lines/judge.h"
#include "query/command/lines/batch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { PROBLEMS_MOST = 32, BATCHES = 4, BOUND = 30 }; // searches for longer paths are stopped

static bool stop_soon(void *context, const struct fewest_progress *progress)
{
    (void)context;
    return progress->bound < BOUND;
}

struct opened {
    const char *problem;
    struct fewest *table;
};

// Opens the table of each problem. Finds it as the fewest command does, beside the program's
// folder.
static unsigned open_all(struct opened *opened)
{
    const char *puzzle;
    unsigned count = 0;
    for (const char *name; (name = judge_problem(count, &puzzle)); count++) {
        struct fewest_error error;
        opened[count] = (struct opened){name, fewest_open_named(puzzle, NULL, &error)};
        if (!opened[count].table || count == PROBLEMS_MOST) {
            fprintf(stderr, "%s: %s\n", puzzle, error.text);
            exit(1);
        }
        if (!fewest_set_options(opened[count].table, &(struct fewest_options){.watch = stop_soon},
                                &error)) {
            abort();
        }
    }
    return count;
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

static void batch(struct fewest *table, unsigned how, struct input *input, const char *bytes,
                  size_t length)
{
    static print_answer *const PRINT[BATCHES] = {print_steps, print_moves, print_parity,
                                                 print_scramble};
    bool moves = PRINT[how] == print_scramble;
    size_t printed;
    enum exit_status status = batch_answer(table, PRINT[how], moves, input);
    char *output = take_output(&printed);
    unsigned answers = lines_of(output, printed);
    unsigned lines = lines_of(bytes, length);
    if (status > STATUS_USAGE ? !fewest_info(table)->is_searched
                              : answers > lines || (answers < lines && !moves)) {
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct opened opened[PROBLEMS_MOST + 1];
    static unsigned problems;
    static struct input input;
    const char *text = (const char *)bytes + 1;
    if (problems == 0) {
        problems = open_all(opened);
        dup2(file_in_memory(), STDOUT_FILENO);
    }
    if (length == 0) {
        return 0;
    }
    unsigned choice = *bytes % (problems * (1 + BATCHES));
    const struct opened *chosen = &opened[choice % problems];
    begin_input(&input, text, length - 1);
    if (choice >= problems) {
        batch(chosen->table, choice / problems - 1, &input, text, length - 1);
    } else {
        judge(chosen, &input);
    }
    input_close(&input);
    return 0;
}
