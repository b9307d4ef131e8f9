// Makes the file of the layers, and finds the whole layers of a checkpoint.
#include "layer_file.h"

#include "eight_bytes.h"
#include "gen/ranks/ranks.h"
#include "scratch.h"
#include "size.h"
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

static const uint64_t MAGIC = UINT64_C(0x0A1A52594C4E5746); // "FWNLYR", control-Z, line feed

// The numbers of a trailer (layer_file.h).
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

enum { HASHED = 8 * FIELD_OWN_HASH }; // bytes of a trailer before its own hash

static_assert(TRAILER_BYTES == 8 * FIELDS, "a trailer is a row of these numbers");

#define LAYER_NONE UINT32_MAX // the trailer at the beginning of the file ends no layer

// Reads a number of a trailer, whose bytes begin at `bytes`.
static uint64_t get_number(const uint8_t *bytes, enum field field)
{
    return load_eight(bytes + 8 * (size_t)field);
}

// ---- Errors -------------------------------------------------------------------------------------

// The path of a checkpoint or, for a file without a name, its folder.
static const char *name_for_messages(const struct layer_file *file)
{
    return file->path ? file->path : scratch_folder(file->folder);
}

bool layer_file_fail(const struct layer_file *file, const char *what, struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "%s: can't %s %s: %s", name_for_messages(file), what,
                     file->path ? "this checkpoint" : "a temporary file in this folder",
                     strerror(errno));
}

// ---- Trailers -----------------------------------------------------------------------------------

// Writes a trailer at this position of the file. Returns false with errno.
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

// Are these TRAILER_BYTES bytes a trailer that is not damaged?
static bool is_trailer(const uint8_t *bytes)
{
    return get_number(bytes, FIELD_MAGIC) == MAGIC &&
           get_number(bytes, FIELD_OWN_HASH) == format_hash(bytes, HASHED);
}

bool layer_file_read_trailer(const struct layer_file *file, uint64_t at, struct trailer *trailer)
{
    uint8_t bytes[TRAILER_BYTES];
    if (!storage_read_file(file->file, at, bytes, TRAILER_BYTES) || !is_trailer(bytes) ||
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

void layer_file_begin(struct layer_file *file, const char *folder)
{
    *file = (struct layer_file){.folder = folder, .file = -1};
}

// Fails unless this rank saved the checkpoint, and there were as many ranks as now. `bytes` are its
// first trailer.
static bool check_rank_count(const char *path, const uint8_t *bytes, struct fewest_error *error)
{
    uint64_t count = get_number(bytes, FIELD_RANKS);
    uint64_t rank = get_number(bytes, FIELD_RANK);
    if (count == ranks_count() && rank == ranks_number()) {
        return true;
    }
    if (count == ranks_count()) {
        return error_set(error, FEWEST_FOREIGN,
                         "%s: this is the checkpoint of rank %llu; give the files their old names "
                         "(FILE for rank 0, FILE.N for rank N)",
                         path, (unsigned long long)rank);
    }
    char how[64] = "without mpirun";
    if (count > 1) {
        snprintf(how, sizeof how, "under `mpirun -n %llu`", (unsigned long long)count);
    }
    return error_set(error, FEWEST_FOREIGN,
                     "%s: this checkpoint was saved by %llu rank%s; run the command %s, or use "
                     "another name for --checkpoint",
                     path, (unsigned long long)count, count == 1 ? "" : "s", how);
}

// Fails unless a file is a checkpoint with this identity, and this rank saved it. `bytes` are the
// first TRAILER_BYTES of the file.
static bool check_beginning(const char *path, uint64_t identity, const uint8_t *bytes,
                            struct fewest_error *error)
{
    if (get_number(bytes, FIELD_MAGIC) != MAGIC) {
        return error_set(error, FEWEST_DAMAGED,
                         "%s: this file is not a checkpoint; use another name for --checkpoint",
                         path);
    }
    if (!is_trailer(bytes)) {
        return error_set(error, FEWEST_DAMAGED,
                         "%s: the beginning of this checkpoint is damaged; remove it, and run the "
                         "command again to search from the beginning",
                         path);
    }
    if (get_number(bytes, FIELD_IDENTITY) != identity) {
        return error_set(error, FEWEST_FOREIGN,
                         "%s: this checkpoint belongs to another definition, metric or version of "
                         "fewest-gen; remove it or use another name for --checkpoint",
                         path);
    }
    return check_rank_count(path, bytes, error);
}

// Opens the file, or makes it, and locks it: no other process may use it meanwhile. Fills in
// file->file and file->path. If it fails, layer_file_close closes what is open.
static bool lock_checkpoint(struct layer_file *file, const char *path, struct fewest_error *error)
{
    file->file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file->file < 0 && errno == ENOENT) {
        file->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file->file < 0 && errno == EEXIST) { // there is no such file, and still the name is taken
        return error_set(error, FEWEST_SYSTEM,
                         "%s: this link leads to no file; remove it or use another name", path);
    }
    if (file->file < 0) {
        return error_set(error, FEWEST_SYSTEM, "%s: can't use this checkpoint: %s", path,
                         strerror(errno));
    }
    // Some file systems have no locks: then it goes on without.
    if (flock(file->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return error_set(error, FEWEST_FOREIGN,
                         "%s: another fewest-gen uses this checkpoint; use another name for "
                         "--checkpoint",
                         path);
    }
    file->path = realpath(path, NULL);
    if (!file->path) {
        return error_set(error, FEWEST_SYSTEM, "%s: can't find this checkpoint: %s", path,
                         strerror(errno));
    }
    return true;
}

// Opens the checkpoint of this rank, or begins it if the file is new or empty: writes the first
// trailer, which ends no layer. The caller has set file->identity.
static bool open_checkpoint(struct layer_file *file, const char *path, struct fewest_error *error)
{
    uint8_t bytes[TRAILER_BYTES] = {0};
    if (!lock_checkpoint(file, path, error)) {
        return false;
    }
    file->length = TRAILER_BYTES;
    struct stat status;
    bool is_regular = fstat(file->file, &status) == 0 && S_ISREG(status.st_mode);
    if (is_regular && status.st_size == 0) {
        struct trailer beginning = {.layer = LAYER_NONE};
        file->made = true;
        return write_trailer(file, &beginning, 0) || layer_file_fail(file, "write", error);
    }
    // If the file is shorter than a trailer (ENODATA), or not a regular file, bytes stay 0, and
    // check_beginning refuses them.
    if (is_regular && !storage_read_file(file->file, 0, bytes, TRAILER_BYTES) && errno != ENODATA) {
        return layer_file_fail(file, "read", error);
    }
    return check_beginning(path, file->identity, bytes, error);
}

bool layer_file_open(struct layer_file *file, const char *path, const char *definition,
                     size_t length, unsigned metric, struct fewest_error *error)
{
    uint64_t parts[] = {format_hash(definition, length), metric, FORMAT_MAJOR, VERSION};
    uint8_t bytes[sizeof parts]; // little-endian, so that the hash is the same on all machines
    char name[4096];             // of the file, on a rank that is not the first
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        store_eight(bytes + 8 * i, parts[i]);
    }
    layer_file_begin(file, NULL);
    file->identity = format_hash(bytes, sizeof bytes);
    if (ranks_is_first()) {
        return open_checkpoint(file, path, error);
    }
    if (snprintf(name, sizeof name, "%s.%u", path, ranks_number()) >= (int)sizeof name) {
        return error_set(error, FEWEST_BAD_INPUT, "--checkpoint: this name has more than %zu bytes",
                         sizeof name - 1);
    }
    return open_checkpoint(file, name, error);
}

// Is this file still the one with its name? Another process may have moved or replaced it.
static bool still_has_name(const struct layer_file *file)
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
        if ((done || is_empty) && still_has_name(file)) {
            unlink(file->path);
        }
        close(file->file);
    }
    free(file->path);
    layer_file_begin(file, NULL); // as a file that is not open
}

// ---- Layers -------------------------------------------------------------------------------------

bool layer_file_has_later_trailer(const struct layer_file *file)
{
    uint8_t bytes[1 << 12]; // a multiple of 8, so no number is cut in two
    struct trailer trailer;
    uint64_t size = layer_file_size(file);
    for (uint64_t at = file->length; at < size; at += sizeof bytes) {
        size_t length = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        if (!storage_read_file(file->file, at, bytes, length)) {
            return false;
        }
        for (size_t i = 0; i + 8 <= length; i += 8) { // trailers begin at multiples of 8
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
    file->at = file->length; // no other thread writes now
    return ftruncate(file->file, (off_t)file->length) == 0 || layer_file_fail(file, "write", error);
}

bool layer_file_write(struct layer_file *file, const void *bytes, size_t length, uint64_t *position)
{
    // Each thread takes a range of its own, so the writes do not overlap.
    *position = atomic_fetch_add_explicit(&file->at, length, memory_order_relaxed);
    return scratch_write(file->file, *position, bytes, length);
}

// Tells the user what to do if the disk is full while a layer is written.
static const char *remedy_for_full_disk(const struct layer_file *file, unsigned layer)
{
    if (file->path) {
        return layer > 0 ? "and run the command again to go on" : "and run the command again";
    }
    return file->folder ? "or name another folder with -o FILE" : "or set TMPDIR to another folder";
}

// Reports errno about a layer that can't be written. If there is no room, tells how many bytes the
// search needs, `most`, and what to do. Cuts the unfinished layer off the file. Returns false.
static bool report_unwritten(struct layer_file *file, unsigned layer, uint64_t most,
                             struct fewest_error *error)
{
    int reason = errno;
    char needed[SIZE_TEXT];
    char free_bytes[SIZE_TEXT];
    struct statvfs disk;
    bool is_full = (reason == ENOSPC || reason == EDQUOT || reason == EFBIG) &&
                   fstatvfs(file->file, &disk) == 0;
    // If this fails, only room on the disk is lost until the program ends.
    (void)!ftruncate(file->file, (off_t)file->length);
    errno = reason;
    if (!is_full) {
        return layer_file_fail(file, "write", error);
    }
    return error_set(
        error, FEWEST_SYSTEM,
        "%s: can't write layer %u%s: %s; the search needs up to %s, and the disk has "
        "%s left; make room, %s",
        name_for_messages(file), layer, file->path ? "" : " to a temporary file in this folder",
        strerror(reason), size_write(most, needed),
        size_write(disk.f_bavail * disk.f_frsize, free_bytes), remedy_for_full_disk(file, layer));
}

// Flushes the layer, so that no trailer is on the disk before its layer, and writes the trailer.
// Returns false with errno.
static bool save_layer(const struct layer_file *file, const struct trailer *trailer)
{
    return fdatasync(file->file) == 0 && write_trailer(file, trailer, file->at);
}

bool layer_file_end_layer(struct layer_file *file, const struct trailer *trailer, uint64_t most,
                          bool is_written, struct fewest_error *error)
{
    bool is_checkpoint = file->path != NULL;
    if (!is_written || (is_checkpoint && !save_layer(file, trailer))) {
        return report_unwritten(file, trailer->layer, most, error);
    }
    file->length = file->at;
    if (is_checkpoint) {
        file->length += TRAILER_BYTES;
    }
    return true;
}
