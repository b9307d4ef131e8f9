// The layers of a search in a file (layer_file.h), which tells the distance of each entry when the
// table is written.
//
// The entries are cut into chunks, and a chunk of a layer is stored in one of two ways:
//   - as *gaps*: a byte for each entry of the layer, the number of entries since the one before it.
//     The byte 255 stands for 255 entries that are not in the layer;
//   - as a *bitmap*, a bit for each entry of the chunk, if the gaps would not be shorter.
// A *part* is 16 chunks that are stored together: first the number of the part, then the lengths of
// its chunks in 2 bytes each, then the chunks, filled up to 8 bytes. A part without any entry of
// the layer is not stored. So each entry takes about one byte in the file, or less.
#ifndef FEWEST_GEN_LAYERS_LAYERS_H
#define FEWEST_GEN_LAYERS_LAYERS_H

#include "layer_file.h"
#include "marks.h"
#include "options.h"

enum {
    LAYERS_MOST = 254,
    LAYER_CHUNK = 1 << 15,                         // entries
    LAYER_CHUNKS_A_PART = 16,                      // chunks
    LAYER_PART = LAYER_CHUNK * LAYER_CHUNKS_A_PART // entries
};

// One of the searches of a file.
struct file_search {
    struct layer_file *file; // NULL: the search counts states, and keeps no layers
    unsigned number;
};

struct layers {
    struct layer_file *file;
    unsigned search; // its number in the file
    uint64_t entries;
    uint64_t begin; // where the first layer begins in the file
    unsigned count; // layers that are complete
    uint64_t part_count;
    // By layer and part: where it is in the file, or LAYER_PART_EMPTY. Then comes the layer's end.
    uint64_t *positions;
};

// Begins without a layer. layers_free also takes a struct of zeros.
void layers_begin(struct layers *layers, struct file_search search, uint64_t entries);
void layers_free(struct layers *layers);

// An upper bound of the bytes in the file, for a search of some 30 layers.
uint64_t layers_most(uint64_t entries);

// Takes the newest layer of a search, which is complete, from the marks, and writes it to the file.
// Changes the marks of the layer before to MARK_OLD. `states` is how many states all ranks found.
bool layers_add(struct layers *layers, struct marks *marks, uint64_t states, unsigned threads,
                struct fewest_error *error);

// Reads the whole layers of this search that follow in the checkpoint, and fills in the histogram.
// Stops where the file ends, where another search begins, or at a damaged layer. A damaged layer
// also fills in `warning`. `total` is the number of entries of all ranks. Does nothing if the file
// is no checkpoint. Returns false with FEWEST_SYSTEM or FEWEST_STOPPED.
bool layers_resume(struct layers *layers, const struct search_options *options, uint64_t total,
                   uint64_t *histogram, struct fewest_error *warning, struct fewest_error *error);

// Forgets all layers but the first `count`. Then makes the marks, which are all MARK_NONE, what
// they were when the search had found these layers.
bool layers_go_back(struct layers *layers, unsigned count, struct marks *marks, unsigned threads,
                    struct fewest_error *error);

// Reads the distances of some entries, a byte each. Entries that are in no layer stay as they are.
// Any number of threads may read.
bool layers_read(const struct layers *layers, uint64_t first, size_t count, uint8_t *out,
                 struct fewest_error *error);

#endif
