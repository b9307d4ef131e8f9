// From a puzzle to the bytes of its table file.
#ifndef FEWEST_GEN_GENERATE_H
#define FEWEST_GEN_GENERATE_H

#include "puzzle.h"
#include "search.h"
#include "sink.h"

// Makes the table of a puzzle, which was compiled from this text, and hands its bytes to the sink. They depend on the
// text, the metric and the version of zlib alone.
bool generate_table(const struct puzzle *puzzle, const char *definition, size_t length,
                    const struct search_options *options, const struct sink *sink, struct fewest_error *error);

#endif
