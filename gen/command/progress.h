// Tells how far a run of the generator is: on stderr if somebody watches, and in a log file.
#ifndef FEWEST_GEN_COMMAND_PROGRESS_H
#define FEWEST_GEN_COMMAND_PROGRESS_H

#include "gen/fewest_gen.h"
#include "tables/base/errors.h"

#include <stdio.h>

// How far a stage of the work is.
struct stage {
    double begin;        // when it began, in seconds
    double share_before; // that was done when it began
    double share;        // that is done by now
};

struct progress {
    char shown[256];        // name of the definition, escaped for printing
    bool watched;           // print on stderr
    FILE *log;              // or NULL
    const char *log_path;   // or NULL
    double begin;           // of the run, in seconds
    double layer_end;       // when the last layer was complete, or the run began
    unsigned search;        // the number of the current search, or UINT_MAX before the first
    struct stage searching; // of its states
    struct stage packing;   // of the blocks of the table
    double printed;         // when the last line about packing was printed, in seconds
};

// Begins the run.
void progress_begin(struct progress *progress, const char *definition, bool watched);

// From now on, also appends the lines to this file. Fails with FEWEST_SYSTEM if it can't be
// written.
bool progress_open_log(struct progress *progress, const char *path, struct fewest_error *error);

void progress_end(struct progress *progress);

// Prints a line. If the log can't be written any more, warns and goes on.
void progress_print(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Prints a warning, or an error that ends the run.
void progress_complain(struct progress *progress, const char *text);

// Prints a line about a layer that is complete.
void progress_layer(struct progress *progress, const struct fewest_gen_progress *layer);

// Prints a line about the packed blocks, `packed` of `count`, at most every two seconds.
void progress_packed(struct progress *progress, uint64_t packed, uint64_t count);

#endif
