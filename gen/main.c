// fewest-gen: the command line of the generator.
#include "checkpoint.h"
#include "clock.h"
#include "command_line.h"
#include "forecast.h"
#include "generate.h"
#include "invariant.h"
#include "parallel.h"
#include "publish.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum option {
    OPTION_OUTPUT,
    OPTION_THREADS,
    OPTION_QUARTER,
    OPTION_LISTED,
    OPTION_TRACK,
    OPTION_DRY_RUN,
    OPTION_MEMORY,
    OPTION_CHECKPOINT,
    OPTION_VERBOSE,
    OPTION_HELP,
    OPTION_MAN,
    OPTION_VERSION,
};

static const struct manual MANUAL = {
    .name = "fewest-gen",
    .summary = "walk every state of a puzzle once and write its distance table",
    .synopsis =
        (const struct manual_item[]){
            {"[OPTION...] DEFINITION", "make the table of a .puzzle or .tws file"},
            {"--dry-run DEFINITION", "say what that would cost"},
            {NULL, NULL},
        },
    .options =
        (const struct command_option[]){
            [OPTION_OUTPUT] = {"output", 'o', "FILE", "the table to write (NAME.dtab in the current folder)"},
            [OPTION_THREADS] = {"threads", 'j', "THREADS", "1 to 64 threads (one a processor); the table is the same"},
            [OPTION_QUARTER] = {"quarter-turns", 'q', NULL, "count only a move and its inverse, not its other powers"},
            [OPTION_LISTED] = {"listed-moves", 'l', NULL, "count only the listed moves, not their powers and inverses"},
            [OPTION_TRACK] = {"track", 't', "PIECES",
                              "only these pieces count, the rest look alike: '1 2 3', 'SET 1 2'"},
            [OPTION_DRY_RUN] = {"dry-run", 'n', NULL, "print states, memory, disk and time, and make no table"},
            [OPTION_MEMORY] = {"memory", 'm', "SIZE", "refuse what takes more: 300M, 2G"},
            [OPTION_CHECKPOINT] = {"checkpoint", 'c', "FILE", "save the search there, and go on from there"},
            [OPTION_VERBOSE] = {"verbose", 'v', NULL, "states and memory, and a line for each depth, as on a terminal"},
            [OPTION_HELP] = {"help", 'h', NULL, "print this and stop"},
            [OPTION_MAN] = {"man", 0, NULL, "print the manual page (for man) and stop"},
            [OPTION_VERSION] = {"version", 'V', NULL, "print the version and stop"},
            {NULL, 0, NULL, NULL},
        },
    .notes =
        (const struct manual_item[]){
            {"Notes", "A table is put in place whole or not at all. puzzle(5) describes the definitions, dtab(5) the\n"
                      "tables. Ask a table with fewest(1)."},
            {NULL, NULL},
        },
    .examples =
        (const struct manual_item[]){
            {"fewest-gen tables/game.puzzle", "writes game.dtab"},
            {"fewest-gen -v -j 2 -o /tmp/g.dtab tables/game.puzzle", "tells how many states are at each depth"},
            {"fewest-gen --dry-run 2x2x2.tws", "states, memory, disk, time"},
            {"fewest-gen --track '1 2 3 4' tables/loopover44.puzzle", "these four tiles, the others alike"},
            {"fewest-gen --checkpoint saved -o x.dtab large.tws", "after Ctrl-C, the same again goes on"},
            {NULL, NULL},
        },
};

enum { PATH_SIZE = 4096 };

struct request {
    const char *definition;
    char shown[256]; // its name, as it may be printed
    const char *output;
    const char *track;      // or NULL
    const char *checkpoint; // or NULL
    uint64_t memory;        // the most that may be taken; 0: what there is
    bool dry_run;
    enum metric metric;
    unsigned threads;
    bool verbose;
    bool has_begun;      // the search at hand
    double begin;        // when
    double share_before; // of all states, that it found
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

// The time that is left is told of a search that has gone on for a while, from how much of it is done.
static void print_depth(void *context, unsigned depth, uint64_t states, uint64_t reached, uint64_t entries)
{
    static const double SHARE_LEAST = 0.01; // before that nothing can be told
    struct request *request = context;
    double share = (double)reached / (double)entries;
    if (!request->has_begun || share < request->share_before) { // or a search of another root has
        request->has_begun = true;
        request->share_before = share;
        request->begin = clock_seconds();
    }
    double seconds = clock_seconds() - request->begin;
    double done = share - request->share_before;
    fprintf(stderr, "%s: depth %u: %llu states, %.1f %% of all", request->shown, depth, (unsigned long long)states,
            100 * share);
    if (seconds > 1 && done > SHARE_LEAST && share < 1) {
        fprintf(stderr, ", about %.0f s left", seconds * (1 - share) / done);
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
static _Atomic int ended_by;

static void on_signal(int number)
{
    ended_by = number;
}

static bool is_stopped(void *context)
{
    (void)context;
    return ended_by != 0;
}

static void print_warning(void *context, const char *text)
{
    (void)context;
    command_complain(MANUAL.name, text);
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

// All that is known of the table that is to be made.
struct work {
    struct request *request;
    char *text; // of the definition
    size_t length;
    struct puzzle puzzle;
    struct search_options options;
    struct forecast forecast;
    struct checkpoint checkpoint; // where there is one
};

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool publish(struct work *work, struct fault *fault)
{
    char path[PATH_SIZE];
    struct publication publication;
    if (!find_output(work->request, &work->puzzle, path, fault)) {
        return false;
    }
    bool done = publish_begin(&publication, path, fault);
    if (done && work->options.checkpoint && strcmp(work->options.checkpoint->path, publication.path) == 0) {
        done = fault_set(fault, FAULT_INPUT, "%s: the checkpoint and the table can't be one file", path);
    }
    if (done && is_same_file(work->request->definition, publication.path)) {
        done = fault_set(fault, FAULT_INPUT, "%s: the definition and the table can't be one file", path);
    }
    if (done) {
        struct sink sink = publish_sink(&publication);
        work->options.folder = publication.folder;
        done = generate_table(&work->puzzle, work->text, work->length, &work->options, &sink, fault) &&
               publish_finish(&publication, work->options.threads);
    }
    publish_end(&publication);
    return done;
}

static bool make_with_checkpoint(struct work *work, struct fault *fault)
{
    if (work->puzzle.tracked) {
        return fault_set(fault, FAULT_BOUND, "%s is searched by databases, which have no checkpoints",
                         work->puzzle.name);
    }
    work->options.checkpoint = &work->checkpoint;
    bool done = checkpoint_open(&work->checkpoint, work->request->checkpoint, work->text, work->length,
                                work->puzzle.metric, fault) &&
                publish(work, fault);
    checkpoint_close(&work->checkpoint, done);
    return done;
}

static void print_invariant(void *context, const char *text)
{
    (void)context;
    printf("invariant   %s\n", text);
}

static void print_forecast(const struct work *work)
{
    char size[FORECAST_SIZE];
    double seconds = forecast_seconds(&work->puzzle, &work->options);
    printf("puzzle      %s\n", work->puzzle.name);
    printf("states      %llu", (unsigned long long)work->forecast.states);
    if (work->puzzle.root_count > 1 && !work->puzzle.tracked) {
        printf(", %llu from each of %u roots", (unsigned long long)work->puzzle.state_count, work->puzzle.root_count);
    }
    putchar('\n');
    invariants_tell(&work->puzzle, print_invariant, NULL);
    printf("memory      %s\n", forecast_write_size(work->forecast.memory, size));
    printf("disk        at most %s\n", forecast_write_size(work->forecast.disk, size));
    if (seconds >= 0) {
        printf("time        about %.*f s on %u thread%s\n", seconds < 10 ? 1 : 0, seconds, work->options.threads,
               work->options.threads == 1 ? "" : "s");
    } else {
        printf("time        unknown: databases are searched\n");
    }
}

// The options say which pieces are tracked in the words of the definition, which goes into the table.
static bool add_track(struct work *work, struct fault *fault)
{
    const char *track = work->request->track;
    size_t room = work->length + strlen(track) + sizeof "\nTrack \n";
    char *longer = strpbrk(track, "\r\n") ? NULL : malloc(room);
    if (!longer) {
        return fault_set(fault, FAULT_INPUT, "--track takes one line of pieces");
    }
    memcpy(longer, work->text, work->length);
    work->length += (size_t)sprintf(longer + work->length, "\nTrack %s\n", track);
    free(work->text);
    work->text = longer;
    return true;
}

static bool do_work(struct work *work, struct fault *fault)
{
    const struct request *request = work->request;
    if (!puzzle_compile(&work->puzzle, work->text, work->length, request->metric, fault)) {
        return fault_prefix(fault, request->definition);
    }
    work->forecast = forecast_costs(&work->puzzle, &work->options, work->length, request->checkpoint);
    bool done = forecast_check_memory(&work->forecast, &work->puzzle, request->memory, fault);
    if (done && work->options.progress) {
        char size[FORECAST_SIZE];
        fprintf(stderr, "%s: %llu states, %s of memory\n", request->shown, (unsigned long long)work->forecast.states,
                forecast_write_size(work->forecast.memory, size));
    }
    if (request->dry_run) {
        print_forecast(work);
    } else if (done) {
        done = request->checkpoint ? make_with_checkpoint(work, fault) : publish(work, fault);
    }
    puzzle_free(&work->puzzle);
    return done;
}

static enum exit_status make_table(struct request *request)
{
    struct fault fault;
    struct work work = {
        .request = request,
        .options = {.threads = request->threads, .stopped = is_stopped, .warn = print_warning, .context = request}};
    if (request->verbose || isatty(STDERR_FILENO)) {
        work.options.progress = print_depth;
    }
    fault_escape(request->shown, sizeof request->shown, request->definition, strlen(request->definition));
    work.text = read_file(request->definition, &work.length, &fault);
    bool done = work.text && (!request->track || add_track(&work, &fault)) && do_work(&work, &fault);
    free(work.text);
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
        case OPTION_LISTED:
            request.metric = METRIC_LISTED;
            break;
        case OPTION_TRACK:
            request.track = reader.value;
            break;
        case OPTION_DRY_RUN:
            request.dry_run = true;
            break;
        case OPTION_MEMORY:
            if (!argument_bytes(reader.value, &request.memory)) {
                return usage("a size is a number of bytes, or of K, M, G or T: 300M");
            }
            break;
        case OPTION_CHECKPOINT:
            request.checkpoint = reader.value;
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
