// Memory for arrays whose length comes from a puzzle or a file.
#ifndef FEWEST_TABLES_ARRAY_H
#define FEWEST_TABLES_ARRAY_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// `count` entries of `size` bytes, all 0, which the caller frees. NULL if memory runs out, and if
// the array is larger than a 32-bit program can address.
static inline void *array_make(uint64_t count, size_t size)
{
    return count < SIZE_MAX / size ? calloc((size_t)count + 1, size) : NULL; // never of 0 bytes
}

// The same for a large array that is read at random places: with huge pages, a processor waits less
// for their addresses. The entries are not set. Pages that are never written take no memory.
static inline void *array_make_huge(uint64_t count, size_t size)
{
    enum { HUGE_PAGE = 1 << 21 };
    if (count >= (SIZE_MAX - HUGE_PAGE) / size) {
        return NULL;
    }
    size_t length = (size_t)count * size;
    if (length < HUGE_PAGE) {
        return malloc(length + 1);
    }
    length = (length + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *array = aligned_alloc(HUGE_PAGE, length);
#ifdef MADV_HUGEPAGE
    if (array) {
        madvise(array, length, MADV_HUGEPAGE); // else the pages are small
    }
#endif
    return array;
}

#endif
