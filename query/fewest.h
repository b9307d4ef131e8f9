// fewest.h: how few moves lead from here to there?
//
// This header, with the errors in fewest_error.h, is the whole public interface. A program opens a
// distance table that fewest-gen wrote and asks it queries. The `fewest` command uses nothing else.
//
//     struct fewest *table = fewest_open("game.dtab", &error);
//     if (!table ||
//         !fewest_read_query(table, text, length, &query, &error) ||
//         !fewest_steps(table, &query, &steps, &error)) {
//         fprintf(stderr, "%s\n", error.text);
//     }
//     fewest_close(table);
//
// `cc program.c $(pkg-config --cflags --libs fewest)` builds such a program. To link it statically,
// add -static, and --static to pkg-config.
//
// Errors. A function that can fail returns true on success, and false (or NULL) on failure. Its
// last argument is the error, which must not be NULL. After a failure it holds a status for
// programs and a sentence for people; after a success its content is unspecified, and so are the
// results after a failure. Any of these functions can fail with FEWEST_SYSTEM: for lack of memory,
// or because the system can't read the file. "The target can't be reached" is an answer, not an
// error.
//
// Text. A `const char *` without a length ends in a NUL. Text with a length needs none.
//
// Threads. All functions may run in several threads on one table, except fewest_set_cache,
// fewest_watch, fewest_watch_work, fewest_set_limit, fewest_set_threads, fewest_check and
// fewest_close: while one of them runs, no other call may use the table. The library has no global
// state.
//
// Trust. No bytes of a file, damaged or forged, make these functions crash, read out of bounds or
// loop without end. They limit the memory that a file can ask for: at most about a thousand times
// its size, and fewest_set_cache lowers that. Damage is always an error. A forged table, whose
// checksums fit, can hold wrong distances; fewest_check with `deep` finds them.
//
// Layout. Within one major version, the structs and enums here keep their sizes, the order of their
// members and their numbers. Programs in other languages may rely on them.
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
    FEWEST_PATH_MOST = 256,   // the most moves of a path
    FEWEST_WILD = 0xFF,       // a wildcard: this cell of a target may hold anything
    FEWEST_UNREACHABLE = -1,  // the number of moves if no moves lead there
    FEWEST_ANY = -2,          // stands for any number of moves
    FEWEST_TEXT_SIZE = 32776, // bytes of a state as text, with the closing NUL
    FEWEST_CACHE = 64 << 20,  // bytes: the default of fewest_set_cache
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
// it cuts the file short, reading raises SIGBUS: fewest_is_mapped tells a handler.
// fewest_open_buffer has no such need.
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

// Does this address lie in the file of an open table? A handler of SIGBUS may ask, with si_addr:
// example.c shows one. Signal handlers and any thread may call this at any time.
bool fewest_is_mapped(const void *address);

// Closes a table and frees its memory. NULL is allowed.
void fewest_close(struct fewest *table);

// Limits the memory for unpacked blocks to about `bytes` in each section, but at least 16 blocks.
// Pattern databases are kept whole once they are used. Drops all blocks that are unpacked. Returns
// false with FEWEST_SYSTEM.
bool fewest_set_cache(struct fewest *table, uint64_t bytes, struct fewest_error *error);

// Calls visit(context, path) for each table file in the folders that fewest_open_named searches, in
// their order, and in byte order within a folder. If an earlier folder has a file of the same name,
// the later one is left out, and so is a folder that can't be read. `path` is valid during the
// call.
void fewest_each_table(const char *folder, void (*visit)(void *context, const char *path),
                       void *context);

// ---- The puzzle of a table ----------------------------------------------------------------------
// Strings belong to the table and are valid until it is closed.

const char *fewest_name(const struct fewest *table);       // the puzzle's name
const char *fewest_definition(const struct fewest *table); // the text that the table was made from
unsigned fewest_cell_count(const struct fewest *table);    // of a state: 1 to FEWEST_CELLS_MOST
unsigned fewest_goal_count(const struct fewest *table);    // goals: at least 1
unsigned fewest_move_count(const struct fewest *table);    // moves: at least 1

// The number of states that can be reached: from the solved state or, if there are goals that no
// moves connect with it, from these. Returns 0 if
// the number exceeds 63 bits. If some states are illegal and some moves have no inverse, it counts
// the states that can reach the solved state instead.
// Returns 0, too, if fewest_is_uncounted.
uint64_t fewest_state_count(const struct fewest *table);

// Writes that number and, if it is a product, its factors: "181440 (9!/2)". If
// fewest_is_uncounted, writes "at most" and the number as if all states were legal. Returns
// `text`.
char *fewest_write_state_count(const struct fewest *table, char text[FEWEST_TEXT_SIZE]);

// The number of all arrangements of cells, reachable or not; 0 if it exceeds 64 bits. Each of them
// can be typed as a state.
uint64_t fewest_arrangement_count(const struct fewest *table);

// The name of a move, 0 to fewest_move_count() - 1. Moves are sorted by name, in byte order.
const char *fewest_move_name(const struct fewest *table, unsigned move);

// Fills in the rows, columns and layers of the board on which a state is drawn; a flat board has 1
// layer. Returns false if the definition names no board.
bool fewest_board(const struct fewest *table, unsigned size[3]);

// The cell that is drawn at a place of that board: 0 to rows × columns × layers - 1 in reading
// order. -1 if none is.
int fewest_board_cell(const struct fewest *table, unsigned place);

// The name of the set of the cell at `position`, 0 to fewest_cell_count() - 1. Fills in whether the
// cell holds an orientation.
const char *fewest_cell_set(const struct fewest *table, unsigned position, bool *orientation);

// Returns true if the table holds pattern databases and a search answers its queries.
bool fewest_is_searched(const struct fewest *table);

// The number of `Database` lines in the definition.
unsigned fewest_database_count(const struct fewest *table);

// Writes which pattern database the `Database` line number 0 to fewest_database_count() - 1 shares:
// "database 2 is database 1 under a symmetry and is stored once, as pieces-1". Returns false if the
// line shares none.
bool fewest_write_sharing(const struct fewest *table, unsigned database,
                          char text[FEWEST_ERROR_SIZE]);

// Returns true if a search answers and some states are illegal. Then only the search itself tells
// whether a state can be reached, and nobody has counted these states.
bool fewest_is_uncounted(const struct fewest *table);

// ---- States -------------------------------------------------------------------------------------
// A state is an array of fewest_cell_count() bytes, the cells in reading order. Each cell holds a
// piece or an orientation, both counted from 0. The text form counts pieces from 1, but a blank is
// 0 in both. A target may also hold FEWEST_WILD.
//
// All functions here that fill in a state fill in a valid one. If a program fills in a state
// itself, it must pass it to fewest_check_state first: with an invalid state, the behaviour of the
// other functions is undefined.

// A query has room for the largest puzzle. The library reads and writes only fewest_cell_count()
// bytes of each array, so that a query is cheap if its arrays are not set to zero first.
struct fewest_query {
    bool has_target;                   // false: the target is the nearest of the puzzle's goals
    uint8_t start[FEWEST_CELLS_MOST];  // without wildcards
    uint8_t target[FEWEST_CELLS_MOST]; // if has_target
};

// Reads a START, or a START and a TARGET, from `length` bytes of text, and tells them apart by the
// number of cells. Spaces, commas, slashes and line ends separate cells. They are optional if each
// cell is one character. Returns false with FEWEST_BAD_INPUT.
bool fewest_read_query(const struct fewest *table, const char *text, size_t length,
                       struct fewest_query *query, struct fewest_error *error);

// Reads one state. `what` is its name in messages, in printable ASCII, such as "START". `wild`
// allows wildcards. Returns false with FEWEST_BAD_INPUT.
bool fewest_read_state(const struct fewest *table, const char *text, size_t length,
                       const char *what, bool wild, uint8_t *state, struct fewest_error *error);

// Reads the cell at `position`, 0 to fewest_cell_count() - 1: one value or, if `wild` allows it, *.
// After the last cell, call fewest_check_state. Returns false with FEWEST_BAD_INPUT.
bool fewest_read_cell(const struct fewest *table, unsigned position, const char *text,
                      size_t length, const char *what, bool wild, uint8_t *cell,
                      struct fewest_error *error);

// Checks that each value is possible, that no piece appears too often, and that there are no
// wildcards unless `wild` allows them. If the definition ignores an orientation, sets it to 0.
// Returns false with FEWEST_BAD_INPUT.
bool fewest_check_state(const struct fewest *table, const char *what, bool wild, uint8_t *state,
                        struct fewest_error *error);

// Applies moves such as "R U R'" to the state `from`, which has no wildcards, and fills in `state`.
// `from` may be `state` itself; NULL stands for the solved state. So NULL and an empty text give
// the solved state. Spaces or commas separate moves; they are optional if each name is one letter.
// A move is one of the puzzle's, any power of a move (R2, R3'), or a rotation or alias of the
// definition. Groups may be repeated and inverted: (R U)3, (R U)'. [R, U] is R U R' U', and [R: U]
// is R U R'. Comments begin with // or #. Returns false with FEWEST_BAD_INPUT if there is no such
// move, if a word can be read in two ways, or if a move is not possible: a slide has no cell to go
// to, or a state is illegal; also on boards of rolling cubes, unless the text is empty.
bool fewest_read_moves(const struct fewest *table, const uint8_t *from, const char *text,
                       size_t length, uint8_t *state, struct fewest_error *error);

// Does fewest_read_moves read names of moves that are written without spaces? Else one space must
// stand between two names.
bool fewest_joins_moves(const struct fewest *table);

// Writes a state, with or without wildcards, as text that fewest_read_state reads. Returns `text`.
char *fewest_write_state(const struct fewest *table, const uint8_t *state,
                         char text[FEWEST_TEXT_SIZE]);

// Applies one move to `from`, which has no wildcards, and fills in `to`. The arrays must not
// overlap. Returns false if the move can't be made. Always returns false for rolling cubes:
// a state shows their tops, which do not determine the next tops.
bool fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to);

// Applies the first `count` moves of a path from `start`, which a query has found, and fills in the
// state. For rolling cubes, it knows how the cubes of a path's start lie. Returns false with
// FEWEST_BEYOND if a query can't have this start, and with FEWEST_BAD_INPUT if a move can't be
// made.
bool fewest_follow(const struct fewest *table, const uint8_t *start, const unsigned *moves,
                   unsigned count, uint8_t *state, struct fewest_error *error);

// Fills in the number of a state without wildcards among all arrangements, reachable or not: 0 to
// fewest_arrangement_count() - 1. DEFINITION.md describes the order. Returns false with
// FEWEST_BEYOND if fewest_arrangement_count() is 0.
bool fewest_rank(const struct fewest *table, const uint8_t *state, uint64_t *number,
                 struct fewest_error *error);

// Fills in a random arrangement, reachable or not. All arrangements are equally likely.
// below(context, bound) draws a number from 0 to bound - 1.
typedef uint64_t fewest_draw(void *context, uint64_t bound);
void fewest_draw_arrangement(const struct fewest *table, fewest_draw *below, void *context,
                             uint8_t *state);

// Fills in the state with this number. Returns false with FEWEST_BAD_INPUT if there is none, and
// with FEWEST_BEYOND if fewest_arrangement_count() is 0.
bool fewest_unrank(const struct fewest *table, uint64_t number, uint8_t *state,
                   struct fewest_error *error);

// ---- Queries ------------------------------------------------------------------------------------
// Each function returns false with FEWEST_BEYOND if the table can't answer for these states or if
// too many states match the target, and with FEWEST_DAMAGED if a block is damaged.
//
// If pieces look alike, orientations do not count or states are illegal, a table holds distances to
// the solved state or, with several goals, to the nearest. Other queries need a search from START
// and TARGET, which can take seconds and up to 120 MB of memory. It is refused if the puzzle has
// more than 10,000,000 states.
//
// On the 15-puzzle, a query takes milliseconds, and the hardest take seconds. On other searched
// puzzles, it can take far longer. The target has no wildcards. On a sliding board, it has its
// blank where the goal has it or where a symmetry of the board takes it: on the 15-puzzle, in a
// corner. If pieces look alike or orientations do not count, it is the solved state.

// Fills in the least number of moves from start to target, or FEWEST_UNREACHABLE.
bool fewest_steps(struct fewest *table, const struct fewest_query *query, int *steps,
                  struct fewest_error *error);

// Does what fewest_steps does for `count` queries. It is faster, because the look-ups overlap.
// Stops at a query that it can't answer. Fills in the steps of the queries before it, and returns
// how many these are. If it returns less than `count`, the error is that of the next query. It
// fills in the steps in order: a watcher may read those of all queries before the one that it is
// called for, and no other.
size_t fewest_steps_many(struct fewest *table, const struct fewest_query *queries, size_t count,
                         int *steps, struct fewest_error *error);

// Fills in a shortest path: *steps as above, and the moves as numbers for fewest_move_name. If
// there are several shortest paths, it is the first in byte order of the names. It is any of them
// for a searched puzzle, for rolling cubes and, if pieces look alike, orientations do not count or
// states are illegal, from the solved state.
bool fewest_path(struct fewest *table, const struct fewest_query *query,
                 unsigned moves[FEWEST_PATH_MOST], int *steps, struct fewest_error *error);

// Fills in a shortest sequence of moves that makes a state from the solved state, and *steps as
// above. If the table does not answer this query, and the inverse of every move is a move, the
// sequence is a shortest path from the state to the solved state, undone.
bool fewest_scramble(struct fewest *table, const uint8_t *state, unsigned moves[FEWEST_PATH_MOST],
                     int *steps, struct fewest_error *error);

// Fills in whether the target can be reached at all, and the reason, a short text.
bool fewest_parity(struct fewest *table, const struct fewest_query *query, bool *reachable,
                   char reason[FEWEST_ERROR_SIZE], struct fewest_error *error);

// The same for a sliding board of any size up to 2^20 cells, without a table. `grid` is
// ROWSxCOLUMNS ("4x4") or ROWSxCOLUMNSxLAYERS ("3x3x3"); the top layer comes first in the text. If
// `target` is NULL, `start` holds a START, or a START and a TARGET. Without a TARGET, the target is
// the tiles in order and the blank last. Returns false with FEWEST_BAD_INPUT.
bool fewest_grid_parity(const char *grid, const char *start, size_t start_length,
                        const char *target, size_t target_length, bool *reachable,
                        char reason[FEWEST_ERROR_SIZE], struct fewest_error *error);

// Sets the number of threads that a search or a check of this table may use, at most 64. With 0 or
// 1, it runs only in the caller's thread. A short search always does. The answers do not depend on
// the number.
void fewest_set_threads(struct fewest *table, unsigned threads);

// Sets the watcher of the queries of a table; NULL removes it. A search calls it when it begins to
// look for paths of `bound` moves, and at least twenty times a second. A search in several threads
// calls it in any of them, but never in two at once. A query that looks at many states of a table
// calls it as often, with the bound 0. If the watcher returns false, the query fails with
// FEWEST_STOPPED.
typedef bool fewest_watcher(void *context, int bound);
void fewest_watch(struct fewest *table, fewest_watcher *watch, void *context);

// Limits the answers of fewest_steps and fewest_path: if a distance exceeds `moves`, they fail with
// FEWEST_LIMITED. A search then gives up early. 0 removes the limit.
void fewest_set_limit(struct fewest *table, unsigned moves);

// ---- The whole table ----------------------------------------------------------------------------
// These need a table of all distances: for a searched puzzle, all but fewest_check fail with
// FEWEST_BEYOND.

// Sets the watcher of the functions below; NULL removes it. They call it now and then: `done` of
// `all` steps of `what` are done, such as "rule 2 of section states". A function that works in
// several threads calls it in any of them, but never in two at once. If it returns false, the
// function fails with FEWEST_STOPPED.
typedef bool fewest_work_watcher(void *context, const char *what, uint64_t done, uint64_t all);
void fewest_watch_work(struct fewest *table, fewest_work_watcher *watch, void *context);

struct fewest_stats {
    uint64_t states;     // the sum of the counts
    uint64_t count[256]; // states at each distance from 0 to largest; 0 above
    uint64_t bytes;      // of the table file
    double mean;         // of the distances
    unsigned largest;    // distance: from the solved state, it is God's number
};

// Counts the states at each distance to the nearest goal or, if `start` is not NULL, from that
// state. States that can't be reached do not count. For rolling cubes, NULL stands for
// fewest_default_start. The header has these numbers, unless there are several goals and all pieces
// differ: then this looks up every state, in the threads of fewest_set_threads, up to a microsecond
// for each. Returns false with FEWEST_BEYOND if states × goals would exceed 2^26, or if the table
// can't count from `start`.
bool fewest_get_stats(struct fewest *table, const uint8_t *start, struct fewest_stats *stats,
                      struct fewest_error *error);

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
// move, but not for boards with a blank. The function looks at every state, in the threads of
// fewest_set_threads: up to a microsecond for each, and some nanoseconds for each conjugacy class
// of its symmetries. Returns false with FEWEST_BEYOND if the puzzle has several goals, rolling
// cubes, more than 256 orientations of pieces, or more than 65,536 symmetries.
bool fewest_count_classes(struct fewest *table, struct fewest_classes *classes,
                          struct fewest_error *error);

// Calls visit(context, state, distance) for every state that fewest_get_stats counts, with its
// distance. Each state comes once, in an order of the table's own. `state` is valid during the
// call, which may use the table. If it returns false, the function stops and returns true.
typedef bool fewest_visitor(void *context, const uint8_t *state, int distance);
bool fewest_each_state(struct fewest *table, const uint8_t *start, fewest_visitor *visit,
                       void *context, struct fewest_error *error);

// Selects the states that fewest_each_selected visits.
struct fewest_selection {
    const uint8_t *start;    // distances are from here; NULL: as fewest_each_state counts them
    const uint8_t *matching; // only the states that match this state with wildcards; NULL: all
    int distance;            // only the states at this distance; FEWEST_ANY: at any
};

// Calls visit(context, state, distance) for every selected state, as fewest_each_state does for
// all. With `matching`, it looks only at the arrangements that match, unless there are more of them
// than states. If there is only one goal, a state at another distance takes a few nanoseconds.
bool fewest_each_selected(struct fewest *table, const struct fewest_selection *selection,
                          fewest_visitor *visit, void *context, struct fewest_error *error);

// Counts the selected states at each distance, as fewest_get_stats counts all. If none is selected,
// all counts and the mean are 0.
bool fewest_get_selected_stats(struct fewest *table, const struct fewest_selection *selection,
                               struct fewest_stats *stats, struct fewest_error *error);

// Calls visit(context, state) for every arrangement that matches a state with wildcards, reachable
// or not, in the order of fewest_rank. NULL stands for all. If `visit` returns false, the function
// stops and returns true.
typedef bool fewest_arrangement_visitor(void *context, const uint8_t *state);
bool fewest_each_arrangement(struct fewest *table, const uint8_t *matching,
                             fewest_arrangement_visitor *visit, void *context,
                             struct fewest_error *error);

// Fills in the state that fewest_each_state visits after `number` others if its `start` is NULL: 0
// to fewest_state_count() - 1. Returns false with FEWEST_BAD_INPUT if there is none.
bool fewest_pick_state(struct fewest *table, uint64_t number, uint8_t *state,
                       struct fewest_error *error);

// The start that the functions above use if `start` is NULL; it is valid until the table is
// closed. NULL if they count distances to the goals.
const uint8_t *fewest_default_start(const struct fewest *table);

// Reads a start for them: a state or, on a board with a blank, a number from 1 to
// fewest_cell_count(), which stands for the solved state with its blank in that cell. Returns false
// with FEWEST_BAD_INPUT.
bool fewest_read_start(const struct fewest *table, const char *text, uint8_t *state,
                       struct fewest_error *error);

// Checks every block against its checksum and against the counts of the header. With `deep`, also
// proves every distance from the moves alone:
//   - the root and no other state has distance 0;
//   - no move increases the distance by more than one;
//   - every other reachable state has a neighbour that is one nearer;
//   - a wildcard target is as near as the nearest state that matches it.
// For a searched puzzle, it proves every lower bound, and takes 16 bytes of memory for each. The
// check works in the threads of fewest_set_threads. Calls report(context, finding) in the caller's
// thread for the first findings of each rule. A finding names the rule that is broken and is valid
// during the call; the findings do not depend on the threads. `report` may be NULL. Returns false
// with FEWEST_DAMAGED if there is a finding, the first being the error's text, and with
// FEWEST_SYSTEM if the check could not finish.
bool fewest_check(struct fewest *table, bool deep,
                  void (*report)(void *context, const char *finding), void *context,
                  struct fewest_error *error);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
