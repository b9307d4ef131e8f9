// The sections of a table while they are made.
#ifndef FEWEST_GEN_JOB_H
#define FEWEST_GEN_JOB_H

#include "gen/layers/distances.h"
#include "gen/layers/options.h"
#include "tables/file/format.h"

struct job {
    const struct puzzle *puzzle;
    const struct search_options *options;
    struct section *sections;                  // those of the table, in order
    struct distances distances[SECTIONS_MOST]; // by section
    struct layer_file *file;                   // of the layers of all searches
};

// Makes the distances of section `s`, and completes what sections_of left open; those of the
// sections before it are there. All ranks call this, and if it fails on one rank, it fails on all.
// The caller frees the distances in any case.
typedef bool section_maker(struct job *job, unsigned s, struct fewest_error *error);

// Makes section `s` in the memory of the first rank, and gives all ranks its histogram. `fill`
// fills in the distances. If it is NULL, they are in that memory already.
bool make_on_first_rank(struct job *job, unsigned s, section_maker *fill,
                        struct fewest_error *error);

#endif
