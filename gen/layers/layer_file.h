// The file of a table's layers. Without a name, it disappears with the program. With a name, it is
// a *checkpoint*: the searches can go on from its last whole layer.
//
// The file holds the layers of each search, one after the other. A layer is its parts (layers.h),
// in any order, and then its *trailer*. A file with a name begins with a trailer, too. That one
// ends no layer, and tells which search and rank the file belongs to. A trailer is a row of
// little-endian numbers of 64 bits: magic number, identity (a hash of the definition, the metric
// and the versions of table and checkpoint), number of ranks, number of this rank (ranks/ranks.h),
// number of the search, layer, states in the layer (of all ranks), the number of entries plus the
// XXH3-64 of all parts, and the XXH3-64 of the trailer. A layer is flushed before its trailer is
// written, so what comes after the last trailer is a layer that was interrupted, and is cut off.
//
// Several ranks save a search in as many files: rank 0 in FILE, rank 1 in FILE.1, and so on.
#ifndef FEWEST_GEN_LAYERS_LAYER_FILE_H
#define FEWEST_GEN_LAYERS_LAYER_FILE_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The end of a layer.
struct trailer {
    unsigned search;
    unsigned layer;
    uint64_t states; // in the layer, of all ranks
    uint64_t hash;   // of its parts
};

enum { TRAILER_BYTES = 9 * 8 };

struct layer_file {
    const char *folder; // of a file without a name, or NULL for the system's
    char *path;         // absolute, with links followed; NULL without a name
    int file;           // -1 before the first layer
    bool made;          // the checkpoint is new
    uint64_t identity;
    uint64_t length;     // up to the last whole layer that was written or read
    _Atomic uint64_t at; // where the next part goes
};

// A file without a name, which is made when the first layer begins.
void layer_file_begin(struct layer_file *file, const char *folder);

// Opens or makes the checkpoint of this definition and metric. Fails with FEWEST_DAMAGED if it is
// not a checkpoint, and with FEWEST_FOREIGN if it belongs to another search or another number of
// ranks, or another process uses it. The caller closes it in any case.
bool layer_file_open(struct layer_file *file, const char *path, const char *definition,
                     size_t length, unsigned metric, struct fewest_error *error);

// Closes the file. Removes a checkpoint if the table is `done`, or if the checkpoint is new and has
// no whole layer.
void layer_file_close(struct layer_file *file, bool done);

// Reads the trailer at this position. Returns false if no trailer of this checkpoint is there, or
// if the file can't be read. Only a failed read sets errno.
bool layer_file_read_trailer(const struct layer_file *file, uint64_t at, struct trailer *trailer);

// Is there a trailer behind the layers that were read? Then the rest of the file is more than a
// layer that was interrupted. False if the file can't be read.
bool layer_file_has_later_trailer(const struct layer_file *file);

// The bytes of the file that are on the disk already.
uint64_t layer_file_size(const struct layer_file *file);

// Begins a layer: cuts off what comes after the layers that were written or read. Makes the file,
// if it has no name and this is its first layer.
bool layer_file_begin_layer(struct layer_file *file, struct fewest_error *error);

// Writes a part of the layer at the next position, and tells it. Any number of threads may call
// this. Returns false with errno.
bool layer_file_write(struct layer_file *file, const void *bytes, size_t length,
                      uint64_t *position);

// Ends the layer: flushes a checkpoint, and writes the trailer to it. `is_written` tells whether
// all parts were written; if not, reports errno and fails. If the disk is full, the error tells
// that the searches up to this one need up to `most` bytes.
bool layer_file_end_layer(struct layer_file *file, const struct trailer *trailer, uint64_t most,
                          bool is_written, struct fewest_error *error);

// Reports errno about the file. `what` is what failed, such as "read".
bool layer_file_fail(const struct layer_file *file, const char *what, struct fewest_error *error);

#endif
