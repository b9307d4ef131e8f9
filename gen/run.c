// One run of the generator, from the text of a definition to its table.
#include "fewest_gen.h"

#include "gen/layers/layer_file.h"
#include "gen/ranks/ranks.h"
#include "gen/write/publish.h"
#include "gen/write/replace.h"
#include "generate.h"
#include "tables/base/clock.h"
#include "tables/base/parallel.h"
#include "tables/file/format.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static_assert((int)FEWEST_GEN_POWERS == (int)METRIC_POWERS &&
                  (int)FEWEST_GEN_QUARTER == (int)METRIC_QUARTER &&
                  (int)FEWEST_GEN_LISTED == (int)METRIC_LISTED,
              "the metrics have the same numbers");

struct generation {
    const struct fewest_gen_options *options;
    struct fewest_gen_result *result;
    struct plan plan;
    struct search_options search;
    struct publication publication;
    // The watcher:
    pthread_mutex_t lock;  // held while it runs
    _Atomic bool stopped;  // it has returned false
    _Atomic int64_t asked; // when it was called last, in milliseconds
};

const char *fewest_gen_version(void)
{
    return FEWEST_GEN_VERSION;
}

// ---- The watcher --------------------------------------------------------------------------------

// The watcher of struct search_options: calls that of the options, in one thread at a time. If
// there is nothing new, calls it only now and then.
static bool watch_run(void *context, const struct fewest_gen_progress *progress)
{
    enum { MILLISECONDS = 50 };
    struct generation *run = context;
    int64_t now = (int64_t)(clock_seconds() * 1000);
    bool asks = progress->event == FEWEST_GEN_GOING;
    if (run->stopped || (asks && now - run->asked < MILLISECONDS)) {
        return !run->stopped;
    }
    if (!asks) {
        pthread_mutex_lock(&run->lock);
    } else if (pthread_mutex_trylock(&run->lock) != 0) {
        return true; // it is being called
    }
    if (!run->stopped && !run->options->watch(run->options->context, progress)) {
        run->stopped = true;
    }
    run->asked = now;
    pthread_mutex_unlock(&run->lock);
    return !run->stopped;
}

// After an event that no search follows, fails if the watcher wants to stop.
static bool goes_on(const struct generation *run, const char *where, struct fewest_error *error)
{
    return !run->stopped ||
           error_set(error, FEWEST_STOPPED, "stopped %s; no table was made", where);
}

// ---- The table ----------------------------------------------------------------------------------

// The layers are kept beside the table. On a cluster, TMPDIR can name a disk of each machine.
static const char *folder_for_layers(const struct generation *run)
{
    const char *system = getenv("TMPDIR");
    return run->options->folder                       ? run->options->folder
           : ranks_count() > 1 && system && system[0] ? NULL
                                                      : run->publication.folder;
}

static bool begin_output(struct generation *run, struct fewest_error *error)
{
    const struct fewest_gen_options *options = run->options;
    if (!options->output) {
        return publish_begin_in_memory(&run->publication, options->folder, error);
    }
    if (is_same_file(options->output, options->checkpoint)) {
        return error_set(
            error, FEWEST_BAD_INPUT,
            "%s: the table and the checkpoint can't be one file; use another name for --checkpoint",
            options->output);
    }
    return publish_begin(&run->publication, options->output, error) &&
           (options->force || replace_check(options->output, run->plan.puzzle.definition, error));
}

// Nobody who names a folder for the layers needs a warning about it.
static bool check_disk(const struct generation *run, struct fewest_error *error)
{
    bool is_beside = run->options->output && !run->options->folder && run->search.folder;
    return !is_beside || !ranks_is_first() ||
           forecast_check_disk(&run->plan.forecast, &run->plan.puzzle, &run->search, error);
}

static bool finish_output(struct generation *run, struct fewest_error *error)
{
    struct fewest_gen_result *result = run->result;
    if (!goes_on(run, "when the table was written", error) ||
        !publish_finish(&run->publication, run->search.threads)) {
        return false;
    }
    result->unchanged = run->publication.unchanged;
    if (!run->options->output &&
        !publish_read(&run->publication, run->options->memory, &result->bytes, &result->length)) {
        result->fault = error->status == FEWEST_BEYOND ? FEWEST_GEN_MEMORY : FEWEST_GEN_OTHER;
        return false;
    }
    return true;
}

// The ranks but the first use their files to keep their blocks.
static bool write_table(struct generation *run, struct fewest_error *error)
{
    bool begun = begin_output(run, error);
    run->search.folder = folder_for_layers(run);
    bool done = ranks_barrier(begun && check_disk(run, error), error);
    if (done) {
        struct output output = publish_output(&run->publication);
        done = generate_table(&run->plan, &run->search, &output, error);
        done = ranks_barrier(done && (!ranks_is_first() || finish_output(run, error)), error);
    }
    publish_end(&run->publication);
    return done;
}

static bool write_with_checkpoint(struct generation *run, struct fewest_error *error)
{
    const struct plan *plan = &run->plan;
    const struct numbering_functions *functions = plan->puzzle.numbering.functions;
    const char *unsaved = plan->forecast.databases > 0     ? "pattern databases, whose searches"
                          : functions && functions->search ? "rolling cubes, whose search"
                                                           : NULL;
    if (unsaved) {
        return error_set(error, FEWEST_BEYOND, "%s has %s can't be saved; leave out --checkpoint",
                         plan->puzzle.name, unsaved);
    }
    struct layer_file checkpoint;
    run->search.checkpoint = &checkpoint;
    bool opened = layer_file_open(&checkpoint, run->options->checkpoint, plan->text, plan->length,
                                  plan->puzzle.metric, error);
    bool done = ranks_barrier(opened, error) && write_table(run, error);
    layer_file_close(&checkpoint, done);
    return done;
}

// ---- The run ------------------------------------------------------------------------------------

static bool make_plan(struct generation *run, const char *definition, size_t length,
                      struct fewest_error *error)
{
    struct plan *plan = &run->plan;
    enum fewest_gen_metric metric = run->options->metric;
    if ((unsigned)metric > FEWEST_GEN_LISTED) {
        return error_set(error, FEWEST_BAD_INPUT, "there is no metric %u", (unsigned)metric);
    }
    bool done = plan_begin(plan, definition, length, (enum metric)metric, error) &&
                plan_costs(plan, &run->search, ranks_count(), error) &&
                plan_check_memory(plan, run->options->memory, error);
    run->result->fault = plan->fault;
    return done;
}

// Stands for what all ranks must have in common.
static uint64_t digest_of(const struct generation *run)
{
    uint64_t parts[] = {format_hash(run->plan.text, run->plan.length), run->plan.puzzle.metric,
                        run->options->checkpoint != NULL};
    return format_hash(parts, sizeof parts);
}

static bool make_table(struct generation *run, const char *definition, size_t length,
                       struct fewest_error *error)
{
    if (!ranks_barrier(make_plan(run, definition, length, error), error)) {
        return false;
    }
    plan_tell(&run->plan, &run->search);
    return ranks_barrier(goes_on(run, "before the search", error), error) &&
           ranks_check_same(digest_of(run), "definition or options", error) &&
           (run->options->checkpoint ? write_with_checkpoint(run, error) : write_table(run, error));
}

bool fewest_gen_make(const char *definition, size_t length,
                     const struct fewest_gen_options *options, struct fewest_gen_result *result,
                     struct fewest_error *error)
{
    static const struct fewest_gen_options DEFAULTS = {0};
    struct generation run = {.options = options ? options : &DEFAULTS,
                             .result = result,
                             .publication = {.file = -1},
                             .lock = PTHREAD_MUTEX_INITIALIZER};
    unsigned threads = run.options->threads;
    *result = (struct fewest_gen_result){0};
    run.search =
        (struct search_options){.threads = threads == 0                      ? parallel_processors()
                                           : threads > PARALLEL_THREADS_MOST ? PARALLEL_THREADS_MOST
                                                                             : threads,
                                .watch = run.options->watch ? watch_run : NULL,
                                .context = &run};
    bool done = make_table(&run, definition, length, error);
    plan_free(&run.plan);
    if (!done) {
        fewest_gen_free(result);
    }
    return done;
}

void fewest_gen_free(struct fewest_gen_result *result)
{
    free(result->bytes);
    result->bytes = NULL;
    result->length = 0;
}
