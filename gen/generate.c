// Makes the sections of a table, one after the other.
#include "generate.h"

#include "closure.h"
#include "database.h"
#include "file/sections.h"
#include "pack.h"
#include "ranks.h"

#include <stdlib.h>

// ---- Sections -----------------------------------------------------------------------------------

struct job {
    const struct puzzle *puzzle;
    const struct search_options *options;
    struct table_content content;
    struct distances distances[SECTIONS_MOST];
};

static uint8_t *bytes_of(struct distances *distances)
{
    return (uint8_t *)distances->entries;
}

// Makes a section on rank 0, and tells the other ranks its histogram.
static bool make_alone(struct job *job, unsigned s,
                       bool (*make)(struct job *job, unsigned s, struct fewest_error *error),
                       struct fewest_error *error)
{
    struct distances *distances = &job->distances[s];
    uint64_t entries = job->content.sections[s].entries;
    if (ranks_number() > 0) {
        *distances = (struct distances){.first = entries, .total = entries, .bits = 8};
        return ranks_agree(true, error) && ranks_sum(distances->histogram, UNREACHED, error);
    }
    return ranks_agree(make(job, s, error), error) &&
           ranks_sum(distances->histogram, UNREACHED, error);
}

static bool make_bytes(struct job *job, unsigned s, struct fewest_error *error)
{
    return distances_make(&job->distances[s], job->content.sections[s].entries, 8,
                          job->options->folder, error);
}

// Searches the projection of a pattern database.
static bool search_projection(const struct job *job, unsigned number, struct distances *distances,
                              struct fewest_error *error)
{
    struct search_options options = *job->options;
    options.database = number;
    options.database_count = job->puzzle->projection_count;
    return search_distances(&job->puzzle->projections[number], 0, &options, distances, error);
}

// A search that the family has of its own, while it goes on.
struct own_search {
    const struct search_options *options;
    struct search_progress progress;
};

static bool visit_layer(void *context, unsigned layer, uint64_t states)
{
    struct own_search *search = context;
    const struct search_options *options = search->options;
    search->progress.layer = layer;
    search->progress.states = states;
    search->progress.reached += states;
    if (layer <= DISTANCE_MOST && options->progress) {
        options->progress(options->context, &search->progress);
    }
    return layer <= DISTANCE_MOST && !(options->stopped && options->stopped(options->context));
}

// Makes the two sections of a root whose full states the family searches itself: this one, and the
// next, of the distances mod 4.
static bool find_full_states(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct puzzle *puzzle = job->puzzle;
    unsigned root = job->content.sections[s].root_number;
    struct own_search search = {.options = job->options,
                                .progress = {.kind = "root",
                                             .number = root,
                                             .count = puzzle->numbering.root_count,
                                             .entries = job->content.sections[s + 1].entries}};
    if (!make_bytes(job, s, error) || !make_bytes(job, s + 1, error)) {
        return false;
    }
    if (!puzzle->numbering.functions->search(
            puzzle, root, job->options->threads, bytes_of(&job->distances[s]),
            bytes_of(&job->distances[s + 1]), visit_layer, &search)) {
        return search.progress.layer > DISTANCE_MOST
                   ? search_report_beyond(puzzle, error)
                   : search_report_stopped(search.progress.layer + 1, error);
    }
    distances_count(&job->distances[s]);
    return true;
}

// Counts what find_full_states has made.
static bool find_mod4(struct job *job, unsigned s, struct fewest_error *error)
{
    (void)error;
    distances_count(&job->distances[s]);
    return true;
}

// Rank 0 makes a section from others, so it gathers the distances that it needs.
static bool find_states(struct job *job, unsigned s, unsigned root, struct fewest_error *error)
{
    if (job->puzzle->numbering.functions->search) {
        return make_alone(job, s, find_full_states, error);
    }
    struct distances *distances = &job->distances[s];
    return search_distances(job->puzzle, root, job->options, distances, error) &&
           (!search_is_looked_up(job->puzzle, root) || distances_gather(distances, error));
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
    if (!make_bytes(job, s, error) ||
        !closure_distances(job->puzzle, root, job->options->threads,
                           bytes_of(find_distances_of_states(job, root)),
                           bytes_of(&job->distances[s]), error)) {
        return false;
    }
    distances_count(&job->distances[s]);
    return true;
}

static bool find_excess(struct job *job, unsigned s, struct fewest_error *error)
{
    if (!make_bytes(job, s, error) ||
        !database_excess(job->puzzle, job->content.sections[s].root_number, job->options,
                         bytes_of(&job->distances[s]), error)) {
        return false;
    }
    distances_count(&job->distances[s]);
    return true;
}

// Finds the distances of a section. Some are made from the section before, so the sections are
// listed in the order in which they are made.
static bool find_section(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct section *section = &job->content.sections[s];
    switch (section->kind) {
    case SECTION_STATES:
        return find_states(job, s, section->root_number, error);
    case SECTION_WILDCARDS:
        return make_alone(job, s, find_wildcards, error);
    case SECTION_MOD4:
        return make_alone(job, s, find_mod4, error);
    case SECTION_DATABASE:
        return job->puzzle->projection_count > 0
                   ? search_projection(job, section->root_number, &job->distances[s], error)
                   : make_alone(job, s, find_excess, error);
    case SECTION_KIND_COUNT:
        break;
    }
    return true;
}

bool generate_table(const struct puzzle *puzzle, const char *definition, size_t length,
                    const struct search_options *options, const struct output *output,
                    struct fewest_error *error)
{
    struct job *job = calloc(1, sizeof *job);
    bool made = job || error_set(error, FEWEST_SYSTEM, "not enough memory for the table of %s",
                                 puzzle->name);
    if (!ranks_agree(made, error) || !job) {
        free(job);
        return false;
    }
    job->puzzle = puzzle;
    job->options = options;
    job->content = (struct table_content){
        .definition = definition, .definition_length = length, .metric = puzzle->metric};
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
    free(job);
    return done;
}
