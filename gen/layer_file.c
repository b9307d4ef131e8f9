// Writes the layers of a search to a file without a name, and reads distances from it.
#include "layer_file.h"

#include "base/eight_bytes.h"
#include "file/storage.h"
#include "scratch.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BITMAP = LAYER_CHUNK / 8,          // bytes
    LENGTHS = 2 * LAYER_CHUNKS_A_PART, // bytes before the chunks of a part
    LONGEST_GAP = 255,
};

void layer_file_make(struct layer_file *file, uint64_t entries, const char *folder)
{
    *file = (struct layer_file){
        .folder = folder, .file = -1, .part_count = (entries + LAYER_PART - 1) / LAYER_PART};
}

void layer_file_free(struct layer_file *file)
{
    if (file->part_count > 0 && file->file >= 0) {
        close(file->file);
    }
    free(file->places);
    *file = (struct layer_file){.file = -1};
}

// A byte for each entry. The rest is an eighth: for the lengths, and for long gaps.
uint64_t layer_file_most(uint64_t entries)
{
    return entries + entries / 8;
}

bool layer_file_fail(const struct layer_file *file, const char *what, struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "%s: can't %s a temporary file in this folder: %s",
                     scratch_folder(file->folder), what, strerror(errno));
}

// ---- Writing ------------------------------------------------------------------------------------

bool layer_file_begin(struct layer_file *file, struct fewest_error *error)
{
    uint64_t count = file->part_count * (file->layers + 1);
    if (file->file < 0 && !scratch_open(file->folder, &file->file, error)) {
        return false;
    }
    uint64_t *places = realloc(file->places, count * sizeof *places);
    if (!places) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the layers of the search");
    }
    file->places = places;
    return true;
}

void layer_file_end(struct layer_file *file)
{
    file->layers++;
}

void layer_part_begin(struct layer_part *part)
{
    memset(part->bytes, 0, LENGTHS);
    part->length = LENGTHS;
}

static unsigned count_entries(const uint64_t *bits)
{
    unsigned count = 0;
    for (unsigned i = 0; i < LAYER_CHUNK / 64; i++) {
        count += (unsigned)__builtin_popcountll(bits[i]);
    }
    return count;
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

void layer_part_add(struct layer_part *part, size_t chunk, const uint64_t *bits)
{
    uint8_t *out = part->bytes + part->length;
    size_t length = count_entries(bits) < BITMAP ? write_gaps(bits, out) : BITMAP;
    if (length == BITMAP) {
        write_bitmap(bits, out);
    }
    part->bytes[2 * chunk] = (uint8_t)length;
    part->bytes[2 * chunk + 1] = (uint8_t)(length >> 8);
    part->length += length;
}

bool layer_file_write(struct layer_file *file, uint64_t number, const struct layer_part *part)
{
    uint64_t *place = &file->places[file->layers * file->part_count + number];
    *place = LAYER_PART_EMPTY;
    if (part->length == LENGTHS) {
        return true;
    }
    *place = atomic_fetch_add_explicit(&file->length, part->length, memory_order_relaxed);
    return scratch_write(file->file, *place, part->bytes, part->length);
}

// ---- Reading ------------------------------------------------------------------------------------

// The entries to read of a chunk: first … end-1, and where they go.
struct window {
    unsigned first;
    unsigned end;
    uint8_t *out; // entry `first`
};

static inline void set_distance(const struct window *window, unsigned entry, unsigned distance)
{
    if (entry >= window->first && entry < window->end) {
        window->out[entry - window->first] = (uint8_t)distance;
    }
}

static void read_gaps(const uint8_t *bytes, size_t length, const struct window *window,
                      unsigned distance)
{
    unsigned next = 0;
    for (size_t i = 0; i < length; i++) {
        next += bytes[i];
        if (bytes[i] < LONGEST_GAP) {
            set_distance(window, next, distance);
            next++;
        }
    }
}

// Sets the distances of eight entries whose bits are set, all at once.
static inline void set_eight(uint8_t *out, unsigned bits, unsigned distance)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t spread = bits * ones & 0x8040201008040201u; // byte i has bit i alone
    uint64_t mask = ((spread + 0x7F * ones) >> 7 & ones) * 0xFF;
    store_eight(out, (load_eight(out) & ~mask) | (distance * ones & mask));
}

static void read_bitmap(const uint8_t *bytes, const struct window *window, unsigned distance)
{
    for (unsigned entry = window->first / 8 * 8; entry < window->end; entry += 8) {
        unsigned bits = bytes[entry / 8];
        if (entry >= window->first && entry + 8 <= window->end) {
            set_eight(window->out + (entry - window->first), bits, distance);
            continue;
        }
        for (unsigned i = 0; i < 8; i++) {
            if (bits >> i & 1) {
                set_distance(window, entry + i, distance);
            }
        }
    }
}

// Reads a chunk of a layer. False with errno.
static bool read_chunk(const struct layer_file *file, unsigned layer, uint64_t chunk,
                       const struct window *window)
{
    uint8_t bytes[BITMAP];
    uint8_t lengths[LENGTHS];
    size_t number = chunk % LAYER_CHUNKS_A_PART;
    uint64_t at = file->places[layer * file->part_count + chunk / LAYER_CHUNKS_A_PART];
    size_t length = 0;
    if (at == LAYER_PART_EMPTY) {
        return true;
    }
    if (!storage_read_file(file->file, at, lengths, LENGTHS)) {
        return false;
    }
    at += LENGTHS;
    for (size_t i = 0; i <= number; i++) {
        at += length;
        length = lengths[2 * i] | (size_t)lengths[2 * i + 1] << 8;
    }
    length = length < BITMAP ? length : BITMAP; // only a forged checkpoint has more
    if (!storage_read_file(file->file, at, bytes, length)) {
        return false;
    }
    if (length == BITMAP) {
        read_bitmap(bytes, window, layer);
    } else {
        read_gaps(bytes, length, window, layer);
    }
    return true;
}

bool layer_file_read(const struct layer_file *file, uint64_t first, size_t count, uint8_t *out,
                     struct fewest_error *error)
{
    while (count > 0) {
        struct window window = {.first = (unsigned)(first % LAYER_CHUNK), .out = out};
        size_t part = LAYER_CHUNK - window.first;
        part = count < part ? count : part;
        window.end = window.first + (unsigned)part;
        for (unsigned layer = 0; layer < file->layers; layer++) {
            if (!read_chunk(file, layer, first / LAYER_CHUNK, &window)) {
                return layer_file_fail(file, "read", error);
            }
        }
        first += part;
        out += part;
        count -= part;
    }
    return true;
}

// ---- Checkpoints --------------------------------------------------------------------------------

bool layer_file_get(const struct layer_file *file, uint64_t at, uint8_t *bytes, size_t length,
                    struct fewest_error *error)
{
    return storage_read_file(file->file, at, bytes, length) || layer_file_fail(file, "read", error);
}

bool layer_file_restore(struct layer_file *file, unsigned layers, uint64_t length,
                        struct fewest_error *error)
{
    file->layers = layers;
    file->length = length;
    return layer_file_begin(file, error);
}

bool layer_file_put(const struct layer_file *file, uint64_t at, const uint8_t *bytes, size_t length,
                    struct fewest_error *error)
{
    return scratch_write(file->file, at, bytes, length) || layer_file_fail(file, "write", error);
}
