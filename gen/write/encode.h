// Compresses the blocks of a table. format.h tells how they are read.
#ifndef FEWEST_GEN_WRITE_ENCODE_H
#define FEWEST_GEN_WRITE_ENCODE_H

#include <stddef.h>
#include <stdint.h>

// How a block is compressed.
enum strategy {
    STRATEGY_STORE,        // not at all: deflate calls this a stored block
    STRATEGY_RUNS,         // by the frequency of bytes, and by runs of one byte
    STRATEGY_REPEATS,      // also by repeats of several bytes, which takes 5 to 20 times as long
    STRATEGY_MOST_REPEATS, // the same, but finds more repeats and takes longest
};

// A thread compresses any number of blocks with one encoder. encoder_open returns NULL without
// memory.
struct encoder;
struct encoder *encoder_open(enum strategy strategy);
void encoder_close(struct encoder *encoder); // NULL is allowed

// Compresses one block. Returns the compressed bytes (from malloc) and their length, or NULL if
// memory runs out.
uint8_t *block_encode(struct encoder *encoder, const uint8_t *raw, size_t length,
                      size_t *encoded_length);

#endif
