// From distances to the bytes of a table file.
#ifndef FEWEST_GEN_WRITE_PACK_H
#define FEWEST_GEN_WRITE_PACK_H

#include "gen/layers/distances.h"
#include "gen/layers/options.h"
#include "gen/layers/scratch.h"
#include "tables/file/format.h"

// What goes into a table. pack_table fills in what the distances tell of each section: bits,
// largest and histogram.
struct table_content {
    const char *definition;
    size_t definition_length;
    enum metric metric;
    unsigned section_count;
    struct section sections[SECTIONS_MOST];
    const struct distances *distances[SECTIONS_MOST]; // with their histograms
};

// Packs the distances into blocks and compresses them, on all threads. Writes the blocks in order,
// and then the header, for which there is room at the beginning of the output. The bytes do not
// depend on the number of threads. All ranks call this. Fails with FEWEST_SYSTEM or FEWEST_STOPPED.
bool pack_table(struct table_content *content, const struct search_options *options,
                const struct output *output, struct fewest_error *error);

#endif
