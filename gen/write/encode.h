// Compresses the blocks of a table. format.h tells how they are read.
#ifndef FEWEST_GEN_WRITE_ENCODE_H
#define FEWEST_GEN_WRITE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// How a block is compressed.
enum strategy {
    STRATEGY_STORE,        // not at all: deflate calls this a stored block
    STRATEGY_RUNS,         // by the frequency of bytes, and by runs of one byte
    STRATEGY_REPEATS,      // also by repeats of several bytes, which takes 5 to 20 times as long
    STRATEGY_MOST_REPEATS, // the same, but finds more repeats and takes longest
};

// Opens a stream. A thread compresses any number of blocks with it. Returns false if memory runs
// out. The caller calls deflateEnd in any case.
bool encoder_open(z_stream *stream, enum strategy strategy);

// Compresses one block. Returns the compressed bytes (from malloc) and their length, or NULL if
// memory runs out.
uint8_t *block_encode(z_stream *stream, const uint8_t *raw, size_t length, size_t *encoded_length);

#endif
