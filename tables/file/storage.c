// Reads the bytes of a table from a file or from memory.
#include "file/storage.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool storage_of_file(struct storage *storage, int file, struct fewest_error *error)
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
    *storage = (struct storage){.file = file, .length = (uint64_t)status.st_size};
    return true;
}

bool storage_open(struct storage *storage, const char *path, struct fewest_error *error)
{
    // O_NONBLOCK: opening a pipe that nobody writes to must not wait.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return error_set(error, FEWEST_MISSING, "%s", strerror(errno));
    }
    if (!storage_of_file(storage, file, error)) {
        close(file);
        return false;
    }
    return true;
}

void storage_close(struct storage *storage)
{
    if (storage->file >= 0) {
        close(storage->file);
    }
}

bool storage_read_file(int file, uint64_t offset, void *to, size_t length)
{
    uint8_t *at = to;
    while (length > 0) {
        ssize_t done = pread(file, at, length, (off_t)offset);
        if (done == 0 || (done < 0 && errno != EINTR)) {
            errno = done == 0 ? ENODATA : errno;
            return false;
        }
        if (done > 0) {
            at += done;
            offset += (uint64_t)done;
            length -= (size_t)done;
        }
    }
    return true;
}

bool storage_read(const struct storage *storage, uint64_t offset, uint8_t *to, size_t length,
                  struct fewest_error *error)
{
    assert(offset <= storage->length && length <= storage->length - offset);
    if (storage->bytes) {
        memcpy(to, storage->bytes + offset, length);
        return true;
    }
    if (storage_read_file(storage->file, offset, to, length)) {
        return true;
    }
    return errno == ENODATA
               ? error_set(error, FEWEST_DAMAGED,
                           "another program cut the file short while it was open" TABLE_AGAIN)
               : error_set(error, FEWEST_SYSTEM, "can't read the file: %s", strerror(errno));
}
