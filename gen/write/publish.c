// Publishes a finished file: writes it without a name, flushes it, and renames it into place.
#include "publish.h"

#include "gen/layers/scratch.h"
#include "gen/plan/size.h"
#include "tables/file/storage.h"
#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool report_failure(const struct publication *publication, const char *what,
                           const char *path)
{
    return error_set(publication->error, FEWEST_SYSTEM, "%s: can't %s: %s", path, what,
                     strerror(errno));
}

static bool check_path(const struct publication *publication, const char *path)
{
    struct stat status;
    if (!*path || path[strlen(path) - 1] == '/') {
        return error_set(publication->error, FEWEST_SYSTEM, "'%s' is not the name of a file", path);
    }
    if (stat(path, &status) == 0) {
        return S_ISREG(status.st_mode) ||
               error_set(publication->error, FEWEST_SYSTEM,
                         "%s: can't replace a %s; use the name of a file", path,
                         S_ISDIR(status.st_mode) ? "folder" : "device, pipe or socket");
    }
    if (errno != ENOENT) {
        return report_failure(publication, "use this name", path);
    }
    return lstat(path, &status) != 0 ||
           error_set(publication->error, FEWEST_SYSTEM,
                     "%s: this link leads to no file; remove it or use another name", path);
}

static char *join_path(const char *folder, const char *name)
{
    char *path = malloc(strlen(folder) + strlen(name) + sizeof "/");
    if (path) {
        sprintf(path, "%s/%s", folder, name);
    }
    return path;
}

// Follows links, so that a link to a file stays a link. If the file does not exist yet, follows the
// links of its folder, so that no file has two names.
static bool resolve_path(struct publication *publication, const char *path)
{
    char *file = realpath(path, NULL); // NULL if the file does not exist
    const char *real = file ? file : path;
    const char *slash = strrchr(real, '/');
    const char *name = slash ? slash + 1 : real;
    char *folder = strndup(real, (size_t)(name - real));
    publication->folder = folder ? realpath(*folder ? folder : ".", NULL) : NULL;
    publication->path = publication->folder ? join_path(publication->folder, name) : NULL;
    bool found =
        publication->path || report_failure(publication, "make a file in its folder", path);
    free(folder);
    free(file);
    return found;
}

static void choose_temporary(struct publication *publication, unsigned number)
{
    char name[64];
    snprintf(name, sizeof name, ".fewest-gen.%ld.%u", (long)getpid(), number);
    free(publication->temporary);
    publication->temporary = join_path(publication->folder, name);
}

// Gives the file a temporary name, or makes it under that name if there is no file yet.
static bool try_temporary(struct publication *publication)
{
    char own[64];
    if (publication->file < 0) {
        publication->file =
            open(publication->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        return publication->file >= 0;
    }
    snprintf(own, sizeof own, "/proc/self/fd/%d", publication->file);
    return linkat(AT_FDCWD, own, AT_FDCWD, publication->temporary, AT_SYMLINK_FOLLOW) == 0;
}

// A name may be taken by a generator on another machine, or by a file that a killed generator left
// behind.
static bool take_temporary(struct publication *publication)
{
    enum { TRIES = 1000 };
    errno = EEXIST;
    for (unsigned number = 0; number < TRIES && !publication->named && errno == EEXIST; number++) {
        choose_temporary(publication, number);
        publication->named = publication->temporary && try_temporary(publication);
    }
    return publication->named ||
           report_failure(publication, "make a file in its folder", publication->path);
}

// NFS and some overlays have no files without a name, and without /proc such a file can't get a
// name. In these cases the file has a temporary name from the beginning.
static bool open_file(struct publication *publication)
{
    if (access("/proc/self/fd", X_OK) == 0) {
        publication->file = open(publication->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    }
    return publication->file >= 0 || take_temporary(publication);
}

bool publish_begin(struct publication *publication, const char *path, struct fewest_error *error)
{
    *publication = (struct publication){.file = -1, .error = error};
    return check_path(publication, path) && resolve_path(publication, path) &&
           open_file(publication);
}

bool publish_begin_in_memory(struct publication *publication, const char *folder,
                             struct fewest_error *error)
{
    *publication = (struct publication){.file = -1, .error = error};
    publication->folder = strdup(scratch_folder(folder));
    return publication->folder ? scratch_open(publication->folder, &publication->file, error)
                               : error_set(error, FEWEST_SYSTEM, "not enough memory for a path");
}

struct output publish_output(const struct publication *publication)
{
    return (struct output){publication->file,
                           publication->path ? publication->path : publication->folder};
}

static bool flush_file(const struct publication *publication)
{
    return fsync(publication->file) == 0 || report_failure(publication, "write", publication->path);
}

// A folder that may be written to but not read can't be opened, and some file systems can't flush a
// folder. Neither is an error.
static bool flush_folder(const struct publication *publication)
{
    int folder = open(publication->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool flushed = folder >= 0 ? fsync(folder) == 0 || errno == EINVAL : errno == EACCES;
    if (!flushed) {
        report_failure(publication, "flush this folder", publication->folder);
    }
    if (folder >= 0) {
        close(folder);
    }
    return flushed;
}

static bool put_in_place(struct publication *publication)
{
    if (!publication->named && !take_temporary(publication)) {
        return false;
    }
    if (rename(publication->temporary, publication->path) != 0) {
        return report_failure(publication, "put the new file in place", publication->path);
    }
    publication->named = false;
    return flush_folder(publication);
}

// Does the path already hold the same bytes? The files are read, not mapped, because a mapped file
// ends the program if somebody truncates it or the disk is bad.
static bool is_there(const struct publication *publication)
{
    enum { CHUNK = 1 << 14 };
    uint8_t old[CHUNK];
    uint8_t new[CHUNK];
    struct stat of_old;
    struct stat of_new;
    int file = open(publication->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool same = file >= 0 && fstat(file, &of_old) == 0 && fstat(publication->file, &of_new) == 0 &&
                of_old.st_size == of_new.st_size;
    for (off_t at = 0; same && at < of_new.st_size; at += CHUNK) {
        size_t part = of_new.st_size - at < CHUNK ? (size_t)(of_new.st_size - at) : CHUNK;
        same = storage_read_file(file, (uint64_t)at, old, part) &&
               storage_read_file(publication->file, (uint64_t)at, new, part) &&
               memcmp(old, new, part) == 0;
    }
    if (file >= 0) {
        close(file);
    }
    return same;
}

bool publish_finish(struct publication *publication, unsigned threads)
{
    if (publication->path && !flush_file(publication)) {
        return false;
    }
    if (!verify_table(publication->file, threads, publication->error)) {
        error_prefix(publication->error,
                     "verification failed, so the new table is not put in place");
        return error_prefix(publication->error, publish_output(publication).name);
    }
    if (!publication->path) {
        return true;
    }
    publication->unchanged = is_there(publication);
    if (publication->unchanged) {
        utimensat(AT_FDCWD, publication->path, NULL, 0); // so that make and ninja don't ask again
    }
    return publication->unchanged || put_in_place(publication);
}

bool publish_read(const struct publication *publication, uint64_t most, uint8_t **bytes,
                  size_t *length)
{
    struct output output = publish_output(publication);
    struct stat status;
    char needed[SIZE_TEXT];
    char there[SIZE_TEXT];
    if (fstat(output.file, &status) != 0) {
        return report_failure(publication, "read", output.name);
    }
    uint64_t size = (uint64_t)status.st_size;
    if (most > 0 && size > most) {
        return error_set(publication->error, FEWEST_BEYOND,
                         "the finished table takes %s of memory, but --memory allows only %s",
                         size_write(size, needed), size_write(most, there));
    }
    *bytes = size <= SIZE_MAX ? malloc((size_t)size) : NULL;
    *length = (size_t)size;
    return *bytes ? output_read(&output, 0, *bytes, *length, publication->error)
                  : error_set(publication->error, FEWEST_SYSTEM,
                              "not enough memory for the finished table, %s",
                              size_write(size, needed));
}

void publish_end(struct publication *publication)
{
    if (publication->file >= 0) {
        close(publication->file);
    }
    if (publication->named) {
        unlink(publication->temporary);
    }
    free(publication->path);
    free(publication->folder);
    free(publication->temporary);
    *publication = (struct publication){.file = -1};
}
