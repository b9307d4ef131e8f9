// A WebAssembly module maps no files: a table on the page lies in memory.
#ifndef FEWEST_PAGE_SHIM_MMAN_H
#define FEWEST_PAGE_SHIM_MMAN_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32 };
#define MAP_FAILED ((void *)-1)

static inline void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset)
{
    (void)at;
    (void)length;
    (void)protection;
    (void)flags;
    (void)file;
    (void)offset;
    errno = ENOSYS;
    return MAP_FAILED;
}

static inline int munmap(void *at, size_t length)
{
    (void)at;
    (void)length;
    return 0;
}

static inline int madvise(void *at, size_t length, int advice)
{
    (void)at;
    (void)length;
    (void)advice;
    return 0;
}

enum { MADV_RANDOM = 1, MADV_SEQUENTIAL = 2, MADV_WILLNEED = 3, MADV_DONTNEED = 4, MADV_HUGEPAGE = 14 };

#endif
