// The real command: run, measured and judged.
#include "hostile.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const COMMAND_NAMES[COMMAND_COUNT] = {"steps", "path", "batch", "stats", "check"};

static void output_path(const char *folder, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

static void send_to(const char *path, int number)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, number) < 0) {
        _exit(127);
    }
    close(file);
}

static void read_output(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, OUTPUT_SIZE - 1, file) : 0;
    text[length] = '\0';
    if (file) {
        fclose(file);
    }
}

// What a fork has of this program counts for its peak, so that this is for a parent that holds next to nothing.
void run_program(const char *const *arguments, const char *folder, struct run *run)
{
    char out[PATH_MAX];
    char err[PATH_MAX];
    struct rusage usage;
    int status;
    output_path(folder, "stdout", out);
    output_path(folder, "stderr", err);
    pid_t child = fork();
    if (child == 0) {
        send_to(out, STDOUT_FILENO);
        send_to(err, STDERR_FILENO);
        alarm(TIME_LIMIT); // outlives the exec
        execv(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    *run = (struct run){.killed = true};
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        return;
    }
    run->killed = WIFSIGNALED(status);
    run->number = run->killed ? WTERMSIG(status) : WEXITSTATUS(status);
    run->peak = usage.ru_maxrss;
    read_output(out, run->out);
    read_output(err, run->err);
}

// ---- The judge -----------------------------------------------------------------------------------------------------

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (; *text; text++) {
        lines += *text == '\n' || text[1] == '\0';
    }
    return lines;
}

// Is every line one of the program's own?
static bool complains(const char *text)
{
    static const char PREFIX[] = "fewest: ";
    bool all = *text;
    while (*text && all) {
        all = strncmp(text, PREFIX, sizeof PREFIX - 1) == 0;
        text = strchr(text, '\n');
        text = text ? text + 1 : "";
    }
    return all;
}

// Right answers before the damage was met: whole lines.
static bool is_beginning(const char *text, const char *of)
{
    size_t length = strlen(text);
    return strncmp(text, of, length) == 0 && (length == 0 || text[length - 1] == '\n');
}

static enum verdict fail(char why[WHY_SIZE], const char *what, const struct run *run)
{
    snprintf(why, WHY_SIZE, "%s: %s %d, peak %ld KiB, stdout '%.60s', stderr '%.120s'", what,
             run->killed ? "signal" : "status", run->number, run->peak, run->out, run->err);
    for (char *c = why; *c; c++) {
        *c = *c == '\n' ? '|' : *c;
    }
    return VERDICT_WRONG;
}

// What holds for any table, forged or not.
static enum verdict judge_harm(const struct run *run, const struct run *intact, long room, char why[WHY_SIZE])
{
    if (run->killed) {
        return fail(why, run->number == SIGALRM ? "it hung" : "it was killed", run);
    }
    if (run->number > 3) {
        return fail(why, "an impossible status", run);
    }
    if (run->number == 3 && (count_lines(run->err) != 1 || !complains(run->err))) {
        return fail(why, "status 3 without one clear line", run);
    }
    if (!HOSTILE_SANITIZED && run->peak > intact->peak + room) {
        return fail(why, "too much memory", run);
    }
    return VERDICT_RIGHT;
}

static enum verdict judge_check(bool forged, const struct run *run, char why[WHY_SIZE])
{
    if (run->number == 1 && complains(run->err) && run->out[0] == '\0') {
        return VERDICT_REFUSED;
    }
    return forged && run->number == 0 && run->err[0] == '\0' ? VERDICT_LIED : fail(why, "check did not find it", run);
}

enum verdict judge_run(enum command command, bool forged, const struct run *run, const struct run *intact, long room,
                       char why[WHY_SIZE])
{
    enum verdict verdict = judge_harm(run, intact, room, why);
    if (verdict != VERDICT_RIGHT) {
        return verdict;
    }
    if (command == COMMAND_CHECK) {
        return judge_check(forged, run, why);
    }
    if (run->number == 3) {
        bool begun = command == COMMAND_BATCH && (forged || is_beginning(run->out, intact->out));
        return begun || run->out[0] == '\0' ? VERDICT_REFUSED : fail(why, "wrong answers before the refusal", run);
    }
    if (run->number == intact->number && strcmp(run->out, intact->out) == 0 &&
        count_lines(run->err) == count_lines(intact->err)) {
        return VERDICT_RIGHT;
    }
    return forged ? VERDICT_LIED : fail(why, "another answer", run);
}
