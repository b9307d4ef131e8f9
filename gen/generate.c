// Makes the sections of a table, one after the other.
#include "generate.h"

#include "closure.h"
#include "database.h"
#include "file/sections.h"
#include "full_states.h"
#include "pack.h"

#include <stdlib.h>

// ---- Sections -----------------------------------------------------------------------------------

struct job {
    const struct puzzle *puzzle;
    const struct search_options *options;
    struct table_content content;
    struct distances distances[SECTIONS_MOST];
    struct distances full; // of full states, from their search until SECTION_MOD4 takes them
};

static uint8_t *bytes_of(struct distances *distances)
{
    return (uint8_t *)distances->entries;
}

static bool make_bytes(struct job *job, unsigned s, struct fewest_error *error)
{
    return distances_make(&job->distances[s], job->content.sections[s].entries, 8,
                          job->options->folder, error);
}

static bool search_root(const struct puzzle *puzzle, unsigned root,
                        const struct search_options *options, struct distances *distances,
                        struct fewest_error *error)
{
    return distances_make(distances, puzzle_full_count(puzzle, root),
                          search_bits(puzzle, root, options), options->folder, error) &&
           search_distances(puzzle, root, options, distances, error);
}

// Searches the projection of a pattern database.
static bool search_projection(const struct job *job, unsigned number, struct distances *distances,
                              struct fewest_error *error)
{
    struct search_options options = *job->options;
    options.database = number;
    options.database_count = job->puzzle->projection_count;
    return search_root(&job->puzzle->projections[number], 0, &options, distances, error);
}

static bool find_states(struct job *job, unsigned s, unsigned root, struct fewest_error *error)
{
    const struct puzzle *puzzle = job->puzzle;
    if (puzzle->numbering.roots[root].hidden == 1) {
        return search_root(puzzle, root, job->options, &job->distances[s], error);
    }
    distances_free(&job->full);
    if (!search_root(puzzle, root, job->options, &job->full, error) || !make_bytes(job, s, error)) {
        return false;
    }
    distances_clear(&job->distances[s], job->options->threads);
    full_states_fold(puzzle, &job->full, bytes_of(&job->distances[s]));
    distances_count(&job->distances[s]);
    return true;
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

// Finds the distances of a section. Some are made from the section before, so the sections are
// listed in the order in which they are made.
static bool find_section(struct job *job, unsigned s, struct fewest_error *error)
{
    const struct section *section = &job->content.sections[s];
    struct distances *distances = &job->distances[s];
    unsigned root = section->root_number;
    switch (section->kind) {
    case SECTION_STATES:
        return find_states(job, s, root, error);
    case SECTION_WILDCARDS:
        if (!make_bytes(job, s, error)) {
            return false;
        }
        if (!closure_distances(job->puzzle, root, job->options->threads,
                               bytes_of(find_distances_of_states(job, root)), bytes_of(distances),
                               error)) {
            return false;
        }
        break;
    case SECTION_MOD4:
        *distances = job->full; // left there by the section of states before it
        job->full = (struct distances){.count = 0};
        full_states_reduce_mod4(distances);
        break;
    case SECTION_DATABASE:
        if (job->puzzle->projection_count > 0) {
            return search_projection(job, root, distances, error);
        }
        if (!make_bytes(job, s, error) ||
            !database_excess(job->puzzle, root, job->options, bytes_of(distances), error)) {
            return false;
        }
        break;
    case SECTION_KIND_COUNT:
        break;
    }
    distances_count(distances);
    return true;
}

bool generate_table(const struct puzzle *puzzle, const char *definition, size_t length,
                    const struct search_options *options, const struct output *output,
                    struct fewest_error *error)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the table of %s",
                         puzzle->name);
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
    distances_free(&job->full);
    done = done && pack_table(&job->content, options, output, error);
    for (unsigned s = 0; s < job->content.section_count; s++) {
        distances_free(&job->distances[s]);
    }
    free(job);
    return done;
}
