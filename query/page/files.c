// The files of a WebAssembly module: temporary ones, in memory. They take the place of the C
// library's functions. No other file exists.
#include "query/page/shim/files.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 16, FIRST_FILE = 100 }; // the numbers begin behind those of the C library

static struct memory_file {
    _Bool used;
    uint8_t *bytes;
    size_t length;
    size_t room;
} files[FILES_MOST];

static struct memory_file *find_file(int number)
{
    unsigned i = (unsigned)number - FIRST_FILE;
    if (i < FILES_MOST && files[i].used) {
        return &files[i];
    }
    errno = EBADF;
    return NULL;
}

int open(const char *path, int flags, ...)
{
    (void)path;
    if (!(flags & O_TMPFILE)) {
        errno = ENOENT;
        return -1;
    }
    for (int i = 0; i < FILES_MOST; i++) {
        if (!files[i].used) {
            files[i] = (struct memory_file){.used = 1};
            return FIRST_FILE + i;
        }
    }
    errno = EMFILE;
    return -1;
}

int close(int number)
{
    struct memory_file *file = find_file(number);
    if (!file) {
        return -1;
    }
    free(file->bytes);
    *file = (struct memory_file){.used = 0};
    return 0;
}

// Makes a file at least so long. New bytes are 0.
static int lengthen(struct memory_file *file, size_t length)
{
    if (length > file->room) {
        size_t room = file->room + file->room / 2 > length ? file->room + file->room / 2 : length;
        uint8_t *larger = realloc(file->bytes, room);
        if (!larger) {
            errno = ENOSPC;
            return -1;
        }
        file->bytes = larger;
        file->room = room;
    }
    if (length > file->length) {
        memset(file->bytes + file->length, 0, length - file->length);
        file->length = length;
    }
    return 0;
}

ssize_t pread(int number, void *to, size_t length, off_t offset)
{
    struct memory_file *file = find_file(number);
    if (!file) {
        return -1;
    }
    size_t begin = offset < (off_t)file->length ? (size_t)offset : file->length;
    size_t count = length < file->length - begin ? length : file->length - begin;
    memcpy(to, file->bytes + begin, count);
    return (ssize_t)count;
}

ssize_t pwrite(int number, const void *from, size_t length, off_t offset)
{
    struct memory_file *file = find_file(number);
    uint64_t end = (uint64_t)offset + length;
    if (!file || end > SIZE_MAX / 2) {
        errno = file ? EFBIG : EBADF;
        return -1;
    }
    if (lengthen(file, (size_t)end) != 0) {
        return -1;
    }
    memcpy(file->bytes + offset, from, length);
    return (ssize_t)length;
}

int ftruncate(int number, off_t length)
{
    struct memory_file *file = find_file(number);
    if (!file) {
        return -1;
    }
    if (length >= (off_t)file->length) {
        return lengthen(file, (size_t)length);
    }
    file->length = (size_t)length;
    return 0;
}

int fstat(int number, struct stat *status)
{
    struct memory_file *file = find_file(number);
    if (!file) {
        return -1;
    }
    *status = (struct stat){.st_mode = S_IFREG | 0600, .st_size = (off_t)file->length};
    return 0;
}

int fsync(int number)
{
    return find_file(number) ? 0 : -1;
}
