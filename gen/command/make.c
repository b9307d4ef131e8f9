// One run of the generator: reads the definition and makes its table, or prints its costs.
#include "make.h"

#include "gen/fewest_gen.h"
#include "gen/layers/layer_file.h"
#include "gen/plan/suggest.h"
#include "gen/ranks/ranks.h"
#include "gen/write/replace.h"
#include "progress.h"
#include "shell.h"
#include "source.h"
#include "tables/file/format.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// A run of the command.
struct work {
    const struct make_request *request;
    struct progress progress;
    struct source source;
    char path[PATH_SIZE]; // of the table
};

// ---- Messages -----------------------------------------------------------------------------------

// Before the number of states: it counts illegal states, too, and only the search finds them.
static const char *at_most(bool is_bound)
{
    return is_bound ? "at most " : "";
}

// The ranks of a plan, or those that there are.
static unsigned planned_ranks(const struct work *work)
{
    return work->request->ranks > 0 ? work->request->ranks : ranks_count();
}

static void print_states(const struct plan *plan)
{
    printf("puzzle      %s\nstates      %s%s\n", plan->puzzle.name,
           at_most(plan->puzzle.forbids_states), plan->states);
}

static void print_forecast(const struct work *work, const struct plan *plan)
{
    char size[SIZE_TEXT];
    char sharing[SHARING_SIZE];
    char time[TIME_SIZE];
    const struct forecast *forecast = &plan->forecast;
    unsigned threads = work->request->threads;
    unsigned ranks = planned_ranks(work);
    print_states(plan);
    if (forecast->databases > 0) {
        printf("entries     %llu in %u pattern databases\n", (unsigned long long)forecast->entries,
               forecast->databases);
    } else if (forecast->entries != plan->puzzle.reachable_count) {
        printf("entries     %llu from %u root%s\n", (unsigned long long)forecast->entries,
               forecast->roots, forecast->roots == 1 ? "" : "s");
    }
    for (unsigned l = 0; l < plan->puzzle.line_count; l++) {
        if (puzzle_write_sharing(&plan->puzzle, l, sharing)) {
            printf("shared      %s\n", sharing);
        }
    }
    printf("memory      %s%s\n", size_write(forecast->memory, size),
           ranks > 1 ? " for a rank" : "");
    printf("disk        at most %s%s\n", size_write(forecast->table + forecast->layers, size),
           ranks > 1 ? " for all ranks" : "");
    if (ranks > 1) {
        printf("sent        at most %s in a layer, by all ranks\n",
               size_write(forecast->sent, size));
    }
    printf("time        roughly %s on %u thread%s",
           write_time(forecast->seconds / threads / ranks, time), threads, threads == 1 ? "" : "s");
    printf(ranks > 1 ? " in each of %u ranks\n" : "\n", ranks);
}

// Warns of names that mean a rotation, because the author may have meant a move.
static void print_rotations(struct work *work)
{
    const struct move_list *others = &work->source.definition.others;
    bool chosen = work->source.definition.generators_line > 0;
    for (unsigned i = 0; i < others->count && !chosen; i++) {
        if (others->listed[i].is_rotation) {
            progress_print(&work->progress,
                           "%s: the name %s means a rotation of the whole puzzle, so it is not "
                           "counted as a move",
                           work->progress.shown, others->listed[i].name);
        }
    }
}

static void print_begin(struct work *work, const struct fewest_gen_progress *planned)
{
    char memory[SIZE_TEXT];
    char disk[SIZE_TEXT];
    if (!work->source.is_json) { // in a KPuzzle definition, these names are customary
        print_rotations(work);
    }
    progress_print(
        &work->progress, "%s: %s%.*s states; the search needs %s of memory, and at most %s of disk",
        work->progress.shown, at_most(planned->at_most), (int)strcspn(planned->states, " "),
        planned->states, size_write(planned->memory, memory), size_write(planned->disk, disk));
}

// The watcher of a run.
static bool watch(void *context, const struct fewest_gen_progress *progress)
{
    struct work *work = context;
    switch (progress->event) {
    case FEWEST_GEN_GOING:
        break;
    case FEWEST_GEN_PLANNED:
        print_begin(work, progress);
        break;
    case FEWEST_GEN_LAYER:
        progress_layer(&work->progress, progress);
        break;
    case FEWEST_GEN_PACKED:
        progress_packed(&work->progress, progress->packed, progress->blocks);
        break;
    case FEWEST_GEN_NOTE:
        progress_print(&work->progress, "%s: %s", work->progress.shown, progress->text);
        break;
    case FEWEST_GEN_WARNING:
        progress_complain(&work->progress, progress->text);
        break;
    }
    return !work->request->stopped();
}

// Prints the path. Suggests a command if the path needs no quotes in a shell.
static void print_written(struct work *work, bool unchanged)
{
    char shown[PATH_SIZE];
    const char *done = unchanged ? "already holds this table" : "table written";
    escape_text(shown, sizeof shown, work->path, strlen(work->path));
    if (format_has_suffix(work->path) && shell_is_plain(work->path)) {
        progress_print(&work->progress, "%s: %s; try `fewest %s %s`", shown, done,
                       work->source.definition.database_count > 0 ? "show" : "stats", work->path);
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

// Names the place of an error, and says what may help.
static bool explain(const struct work *work, enum fewest_gen_fault fault,
                    struct fewest_error *error)
{
    if (fault == FEWEST_GEN_DEFINITION) {
        return source_name_origin(&work->source, error);
    }
    if ((fault == FEWEST_GEN_SIZE || fault == FEWEST_GEN_MEMORY) &&
        can_have_databases(&work->source.definition)) {
        add_hint(work->request, error);
    }
    return fault == FEWEST_GEN_SIZE && error_prefix(error, work->request->definition);
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
    const char *name = work->source.definition.name;
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

// Nothing that is written may damage another file of the run. fewest_gen_make compares the table
// with the checkpoint.
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

// Two paths of a file that does not exist yet can look different, so the log is compared again when
// it is there.
static bool open_files(struct work *work, struct fewest_error *error)
{
    const char *log = work->request->log;
    return find_output(work, error) && check_files(work, error) &&
           (!log || (progress_open_log(&work->progress, log, error) && check_files(work, error)));
}

// ---- Costs and suggestions ----------------------------------------------------------------------

// Prints what the table would cost.
static bool plan_table(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    struct search_options options = {.threads = request->threads, .watch = watch, .context = work};
    struct plan plan;
    const char *text = work->source.text;
    bool known = plan_begin(&plan, text, work->source.length, request->metric, error) &&
                 plan_costs(&plan, &options, planned_ranks(work), error);
    bool is_elsewhere = request->ranks > 0; // the machines of a plan are others than this one
    bool done = known && ((is_elsewhere && request->memory == 0) ||
                          plan_check_memory(&plan, request->memory, error));
    if (done) {
        plan_tell(&plan, &options);
    }
    if (known) {
        print_forecast(work, &plan);
    } else if (plan.fault == FEWEST_GEN_SIZE) {
        print_states(&plan);
    }
    done = done || explain(work, plan.fault, error);
    plan_free(&plan);
    return done;
}

// Checks whether a table of all states fits into the memory. If it does, tells the user.
static bool tell_small(struct work *work, struct suggest_request *request, bool *fits,
                       struct fewest_error *error)
{
    struct plan *plan = request->plan;
    char size[SIZE_TEXT];
    *fits = false;
    if (puzzle_is_too_large(&plan->puzzle)) {
        return true;
    }
    if (!plan_costs(plan, request->options, planned_ranks(work), error)) {
        return false;
    }
    *fits = plan->forecast.memory <= request->memory;
    if (*fits) {
        fprintf(stderr,
                "%s: no pattern databases are needed: a table of all %s%.*s states takes %s of "
                "memory\n",
                work->progress.shown, at_most(plan->puzzle.forbids_states),
                (int)strcspn(plan->states, " "), plan->states,
                size_write(plan->forecast.memory, size));
    }
    return true;
}

static bool suggest_for_plan(struct work *work, struct plan *plan, struct fewest_error *error)
{
    const struct definition *definition = plan->puzzle.definition;
    struct search_options options = {
        .threads = work->request->threads, .watch = watch, .context = work};
    bool is_small = false;
    bool is_json = work->source.is_json;
    char command[2 * PATH_SIZE];
    struct suggest_request request = {.plan = plan,
                                      .memory = work->request->memory > 0 ? work->request->memory
                                                                          : forecast_available(),
                                      .options = &options,
                                      .command = is_json ? command : NULL};
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
    if (!tell_small(work, &request, &is_small, error)) {
        return false;
    }
    return is_small || suggest_databases(&request, error) ||
           source_name_origin(&work->source, error);
}

static bool suggest(struct work *work, struct fewest_error *error)
{
    struct plan plan;
    const struct source *source = &work->source;
    bool done = plan_begin(&plan, source->text, source->length, work->request->metric, error)
                    ? suggest_for_plan(work, &plan, error)
                    : explain(work, plan.fault, error);
    plan_free(&plan);
    return done;
}

// ---- The run ------------------------------------------------------------------------------------

// All ranks make the table together.
static bool make(struct work *work, bool is_prepared, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    const struct fewest_gen_options options = {.output = work->path,
                                               .force = request->force,
                                               .metric = (enum fewest_gen_metric)request->metric,
                                               .threads = request->threads,
                                               .memory = request->memory,
                                               .checkpoint = request->checkpoint,
                                               .watch = watch,
                                               .context = work};
    struct fewest_gen_result result;
    if (!ranks_barrier(is_prepared, error)) {
        return false;
    }
    if (!fewest_gen_make(work->source.text, work->source.length, &options, &result, error)) {
        return explain(work, result.fault, error);
    }
    print_written(work, result.unchanged);
    return true;
}

static bool run_request(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    bool is_read = source_read(&work->source, request, error);
    if (request->suggest) {
        return is_read && suggest(work, error);
    }
    if (request->dry_run) {
        return is_read && plan_table(work, error);
    }
    return make(work, is_read && open_files(work, error), error);
}

enum exit_status make_table(const char *program, const struct make_request *request)
{
    struct fewest_error error;
    struct work work = {.request = request};
    progress_begin(&work.progress, program, request->definition, request->watched);
    bool done = run_request(&work, &error);
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
