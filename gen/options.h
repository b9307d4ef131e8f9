// The limits of a run of the generator, and what it calls.
#ifndef FEWEST_GEN_OPTIONS_H
#define FEWEST_GEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct layer_file;

// The progress of a search at the end of a layer.
struct search_progress {
    const char *kind; // "root" or "pattern database"
    unsigned number;  // of the root or database, from 0
    unsigned count;   // of roots or databases
    unsigned layer;
    uint64_t states;  // in the layer
    uint64_t reached; // entries that have a distance by now
    uint64_t entries; // of the root or database
    // With several ranks:
    uint64_t sent;    // bytes that they have sent each other in this search
    double waited;    // seconds that a rank waited for others in this layer, at most
    unsigned slowest; // the rank for which all others waited
};

struct search_options {
    unsigned threads;
    const char *folder; // for temporary files, or NULL for the system's
    void (*progress)(void *context, const struct search_progress *progress); // or NULL
    // Called while the table is packed and written: `packed` of `count` blocks are there. Or NULL.
    void (*packed)(void *context, uint64_t packed, uint64_t count);
    // Called often, from any thread; true stops the run with FEWEST_STOPPED. May be NULL.
    bool (*stopped)(void *context);
    // Called with the text of a warning.
    void (*warn)(void *context, const char *text);
    void *context;
    struct layer_file *checkpoint; // where the searches are saved, or NULL
    // If the search makes a pattern database: its number, and how many there are. Else 0 of 0.
    unsigned database;
    unsigned database_count;
};

#endif
