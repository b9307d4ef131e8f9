// Eight bytes as one number, which is faster than byte by byte.
#ifndef FEWEST_GEN_LAYERS_EIGHT_BYTES_H
#define FEWEST_GEN_LAYERS_EIGHT_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

// Eight bytes as a number, the first one the lowest.
static inline uint64_t load_eight(const uint8_t *bytes)
{
    uint64_t eight;
    memcpy(&eight, bytes, sizeof eight);
    return le64toh(eight);
}

// Writes a number as eight bytes, the lowest first.
static inline void store_eight(uint8_t *bytes, uint64_t eight)
{
    eight = htole64(eight);
    memcpy(bytes, &eight, sizeof eight);
}

#endif
