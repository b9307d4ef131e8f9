// fewest.h: what is the fewest number of moves from here to there?
//
// This is the whole public interface. A program opens a distance table that fewest-gen wrote and asks it questions; the
// `fewest` command does nothing that it can't do too.
//
//     struct fewest *table = fewest_open("game.dtab", &error);
//     if (!table ||
//         !fewest_read_question(table, text, length, &question, &error) ||
//         !fewest_steps(table, &question, &steps, &error)) {
//         fprintf(stderr, "%s\n", error.text);
//     }
//     fewest_close(table);
//
// `cc program.c $(pkg-config --cflags --libs fewest)` builds such a program.
//
// Errors. A function that can fail returns false (or NULL) and fills the error that it was given, which is never NULL:
// a status for programs and a sentence for people. On success the error is left as it was. That a target can't be
// reached is an answer and no error.
//
// Threads. Any number of threads may ask one open table at the same time: it unpacks its blocks as it is asked, each
// once. Only fewest_set_cache, fewest_watch, fewest_check and fewest_close want it to themselves. There is no global
// state.
//
// Trust. Nothing in a file, damaged or forged, makes these functions crash, read out of bounds, loop without end or
// take more memory than the file's own size explains (a block of at most 16 KiB for each 20 bytes of its index), nor
// more than fewest_set_cache allows for what is unpacked. Damage is always noticed. A forged table, its checksums made
// anew, may lie: fewest_check with `deep` finds it.
#ifndef FEWEST_H
#define FEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

// ---- Sizes and errors ---------------------------------------------------------------------------------------------

enum {
    FEWEST_CELLS_MOST = 256, // of a state
    FEWEST_PATH_MOST = 256,  // moves of a path
    FEWEST_WILD = 0xFF,      // a cell of a target that may hold anything
    FEWEST_UNREACHABLE = -1, // the number of steps where no moves lead there
    FEWEST_TEXT_SIZE = 1032, // of a state as text, the closing NUL included
    FEWEST_ERROR_SIZE = 512,
    FEWEST_CACHE = 64 << 20, // bytes
};

// These numbers stay as they are; later versions may add more.
enum fewest_status {
    FEWEST_OK = 0,
    FEWEST_BAD_INPUT = 1, // a state that can't be understood
    FEWEST_BEYOND = 2,    // a question that the table can't answer, or not within bounds
    FEWEST_MISSING = 3,   // no such table, or it can't be opened
    FEWEST_DAMAGED = 4,   // not a table, a damaged one, or of a version that this program can't read
    FEWEST_FOREIGN = 5,   // the table of another puzzle
    FEWEST_SYSTEM = 6,    // memory, input or output failed
    FEWEST_STOPPED = 7,   // a search that its watcher stopped
    FEWEST_STATUS_COUNT = 8,
};

// What a status means, in a few words. Never NULL.
const char *fewest_status_text(enum fewest_status status);

struct fewest_error {
    enum fewest_status status;
    char text[FEWEST_ERROR_SIZE]; // printable ASCII, without a newline
};

// ---- Tables -------------------------------------------------------------------------------------------------------

struct fewest;

// Opens a table file: maps it and validates its whole header. The caller closes it. NULL on failure: FEWEST_MISSING,
// FEWEST_DAMAGED or FEWEST_SYSTEM.
//
// Another program that cuts the file short while it is open causes SIGBUS, as with any mapped file; the library sets no
// handler. Who can't rule that out reads the file and opens a buffer. A file that is replaced does no harm.
struct fewest *fewest_open(const char *path, struct fewest_error *error);

// The same for a table in memory, which must stay there until it is closed.
struct fewest *fewest_open_buffer(const void *bytes, size_t length, struct fewest_error *error);

// Opens the table of a puzzle: a path, which has a slash or ends in ".dtab", or a name. NAME.dtab is looked for in
// `folder` (or NULL), in $FEWEST_TABLES, in ../tables and ../share/fewest beside the running program, and in the
// installed data folder. A file that is found under a name must be that puzzle's table: else FEWEST_FOREIGN.
struct fewest *fewest_open_puzzle(const char *puzzle, const char *folder, struct fewest_error *error);

// The same for many questions: of a puzzle that is searched, the largest table that is found and whose definition says
// that it is `For` this puzzle. And with the table of a given name, which must be that puzzle's or for it.
struct fewest *fewest_open_strongest(const char *puzzle, const char *folder, struct fewest_error *error);
struct fewest *fewest_open_for(const char *puzzle, const char *with, const char *folder, struct fewest_error *error);

// Bounds the memory for unpacked blocks, to about so many bytes for each section of the table; FEWEST_CACHE without it.
// A section that is smaller is kept whole. What was unpacked before is forgotten.
bool fewest_set_cache(struct fewest *table, uint64_t bytes, struct fewest_error *error);

// Closes a table; NULL is allowed.
void fewest_close(struct fewest *table);

// Calls visit(context, path) for every table file in the folders above, in their order, the files by name; a name that
// an earlier folder holds is passed over. `path` is valid during the call.
void fewest_each_table(const char *folder, void (*visit)(void *context, const char *path), void *context);

// How many distances of a kind a table holds, those of all its roots together.
enum fewest_kind {
    FEWEST_STATES,       // of states or, where a question hides a part of them, of questions
    FEWEST_PATTERNS,     // of targets with wildcards, folded by the symmetries
    FEWEST_WHOLE_STATES, // of which a question hides a part
    FEWEST_ARRANGEMENTS, // of some tiles of a board that is searched
    FEWEST_KIND_COUNT,
};
uint64_t fewest_entries(const struct fewest *table, enum fewest_kind kind);

// ---- The puzzle of a table ------------------------------------------------------------------------------------------

const char *fewest_name(const struct fewest *table);                // of the puzzle; lives as long as the table
uint64_t fewest_bytes(const struct fewest *table);                  // of the file
const char *fewest_definition(const struct fewest *table);          // its text, with a closing NUL
unsigned fewest_cells(const struct fewest *table);                  // of a state, at most FEWEST_CELLS_MOST
uint64_t fewest_states(const struct fewest *table);                 // all arrangements of the cells, reachable or not
unsigned fewest_goals(const struct fewest *table);                  // how many goals it has
unsigned fewest_moves(const struct fewest *table);                  // how many moves there are
const char *fewest_move(const struct fewest *table, unsigned move); // their names, in byte order

// ---- States -------------------------------------------------------------------------------------------------------
// A state is an array of fewest_cells() bytes, the cells in reading order: pieces from 0 (typed from 1), orientations
// from 0 (typed from 0). A target may hold FEWEST_WILD. The arrays of a question that did not come from the functions
// here must be checked with fewest_check_state before they are asked about.

struct fewest_question {
    bool has_target; // without one, to the nearest of the puzzle's goals
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
};

// Reads a start, or a start and a target, by counting the cells in `length` bytes of text (no NUL needed). Space,
// comma, slash and line ends separate, and need not stand where every cell is one character.
bool fewest_read_question(const struct fewest *table, const char *text, size_t length, struct fewest_question *question,
                          struct fewest_error *error);

// Reads one state. `what` names it in messages ("START"); `wild` says whether wildcards are allowed.
bool fewest_read_state(const struct fewest *table, const char *text, size_t length, const char *what, bool wild,
                       uint8_t *state, struct fewest_error *error);

// Reads one cell of a state, the one at `position` (from 0): exactly one value or, where `wild` allows it, `*`. `what`
// names the state in messages.
bool fewest_read_cell(const struct fewest *table, unsigned position, const char *text, size_t length, const char *what,
                      bool wild, uint8_t *cell, struct fewest_error *error);

// Is this a state: every value possible, no piece more often than there are, wildcards only where `wild` allows them?
// Sets orientations that do not count to 0.
bool fewest_check_state(const struct fewest *table, const char *what, bool wild, uint8_t *state,
                        struct fewest_error *error);

// Fills in the state that moves ("R U R'") make of another, `from`, which may be `state` itself; NULL is the solved
// one. It has no wildcards. Blanks and commas separate. The names are those of the moves, all powers of listed moves
// (R2, R3'), and rotations, aliases and sequences of the definition. After a failure `state` is of no use.
bool fewest_read_moves(const struct fewest *table, const uint8_t *from, const char *text, size_t length, uint8_t *state,
                       struct fewest_error *error);

// Writes a state as fewest_read_state takes it. Returns `text`.
char *fewest_write_state(const struct fewest *table, const uint8_t *state, char text[FEWEST_TEXT_SIZE]);

// What a move makes of a state without wildcards. False where the move can't be made, or where the state does not tell
// what it makes: of rolling cubes one sees the top alone.
bool fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to);

// How a state is drawn, where its definition has a board: columns, rows and layers of cells, which are read in that
// order. False where it has none.
bool fewest_board(const struct fewest *table, unsigned size[3]);

// The number of a state among all fewest_states(), from 0, and back: DEFINITION.md tells the order. The state has no
// wildcards. fewest_unrank fails with FEWEST_BAD_INPUT where no state has the number.
uint64_t fewest_rank(const struct fewest *table, const uint8_t *state);
bool fewest_unrank(const struct fewest *table, uint64_t number, uint8_t *state, struct fewest_error *error);

// ---- Questions ----------------------------------------------------------------------------------------------------
// All fail with FEWEST_BEYOND where the table can't answer the pair or too many states agree with a target,
// FEWEST_DAMAGED where a block is, and FEWEST_SYSTEM.
//
// Puzzles with too many states for a table are searched: their tables hold estimates, and a question takes
// milliseconds, the hardest seconds. Their targets have no wildcards, and the blank where the goal has it or a symmetry
// of the board takes it; their path is any of the shortest.

// Is the table of a puzzle that is searched?
bool fewest_is_searched(const struct fewest *table);

// Makes ready what such a search needs, which the first question would do otherwise. Does nothing for other tables.
bool fewest_prepare(struct fewest *table, struct fewest_error *error);

// Has a search call watch(context, bound) when it begins to look for paths of `bound` moves and about twenty times a
// second from then on, in the thread that searches. Where it returns false, the question fails with FEWEST_STOPPED.
typedef bool fewest_watcher(void *context, int bound);
void fewest_watch(struct fewest *table, fewest_watcher *watch, void *context);

// The fewest moves from start to target, or FEWEST_UNREACHABLE.
bool fewest_steps(struct fewest *table, const struct fewest_question *question, int *steps, struct fewest_error *error);

// A shortest sequence of moves; of several, the first in byte order of the names. moves[0 … *steps-1] are indices for
// fewest_move; *steps may be FEWEST_UNREACHABLE.
bool fewest_path(struct fewest *table, const struct fewest_question *question, unsigned moves[FEWEST_PATH_MOST],
                 int *steps, struct fewest_error *error);

// Can the target be reached at all? `reason` says why, in a few words.
bool fewest_parity(struct fewest *table, const struct fewest_question *question, bool *reachable,
                   char reason[FEWEST_ERROR_SIZE], struct fewest_error *error);

// The same for a sliding board of any size, which needs no table: `grid` is "4x4" (rows and columns) or "3x3x3" (and
// layers, the top one first) of up to 2^20 cells. Where `target` is NULL, `start` holds a start, or a start and a
// target; without a target, it is the tiles in their order and the blank last. fewest_is_grid tells a grid from the
// name of a puzzle.
bool fewest_is_grid(const char *grid);
bool fewest_grid_parity(const char *grid, const char *start, size_t start_length, const char *target,
                        size_t target_length, bool *reachable, char reason[FEWEST_ERROR_SIZE],
                        struct fewest_error *error);

// ---- The whole table ----------------------------------------------------------------------------------------------

struct fewest_stats {
    uint64_t states;     // all arrangements of the cells
    uint64_t reachable;  // those from which the goal can be reached
    unsigned largest;    // distance
    uint64_t count[256]; // states at each distance 0 … largest
    double mean;         // distance of the reachable ones
    uint64_t bytes;      // of the table file
};

// Distances to the nearest goal or, if `start` is not NULL, from that state to every other. (Rolling cubes start where
// the goal has its blank.) They are read from the header, unless there are several goals: then every state is looked
// at.
bool fewest_get_stats(struct fewest *table, const uint8_t *start, struct fewest_stats *stats,
                      struct fewest_error *error);

// Calls visit(context, state, distance) for every state in the order of its number, with the distance that
// fewest_get_stats counts (FEWEST_UNREACHABLE for others), until it returns false. A microsecond a state, or less.
typedef bool fewest_visitor(void *context, const uint8_t *state, int distance);
bool fewest_each_state(struct fewest *table, const uint8_t *start, fewest_visitor *visit, void *context,
                       struct fewest_error *error);

// Where fewest_get_stats counts from without a start: NULL for a table that counts to its goals.
const uint8_t *fewest_default_start(const struct fewest *table);

// A state that is `largest` moves away.
bool fewest_farthest(struct fewest *table, const uint8_t *start, uint8_t *state, struct fewest_error *error);

// Reads a start for these two: a state or, of a board with a blank, the number of its cell, from 1 in reading order.
bool fewest_read_start(const struct fewest *table, const char *text, uint8_t *state, struct fewest_error *error);

// Checks every block against its checksum and the counts of the header. With `deep`, proves every distance from the
// moves alone: the root and no other state has 0, no move gains more than one, every other state has a neighbour that
// is one nearer, and a pattern is as near as the nearest of its states; each by a rule whose number a finding tells.
// Calls report(context, text) for each finding, and returns false where there was one.
bool fewest_check(struct fewest *table, bool deep, void (*report)(void *context, const char *text), void *context);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
