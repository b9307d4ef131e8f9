// fewest.h: how few moves lead from here to there?
//
// This header is the whole public interface. A program opens a distance table that fewest-gen wrote and asks it
// queries; the `fewest` command itself uses nothing else.
//
//     struct fewest *table = fewest_open("game.dtab", &error);
//     if (!table ||
//         !fewest_read_query(table, text, length, &query, &error) ||
//         !fewest_steps(table, &query, &steps, &error)) {
//         fprintf(stderr, "%s\n", error.text);
//     }
//     fewest_close(table);
//
// `cc program.c $(pkg-config --cflags --libs fewest)` builds such a program.
//
// Errors. A function that can fail returns true on success, and false (or NULL) on failure. The last argument is the
// error, which must not be NULL: after a failure it holds a status for programs and a sentence for people. After a
// success its content means nothing. "The target can't be reached" is an answer, not an error. FEWEST_SYSTEM, for lack
// of memory, is possible wherever a function can fail.
//
// Threads. Any number of threads may query one open table at the same time. fewest_set_cache, fewest_watch,
// fewest_check and fewest_close need the table for themselves. The library has no global state.
//
// Trust. No bytes of a file, damaged or forged, make these functions crash, read out of bounds or loop without end. A
// table takes no more memory than the size of its file explains: at most 16 KiB for each 20 bytes of its index, and for
// unpacked blocks no more than fewest_set_cache allows. Damage is always an error. A forged table, with checksums that
// fit, can hold wrong distances; fewest_check with `deep` finds them.
//
// Layout. The sizes, the order of the members and the numbers of the structs and enums here stay as they are for all
// versions of one major number. Programs in other languages may rely on them. All integers have the native byte order.
#ifndef FEWEST_H
#define FEWEST_H

#include "fewest_error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FEWEST_VERSION "0.1.0" // of this header

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FEWEST_CELLS_MOST = 256, // the most cells of a state
    FEWEST_PATH_MOST = 256,  // the most moves of a path
    FEWEST_WILD = 0xFF,      // a wildcard: this cell of a target may hold anything
    FEWEST_UNREACHABLE = -1, // the number of moves if no moves lead there
    FEWEST_TEXT_SIZE = 1032, // bytes of a state as text, with the closing NUL
    FEWEST_CACHE = 64 << 20, // bytes: the default of fewest_set_cache
};

// The version of the library that is linked, as FEWEST_VERSION is written.
const char *fewest_version(void);

// ---- Tables -------------------------------------------------------------------------------------------------------

struct fewest; // an open table

// Opens the table file at `path`: maps it and validates its whole header. The caller closes it with fewest_close.
// Returns NULL with FEWEST_MISSING, FEWEST_DAMAGED or FEWEST_SYSTEM.
//
// If another program truncates the file while it is open, reading it raises SIGBUS, as with any mapped file; the
// library sets no signal handler. If you can't rule that out, read the file into memory and use fewest_open_buffer. A
// file that is replaced by another does no harm.
struct fewest *fewest_open(const char *path, struct fewest_error *error);

// Opens the table of the puzzle `name`: the first file NAME.dtab in `folder` (or NULL), in the folder that the
// environment variable FEWEST_TABLES names, in ../tables and ../share/fewest beside the running program, and in the
// installed data folder. Returns NULL as fewest_open does, or with FEWEST_FOREIGN if that file holds another puzzle.
struct fewest *fewest_open_named(const char *name, const char *folder, struct fewest_error *error);

// Opens a table of `length` bytes in memory. The bytes must stay there, unchanged, until the table is closed. Returns
// NULL with FEWEST_DAMAGED or FEWEST_SYSTEM.
struct fewest *fewest_open_buffer(const void *bytes, size_t length, struct fewest_error *error);

// Closes a table and frees what it took. NULL is allowed.
void fewest_close(struct fewest *table);

// Limits the memory for unpacked blocks to about `bytes` for each section of the table. A smaller section is kept
// whole. Pattern databases are always kept whole. Forgets what was unpacked before. False: FEWEST_SYSTEM.
bool fewest_set_cache(struct fewest *table, uint64_t bytes, struct fewest_error *error);

// Calls visit(context, path) for each table file in the folders that fewest_open_named searches, folder by folder, each
// folder in byte order. Passes over a file whose name an earlier folder holds too. `path` is valid during the call.
void fewest_each_table(const char *folder, void (*visit)(void *context, const char *path), void *context);

// ---- The puzzle of a table ------------------------------------------------------------------------------------------
// Strings live as long as the table.

const char *fewest_name(const struct fewest *table);       // the puzzle's name
const char *fewest_definition(const struct fewest *table); // the text that it was generated from
unsigned fewest_cell_count(const struct fewest *table);    // cells of a state, 1 to FEWEST_CELLS_MOST
uint64_t fewest_state_count(const struct fewest *table);   // all arrangements of the cells, reachable or not
unsigned fewest_goal_count(const struct fewest *table);    // goals, at least 1
unsigned fewest_move_count(const struct fewest *table);    // moves, at least 1

// The name of a move, 0 to fewest_move_count() - 1. The moves are sorted by name, in byte order.
const char *fewest_move_name(const struct fewest *table, unsigned move);

// Fills in columns, rows and layers of the board that the cells form in reading order. False if the definition names no
// board.
bool fewest_board(const struct fewest *table, unsigned size[3]);

// Does the puzzle have too many states for a table of all distances? Then its table holds pattern databases, and an
// optimal search (IDA*) answers each query. See the queries below.
bool fewest_is_searched(const struct fewest *table);

// ---- States -------------------------------------------------------------------------------------------------------
// A state is an array of fewest_cell_count() bytes, the cells in reading order. A cell holds a piece, numbered from 0
// (typed from 1; a blank is 0 and typed 0), or an orientation, numbered from 0 and typed so. A target may hold
// FEWEST_WILD. If a program fills in a state itself, it must call fewest_check_state before it asks about it.

struct fewest_query {
    bool has_target;                   // false: the target is the nearest of the puzzle's goals
    uint8_t start[FEWEST_CELLS_MOST];  // no wildcards
    uint8_t target[FEWEST_CELLS_MOST]; // unused without has_target
};

// Reads a START, or a START and a TARGET, from `length` bytes of text, and tells them apart by the number of cells. No
// closing NUL is needed. Spaces, commas, slashes and line ends separate cells; they are optional if each cell is one
// character. False: FEWEST_BAD_INPUT.
bool fewest_read_query(const struct fewest *table, const char *text, size_t length, struct fewest_query *query,
                       struct fewest_error *error);

// Reads one state. Messages call it `what`, such as "START". `wild` allows wildcards. False: FEWEST_BAD_INPUT.
bool fewest_read_state(const struct fewest *table, const char *text, size_t length, const char *what, bool wild,
                       uint8_t *state, struct fewest_error *error);

// Reads one cell of a state, the one at `position` (from 0): exactly one value or, if `wild` allows it, `*`. After the
// last cell, call fewest_check_state. False: FEWEST_BAD_INPUT.
bool fewest_read_cell(const struct fewest *table, unsigned position, const char *text, size_t length, const char *what,
                      bool wild, uint8_t *cell, struct fewest_error *error);

// Is this a state? Each value must be possible and no piece may appear too often. Wildcards need `wild`. Sets
// orientations that do not count to 0. False: FEWEST_BAD_INPUT.
bool fewest_check_state(const struct fewest *table, const char *what, bool wild, uint8_t *state,
                        struct fewest_error *error);

// Applies moves such as "R U R'", separated by spaces or commas, to the state `from` and fills in `state`. `from` has
// no wildcards and may be `state` itself; NULL stands for the solved state. A move is one of the puzzle's, any power of
// a listed move (R2, R3'), or a rotation, alias or sequence of the definition. False: FEWEST_BAD_INPUT, and `state`
// holds nothing of use.
bool fewest_read_moves(const struct fewest *table, const uint8_t *from, const char *text, size_t length, uint8_t *state,
                       struct fewest_error *error);

// Writes a state as text that fewest_read_state reads, with a closing NUL. Returns `text`.
char *fewest_write_state(const struct fewest *table, const uint8_t *state, char text[FEWEST_TEXT_SIZE]);

// Applies one move to `from`, which has no wildcards, and fills in `to`. The arrays must not overlap. False if the move
// can't be made. False for rolling cubes, too: a state shows their tops, which do not determine the next tops.
bool fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to);

// The number of a state without wildcards, 0 to fewest_state_count() - 1. DEFINITION.md describes the order.
uint64_t fewest_rank(const struct fewest *table, const uint8_t *state);

// Fills in the state that has a number. False: FEWEST_BAD_INPUT if none has it.
bool fewest_unrank(const struct fewest *table, uint64_t number, uint8_t *state, struct fewest_error *error);

// ---- Queries ------------------------------------------------------------------------------------------------------
// Each fails with FEWEST_BEYOND if the table can't answer this pair of states or if too many states match the target;
// with FEWEST_DAMAGED if a block is damaged.
//
// A searched puzzle (fewest_is_searched) takes milliseconds for most queries and seconds for the hardest. Its targets
// have no wildcards. The blank of a target must be where the goal has it, or where a symmetry of the board takes it.

// The least number of moves from start to target, or FEWEST_UNREACHABLE.
bool fewest_steps(struct fewest *table, const struct fewest_query *query, int *steps, struct fewest_error *error);

// A shortest path: its length, and its moves as numbers for fewest_move_name. If there are several shortest paths, it
// is the first in byte order of the names; a searched puzzle gives any of them. *steps may be FEWEST_UNREACHABLE.
bool fewest_path(struct fewest *table, const struct fewest_query *query, unsigned moves[FEWEST_PATH_MOST], int *steps,
                 struct fewest_error *error);

// Can the target be reached at all? Fills in the reason, a short text.
bool fewest_parity(struct fewest *table, const struct fewest_query *query, bool *reachable,
                   char reason[FEWEST_ERROR_SIZE], struct fewest_error *error);

// The same for a sliding board of any size up to 2^20 cells, without a table. `grid` is ROWSxCOLUMNS ("4x4") or
// ROWSxCOLUMNSxLAYERS ("3x3x3", the top layer first). If `target` is NULL, `start` holds a START, or a START and a
// TARGET. Without a TARGET, it is the tiles in order and the blank last. False: FEWEST_BAD_INPUT.
bool fewest_grid_parity(const char *grid, const char *start, size_t start_length, const char *target,
                        size_t target_length, bool *reachable, char reason[FEWEST_ERROR_SIZE],
                        struct fewest_error *error);

// During a search, calls watch(context, bound) in the thread that searches: when the search begins to look for paths of
// `bound` moves, and about twenty times a second. If it returns false, the query fails with FEWEST_STOPPED. NULL: no
// watcher.
typedef bool fewest_watcher(void *context, int bound);
void fewest_watch(struct fewest *table, fewest_watcher *watch, void *context);

// ---- The whole table ----------------------------------------------------------------------------------------------

struct fewest_stats {
    uint64_t states;     // fewest_state_count()
    uint64_t reachable;  // states with a distance
    uint64_t count[256]; // states at each distance, 0 to largest
    uint64_t bytes;      // of the table file
    double mean;         // of the distances of reachable states
    unsigned largest;    // distance: God's number, if the start is the solved state
};

// Counts distances to the nearest goal. If `start` is not NULL, it counts distances from that state to all others.
// (Rolling cubes always have a start; NULL stands for fewest_default_start.) The header holds the counts of one goal or
// one start. For several goals, this looks at every state. False: FEWEST_BEYOND, as for a query or if there are several
// goals and more than 2^26 states.
bool fewest_get_stats(struct fewest *table, const uint8_t *start, struct fewest_stats *stats,
                      struct fewest_error *error);

// Calls visit(context, state, distance) for every state in the order of its number, with the distance that
// fewest_get_stats counts or FEWEST_UNREACHABLE, until it returns false. Takes up to a microsecond a state.
typedef bool fewest_visitor(void *context, const uint8_t *state, int distance);
bool fewest_each_state(struct fewest *table, const uint8_t *start, fewest_visitor *visit, void *context,
                       struct fewest_error *error);

// The start that fewest_get_stats uses without one. NULL: it counts distances to the goals.
const uint8_t *fewest_default_start(const struct fewest *table);

// Reads a start for the two functions above. On a board with a blank, a number from 1 to fewest_cell_count() stands for
// the solved state with the blank in that cell. False: FEWEST_BAD_INPUT.
bool fewest_read_start(const struct fewest *table, const char *text, uint8_t *state, struct fewest_error *error);

// Checks every block against its checksum and the counts of the header. With `deep`, also proves every distance from
// the moves alone: the root and no other state has distance 0; no move changes the distance by more than one upwards;
// every other state has a neighbour that is one nearer; a wildcard target is as near as the nearest state that matches
// it. Calls report(context, finding) for each finding, which names the rule that is broken; `report` may be NULL.
// False: FEWEST_DAMAGED if there is a finding, and the error's text is the first; FEWEST_SYSTEM if the check could not
// finish.
bool fewest_check(struct fewest *table, bool deep, void (*report)(void *context, const char *finding), void *context,
                  struct fewest_error *error);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
