#include "publish.h"

#include "mapping.h"
#include "scratch.h"
#include "verify.h"

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

static bool failed(const struct publication *publication, const char *what, const char *path)
{
    return fault_set(publication->fault, FAULT_SYSTEM, "%s: can't %s: %s", path, what, strerror(errno));
}

static mode_t mode_of_new_files(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// ---- The beginning ------------------------------------------------------------------------------------------------

// Where the bytes will really go: follows links, so that a link to a table stays one, and refuses what is no file.
static bool find_path(struct publication *publication, const char *path)
{
    struct stat status;
    publication->mode = mode_of_new_files();
    if (!*path || path[strlen(path) - 1] == '/') {
        return fault_set(publication->fault, FAULT_SYSTEM, "'%s': not the name of a file", path);
    }
    if (stat(path, &status) == 0) {
        publication->mode = status.st_mode & 07777;
        publication->path = realpath(path, NULL);
        if (!publication->path) {
            return failed(publication, "follow the path", path);
        }
        return S_ISREG(status.st_mode) ||
               fault_set(publication->fault, FAULT_SYSTEM, "%s: not a regular file, and can't be replaced", path);
    }
    if (errno != ENOENT) {
        return failed(publication, "look at the file", path);
    }
    publication->path = strdup(path);
    return lstat(path, &status) != 0 ||
           fault_set(publication->fault, FAULT_SYSTEM, "%s: a link to nothing, and can't be replaced", path);
}

// One name for a file, whatever it was called.
static bool make_path_real(struct publication *publication)
{
    char *folder = realpath(publication->folder, NULL);
    const char *slash = strrchr(publication->path, '/');
    const char *name = slash ? slash + 1 : publication->path;
    char *path = folder ? malloc(strlen(folder) + strlen(name) + 2) : NULL;
    if (path) {
        sprintf(path, "%s/%s", folder, name);
        free(publication->path);
        publication->path = path;
    }
    free(folder);
    return path;
}

static bool find_folder(struct publication *publication, const char *path)
{
    char *scratch = publication->path ? strdup(publication->path) : NULL;
    publication->folder = scratch ? strdup(dirname(scratch)) : NULL;
    size_t room = publication->folder ? strlen(publication->folder) + sizeof "/.fewest-gen.XXXXXX" : 1;
    publication->temporary = calloc(room, 1);
    free(scratch);
    if (publication->folder && !make_path_real(publication)) {
        return failed(publication, "make a file in the folder", publication->folder);
    }
    return (publication->folder && publication->temporary) ||
           fault_set(publication->fault, FAULT_SYSTEM, "%s: not enough memory", path);
}

// A file without a name is of use only where it can be given one.
static bool open_file(struct publication *publication)
{
    if (access("/proc/self/fd", X_OK) == 0) {
        publication->file = open(publication->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    }
    if (publication->file < 0) {
        sprintf(publication->temporary, "%s/.fewest-gen.XXXXXX", publication->folder);
        publication->file = mkstemp(publication->temporary);
    }
    if (publication->file < 0) {
        publication->temporary[0] = '\0';
        return failed(publication, "make a file in the folder", publication->folder);
    }
    return true;
}

bool publish_begin(struct publication *publication, const char *path, struct fault *fault)
{
    *publication = (struct publication){.file = -1, .fault = fault};
    return find_path(publication, path) && find_folder(publication, path) && open_file(publication);
}

static bool write_at(void *context, uint64_t offset, const void *bytes, size_t length, struct fault *fault)
{
    const struct publication *publication = context;
    return scratch_write(publication->file, offset, bytes, length) ||
           fault_set(fault, FAULT_SYSTEM, "%s: can't write: %s", publication->path, strerror(errno));
}

struct sink publish_sink(struct publication *publication)
{
    return (struct sink){write_at, publication};
}

// ---- The end ------------------------------------------------------------------------------------------------------

static bool flush(const struct publication *publication)
{
    return (fchmod(publication->file, publication->mode) == 0 && fsync(publication->file) == 0) ||
           failed(publication, "write", publication->path);
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

static bool same_bytes(int a, int b, uint8_t *room, size_t half)
{
    for (uint64_t at = 0;; at += half) {
        ssize_t from_a = pread(a, room, half, (off_t)at);
        ssize_t from_b = pread(b, room + half, half, (off_t)at);
        if (from_a < 0 || from_a != from_b || memcmp(room, room + half, (size_t)from_a) != 0) {
            return false;
        }
        if (from_a == 0) {
            return true;
        }
    }
}

// Does the path hold these very bytes already? Then it is left untouched, and so is all that is built from it.
static bool is_there(const struct publication *publication)
{
    enum { HALF = 1 << 20 };
    int file = open(publication->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    uint8_t *room = file >= 0 ? malloc(2 * (size_t)HALF) : NULL;
    bool same = room && same_bytes(publication->file, file, room, HALF);
    free(room);
    if (file >= 0) {
        close(file);
    }
    return same;
}

static bool give_name(struct publication *publication)
{
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", publication->file);
    for (unsigned tries = 0; tries < 100; tries++) {
        sprintf(publication->temporary, "%s/.fewest-gen.%06u", publication->folder, (unsigned)getpid() + tries);
        if (linkat(AT_FDCWD, own, AT_FDCWD, publication->temporary, AT_SYMLINK_FOLLOW) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    publication->temporary[0] = '\0';
    return failed(publication, "make a file in the folder", publication->folder);
}

// Signals wait for the moment that the file has a name that is not the table's.
static bool take_place(struct publication *publication)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool placed = publication->temporary[0] || give_name(publication);
    if (placed && rename(publication->temporary, publication->path) == 0) {
        publication->temporary[0] = '\0';
    } else if (placed) {
        placed = failed(publication, "put the table in place", publication->path);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return placed && flush_folder(publication);
}

bool publish_place(struct publication *publication)
{
    return flush(publication) && take_place(publication);
}

bool publish_finish(struct publication *publication, unsigned threads)
{
    struct mapping mapping;
    if (!flush(publication)) {
        return false;
    }
    if (!mapping_of_file(&mapping, publication->file, publication->fault)) {
        return fault_prefix(publication->fault, publication->path);
    }
    bool sound = verify_table(mapping.bytes, mapping.length, threads, publication->fault);
    mapping_close(&mapping);
    return sound && (is_there(publication) || take_place(publication));
}

void publish_end(struct publication *publication)
{
    if (publication->file >= 0) {
        close(publication->file);
    }
    if (publication->temporary && publication->temporary[0]) {
        unlink(publication->temporary);
    }
    free(publication->path);
    free(publication->folder);
    free(publication->temporary);
    *publication = (struct publication){.file = -1};
}
