// From the text of a definition to the bytes of its table file.
#ifndef FEWEST_GEN_GENERATE_H
#define FEWEST_GEN_GENERATE_H

#include "puzzle.h"
#include "search.h"

struct generated {
    char name[NAME_LONGEST + 1]; // of the puzzle
    uint8_t *bytes;              // the whole file
    size_t length;
};

// The bytes depend on the text, the metric and the version of zlib alone. The caller frees generated->bytes.
bool generate_table(const char *definition, size_t length, enum metric metric, const struct search_options *options,
                    struct generated *generated, struct fault *fault);

// Are these the bytes of a sound table file: the header valid, and every block as its checksum says?
bool generate_verify(const uint8_t *bytes, size_t length, struct fault *fault);

#endif
