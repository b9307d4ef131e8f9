// Writes the layers of a search to a file, and reads distances from it.
#include "layers.h"

#include "eight_bytes.h"
#include "tables/base/parallel.h"
#include "tables/file/format.h"
#include "tables/file/storage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Lengths in bytes, of what a part in the file is made of.
enum {
    NUMBER = 8, // the number of the part
    LENGTHS = 2 * LAYER_CHUNKS_A_PART,
    CHUNKS = NUMBER + LENGTHS, // where the chunks begin
    BITMAP = LAYER_CHUNK / 8,  // a chunk with a bit for each entry; other chunks are shorter
    LONGEST_GAP = 255,         // entries
};

#define LAYER_PART_EMPTY UINT64_MAX

void layers_begin(struct layers *layers, struct file_search search, uint64_t entries)
{
    *layers = (struct layers){.file = search.file,
                              .search = search.number,
                              .entries = entries,
                              .begin = search.file ? search.file->length : 0,
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

// Makes room for the positions of one more layer, number layers->count. The row has one position
// for each part, and one for the end of the layer.
static bool add_position_row(struct layers *layers, struct fewest_error *error)
{
    uint64_t count = (layers->part_count + 1) * (layers->count + 1);
    uint64_t *positions = realloc(layers->positions, count * sizeof *positions);
    if (!positions) {
        return error_no_memory(error, "for the layers of the search");
    }
    layers->positions = positions;
    return true;
}

// The entry for a part of a layer in the table of positions. Part number part_count stands for the
// end of the layer.
static uint64_t *part_position(const struct layers *layers, unsigned layer, uint64_t part)
{
    return &layers->positions[layer * (layers->part_count + 1) + part];
}

// ---- Writing ------------------------------------------------------------------------------------

// A part of a layer, as it is in the file.
struct part {
    size_t length;                          // of `bytes`
    uint8_t bytes[CHUNKS + LAYER_PART / 8]; // the longest is a multiple of 8
};

// Makes a part without chunks: its number, and lengths of 0.
static void begin_part(struct part *part, uint64_t number)
{
    memset(part->bytes, 0, CHUNKS);
    store_eight(part->bytes, number);
    part->length = CHUNKS;
}

// Writes the gaps between the entries of a chunk whose bits are set: for each such entry a byte,
// the number of entries since the last one. A byte LONGEST_GAP skips that many entries. Returns the
// number of bytes, or BITMAP if the gaps would take at least as many. `out` has room for BITMAP
// bytes.
static size_t write_gaps(const uint64_t *bits, uint8_t *out)
{
    size_t length = 0;
    unsigned next = 0; // the entry after the last one that was written
    for (unsigned i = 0; i < LAYER_CHUNK / 64; i++) {
        for (uint64_t rest = bits[i]; rest; rest &= rest - 1) { // clears the lowest bit
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

// Writes a bit for each entry of a chunk, BITMAP bytes in all.
static void write_bitmap(const uint64_t *bits, uint8_t *out)
{
    for (size_t i = 0; i < LAYER_CHUNK / 64; i++) {
        store_eight(out + 8 * i, bits[i]);
    }
}

// Appends a chunk to a part, in the shorter of the two ways, and writes its length. `bits` has a
// bit for each entry of the chunk. Chunks are added in the order of their numbers in the part.
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

// Appends zeros until the length of the part is a multiple of 8.
static void pad_part(struct part *part)
{
    for (; part->length % 8 > 0; part->length++) {
        part->bytes[part->length] = 0;
    }
}

// A layer that is being added, by all threads.
struct addition {
    struct layers *layers;
    struct marks *marks;
    _Atomic uint64_t hash; // of the trailer: the number of entries plus the hashes of all parts
    _Atomic int error;     // errno of a thread that failed, or 0
};

// Fills in part `number` of the newest layer from the marks (marks.h). The part gets no chunk if
// none of its entries is in that layer. The marks of the layer before become MARK_OLD. The newest
// layer has the number layers->count, because only the layers in the file are counted.
static void fill_part(struct addition *addition, uint64_t number, struct part *part)
{
    const struct layers *layers = addition->layers;
    unsigned newest = mark_of_layer(layers->count);
    uint64_t bits[LAYER_CHUNK / 64];
    uint64_t first = number * LAYER_PART;
    begin_part(part, number);
    for (unsigned chunk = 0; chunk < LAYER_CHUNKS_A_PART && first < layers->entries; chunk++) {
        uint64_t rest = layers->entries - first;
        uint64_t count = rest < LAYER_CHUNK ? rest : LAYER_CHUNK;
        memset(bits, 0, sizeof bits);
        if (marks_take_layer(addition->marks, first, count, newest, bits)) {
            add_chunk(part, chunk, bits);
        }
        first += count;
    }
}

// Writes the parts begin … end-1 of the newest layer to the file, keeps their positions, and adds
// their hashes to that of the layer. After an error in one thread, all threads end early.
static void add_parts(void *context, uint64_t begin, uint64_t end)
{
    struct addition *addition = context;
    struct layers *layers = addition->layers;
    struct part *part = malloc(sizeof *part);
    if (!part) {
        addition->error = ENOMEM;
        return;
    }
    for (uint64_t number = begin; number < end && !addition->error; number++) {
        uint64_t *position = part_position(layers, layers->count, number);
        *position = LAYER_PART_EMPTY;
        fill_part(addition, number, part);
        if (part->length == CHUNKS) { // no chunk: the part is not written
            continue;
        }
        pad_part(part);
        addition->hash += format_hash(part->bytes, part->length);
        if (!layer_file_write(layers->file, part->bytes, part->length, position)) {
            addition->error = errno;
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
    if (!add_position_row(layers, error) || !layer_file_begin_layer(layers->file, error)) {
        return false;
    }
    parallel_for(threads, layers->part_count, PARTS_AT_ONCE, add_parts, &addition);
    trailer.hash = addition.hash;
    errno = addition.error; // for the error of layer_file_end_layer
    bool is_written = addition.error == 0;
    uint64_t most = layers->begin + layers_most(layers->entries); // with the searches before
    if (!layer_file_end_layer(layers->file, &trailer, most, is_written, error)) {
        return false;
    }
    *part_position(layers, layers->count, layers->part_count) = layers->file->length;
    layers->count++;
    return true;
}

// ---- Reading ------------------------------------------------------------------------------------

// Reads the length of a chunk of a part, in bytes. `lengths` are those of all chunks of the part.
static size_t chunk_length(const uint8_t *lengths, size_t chunk)
{
    return lengths[2 * chunk] | (size_t)lengths[2 * chunk + 1] << 8;
}

// Reads what write_gaps wrote: fills in BITMAP bytes, with a bit for each entry of the chunk.
static void read_gaps(const uint8_t *bytes, size_t length, uint8_t *bits)
{
    size_t entry = 0; // the next one that may be set
    memset(bits, 0, BITMAP);
    for (size_t i = 0; i < length; i++) {
        entry += bytes[i];
        // The entry is only beyond the chunk if another program has changed the file.
        if (bytes[i] < LONGEST_GAP && entry < LAYER_CHUNK) {
            bits[entry / 8] |= (uint8_t)(1u << entry % 8);
            entry++;
        }
    }
}

// Reads a chunk of a layer: fills in BITMAP bytes, with a bit for each entry. If no entry of the
// chunk is in the layer, *any is false, and the bits stay as they were. Returns false with errno if
// the file can't be read. `chunk` counts the chunks of all parts.
static bool read_chunk(const struct layers *layers, unsigned layer, uint64_t chunk, uint8_t *bits,
                       bool *any)
{
    uint8_t bytes[BITMAP];
    uint8_t lengths[LENGTHS];
    size_t number = chunk % LAYER_CHUNKS_A_PART; // in its part
    uint64_t position = *part_position(layers, layer, chunk / LAYER_CHUNKS_A_PART);
    *any = false;
    if (position == LAYER_PART_EMPTY) {
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
    if (length == 0) {
        return true;
    }
    *any = true;
    if (length >= BITMAP) {
        return storage_read_file(layers->file->file, at, bits, BITMAP);
    }
    if (!storage_read_file(layers->file->file, at, bytes, length)) {
        return false;
    }
    read_gaps(bytes, length, bits);
    return true;
}

// Sets out[entry - first] to `distance` for each of the entries first … end-1 of a chunk whose bit
// is set. Bit 0 is that of the first entry in the chunk, and `end` is at most LAYER_CHUNK.
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
    while (count > 0) {                                   // one chunk after the other
        unsigned begin = (unsigned)(first % LAYER_CHUNK); // in its chunk
        size_t wanted = count < LAYER_CHUNK - begin ? count : LAYER_CHUNK - begin;
        for (unsigned layer = 0; layer < layers->count; layer++) {
            if (!read_chunk(layers, layer, first / LAYER_CHUNK, bits, &any)) {
                return layer_file_fail(layers->file, "read", error);
            }
            if (any) {
                set_distances(bits, begin, begin + (unsigned)wanted, layer, out);
            }
        }
        first += wanted;
        out += wanted;
        count -= wanted;
    }
    return true;
}

// ---- Going on from a checkpoint -----------------------------------------------------------------

// Reads the part at position `at` of the file. Returns false if no valid part is there, such as at
// the end of a layer, or if the file can't be read. Only a failed read sets errno.
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
    part->length = (part->length + 7) / 8 * 8; // pad_part
    return storage_read_file(layers->file->file, at + CHUNKS, part->bytes + CHUNKS,
                             part->length - CHUNKS);
}

// A checkpoint that is being read.
struct reading {
    struct layers *layers;
    const struct search_options *options;
    struct part *part; // buffer
    uint64_t left;     // states of all ranks that are in no layer yet
    uint64_t *histogram;
    struct fewest_error *warning;
};

// Reads the parts of the next layer, and keeps their positions. The layer ends where no valid part
// follows, or a part that it has already. *at becomes the end of the parts, and *hash what the
// trailer should hold. errno tells why the file can't be read, or is 0. Returns false if the
// watcher stopped the run.
static bool read_parts_of_layer(const struct reading *reading, uint64_t *at, uint64_t *hash)
{
    const struct layers *layers = reading->layers;
    const struct search_options *options = reading->options;
    struct part *part = reading->part;
    uint64_t *positions = part_position(layers, layers->count, 0);
    for (uint64_t number = 0; number < layers->part_count; number++) {
        positions[number] = LAYER_PART_EMPTY;
    }
    *at = layers->file->length;
    *hash = layers->entries;
    errno = 0;
    while (read_part(layers, *at, part)) {
        uint64_t number = load_eight(part->bytes); // below part_count, as read_part has checked
        uint64_t *position = &positions[number];
        if (*position != LAYER_PART_EMPTY) {
            break;
        }
        *position = *at;
        *hash += format_hash(part->bytes, part->length);
        *at += part->length;
        if (options_stop(options)) {
            return false;
        }
    }
    return true;
}

// Keeps the layer whose trailer was read, and whose parts end at `end`.
static void keep_layer(struct reading *reading, const struct trailer *trailer, uint64_t end)
{
    struct layers *layers = reading->layers;
    layers->file->length = end + TRAILER_BYTES;
    reading->histogram[layers->count] = trailer->states;
    reading->left -= trailer->states;
    *part_position(layers, layers->count, layers->part_count) = layers->file->length;
    layers->count++;
}

// Reads the next layer of this search. *whole becomes false if there is none, or if it was
// interrupted or is damaged. A damaged layer also fills in the warning. Fails if the file can't be
// read, or if the watcher stopped the run.
static bool read_layer(struct reading *reading, bool *whole, struct fewest_error *error)
{
    struct layers *layers = reading->layers;
    struct layer_file *file = layers->file;
    struct trailer trailer;
    uint64_t hash;
    uint64_t at;
    *whole = false;
    if (!read_parts_of_layer(reading, &at, &hash)) {
        return error_set(error, FEWEST_STOPPED, "stopped while reading the checkpoint");
    }
    bool is_ended = layer_file_read_trailer(file, at, &trailer);
    if (errno != 0 && errno != ENODATA) { // the file could not be read; ENODATA is its end
        return layer_file_fail(file, "read", error);
    }
    if (is_ended && trailer.search != layers->search) {
        return true; // another search begins
    }
    *whole = is_ended && trailer.layer == layers->count && trailer.hash == hash &&
             trailer.states <= reading->left;
    if (*whole) {
        keep_layer(reading, &trailer, at);
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
    if (!layers->file->path) {
        return true; // no checkpoint
    }
    struct reading reading = {.layers = layers,
                              .options = options,
                              .part = malloc(sizeof *reading.part),
                              .left = total,
                              .histogram = histogram,
                              .warning = warning};
    if (!reading.part) {
        return error_no_memory(error, "to load the checkpoint");
    }
    bool done = true;
    bool whole = true;
    while (done && whole && layers->count < LAYERS_MOST) {
        done = add_position_row(layers, error) && read_layer(&reading, &whole, error);
    }
    free(reading.part);
    return done;
}

// A search that goes on from the layers of a file.
struct resumption {
    const struct layers *layers;
    struct marks *marks;
    struct fewest_error error; // of the thread that failed first; only that one writes it
    _Atomic bool failed;
};

// Marks the entries begin … end-1 by the layers that have them (marks.h): those of the newest layer
// get its own mark, those of older layers MARK_OLD. Entries in no layer stay without a mark. There
// is at least one layer. `begin` is the first entry of a chunk, so no two threads write to one byte
// of the marks.
static void mark_chunks(void *context, uint64_t begin, uint64_t end)
{
    struct resumption *resumption = context;
    const struct layers *layers = resumption->layers;
    unsigned newest = layers->count - 1;
    uint8_t distances[LAYER_CHUNK];
    struct fewest_error error;
    for (uint64_t first = begin; first < end; first += LAYER_CHUNK) {
        size_t count = end - first < LAYER_CHUNK ? (size_t)(end - first) : LAYER_CHUNK;
        memset(distances, UINT8_MAX, count); // stays for an entry in no layer
        if (!layers_read(layers, first, count, distances, &error)) {
            if (!atomic_exchange(&resumption->failed, true)) {
                resumption->error = error;
            }
            return;
        }
        for (size_t i = 0; i < count; i++) {
            if (distances[i] < newest) {
                marks_set(resumption->marks, first + i, MARK_OLD);
            } else if (distances[i] == newest) {
                marks_set(resumption->marks, first + i, mark_of_layer(newest));
            }
        }
    }
}

bool layers_go_back(struct layers *layers, unsigned count, struct marks *marks, unsigned threads,
                    struct fewest_error *error)
{
    struct resumption resumption = {.layers = layers, .marks = marks};
    layers->count = count;
    layers->file->length = layers->begin;
    if (count > 0) {
        layers->file->length = *part_position(layers, count - 1, layers->part_count); // its end
        parallel_for(threads, layers->entries, LAYER_CHUNK, mark_chunks, &resumption);
    }
    if (resumption.failed) {
        *error = resumption.error;
    }
    return !resumption.failed;
}
