// One run of the generator: definition, puzzle, costs, table.
#include "make.h"

#include "tables/puzzle/compile.h"

#include "gen/generate.h"
#include "gen/layers/layer_file.h"
#include "gen/plan/forecast.h"
#include "gen/plan/suggest.h"
#include "gen/plan/wildcards.h"
#include "gen/ranks/ranks.h"
#include "gen/write/publish.h"
#include "gen/write/replace.h"
#include "progress.h"
#include "shell.h"
#include "source.h"
#include "tables/file/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// The table to make, and its progress.
struct work {
    const struct make_request *request;
    struct progress progress;
    struct source source;
    struct puzzle puzzle;
    char states[STATE_COUNT_SIZE]; // their exact number
    struct search_options options;
    struct forecast forecast;
    char path[PATH_SIZE];         // of the table
    struct layer_file checkpoint; // opened if the request has one
};

// ---- Messages -----------------------------------------------------------------------------------

// Before the number of states: it counts illegal states, too, and only the search finds them.
static const char *at_most(const struct work *work)
{
    return work->puzzle.forbids_states ? "at most " : "";
}

// The ranks of a plan, or those that there are.
static unsigned planned_ranks(const struct work *work)
{
    return work->request->ranks > 0 ? work->request->ranks : ranks_count();
}

static void print_forecast(const struct work *work)
{
    char size[SIZE_TEXT];
    char sharing[SHARING_SIZE];
    char time[TIME_SIZE];
    unsigned ranks = planned_ranks(work);
    double seconds = work->forecast.seconds / work->options.threads / ranks;
    printf("puzzle      %s\n", work->puzzle.name);
    printf("states      %s%s\n", at_most(work), work->states);
    if (work->forecast.databases > 0) {
        printf("entries     %llu in %u pattern databases\n",
               (unsigned long long)work->forecast.entries, work->forecast.databases);
    } else if (work->forecast.entries != work->puzzle.reachable_count) {
        printf("entries     %llu from %u root%s\n", (unsigned long long)work->forecast.entries,
               work->forecast.roots, work->forecast.roots == 1 ? "" : "s");
    }
    for (unsigned l = 0; l < work->puzzle.line_count; l++) {
        if (puzzle_write_sharing(&work->puzzle, l, sharing)) {
            printf("shared      %s\n", sharing);
        }
    }
    printf("memory      %s%s\n", size_write(work->forecast.memory, size),
           ranks > 1 ? " for a rank" : "");
    printf("disk        at most %s%s\n",
           size_write(work->forecast.table + work->forecast.layers, size),
           ranks > 1 ? " for all ranks" : "");
    if (ranks > 1) {
        printf("sent        at most %s in a layer, by all ranks\n",
               size_write(work->forecast.sent, size));
    }
    printf("time        roughly %s on %u thread%s", write_time(seconds, time),
           work->options.threads, work->options.threads == 1 ? "" : "s");
    printf(ranks > 1 ? " in each of %u ranks\n" : "\n", ranks);
}

// Warns of names that mean a rotation, because the author may have meant a move.
static void print_rotations(struct work *work)
{
    const struct move_list *others = &work->puzzle.definition->others;
    bool chosen = work->puzzle.definition->generators_line > 0;
    for (unsigned i = 0; i < others->count && !chosen; i++) {
        if (others->listed[i].is_rotation) {
            progress_print(&work->progress,
                           "%s: the name %s means a rotation of the whole puzzle, so it is not "
                           "counted as a move",
                           work->progress.shown, others->listed[i].name);
        }
    }
}

static void print_begin(struct work *work)
{
    char memory[SIZE_TEXT];
    char disk[SIZE_TEXT];
    char sharing[SHARING_SIZE];
    if (!work->source.is_json) { // in a KPuzzle definition, these names are customary
        print_rotations(work);
    }
    for (unsigned l = 0; l < work->puzzle.line_count; l++) {
        if (puzzle_write_sharing(&work->puzzle, l, sharing)) {
            progress_print(&work->progress, "%s: %s", work->progress.shown, sharing);
        }
    }
    progress_print(&work->progress,
                   "%s: %s%.*s states; the search needs %s of memory, and at most %s of disk",
                   work->progress.shown, at_most(work), (int)strcspn(work->states, " "),
                   work->states, size_write(work->forecast.memory, memory),
                   size_write(work->forecast.table + work->forecast.layers, disk));
}

// Prints the path. Suggests a command if the path needs no quotes in a shell.
static void print_written(struct work *work, bool unchanged)
{
    char shown[PATH_SIZE];
    const char *done = unchanged ? "already holds this table" : "table written";
    escape_text(shown, sizeof shown, work->path, strlen(work->path));
    if (format_has_suffix(work->path) && shell_is_plain(work->path)) {
        progress_print(&work->progress, "%s: %s; try `fewest %s %s`", shown, done,
                       work->forecast.databases > 0 ? "show" : "stats", work->path);
    } else {
        progress_print(&work->progress, "%s: %s", shown, done);
    }
}

// ---- Remedies -----------------------------------------------------------------------------------

// May the definition have `Database` lines? It has none yet.
static bool can_have_databases(const struct definition *definition)
{
    return definition->database_count == 0 && definition->projection.line == 0 &&
           definition->goal_count == 0 && (!definition->board || definition->board->has_databases);
}

// Writes a command that begins like this, and goes on with the options that choose the puzzle, and
// its definition. "DEFINITION" replaces a path that would not fit or print.
static void write_command(const struct make_request *request, const char *begin, char *command,
                          size_t size)
{
    static const char *const METRIC[] = {
        [METRIC_POWERS] = "", [METRIC_QUARTER] = " -q", [METRIC_LISTED] = " -l"};
    snprintf(command, size, "%s%s", begin, METRIC[request->metric]);
    if (request->goal) {
        shell_append(command, size, "--goal");
        shell_append(command, size, request->goal);
    }
    for (unsigned l = 0; l < request->line_count; l++) {
        if (request->lines[l].keyword == ADDED_GENERATORS) {
            shell_append(command, size, "--generators");
            shell_append(command, size, request->lines[l].words);
        }
    }
    if (request->definition[0] == '-' || !shell_append(command, size, request->definition)) {
        shell_append(command, size, "DEFINITION");
    }
}

// Ends an error with the command that proposes pattern databases.
static void add_hint(const struct make_request *request, struct fewest_error *error)
{
    char begin[64];
    char command[200];
    snprintf(begin, sizeof begin, "fewest-gen --suggest --memory %.20s",
             request->memory_text ? request->memory_text : "1G");
    write_command(request, begin, command, sizeof command);
    error_append(error, "; `%s` proposes pattern databases for a search", command);
}

// Ends an error about memory with what needs less of it.
static void add_remedy(const struct work *work, struct fewest_error *error)
{
    if (can_have_databases(work->puzzle.definition)) {
        add_hint(work->request, error);
    } else if (work->puzzle.definition->projection.line > 0) {
        error_append(error, "; name fewer pieces in `Track`");
    }
}

// Writes how many states there are in a few words: "43252003274489856000" or "more than 10^78".
static void write_count(const struct work *work, char *text, size_t size)
{
    enum { DIGITS_MOST = 40 };
    size_t digits = strcspn(work->states, " ");
    if (work->puzzle.board) { // a board on a line has more entries than states
        snprintf(text, size, "%llu", (unsigned long long)work->puzzle.numbering.state_count);
    } else if (digits <= DIGITS_MOST) {
        snprintf(text, size, "%.*s", (int)digits, work->states);
    } else {
        snprintf(text, size, "more than 10^%zu", digits - 1);
    }
}

// Writes what to do about a puzzle that is too large. For `Track`, tells by how much it is.
static void write_remedy(const struct work *work, char *text, size_t size)
{
    enum { DIGITS_MOST = 30 };
    const struct definition *definition = work->puzzle.definition;
    size_t digits = strcspn(work->states, " ");
    size_t digits_of_most = 13; // of STATES_MOST
    *text = '\0';
    if (definition->projection.line > 0 && digits <= DIGITS_MOST) {
        double times = strtod(work->states, NULL) / (double)STATES_MOST;
        snprintf(text, size, ": %.*f times as many; name fewer pieces in `Track`",
                 times < 100 ? 1 : 0, times);
    } else if (definition->projection.line > 0) {
        snprintf(text, size, ": more than 10^%zu times as many; name fewer pieces in `Track`",
                 digits - digits_of_most - 1);
    } else if (definition->goal_count > 0) {
        snprintf(text, size,
                 "; remove `Goal`, then name some of the pieces in `Database` or `Track`");
    }
}

// A dry run still tells the number of states.
static bool refuse_large(const struct work *work, struct fewest_error *error)
{
    char count[64];
    char remedy[128];
    write_count(work, count, sizeof count);
    write_remedy(work, remedy, sizeof remedy);
    if (work->request->dry_run) {
        printf("puzzle      %s\nstates      %s%s\n", work->puzzle.name, at_most(work),
               work->states);
    }
    error_write(error, FEWEST_BEYOND, "%s has %s %sstates, too many for a table (at most %llu)%s",
                work->puzzle.name, count, work->puzzle.forbids_states ? "legal and illegal " : "",
                (unsigned long long)STATES_MOST, remedy);
    if (can_have_databases(work->puzzle.definition)) {
        add_hint(work->request, error);
    }
    return error_prefix(error, work->request->definition);
}

// Did a run that ended leave a checkpoint?
static bool has_checkpoint(const struct make_request *request)
{
    char path[PATH_SIZE];
    return request->checkpoint &&
           layer_file_name(request->checkpoint, ranks_count(), 0, path, sizeof path) &&
           access(path, F_OK) == 0;
}

// Ends the message of a stopped run with the command that goes on from the checkpoint, if one was
// saved. If the command is too long or does not print, it is the same command.
static void add_resumption(const struct make_request *request, struct fewest_error *error)
{
    char command[FEWEST_ERROR_SIZE] = "";
    bool fits = true;
    if (!has_checkpoint(request)) {
        return;
    }
    if (ranks_count() > 1) {
        error_append(error, "; to go on from the checkpoints, run the same command again");
        return;
    }
    for (char *const *word = request->command; *word && fits; word++) {
        fits = shell_append(command, sizeof command, *word);
    }
    error_append(error, "; to go on from the checkpoint %s, run ", request->checkpoint);
    fits = fits && strlen(error->text) + strlen(command) + sizeof "``" < sizeof error->text;
    error_append(error, fits ? "`%s`" : "the same command again", command);
}

// ---- Files --------------------------------------------------------------------------------------

// Finds the table's path: that of --output, or NAME.dtab.
static bool find_output(struct work *work, struct fewest_error *error)
{
    const char *output = work->request->output;
    const char *name = work->puzzle.name;
    if (output) {
        return snprintf(work->path, PATH_SIZE, "%s", output) < PATH_SIZE ||
               error_set(error, FEWEST_BAD_INPUT, "--output: this name has more than %d bytes",
                         PATH_SIZE - 1);
    }
    snprintf(work->path, PATH_SIZE, "%s" FORMAT_SUFFIX, name);
    return !strchr(name, '/') ||
           error_set(error, FEWEST_BAD_INPUT,
                     "%s: the puzzle's name, %s, can't be the name of a file; use -o FILE",
                     work->request->definition, name);
}

// Are these two files one? Either path may be NULL.
static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return a && b &&
           (strcmp(a, b) == 0 || (stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
                                  of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino));
}

// Nothing that is written may damage another file of the run. Two paths of a file that does not
// exist yet can look different: the table is checked again when the checkpoint is there.
static bool check_files(const struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    const struct {
        const char *path;
        const char *other;
        const char *fault;
        const char *option;
    } pairs[] = {
        {request->log, request->definition, "the log and the definition can't be one file", "log"},
        {request->log, work->path, "the log and the table can't be one file", "log"},
        {request->log, request->checkpoint, "the log and the checkpoint can't be one file", "log"},
        {work->path, request->checkpoint, "the table and the checkpoint can't be one file",
         "checkpoint"},
        {work->path, request->definition, "the table would replace the definition", "output"},
        {work->path, request->goal, "the table would replace the goal", "output"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (is_same_file(pairs[i].path, pairs[i].other)) {
            return error_set(error, FEWEST_BAD_INPUT, "%s: %s; use another name for --%s",
                             pairs[i].path, pairs[i].fault, pairs[i].option);
        }
    }
    return true;
}

static bool open_log(struct work *work, struct fewest_error *error)
{
    return check_files(work, error) &&
           progress_open_log(&work->progress, work->request->log, error);
}

// The layers are kept beside the table. On a cluster, TMPDIR can name a disk of each machine.
static const char *folder_for_layers(const struct publication *publication)
{
    const char *own = getenv("TMPDIR");
    return ranks_count() > 1 && own && own[0] ? NULL : publication->folder;
}

static bool publish_table(struct work *work, struct fewest_error *error)
{
    struct publication publication = {.file = -1};
    bool done = check_files(work, error) && publish_begin(&publication, work->path, error) &&
                (work->request->force || replace_check(work->path, work->puzzle.definition, error));
    work->options.folder = folder_for_layers(&publication);
    if (done && ranks_is_first() && work->options.folder) {
        done = forecast_check_disk(&work->forecast, &work->puzzle, &work->options, error);
    }
    if (ranks_barrier(done, error)) {
        // The ranks but the first use their files to keep their blocks.
        struct output output = publish_output(&publication);
        done = generate_table(&work->puzzle, work->source.text, work->source.length, &work->options,
                              &output, error);
        if (done && ranks_is_first()) {
            done = publish_finish(&publication, work->options.threads);
        }
        done = ranks_barrier(done, error);
    } else {
        done = false;
    }
    bool unchanged = publication.unchanged;
    publish_end(&publication);
    if (done) {
        print_written(work, unchanged);
    }
    return done;
}

static bool make_with_checkpoint(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    const struct numbering_functions *functions = work->puzzle.numbering.functions;
    const char *unsaved = work->forecast.databases > 0     ? "pattern databases, whose searches"
                          : functions && functions->search ? "rolling cubes, whose search"
                                                           : NULL;
    if (unsaved) {
        return error_set(error, FEWEST_BEYOND, "%s has %s can't be saved; leave out --checkpoint",
                         work->puzzle.name, unsaved);
    }
    work->options.checkpoint = &work->checkpoint;
    bool opened = layer_file_open(&work->checkpoint, request->checkpoint, work->source.text,
                                  work->source.length, work->puzzle.metric, error);
    bool done = ranks_barrier(opened, error) && publish_table(work, error);
    layer_file_close(&work->checkpoint, done);
    return done;
}

// ---- Costs and suggestions ----------------------------------------------------------------------

// Computes what a table of all states costs.
static bool find_costs(struct work *work, struct fewest_error *error)
{
    if (!wildcards_number(&work->puzzle, error)) {
        return false;
    }
    work->forecast =
        forecast_costs(&work->puzzle, &work->options, planned_ranks(work), work->source.length);
    return true;
}

// Checks whether a table of all states fits into the memory. If it does, tells the user.
static bool tell_small(struct work *work, uint64_t memory, bool *fits, struct fewest_error *error)
{
    char size[SIZE_TEXT];
    *fits = false;
    if (puzzle_is_too_large(&work->puzzle)) {
        return true;
    }
    if (!find_costs(work, error)) {
        return false;
    }
    *fits = work->forecast.memory <= memory;
    if (*fits) {
        fprintf(stderr,
                "%s: no pattern databases are needed: a table of all %s%.*s states takes %s of "
                "memory\n",
                work->progress.shown, at_most(work), (int)strcspn(work->states, " "), work->states,
                size_write(work->forecast.memory, size));
    }
    return true;
}

static bool suggest(struct work *work, struct fewest_error *error)
{
    const struct definition *definition = work->puzzle.definition;
    uint64_t memory = work->request->memory > 0 ? work->request->memory : forecast_available();
    bool is_small = false;
    bool is_json = work->source.is_json;
    char command[2 * PATH_SIZE];
    struct suggest_request request = {&work->puzzle, work->source.text, work->source.length,
                                      memory,        &work->options,    is_json ? command : NULL};
    write_command(work->request, "fewest-gen", command, sizeof command);
    if (is_json && is_same_file("/dev/stdout", work->request->definition)) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: no lines can be appended to JSON; without >>FILE, --suggest prints a "
                         "command with --database",
                         work->request->definition);
    }
    if (definition->database_count > 0 || definition->projection.line > 0) {
        bool track = definition->projection.line > 0;
        error_write_line(error, FEWEST_BAD_INPUT,
                         track ? definition->projection.line : definition->databases[0].line,
                         "remove the `%s` lines; --suggest proposes pattern databases for a puzzle "
                         "without any",
                         track ? "Track" : "Database");
        return source_name_origin(&work->source, error);
    }
    if (!tell_small(work, memory, &is_small, error)) {
        return false;
    }
    return is_small || suggest_databases(&request, error) ||
           source_name_origin(&work->source, error);
}

// ---- The run ------------------------------------------------------------------------------------

// Reads and compiles the definition.
static bool compile_definition(struct work *work, struct fewest_error *error)
{
    const struct source *source = &work->source;
    if (!source_read(&work->source, work->request, error)) {
        return false;
    }
    if (!puzzle_compile(&work->puzzle, source->text, source->length, work->request->metric,
                        error)) {
        return source_name_origin(source, error);
    }
    puzzle_write_state_count(&work->puzzle, work->states);
    return true;
}

// Checks that the table can be made. *known tells whether its costs are known.
static bool check_costs(struct work *work, bool *known, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    if (puzzle_is_too_large(&work->puzzle)) {
        return refuse_large(work, error);
    }
    if (!find_costs(work, error)) {
        return false;
    }
    *known = true;
    bool is_elsewhere = request->ranks > 0; // the machines of a plan are others than this one
    if (!(is_elsewhere && request->memory == 0) &&
        !forecast_check_memory(&work->forecast, &work->puzzle, request->memory, error)) {
        add_remedy(work, error);
        return false;
    }
    return true;
}

// Stands for what all ranks must have in common.
static uint64_t digest_of(const struct work *work)
{
    uint64_t parts[] = {format_hash(work->source.text, work->source.length), work->request->metric,
                        work->request->checkpoint != NULL};
    return format_hash(parts, sizeof parts);
}

static bool run_request(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    bool known = false;
    bool done = compile_definition(work, error);
    if (request->suggest) {
        return done && suggest(work, error);
    }
    done = done && check_costs(work, &known, error);
    if (request->dry_run) {
        if (done) {
            print_begin(work);
        }
        if (known) {
            print_forecast(work);
        }
        return done;
    }
    done = done && find_output(work, error) && (!request->log || open_log(work, error));
    if (!ranks_barrier(done, error)) {
        return false;
    }
    print_begin(work);
    return ranks_same(digest_of(work), "definition or options", error) &&
           (request->checkpoint ? make_with_checkpoint(work, error) : publish_table(work, error));
}

enum exit_status make_table(const char *program, const struct make_request *request)
{
    struct fewest_error error;
    struct work work = {.request = request};
    bool reports = request->watched || request->log;
    work.options = (struct search_options){.threads = request->threads,
                                           .progress = reports ? progress_layer : NULL,
                                           .packed = reports ? progress_packed : NULL,
                                           .stopped = request->stopped,
                                           .warn = progress_warn,
                                           .context = &work.progress};
    progress_begin(&work.progress, program, request->definition, request->watched);
    bool done = run_request(&work, &error);
    puzzle_free(&work.puzzle);
    source_free(&work.source);
    if (!done) {
        if (error.status == FEWEST_STOPPED) {
            add_resumption(request, &error);
        }
        progress_complain(&work.progress, error.text);
    }
    progress_end(&work.progress);
    return done ? STATUS_ANSWERED : exit_status_of(error.status);
}
