// Lists the makers of sections: states, wildcard targets, pattern databases.
#include "makers.h"

#include "closure.h"

#include "gen/search/breadth_first.h"
#include "gen/search/tile_database.h"

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

// Makes section `s`, a pattern database. That of a board is made by tile_database.c. In any other
// puzzle, it has the distances of a *projection*: the puzzle in which only its pieces differ. A
// projection has one root, number 0.
static bool make_database(struct job *job, unsigned s, struct fewest_error *error)
{
    unsigned number = job->sections[s].root_number; // of the database
    struct search_options options = *job->options;
    if (job->puzzle->projection_count == 0) {
        return make_on_first_rank(job, s, fill_database, error);
    }
    options.database = number;
    options.database_count = job->puzzle->projection_count;
    return search_distances(&job->puzzle->projections[number], 0, &options,
                            (struct file_search){job->file, s}, &job->distances[s], error);
}

section_maker *const SECTION_MAKERS[SECTION_KIND_COUNT] = {
    [SECTION_STATES] = make_states,
    [SECTION_WILDCARDS] = make_wildcards,
    [SECTION_MOD4] = make_nodes,
    [SECTION_DATABASE] = make_database,
};
