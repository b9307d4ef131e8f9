// Where the bytes of a table go as they are made.
#ifndef FEWEST_GEN_SINK_H
#define FEWEST_GEN_SINK_H

#include "errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Writes bytes at an offset. The blocks come first and in order, the header, for which they leave room, last.
struct sink {
    bool (*write)(void *context, uint64_t offset, const void *bytes, size_t length, struct fewest_error *error);
    void *context;
};

#endif
