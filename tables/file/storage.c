// Maps the file of a table, or reads it into memory.
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool storage_read_file(int file, uint64_t offset, void *to, size_t length)
{
    uint8_t *at = to;
    while (length > 0) {
        ssize_t done = pread(file, at, length, (off_t)offset);
        if (done == 0) { // the end of the file
            errno = ENODATA;
            return false;
        }
        if (done < 0 && errno == EINTR) { // a signal came first
            continue;
        }
        if (done < 0) {
            return false;
        }
        at += done;
        offset += (uint64_t)done;
        length -= (size_t)done;
    }
    return true;
}

// Maps the file, of storage->length bytes. Returns false without an error if that is not possible:
// then the caller reads the file.
static bool map_file(struct storage *storage, int file)
{
    void *bytes = mmap(NULL, (size_t)storage->length, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) {
        return false;
    }
    storage->bytes = bytes;
    storage->mapped = true;
    return true;
}

// Reads the whole file, of storage->length bytes, into memory that storage_close frees.
static bool read_file(struct storage *storage, int file, struct fewest_error *error)
{
    size_t length = (size_t)storage->length;
    storage->own = malloc(length);
    if (!storage->own) {
        return error_set(error, FEWEST_SYSTEM,
                         "the file can't be mapped, and there is not enough memory to read it");
    }
    if (!storage_read_file(file, 0, storage->own, length)) {
        error_write(error, FEWEST_SYSTEM, "can't read the file: %s", strerror(errno));
        free(storage->own);
        return false;
    }
    storage->bytes = storage->own;
    return true;
}

bool storage_of_file(struct storage *storage, int file, struct fewest_error *error)
{
    struct stat status;
    *storage = (struct storage){.length = 0};
    if (fstat(file, &status) != 0) {
        return error_set(error, FEWEST_MISSING, "%s", strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return error_set(error, FEWEST_MISSING, "not a regular file");
    }
    if (status.st_size == 0) {
        return error_set(error, FEWEST_DAMAGED, "the file is empty");
    }
    storage->length = (uint64_t)status.st_size;
    if (storage->length > SIZE_MAX / 2) {
        return error_set(error, FEWEST_BEYOND,
                         "the table has %llu bytes, more than this program can address",
                         (unsigned long long)storage->length);
    }
    return map_file(storage, file) || read_file(storage, file, error);
}

bool storage_open(struct storage *storage, const char *path, struct fewest_error *error)
{
    // O_NONBLOCK: opening a pipe that nobody writes to must not wait.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return error_set(error, FEWEST_MISSING, "%s", strerror(errno));
    }
    bool opened = storage_of_file(storage, file, error);
    close(file);
    return opened;
}

void storage_release(const struct storage *storage)
{
    if (storage->mapped) {
        madvise((void *)storage->bytes, (size_t)storage->length, MADV_DONTNEED);
    }
}

void storage_close(struct storage *storage)
{
    if (storage->mapped) {
        munmap((void *)storage->bytes, (size_t)storage->length);
    }
    free(storage->own);
}
