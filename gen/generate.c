// Makes the sections of a table, one after the other.
#include "generate.h"

#include "gen/ranks/ranks.h"
#include "gen/search/breadth_first.h"
#include "gen/search/closure.h"
#include "gen/search/tile_database.h"
#include "gen/write/pack.h"
#include "tables/file/sections.h"

#include <stdlib.h>

// ---- Sections -----------------------------------------------------------------------------------

struct job {
    const struct puzzle *puzzle;
    const struct search_options *options;
    struct table_content content;
    struct distances distances[SECTIONS_MOST];
    struct layer_file *file;
};

// Makes a section in the memory of the first rank, and tells the other ranks its histogram. `fill`
// fills in the distances; it is NULL if they are there already.
static bool make_alone(struct job *job, unsigned s,
                       bool (*fill)(struct job *job, unsigned s, struct fewest_error *error),
                       struct fewest_error *error)
{
    struct distances *distances = &job->distances[s];
    uint64_t entries = job->content.sections[s].entries;
    bool made = true;
    if (!ranks_is_first()) {
        *distances = (struct distances){.total = entries, .share = entries, .first = entries};
    } else {
        made = !fill || (distances_make(distances, entries, error) && fill(job, s, error));
        if (made) {
            distances_count(distances);
        }
    }
    if (!ranks_barrier(made, error)) {
        return false;
    }
    ranks_sum(distances->histogram, UNREACHED);
    return true;
}

// Searches the projection of a pattern database.
static bool search_projection(struct job *job, unsigned s, struct fewest_error *error)
{
    unsigned number = job->content.sections[s].root_number;
    struct search_options options = *job->options;
    options.database = number;
    options.database_count = job->puzzle->projection_count;
    return search_distances(&job->puzzle->projections[number], 0, &options,
                            (struct file_search){job->file, s}, &job->distances[s], error);
}

// A search that the family has of its own, while it goes on.
struct own_search {
    const struct search_options *options;
    struct fewest_gen_progress progress;
};

static bool visit_layer(void *context, unsigned layer, uint64_t states)
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

// Makes the sections of a root whose full states the family searches itself: this one and, if
// states show less than all, the next, of the distances mod 4.
static bool find_full_states(struct job *job, unsigned s, struct fewest_error *error)
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
    bool done = distances_make(&full, search.progress.entries, error);
    const struct full_search full_search = {.root = root,
                                            .threads = job->options->threads,
                                            .states = job->distances[s].bytes,
                                            .full = full.bytes,
                                            .visit = visit_layer,
                                            .context = &search};
    if (done && !puzzle->numbering.functions->search(puzzle, &full_search)) {
        done = search.progress.layer > DISTANCE_MOST
                   ? search_report_beyond(puzzle, error)
                   : search_report_stopped(search.progress.layer + 1, error);
    }
    if (done && puzzle->numbering.roots[root].hidden > 1) {
        job->distances[s + 1] = full;
    } else {
        distances_free(&full);
    }
    return done;
}

// The first rank makes wildcard targets from all distances of the root.
static bool find_states(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct numbering *numbering = &job->puzzle->numbering;
    unsigned root = job->content.sections[s].root_number;
    struct distances *distances = &job->distances[s];
    if (numbering->functions->search) {
        return make_alone(job, s, find_full_states, error);
    }
    return search_distances(job->puzzle, root, job->options, (struct file_search){job->file, s},
                            distances, error) &&
           (numbering->roots[root].wildcards.entries == 0 || distances_gather(distances, error));
}

// The distances of a root's states, which have been found.
static struct distances *find_distances_of_states(struct job *job, unsigned root)
{
    unsigned s = 0;
    while (job->content.sections[s].kind != SECTION_STATES ||
           job->content.sections[s].root_number != root) {
        s++;
    }
    return &job->distances[s];
}

static bool find_wildcards(struct job *job, unsigned s, struct fewest_error *error)
{
    unsigned root = job->content.sections[s].root_number;
    return closure_distances(job->puzzle, root, job->options->threads,
                             find_distances_of_states(job, root)->bytes, job->distances[s].bytes,
                             error);
}

static bool find_excess(struct job *job, unsigned s, struct fewest_error *error)
{
    return database_excess(job->puzzle, job->content.sections[s].root_number, job->options,
                           job->distances[s].bytes, error);
}

// Finds the distances of a section. Some are made from the section before, so the sections are
// listed in the order in which they are made.
static bool find_section(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct section *section = &job->content.sections[s];
    switch (section->kind) {
    case SECTION_STATES:
        return find_states(job, s, error);
    case SECTION_WILDCARDS:
        return make_alone(job, s, find_wildcards, error);
    case SECTION_MOD4:
        return make_alone(job, s, NULL, error); // find_full_states has filled them in
    case SECTION_DATABASE:
        return job->puzzle->projection_count > 0 ? search_projection(job, s, error)
                                                 : make_alone(job, s, find_excess, error);
    case SECTION_KIND_COUNT:
        break;
    }
    return true;
}

bool generate_table(const struct plan *plan, const struct search_options *options,
                    const struct output *output, struct fewest_error *error)
{
    const struct puzzle *puzzle = &plan->puzzle;
    struct job *job = calloc(1, sizeof *job);
    bool made = job || error_set(error, FEWEST_SYSTEM, "not enough memory for the table of %s",
                                 puzzle->name);
    struct layer_file unnamed;
    if (!ranks_barrier(made, error) || !job) {
        free(job);
        return false;
    }
    layer_file_begin(&unnamed, options->folder);
    job->file = options->checkpoint ? options->checkpoint : &unnamed;
    job->puzzle = puzzle;
    job->options = options;
    job->content = (struct table_content){
        .definition = plan->text, .definition_length = plan->length, .metric = puzzle->metric};
    job->content.section_count = sections_of(puzzle, job->content.sections);
    bool done = true;
    for (unsigned s = 0; s < job->content.section_count && done; s++) {
        job->content.distances[s] = &job->distances[s];
        done = find_section(job, s, error);
    }
    done = done && pack_table(&job->content, options, output, error);
    for (unsigned s = 0; s < job->content.section_count; s++) {
        distances_free(&job->distances[s]);
    }
    layer_file_close(&unnamed, true);
    free(job);
    return done;
}
