// The command line of fewest-gen.
#include "gen/fewest_gen.h"
#include "gen/ranks/ranks.h"
#include "make.h"
#include "tables/base/parallel.h"
#include "tables/file/format.h"
#include "tables/program/command_line.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum gen_option {
    OPTION_OUTPUT,
    OPTION_NAME,
    OPTION_FORCE,
    OPTION_THREADS,
    OPTION_QUARTER,
    OPTION_LISTED,
    OPTION_TRACK,
    OPTION_DATABASE,
    OPTION_GENERATORS,
    OPTION_GOAL,
    OPTION_DRY_RUN,
    OPTION_RANKS,
    OPTION_SUGGEST,
    OPTION_COUNT,
    OPTION_ROTATIONS,
    OPTION_DEPTH,
    OPTION_VERIFY,
    OPTION_NO_SYMMETRY,
    OPTION_JSON,
    OPTION_TSV,
    OPTION_MEMORY,
    OPTION_CHECKPOINT,
    OPTION_VERBOSE,
    OPTION_LOG,
    OPTION_HELP,
    OPTION_VERSION,
};

static const struct command_option OPTIONS[] = {
    [OPTION_OUTPUT] = {"output", 'o', "FILE",
                       "write the table to FILE (default: NAME.dtab, with the puzzle's name)"},
    [OPTION_NAME] = {"name", 0, "NAME",
                     "call the puzzle NAME (default: its name, or that of FILE without suffix)"},
    [OPTION_FORCE] = {"force", 'f', NULL,
                      "replace another puzzle's table, or a file that is not a table"},
    [OPTION_THREADS] = {"threads", 'j', "N", "use N threads, 1 to 64 (default: one per processor)"},
    [OPTION_QUARTER] = {"quarter-turns", 'q', NULL,
                        "count only listed moves and their inverses (quarter-turn metric)"},
    [OPTION_LISTED] = {"listed-moves", 'l', NULL,
                       "count only the listed moves, not their powers or inverses"},
    [OPTION_TRACK] = {"track", 't', "PIECES",
                      "distinguish only these pieces, as in '1-4', 'SET 1 2' or 'SET orientation'"},
    [OPTION_DATABASE] = {"database", 'd', "PIECES",
                         "make a pattern database of these pieces (up to 8 times), for a search"},
    [OPTION_GENERATORS] = {"generators", 'g', "MOVES",
                           "use only these moves and their powers, as in \"U F (R U R')\""},
    [OPTION_GOAL] = {"goal", 0, "FILE",
                     "take the solved state from FILE, which fewest-import reads"},
    [OPTION_DRY_RUN] = {"dry-run", 'n', NULL,
                        "print states, rotations, memory, disk and a rough estimate of the time"},
    [OPTION_RANKS] = {"ranks", 0, "N",
                      "with --dry-run: print the costs of N processes under mpirun"},
    [OPTION_SUGGEST] = {"suggest", 's', NULL, "propose Database lines that fit in --memory"},
    [OPTION_COUNT] = {"count", 0, NULL, "count the states at each distance; make no table"},
    [OPTION_ROTATIONS] = {"rotations", 0, NULL,
                          "with --count: count states that differ by a turn of the whole as one"},
    [OPTION_DEPTH] = {"depth", 0, "N",
                      "count only the states up to distance N, of a puzzle of any size"},
    [OPTION_VERIFY] = {"verify", 0, NULL,
                       "with --count: count twice, by two numberings; compare the counts"},
    [OPTION_NO_SYMMETRY] = {"no-symmetry", 0, NULL,
                            "with --count: search all states, not one of each class"},
    [OPTION_JSON] = {"json", 0, NULL, "with --count: print a JSON object"},
    [OPTION_TSV] = {"tsv", 0, NULL,
                    "with --count: print distances, states and classes, separated by tabs"},
    [OPTION_MEMORY] = {"memory", 'm', "SIZE",
                       "fail if the search needs more memory than SIZE (300M, 1.5G)"},
    [OPTION_CHECKPOINT] =
        {"checkpoint", 'c', "FILE",
         "save each layer in FILE (a byte a state); the next run resumes from it"},
    [OPTION_VERBOSE] = {"verbose", 'v', NULL, "print progress even if stderr is not a terminal"},
    [OPTION_LOG] = {"log", 0, "FILE", "append progress, with a line for each layer, to FILE"},
    [OPTION_HELP] = {"help", 'h', NULL, "print this help"},
    [OPTION_VERSION] = {"version", 'V', NULL, "print the version"},
    {NULL, 0, NULL, NULL},
};

static const char INTRODUCTION[] =
    "fewest-gen: make the distance table of a puzzle, or count its states\n"
    "\n"
    "Visits every state of the puzzle in a breadth-first search and writes down the least number "
    "of\n"
    "moves to each. fewest answers queries from that table.\n"
    "\n"
    "Usage: fewest-gen [OPTION...] DEFINITION\n"
    "\n"
    "DEFINITION is a file (.puzzle or .tws) with the pieces, the solved state and the moves.\n"
    "fewest-import translates files of other programs.\n"
    "\n"
    "Options:\n";

static const char NOTES[] =
    "\n"
    "By default every power of a listed move counts as one move. For cubes, this is the half-turn\n"
    "metric, and -q is the quarter-turn metric. In both, R2 in --generators is one move.\n"
    "An interrupted run leaves no table. The bytes of a table do not depend on the threads.\n"
    "\n"
    "Examples:\n"
    "  fewest-gen game.puzzle                             # writes game.dtab\n"
    "  fewest-gen --name pocket 2x2x2.tws                 # writes pocket.dtab\n"
    "  fewest-gen --dry-run 2x2x2.tws                     # prints what the table would cost\n"
    "  fewest-gen --track '1 2 3 4' loopover44.puzzle     # the other tiles look alike\n"
    "  fewest-gen --database '1 2 3 4 5 6' loopover44.puzzle  # for a search of all tiles\n"
    "  fewest-gen --generators 'U F R' 2x2x2.tws          # only these three faces turn\n"
    "  fewest-gen --suggest --memory 1G big.tws >>big.tws # adds Database lines to big.tws\n"
    "  fewest-gen --checkpoint saved -o x.dtab large.tws  # after Ctrl-C, run it again to resume\n"
    "  fewest-gen --count 2x2x2.tws                       # counts states, makes no table\n"
    "  fewest-gen --depth 3 large.tws                     # counts those up to distance 3\n"
    "  mpirun -n 64 fewest-gen large.tws                  # on a cluster, if it was built with "
    "MPI\n"
    "\n"
    "Exit status:\n"
    "  0      the table is made, or the states are counted\n"
    "  2      wrong usage, a bad definition, or a puzzle that is too large\n"
    "  3      the checkpoint is damaged or belongs to another search, or a verification failed\n"
    "  4      memory, input or output failed\n"
    "  128+n  stopped by signal n\n"
    "\n"
    "Manual: fewest-gen(1). Definitions: puzzle(5). Tables: dtab(5).\n";

static void print_help(void)
{
    fputs(INTRODUCTION, stdout);
    print_options(OPTIONS, UINT32_MAX, stdout);
    fputs(NOTES, stdout);
}

// Set by a signal that asks the program to end, else 0. The search asks has_signal and stops. Then
// main raises the signal again.
static _Atomic int signal_number;

static void note_signal(int number)
{
    signal_number = number;
}

static bool has_signal(void)
{
    return signal_number != 0;
}

// Each function for an option, down to apply_option, puts a value into the request. If the value is
// wrong, the function complains and returns false.

// Chooses a metric. Complains and returns false if another one is chosen already.
static bool set_metric(struct make_request *request, enum metric metric)
{
    if (request->metric != METRIC_POWERS && request->metric != metric) {
        command_complain_usage(PROGRAM, "--quarter-turns and --listed-moves exclude each other");
        return false;
    }
    request->metric = metric;
    return true;
}

// Counts the lines with this keyword that options add to the definition.
static unsigned count_lines(const struct make_request *request, enum added_keyword keyword)
{
    unsigned count = 0;
    for (unsigned l = 0; l < request->line_count; l++) {
        if (request->lines[l].keyword == keyword) {
            count++;
        }
    }
    return count;
}

// Adds a line to those that options add to the definition. Complains and returns false if there is
// a line that excludes it. The request has room for the line: there are at most DATABASES_MOST
// `Database` lines or one `Track` line, and one `Generators` line.
static bool add_line(struct make_request *request, enum added_keyword keyword, const char *words)
{
    unsigned tracks = count_lines(request, ADDED_TRACK);
    unsigned databases = count_lines(request, ADDED_DATABASE);
    if (keyword == ADDED_TRACK && tracks > 0) {
        command_complain_usage(PROGRAM, "--track appears twice; name all pieces in one");
        return false;
    }
    if (keyword == ADDED_GENERATORS && count_lines(request, ADDED_GENERATORS) > 0) {
        command_complain_usage(PROGRAM, "--generators appears twice; name all moves in one");
        return false;
    }
    if ((keyword == ADDED_TRACK && databases > 0) || (keyword == ADDED_DATABASE && tracks > 0)) {
        command_complain_usage(PROGRAM, "--track and --database exclude each other");
        return false;
    }
    if (keyword == ADDED_DATABASE && databases == DATABASES_MOST) {
        command_complain_usage(PROGRAM, "too many pattern databases: at most %d times --database",
                               DATABASES_MOST);
        return false;
    }
    request->lines[request->line_count++] = (struct added_line){keyword, words};
    return true;
}

// Chooses the name of the puzzle.
static bool set_name(struct make_request *request, const char *name)
{
    if (!definition_is_name(name, strlen(name))) {
        command_complain_usage(PROGRAM,
                               "--name: expected 1 to %d printable ASCII characters without a "
                               "space, got '%s'",
                               NAME_LONGEST, name);
        return false;
    }
    request->name = name;
    return true;
}

static bool set_ranks(struct make_request *request, const char *value)
{
    enum { RANKS_MOST = 1000000 };
    uint64_t count = 0;
    bool good = argument_number(PROGRAM, "--ranks", 1, RANKS_MOST, value, &count);
    request->ranks = (unsigned)count;
    return good;
}

static bool set_depth(struct make_request *request, const char *value)
{
    uint64_t depth = 0;
    bool good = argument_number(PROGRAM, "--depth", 1, DISTANCE_MOST, value, &depth);
    request->depth = (unsigned)depth;
    request->count = true;
    return good;
}

// Puts an option with its value into the request. Returns false if the value is wrong.
static bool apply_option(struct make_request *request, int option, const char *value)
{
    switch (option) {
    case OPTION_OUTPUT:
        request->output = value;
        return true;
    case OPTION_NAME:
        return set_name(request, value);
    case OPTION_FORCE:
        request->force = true;
        return true;
    case OPTION_THREADS:
        return argument_threads(PROGRAM, value, &request->threads);
    case OPTION_QUARTER:
        return set_metric(request, METRIC_QUARTER);
    case OPTION_LISTED:
        return set_metric(request, METRIC_LISTED);
    case OPTION_TRACK:
        return add_line(request, ADDED_TRACK, value);
    case OPTION_DATABASE:
        return add_line(request, ADDED_DATABASE, value);
    case OPTION_GENERATORS:
        return add_line(request, ADDED_GENERATORS, value);
    case OPTION_GOAL:
        request->goal = value;
        return true;
    case OPTION_DRY_RUN:
        request->dry_run = true;
        return true;
    case OPTION_RANKS:
        return set_ranks(request, value);
    case OPTION_SUGGEST:
        request->suggest = true;
        return true;
    case OPTION_COUNT:
        request->count = true;
        return true;
    case OPTION_ROTATIONS:
        request->rotations = true;
        return true;
    case OPTION_DEPTH:
        return set_depth(request, value);
    case OPTION_VERIFY:
        request->verify = true;
        return true;
    case OPTION_NO_SYMMETRY:
        request->no_symmetry = true;
        return true;
    case OPTION_JSON:
        request->json = true;
        return true;
    case OPTION_TSV:
        request->tsv = true;
        return true;
    case OPTION_MEMORY:
        request->memory_text = value;
        return argument_size(PROGRAM, "--memory", value, &request->memory);
    case OPTION_CHECKPOINT:
        request->checkpoint = value;
        return true;
    case OPTION_LOG:
        request->log = value;
        return true;
    default:
        request->watched = true; // --verbose
        return true;
    }
}

// Two options that exclude each other, and whether they are given.
struct exclusion {
    const char *option;
    const char *other;
    bool is_given;
    bool is_other_given;
};

// Complains and returns false if two options are given that exclude each other.
static bool check_exclusions(const struct make_request *request)
{
    bool has_output = request->output != NULL;
    bool has_checkpoint = request->checkpoint != NULL;
    bool has_depth = request->depth > 0;
    bool has_databases = count_lines(request, ADDED_DATABASE) > 0;
    const struct exclusion exclusions[] = {
        {"--suggest", "--output", request->suggest, has_output},
        {"--suggest", "--dry-run", request->suggest, request->dry_run},
        {"--suggest", "--checkpoint", request->suggest, has_checkpoint},
        {"--suggest", "--log", request->suggest, request->log != NULL},
        {"--suggest", "--track", request->suggest, count_lines(request, ADDED_TRACK) > 0},
        {"--suggest", "--database", request->suggest, has_databases},
        {"--suggest", "--count", request->suggest, request->count},
        {"--count", "--output", request->count, has_output},
        {"--count", "--force", request->count, request->force},
        {"--count", "--database", request->count, has_databases},
        {"--depth", "--rotations", has_depth, request->rotations},
        {"--depth", "--verify", has_depth, request->verify},
        {"--depth", "--checkpoint", has_depth, has_checkpoint},
        {"--depth", "--dry-run", has_depth, request->dry_run},
        {"--dry-run", "--json", request->dry_run, request->json},
        {"--dry-run", "--tsv", request->dry_run, request->tsv},
        {"--json", "--tsv", request->json, request->tsv},
    };
    for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++) {
        const struct exclusion *pair = &exclusions[i];
        if (pair->is_given && pair->is_other_given) {
            command_complain_usage(PROGRAM, "%s and %s exclude each other", pair->option,
                                   pair->other);
            return false;
        }
    }
    return true;
}

// Complains and returns false if an option is given that makes sense only with --count.
static bool check_needs(const struct make_request *request)
{
    const struct {
        const char *option;
        bool is_given;
    } only_with_count[] = {
        {"--rotations", request->rotations},
        {"--verify", request->verify},
        {"--no-symmetry", request->no_symmetry},
        {"--json", request->json},
        {"--tsv", request->tsv},
    };
    for (size_t i = 0; i < sizeof only_with_count / sizeof *only_with_count; i++) {
        if (only_with_count[i].is_given && !request->count) {
            command_complain_usage(PROGRAM, "%s needs --count", only_with_count[i].option);
            return false;
        }
    }
    return true;
}

// Puts an argument into the request, or prints the help or the version. `found` is what
// argument_next (command_line.h) has returned: an enum gen_option, ARGUMENT_OPERAND or
// ARGUMENT_BAD. Returns false, with the exit status, if the program is done.
static bool apply_argument(struct make_request *request, struct argument_reader *reader, int found,
                           enum exit_status *status)
{
    *status = STATUS_USAGE;
    if (found == ARGUMENT_BAD) {
        return false;
    }
    if (found == OPTION_HELP || found == OPTION_VERSION) {
        if (found == OPTION_HELP) {
            print_help();
        } else {
            puts(PROGRAM " " FEWEST_GEN_VERSION);
        }
        *status = STATUS_ANSWERED;
        return false;
    }
    if (found != ARGUMENT_OPERAND) {
        return apply_option(request, found, reader->value);
    }
    if (request->definition) {
        command_complain_usage(PROGRAM, "more than one DEFINITION: '%s' and '%s'",
                               request->definition, reader->value);
        return false;
    }
    request->definition = reader->value;
    return true;
}

// Reads the command line into the request. Returns false, with the exit status, if the program is
// done, because it has printed help or a complaint.
static bool read_request(int argc, char **argv, struct make_request *request,
                         enum exit_status *status)
{
    struct argument_reader reader = {
        .program = PROGRAM, .options = OPTIONS, .argc = argc, .argv = argv};
    int found = argument_next(&reader);
    while (found != ARGUMENT_END) {
        if (!apply_argument(request, &reader, found, status)) {
            return false;
        }
        found = argument_next(&reader);
    }
    *status = STATUS_USAGE;
    if (!request->definition) {
        command_complain_usage(PROGRAM,
                               "no DEFINITION: expected `fewest-gen [OPTION...] DEFINITION`");
        return false;
    }
    if (request->ranks > 0 && !request->dry_run) {
        command_complain_usage(PROGRAM,
                               "--ranks needs --dry-run; to make the table with %u processes, run "
                               "`mpirun -n %u fewest-gen ...`",
                               request->ranks, request->ranks);
        return false;
    }
    return check_needs(request) && check_exclusions(request);
}

// The task on the command line. Rank 0 alone does a dry run or a suggestion. All ranks together
// make a table.
enum task { TASK_NONE, TASK_ALONE, TASK_TABLE };

static enum task choose_task(bool is_good, const struct make_request *request)
{
    if (!is_good) {
        return TASK_NONE;
    }
    return request->dry_run || request->suggest ? TASK_ALONE : TASK_TABLE;
}

// Reads the command line and does its task, after a check that all ranks have the same task and
// version.
static enum exit_status run_command(int argc, char **argv)
{
    struct make_request request = {.command = argv,
                                   .threads = ranks_are_launched() ? 1 : parallel_processors(),
                                   .stopped = has_signal,
                                   .watched = isatty(STDERR_FILENO)};
    struct fewest_error error;
    enum exit_status status;
    bool is_good = read_request(argc, argv, &request, &status);
    enum task task = choose_task(is_good, &request);
    uint64_t digest = format_hash(FEWEST_GEN_VERSION, strlen(FEWEST_GEN_VERSION)) + task;
    if (!ranks_check_same(digest, "version or command line", &error)) {
        command_complain(PROGRAM, error.text);
        return exit_status_of(error.status);
    }
    if (!ranks_is_first()) {
        request.watched = false;
        request.log = NULL;
    }
    if (task == TASK_NONE) {
        return status;
    }
    if (task == TASK_ALONE && !ranks_is_first()) {
        return STATUS_ANSWERED;
    }
    return make_table(&request);
}

// Runs as one of the ranks, or as the only one.
static enum exit_status run_with_ranks(int argc, char **argv)
{
    ranks_join();
    enum exit_status status = run_command(argc, argv);
    ranks_leave();
    return status;
}

// Catches the signals that ask the program to end, except those that are ignored, as under nohup.
static void catch_signals(void)
{
    static const int SIGNALS[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = note_signal};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) {
        struct sigaction before;
        sigaction(SIGNALS[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) {
            sigaction(SIGNALS[i], &action, NULL);
        }
    }
}

int main(int argc, char **argv)
{
    catch_signals();
    command_begin();
    int status = command_end(PROGRAM, run_with_ranks(argc, argv));
    if (signal_number) { // ends the program as the signal would have
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    return status;
}
