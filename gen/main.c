// fewest-gen: the command line of the generator.
#include "command_line.h"
#include "generate.h"
#include "parallel.h"
#include "publish.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum option { OPTION_OUTPUT, OPTION_THREADS, OPTION_QUARTER, OPTION_VERBOSE, OPTION_HELP, OPTION_MAN, OPTION_VERSION };

static const struct manual MANUAL = {
    .name = "fewest-gen",
    .summary = "walk every state of a puzzle once and write its distance table",
    .synopsis =
        (const struct manual_item[]){
            {"[-o FILE] [-j THREADS] DEFINITION", "make the table of a .puzzle or .tws file"},
            {NULL, NULL},
        },
    .options =
        (const struct command_option[]){
            [OPTION_OUTPUT] = {"output", 'o', "FILE", "the table to write (NAME.dtab in the current folder)"},
            [OPTION_THREADS] = {"threads", 'j', "THREADS", "1 to 64 threads (one a processor); the table is the same"},
            [OPTION_QUARTER] = {"quarter-turns", 'q', NULL, "count only a move and its inverse, not its other powers"},
            [OPTION_VERBOSE] = {"verbose", 'v', NULL, "a line for each depth, as on a terminal"},
            [OPTION_HELP] = {"help", 'h', NULL, "print this and stop"},
            [OPTION_MAN] = {"man", 0, NULL, "print the manual page (for man) and stop"},
            [OPTION_VERSION] = {"version", 'V', NULL, "print the version and stop"},
            {NULL, 0, NULL, NULL},
        },
    .notes =
        (const struct manual_item[]){
            {"Notes",
             "A table is put in place whole or not at all. DEFINITION.md describes the definitions, FORMAT.md\n"
             "the tables. Ask a table with fewest(1)."},
            {NULL, NULL},
        },
    .examples =
        (const struct manual_item[]){
            {"fewest-gen tables/game.puzzle", "writes game.dtab"},
            {"fewest-gen -v -j 2 -o /tmp/g.dtab tables/game.puzzle", "tells how many states are at each depth"},
            {NULL, NULL},
        },
};

enum { PATH_SIZE = 4096 };

struct request {
    const char *definition;
    const char *output;
    enum metric metric;
    unsigned threads;
    bool verbose;
    struct timespec begin; // of the search at hand
};

static enum exit_status usage(const char *text)
{
    command_complain_usage(MANUAL.name, "%s", text);
    return STATUS_USAGE;
}

static enum exit_status report(const struct fault *fault)
{
    command_complain(MANUAL.name, fault->text);
    return fault_exit_status(fault->code);
}

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

// The time that is left is told of a search that has gone on for a while, from how much of it is done.
static void print_depth(void *context, unsigned depth, uint64_t states, uint64_t reached, uint64_t entries)
{
    struct request *request = context;
    double share = (double)reached / (double)entries;
    if (depth == 0) {
        clock_gettime(CLOCK_MONOTONIC, &request->begin);
    }
    double seconds = seconds_since(&request->begin);
    fprintf(stderr, "%s: depth %u: %llu states, %.1f %% of all", request->definition, depth, (unsigned long long)states,
            100 * share);
    if (seconds > 1 && share > 0 && share < 1) {
        fprintf(stderr, ", about %.0f s left", seconds * (1 - share) / share);
    }
    fputc('\n', stderr);
}

// Reads a whole file of at most DEFINITION_LONGEST bytes (one more shows that it is longer).
static char *read_file(const char *path, size_t *length, struct fault *fault)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(DEFINITION_LONGEST + 1);
    if (!file || !text) {
        fault_write(fault, FAULT_SYSTEM, "%s: %s", path, strerror(errno));
    } else {
        *length = fread(text, 1, DEFINITION_LONGEST + 1, file);
        if (!ferror(file)) {
            fclose(file);
            return text;
        }
        fault_write(fault, FAULT_SYSTEM, "%s: %s", path, strerror(errno));
    }
    if (file) {
        fclose(file);
    }
    free(text);
    return NULL;
}

// Set by a signal that asks to end: the search stops at once, and main ends with the signal.
static volatile sig_atomic_t ended_by;

static void on_signal(int number)
{
    ended_by = number;
}

static bool is_stopped(void *context)
{
    (void)context;
    return ended_by != 0;
}

// Where the table goes: what was asked for, or NAME.dtab.
static bool find_output(const struct request *request, const struct puzzle *puzzle, char path[PATH_SIZE],
                        struct fault *fault)
{
    if (request->output) {
        return snprintf(path, PATH_SIZE, "%s", request->output) < PATH_SIZE ||
               fault_set(fault, FAULT_INPUT, "the name of the output is too long");
    }
    snprintf(path, PATH_SIZE, "%s.dtab", puzzle->name);
    return !strchr(puzzle->name, '/') ||
           fault_set(fault, FAULT_INPUT, "%s: its name, %s, can't be a file's; say where with -o", request->definition,
                     puzzle->name);
}

static bool publish(struct request *request, const struct puzzle *puzzle, const char *text, size_t length,
                    struct fault *fault)
{
    char path[PATH_SIZE];
    struct publication publication;
    if (!find_output(request, puzzle, path, fault)) {
        return false;
    }
    bool done = publish_begin(&publication, path, fault);
    if (done) {
        struct sink sink = publish_sink(&publication);
        struct search_options options = {
            .threads = request->threads, .folder = publication.folder, .stopped = is_stopped, .context = request};
        if (request->verbose || isatty(STDERR_FILENO)) {
            options.progress = print_depth;
        }
        done = generate_table(puzzle, text, length, &options, &sink, fault) &&
               publish_finish(&publication, request->threads);
    }
    publish_end(&publication);
    return done;
}

static enum exit_status make_table(struct request *request)
{
    struct fault fault;
    struct puzzle puzzle;
    size_t length;
    char *text = read_file(request->definition, &length, &fault);
    if (!text) {
        return report(&fault);
    }
    bool done = puzzle_compile(&puzzle, text, length, request->metric, &fault);
    if (done) {
        done = publish(request, &puzzle, text, length, &fault);
        puzzle_free(&puzzle);
    } else {
        fault_prefix(&fault, request->definition);
    }
    free(text);
    return done ? STATUS_ANSWERED : report(&fault);
}

static unsigned processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > PARALLEL_THREADS_MOST ? PARALLEL_THREADS_MOST : (unsigned)count;
}

static enum exit_status run(int argc, char **argv)
{
    struct request request = {.threads = processors()};
    struct argument_reader reader = {.argc = argc, .argv = argv, .manual = &MANUAL};
    for (int found; (found = argument_next(&reader)) != ARGUMENT_END;) {
        switch (found) {
        case ARGUMENT_OPERAND:
            if (request.definition) {
                return usage("one definition at a time");
            }
            request.definition = reader.value;
            break;
        case OPTION_OUTPUT:
            request.output = reader.value;
            break;
        case OPTION_THREADS:
            if (!argument_threads(reader.value, &request.threads)) {
                return usage("the number of threads is from 1 to 64");
            }
            break;
        case OPTION_QUARTER:
            request.metric = METRIC_QUARTER;
            break;
        case OPTION_VERBOSE:
            request.verbose = true;
            break;
        case OPTION_HELP:
            manual_print_help(&MANUAL, stdout);
            return STATUS_ANSWERED;
        case OPTION_MAN:
            manual_print_page(&MANUAL, stdout);
            return STATUS_ANSWERED;
        case OPTION_VERSION:
            puts("fewest-gen " FEWEST_VERSION);
            return STATUS_ANSWERED;
        default:
            return STATUS_USAGE;
        }
    }
    return request.definition ? make_table(&request) : usage("which definition?");
}

int main(int argc, char **argv)
{
    static const int SIGNALS[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = on_signal};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) {
        struct sigaction before;
        sigaction(SIGNALS[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) { // as nohup has it
            sigaction(SIGNALS[i], &action, NULL);
        }
    }
    command_begin();
    int status = command_end(MANUAL.name, run(argc, argv));
    if (ended_by) {
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
    return status;
}
