// fewest-gen: the command line of the generator.
#include "command_line.h"
#include "make.h"
#include "parallel.h"

#include <signal.h>
#include <stdio.h>
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

static enum exit_status usage(const char *text)
{
    command_complain_usage(MANUAL.name, "%s", text);
    return STATUS_USAGE;
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

static unsigned processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > PARALLEL_THREADS_MOST ? PARALLEL_THREADS_MOST : (unsigned)count;
}

static enum exit_status run(int argc, char **argv)
{
    struct request request = {.threads = processors(), .stopped = is_stopped, .watched = isatty(STDERR_FILENO)};
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
            request.watched = true;
            break;
        case OPTION_HELP:
            manual_print_help(&MANUAL, stdout);
            return STATUS_ANSWERED;
        case OPTION_VERSION:
            puts("fewest-gen " FEWEST_VERSION);
            return STATUS_ANSWERED;
        default:
            return STATUS_USAGE;
        }
    }
    return request.definition ? make_table(MANUAL.name, &request) : usage("which definition?");
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
