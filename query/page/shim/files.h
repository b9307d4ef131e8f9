// Included before each source file: the functions of files are those of ../files.c, and what the C
// library of WebAssembly lacks has a value.
#ifndef FEWEST_PAGE_SHIM_FILES_H
#define FEWEST_PAGE_SHIM_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENODATA   9998
#define O_TMPFILE 0x4000000

int memory_open(const char *path, int flags, ...);
int memory_close(int number);
ssize_t memory_pread(int number, void *to, size_t length, off_t offset);
ssize_t memory_pwrite(int number, const void *from, size_t length, off_t offset);
int memory_truncate(int number, off_t length);
int memory_stat(int number, struct stat *status);
int memory_flush(int number);

// A path is as it is, and there is one process.
static inline char *memory_path(const char *path, char *found)
{
    (void)path;
    (void)found;
    errno = ENOSYS;
    return NULL;
}

enum { LOCK_EX = 2, LOCK_NB = 4 };

static inline int memory_lock(int number, int kind)
{
    (void)number;
    (void)kind;
    return 0;
}

static inline int memory_name(char *path)
{
    (void)path;
    errno = ENOSYS;
    return -1;
}

#define flock     memory_lock
#define mkstemp   memory_name
#define realpath  memory_path
#define getpid()  1
#define open      memory_open
#define close     memory_close
#define pread     memory_pread
#define pwrite    memory_pwrite
#define ftruncate memory_truncate
#define fstat     memory_stat
#define fsync     memory_flush

#endif
