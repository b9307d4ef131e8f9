// fewest_gen.h: make the distance table of a puzzle, or count its states.
//
// This header, with the errors in fewest_error.h, is the whole public interface of libfewest-gen. A
// program gives it the text of a definition (DEFINITION.md). It gets a table, in memory or in a
// file, from which fewest.h answers queries; or only the number of states at each distance. The
// fewest-gen command uses the same functions.
//
//     struct fewest_gen_options options = {.threads = 2, .output = "game.dtab"};
//     struct fewest_gen_result result;
//     struct fewest_error error;
//     if (!fewest_gen_make(text, strlen(text), &options, &result, &error)) {
//         fprintf(stderr, "%s\n", error.text);
//     }
//     fewest_gen_free(&result);
//
// `cc program.c $(pkg-config --cflags --libs fewest-gen)` builds such a program; example.c also
// asks the table, with `pkg-config --cflags --libs fewest-gen fewest`. To link it statically, add
// -static, and --static to pkg-config. A program may link one of the two libraries or both.
//
// Errors. They are as in fewest.h: after a failure, the error holds a status for programs and a
// sentence for people. The sentence calls the options by their names in fewest-gen, such as
// --memory for `memory`, and -o or --output for `output`.
//
// Trust. No text of a definition makes these functions crash or loop without end. But a short text
// can define a puzzle of 2^40 states, whose table takes days, and as many bytes of disk: limit the
// memory, and let the watcher limit the time. A checkpoint is checked like a definition.
//
// Threads. Any number of threads may make tables and count at the same time, if no two of them
// write the same file. The library has no global state, prints nothing, changes no signal handler
// and reads one environment variable, TMPDIR.
//
// Layout. Within one major version, the structs and enums here keep their sizes, the order of their
// members and their numbers.
#ifndef FEWEST_GEN_H
#define FEWEST_GEN_H

#include "fewest_error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FEWEST_GEN_VERSION "0.1.0" // of this header

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

// The version of the linked library, in the form of FEWEST_GEN_VERSION.
const char *fewest_gen_version(void);

// ---- Watching a run -----------------------------------------------------------------------------

enum fewest_gen_event {
    FEWEST_GEN_GOING = 0,   // nothing new: the run asks whether to go on
    FEWEST_GEN_PLANNED = 1, // the definition is sound, and the costs are known
    FEWEST_GEN_LAYER = 2,   // a search has completed a layer: all states at one distance
    FEWEST_GEN_PACKED = 3,  // more blocks of the table are compressed and written
    FEWEST_GEN_NOTE = 4,    // a sentence that the author of the definition may want to know
    // A sentence that the user should see: about a danger to the run, such as a disk that may not
    // do, or about moves that do not count because they are taken for rotations.
    FEWEST_GEN_WARNING = 5,
};

struct fewest_gen_traffic; // between the ranks of fewest-gen under mpirun

// One event of a run. Each event fills in its own members; all others are 0. The strings are valid
// during the call.
struct fewest_gen_progress {
    enum fewest_gen_event event;
    // FEWEST_GEN_PLANNED:
    const char *states; // "181440", "at most 720" (with illegal ones), "at least 720" or "unknown"
    uint64_t memory;    // bytes that the run needs at its peak, besides a table in memory
    uint64_t disk;      // bytes that the run needs at most, with the table
    // FEWEST_GEN_LAYER:
    const char *search;                       // what is searched: "root" or "pattern database"
    unsigned number;                          // of the root or database, from 0
    unsigned count;                           // of roots or databases
    unsigned layer;                           // the distance
    uint64_t found;                           // states in this layer
    uint64_t reached;                         // entries that have a distance by now
    uint64_t entries;                         // of the root or database; 0: nobody knows
    const struct fewest_gen_traffic *traffic; // NULL in a program that is not fewest-gen
    // FEWEST_GEN_PACKED:
    uint64_t packed; // of `blocks`
    uint64_t blocks;
    // FEWEST_GEN_NOTE and FEWEST_GEN_WARNING:
    const char *text; // in printable ASCII, without a newline
};

// Called for each event and, while a table is searched and packed, up to twenty times a second.
// It may run in any thread of the run, but never in two at once. If it returns false, the run is
// stopped: the watcher is not called again, and fewest_gen_make or fewest_gen_count soon fails with
// FEWEST_STOPPED. A definition is read, and a table verified, without asking the watcher. So are
// the symmetries found that a count uses.
typedef bool fewest_gen_watcher(void *context, const struct fewest_gen_progress *progress);

// ---- Making a table -----------------------------------------------------------------------------

// The turns that count as one move. If the definition says `Powers none`, this is always
// FEWEST_GEN_LISTED.
enum fewest_gen_metric {
    FEWEST_GEN_POWERS = 0,  // every power of a listed move: for cubes, the half-turn metric
    FEWEST_GEN_QUARTER = 1, // a listed move and its inverse: the quarter-turn metric
    FEWEST_GEN_LISTED = 2,  // only a listed move
};

// With all members 0, these are the defaults.
struct fewest_gen_options {
    const char *output; // path of the table; NULL: the table is made in memory
    bool force;         // replace another puzzle's table, or a file that is not a table
    enum fewest_gen_metric metric;
    unsigned threads; // at most 64; 0: one per processor
    uint64_t memory;  // bytes: fail if the run, or its table, needs more; 0: what is available
    const char *checkpoint; // path of a file that saves the layers, or NULL
    // The folder for temporary files, about a byte for each state. NULL: that of `output` or, in
    // memory, $TMPDIR or /tmp.
    const char *folder;
    fewest_gen_watcher *watch; // or NULL
    void *context;             // of the watcher
    // Only for fewest_gen_count:
    bool rotations;   // count positions: states that differ by a turn of the whole count as one
    bool no_symmetry; // search all states, not one of each class; the states counted are the same
    bool verify;      // count twice, by two numberings, and fail if the counts differ
    unsigned depth;   // count only the states up to this distance; 0: all
};

// The kind of a failure, so that a program can react to it.
enum fewest_gen_fault {
    FEWEST_GEN_OTHER = 0,      // the status tells; also after a success
    FEWEST_GEN_DEFINITION = 1, // the text: error->lines tell where, if it is known
    FEWEST_GEN_SIZE = 2,       // too many states: fewer pieces in `Track`, or `Database`, may help
    FEWEST_GEN_MEMORY = 3,     // the run would need more memory than it may have
};

struct fewest_gen_result {
    uint8_t *bytes; // of a table in memory, for fewest_open_buffer; else NULL
    size_t length;
    bool unchanged; // `output` held the same bytes already: only its time has changed
    enum fewest_gen_fault fault;
};

// Makes the table of a definition, `length` bytes of text. NULL stands for the default options. The
// bytes of the table depend only on the text, the metric and the version of zlib.
//
// A table appears at `output` when it is complete and verified; until then, a table that is there
// stays. A checkpoint is removed then. If the run fails or is stopped, it leaves no memory and no
// file but a checkpoint with at least one layer, and the next run with the same text, metric and
// checkpoint goes on from it. Returns false with:
//   - FEWEST_BAD_INPUT: the text is no definition; `output` holds another puzzle's table or no
//     table, without `force`; the metric is none; two paths name one file
//   - FEWEST_BEYOND: too many states, too large distances, or more than `memory`; or a checkpoint
//     of pattern databases, which can't be saved
//   - FEWEST_DAMAGED: the checkpoint is none; or the table failed its verification
//   - FEWEST_FOREIGN: the checkpoint is another run's
//   - FEWEST_SYSTEM: a file can't be written, or there is not enough memory
//   - FEWEST_STOPPED: the watcher stopped the run
// Then `result` holds only the fault. The caller may call fewest_gen_free in any case.
bool fewest_gen_make(const char *definition, size_t length,
                     const struct fewest_gen_options *options, struct fewest_gen_result *result,
                     struct fewest_error *error);

// Frees the bytes of a table in memory. No open table may use them any more.
void fewest_gen_free(struct fewest_gen_result *result);

// ---- Counting states ----------------------------------------------------------------------------

enum {
    FEWEST_GEN_DISTANCES = 254, // from 0 to 253
    FEWEST_GEN_ANTIPODES = 10,  // the most that are listed
};

// How many states there are at each distance. It is the distance to the solved state or, if there
// are several goals, to the nearest. With the option `rotations`, the states are positions.
//
// Symmetries take states to states at the same distance. States that they take to each other are a
// class. If there is one symmetry, or with `no_symmetry`, each state is a class.
struct fewest_gen_counts {
    uint64_t states[FEWEST_GEN_DISTANCES];  // by distance
    uint64_t classes[FEWEST_GEN_DISTANCES]; // by distance: the classes of these states
    uint64_t total;                         // number of all states
    double mean;                            // the mean distance
    unsigned largest;                       // the largest distance: God's number, if `complete`
    unsigned symmetries;                    // at least 1: the identity
    unsigned rotations; // the number of states of a position; 1 without the option `rotations`
    // States at the largest distance, in the text form of fewest, of different classes. None with
    // the option `depth`.
    char *antipodes[FEWEST_GEN_ANTIPODES];
    unsigned antipode_count;     // at most FEWEST_GEN_ANTIPODES; the others are NULL
    bool complete;               // false if `depth` or `memory` ended the search before its end
    enum fewest_gen_fault fault; // of a failure
};

// Counts the states at each distance, and makes no table. NULL stands for the default options;
// `output`, `force` and `folder` have no effect here.
//
// The count needs two bits of memory for each class of states, and no disk but a byte for each
// class in a `checkpoint`. Puzzles with rolling cubes or `Database` lines can't be counted.
//
// With `depth`, the puzzle may have any size. Then the memory depends on the number of states up to
// that distance. If `memory` does not suffice, the counts end earlier, and are not `complete`.
//
// Returns false as fewest_gen_make does, also with
//   - FEWEST_BEYOND: states of this kind can't be counted, or their rotations can't be found
//   - FEWEST_DAMAGED: `verify` found two different counts
// If the watcher stops the run after the last layer, the counts are `complete` all the same, but
// not verified. The caller calls fewest_gen_free_counts in any case.
bool fewest_gen_count(const char *definition, size_t length,
                      const struct fewest_gen_options *options, struct fewest_gen_counts *counts,
                      struct fewest_error *error);

// Frees the texts of the antipodes.
void fewest_gen_free_counts(struct fewest_gen_counts *counts);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
