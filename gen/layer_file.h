// The layers of a search in a file without a name. The file tells the distance of each entry when
// the table is written.
//
// The entries are cut into chunks, and a chunk of a layer is stored in one of two ways:
//   - as *gaps*: a byte for each entry of the layer, the number of entries since the one before it.
//     The byte 255 stands for 255 entries that are not in the layer;
//   - as a *bitmap*, a bit for each entry of the chunk, if the gaps would not be shorter.
// The chunks of a *part* stand together: first their lengths, then the chunks. A part without any
// entry of the layer is not stored. So each entry takes about one byte in the file, or less.
#ifndef FEWEST_GEN_LAYER_FILE_H
#define FEWEST_GEN_LAYER_FILE_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LAYER_CHUNK = 1 << 15,                         // entries
    LAYER_CHUNKS_A_PART = 16,                      // chunks
    LAYER_PART = LAYER_CHUNK * LAYER_CHUNKS_A_PART // entries
};

struct layer_file {
    const char *folder; // for the file; NULL for the system's
    int file;           // -1 before the first layer
    unsigned layers;    // that are complete
    uint64_t part_count;
    uint64_t *places;        // by layer and part: where it is in the file, or LAYER_PART_EMPTY
    _Atomic uint64_t length; // of the file
};

#define LAYER_PART_EMPTY UINT64_MAX

// There is at least one entry. The system's file is made when the first layer begins.
void layer_file_make(struct layer_file *file, uint64_t entries, const char *folder);
// Also frees a file of zeros, which was never made.
void layer_file_free(struct layer_file *file);

// An upper bound of the file's length, in bytes, for a search of some 30 layers.
uint64_t layer_file_most(uint64_t entries);

// Begins a layer, and ends it. Between the two, any number of threads may add parts to it.
bool layer_file_begin(struct layer_file *file, struct fewest_error *error);
void layer_file_end(struct layer_file *file);

// A part of a layer that is being added.
struct layer_part {
    size_t length; // of `bytes`
    uint8_t bytes[2 * LAYER_CHUNKS_A_PART + LAYER_PART / 8];
};

// Adds the next chunk to a part: a bit for each entry. layer_part_begin empties the part.
void layer_part_begin(struct layer_part *part);
void layer_part_add(struct layer_part *part, size_t chunk, const uint64_t *bits);

// Writes part `number` of the layer that was begun. False with errno.
bool layer_file_write(struct layer_file *file, uint64_t number, const struct layer_part *part);

// Reads the distances of some entries, a byte each. Entries that are in no layer stay as they are.
// Any number of threads may read.
bool layer_file_read(const struct layer_file *file, uint64_t first, size_t count, uint8_t *out,
                     struct fewest_error *error);

// For a checkpoint: reading the file's bytes, and restoring them. Before the bytes, restore the
// numbers of layers and bytes; then fill in the places.
bool layer_file_get(const struct layer_file *file, uint64_t at, uint8_t *bytes, size_t length,
                    struct fewest_error *error);
bool layer_file_restore(struct layer_file *file, unsigned layers, uint64_t length,
                        struct fewest_error *error);
bool layer_file_put(const struct layer_file *file, uint64_t at, const uint8_t *bytes, size_t length,
                    struct fewest_error *error);

// Reports errno about the file. `what` is what failed: "read" or "write".
bool layer_file_fail(const struct layer_file *file, const char *what, struct fewest_error *error);

#endif
