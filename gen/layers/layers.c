// Writes the layers of a search to a file, and reads distances from it.
#include "layers.h"

#include "gen/write/eight_bytes.h"
#include "tables/base/parallel.h"
#include "tables/file/format.h"
#include "tables/file/storage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER = 8, // bytes before the lengths of a part
    LENGTHS = 2 * LAYER_CHUNKS_A_PART,
    CHUNKS = NUMBER + LENGTHS, // where the chunks begin
    BITMAP = LAYER_CHUNK / 8,
    LONGEST_GAP = 255,
};

#define LAYER_PART_EMPTY UINT64_MAX

void layers_begin(struct layers *layers, struct file_search search, uint64_t entries)
{
    *layers = (struct layers){.file = search.file,
                              .search = search.number,
                              .entries = entries,
                              .begin = search.file->length,
                              .part_count = (entries + LAYER_PART - 1) / LAYER_PART};
}

void layers_free(struct layers *layers)
{
    free(layers->positions);
    *layers = (struct layers){.count = 0};
}

// A byte for each entry. The rest is an eighth: for the lengths, and for long gaps.
uint64_t layers_most(uint64_t entries)
{
    return entries + entries / 8;
}

static bool add_row_of_positions(struct layers *layers, struct fewest_error *error)
{
    uint64_t count = (layers->part_count + 1) * (layers->count + 1);
    uint64_t *positions = realloc(layers->positions, count * sizeof *positions);
    if (!positions) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the layers of the search");
    }
    layers->positions = positions;
    return true;
}

static uint64_t *position_of(const struct layers *layers, unsigned layer, uint64_t part)
{
    return &layers->positions[layer * (layers->part_count + 1) + part];
}

// ---- Writing ------------------------------------------------------------------------------------

// A part of a layer.
struct part {
    size_t length;                          // of `bytes`
    uint8_t bytes[CHUNKS + LAYER_PART / 8]; // the longest is a multiple of 8
};

static void begin_part(struct part *part, uint64_t number)
{
    memset(part->bytes, 0, CHUNKS);
    store_eight(part->bytes, number);
    part->length = CHUNKS;
}

// Writes the gaps between the entries. Returns their number of bytes, or BITMAP if a bitmap is not
// longer.
static size_t write_gaps(const uint64_t *bits, uint8_t *out)
{
    size_t length = 0;
    unsigned next = 0; // entry after the last one
    for (unsigned i = 0; i < LAYER_CHUNK / 64; i++) {
        for (uint64_t rest = bits[i]; rest; rest &= rest - 1) {
            unsigned entry = 64 * i + (unsigned)__builtin_ctzll(rest);
            for (; entry - next >= LONGEST_GAP; next += LONGEST_GAP) {
                if (length + 1 >= BITMAP) {
                    return BITMAP;
                }
                out[length++] = LONGEST_GAP;
            }
            if (length + 1 >= BITMAP) {
                return BITMAP;
            }
            out[length++] = (uint8_t)(entry - next);
            next = entry + 1;
        }
    }
    return length;
}

static void write_bitmap(const uint64_t *bits, uint8_t *out)
{
    for (size_t i = 0; i < LAYER_CHUNK / 64; i++) {
        store_eight(out + 8 * i, bits[i]);
    }
}

// Adds the next chunk to a part: a bit for each entry.
static void add_chunk(struct part *part, size_t chunk, const uint64_t *bits)
{
    uint8_t *out = part->bytes + part->length;
    uint8_t *lengths = part->bytes + NUMBER;
    size_t length = write_gaps(bits, out);
    if (length == BITMAP) {
        write_bitmap(bits, out);
    }
    lengths[2 * chunk] = (uint8_t)length;
    lengths[2 * chunk + 1] = (uint8_t)(length >> 8);
    part->length += length;
}

static void fill_up(struct part *part)
{
    for (; part->length % 8 > 0; part->length++) {
        part->bytes[part->length] = 0;
    }
}

// A layer that is being added.
struct addition {
    struct layers *layers;
    struct marks *marks;
    _Atomic uint64_t hash;
    _Atomic int error;
};

static void add_parts(void *context, uint64_t begin, uint64_t end)
{
    struct addition *addition = context;
    struct layers *layers = addition->layers;
    uint64_t bits[LAYER_CHUNK / 64];
    struct part *part = malloc(sizeof *part);
    if (!part) {
        addition->error = ENOMEM;
        return;
    }
    for (uint64_t number = begin; number < end && !addition->error; number++) {
        uint64_t *position = position_of(layers, layers->count, number);
        uint64_t first = number * LAYER_PART;
        begin_part(part, number);
        for (unsigned chunk = 0; chunk < LAYER_CHUNKS_A_PART && first < layers->entries; chunk++) {
            uint64_t rest = layers->entries - first;
            uint64_t count = rest < LAYER_CHUNK ? rest : LAYER_CHUNK;
            memset(bits, 0, sizeof bits);
            if (marks_take_layer(addition->marks, first, count, mark_of_layer(layers->count),
                                 bits)) {
                add_chunk(part, chunk, bits);
            }
            first += count;
        }
        *position = LAYER_PART_EMPTY;
        if (part->length > CHUNKS) {
            fill_up(part);
            addition->hash += format_hash(part->bytes, part->length);
            if (!layer_file_write(layers->file, part->bytes, part->length, position)) {
                addition->error = errno;
            }
        }
    }
    free(part);
}

bool layers_add(struct layers *layers, struct marks *marks, uint64_t states, unsigned threads,
                struct fewest_error *error)
{
    enum { PARTS_AT_ONCE = 8 };
    struct addition addition = {.layers = layers, .marks = marks, .hash = layers->entries};
    struct trailer trailer = {.search = layers->search, .layer = layers->count, .states = states};
    if (!add_row_of_positions(layers, error) || !layer_file_begin_layer(layers->file, error)) {
        return false;
    }
    parallel_for(threads, layers->part_count, PARTS_AT_ONCE, add_parts, &addition);
    trailer.hash = addition.hash;
    errno = addition.error;
    if (!layer_file_end_layer(layers->file, &trailer, layers_most(layers->entries),
                              addition.error == 0, error)) {
        return false;
    }
    *position_of(layers, layers->count++, layers->part_count) = layers->file->length;
    return true;
}

// ---- Reading ------------------------------------------------------------------------------------

static size_t chunk_length(const uint8_t *lengths, size_t chunk)
{
    return lengths[2 * chunk] | (size_t)lengths[2 * chunk + 1] << 8;
}

// Sets a bit for each entry.
static void read_gaps(const uint8_t *bytes, size_t length, uint8_t *bits)
{
    size_t entry = 0;
    memset(bits, 0, BITMAP);
    for (size_t i = 0; i < length; i++) {
        entry += bytes[i];
        if (bytes[i] < LONGEST_GAP && entry < LAYER_CHUNK) { // the file can change
            bits[entry / 8] |= (uint8_t)(1u << entry % 8);
            entry++;
        }
    }
}

// Reads a chunk of a layer: a bit for each entry. *any tells whether there is one. False with
// errno.
static bool read_chunk(const struct layers *layers, unsigned layer, uint64_t chunk, uint8_t *bits,
                       bool *any)
{
    uint8_t bytes[BITMAP];
    uint8_t lengths[LENGTHS];
    size_t number = chunk % LAYER_CHUNKS_A_PART;
    uint64_t position = *position_of(layers, layer, chunk / LAYER_CHUNKS_A_PART);
    *any = position != LAYER_PART_EMPTY;
    if (!*any) {
        return true;
    }
    if (!storage_read_file(layers->file->file, position + NUMBER, lengths, LENGTHS)) {
        return false;
    }
    uint64_t at = position + CHUNKS;
    for (size_t i = 0; i < number; i++) {
        at += chunk_length(lengths, i);
    }
    size_t length = chunk_length(lengths, number);
    *any = length > 0;
    if (length >= BITMAP) {
        return storage_read_file(layers->file->file, at, bits, BITMAP);
    }
    bool done = storage_read_file(layers->file->file, at, bytes, length);
    read_gaps(bytes, done ? length : 0, bits);
    return done;
}

// Sets the distance of the entries first … end-1 of a chunk whose bits are set.
static void set_distances(const uint8_t *bits, unsigned first, unsigned end, unsigned distance,
                          uint8_t *out)
{
    for (unsigned at = first / 64 * 64; at < end; at += 64) {
        for (uint64_t left = load_eight(bits + at / 8); left; left &= left - 1) {
            unsigned entry = at + (unsigned)__builtin_ctzll(left);
            if (entry >= first && entry < end) {
                out[entry - first] = (uint8_t)distance;
            }
        }
    }
}

bool layers_read(const struct layers *layers, uint64_t first, size_t count, uint8_t *out,
                 struct fewest_error *error)
{
    uint8_t bits[BITMAP];
    bool any;
    while (count > 0) {
        unsigned begin = (unsigned)(first % LAYER_CHUNK);
        size_t part = count < LAYER_CHUNK - begin ? count : LAYER_CHUNK - begin;
        for (unsigned layer = 0; layer < layers->count; layer++) {
            if (!read_chunk(layers, layer, first / LAYER_CHUNK, bits, &any)) {
                return layer_file_fail(layers->file, "read", error);
            }
            if (any) {
                set_distances(bits, begin, begin + (unsigned)part, layer, out);
            }
        }
        first += part;
        out += part;
        count -= part;
    }
    return true;
}

// ---- Going on from a checkpoint -----------------------------------------------------------------

// Reads the part at this position. False if there is no such part, or with errno.
static bool read_part(const struct layers *layers, uint64_t at, struct part *part)
{
    if (!storage_read_file(layers->file->file, at, part->bytes, CHUNKS) ||
        load_eight(part->bytes) >= layers->part_count) {
        return false;
    }
    part->length = CHUNKS;
    for (size_t chunk = 0; chunk < LAYER_CHUNKS_A_PART; chunk++) {
        size_t length = chunk_length(part->bytes + NUMBER, chunk);
        if (length > BITMAP) {
            return false;
        }
        part->length += length;
    }
    if (part->length == CHUNKS) {
        return false; // no part is empty
    }
    part->length = (part->length + 7) / 8 * 8;
    return storage_read_file(layers->file->file, at + CHUNKS, part->bytes + CHUNKS,
                             part->length - CHUNKS);
}

// A checkpoint that is being read.
struct reading {
    struct layers *layers;
    const struct search_options *options;
    struct part *part;
    uint64_t left; // states of all ranks that are in no layer yet
    uint64_t *histogram;
    struct fewest_error *warning;
};

// Reads the parts of the next layer, each of another number. *at becomes their end. False if the
// user stopped it.
static bool read_parts(const struct reading *reading, uint64_t *at, uint64_t *hash)
{
    const struct layers *layers = reading->layers;
    const struct search_options *options = reading->options;
    struct part *part = reading->part;
    uint64_t *positions = position_of(layers, layers->count, 0);
    for (uint64_t number = 0; number < layers->part_count; number++) {
        positions[number] = LAYER_PART_EMPTY;
    }
    *at = layers->file->length;
    *hash = layers->entries;
    errno = 0;
    while (read_part(layers, *at, part) && positions[load_eight(part->bytes)] == LAYER_PART_EMPTY) {
        positions[load_eight(part->bytes)] = *at;
        *hash += format_hash(part->bytes, part->length);
        *at += part->length;
        if (options_stop(options)) {
            return false;
        }
    }
    return true;
}

// Reads the next layer. *whole becomes false if it is not there.
static bool read_layer(struct reading *reading, bool *whole, struct fewest_error *error)
{
    struct layers *layers = reading->layers;
    struct layer_file *file = layers->file;
    struct trailer trailer;
    uint64_t hash;
    uint64_t at;
    *whole = false;
    if (!read_parts(reading, &at, &hash)) {
        return error_set(error, FEWEST_STOPPED, "stopped while reading the checkpoint");
    }
    bool is_ended = layer_file_read_trailer(file, at, &trailer);
    if (errno != 0 && errno != ENODATA) {
        return layer_file_fail(file, "read", error);
    }
    if (is_ended && trailer.search != layers->search) {
        return true; // another search begins
    }
    *whole = is_ended && trailer.layer == layers->count && trailer.hash == hash &&
             trailer.states <= reading->left;
    if (*whole) {
        reading->histogram[layers->count] = trailer.states;
        reading->left -= trailer.states;
        file->length = at + TRAILER_BYTES;
        *position_of(layers, layers->count++, layers->part_count) = file->length;
    } else if (is_ended || layer_file_has_later_trailer(file)) {
        error_write(
            reading->warning, FEWEST_DAMAGED,
            "warning: %s: layer %u of this checkpoint is damaged; it is searched again, and "
            "so are the layers after it",
            file->path, layers->count);
    }
    return true;
}

bool layers_resume(struct layers *layers, const struct search_options *options, uint64_t total,
                   uint64_t *histogram, struct fewest_error *warning, struct fewest_error *error)
{
    struct reading reading = {layers, options, NULL, total, histogram, warning};
    bool whole = true;
    if (!layers->file->path) {
        return true;
    }
    reading.part = malloc(sizeof *reading.part);
    bool done =
        reading.part || error_set(error, FEWEST_SYSTEM, "not enough memory to load the checkpoint");
    while (done && whole && layers->count < LAYERS_MOST) {
        done = add_row_of_positions(layers, error) && read_layer(&reading, &whole, error);
    }
    free(reading.part);
    return done;
}

// A search that goes on.
struct resumption {
    const struct layers *layers;
    struct marks *marks;
    struct fewest_error error; // the first of all threads
    _Atomic bool failed;
};

// Marks the entries of some chunks, which no other thread has.
static void mark_chunks(void *context, uint64_t begin, uint64_t end)
{
    struct resumption *resumption = context;
    const struct layers *layers = resumption->layers;
    unsigned newest = layers->count - 1;
    uint8_t distances[LAYER_CHUNK];
    struct fewest_error error;
    for (uint64_t first = begin; first < end; first += LAYER_CHUNK) {
        size_t count = end - first < LAYER_CHUNK ? (size_t)(end - first) : LAYER_CHUNK;
        memset(distances, UINT8_MAX, count);
        if (!layers_read(layers, first, count, distances, &error)) {
            if (!atomic_exchange(&resumption->failed, true)) {
                resumption->error = error;
            }
            return;
        }
        for (size_t i = 0; i < count; i++) {
            if (distances[i] <= newest) {
                marks_set(resumption->marks, first + i,
                          distances[i] < newest ? MARK_OLD : mark_of_layer(newest));
            }
        }
    }
}

bool layers_go_back(struct layers *layers, unsigned count, struct marks *marks, unsigned threads,
                    struct fewest_error *error)
{
    struct resumption resumption = {.layers = layers, .marks = marks};
    layers->file->length =
        count > 0 ? *position_of(layers, count - 1, layers->part_count) : layers->begin;
    layers->count = count;
    if (count > 0) {
        parallel_for(threads, layers->entries, LAYER_CHUNK, mark_chunks, &resumption);
    }
    if (resumption.failed) {
        *error = resumption.error;
    }
    return !resumption.failed;
}
