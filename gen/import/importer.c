// Runs fewest-import without a shell, and reads what it writes.
#include "importer.h"

#include "tables/definition/definition.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_OF_SYSTEM = 4 }; // of fewest-import: input or output failed

extern char **environ;

// Reads at most `most` bytes up to the end of a pipe, and closes it.
static size_t read_pipe(int pipe, char *bytes, size_t most)
{
    size_t length = 0;
    ssize_t count = 1;
    while (length < most && (count > 0 || (count < 0 && errno == EINTR))) {
        count = read(pipe, bytes + length, most - length);
        length += count > 0 ? (size_t)count : 0;
    }
    close(pipe);
    return length;
}

// Starts the program with its standard output and standard error in two pipes. Returns 0 or an
// errno.
static int start(const struct import_file *file, const int out[2], const int err[2], pid_t *child)
{
    const char *arguments[] = {"fewest-import", "--", file->path, NULL, NULL, NULL};
    posix_spawn_file_actions_t actions;
    if (file->goal) {
        memcpy(arguments + 1, (const char *[]){"--goal", file->goal, "--", file->path},
               4 * sizeof *arguments);
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    for (unsigned i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&actions, out[i]);
        posix_spawn_file_actions_addclose(&actions, err[i]);
    }
    int fault =
        posix_spawnp(child, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    return fault;
}

// Waits for the program. Fills in the error that it printed, unless it succeeded.
static bool finish(pid_t child, char *message, struct fewest_error *error)
{
    static const char NAME[] = "fewest-import: ";
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    bool is_ours = strncmp(message, NAME, strlen(NAME)) == 0;
    bool is_system = WIFEXITED(status) && WEXITSTATUS(status) == STATUS_OF_SYSTEM;
    if (!is_ours) { // such as an exception of Python: its last line says what is wrong
        char *last = message + strlen(message);
        while (last > message && last[-1] != '\n') {
            last--;
        }
        return error_set(error, FEWEST_SYSTEM, "fewest-import failed: %s", last);
    }
    return error_set(error, is_system ? FEWEST_SYSTEM : FEWEST_BAD_INPUT, "%s",
                     message + strlen(NAME));
}

bool import_translate(const struct import_file *file, char **text, size_t *length,
                      struct fewest_error *error)
{
    char message[FEWEST_ERROR_SIZE * 8];
    int out[2] = {-1, -1};
    int err[2] = {-1, -1};
    pid_t child = 0;
    char *bytes = malloc(DEFINITION_LONGEST + 1);
    if (!bytes) {
        return error_no_memory(error, "for the definition");
    }
    bool piped = pipe(out) == 0 && pipe(err) == 0;
    int fault = piped ? start(file, out, err, &child) : errno;
    if (fault == ENOENT) {
        error_write(
            error, FEWEST_BAD_INPUT,
            "%s: this is %s, which fewest-import translates; it is not on the PATH: install "
            "the Python package (python3-fewest, or `pip install .` in the sources)",
            file->path, file->kind);
    } else if (fault != 0) {
        error_write(error, FEWEST_SYSTEM, "can't run fewest-import: %s", strerror(fault));
    }
    *length = read_pipe(out[0], bytes, DEFINITION_LONGEST + 1);
    size_t used = read_pipe(err[0], message, sizeof message - 1);
    while (used > 0 && message[used - 1] == '\n') {
        used--;
    }
    message[used] = '\0';
    bool done = fault == 0 && finish(child, message, error);
    if (!done) {
        free(bytes);
        bytes = NULL;
    }
    *text = bytes;
    return done;
}
