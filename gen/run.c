// One run of the generator, from the text of a definition to its table.
#include "fewest_gen.h"

#include "gen/layers/layer_file.h"
#include "gen/ranks/ranks.h"
#include "gen/write/publish.h"
#include "gen/write/replace.h"
#include "generate.h"
#include "tables/file/format.h"
#include "watcher.h"

#include <assert.h>
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
    struct watcher watcher; // of the options
};

const char *fewest_gen_version(void)
{
    return FEWEST_GEN_VERSION;
}

// ---- The watcher --------------------------------------------------------------------------------

// Fails if the watcher has stopped the run. `where` tells the user when that was. A search finds it
// out by itself, so this is called where no search follows.
static bool check_not_stopped(const struct generation *generation, const char *where,
                              struct fewest_error *error)
{
    if (generation->watcher.stopped) {
        return error_set(error, FEWEST_STOPPED, "stopped %s", where);
    }
    return true;
}

// ---- The table ----------------------------------------------------------------------------------

// Returns the folder for the layers: that of the options or, without one, that of the table. If
// there are several ranks and TMPDIR is set, returns NULL instead of the latter: it stands for the
// folder in TMPDIR. On a cluster, this can be a disk of each machine.
static const char *choose_layer_folder(const struct generation *generation)
{
    const char *system = getenv("TMPDIR");
    bool has_system_folder = system && system[0];
    if (generation->options->folder) {
        return generation->options->folder;
    }
    if (ranks_count() > 1 && has_system_folder) {
        return NULL;
    }
    return generation->publication.folder;
}

// Begins the file to which the table is written. A table in memory is first written to a temporary
// file. Fails if the file at `output` may not be replaced, or is the checkpoint.
static bool begin_output(struct generation *generation, struct fewest_error *error)
{
    const struct fewest_gen_options *options = generation->options;
    if (!options->output) {
        return publish_begin_in_memory(&generation->publication, options->folder, error);
    }
    if (is_same_file(options->output, options->checkpoint)) {
        return error_set(
            error, FEWEST_BAD_INPUT,
            "%s: the table and the checkpoint can't be one file; use another name for --checkpoint",
            options->output);
    }
    if (!publish_begin(&generation->publication, options->output, error)) {
        return false;
    }
    return options->force ||
           replace_check(options->output, generation->plan.puzzle.definition, error);
}

// Fails if the disk has no room for the table and its layers. Only the first rank looks, and only
// if the layers are beside the table: a user who names a folder for them needs no warning about it.
static bool check_disk(const struct generation *generation, struct fewest_error *error)
{
    bool is_beside =
        generation->options->output && !generation->options->folder && generation->search.folder;
    if (!is_beside || !ranks_is_first()) {
        return true;
    }
    return forecast_check_disk(&generation->plan.forecast, &generation->plan.puzzle,
                               &generation->search, error);
}

// Verifies the finished table, and puts it in place or reads it into the memory of the result. The
// functions of publish.h write to `error`: publish_begin has got it.
static bool finish_output(struct generation *generation, struct fewest_error *error)
{
    struct fewest_gen_result *result = generation->result;
    if (!check_not_stopped(generation, "when the table was written", error) ||
        !publish_finish(&generation->publication, generation->search.threads)) {
        return false;
    }
    result->unchanged = generation->publication.unchanged;
    if (!generation->options->output &&
        !publish_read(&generation->publication, generation->options->memory, &result->bytes,
                      &result->length)) {
        result->fault = error->status == FEWEST_BEYOND ? FEWEST_GEN_MEMORY : FEWEST_GEN_OTHER;
        return false;
    }
    return true;
}

// Makes the table of the plan, and publishes it. Each rank has an output: the first rank writes the
// table to it, and the others keep their packed blocks there until the first collects them.
static bool write_table(struct generation *generation, struct fewest_error *error)
{
    bool begun = begin_output(generation, error);
    generation->search.folder = choose_layer_folder(generation);
    bool done = ranks_barrier(begun && check_disk(generation, error), error);
    if (done) {
        struct output output = publish_output(&generation->publication);
        done = generate_table(&generation->plan, &generation->search, &output, error);
        if (done && ranks_is_first()) {
            done = finish_output(generation, error);
        }
        done = ranks_barrier(done, error);
    }
    publish_end(&generation->publication);
    return done;
}

// Makes and publishes the table with write_table, and saves the searches in the checkpoint of the
// options, or goes on from it. Removes the checkpoint if the table is made. Fails if the puzzle has
// a search that can't be saved.
static bool write_table_with_checkpoint(struct generation *generation, struct fewest_error *error)
{
    const struct plan *plan = &generation->plan;
    if (plan->puzzle.partition) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has pattern databases, whose searches can't be saved; leave out "
                         "--checkpoint",
                         plan->puzzle.name);
    }
    struct layer_file checkpoint;
    generation->search.checkpoint = &checkpoint;
    bool opened = layer_file_open(&checkpoint, generation->options->checkpoint, plan->text,
                                  plan->length, plan->puzzle.metric, error);
    bool done = ranks_barrier(opened, error) && write_table(generation, error);
    layer_file_close(&checkpoint, done);
    generation->search.checkpoint = NULL;
    return done;
}

// ---- The run ------------------------------------------------------------------------------------

// Compiles the definition, and forecasts the costs of the table. Fills in the fault of the result.
// Fails if the table can't be made, or if it needs more memory than the options allow or the
// machine has.
static bool make_plan(struct generation *generation, const char *definition, size_t length,
                      struct fewest_error *error)
{
    struct plan *plan = &generation->plan;
    bool done = plan_begin(plan, definition, length, (enum metric)generation->options->metric,
                           &generation->search, error) &&
                plan_costs(plan, &generation->search, ranks_count(), error) &&
                plan_check_memory(plan, generation->options->memory, error);
    generation->result->fault = plan->fault;
    return done;
}

// A hash of what all ranks must have in common: definition, metric, and whether there is a
// checkpoint.
static uint64_t compute_digest(const struct generation *generation)
{
    uint64_t parts[] = {format_hash(generation->plan.text, generation->plan.length),
                        generation->plan.puzzle.metric, generation->options->checkpoint != NULL};
    return format_hash(parts, sizeof parts);
}

// Plans the table, makes it and publishes it, on all ranks in step. The caller frees
// generation->plan in any case.
static bool run_generation(struct generation *generation, const char *definition, size_t length,
                           struct fewest_error *error)
{
    if (!ranks_barrier(make_plan(generation, definition, length, error), error)) {
        return false;
    }
    plan_tell(&generation->plan, &generation->search);
    if (!ranks_barrier(check_not_stopped(generation, "before the search", error), error) ||
        !ranks_check_same(compute_digest(generation), "definition or options", error)) {
        return false;
    }
    if (generation->options->checkpoint) {
        return write_table_with_checkpoint(generation, error);
    }
    return write_table(generation, error);
}

bool fewest_gen_make(const char *definition, size_t length,
                     const struct fewest_gen_options *options, struct fewest_gen_result *result,
                     struct fewest_error *error)
{
    static const struct fewest_gen_options DEFAULTS = {0};
    struct generation generation = {
        .options = options ? options : &DEFAULTS, .result = result, .publication = {.file = -1}};
    *result = (struct fewest_gen_result){0};
    generation.search = watcher_begin(&generation.watcher, generation.options);
    bool done = run_generation(&generation, definition, length, error);
    plan_free(&generation.plan);
    watcher_end(&generation.watcher);
    if (!done) {
        fewest_gen_free(result);
        if (error->status == FEWEST_STOPPED) {
            error_append(error, "; no table was made");
        }
    }
    return done;
}

void fewest_gen_free(struct fewest_gen_result *result)
{
    free(result->bytes);
    result->bytes = NULL;
    result->length = 0;
}
