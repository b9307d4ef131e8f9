// Maps a file into memory.
#include "file/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool mapping_of_file(struct mapping *mapping, int file, struct fewest_error *error)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return error_set(error, FEWEST_MISSING, "%s", strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return error_set(error, FEWEST_MISSING, "not a regular file");
    }
    if (status.st_size == 0) {
        return error_set(error, FEWEST_DAMAGED, "the file is empty");
    }
    if ((uintmax_t)status.st_size > SIZE_MAX) {
        return error_set(error, FEWEST_SYSTEM, "the file is too large for this machine");
    }
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        return error_set(error, FEWEST_SYSTEM, "can't map the file into memory: %s",
                         strerror(errno));
    }
    *mapping = (struct mapping){bytes, (size_t)status.st_size};
    return true;
}

bool mapping_open(struct mapping *mapping, const char *path, struct fewest_error *error)
{
    // O_NONBLOCK: opening a pipe that nobody writes to must not wait.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return error_set(error, FEWEST_MISSING, "%s", strerror(errno));
    }
    bool mapped = mapping_of_file(mapping, file, error);
    close(file);
    return mapped;
}

void mapping_close(struct mapping *mapping)
{
    if (mapping->bytes) {
        munmap((void *)(uintptr_t)mapping->bytes, mapping->length);
    }
    *mapping = (struct mapping){0};
}

void mapping_give_back(const struct mapping *mapping, size_t offset, size_t length)
{
    // Linux maps up to this much around a fault. It is a multiple of the page size.
    enum { AROUND = 1 << 16 };
    if (mapping->bytes) {
        size_t first = offset / AROUND * AROUND;
        size_t end = (offset + length + AROUND - 1) / AROUND * AROUND;
        end = end < mapping->length ? end : mapping->length;
        madvise((void *)(uintptr_t)(mapping->bytes + first), end - first, MADV_DONTNEED);
    }
}
