// Makes the file of the layers, and finds the whole layers of a checkpoint.
#include "layer_file.h"

#include "base/eight_bytes.h"
#include "file/format.h"
#include "file/storage.h"
#include "ranks/ranks.h"
#include "scratch.h"
#include "size.h"

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
    FIELD_BEGIN,
    FIELD_HASH,
    FIELD_OWN_HASH,
    FIELDS
};

enum { TRAILER = 8 * FIELDS, HASHED = 8 * FIELD_OWN_HASH }; // bytes

#define LAYER_NONE UINT32_MAX // the trailer at the beginning of the file ends no layer

static uint64_t get_number(const uint8_t *bytes, enum field field)
{
    return load_eight(bytes + 8 * field);
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

#define SEARCH_ANEW "remove it, and run the command again to search from the beginning"

bool layer_file_say_damaged(const struct layer_file *file, unsigned search, unsigned layer,
                            const char *why, struct fewest_error *error)
{
    char which[32] = "";
    if (search > 0) {
        snprintf(which, sizeof which, " of search %u", search + 1);
    }
    return error_set(error, FEWEST_DAMAGED,
                     "%s: this checkpoint is damaged: layer %u%s %s; " SEARCH_ANEW, file->path,
                     layer, which, why);
}

// ---- Trailers -----------------------------------------------------------------------------------

static bool write_trailer(struct layer_file *file, const struct trailer *trailer)
{
    uint8_t bytes[TRAILER];
    const uint64_t fields[] = {MAGIC,           file->identity,  ranks_count(),
                               ranks_number(),  trailer->search, trailer->layer,
                               trailer->states, trailer->begin,  trailer->hash};
    for (unsigned i = 0; i < FIELD_OWN_HASH; i++) {
        store_eight(bytes + 8 * i, fields[i]);
    }
    store_eight(bytes + HASHED, format_hash(bytes, HASHED));
    return scratch_write(file->file, trailer->end, bytes, TRAILER);
}

static bool is_whole(const uint8_t *bytes)
{
    return get_number(bytes, FIELD_MAGIC) == MAGIC &&
           get_number(bytes, FIELD_OWN_HASH) == format_hash(bytes, HASHED);
}

// Is there a trailer of this file?
static bool read_trailer(const struct layer_file *file, const uint8_t *bytes, uint64_t at,
                         struct trailer *trailer)
{
    *trailer = (struct trailer){.search = (unsigned)get_number(bytes, FIELD_SEARCH),
                                .layer = (unsigned)get_number(bytes, FIELD_LAYER),
                                .states = get_number(bytes, FIELD_STATES),
                                .begin = get_number(bytes, FIELD_BEGIN),
                                .end = at,
                                .hash = get_number(bytes, FIELD_HASH)};
    return is_whole(bytes) && get_number(bytes, FIELD_IDENTITY) == file->identity &&
           trailer->begin <= at;
}

// Finds the last trailer before `end`. There is one: that at the beginning of the file.
static bool find_last_trailer(const struct layer_file *file, uint64_t end, struct trailer *trailer,
                              struct fewest_error *error)
{
    enum { AT_ONCE = 1 << 16 };
    uint8_t bytes[AT_ONCE];
    for (end -= end % 8; end >= TRAILER;) {
        uint64_t begin = end > AT_ONCE ? end - AT_ONCE : 0;
        if (!storage_read_file(file->file, begin, bytes, (size_t)(end - begin))) {
            break;
        }
        for (uint64_t at = end - TRAILER + 8; at > begin;) {
            at -= 8;
            if (read_trailer(file, bytes + (at - begin), at, trailer)) {
                return true;
            }
        }
        end = begin > 0 ? begin + TRAILER - 8 : 0;
    }
    return layer_file_fail(file, "read", error);
}

// Does this trailer follow that one?
static bool follows(const struct trailer *next, const struct trailer *trailer)
{
    return trailer->layer == LAYER_NONE || next->search > trailer->search
               ? next->layer == 0
               : next->search == trailer->search && next->layer == trailer->layer + 1;
}

// Lists the trailers from the last to the first: each layer begins where the one before it ends.
static bool list_trailers(struct layer_file *file, uint64_t size, struct fewest_error *error)
{
    struct trailer trailer;
    if (!find_last_trailer(file, size, &trailer, error)) {
        return false;
    }
    while (trailer.layer != LAYER_NONE) {
        uint8_t bytes[TRAILER];
        struct trailer before;
        struct trailer *saved = realloc(file->saved, (file->saved_count + 1) * sizeof *file->saved);
        if (!saved) {
            return error_set(error, FEWEST_SYSTEM, "not enough memory to load the checkpoint");
        }
        file->saved = saved;
        saved[file->saved_count++] = trailer;
        if (trailer.begin < TRAILER ||
            !storage_read_file(file->file, trailer.begin - TRAILER, bytes, TRAILER) ||
            !read_trailer(file, bytes, trailer.begin - TRAILER, &before) ||
            !follows(&trailer, &before)) {
            unsigned lost = trailer.layer > 0 ? trailer.layer - 1 : 0;
            return layer_file_say_damaged(file, trailer.search, lost, "has lost its end", error);
        }
        trailer = before;
    }
    for (unsigned i = 0; i < file->saved_count / 2; i++) {
        struct trailer swapped = file->saved[i];
        file->saved[i] = file->saved[file->saved_count - 1 - i];
        file->saved[file->saved_count - 1 - i] = swapped;
    }
    return true;
}

// ---- Opening ------------------------------------------------------------------------------------

void layer_file_begin(struct layer_file *file, const char *folder)
{
    *file = (struct layer_file){.folder = folder, .file = -1};
}

// Was the file saved by this number of ranks?
static bool check_ranks(const char *path, const uint8_t *bytes, struct fewest_error *error)
{
    uint64_t count = get_number(bytes, FIELD_RANKS);
    char with[64] = "without mpirun";
    if (count == ranks_count() && get_number(bytes, FIELD_RANK) == ranks_number()) {
        return true;
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
                         "%s: this checkpoint is damaged at its beginning; " SEARCH_ANEW, path);
    }
    return (get_number(bytes, FIELD_IDENTITY) == identity ||
            error_set(error, FEWEST_FOREIGN,
                      "%s: this checkpoint belongs to another definition, metric or version of "
                      "fewest-gen; remove it or use another name for --checkpoint",
                      path)) &&
           check_ranks(path, bytes, error);
}

// The file that another number of ranks would have: FILE without mpirun, FILE.0 with it.
static bool check_other_file(const struct layer_file *file, const char *path,
                             struct fewest_error *error)
{
    char other[4096];
    uint8_t bytes[TRAILER];
    bool fits =
        snprintf(other, sizeof other, ranks_count() > 1 ? "%s" : "%s.0", path) < (int)sizeof other;
    int found = fits ? open(other, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    bool good = found < 0 || !storage_read_file(found, 0, bytes, TRAILER) || !is_whole(bytes) ||
                get_number(bytes, FIELD_IDENTITY) != file->identity ||
                check_ranks(other, bytes, error);
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
           (write_trailer(file, &beginning) || layer_file_fail(file, "write", error));
}

static bool open_resolved(struct layer_file *file, const char *own, const char *path,
                          struct fewest_error *error)
{
    struct stat status;
    uint8_t bytes[TRAILER] = {0};
    if (!open_path(file, own, error)) {
        return false;
    }
    file->length = TRAILER;
    if (fstat(file->file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0) {
        return begin_file(file, path, error);
    }
    if (S_ISREG(status.st_mode)) {
        (void)!pread(file->file, bytes, TRAILER, 0); // of a shorter file, no hash fits
    }
    return check_beginning(own, file->identity, bytes, error) &&
           list_trailers(file, (uint64_t)status.st_size, error);
}

bool layer_file_open(struct layer_file *file, const char *path, const char *definition,
                     size_t length, unsigned metric, struct fewest_error *error)
{
    uint64_t parts[] = {format_hash(definition, length), metric, FORMAT_MAJOR, VERSION};
    uint8_t bytes[sizeof parts];
    char own[4096];
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        store_eight(bytes + 8 * i, parts[i]);
    }
    layer_file_begin(file, NULL);
    file->identity = format_hash(bytes, sizeof bytes);
    int written = ranks_count() > 1 ? snprintf(own, sizeof own, "%s.%u", path, ranks_number())
                                    : snprintf(own, sizeof own, "%s", path);
    return written < (int)sizeof own
               ? open_resolved(file, own, path, error)
               : error_set(error, FEWEST_BAD_INPUT,
                           "--checkpoint: this name has more than %zu bytes", sizeof own - 1);
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
        bool is_empty = file->made && file->length <= TRAILER;
        if ((done || is_empty) && has_its_name(file)) {
            unlink(file->path);
        }
        close(file->file);
    }
    free(file->path);
    free(file->saved);
    layer_file_begin(file, NULL);
}

// ---- Layers -------------------------------------------------------------------------------------

const struct trailer *layer_file_saved(const struct layer_file *file, unsigned search)
{
    bool is_there = file->next < file->saved_count && file->saved[file->next].search == search;
    return is_there ? &file->saved[file->next] : NULL;
}

void layer_file_take(struct layer_file *file)
{
    file->length = file->saved[file->next++].end + TRAILER;
}

uint64_t layer_file_saved_bytes(const struct layer_file *file)
{
    return file->saved_count > 0 ? file->saved[file->saved_count - 1].end : 0;
}

bool layer_file_begin_layer(struct layer_file *file, struct fewest_error *error)
{
    if (file->file < 0 && !scratch_open(file->folder, &file->file, error)) {
        return false;
    }
    file->next = file->saved_count;
    file->at = file->length;
    return ftruncate(file->file, (off_t)file->length) == 0 || layer_file_fail(file, "write", error);
}

bool layer_file_write(struct layer_file *file, const void *bytes, size_t length, uint64_t *place)
{
    *place = atomic_fetch_add_explicit(&file->at, length, memory_order_relaxed);
    return scratch_write(file->file, *place, bytes, length);
}

// How much room there is, how much a search needs, and what to do.
static bool say_no_room(struct layer_file *file, unsigned layer, uint64_t more,
                        struct fewest_error *error)
{
    int reason = errno;
    char needed[SIZE_TEXT];
    char there[SIZE_TEXT];
    char further[64] = "; make room, or name another folder with -o FILE";
    struct statvfs disk;
    bool known = fstatvfs(file->file, &disk) == 0;
    // Gives back the room of the unfinished layer, which the search needs again.
    (void)!ftruncate(file->file, (off_t)file->length);
    if (file->path) {
        snprintf(further, sizeof further, "; make room, and run the command again%s",
                 layer > 0 ? " to go on" : "");
    }
    return error_set(error, FEWEST_SYSTEM,
                     "%s: can't write layer %u%s: %s; the search needs up to %s, and %s "
                     "is free%s",
                     name_of(file), layer, file->path ? "" : " to a temporary file in this folder",
                     strerror(reason), size_write(more, needed),
                     size_write(known ? disk.f_bavail * disk.f_frsize : 0, there), further);
}

bool layer_file_end_layer(struct layer_file *file, struct trailer *trailer, uint64_t more,
                          bool is_written, struct fewest_error *error)
{
    trailer->begin = file->length;
    trailer->end = file->at;
    if (!is_written ||
        (file->path && (fdatasync(file->file) != 0 || !write_trailer(file, trailer)))) {
        return say_no_room(file, trailer->layer, more, error);
    }
    file->length = file->at + (file->path ? TRAILER : 0);
    return true;
}
