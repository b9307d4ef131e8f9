// Fuzz target: the first line is a command, `judge PROBLEM` or `batch PUZZLE`, perhaps with an
// option of BATCHES. The rest is its input. Any input must be answered or refused. A batch must
// print one line for each line but comments.
#include "query/command/lines/judge.h"
#include "query/command/lines/batch.h"
#include "tables/base/ascii.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { BOUND = 30 }; // searches for longer paths are stopped

static const struct batch_option {
    const char *option;
    uint32_t options;
} BATCHES[] = {
    {"", 0},
    {" --path", OPTION_BIT(OPTION_PATH)},
    {" --parity", OPTION_BIT(OPTION_PARITY)},
    {" --moves", OPTION_BIT(OPTION_SCRAMBLES) | OPTION_BIT(OPTION_PATH)},
};

enum { BATCH_COUNT = sizeof BATCHES / sizeof *BATCHES };

struct opened {
    const char *problem;
    const char *puzzle;
    struct fewest *table;
};

// Opens the table of each problem. Finds it as the fewest command does, beside the program's
// folder.
static void open_all(struct opened *opened)
{
    for (; opened->problem; opened++) {
        struct fewest_error error;
        opened->table = fewest_open_named(opened->puzzle, NULL, &error);
        if (!opened->table) {
            fprintf(stderr, "%s: %s\n", opened->puzzle, error.text);
            exit(1);
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

static void batch(const struct request *request, struct fewest *table, const char *bytes,
                  size_t length)
{
    size_t printed;
    enum exit_status status = batch_answer(request, table);
    char *output = take_output(&printed);
    unsigned answers = lines_of(output, printed);
    unsigned lines = lines_of(bytes, length);
    unsigned comments = comments_of(bytes, length);
    bool moves = has_option(request, OPTION_SCRAMBLES);
    free(output);
    if (status > STATUS_USAGE ? !fewest_info(table)->is_searched
                              : answers > lines || (answers < lines - comments && !moves)) {
        abort();
    }
}

static void judge(const struct request *request, struct fewest *table)
{
    size_t printed;
    enum exit_status status = judge_answer(request, table);
    free(take_output(&printed));
    if (status != STATUS_ANSWERED && status != STATUS_USAGE && !fewest_info(table)->is_searched) {
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
static void answer(const struct opened *opened, int file, const char *path, const char *bytes,
                   size_t length)
{
    const char *end = length > 0 ? memchr(bytes, '\n', length) : NULL;
    if (!end) {
        return;
    }
    size_t width = (size_t)(end - bytes);
    const char *rest = end + 1;
    size_t rest_length = length - width - 1;
    if (ftruncate(file, 0) != 0 || pwrite(file, rest, rest_length, 0) != (ssize_t)rest_length) {
        abort();
    }
    for (; opened->problem; opened++) {
        const struct batch_option *chosen = find_batch(bytes, width, opened->puzzle);
        struct request request = {.operands = {opened->problem, path},
                                  .operand_count = 2,
                                  .threads = 1,
                                  .limit = fewest_info(opened->table)->is_searched ? BOUND : 0};
        if (chosen) {
            request.options = chosen->options;
            batch(&request, opened->table, rest, rest_length);
            return;
        }
        if (is_line(bytes, width, "judge", opened->problem, "")) {
            judge(&request, opened->table);
            return;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct opened opened[] = {
        {"aizu0121", "seven", NULL},  {"fifteen", "fifteen", NULL},
        {"hdu1043", "eight", NULL},   {"hdu1430", "magic", NULL},
        {"hdu3567", "eight", NULL},   {"hdu5012", "dice", NULL},
        {"luogu1379", "eight", NULL}, {"msquare", "magic", NULL},
        {"poj1077", "eight", NULL},   {"poj1753", "flip", NULL},
        {"poj2965", "fridge", NULL},  {"uestc485", "game", NULL},
        {"uva1604", "cubic", NULL},   {0},
    };
    static char path[32]; // of the input
    static int file;
    if (!*path) {
        open_all(opened);
        file = file_in_memory();
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        dup2(file_in_memory(), STDOUT_FILENO);
    }
    answer(opened, file, path, (const char *)bytes, length);
    return 0;
}
