// Where the bytes of a table go as they are made.
#ifndef FEWEST_GEN_SINK_H
#define FEWEST_GEN_SINK_H

#include "fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Writes bytes at an offset. The blocks come first and in order, the header, for which they leave room, last.
struct sink {
    bool (*write)(void *context, uint64_t offset, const void *bytes, size_t length, struct fault *fault);
    void *context;
};

// A sink that keeps the bytes in memory, from malloc: `context` is one of these, at first all zero.
struct memory_sink {
    uint8_t *bytes;
    size_t length;
    size_t room;
};

bool memory_sink_write(void *context, uint64_t offset, const void *bytes, size_t length, struct fault *fault);

#endif
