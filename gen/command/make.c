// One run of the generator: reads the definition and makes its table, or prints its costs.
#include "make.h"

#include "counts.h"
#include "gen/count.h"
#include "gen/fewest_gen.h"
#include "gen/plan/suggest.h"
#include "gen/ranks/ranks.h"
#include "gen/write/replace.h"
#include "progress.h"
#include "shell.h"
#include "source.h"
#include "tables/base/row_set.h"
#include "tables/file/format.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// A run of the command.
struct run {
    const struct make_request *request;
    struct progress progress;
    struct source source;
    char path[PATH_SIZE]; // of the table
};

// ---- Messages -----------------------------------------------------------------------------------

// The number of ranks to plan for: that of --ranks, or those that there are.
static unsigned planned_ranks(const struct run *run)
{
    return run->request->ranks > 0 ? run->request->ranks : ranks_count();
}

// Prints a line with the rotations, unless there are none or `Generators` says which moves count.
static void print_rotations(const struct definition *definition)
{
    const char *before = "rotations  "; // before the next name; "" after the first one
    for (unsigned i = 0; i < definition->others.count && definition->generators_line == 0; i++) {
        if (definition->others.listed[i].is_rotation) {
            printf("%s %s", before, definition->others.listed[i].name);
            before = "";
        }
    }
    if (!*before) {
        putchar('\n');
    }
}

// Prints the moves that are powers of other moves, but count as one move in the quarter-turn metric
// because the definition lists them. Prints nothing if memory runs out.
static void print_listed_powers(const struct puzzle *puzzle)
{
    const struct definition *definition = puzzle->definition;
    struct row_set powers;
    if (puzzle->metric != METRIC_QUARTER || definition->only_listed || definition->board) {
        return;
    }
    bool done = definition_list_powers(definition, &powers);
    for (unsigned m = 0; m < puzzle->move_count && done; m++) {
        const struct move *move = &puzzle->moves[m];
        if (definition_has_power(definition, &powers, &definition->generators[move->generator])) {
            printf("metric      %s counts as one move\n", move->name);
        }
    }
    row_set_close(&powers);
}

// Prints what a dry run says about any puzzle, even if it is too large for a table.
static void print_puzzle(const struct plan *plan)
{
    printf("puzzle      %s\nstates      %s\n", plan->puzzle.name, plan->states);
    print_rotations(plan->puzzle.definition);
    print_listed_powers(&plan->puzzle);
}

// Prints the output of a dry run, on stdout: the puzzle, and the costs of its table.
static void print_forecast(const struct run *run, const struct plan *plan)
{
    char size[SIZE_TEXT];
    char sharing[SHARING_SIZE];
    char time[TIME_SIZE];
    const struct forecast *forecast = &plan->forecast;
    unsigned threads = run->request->threads;
    unsigned ranks = planned_ranks(run);
    print_puzzle(plan);
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
    if (ranks > 1) {
        printf(" in each of %u ranks", ranks);
    }
    putchar('\n');
}

// Prints the output of a dry run with --count, on stdout.
static void print_count_costs(const struct run *run, const struct count_costs *costs)
{
    char size[SIZE_TEXT];
    char time[TIME_SIZE];
    const struct forecast *forecast = &costs->plan.forecast;
    unsigned threads = run->request->threads;
    print_puzzle(&costs->plan);
    if (costs->rotations > 1) {
        printf("turns       %u of the whole puzzle count as one\n", costs->rotations);
    }
    printf("symmetries  %u\nentries     %llu\nmemory      %s%s\n", costs->symmetries,
           (unsigned long long)forecast->entries, size_write(forecast->memory, size),
           planned_ranks(run) > 1 ? " for a rank" : "");
    printf("time        roughly %s on %u thread%s\n",
           write_time(forecast->seconds / threads / planned_ranks(run), time), threads,
           threads == 1 ? "" : "s");
}

// Prints what is known before the search: the number of states, and the costs.
static void print_planned(struct run *run, const struct fewest_gen_progress *planned)
{
    char memory[SIZE_TEXT];
    char disk[SIZE_TEXT];
    if (run->request->count) {
        progress_print(&run->progress, "%s: %s states; the search needs %s of memory",
                       run->progress.shown, planned->states, size_write(planned->memory, memory));
        return;
    }
    progress_print(&run->progress,
                   "%s: %s states; the search needs %s of memory, and at most %s of disk",
                   run->progress.shown, planned->states, size_write(planned->memory, memory),
                   size_write(planned->disk, disk));
}

// The watcher of a run: prints what is new. Returns false if a signal has stopped the program. Any
// thread may call it with FEWEST_GEN_GOING.
static bool print_news(void *context, const struct fewest_gen_progress *progress)
{
    struct run *run = context;
    switch (progress->event) {
    case FEWEST_GEN_GOING:
        break;
    case FEWEST_GEN_PLANNED:
        print_planned(run, progress);
        break;
    case FEWEST_GEN_LAYER:
        progress_layer(&run->progress, progress);
        break;
    case FEWEST_GEN_PACKED:
        progress_packed(&run->progress, progress->packed, progress->blocks);
        break;
    case FEWEST_GEN_NOTE:
        progress_print(&run->progress, "%s: %s", run->progress.shown, progress->text);
        break;
    case FEWEST_GEN_WARNING:
        progress_complain(&run->progress, progress->text);
        break;
    }
    return !run->request->stopped();
}

// Prints where the table is. If the path needs no quotes in a shell, suggests a command that uses
// the table.
static void print_written(struct run *run, bool unchanged)
{
    char shown[PATH_SIZE];
    const char *done = unchanged ? "already holds this table" : "table written";
    escape_text(shown, sizeof shown, run->path, strlen(run->path));
    if (format_has_suffix(run->path) && shell_is_plain(run->path)) {
        progress_print(&run->progress, "%s: %s; try `fewest %s %s`", shown, done,
                       run->source.definition.database_count > 0 ? "show" : "stats", run->path);
    } else {
        progress_print(&run->progress, "%s: %s", shown, done);
    }
}

// ---- Remedies -----------------------------------------------------------------------------------

// May the definition have `Database` lines? It has none yet. If tiles of a board look alike, the
// generator will tell.
static bool can_have_databases(const struct definition *definition)
{
    if (definition->database_count > 0 || definition->projection.line > 0 ||
        definition->goal_count > 0 || definition->moves_rows) {
        return false;
    }
    return !definition->board ||
           (definition->board->names_pieces &&
            definition->piece_count <= definition->board->searched_cells_most);
}

// Writes a command of `size` bytes at most: `begin`, then the options of this run that choose the
// puzzle, then the path of the definition. "DEFINITION" replaces a path that does not fit, does not
// print, or looks like an option. Options that do not fit are left out.
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
static void append_suggest_command(const struct make_request *request, struct fewest_error *error)
{
    char begin[64];
    char command[200];
    snprintf(begin, sizeof begin, "fewest-gen --suggest --memory %.20s",
             request->memory_text ? request->memory_text : "1G");
    write_command(request, begin, command, sizeof command);
    error_append(error, "; `%s` proposes pattern databases for a search", command);
}

// Completes the error of a plan or a run: names the line or file that the error is about, and says
// what may help. Returns false.
static bool explain_error(const struct run *run, enum fewest_gen_fault fault,
                          struct fewest_error *error)
{
    if (fault == FEWEST_GEN_DEFINITION) {
        return source_name_origin(&run->source, error);
    }
    bool is_too_large = fault == FEWEST_GEN_SIZE || fault == FEWEST_GEN_MEMORY;
    if (is_too_large && !run->request->count && can_have_databases(&run->source.definition)) {
        append_suggest_command(run->request, error);
    }
    if (fault == FEWEST_GEN_SIZE) {
        error_prefix(error, run->request->definition);
    }
    return false;
}

// If a checkpoint was saved, ends the message of a stopped run with the command that goes on from
// it: the command of this run. If that is too long or does not print, says "the same command".
static void append_resume_command(const struct make_request *request, struct fewest_error *error)
{
    char command[FEWEST_ERROR_SIZE] = "";
    bool fits = true;
    if (!request->checkpoint || access(request->checkpoint, F_OK) != 0) {
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
    if (fits) {
        error_append(error, "`%s`", command);
    } else {
        error_append(error, "the same command again");
    }
}

// ---- Files --------------------------------------------------------------------------------------

// Fills in run->path, the table's path: that of --output, or NAME.dtab.
static bool find_output(struct run *run, struct fewest_error *error)
{
    const char *output = run->request->output;
    const char *name = run->source.definition.name;
    if (output) {
        if (snprintf(run->path, PATH_SIZE, "%s", output) >= PATH_SIZE) {
            return error_set(error, FEWEST_BAD_INPUT, "--output: this name has more than %d bytes",
                             PATH_SIZE - 1);
        }
        return true;
    }
    snprintf(run->path, PATH_SIZE, "%s" FORMAT_SUFFIX, name); // it fits: NAME_LONGEST
    if (strchr(name, '/')) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: the puzzle's name, %s, can't be the name of a file; use -o FILE",
                         run->request->definition, name);
    }
    return true;
}

// Fails if the log or the table would overwrite another file of the run. fewest_gen_make checks
// that the table does not overwrite the checkpoint.
static bool check_distinct_files(const struct run *run, struct fewest_error *error)
{
    const struct make_request *request = run->request;
    const struct {
        const char *path;
        const char *other;
        const char *fault;
        const char *option;
    } pairs[] = {
        {request->log, request->definition, "the log and the definition can't be one file", "log"},
        {request->log, run->path, "the log and the table can't be one file", "log"},
        {request->log, request->checkpoint, "the log and the checkpoint can't be one file", "log"},
        {run->path, request->definition, "the table would replace the definition", "output"},
        {run->path, request->goal, "the table would replace the goal", "output"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (is_same_file(pairs[i].path, pairs[i].other)) {
            return error_set(error, FEWEST_BAD_INPUT, "%s: %s; use another name for --%s",
                             pairs[i].path, pairs[i].fault, pairs[i].option);
        }
    }
    return true;
}

// Opens the log, if there is one. Two paths of a file that does not exist yet can look different,
// so the log is compared again when it is there.
static bool prepare_log(struct run *run, struct fewest_error *error)
{
    const char *log = run->request->log;
    if (!check_distinct_files(run, error)) {
        return false;
    }
    if (!log) {
        return true;
    }
    return progress_open_log(&run->progress, log, error) && check_distinct_files(run, error);
}

// Finds the path of the table, and opens the log.
static bool prepare_files(struct run *run, struct fewest_error *error)
{
    return find_output(run, error) && prepare_log(run, error);
}

// ---- Costs and suggestions ----------------------------------------------------------------------

// Prints what the table would cost (--dry-run). Fails if the table can't be made. Even then, prints
// what is known of the table or the puzzle.
static bool plan_table(struct run *run, struct fewest_error *error)
{
    const struct make_request *request = run->request;
    struct search_options options = {
        .threads = request->threads, .watch = print_news, .context = run};
    struct plan plan;
    const struct source *source = &run->source;
    bool known =
        plan_begin(&plan, source->text, source->length, request->metric, &options, error) &&
        plan_costs(&plan, &options, planned_ranks(run), error);
    // With --ranks, the machines are others than this one, so only --memory is a limit.
    bool is_elsewhere = request->ranks > 0;
    bool done = known;
    if (known && !(is_elsewhere && request->memory == 0)) {
        done = plan_check_memory(&plan, request->memory, error);
    }
    if (done) {
        plan_tell(&plan, &options);
    }
    if (known) {
        print_forecast(run, &plan);
    } else if (plan.fault == FEWEST_GEN_SIZE) {
        print_puzzle(&plan);
    }
    if (!done) {
        explain_error(run, plan.fault, error);
    }
    plan_free(&plan);
    return done;
}

// Sets *fits to whether a table of all states fits into the memory of the request. If so, tells the
// user. Fails only if the costs can't be planned.
static bool check_small_table(struct run *run, struct suggest_request *request, bool *fits,
                              struct fewest_error *error)
{
    struct plan *plan = request->plan;
    char size[SIZE_TEXT];
    *fits = false;
    if (puzzle_is_too_large(&plan->puzzle)) {
        return true;
    }
    if (!plan_costs(plan, request->options, planned_ranks(run), error)) {
        return false;
    }
    *fits = plan->forecast.memory <= request->memory;
    if (*fits) {
        fprintf(stderr,
                "%s: no pattern databases are needed: a table of all %s states takes %s of "
                "memory\n",
                run->progress.shown, plan->states, size_write(plan->forecast.memory, size));
    }
    return true;
}

// Fails if the definition has pattern databases or `Track` already.
static bool check_without_databases(const struct run *run, const struct definition *definition,
                                    struct fewest_error *error)
{
    bool has_track = definition->projection.line > 0;
    if (!has_track && definition->database_count == 0) {
        return true;
    }
    error_write_line(error, FEWEST_BAD_INPUT,
                     has_track ? definition->projection.line : definition->databases[0].line,
                     "remove the `%s` lines; --suggest proposes pattern databases for a puzzle "
                     "without any",
                     has_track ? "Track" : "Database");
    return source_name_origin(&run->source, error);
}

// Prints pattern databases for the puzzle of the plan, unless a table of all states fits.
static bool suggest_for_plan(struct run *run, struct plan *plan,
                             const struct search_options *options, struct fewest_error *error)
{
    uint64_t limit = run->request->memory;
    bool is_small = false;
    struct suggest_request request = {
        .plan = plan, .memory = limit > 0 ? limit : forecast_available(), .options = options};
    if (run->source.is_translated &&
        is_same_file("/dev/stdout", run->request->definition)) { // >>DEFINITION
        return error_set(
            error, FEWEST_BAD_INPUT,
            "%s: no lines can be appended to a file of another program; append them to "
            "what `fewest-import -o FILE` writes",
            run->request->definition);
    }
    if (!check_without_databases(run, plan->puzzle.definition, error) ||
        !check_small_table(run, &request, &is_small, error)) {
        return false;
    }
    if (is_small || suggest_databases(&request, error)) {
        return true;
    }
    return source_name_origin(&run->source, error);
}

// Prints pattern databases for the definition (--suggest).
static bool suggest_for_definition(struct run *run, struct fewest_error *error)
{
    const struct make_request *request = run->request;
    struct search_options options = {
        .threads = request->threads, .watch = print_news, .context = run};
    struct plan plan;
    bool done = false;
    if (plan_begin(&plan, run->source.text, run->source.length, request->metric, &options, error)) {
        done = suggest_for_plan(run, &plan, &options, error);
    } else {
        explain_error(run, plan.fault, error);
    }
    plan_free(&plan);
    return done;
}

// ---- The run ------------------------------------------------------------------------------------

// Makes the table, with all ranks together. `is_prepared` tells whether this rank has its input and
// files; if not, `error` tells why. Fails on all ranks if one is not prepared.
static bool make_with_ranks(struct run *run, bool is_prepared, struct fewest_error *error)
{
    const struct make_request *request = run->request;
    const struct fewest_gen_options options = {.output = run->path,
                                               .force = request->force,
                                               .metric = (enum fewest_gen_metric)request->metric,
                                               .threads = request->threads,
                                               .memory = request->memory,
                                               .checkpoint = request->checkpoint,
                                               .watch = print_news,
                                               .context = run};
    struct fewest_gen_result result;
    if (!ranks_barrier(is_prepared, error)) {
        return false;
    }
    if (!fewest_gen_make(run->source.text, run->source.length, &options, &result, error)) {
        return explain_error(run, result.fault, error);
    }
    print_written(run, result.unchanged);
    return true;
}

// Returns the options of a count.
static struct fewest_gen_options count_options(struct run *run)
{
    const struct make_request *request = run->request;
    return (struct fewest_gen_options){.metric = (enum fewest_gen_metric)request->metric,
                                       .threads = request->threads,
                                       .memory = request->memory,
                                       .checkpoint = request->checkpoint,
                                       .rotations = request->rotations,
                                       .no_symmetry = request->no_symmetry,
                                       .verify = request->verify,
                                       .depth = request->depth,
                                       .watch = print_news,
                                       .context = run};
}

// Counts the states, with all ranks together, and prints the counts (--count). If the run was
// stopped after it had counted all layers, it prints them, too, but not with --verify.
// `is_prepared` is as in make_with_ranks.
static bool count_with_ranks(struct run *run, bool is_prepared, struct fewest_error *error)
{
    const struct source *source = &run->source;
    const struct fewest_gen_options options = count_options(run);
    struct fewest_gen_counts counts;
    if (!ranks_barrier(is_prepared, error)) {
        return false;
    }
    bool done = fewest_gen_count(source->text, source->length, &options, &counts, error);
    bool has_counts =
        done || (error->status == FEWEST_STOPPED && counts.complete && !run->request->verify);
    if (has_counts && ranks_is_first()) {
        counts_print(run->request, source->definition.name, &counts);
    }
    enum fewest_gen_fault fault = counts.fault;
    fewest_gen_free_counts(&counts);
    return done || explain_error(run, fault, error);
}

// Prints what a count would cost (--count --dry-run). Fails if the states can't be counted.
static bool plan_count(struct run *run, struct fewest_error *error)
{
    struct count_costs costs;
    const struct fewest_gen_options options = count_options(run);
    bool done = count_plan(run->source.text, run->source.length, &options, planned_ranks(run),
                           &costs, error);
    if (costs.plan.forecast.what) { // the costs are known
        print_count_costs(run, &costs);
    }
    enum fewest_gen_fault fault = costs.plan.fault;
    plan_free(&costs.plan);
    return done || explain_error(run, fault, error);
}

// Reads the definition, and does what the command line asks for: suggests databases, prints costs,
// counts the states, or makes the table.
static bool run_request(struct run *run, struct fewest_error *error)
{
    const struct make_request *request = run->request;
    bool is_read = source_read(&run->source, request, error);
    if (request->suggest) {
        return is_read && suggest_for_definition(run, error);
    }
    if (request->dry_run) {
        return is_read && (request->count ? plan_count(run, error) : plan_table(run, error));
    }
    if (request->count) {
        return count_with_ranks(run, is_read && prepare_log(run, error), error);
    }
    return make_with_ranks(run, is_read && prepare_files(run, error), error);
}

enum exit_status make_table(const struct make_request *request)
{
    struct fewest_error error;
    struct run run = {.request = request};
    progress_begin(&run.progress, request->definition, request->watched);
    bool done = run_request(&run, &error);
    source_free(&run.source);
    if (!done) {
        if (error.status == FEWEST_STOPPED) {
            append_resume_command(request, &error);
        }
        progress_complain(&run.progress, error.text);
    }
    progress_end(&run.progress);
    return done ? STATUS_ANSWERED : exit_status_of(error.status);
}
