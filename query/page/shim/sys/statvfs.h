// No disk: nobody knows how much of it is free.
#ifndef FEWEST_PAGE_SHIM_STATVFS_H
#define FEWEST_PAGE_SHIM_STATVFS_H

#include <errno.h>

struct statvfs {
    unsigned long f_frsize, f_bsize;
    unsigned long long f_blocks, f_bavail;
};

static inline int statvfs(const char *path, struct statvfs *disk)
{
    (void)path;
    (void)disk;
    errno = ENOSYS;
    return -1;
}

static inline int fstatvfs(int file, struct statvfs *disk)
{
    (void)file;
    (void)disk;
    errno = ENOSYS;
    return -1;
}

#endif
