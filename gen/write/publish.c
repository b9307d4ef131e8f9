// Publishes a finished file: writes it without a name, flushes it, and renames it into place.
#include "publish.h"

#include "gen/layers/scratch.h"
#include "gen/layers/size.h"
#include "tables/base/array.h"
#include "tables/file/storage.h"
#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Reports errno about a path: `what` can't be done with it. Returns false.
static bool report_failure(const struct publication *publication, const char *what,
                           const char *path)
{
    return error_set(publication->error, FEWEST_SYSTEM, "%s: can't %s: %s", path, what,
                     strerror(errno));
}

// Fails unless the path may name the new table: nothing has this name yet, or it leads to a regular
// file.
static bool check_target_path(const struct publication *publication, const char *path)
{
    struct stat status;
    if (!*path || path[strlen(path) - 1] == '/') {
        return error_set(publication->error, FEWEST_SYSTEM, "'%s' is not the name of a file", path);
    }
    if (stat(path, &status) == 0) {
        if (S_ISREG(status.st_mode)) {
            return true;
        }
        return error_set(publication->error, FEWEST_SYSTEM,
                         "%s: can't replace a %s; use the name of a file", path,
                         S_ISDIR(status.st_mode) ? "folder" : "device, pipe or socket");
    }
    if (errno != ENOENT) {
        return report_failure(publication, "use this name", path);
    }
    if (lstat(path, &status) == 0) { // a link is there, and stat has found nothing behind it
        return error_set(publication->error, FEWEST_SYSTEM,
                         "%s: this link leads to no file; remove it or use another name", path);
    }
    return true;
}

// Returns FOLDER/NAME, which the caller frees, or NULL if memory runs out.
static char *join_path(const char *folder, const char *name)
{
    char *path = malloc(strlen(folder) + strlen(name) + sizeof "/");
    if (path) {
        sprintf(path, "%s/%s", folder, name);
    }
    return path;
}

// Fills in publication->path and its folder: those of the file that `path` leads to. Follows links,
// so that a link to a file stays a link. If the file does not exist yet, follows the links of its
// folder, so that no file has two names.
static bool resolve_path(struct publication *publication, const char *path)
{
    char *file = realpath(path, NULL); // NULL if the file does not exist
    const char *real = file ? file : path;
    const char *slash = strrchr(real, '/');
    const char *name = slash ? slash + 1 : real;
    char *folder = strndup(real, (size_t)(name - real)); // with its slash; "" is the current one
    if (folder) {
        publication->folder = realpath(*folder ? folder : ".", NULL);
    }
    if (publication->folder) {
        publication->path = join_path(publication->folder, name);
    }
    bool found =
        publication->path || report_failure(publication, "make a file in its folder", path);
    free(folder);
    free(file);
    return found;
}

// Makes publication->temporary: a name that only this process uses on this machine, with a number.
// The name is NULL if memory runs out.
static void write_temporary_name(struct publication *publication, unsigned number)
{
    char name[64];
    snprintf(name, sizeof name, ".fewest-gen.%ld.%u", (long)getpid(), number);
    free(publication->temporary);
    publication->temporary = join_path(publication->folder, name);
}

// Gives the file the temporary name, or makes it under that name if there is no file yet. Returns
// false with errno, which is EEXIST if the name is taken.
static bool use_temporary_name(struct publication *publication)
{
    char open_file[64]; // names the file although it has no name
    if (publication->file < 0) {
        publication->file =
            open(publication->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        return publication->file >= 0;
    }
    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", publication->file);
    return linkat(AT_FDCWD, open_file, AT_FDCWD, publication->temporary, AT_SYMLINK_FOLLOW) == 0;
}

// Gives the file a temporary name that is free. A name may be taken by a generator on another
// machine, or by a file that a killed generator left behind.
static bool find_temporary_name(struct publication *publication)
{
    enum { TRIES = 1000 };
    for (unsigned number = 0; number < TRIES; number++) {
        write_temporary_name(publication, number);
        if (publication->temporary && use_temporary_name(publication)) {
            publication->named = true;
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return report_failure(publication, "make a file in its folder", publication->path);
}

// Opens a new file without a name in the folder. NFS and some overlays have no such files, and
// without /proc such a file can't get a name later. In these cases the new file has a temporary
// name from the beginning.
static bool open_new_file(struct publication *publication)
{
    if (access("/proc/self/fd", X_OK) == 0) {
        publication->file = open(publication->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    }
    return publication->file >= 0 || find_temporary_name(publication);
}

bool publish_begin(struct publication *publication, const char *path, struct fewest_error *error)
{
    *publication = (struct publication){.file = -1, .error = error};
    return check_target_path(publication, path) && resolve_path(publication, path) &&
           open_new_file(publication);
}

bool publish_begin_in_memory(struct publication *publication, const char *folder,
                             struct fewest_error *error)
{
    *publication = (struct publication){.file = -1, .error = error};
    publication->folder = strdup(scratch_folder(folder));
    if (!publication->folder) {
        return error_no_memory(error, "for a path");
    }
    return scratch_open(publication->folder, &publication->file, error);
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

// Flushes the folder, so that the new name of the file is on the disk. A folder that may be written
// to but not read can't be opened (EACCES), and some file systems can't flush a folder (EINVAL).
// Neither is an error.
static bool flush_folder(const struct publication *publication)
{
    int folder = open(publication->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return errno == EACCES ||
               report_failure(publication, "flush this folder", publication->folder);
    }
    bool flushed = fsync(folder) == 0 || errno == EINVAL;
    if (!flushed) {
        report_failure(publication, "flush this folder", publication->folder);
    }
    close(folder);
    return flushed;
}

// Renames the file to its path, where it replaces another one.
static bool put_in_place(struct publication *publication)
{
    if (!publication->named && !find_temporary_name(publication)) {
        return false;
    }
    if (rename(publication->temporary, publication->path) != 0) {
        return report_failure(publication, "put the new file in place", publication->path);
    }
    publication->named = false; // publish_end has no temporary name to remove
    return flush_folder(publication);
}

// Does the path already hold the same bytes? The files are read, not mapped, because a mapped file
// ends the program if somebody truncates it or the disk is bad.
static bool has_same_bytes_in_place(const struct publication *publication)
{
    enum { CHUNK = 1 << 14 };
    uint8_t old[CHUNK];
    uint8_t new[CHUNK];
    struct stat old_status;
    struct stat new_status;
    int file = open(publication->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return false;
    }
    bool same = fstat(file, &old_status) == 0 && fstat(publication->file, &new_status) == 0 &&
                old_status.st_size == new_status.st_size;
    for (off_t offset = 0; same && offset < new_status.st_size; offset += CHUNK) {
        off_t rest = new_status.st_size - offset;
        size_t length = rest < CHUNK ? (size_t)rest : CHUNK;
        same = storage_read_file(file, (uint64_t)offset, old, length) &&
               storage_read_file(publication->file, (uint64_t)offset, new, length) &&
               memcmp(old, new, length) == 0;
    }
    close(file);
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
    publication->unchanged = has_same_bytes_in_place(publication);
    if (publication->unchanged) {
        // Sets the time to now, so that make and ninja don't ask for the table again.
        utimensat(AT_FDCWD, publication->path, NULL, 0);
        return true;
    }
    return put_in_place(publication);
}

bool publish_read(const struct publication *publication, uint64_t most, uint8_t **bytes,
                  size_t *length)
{
    struct output output = publish_output(publication);
    struct stat status;
    char needed[SIZE_TEXT];
    char allowed[SIZE_TEXT];
    *bytes = NULL;
    if (fstat(output.file, &status) != 0) {
        return report_failure(publication, "read", output.name);
    }
    uint64_t size = (uint64_t)status.st_size;
    if (most > 0 && size > most) {
        return error_set(publication->error, FEWEST_BEYOND,
                         "the finished table takes %s of memory, but --memory allows only %s",
                         size_write(size, needed), size_write(most, allowed));
    }
    *bytes = array_make(size, 1);
    if (!*bytes) {
        return error_set(publication->error, FEWEST_SYSTEM,
                         "not enough memory for the finished table, %s", size_write(size, needed));
    }
    *length = (size_t)size;
    return output_read(&output, 0, *bytes, *length, publication->error);
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
