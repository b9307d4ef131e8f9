// The choices that the command line makes for one run of the generator.
#ifndef FEWEST_GEN_COMMAND_COMMAND_H
#define FEWEST_GEN_COMMAND_COMMAND_H

#include "tables/puzzle/puzzle.h"

#define PROGRAM "fewest-gen" // begins each error message

// A line that an option adds to the definition.
struct added_line {
    enum added_keyword { ADDED_TRACK, ADDED_DATABASE, ADDED_GENERATORS } keyword;
    const char *words; // what follows the keyword: pieces or moves
};

struct make_request {
    char *const *command; // the program and its arguments, up to NULL, to tell how to go on
    const char *definition;
    const char *goal;   // the file of a target pattern, or NULL
    const char *output; // or NULL for NAME.dtab
    const char *name;   // of the puzzle, or NULL
    bool force;         // replace another puzzle's table, or a file that is not a table
    struct added_line lines[DATABASES_MOST + 1];
    unsigned line_count;
    const char *checkpoint;  // or NULL
    uint64_t memory;         // limit in bytes, or 0 for what is available
    const char *memory_text; // the limit as it was typed, or NULL
    bool dry_run;            // print the costs, do nothing
    unsigned ranks;          // to plan for in a dry run, or 0 for those that there are
    bool suggest;            // propose pattern databases, make no table
    bool count;              // count the states, make no table
    bool rotations;          // and count positions
    bool no_symmetry;        // search all states
    bool verify;             // count twice
    unsigned depth;          // count only up to this distance, or 0
    bool json;               // print the counts as JSON
    bool tsv;                // or as tab-separated values
    enum metric metric;
    unsigned threads;
    bool watched;          // print progress on stderr
    const char *log;       // append progress to this file, or NULL
    bool (*stopped)(void); // true stops the run
};

#endif
