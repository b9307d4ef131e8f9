// Makes the file of the layers, and finds the whole layers of a checkpoint.
#include "layer_file.h"

#include "gen/plan/size.h"
#include "gen/ranks/ranks.h"
#include "gen/write/eight_bytes.h"
#include "scratch.h"
#include "tables/file/format.h"
#include "tables/file/storage.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { VERSION = 4 };

static const uint64_t MAGIC = UINT64_C(0x0A1A52594C4E5746);     // "FWNLYR", control-Z, line feed
static const uint64_t OLD_MAGIC = UINT64_C(0x0A1A4B50434E5746); // of versions 1 to 3

enum field {
    FIELD_MAGIC,
    FIELD_IDENTITY,
    FIELD_RANKS,
    FIELD_RANK,
    FIELD_SEARCH,
    FIELD_LAYER,
    FIELD_STATES,
    FIELD_HASH,
    FIELD_OWN_HASH,
    FIELDS
};

enum { HASHED = 8 * FIELD_OWN_HASH };

static_assert(TRAILER_BYTES == 8 * FIELDS, "a trailer is a row of these numbers");

#define LAYER_NONE UINT32_MAX // the trailer at the beginning of the file ends no layer

static uint64_t get_number(const uint8_t *bytes, enum field field)
{
    return load_eight(bytes + 8 * (size_t)field);
}

// ---- Errors -------------------------------------------------------------------------------------

static const char *name_of(const struct layer_file *file)
{
    return file->path ? file->path : scratch_folder(file->folder);
}

bool layer_file_fail(const struct layer_file *file, const char *what, struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "%s: can't %s %s: %s", name_of(file), what,
                     file->path ? "this checkpoint" : "a temporary file in this folder",
                     strerror(errno));
}

// ---- Trailers -----------------------------------------------------------------------------------

static bool write_trailer(const struct layer_file *file, const struct trailer *trailer, uint64_t at)
{
    uint8_t bytes[TRAILER_BYTES];
    const uint64_t fields[] = {MAGIC,           file->identity, ranks_count(),   ranks_number(),
                               trailer->search, trailer->layer, trailer->states, trailer->hash};
    for (size_t i = 0; i < FIELD_OWN_HASH; i++) {
        store_eight(bytes + 8 * i, fields[i]);
    }
    store_eight(bytes + HASHED, format_hash(bytes, HASHED));
    return scratch_write(file->file, at, bytes, TRAILER_BYTES);
}

static bool is_whole(const uint8_t *bytes)
{
    return get_number(bytes, FIELD_MAGIC) == MAGIC &&
           get_number(bytes, FIELD_OWN_HASH) == format_hash(bytes, HASHED);
}

bool layer_file_read_trailer(const struct layer_file *file, uint64_t at, struct trailer *trailer)
{
    uint8_t bytes[TRAILER_BYTES];
    if (!storage_read_file(file->file, at, bytes, TRAILER_BYTES) || !is_whole(bytes) ||
        get_number(bytes, FIELD_IDENTITY) != file->identity) {
        return false;
    }
    *trailer = (struct trailer){.search = (unsigned)get_number(bytes, FIELD_SEARCH),
                                .layer = (unsigned)get_number(bytes, FIELD_LAYER),
                                .states = get_number(bytes, FIELD_STATES),
                                .hash = get_number(bytes, FIELD_HASH)};
    return true;
}

// ---- Opening ------------------------------------------------------------------------------------

bool layer_file_name(const char *path, unsigned ranks, unsigned rank, char *name, size_t size)
{
    int length =
        ranks > 1 ? snprintf(name, size, "%s.%u", path, rank) : snprintf(name, size, "%s", path);
    return length < (int)size;
}

void layer_file_begin(struct layer_file *file, const char *folder)
{
    *file = (struct layer_file){.folder = folder, .file = -1};
}

// Was the file saved by this number of ranks?
static bool check_rank_count(const char *path, const uint8_t *bytes, struct fewest_error *error)
{
    uint64_t count = get_number(bytes, FIELD_RANKS);
    uint64_t rank = get_number(bytes, FIELD_RANK);
    char with[64] = "without mpirun";
    if (count == ranks_count()) {
        return rank == ranks_number() ||
               error_set(error, FEWEST_FOREIGN,
                         "%s: this is the checkpoint of rank %llu; give the files their old names "
                         "(FILE.N for rank N)",
                         path, (unsigned long long)rank);
    }
    if (count > 1) {
        snprintf(with, sizeof with, "under `mpirun -n %llu`", (unsigned long long)count);
    }
    return error_set(error, FEWEST_FOREIGN,
                     "%s: this checkpoint was saved by %llu rank%s; run the command %s, or use "
                     "another name for --checkpoint",
                     path, (unsigned long long)count, count == 1 ? "" : "s", with);
}

// Is this the beginning of a checkpoint of this search?
static bool check_beginning(const char *path, uint64_t identity, const uint8_t *bytes,
                            struct fewest_error *error)
{
    uint64_t magic = get_number(bytes, FIELD_MAGIC);
    if (magic != MAGIC) {
        return error_set(error, FEWEST_DAMAGED,
                         "%s: this file is %s; use another name for --checkpoint", path,
                         magic == OLD_MAGIC ? "a checkpoint of an older version of fewest-gen"
                                            : "not a checkpoint");
    }
    if (!is_whole(bytes)) {
        return error_set(error, FEWEST_DAMAGED,
                         "%s: the beginning of this checkpoint is damaged; remove it, and run the "
                         "command again to search from the beginning",
                         path);
    }
    return (get_number(bytes, FIELD_IDENTITY) == identity ||
            error_set(error, FEWEST_FOREIGN,
                      "%s: this checkpoint belongs to another definition, metric or version of "
                      "fewest-gen; remove it or use another name for --checkpoint",
                      path)) &&
           check_rank_count(path, bytes, error);
}

// Was the search saved by another number of ranks? Then it has another file.
static bool check_other_file(const struct layer_file *file, const char *path,
                             struct fewest_error *error)
{
    enum { SEVERAL = 2 };
    char other[4096];
    uint8_t bytes[TRAILER_BYTES];
    bool fits = layer_file_name(path, ranks_count() > 1 ? 1 : SEVERAL, 0, other, sizeof other);
    int found = fits ? open(other, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    bool good = found < 0 || !storage_read_file(found, 0, bytes, TRAILER_BYTES) ||
                !is_whole(bytes) || get_number(bytes, FIELD_IDENTITY) != file->identity ||
                check_rank_count(other, bytes, error);
    if (found >= 0) {
        close(found);
    }
    return good;
}

// Opens the file, or makes it. No other process may use it meanwhile.
static bool open_path(struct layer_file *file, const char *path, struct fewest_error *error)
{
    file->file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file->file < 0 && errno == ENOENT) {
        file->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file->file < 0) {
        return errno == EEXIST
                   ? error_set(error, FEWEST_SYSTEM,
                               "%s: this link leads to no file; remove it or use another name",
                               path)
                   : error_set(error, FEWEST_SYSTEM, "%s: can't use this checkpoint: %s", path,
                               strerror(errno));
    }
    if (flock(file->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return error_set(error, FEWEST_FOREIGN,
                         "%s: another fewest-gen uses this checkpoint; use another name for "
                         "--checkpoint",
                         path);
    }
    file->path = realpath(path, NULL);
    return file->path || error_set(error, FEWEST_SYSTEM, "%s: can't find this checkpoint: %s", path,
                                   strerror(errno));
}

// A file that was just made is empty.
static bool begin_file(struct layer_file *file, const char *path, struct fewest_error *error)
{
    struct trailer beginning = {.layer = LAYER_NONE};
    file->made = true;
    return check_other_file(file, path, error) &&
           (write_trailer(file, &beginning, 0) || layer_file_fail(file, "write", error));
}

static bool open_resolved(struct layer_file *file, const char *name, const char *path,
                          struct fewest_error *error)
{
    struct stat status;
    uint8_t bytes[TRAILER_BYTES] = {0};
    if (!open_path(file, name, error)) {
        return false;
    }
    file->length = TRAILER_BYTES;
    if (fstat(file->file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0) {
        return begin_file(file, path, error);
    }
    if (S_ISREG(status.st_mode) && !storage_read_file(file->file, 0, bytes, TRAILER_BYTES) &&
        errno != ENODATA) { // of a shorter file, no hash fits
        return layer_file_fail(file, "read", error);
    }
    return check_beginning(name, file->identity, bytes, error);
}

bool layer_file_open(struct layer_file *file, const char *path, const char *definition,
                     size_t length, unsigned metric, struct fewest_error *error)
{
    uint64_t parts[] = {format_hash(definition, length), metric, FORMAT_MAJOR, VERSION};
    uint8_t bytes[sizeof parts];
    char name[4096];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        store_eight(bytes + 8 * i, parts[i]);
    }
    layer_file_begin(file, NULL);
    file->identity = format_hash(bytes, sizeof bytes);
    return layer_file_name(path, ranks_count(), ranks_number(), name, sizeof name)
               ? open_resolved(file, name, path, error)
               : error_set(error, FEWEST_BAD_INPUT,
                           "--checkpoint: this name has more than %zu bytes", sizeof name - 1);
}

// Is this file still the one with the name?
static bool has_its_name(const struct layer_file *file)
{
    struct stat of_file;
    struct stat of_name;
    return file->path && fstat(file->file, &of_file) == 0 && stat(file->path, &of_name) == 0 &&
           of_file.st_dev == of_name.st_dev && of_file.st_ino == of_name.st_ino;
}

void layer_file_close(struct layer_file *file, bool done)
{
    if (file->file >= 0) {
        bool is_empty = file->made && file->length <= TRAILER_BYTES;
        if ((done || is_empty) && has_its_name(file)) {
            unlink(file->path);
        }
        close(file->file);
    }
    free(file->path);
    layer_file_begin(file, NULL);
}

// ---- Layers -------------------------------------------------------------------------------------

bool layer_file_has_later_trailer(const struct layer_file *file)
{
    uint8_t bytes[1 << 16];
    struct trailer trailer;
    uint64_t size = layer_file_size(file);
    for (uint64_t at = file->length; at < size; at += sizeof bytes) {
        size_t length = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        if (!storage_read_file(file->file, at, bytes, length)) {
            return false;
        }
        for (size_t i = 0; i + 8 <= length; i += 8) {
            if (load_eight(bytes + i) == MAGIC && layer_file_read_trailer(file, at + i, &trailer)) {
                return true;
            }
        }
    }
    return false;
}

uint64_t layer_file_size(const struct layer_file *file)
{
    struct stat status;
    return fstat(file->file, &status) == 0 ? (uint64_t)status.st_size : 0;
}

bool layer_file_begin_layer(struct layer_file *file, struct fewest_error *error)
{
    if (file->file < 0 && !scratch_open(file->folder, &file->file, error)) {
        return false;
    }
    file->at = file->length;
    return ftruncate(file->file, (off_t)file->length) == 0 || layer_file_fail(file, "write", error);
}

bool layer_file_write(struct layer_file *file, const void *bytes, size_t length, uint64_t *position)
{
    *position = atomic_fetch_add_explicit(&file->at, length, memory_order_relaxed);
    return scratch_write(file->file, *position, bytes, length);
}

// Why a layer can't be written. If there is no room: how much a search needs, and what to do.
static bool say_unwritten(struct layer_file *file, unsigned layer, uint64_t most,
                          struct fewest_error *error)
{
    int reason = errno;
    char needed[SIZE_TEXT];
    char there[SIZE_TEXT];
    const char *further = !file->path && file->folder ? "name another folder with -o FILE"
                          : !file->path               ? "set TMPDIR to another folder"
                          : layer > 0                 ? "run the command again to go on"
                                                      : "run the command again";
    struct statvfs disk;
    bool is_full = (reason == ENOSPC || reason == EDQUOT || reason == EFBIG) &&
                   fstatvfs(file->file, &disk) == 0;
    // Gives back the room of the unfinished layer, which the search needs again.
    (void)!ftruncate(file->file, (off_t)file->length);
    errno = reason;
    return is_full ? error_set(error, FEWEST_SYSTEM,
                               "%s: can't write layer %u%s: %s; the search needs up to %s, and the "
                               "disk has %s left; make room, %s %s",
                               name_of(file), layer,
                               file->path ? "" : " to a temporary file in this folder",
                               strerror(reason), size_write(most, needed),
                               size_write(disk.f_bavail * disk.f_frsize, there),
                               file->path ? "and" : "or", further)
                   : layer_file_fail(file, "write", error);
}

bool layer_file_end_layer(struct layer_file *file, const struct trailer *trailer, uint64_t most,
                          bool is_written, struct fewest_error *error)
{
    if (!is_written ||
        (file->path && (fdatasync(file->file) != 0 || !write_trailer(file, trailer, file->at)))) {
        return say_unwritten(file, trailer->layer, most, error);
    }
    file->length = file->at + (file->path ? TRAILER_BYTES : 0);
    return true;
}
