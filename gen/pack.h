// From distances to the bytes of a table file.
#ifndef FEWEST_GEN_PACK_H
#define FEWEST_GEN_PACK_H

#include "distances.h"
#include "format.h"
#include "search.h"
#include "sink.h"

// What goes into a table. pack_table fills in what the distances tell of each section: bits, largest and histogram.
struct table_content {
    const char *definition;
    size_t definition_length;
    enum metric metric;
    unsigned section_count;
    struct section sections[SECTIONS_MOST];
    const struct distances *distances[SECTIONS_MOST]; // with their histograms
};

// Packs and compresses on all threads while the bytes go to the sink, which sees no more than a few blocks at once. The
// bytes do not depend on the number of threads. Fails as the sink does, with FEWEST_SYSTEM and FEWEST_STOPPED.
bool pack_table(struct table_content *content, const struct search_options *options, const struct sink *sink,
                struct fewest_error *error);

#endif
