#include "publish.h"

#include "generate.h"
#include "mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct publication {
    char *path; // links followed
    char *folder;
    char *temporary;
    mode_t mode; // of the file that is replaced, or of any new one
    struct fault *fault;
};

static bool failed(const struct publication *publication, const char *what, const char *path)
{
    return fault_set(publication->fault, FAULT_SYSTEM, "%s: can't %s: %s", path, what, strerror(errno));
}

static bool write_all(int file, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return true;
}

static mode_t mode_of_new_files(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool write_temporary(const struct publication *publication, const uint8_t *bytes, size_t length)
{
    int file = mkstemp(publication->temporary);
    if (file < 0) {
        return failed(publication, "make a file in the folder", publication->folder);
    }
    bool written = write_all(file, bytes, length) && fchmod(file, publication->mode) == 0 && fsync(file) == 0;
    int error = errno;
    if (close(file) != 0 && written) {
        written = false;
        error = errno;
    }
    if (!written) {
        errno = error;
        failed(publication, "write", publication->path);
        unlink(publication->temporary);
    }
    return written;
}

static bool verify_temporary(const struct publication *publication, const uint8_t *bytes, size_t length)
{
    struct mapping mapping;
    if (!mapping_open(&mapping, publication->temporary, publication->fault)) {
        return fault_prefix(publication->fault, publication->temporary);
    }
    bool same = mapping.length == length && memcmp(mapping.bytes, bytes, length) == 0;
    if (!same) {
        fault_write(publication->fault, FAULT_SYSTEM, "%s: what was written can't be read back", publication->path);
    }
    bool sound = same && generate_verify(mapping.bytes, mapping.length, publication->fault);
    mapping_close(&mapping);
    return sound;
}

static bool flush_folder(const struct publication *publication)
{
    int folder = open(publication->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool flushed = folder >= 0 && (fsync(folder) == 0 || errno == EINVAL); // some file systems can't
    if (!flushed) {
        failed(publication, "flush the folder", publication->folder);
    }
    if (folder >= 0) {
        close(folder);
    }
    return flushed;
}

static bool replace(const struct publication *publication, const uint8_t *bytes, size_t length)
{
    if (!write_temporary(publication, bytes, length)) {
        return false;
    }
    bool verified = verify_temporary(publication, bytes, length);
    if (verified && rename(publication->temporary, publication->path) == 0) {
        return flush_folder(publication);
    }
    if (verified) {
        failed(publication, "put the table in place", publication->path);
    }
    unlink(publication->temporary);
    return false;
}

// Where the bytes will really go: follows links, so that a link to a table stays one, and refuses what is no file.
static bool find_path(struct publication *publication, const char *path)
{
    struct stat status;
    publication->mode = mode_of_new_files();
    if (stat(path, &status) == 0) {
        publication->mode = status.st_mode & 07777;
        publication->path = realpath(path, NULL);
        return S_ISREG(status.st_mode) || fault_set(publication->fault, FAULT_SYSTEM,
                                                    "%s: not a regular file; a table can't take its place", path);
    }
    publication->path = strdup(path);
    return lstat(path, &status) != 0 ||
           fault_set(publication->fault, FAULT_SYSTEM, "%s: a link to nothing; a table can't take its place", path);
}

static bool resolve(struct publication *publication, const char *path)
{
    if (!find_path(publication, path)) {
        return false;
    }
    char *scratch = publication->path ? strdup(publication->path) : NULL;
    publication->folder = scratch ? strdup(dirname(scratch)) : NULL;
    size_t room = publication->folder ? strlen(publication->folder) + sizeof "/.fewest-gen.XXXXXX" : 0;
    publication->temporary = malloc(room + 1);
    free(scratch);
    if (!publication->folder || !publication->temporary) {
        return fault_set(publication->fault, FAULT_SYSTEM, "%s: not enough memory", path);
    }
    snprintf(publication->temporary, room, "%s/.fewest-gen.XXXXXX", publication->folder);
    return access(publication->folder, W_OK | X_OK) == 0 ||
           failed(publication, "make a file in the folder", publication->folder);
}

static void release(struct publication *publication)
{
    free(publication->path);
    free(publication->folder);
    free(publication->temporary);
}

bool publish_check(const char *path, struct fault *fault)
{
    struct publication publication = {.fault = fault};
    bool possible = resolve(&publication, path);
    release(&publication);
    return possible;
}

// Does the path hold these very bytes already? Then it is left untouched, and so is all that is built from it.
static bool is_there(const struct publication *publication, const uint8_t *bytes, size_t length)
{
    struct mapping mapping;
    struct fault ignored;
    if (!mapping_open(&mapping, publication->path, &ignored)) {
        return false;
    }
    bool same = mapping.length == length && memcmp(mapping.bytes, bytes, length) == 0;
    mapping_close(&mapping);
    return same;
}

bool publish_table(const char *path, const uint8_t *bytes, size_t length, struct fault *fault)
{
    struct publication publication = {.fault = fault};
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool published =
        resolve(&publication, path) && (is_there(&publication, bytes, length) || replace(&publication, bytes, length));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    release(&publication);
    return published;
}
