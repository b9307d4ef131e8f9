// Lists the makers of sections: states, wildcard targets, pattern databases.
#include "makers.h"

#include "closure.h"

#include "gen/ranks/ranks.h"
#include "gen/search/breadth_first.h"
#include "gen/search/tile_database.h"
#include "tables/families/symmetry/stripes.h"

// Makes section `s`: searches the distances of the states of a root. If wildcard targets are made
// from them, gathers the distances of all ranks in the memory of the first rank.
static bool make_states(struct job *job, unsigned s, struct fewest_error *error)
{
    unsigned root = job->sections[s].root_number;
    struct distances *distances = &job->distances[s];
    if (puzzle_hides_nodes(job->puzzle, root)) { // several nodes show one state: rolling cubes
        return make_full_states(job, s, error);
    }
    if (!search_distances(job->puzzle, root, job->options, (struct file_search){job->file, s},
                          distances, error)) {
        return false;
    }
    return job->puzzle->numbering.roots[root].wildcards.entries == 0 ||
           distances_gather(distances, error);
}

// Fills in the distances of a root's wildcard targets. The section before has the root's states.
static bool fill_wildcards(struct job *job, unsigned s, struct fewest_error *error)
{
    (void)error;
    closure_distances(job->puzzle, job->sections[s].root_number, job->distances[s - 1].bytes,
                      job->options->threads, job->distances[s].bytes);
    return true;
}

static bool make_wildcards(struct job *job, unsigned s, struct fewest_error *error)
{
    return make_on_first_rank(job, s, fill_wildcards, error);
}

// Completes the section of the nodes, whose entries make_full_states has filled in.
static bool make_nodes(struct job *job, unsigned s, struct fewest_error *error)
{
    return make_on_first_rank(job, s, NULL, error);
}

// Fills in the pattern database of a board.
static bool fill_database(struct job *job, unsigned s, struct fewest_error *error)
{
    return database_excess(job->puzzle, job->sections[s].root_number, job->options,
                           job->distances[s].bytes, error);
}

static bool make_database(struct job *job, unsigned s, struct fewest_error *error)
{
    return make_on_first_rank(job, s, fill_database, error);
}

// Makes section `s`, a pattern database of a *projection*: the puzzle in which only its pieces
// differ. If there is a checkpoint, it has the layers of the search.
static bool make_stripes(struct job *job, unsigned s, struct fewest_error *error)
{
    struct section *section = &job->sections[s];
    const struct puzzle *projection = &job->puzzle->projections[section->root_number];
    struct search_options options = *job->options;
    struct count_pages pages = {.rotations = 1};
    struct file_search search = {options.checkpoint, s};
    options.database = section->root_number;
    options.database_count = job->puzzle->projection_count;
    bool made = stripes_make_pages(&pages, projection, options_stop_context, &options, error) ==
                    SYMMETRIC_MADE &&
                symmetric_pages_fill(&pages.pages, options.threads, error);
    bool done = ranks_barrier(made, error) &&
                search_bounds(projection, &pages, &options, search, &job->distances[s], error);
    section->entries = job->distances[s].total;
    section->root = done ? job->distances[s].bounds->base : 0;
    count_pages_free(&pages);
    return done;
}

section_maker *const SECTION_MAKERS[SECTION_KIND_COUNT] = {
    [SECTION_STATES] = make_states,   [SECTION_WILDCARDS] = make_wildcards,
    [SECTION_MOD4] = make_nodes,      [SECTION_DATABASE] = make_database,
    [SECTION_STRIPES] = make_stripes,
};
