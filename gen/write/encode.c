// Compresses blocks with zlib.
#include "encode.h"

#include <assert.h>
#include <stdlib.h>

bool encoder_open(z_stream *stream, enum strategy strategy)
{
    static const struct {
        int level;
        int strategy; // of zlib
    } SETTINGS[] = {
        [STRATEGY_STORE] = {0, Z_DEFAULT_STRATEGY},
        [STRATEGY_RUNS] = {9, Z_RLE}, // its level has no effect
        [STRATEGY_REPEATS] = {4, Z_FILTERED},
        [STRATEGY_MOST_REPEATS] = {9, Z_DEFAULT_STRATEGY},
    };
    enum { WINDOW = 15, MEMORY = 9 }; // the most of both that zlib has
    *stream = (z_stream){0};
    return deflateInit2(stream, SETTINGS[strategy].level, Z_DEFLATED, WINDOW, MEMORY,
                        SETTINGS[strategy].strategy) == Z_OK;
}

uint8_t *block_encode(z_stream *stream, const uint8_t *raw, size_t length, size_t *encoded_length)
{
    // deflateBound of zlib 1.2.13 returns too little for a few bytes that stay uncompressed.
    // compressBound(0) is more than what a stream adds to them.
    size_t room = deflateBound(stream, (uLong)length) + compressBound(0);
    uint8_t *out = malloc(room);
    if (!out) {
        return NULL;
    }
    deflateReset(stream);
    stream->next_in = raw;
    stream->avail_in = (uInt)length;
    stream->next_out = out;
    stream->avail_out = (uInt)room;
    int status = deflate(stream, Z_FINISH);
    assert(status == Z_STREAM_END); // there is room for it
    (void)status;
    *encoded_length = stream->total_out;
    return out;
}
