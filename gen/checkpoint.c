// Saves a search to a file, and loads it again.
#include "checkpoint.h"

#include "base/clock.h"
#include "file/format.h"
#include "publish.h"
#include "ranks.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNK = 1 << 20,
    FIELDS = 11,
    HEADER = 8 * (FIELDS + UNREACHED), // bytes: the fields and the histogram
    VERSION = 3,
};

static const uint64_t MAGIC = UINT64_C(0x0A1A4B50434E5746); // "FWNCPK", control-Z, line feed

enum field {
    FIELD_MAGIC,
    FIELD_VERSION,
    FIELD_IDENTITY,
    FIELD_RANKS,
    FIELD_RANK,
    FIELD_ROOT,
    FIELD_BITS,
    FIELD_COUNT,
    FIELD_LAYER,
    FIELD_LAYERS,       // that are in the file of the layers
    FIELD_LAYERS_LENGTH // of this file, in bytes
};

static void put_number(uint8_t *bytes, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(number >> (8 * i));
    }
}

static uint64_t get_number(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (unsigned i = 8; i-- > 0;) {
        number = number << 8 | bytes[i];
    }
    return number;
}

// Number `index` of a row of numbers. In the stream's chunk, number 0 is the hash.
static uint8_t *number_at(uint8_t *bytes, size_t index)
{
    return bytes + 8 * index;
}

// ---- Chunks -------------------------------------------------------------------------------------

struct stream {
    int file; // to read from or to write to
    uint64_t at;
    uint8_t *chunk; // 8 bytes for the hash, then CHUNK bytes
    const char *path;
    struct fewest_error *error;
};

static bool write_chunk(struct stream *stream, size_t length)
{
    put_number(stream->chunk, format_hash(stream->chunk + 8, length));
    bool written = output_write(&(struct output){stream->file, stream->path}, stream->at,
                                stream->chunk, length + 8, stream->error);
    stream->at += length + 8;
    return written;
}

static bool say_damaged(const struct stream *stream)
{
    return error_set(stream->error, FEWEST_DAMAGED,
                     "%s: this checkpoint is damaged; remove it and run the command again to "
                     "search from the beginning",
                     stream->path);
}

static bool say_no_checkpoint(const struct stream *stream)
{
    return error_set(stream->error, FEWEST_DAMAGED,
                     "%s: this file is not a checkpoint; use another name for --checkpoint",
                     stream->path);
}

// Reads a chunk without checking its hash.
static bool read_unchecked(struct stream *stream, size_t length)
{
    if (!storage_read_file(stream->file, stream->at, stream->chunk, length + 8)) {
        return errno == ENODATA
                   ? say_damaged(stream)
                   : error_set(stream->error, FEWEST_SYSTEM, "%s: can't read this checkpoint: %s",
                               stream->path, strerror(errno));
    }
    stream->at += length + 8;
    return true;
}

static bool check_hash(const struct stream *stream, size_t length)
{
    return get_number(stream->chunk) == format_hash(stream->chunk + 8, length) ||
           say_damaged(stream);
}

static bool read_chunk(struct stream *stream, size_t length)
{
    return read_unchecked(stream, length) && check_hash(stream, length);
}

static bool save_bytes(struct stream *stream, const uint8_t *bytes, uint64_t length)
{
    bool saved = true;
    for (uint64_t at = 0; at < length && saved; at += CHUNK) {
        size_t part = length - at < CHUNK ? (size_t)(length - at) : CHUNK;
        memcpy(stream->chunk + 8, bytes + at, part);
        saved = write_chunk(stream, part);
    }
    return saved;
}

static bool load_bytes(struct stream *stream, uint8_t *bytes, uint64_t length)
{
    bool loaded = true;
    for (uint64_t at = 0; at < length && loaded; at += CHUNK) {
        size_t part = length - at < CHUNK ? (size_t)(length - at) : CHUNK;
        loaded = read_chunk(stream, part);
        memcpy(bytes + at, stream->chunk + 8, part);
    }
    return loaded;
}

static bool make_room(struct stream *stream)
{
    stream->chunk = malloc(CHUNK + 8);
    return stream->chunk ||
           error_set(stream->error, FEWEST_SYSTEM, "not enough memory for the checkpoint");
}

// ---- Loading ------------------------------------------------------------------------------------

// Follows links. Checks that a file can be put there, because a bad path should fail now, not after
// an hour.
static bool resolve_checkpoint_path(struct checkpoint *checkpoint, const char *path,
                                    struct fewest_error *error)
{
    struct publication publication;
    bool possible = publish_begin(&publication, path, error);
    if (possible) {
        checkpoint->path = strdup(publication.path);
        possible = checkpoint->path ||
                   error_set(error, FEWEST_SYSTEM, "not enough memory to load the checkpoint");
    }
    publish_end(&publication);
    return possible;
}

static void close_stream(struct stream *stream)
{
    free(stream->chunk);
    close(stream->file);
}

// Was the file saved by this number of ranks?
static bool check_ranks(const struct stream *stream)
{
    uint64_t count = get_number(number_at(stream->chunk, 1 + FIELD_RANKS));
    char with[64] = "without mpirun";
    if (count == ranks_count() &&
        get_number(number_at(stream->chunk, 1 + FIELD_RANK)) == ranks_number()) {
        return true;
    }
    if (count > 1) {
        snprintf(with, sizeof with, "under `mpirun -n %llu`", (unsigned long long)count);
    }
    return error_set(stream->error, FEWEST_FOREIGN,
                     "%s: this checkpoint was saved by %llu rank%s; run the command %s, or use "
                     "another name for --checkpoint",
                     stream->path, (unsigned long long)count, count == 1 ? "" : "s", with);
}

static bool read_header(struct stream *stream, uint64_t identity)
{
    struct stat status;
    if (!make_room(stream)) {
        return false;
    }
    if (fstat(stream->file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= HEADER) {
        return say_no_checkpoint(stream);
    }
    if (!read_unchecked(stream, HEADER)) {
        return false;
    }
    if (get_number(number_at(stream->chunk, 1 + FIELD_MAGIC)) != MAGIC) {
        return say_no_checkpoint(stream);
    }
    return check_hash(stream, HEADER) &&
           (get_number(number_at(stream->chunk, 1 + FIELD_IDENTITY)) == identity ||
            error_set(stream->error, FEWEST_FOREIGN,
                      "%s: this checkpoint belongs to another definition, metric or version of "
                      "fewest-gen; remove it "
                      "or use another name for --checkpoint",
                      stream->path)) &&
           check_ranks(stream);
}

// Opens the file anew each time, because another generator may have replaced it. *there is false if
// there is no file. Otherwise the stream's chunk holds the header, which belongs to this search.
// Then the caller closes the stream.
static bool open_stream(const struct checkpoint *checkpoint, struct stream *stream, bool *there,
                        struct fewest_error *error)
{
    const char *path = checkpoint->path;
    *stream = (struct stream){
        .path = path, .error = error, .file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    *there = stream->file >= 0;
    if (!*there) {
        return errno == ENOENT ||
               error_set(error, FEWEST_SYSTEM, "%s: can't read this checkpoint: %s", path,
                         strerror(errno));
    }
    bool good = read_header(stream, checkpoint->identity);
    if (!good) {
        close_stream(stream);
        *there = false;
    }
    return good;
}

// The file that another number of ranks would have: FILE without mpirun, FILE.0 with it.
static bool check_other_file(const struct checkpoint *checkpoint, const char *path,
                             struct fewest_error *error)
{
    char other[4096];
    struct stream stream;
    bool there;
    if (snprintf(other, sizeof other, ranks_count() > 1 ? "%s" : "%s.0", path) >=
        (int)sizeof other) {
        return true;
    }
    struct checkpoint another = {.path = other, .identity = checkpoint->identity};
    bool good = open_stream(&another, &stream, &there, error) || error->status != FEWEST_FOREIGN;
    if (there) {
        close_stream(&stream);
    }
    return good;
}

// The path of this rank's file.
static bool write_path(const char *path, char *own, size_t size, struct fewest_error *error)
{
    int length = ranks_count() > 1 ? snprintf(own, size, "%s.%u", path, ranks_number())
                                   : snprintf(own, size, "%s", path);
    return length < (int)size ||
           error_set(error, FEWEST_BAD_INPUT, "--checkpoint: this name has more than %zu bytes",
                     size - 1);
}

bool checkpoint_open(struct checkpoint *checkpoint, const char *path, const char *definition,
                     size_t length, unsigned metric, struct fewest_error *error)
{
    uint64_t parts[] = {format_hash(definition, length), metric, FORMAT_MAJOR, VERSION};
    uint8_t bytes[sizeof parts];
    char own[4096];
    struct stream stream;
    bool there;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        put_number(number_at(bytes, i), parts[i]);
    }
    *checkpoint =
        (struct checkpoint){.identity = format_hash(bytes, sizeof bytes),
                            .saved_at = clock_seconds()}; // the first save waits from now on
    if (!write_path(path, own, sizeof own, error) ||
        !resolve_checkpoint_path(checkpoint, own, error) ||
        !open_stream(checkpoint, &stream, &there, error)) {
        return false;
    }
    if (!there && !check_other_file(checkpoint, path, error)) {
        return false;
    }
    if (there) {
        checkpoint->root = (unsigned)get_number(number_at(stream.chunk, 1 + FIELD_ROOT));
        close_stream(&stream);
    }
    return true;
}

static bool histogram_fits(uint8_t *field, uint64_t count)
{
    for (size_t d = 0; d < UNREACHED; d++) {
        uint64_t states = get_number(number_at(field, FIELDS + d));
        if (states > count) {
            return false;
        }
        count -= states;
    }
    return true;
}

static bool load_places(struct stream *stream, const struct layer_file *file)
{
    uint64_t count = file->part_count * file->layers;
    bool loaded = true;
    for (uint64_t first = 0; first < count && loaded; first += CHUNK / 8) {
        size_t part = count - first < CHUNK / 8 ? (size_t)(count - first) : CHUNK / 8;
        loaded = read_chunk(stream, 8 * part);
        for (size_t i = 0; i < part && loaded; i++) {
            file->places[first + i] = get_number(number_at(stream->chunk, 1 + i));
        }
    }
    return loaded;
}

static bool load_layer_file(struct stream *stream, const struct layer_file *file)
{
    uint64_t length = file->length;
    bool loaded = true;
    for (uint64_t at = 0; at < length && loaded; at += CHUNK) {
        size_t part = length - at < CHUNK ? (size_t)(length - at) : CHUNK;
        loaded = read_chunk(stream, part) &&
                 layer_file_put(file, at, stream->chunk + 8, part, stream->error);
    }
    return loaded;
}

static bool load_layers(struct stream *stream, unsigned root, struct distances *distances,
                        unsigned *layer)
{
    uint8_t *field = number_at(stream->chunk, 1);
    uint64_t number = get_number(number_at(field, FIELD_LAYER));
    if (get_number(number_at(field, FIELD_ROOT)) != root) {
        return true;
    }
    uint64_t layers = get_number(number_at(field, FIELD_LAYERS));
    uint64_t length = get_number(number_at(field, FIELD_LAYERS_LENGTH));
    if (get_number(number_at(field, FIELD_COUNT)) != distances->count ||
        get_number(number_at(field, FIELD_BITS)) != distances->bits || number > DISTANCE_MOST ||
        layers > number + 1 || !histogram_fits(field, distances->total)) {
        return say_damaged(stream);
    }
    for (size_t d = 0; d < UNREACHED; d++) {
        distances->histogram[d] = get_number(number_at(field, FIELDS + d));
    }
    if (!load_bytes(stream, (uint8_t *)distances->entries, distances->length)) {
        return false;
    }
    *layer = (unsigned)number;
    return layers == 0 ||
           (layer_file_restore(&distances->layers, (unsigned)layers, length, stream->error) &&
            load_places(stream, &distances->layers) && load_layer_file(stream, &distances->layers));
}

bool checkpoint_load(const struct checkpoint *checkpoint, unsigned root,
                     struct distances *distances, unsigned *layer, struct fewest_error *error)
{
    struct stream stream;
    bool there;
    *layer = 0;
    if (!open_stream(checkpoint, &stream, &there, error)) {
        return false;
    }
    bool loaded = !there || load_layers(&stream, root, distances, layer);
    if (there) {
        close_stream(&stream);
    }
    return loaded;
}

// ---- Saving -------------------------------------------------------------------------------------

static bool save_places(struct stream *stream, const struct layer_file *file)
{
    uint64_t count = file->part_count * file->layers;
    bool saved = true;
    for (uint64_t first = 0; first < count && saved; first += CHUNK / 8) {
        size_t part = count - first < CHUNK / 8 ? (size_t)(count - first) : CHUNK / 8;
        for (size_t i = 0; i < part; i++) {
            put_number(number_at(stream->chunk, 1 + i), file->places[first + i]);
        }
        saved = write_chunk(stream, 8 * part);
    }
    return saved;
}

static bool save_layer_file(struct stream *stream, const struct layer_file *file)
{
    uint64_t length = file->length;
    bool saved = true;
    for (uint64_t at = 0; at < length && saved; at += CHUNK) {
        size_t part = length - at < CHUNK ? (size_t)(length - at) : CHUNK;
        saved = layer_file_get(file, at, stream->chunk + 8, part, stream->error) &&
                write_chunk(stream, part);
    }
    return saved;
}

static bool write_layers(struct stream *stream, uint64_t identity, unsigned root,
                         const struct distances *distances, unsigned layer)
{
    const struct layer_file *file = &distances->layers;
    const uint64_t fields[FIELDS] = {
        [FIELD_MAGIC] = MAGIC,
        [FIELD_VERSION] = VERSION,
        [FIELD_IDENTITY] = identity,
        [FIELD_RANKS] = ranks_count(),
        [FIELD_RANK] = ranks_number(),
        [FIELD_ROOT] = root,
        [FIELD_BITS] = distances->bits,
        [FIELD_COUNT] = distances->count,
        [FIELD_LAYER] = layer,
        [FIELD_LAYERS] = file->layers,
        [FIELD_LAYERS_LENGTH] = file->length,
    };
    for (size_t i = 0; i < FIELDS; i++) {
        put_number(number_at(stream->chunk, 1 + i), fields[i]);
    }
    for (size_t d = 0; d < UNREACHED; d++) {
        put_number(number_at(stream->chunk, 1 + FIELDS + d),
                   d <= layer ? distances->histogram[d] : 0);
    }
    return write_chunk(stream, HEADER) &&
           save_bytes(stream, (const uint8_t *)distances->entries, distances->length) &&
           save_places(stream, file) && save_layer_file(stream, file);
}

// Is the file missing, or does it belong to this search? Other files are never replaced or removed.
static bool is_own(const struct checkpoint *checkpoint, struct fewest_error *error)
{
    struct stream stream;
    bool there;
    bool own = open_stream(checkpoint, &stream, &there, error);
    if (there) {
        close_stream(&stream);
    }
    return own;
}

// Has the search gone on long enough since the last save?
static bool is_due(struct checkpoint *checkpoint, const struct distances *distances)
{
    static const double SHARE = 4;
    static const double BYTES_A_SECOND = 300e6; // a guess for the first save
    if (checkpoint->saving_took == 0) {
        uint64_t bytes = distances->length + distances->layers.length;
        checkpoint->saving_took = (double)bytes / BYTES_A_SECOND;
    }
    return clock_seconds() - checkpoint->saved_at >= SHARE * checkpoint->saving_took;
}

static bool write_file(const struct checkpoint *checkpoint, struct publication *publication,
                       unsigned root, const struct distances *distances, unsigned layer,
                       struct fewest_error *error)
{
    struct stream stream = {.file = publication->file, .path = checkpoint->path, .error = error};
    bool saved =
        make_room(&stream) && write_layers(&stream, checkpoint->identity, root, distances, layer);
    // This is slow, so it precedes the check. publish_place flushes again and reports errors.
    (void)fsync(publication->file);
    free(stream.chunk);
    return saved && is_own(checkpoint, error);
}

bool checkpoint_save(struct checkpoint *checkpoint, unsigned root,
                     const struct distances *distances, unsigned layer, bool now,
                     struct fewest_error *error)
{
    double begin = clock_seconds();
    // The clock of rank 0 decides for all.
    uint64_t decided =
        ranks_number() == 0 && root >= checkpoint->root && (now || is_due(checkpoint, distances));
    if (!ranks_sum(&decided, 1, error)) {
        return false;
    }
    if (decided == 0) {
        return true;
    }
    struct publication publication;
    bool saved = publish_begin(&publication, checkpoint->path, error) &&
                 write_file(checkpoint, &publication, root, distances, layer, error);
    saved = ranks_agree(saved, error) && publish_place(&publication);
    saved = ranks_agree(saved, error);
    publish_end(&publication);
    checkpoint->root = saved ? root : checkpoint->root;
    checkpoint->saved_at = clock_seconds();
    checkpoint->saving_took = checkpoint->saved_at - begin;
    return saved;
}

void checkpoint_close(struct checkpoint *checkpoint, bool done)
{
    struct fewest_error ignored;
    if (done && checkpoint->path && is_own(checkpoint, &ignored)) {
        unlink(checkpoint->path);
    }
    free(checkpoint->path);
    checkpoint->path = NULL;
}
