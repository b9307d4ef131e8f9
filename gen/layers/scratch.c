// Files without a name, and reading and writing at an offset.
#include "scratch.h"

#include "tables/file/storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *scratch_folder(const char *folder)
{
    const char *system = getenv("TMPDIR");
    if (folder) {
        return folder;
    }
    return system && system[0] ? system : "/tmp";
}

// Makes a named file and removes the name at once, for file systems that can't make a file without
// a name. Returns the file, which the caller closes, or -1 with errno.
static int open_named(const char *folder)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/.fewest-gen.XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkstemp(path);
    if (file >= 0) {
        unlink(path);
    }
    return file;
}

bool scratch_open(const char *folder, int *file, struct fewest_error *error)
{
    folder = scratch_folder(folder);
    *file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (*file < 0) {
        *file = open_named(folder);
    }
    if (*file < 0) {
        return error_set(error, FEWEST_SYSTEM, "%s: can't make a temporary file in this folder: %s",
                         folder, strerror(errno));
    }
    return true;
}

bool scratch_write(int file, uint64_t offset, const void *bytes, size_t length)
{
    const uint8_t *rest = bytes;
    while (length > 0) { // pwrite may write a part, or be interrupted by a signal
        ssize_t done = pwrite(file, rest, length, (off_t)offset);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        if (done > 0) {
            rest += done;
            offset += (uint64_t)done;
            length -= (size_t)done;
        }
    }
    return true;
}

bool output_write(const struct output *output, uint64_t offset, const void *bytes, size_t length,
                  struct fewest_error *error)
{
    return scratch_write(output->file, offset, bytes, length) ||
           error_set(error, FEWEST_SYSTEM, "%s: can't write: %s", output->name, strerror(errno));
}

bool output_read(const struct output *output, uint64_t offset, void *bytes, size_t length,
                 struct fewest_error *error)
{
    return storage_read_file(output->file, offset, bytes, length) ||
           error_set(error, FEWEST_SYSTEM, "%s: can't read: %s", output->name, strerror(errno));
}
