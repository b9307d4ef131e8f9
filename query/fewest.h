// fewest.h: how few moves lead from here to there?
//
// This header, with the errors in fewest_error.h, is the whole public interface. A program opens a
// distance table that fewest-gen wrote and asks it queries. The `fewest` command uses nothing else.
//
//     struct fewest *table = fewest_open("game.dtab", &error);
//     if (!table ||
//         !fewest_read_query(table, text, length, start, target, &error) ||
//         !fewest_steps(table, start, target, &steps, &error)) {
//         fprintf(stderr, "%s\n", error.text);
//     }
//     fewest_close(table);
//
// `cc program.c $(pkg-config --cflags --libs fewest)` builds such a program. To link it statically,
// add -static, and --static to pkg-config.
//
// States. A state is a row of info->cell_count bytes (fewest_info): its cells in reading order. A
// cell holds a piece or an orientation, both counted from 0. The text form counts pieces from 1,
// but a blank is 0 in both. A target may also hold FEWEST_WILD. For the nearest of the puzzle's
// goals, pass NULL as the target, or a row that begins with FEWEST_GOALS; its other bytes are
// ignored. Many states are a matrix: rows of cell_count bytes, one after the other. A function that
// fills in a row needs room for cell_count bytes; FEWEST_CELLS_MOST are enough for every puzzle.
//
// Validation. Every function validates the rows that it gets. If one is bad, it fails with
// FEWEST_BAD_INPUT, and the error names the cell and, in a matrix, the row. Orientations that the
// puzzle ignores count as 0, whatever a row holds.
//
// Errors. A function that can fail returns true on success, and false or NULL on failure; a
// function for many queries returns how many it has answered. Its last argument is the error, which
// must not be NULL. After a failure it holds a status for programs and a sentence for people; after
// a success its content is unspecified, and so are the results after a failure. Any of these
// functions can fail with FEWEST_SYSTEM: for lack of memory, or because the system can't read the
// file. "The target can't be reached" is an answer, not an error.
//
// Text. A `const char *` without a length ends in a NUL. Text with a length needs none. Strings
// and rows that a function returns belong to the table, and are valid until it is closed.
//
// Threads. All functions may run in several threads on one table, except fewest_set_options,
// fewest_check and fewest_close: while one of them runs, no other call may use the table. The
// library has no global state.
//
// Trust. No bytes of a file, damaged or forged, make these functions crash, read out of bounds or
// loop without end. They limit the memory that a file can ask for: at most about a thousand times
// its size, and the option `cache` lowers that. Damage is an error when a function meets it. In a
// forged table, whose checksums fit, distances can be wrong; fewest_check with `deep` finds them.
//
// Layout. Within one major version, the structs and enums here keep their sizes, the order of their
// members and their numbers, on one platform. So programs in other languages may rely on them. Only
// struct fewest_info, which the library makes, may get new members at its end: a program reads them
// if fewest_version is that of its header or later.
//
// Words. A table counts distances from one state, the root. Its entries stand in sections, which
// are divided into compressed, checksummed blocks (FORMAT.md). A searched puzzle has too many
// states for that: its table holds pattern databases, and an optimal search (IDA*) answers each
// query.
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
    FEWEST_CELLS_MOST = 8192, // the most cells of a state
    FEWEST_PATH_MOST = 256,   // room for the moves of a path
    FEWEST_WILD = 0xFF,       // a wildcard: this cell of a target may hold anything
    FEWEST_GOALS = 0xFE,      // the first byte of a row that stands for the nearest goal
    FEWEST_UNREACHABLE = -1,  // the number of moves if no moves lead there
    FEWEST_ANY = -2,          // stands for any number of moves
    FEWEST_TEXT_SIZE = 32776, // bytes of a state as text, with the closing NUL
};

// The version of the linked library, in the form of FEWEST_VERSION.
const char *fewest_version(void);

// ---- Tables -------------------------------------------------------------------------------------

struct fewest; // an open table

// Opens the table file at `path`, and validates its header. The caller closes it. Returns NULL with
// FEWEST_MISSING, FEWEST_DAMAGED or FEWEST_SYSTEM. The sections of wildcard targets are validated
// later: by the first query with a wildcard, or by fewest_check.
//
// The file is mapped until fewest_close. Its blocks are read where they lie, and compressed ones
// are unpacked when queries need them. It is safe to rename another file over this one: an open
// table keeps using the old file. If another program writes into the file, answers may be wrong. If
// it shortens the file, reading raises SIGBUS, which ends the program. A handler can't go on: it
// may only write a message and call _exit, because the thread may hold locks of the library. To
// survive, read the file into memory and call fewest_open_buffer.
struct fewest *fewest_open(const char *path, struct fewest_error *error);

// Opens the table of the puzzle `name`: the first file NAME.dtab in these folders.
//   1. `folder`, if it is neither NULL nor empty
//   2. the folder that the environment variable FEWEST_TABLES names
//   3. ../tables and ../share/fewest, from the folder of the running program
//   4. the data folder of the installation
// Returns NULL as fewest_open does, with FEWEST_FOREIGN if the file holds the table of another
// puzzle, or with FEWEST_BAD_INPUT if the name is empty or has a slash.
struct fewest *fewest_open_named(const char *name, const char *folder, struct fewest_error *error);

// Opens a table of `length` bytes in memory. They must stay there, unchanged, until the caller
// closes the table. Returns NULL with FEWEST_DAMAGED or FEWEST_SYSTEM.
struct fewest *fewest_open_buffer(const void *bytes, size_t length, struct fewest_error *error);

// Closes a table and frees its memory. NULL is allowed.
void fewest_close(struct fewest *table);

// Calls visit(context, path) for each table file in the folders that fewest_open_named searches, in
// their order, and in byte order within a folder. Skips folders that can't be read, and files whose
// name an earlier folder has. `path` is valid during the call.
void fewest_each_table(const char *folder, void (*visit)(void *context, const char *path),
                       void *context);

// ---- The puzzle of a table ----------------------------------------------------------------------

// A cell of every state.
struct fewest_cell {
    const char *set;     // the name of its set
    const char *letters; // that may be typed: one for each value, in their order or, with `Track`,
                         // for each piece; "" if numbers are typed
    unsigned values;     // a cell holds 0 to values - 1
    bool is_orientation; // else a piece
    // For each value of a piece: does the definition forbid it in this cell (`Illegal`)? NULL if no
    // value is forbidden here.
    const bool *illegal;
};

struct fewest_info {
    const char *name;       // of the puzzle
    const char *definition; // the text that the table was made from
    // How many states can be reached: "181440". If is_uncounted, "at most ..." (some are illegal),
    // "at least ..." (they take too long to count) or "unknown" (both).
    const char *states_text;
    const struct fewest_cell *cells; // cell_count of them
    const uint8_t *goals;            // goal_count rows; the first is the solved state
    // For each of the database_count `Database` lines, a text if it shares a pattern database:
    // "database 2 is database 1 under a symmetry and is stored once, as pieces-1". Else NULL.
    const char *const *sharing;
    // The row that fewest_visit and fewest_count take as the start for NULL; NULL if they then
    // count distances to the goals.
    const uint8_t *default_start;
    // The board on which a state is drawn: for each place, in reading order and layer by layer, the
    // number of its cell, or -1 for a hole. NULL if the definition names no board.
    const int *board;
    uint64_t file_bytes;
    // How many states can be reached from the goals. If some states are illegal and some move has
    // no inverse, how many can reach the solved state. 0 if that exceeds 63 bits, or if
    // is_uncounted.
    uint64_t state_count;
    // The number of all arrangements of cells, reachable or not; 0 if it exceeds 64 bits. Each of
    // them can be typed as a state.
    uint64_t arrangement_count;
    unsigned cell_count;     // 1 to FEWEST_CELLS_MOST
    unsigned move_count;     // at least 1
    unsigned goal_count;     // at least 1
    unsigned database_count; // the `Database` lines of the definition
    unsigned board_size[3];  // rows, columns and layers; 0 if there is no board
    bool has_blank;          // a sliding board or rolling cubes: the piece 0 is the blank
    bool is_searched;        // a search answers, with pattern databases
    // A search answers, and nobody has counted the states: the definition forbids some (`Illegal`),
    // or they take too long to count. Only a search tells whether a state can be reached.
    bool is_uncounted;
    bool joins_moves; // fewest_read_moves needs no spaces between names of moves
};

// What there is to know about an open table. It belongs to the table.
const struct fewest_info *fewest_info(const struct fewest *table);

// The name of a move, 0 to info->move_count - 1; NULL for any other number. Moves are sorted by
// name, in byte order.
const char *fewest_move_name(const struct fewest *table, unsigned move);

// A move of a permutation puzzle changes a state in three steps:
//
//   1. Cell i takes the value that cell from[i] had.
//   2. If cell i is an orientation, add[i] is added, modulo its number of values.
//   3. An orientation that does not count becomes 0.
//
// Both lists have info->cell_count numbers, and belong to the table.
struct fewest_rule {
    const uint16_t *from;
    const uint8_t *add;
};

// Fills in the rule of a move. Returns false with FEWEST_BEYOND for a sliding board and for rolling
// cubes, whose moves depend on the blank, and with FEWEST_BAD_INPUT if there is no such move.
bool fewest_move_rule(const struct fewest *table, unsigned move, struct fewest_rule *rule,
                      struct fewest_error *error);

// ---- Options ------------------------------------------------------------------------------------

// How far long work is. Queries set `bound` and what follows it; other work sets `what`, `done` and
// `all`.
struct fewest_progress {
    const char *what; // "rule 2 of section states"; NULL in a query
    uint64_t done;    // of `all` steps
    uint64_t all;     // at least 1
    int bound;        // a search looks for paths of so many moves; 0: the query looks at states
    uint64_t nodes;   // that the search has generated for this bound
    double share;     // of this bound's tree, searched so far: 0 to 1; 0: unknown
    double forecast;  // expected nodes of this bound, from the bounds before; 0: unknown
};

// Is called by long work. If it returns false, the work fails with FEWEST_STOPPED. No call of the
// library runs its watcher twice at once; with one thread, the watcher runs in the caller's. A
// query that takes long calls it about twenty times a second, and when it raises its bound; other
// work calls it now and then.
typedef bool fewest_watcher(void *context, const struct fewest_progress *progress);

// Zeros stand for the defaults.
struct fewest_options {
    // Bytes for unpacked blocks in each section, but at least 16 blocks (default 64 MiB). Pattern
    // databases are kept whole once they are used.
    uint64_t cache;
    fewest_watcher *watch; // or NULL
    void *watch_context;
    unsigned threads; // of a long search, and of work on all states: at most 64 (default 1)
    unsigned limit;   // of moves: a query with a larger distance fails with FEWEST_LIMITED, and a
                      // search gives up early (default: none)
    double seconds;   // a search that takes longer gives up with FEWEST_LIMITED (default: none)
};

// Copies the options, in place of those before. NULL stands for the defaults. The answers do not
// depend on `cache` and `threads`. A new `cache` drops all blocks that are unpacked. Returns false
// with FEWEST_SYSTEM; the options before then stay.
bool fewest_set_options(struct fewest *table, const struct fewest_options *options,
                        struct fewest_error *error);

// ---- States -------------------------------------------------------------------------------------

// Reads a START, or a START and a TARGET, from `length` bytes of text, and tells them apart by the
// number of cells. Without a TARGET, target[0] becomes FEWEST_GOALS. Spaces, commas, slashes,
// semicolons, brackets and line ends separate cells. They are optional if each cell is one
// character. A word that begins with # begins a comment, which ends with the line. If
// info->board_size is how a state is typed, a first line may give it: "3" or "3 3". It is the size
// only if the number of cells is wrong with it. A blank is 0, x, X, _ or a dot. With `Track`, a dot
// is a piece that it does not name. A sign that is a letter of the puzzle is only that letter.
// Returns false with FEWEST_BAD_INPUT.
bool fewest_read_query(const struct fewest *table, const char *text, size_t length, uint8_t *start,
                       uint8_t *target, struct fewest_error *error);

// Reads one state without wildcards, or one target, which may have some, from such a text. `what`
// is its name in messages, in printable ASCII, such as "START". Returns false with
// FEWEST_BAD_INPUT.
bool fewest_read_state(const struct fewest *table, const char *what, const char *text,
                       size_t length, uint8_t *state, struct fewest_error *error);
bool fewest_read_target(const struct fewest *table, const char *what, const char *text,
                        size_t length, uint8_t *target, struct fewest_error *error);

// Applies moves such as "R U R'" to the state `from`, and fills in `state`. `from` may be `state`
// itself; NULL stands for the solved state. Spaces or commas separate moves; they are optional if
// info->joins_moves. A move is one of the puzzle's, any power of a move (R2, R3'), or a rotation or
// alias of the definition. Groups may be repeated and inverted: (R U)3, (R U)'. [R, U] is R U R'
// U', and [R: U] is R U R'. Comments begin with // or #. A line may end with the number of its
// moves, as solvers print it: (21f). The text may also be one scramble of twsearch: ScrambleAlg
// with moves, or Scramble, ScrambleState, StartState or CPOS with a state, which does not depend on
// `from`. If `from` is NULL, rotations only change how the puzzle is held, and the state is what
// one sees in the end ("Rotations" in DEFINITION.md tells the exceptions). Returns false with
// FEWEST_BAD_INPUT if there is no such move, if a word can be read in two ways, or if a move is not
// possible: a slide has no cell to go to, or the definition forbids the state. For rolling cubes,
// only an empty text or a state is allowed.
bool fewest_read_moves(const struct fewest *table, const uint8_t *from, const char *text,
                       size_t length, uint8_t *state, struct fewest_error *error);

// Validates a state without wildcards, or a target, as every function here does: each value is
// possible, and no piece appears too often. Sets orientations that the puzzle ignores to 0. Returns
// false with FEWEST_BAD_INPUT.
bool fewest_check_state(const struct fewest *table, const char *what, uint8_t *state,
                        struct fewest_error *error);
bool fewest_check_target(const struct fewest *table, const char *what, uint8_t *target,
                         struct fewest_error *error);

// Writes a state or a target as text that fewest_read_target reads. With `Track`, a dot stands for
// each piece that it does not name, unless the puzzle has the letter. Returns `text`, or NULL with
// FEWEST_BAD_INPUT.
char *fewest_write_state(const struct fewest *table, const uint8_t *state,
                         char text[FEWEST_TEXT_SIZE], struct fewest_error *error);

// Applies a move to `from`, and fills in `to`, which may be `from` itself. Returns false with
// FEWEST_BEYOND if the move can't be made in this state. That is always so for rolling cubes: a
// state shows their tops, which do not determine the next tops.
bool fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to,
                  struct fewest_error *error);

// Applies the first `count` moves of a path from `start`, and fills in `state`, which may be
// `start` itself. For rolling cubes, a query must have found the path: only so are the hidden faces
// of its start known. Returns false with FEWEST_BEYOND if a query can't have this start, and with
// FEWEST_BAD_INPUT if a move can't be made.
bool fewest_follow(const struct fewest *table, const uint8_t *start, const unsigned *moves,
                   unsigned count, uint8_t *state, struct fewest_error *error);

// Fills in the number of a state among all arrangements, reachable or not: 0 to
// info->arrangement_count - 1. DEFINITION.md describes the order. Returns false with FEWEST_BEYOND
// if info->arrangement_count is 0.
bool fewest_rank(const struct fewest *table, const uint8_t *state, uint64_t *number,
                 struct fewest_error *error);

// Fills in the state with this number. Returns false with FEWEST_BAD_INPUT if there is none, and
// with FEWEST_BEYOND if info->arrangement_count is 0.
bool fewest_unrank(const struct fewest *table, uint64_t number, uint8_t *state,
                   struct fewest_error *error);

// Fills in a random arrangement, reachable or not. All arrangements are equally likely.
// below(context, bound) draws a number from 0 to bound - 1.
typedef uint64_t fewest_random_below(void *context, uint64_t bound);
void fewest_draw(const struct fewest *table, fewest_random_below *below, void *context,
                 uint8_t *state);

// ---- Queries ------------------------------------------------------------------------------------
// Rough times on one core. The first query that needs a block also unpacks it: about 10 us more.
//
//     0.1 to 1 ms   fewest_open: it compiles the definition; seconds if that is hostile
//     0.1 us        a distance that the table holds, also that of a wildcard target with an entry;
//                   1 us in a table that exceeds the processor's cache
//     10 us         a wildcard target without an entry; with many matches, 30 ns for each
//     0.1 to 10 ms  a search from both sides, in puzzles of 10^4 to 10^7 states
//     10 ms         a searched puzzle: the 15-puzzle; others can take hours
//     1 us          parity of a sliding board; of other puzzles as long as the distance
//     1 to 10 us    a path; without a look-up, a few times as long as the distance
//     0.1 us        each state of fewest_visit
//
// Each function fails with FEWEST_BEYOND if the table can't answer for these states or if too many
// states match the target, with FEWEST_DAMAGED if a block is damaged, and as the options say with
// FEWEST_LIMITED and FEWEST_STOPPED.
//
// If pieces look alike, orientations do not count or the definition forbids some states, a table
// holds only the distances to the solved state or, with several goals, to the nearest. For other
// queries a search begins at START and TARGET, which can take seconds and up to 120 MB of memory.
// If the puzzle has more than 10,000,000 states, such a query fails with FEWEST_BEYOND.
//
// A searched puzzle answers queries with some targets only:
//   - without wildcards;
//   - on a sliding board, with the blank where the goal has it, or where a symmetry of the board
//     takes it: on the 15-puzzle, in a corner;
//   - if pieces look alike or orientations do not count, only the solved state.
// On the 15-puzzle, a query takes milliseconds, and the hardest take seconds. On other searched
// puzzles, it can take far longer.

// Fills in the least number of moves from start to target, or FEWEST_UNREACHABLE.
bool fewest_steps(struct fewest *table, const uint8_t *start, const uint8_t *target, int *steps,
                  struct fewest_error *error);

// Does what fewest_steps does for `count` queries, in the caller's thread. It is faster, because
// the look-ups overlap. `starts` and `targets` are matrices of `count` rows; `targets` may be NULL.
// Fills in the steps of one query after the other, and stops at the first that it can't answer.
// Returns the number of queries that it has answered; if that is less than `count`, the error is
// that of the next query. A watcher may read the steps that are filled in already.
size_t fewest_steps_many(struct fewest *table, const uint8_t *starts, const uint8_t *targets,
                         size_t count, int *steps, struct fewest_error *error);

// A path: as many moves as `steps`, as numbers for fewest_move_name; none if FEWEST_UNREACHABLE.
struct fewest_path {
    int steps;
    unsigned moves[FEWEST_PATH_MOST];
};

// Fills in a shortest path. Fails with FEWEST_BEYOND if it has more than FEWEST_PATH_MOST moves. If
// there are several, it is the first in byte order of the names, except
//   - for a searched puzzle and for rolling cubes;
//   - from the solved state, if pieces look alike, orientations do not count or the definition
//     forbids some states.
bool fewest_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                 struct fewest_path *path, struct fewest_error *error);

// The same for `count` queries, as in fewest_steps_many.
size_t fewest_path_many(struct fewest *table, const uint8_t *starts, const uint8_t *targets,
                        size_t count, struct fewest_path *paths, struct fewest_error *error);

// What fewest_each_path needs to know of the paths that it shall visit.
struct fewest_paths {
    const uint8_t *start;
    const uint8_t *target; // NULL: the nearest goal
    unsigned more;         // visit paths of up to this number of moves above the least
};

// Calls visit(context, moves, count) for each shortest path, in byte order of the names of its
// moves, in the caller's thread. Two sequences are two paths, even if they lead through the same
// states. If `more` is above 0, it also visits longer paths that end at the first target that they
// reach and come to no state twice; for rolling cubes, to no state in which all cubes lie the same
// way. `moves` is valid during the call. If the visitor returns false, the function stops and
// returns true. There is no path if the target can't be reached, and one without moves if START is
// a target. Each state on the way and each of its neighbours takes as long as a distance: on a
// searched board, as long as a search. For other searched puzzles, one search finds all shortest
// paths before the first visit; if `more` is above 0, each neighbour takes a search. Leaves out
// paths of more moves than the option `limit`. Fails with FEWEST_BEYOND if a path may have more
// than FEWEST_PATH_MOST moves, and if the paths of rolling cubes or of that one search lead through
// more than 10,000,000 states.
typedef bool fewest_path_visitor(void *context, const unsigned *moves, unsigned count);
bool fewest_each_path(struct fewest *table, const struct fewest_paths *paths,
                      fewest_path_visitor *visit, void *context, struct fewest_error *error);

struct fewest_wide {
    uint64_t high;
    uint64_t low; // the number is high × 2^64 + low
};

struct fewest_path_count {
    int steps;                // the least number of moves, or FEWEST_UNREACHABLE
    struct fewest_wide paths; // the number of paths with that number of moves; 0 if unreachable
};

// Counts the shortest paths, as fewest_each_path would visit them, without a visit to each: it goes
// through all states that lie on one of them, layer by layer. Fails with FEWEST_BEYOND if there are
// 2^128 paths or more, and if more than 10,000,000 of these states are equally far from the target.
bool fewest_count_paths(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        struct fewest_path_count *count, struct fewest_error *error);

// Writes the number in decimal digits. Returns `text`.
enum { FEWEST_WIDE_SIZE = 48 };
char *fewest_write_wide(struct fewest_wide number, char text[FEWEST_WIDE_SIZE]);

// Fills in a shortest path from the solved state to `state`. If the table does not answer this
// query and every move has an inverse, it inverts a shortest path from `state` to the solved state.
bool fewest_scramble(struct fewest *table, const uint8_t *state, struct fewest_path *path,
                     struct fewest_error *error);

struct fewest_parity {
    bool reachable;                 // can the target be reached at all?
    char reason[FEWEST_ERROR_SIZE]; // why it can or can't, in a short text
};

// Fills in whether a target can be reached. It searches if nothing else tells.
bool fewest_parity(struct fewest *table, const uint8_t *start, const uint8_t *target,
                   struct fewest_parity *parity, struct fewest_error *error);

// A query about a sliding board of at most FEWEST_CELLS_MOST cells, which needs no table.
struct fewest_grid_query {
    const char *grid;  // "4x4", ROWSxCOLUMNS, or "3x3x3", ROWSxCOLUMNSxLAYERS
    const char *start; // its text, the top layer first; or START and TARGET
    size_t start_length;
    const char *target; // or NULL if `start` has it; else the tiles in order and the blank last
    size_t target_length;
};

// Returns false with FEWEST_BAD_INPUT.
bool fewest_grid_parity(const struct fewest_grid_query *query, struct fewest_parity *parity,
                        struct fewest_error *error);

// ---- The whole table ----------------------------------------------------------------------------
// These need a table of all distances: for a searched puzzle, all but fewest_check and
// fewest_visit_arrangements fail with FEWEST_BEYOND.

// Selects states among all that can be reached. NULL in its place selects all; {.distance = 0}
// selects those at distance 0.
struct fewest_selection {
    // Distances are from here. NULL: from info->default_start or, without that, to the nearest
    // goal.
    const uint8_t *start;
    const uint8_t *matching; // only the states that match this target; NULL: all
    int distance;            // only the states at this distance; FEWEST_ANY: at any
};

// Calls visit(context, state, distance) for every selected state, with its distance, in the
// caller's thread. Each state comes once, in an order of the table's own. `state` is valid during
// the call. The visitor may use the table. If it returns false, the function stops and returns
// true. With `matching`, it looks only at the arrangements that match, unless there are more of
// them than states. With one goal, it takes a few nanoseconds to skip a state at another distance.
// Fails with FEWEST_BEYOND if the table can't count from `start`.
typedef bool fewest_visitor(void *context, const uint8_t *state, int distance);
bool fewest_visit(struct fewest *table, const struct fewest_selection *selection,
                  fewest_visitor *visit, void *context, struct fewest_error *error);

struct fewest_stats {
    uint64_t states;     // the sum of the counts
    uint64_t count[256]; // states at each distance from 0 to largest; 0 above
    double mean;         // distance of a selected state; 0 without one
    unsigned largest;    // distance of a selected state: of all states, it is God's number
};

// Counts the selected states at each distance. For all states, the header of the table has these
// numbers, unless there are several goals and all pieces differ: then this looks up every state, in
// the threads of the options, up to a microsecond for each. Returns false with FEWEST_BEYOND if
// states × goals would exceed 2^26, or if the table can't count from the start.
bool fewest_count(struct fewest *table, const struct fewest_selection *selection,
                  struct fewest_stats *stats, struct fewest_error *error);

// Fills in state `number` of those that fewest_visit visits for NULL, in its order: 0 to
// info->state_count - 1. Returns false with FEWEST_BAD_INPUT if there is none.
bool fewest_pick(struct fewest *table, uint64_t number, uint8_t *state, struct fewest_error *error);

struct fewest_classes {
    unsigned symmetries;      // the order of the puzzle's symmetry group
    bool counts_inverses;     // are there counts up to inversion?
    uint64_t symmetric[256];  // classes of states at each distance, under the symmetries
    uint64_t or_inverse[256]; // and under the symmetries and inversion
};

// Counts the classes of states at each distance from the solved state. A symmetry permutes the
// places of the pieces, turns each move into a move and keeps the solved state. Two states are in
// one class if a symmetry takes one to the other or, for or_inverse, to its inverse. There are
// counts for this if all pieces differ, all orientations count and the inverse of every move is a
// move, but not for boards with a blank. The function looks at every state, in the threads of the
// options: up to a microsecond for each, and some nanoseconds for each conjugacy class of its
// symmetries. Returns false with FEWEST_BEYOND if the puzzle has several goals, rolling cubes, more
// than 256 orientations of pieces, or more than 65,536 symmetries.
bool fewest_count_classes(struct fewest *table, struct fewest_classes *classes,
                          struct fewest_error *error);

struct fewest_positions {
    uint64_t positions;    // the sum of the counts
    uint64_t count[256];   // positions at each distance from 0 to largest; 0 above
    uint64_t classes[256]; // of these, under the symmetries
    double mean;           // distance of a position
    unsigned largest;      // distance of a position
    unsigned rotations;    // of the whole puzzle; 1: each position is one state
    unsigned symmetries;
    uint8_t farthest[FEWEST_CELLS_MOST]; // a state whose position is at the largest distance
};

// Counts the positions at each distance: states that differ only by a rotation of the whole puzzle
// are one position. A rotation of the whole is a state that moves can make of the solved state. If
// `Rotation` lines of the definition declare such states, these and their products are the
// rotations. Otherwise, the symmetries of the moves (as above) that are such states are the
// rotations. The distance of a position is the
// least of its states, so it is the one to the nearest turned solved state. Two positions are in
// one class if a symmetry takes one to the other. The function looks up every state, in the threads
// of the options: up to a microsecond for each. Returns false with FEWEST_BEYOND
//   - for a board, and if pieces look alike, orientations do not count or states are illegal;
//   - if the puzzle has several goals, more than 256 orientations of pieces, or more than 65,536
//     symmetries;
//   - if a declared rotation takes some move to none, and some move can't be undone;
//   - above 2^29 states, or if the unpacked blocks of the table exceed the option `cache`.
// fewest_gen_count (fewest_gen.h) counts positions without a table.
bool fewest_count_positions(struct fewest *table, struct fewest_positions *positions,
                            struct fewest_error *error);

// The numbers of shortest paths from all states at one distance to the nearest goal, or from
// info->default_start to them.
struct fewest_layer {
    unsigned distance;
    uint64_t states;
    double mean;                // number of paths of a state
    struct fewest_wide largest; // number of paths of a state
    const uint8_t *state;       // that has the largest number
};

// Counts the shortest paths of all states, as fewest_count_paths does for each, and calls
// visit(context, layer) for each distance from 0 on, in the caller's thread. `layer` is valid
// during the call. If the visitor returns false, the function stops and returns true. It works in
// the threads of the options, up to a microsecond for each state, and takes 9 bytes for each; 17 if
// there are numbers of 2^64 or more, and as much again for the goals of a board that have the blank
// elsewhere. For rolling cubes, it takes as much for each way that the cubes can lie. Fails with
// FEWEST_BEYOND above 100,000,000 states, and if a state has 2^128 paths or more.
typedef bool fewest_layer_visitor(void *context, const struct fewest_layer *layer);
bool fewest_count_all_paths(struct fewest *table, fewest_layer_visitor *visit, void *context,
                            struct fewest_error *error);

// Calls visit(context, state) for every arrangement that matches a target, reachable or not, in the
// order of fewest_rank. NULL stands for all. If `visit` returns false, the function stops and
// returns true.
typedef bool fewest_arrangement_visitor(void *context, const uint8_t *state);
bool fewest_visit_arrangements(struct fewest *table, const uint8_t *matching,
                               fewest_arrangement_visitor *visit, void *context,
                               struct fewest_error *error);

// Checks every block against its checksum and against the counts of the header. With `deep`, also
// proves every distance from the moves alone:
//   - the root and no other state has distance 0;
//   - no move increases the distance by more than one;
//   - every other reachable state has a neighbour that is one nearer;
//   - a wildcard target is as near as the nearest state that matches it.
// For a searched puzzle, it proves every lower bound; for one of a sliding board, that takes a byte
// of memory for each cell of the board. The check works in the threads of the options. Calls
// report(context, finding) in the caller's thread for the first findings of each rule. A finding
// names the rule that is broken and is valid during the call; the findings do not depend on the
// threads. `report` may be NULL. Returns false with FEWEST_DAMAGED if there is a finding, the first
// being the error's text, and with FEWEST_SYSTEM if the check could not finish.
bool fewest_check(struct fewest *table, bool deep,
                  void (*report)(void *context, const char *finding), void *context,
                  struct fewest_error *error);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
