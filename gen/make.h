// One run of the generator: from the file of a definition to that of a table, and what is said of it meanwhile.
#ifndef FEWEST_GEN_MAKE_H
#define FEWEST_GEN_MAKE_H

#include "command_line.h"
#include "puzzle.h"

struct request {
    const char *definition;
    const char *output;     // or NULL: NAME.dtab
    const char *track;      // or NULL
    const char *checkpoint; // or NULL
    uint64_t memory;        // the most that may be taken; 0: what there is
    bool dry_run;           // tell what it would cost
    enum metric metric;
    unsigned threads;
    bool watched;                   // tell of each depth, on stderr
    bool (*stopped)(void *context); // asked often, from any thread; true ends it
};

// Makes the table, or tells of it. `program` begins what is complained of.
enum exit_status make_table(const char *program, const struct request *request);

#endif
