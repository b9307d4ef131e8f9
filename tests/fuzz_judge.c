// Fuzz target: the first byte chooses a judge problem or a batch, and the rest is its input. Any
// input must be answered or refused. A batch must print one line for each line.
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { PROBLEMS_MOST = 32, BATCHES = 3, BOUND = 30 }; // searches for longer paths are stopped

static bool stop_soon(void *context, int bound)
{
    (void)context;
    return bound < BOUND;
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
        fewest_watch(opened[count].table, stop_soon, NULL);
    }
    return count;
}

// Counts the lines on stdout, which is a file in memory, and empties the file.
static unsigned count_lines_printed(void)
{
    struct stat status;
    unsigned lines = 0;
    fflush(stdout);
    if (fstat(STDOUT_FILENO, &status) != 0) {
        abort();
    }
    size_t size = (size_t)status.st_size;
    if (size > 0) {
        const char *text = mmap(NULL, size, PROT_READ, MAP_SHARED, STDOUT_FILENO, 0);
        for (size_t i = 0; i < size; i++) {
            lines += text[i] == '\n';
        }
        munmap((void *)(uintptr_t)text, size);
    }
    if (ftruncate(STDOUT_FILENO, 0) != 0 || lseek(STDOUT_FILENO, 0, SEEK_SET) != 0) {
        abort();
    }
    return lines;
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

static unsigned lines_of(const uint8_t *bytes, size_t length)
{
    unsigned lines = length > 0 && bytes[length - 1] != '\n';
    for (size_t i = 0; i < length; i++) {
        lines += bytes[i] == '\n';
    }
    return lines;
}

static void batch(struct fewest *table, unsigned how, struct input *input, const uint8_t *bytes,
                  size_t length)
{
    static print_answer *const PRINT[BATCHES] = {print_steps, print_moves, print_parity};
    enum exit_status status = batch_answer(table, PRINT[how], input);
    unsigned answers = count_lines_printed();
    if (status > STATUS_USAGE ? !fewest_is_searched(table) : answers != lines_of(bytes, length)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct opened opened[PROBLEMS_MOST + 1];
    static unsigned problems;
    static struct input input;
    static int file;
    if (problems == 0) {
        problems = open_all(opened);
        file = file_in_memory();
        dup2(file_in_memory(), STDOUT_FILENO);
    }
    if (length == 0) {
        return 0;
    }
    unsigned choice = *bytes++ % (problems * (1 + BATCHES));
    const struct opened *chosen = &opened[choice % problems];
    length--;
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, length, 0) != (ssize_t)length ||
        lseek(file, 0, SEEK_SET) != 0) {
        abort();
    }
    input_begin(&input, file, "input");
    if (choice >= problems) {
        batch(chosen->table, choice / problems - 1, &input, bytes, length);
        return 0;
    }
    enum exit_status status = judge_answer(chosen->problem, chosen->table, &input);
    count_lines_printed();
    if (status != STATUS_ANSWERED && status != STATUS_USAGE && !fewest_is_searched(chosen->table)) {
        abort();
    }
    return 0;
}
