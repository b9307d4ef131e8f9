// Unpacks the blocks of a table file.
#include "format.h"

// The bytes around those of a block that is stored: the headers of zlib and deflate before them,
// and Adler's checksum after them.
enum { STORED_BEFORE = 7, STORED_AFTER = 4 };

// Do the compressed bytes of a block have the hash that the header says?
static bool check_block(const struct block *block, const uint8_t *encoded,
                        struct fewest_error *error)
{
    if (format_hash(encoded, block->length) != block->hash) {
        return error_set(error, FEWEST_DAMAGED,
                         "the block at byte %llu is damaged: its checksum does not match",
                         (unsigned long long)block->offset);
    }
    return true;
}

// Does a block of zlib (RFC 1950) consist of one *stored* block of deflate (RFC 1951), whose
// `length` bytes are not compressed? Looks only at the headers, and at the length of the block.
static bool has_stored_headers(const struct block *block, const uint8_t *encoded, size_t length)
{
    enum { LENGTH_MOST = 0xFFFF, PRESET_DICTIONARY = 0x20, LAST_AND_STORED = 1 };
    if (block->length != STORED_BEFORE + length + STORED_AFTER || length > LENGTH_MOST) {
        return false;
    }
    unsigned stored_length = encoded[3] | (unsigned)encoded[4] << 8;
    unsigned complement = encoded[5] | (unsigned)encoded[6] << 8;
    return (encoded[0] & 0xF) == Z_DEFLATED && (encoded[1] & PRESET_DICTIONARY) == 0 &&
           (encoded[0] << 8 | encoded[1]) % 31 == 0 && encoded[2] == LAST_AND_STORED &&
           stored_length == length && complement == (~length & LENGTH_MOST);
}

bool block_find_stored(const struct block *block, const uint8_t *encoded, size_t length,
                       const uint8_t **raw, struct fewest_error *error)
{
    *raw = NULL;
    if (!has_stored_headers(block, encoded, length)) {
        return true;
    }
    const uint8_t *sum = encoded + STORED_BEFORE + length; // big-endian
    uLong expected = (uLong)sum[0] << 24 | (uLong)sum[1] << 16 | (uLong)sum[2] << 8 | sum[3];
    if (!check_block(block, encoded, error)) {
        return false;
    }
    // If the sum is wrong, *raw stays NULL, and block_decode reports it.
    if (adler32(1, encoded + STORED_BEFORE, (uInt)length) == expected) {
        *raw = encoded + STORED_BEFORE;
    }
    return true;
}

bool block_decode(z_stream *stream, const struct block *block, const uint8_t *encoded, uint8_t *raw,
                  size_t length, struct fewest_error *error)
{
    if (!check_block(block, encoded, error)) {
        return false;
    }
    if ((stream->state ? inflateReset(stream) : inflateInit(stream)) != Z_OK) {
        return error_no_memory(error, "to unpack a block");
    }
    stream->next_in = encoded;
    stream->avail_in = block->length;
    stream->next_out = raw;
    stream->avail_out = (uInt)length;
    if (inflate(stream, Z_FINISH) != Z_STREAM_END || stream->avail_out > 0 ||
        stream->avail_in > 0) {
        return error_set(error, FEWEST_DAMAGED,
                         "the block at byte %llu is damaged: it does not unpack to %zu bytes",
                         (unsigned long long)block->offset, length);
    }
    return true;
}
