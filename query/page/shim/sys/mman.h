// A WebAssembly module maps no files: a table on the page lies in memory.
#ifndef FEWEST_PAGE_SHIM_MMAN_H
#define FEWEST_PAGE_SHIM_MMAN_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32 };
#define MAP_FAILED ((void *)-1)

// Memory without a file; a file can't be mapped.
static inline void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset)
{
    (void)at;
    (void)protection;
    (void)file;
    (void)offset;
    void *bytes = flags & MAP_ANONYMOUS ? calloc(length, 1) : NULL;
    errno = flags & MAP_ANONYMOUS ? ENOMEM : ENOSYS;
    return bytes ? bytes : MAP_FAILED;
}

static inline int munmap(void *at, size_t length)
{
    (void)length;
    free(at);
    return 0;
}

static inline int madvise(void *at, size_t length, int advice)
{
    (void)at;
    (void)length;
    (void)advice;
    return 0;
}

enum {
    MADV_RANDOM = 1,
    MADV_SEQUENTIAL = 2,
    MADV_WILLNEED = 3,
    MADV_DONTNEED = 4,
    MADV_HUGEPAGE = 14
};

#endif
