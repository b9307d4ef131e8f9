// Makes the sections of a table, one after the other.
#include "generate.h"

#include "gen/ranks/ranks.h"
#include "gen/search/breadth_first.h"
#include "gen/search/closure.h"
#include "gen/search/tile_database.h"
#include "gen/write/pack.h"
#include "tables/file/sections.h"

// ---- Sections -----------------------------------------------------------------------------------

struct job {
    const struct puzzle *puzzle;
    const struct search_options *options;
    struct table_content content;
    struct distances distances[SECTIONS_MOST]; // by section
    struct layer_file *file;                   // of all searches
};

// Makes section `s` in the memory of the first rank, and gives all ranks its histogram. The other
// ranks have none of its entries. `fill` fills in the distances; it is NULL if they are there
// already. Returns false on all ranks if it fails.
static bool make_on_first_rank(struct job *job, unsigned s,
                               bool (*fill)(struct job *job, unsigned s,
                                            struct fewest_error *error),
                               struct fewest_error *error)
{
    struct distances *distances = &job->distances[s];
    uint64_t entries = job->content.sections[s].entries;
    bool made = true;
    if (!ranks_is_first()) {
        *distances = (struct distances){.total = entries, .share = entries, .first = entries};
    } else {
        if (fill) {
            made = distances_make(distances, entries, error) && fill(job, s, error);
        }
        if (made) {
            distances_count(distances);
        }
    }
    if (!ranks_barrier(made, error)) {
        return false;
    }
    ranks_sum(distances->histogram, UNREACHED); // the other ranks add zeros
    return true;
}

// Finds the distances of a pattern database, section `s`, by a search of its projection.
static bool search_projection(struct job *job, unsigned s, struct fewest_error *error)
{
    unsigned number = job->content.sections[s].root_number;
    struct search_options options = *job->options;
    options.database = number;
    options.database_count = job->puzzle->projection_count;
    return search_distances(&job->puzzle->projections[number], 0, &options,
                            (struct file_search){job->file, s}, &job->distances[s], error);
}

// A search by a function of the family (numbering.h: search), while it goes on.
struct own_search {
    const struct search_options *options;
    struct fewest_gen_progress progress; // of the last layer
};

// The family calls this for each layer that it has found (struct full_search: visit). Tells the
// watcher. Returns false to stop the search: in a layer above DISTANCE_MOST, or if the watcher
// wants to stop.
static bool report_own_layer(void *context, unsigned layer, uint64_t states)
{
    struct own_search *search = context;
    const struct search_options *options = search->options;
    search->progress.layer = layer;
    search->progress.found = states;
    search->progress.reached += states;
    if (layer > DISTANCE_MOST) {
        return false;
    }
    options_tell(options, &search->progress);
    return !options_stop(options);
}

// Fills in the distances of a root's states, section `s`, by the family's own search. It finds full
// states. If these are more than the visible states, section `s + 1` gets their distances mod 4.
static bool fill_full_states(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct puzzle *puzzle = job->puzzle;
    unsigned root = job->content.sections[s].root_number;
    struct distances full = {.count = 0};
    struct own_search search = {.options = job->options,
                                .progress = {.event = FEWEST_GEN_LAYER,
                                             .search = "root",
                                             .number = root,
                                             .count = puzzle->numbering.root_count,
                                             .entries = puzzle_full_count(puzzle, root)}};
    if (!distances_make(&full, search.progress.entries, error)) {
        return false;
    }
    const struct full_search full_search = {.root = root,
                                            .threads = job->options->threads,
                                            .states = job->distances[s].bytes,
                                            .full = full.bytes,
                                            .take_layer = report_own_layer,
                                            .context = &search};
    bool done = puzzle->numbering.functions->search(puzzle, &full_search);
    if (done && puzzle->numbering.roots[root].hidden > 1) {
        job->distances[s + 1] = full;
    } else {
        distances_free(&full);
    }
    if (done) {
        return true;
    }
    // report_own_layer has stopped it.
    if (search.progress.layer > DISTANCE_MOST) {
        return search_report_beyond(puzzle, error);
    }
    return search_report_stopped(search.progress.layer + 1, error);
}

// Makes the states of a root, section `s`. If wildcard targets are made from them, gathers the
// distances of all ranks in the memory of the first one.
static bool make_states(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct numbering *numbering = &job->puzzle->numbering;
    unsigned root = job->content.sections[s].root_number;
    struct distances *distances = &job->distances[s];
    if (numbering->functions->search) {
        return make_on_first_rank(job, s, fill_full_states, error);
    }
    if (!search_distances(job->puzzle, root, job->options, (struct file_search){job->file, s},
                          distances, error)) {
        return false;
    }
    return numbering->roots[root].wildcards.entries == 0 || distances_gather(distances, error);
}

// Returns the distances of a root's states. There is a section of them for each root.
static struct distances *find_distances_of_states(struct job *job, unsigned root)
{
    unsigned s = 0;
    while (job->content.sections[s].kind != SECTION_STATES ||
           job->content.sections[s].root_number != root) {
        s++;
    }
    return &job->distances[s];
}

// Fills in the distances of a root's wildcard targets, section `s`.
static bool fill_wildcards(struct job *job, unsigned s, struct fewest_error *error)
{
    unsigned root = job->content.sections[s].root_number;
    (void)error;
    closure_distances(job->puzzle, root, find_distances_of_states(job, root)->bytes,
                      job->options->threads, job->distances[s].bytes);
    return true;
}

// Fills in the pattern database of a board, section `s`.
static bool fill_database(struct job *job, unsigned s, struct fewest_error *error)
{
    return database_excess(job->puzzle, job->content.sections[s].root_number, job->options,
                           job->distances[s].bytes, error);
}

// Makes the distances of section `s`. Some are made from an earlier section, so this is called in
// the order of the sections.
static bool make_section(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct section *section = &job->content.sections[s];
    switch (section->kind) {
    case SECTION_STATES:
        return make_states(job, s, error);
    case SECTION_WILDCARDS:
        return make_on_first_rank(job, s, fill_wildcards, error);
    case SECTION_MOD4:
        return make_on_first_rank(job, s, NULL, error); // fill_full_states has filled them in
    case SECTION_DATABASE:
        if (job->puzzle->projection_count > 0) {
            return search_projection(job, s, error);
        }
        return make_on_first_rank(job, s, fill_database, error);
    case SECTION_KIND_COUNT:
        break;
    }
    return true;
}

bool generate_table(const struct plan *plan, const struct search_options *options,
                    const struct output *output, struct fewest_error *error)
{
    const struct puzzle *puzzle = &plan->puzzle;
    struct layer_file unnamed;
    layer_file_begin(&unnamed, options->folder);
    struct job job = {.puzzle = puzzle,
                      .options = options,
                      .content = {.definition = plan->text,
                                  .definition_length = plan->length,
                                  .metric = puzzle->metric},
                      .file = options->checkpoint ? options->checkpoint : &unnamed};
    job.content.section_count = sections_of(puzzle, job.content.sections);
    bool done = true;
    for (unsigned s = 0; s < job.content.section_count && done; s++) {
        job.content.distances[s] = &job.distances[s];
        done = make_section(&job, s, error);
    }
    done = done && pack_table(&job.content, options, output, error);
    for (unsigned s = 0; s < job.content.section_count; s++) {
        distances_free(&job.distances[s]);
    }
    layer_file_close(&unnamed, true);
    return done;
}
