// Publishes a finished file: writes it without a name, flushes it, and renames it into place.
#include "publish.h"

#include "mapping.h"
#include "scratch.h"
#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool failed(const struct publication *publication, const char *what, const char *path)
{
    return error_set(publication->error, FEWEST_SYSTEM, "%s: can't %s: %s", path, what, strerror(errno));
}

// The path with links followed, so that a link to a table stays a link; or the path as it is if it leads to no file
// yet.
static bool find_path(struct publication *publication, const char *path)
{
    struct stat status;
    if (!*path || path[strlen(path) - 1] == '/') {
        return error_set(publication->error, FEWEST_SYSTEM, "'%s' is not the name of a file", path);
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return error_set(publication->error, FEWEST_SYSTEM, "%s: can't replace it: not a regular file", path);
    }
    publication->path = realpath(path, NULL);
    if (!publication->path) {
        publication->path = strdup(path);
    }
    char *copy = publication->path ? strdup(publication->path) : NULL;
    publication->folder = copy ? strdup(dirname(copy)) : NULL;
    free(copy);
    size_t room = publication->folder ? strlen(publication->folder) + sizeof "/.fewest-gen.4294967295" : 1;
    publication->temporary = calloc(room, 1);
    return (publication->folder && publication->temporary) || failed(publication, "begin to write", path);
}

// NFS and some overlays have no files without a name: there the file has a temporary one from the beginning.
static bool open_file(struct publication *publication)
{
    sprintf(publication->temporary, "%s/.fewest-gen.%u", publication->folder, (unsigned)getpid());
    publication->file = open(publication->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (publication->file < 0) {
        publication->file = open(publication->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        publication->named = publication->file >= 0;
    }
    return publication->file >= 0 || failed(publication, "make a file in this folder", publication->folder);
}

bool publish_begin(struct publication *publication, const char *path, struct fewest_error *error)
{
    *publication = (struct publication){.file = -1, .error = error};
    return find_path(publication, path) && open_file(publication);
}

static bool write_at(void *context, uint64_t offset, const void *bytes, size_t length, struct fewest_error *error)
{
    const struct publication *publication = context;
    return scratch_write(publication->file, offset, bytes, length) ||
           error_set(error, FEWEST_SYSTEM, "%s: can't write: %s", publication->path, strerror(errno));
}

struct sink publish_sink(struct publication *publication)
{
    return (struct sink){write_at, publication};
}

static bool flush_folder(const struct publication *publication)
{
    int folder = open(publication->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool flushed = folder >= 0 && (fsync(folder) == 0 || errno == EINVAL); // some file systems can't
    if (!flushed) {
        failed(publication, "flush this folder", publication->folder);
    }
    if (folder >= 0) {
        close(folder);
    }
    return flushed;
}

static bool give_name(struct publication *publication)
{
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", publication->file);
    publication->named =
        publication->named || linkat(AT_FDCWD, own, AT_FDCWD, publication->temporary, AT_SYMLINK_FOLLOW) == 0;
    return publication->named || failed(publication, "make a file in this folder", publication->folder);
}

bool publish_place(struct publication *publication)
{
    if (fsync(publication->file) != 0) {
        return failed(publication, "write", publication->path);
    }
    if (!give_name(publication)) {
        return false;
    }
    if (rename(publication->temporary, publication->path) != 0) {
        return failed(publication, "put the file in place", publication->path);
    }
    publication->named = false;
    return flush_folder(publication);
}

// Does the path hold these very bytes already?
static bool is_there(const struct publication *publication, const struct mapping *table)
{
    struct mapping old;
    struct fewest_error ignored;
    if (!mapping_open(&old, publication->path, &ignored)) {
        return false;
    }
    bool same = old.length == table->length && memcmp(old.bytes, table->bytes, table->length) == 0;
    mapping_close(&old);
    return same;
}

bool publish_finish(struct publication *publication, unsigned threads)
{
    struct mapping table;
    if (!mapping_of_file(&table, publication->file, publication->error)) {
        return error_prefix(publication->error, publication->path);
    }
    bool sound = verify_table(table.bytes, table.length, threads, publication->error);
    bool there = sound && is_there(publication, &table);
    mapping_close(&table);
    return sound && (there || publish_place(publication));
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
