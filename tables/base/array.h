// Memory for arrays whose length comes from a puzzle or a file.
#ifndef FEWEST_TABLES_ARRAY_H
#define FEWEST_TABLES_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

// `count` entries of `size` bytes, all 0, which the caller frees. NULL if memory runs out, and if
// the array is larger than a 32-bit program can address.
static inline void *array_make(uint64_t count, size_t size)
{
    return count < SIZE_MAX / size ? calloc((size_t)count + 1, size) : NULL; // never of 0 bytes
}

#endif
