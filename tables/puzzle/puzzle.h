// A compiled puzzle: states, moves and numbers, made from a definition by one of the families.
//
// A *state* is a row of cells, a byte each, in the order in which a person types them. The cells of one kind form a
// *segment*: the pieces of a set, or their orientations. A set that no move permutes has no segment of pieces, and one
// whose pieces are never turned has none of orientations, so that a permutation puzzle of one set is its pieces alone,
// and a toggle puzzle its orientations alone.
//
// Pieces are *passive* everywhere: cell i holds the piece that is now at slot i. A move takes the value of cell i from
// cell from[i] and, where the cell is an orientation, adds add[i].
//
// The *index* of a state is its rank among all rows of cells, 0 … state_count-1. The ranks of the
// segments are the digits of a mixed-radix number, the first segment the most significant. In large
// puzzles the index leaves out what follows from the invariants of the moves (invariant.h).
//
// A typed state may show less than the search must know (rolling cubes show their tops). Then
// `hidden` *full states* share one *visible state*: full state f shows the relative target with
// index f % state_count. In all other puzzles `hidden` is 1, and a full state is a relative target.
//
// Everything here is constant once compiled, so that any number of threads may share a puzzle.
#ifndef FEWEST_TABLES_PUZZLE_H
#define FEWEST_TABLES_PUZZLE_H

#include "base/errors.h"
#include "definition/definition.h"
#include "index/wildcard.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CELLS_MOST = 2 * PIECES_MOST,
    MOVES_MOST = 4096,
    MOVE_NAME_LONGEST = NAME_LONGEST + 8, // room for the power
    ROOTS_MOST = 8,
    DISTANCE_MOST = 253, // moves; a byte holds one more, and `unreachable`
};

static const uint64_t STATES_MOST = UINT64_C(1) << 32;

// The metric: what counts as one move.
enum metric {
    METRIC_POWERS,  // every power of a listed move
    METRIC_QUARTER, // a listed move and its inverse
    METRIC_LISTED,  // listed moves alone, as `Powers none` has it in any metric
    METRIC_COUNT,
};

enum segment_kind {
    SEGMENT_ARRANGEMENT, // different pieces
    SEGMENT_MULTISET,    // pieces of which some look alike
    SEGMENT_ORIENTATION,
    SEGMENT_TOPS, // one blank, 0, and in every other cell any of the other values
};

struct segment {
    enum segment_kind kind;
    unsigned set;   // of the definition
    unsigned first; // cells first … first+length-1
    unsigned length;
    unsigned symbols;              // values 0 … symbols-1; of an orientation, its modulus
    bool blank;                    // value 0 may be typed as x, X or _ as well
    unsigned base;                 // the number that value 0 is typed as
    char letters[PIECES_MOST + 1]; // or the letters that the values are typed as; empty: numbers
    bool tracked;                  // of pieces: what is typed is the piece, and what is kept its colour
    uint8_t colour_of[PIECES_MOST];
    uint64_t count;              // how many ranks
    uint8_t amount[PIECES_MOST]; // of pieces: how often each value stands
    int pieces;                // of orientations: the first cell of the pieces they belong to; -1 if these stay at home
    bool ignored[PIECES_MOST]; // of orientations: by piece, the orientation does not count and is 0
};

struct move {
    char name[MOVE_NAME_LONGEST + 1];
    unsigned line; // of the definition, for messages
    uint8_t from[CELLS_MOST];
    uint8_t add[CELLS_MOST];
    uint64_t flips; // of a toggle puzzle: the bits of an index that it flips
};

// The state that distances are counted from or to: one state in a permutation puzzle, a cell of the
// blank in a sliding one.
struct root {
    uint8_t target[CELLS_MOST]; // the relative target with distance 0
    unsigned cell;              // of the blank
    unsigned hidden;            // how many full states share a visible state
    struct wildcard_index wildcards;
};

struct part;

// The first cells of a set's pieces and orientations; -1 if no move changes them.
struct set_cells {
    int pieces;
    int orientations;
};

struct puzzle {
    const struct family *family;
    char name[NAME_LONGEST + 1];
    enum metric metric;
    struct definition *definition; // what it was compiled from
    struct segment *segments;
    unsigned segment_count;
    struct part *parts; // of permutation puzzles: what an index is made of (invariant.h)
    unsigned part_count;
    struct set_cells set_cells[SETS_MOST];
    unsigned cell_count;
    unsigned board_columns;     // how a state is drawn; 0: in one line
    uint64_t arrangement_count; // all rows of cells
    uint64_t state_count;       // entries of a root's table: the same, or the half of it that can be reached
    struct move *moves;         // sorted by name, as bytes
    unsigned move_count;
    bool reversible; // the inverse of every move is a move
    bool even;       // one segment, of pieces, and every move is an even permutation
    // Different pieces and no ignored orientation: the states are a group, distances are counted from the identity, and
    // any start to any target is one of them. Without it they are counted *to* the goal.
    bool group;
    bool toggle;      // one segment, of orientations modulo 2 of pieces that stay at home: an index is a row of bits
    bool answers_all; // any start to any target: a group, or a sliding puzzle that is not large
    bool typed_by_character;                   // every value is typed as one character, so that separators are optional
    uint8_t goals[GOALS_MOST + 1][CELLS_MOST]; // the nearest is the default target
    unsigned goal_count;
    struct root roots[ROOTS_MOST];
    unsigned root_count;
    enum puzzle_kind kind;
    struct board *board;         // of a puzzle with a blank; NULL in the others
    struct rolling *rolling;     // what the rolling family knows beside this
    struct partition *partition; // of a searched board: its pattern databases; NULL for other puzzles
};

// The functions that differ between families. A *relative target* is a target after renaming the
// pieces so that the start becomes the root. A table has an entry for each relative target.
struct family {
    uint64_t (*rank)(const struct puzzle *puzzle, unsigned root, const uint8_t *relative);
    void (*unrank)(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative);
    void (*neighbours)(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *neighbours);
    void (*predecessors)(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *before);
    bool (*apply)(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to);
    bool (*relate)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, unsigned *root,
                   uint8_t *relative, struct fewest_error *error);
    bool (*counts_to)(const struct puzzle *puzzle, const uint8_t *target); // where answers_all is false
};

// The number of a row of cells among all 0 … arrangement_count-1, and back.
uint64_t puzzle_rank_state(const struct puzzle *puzzle, const uint8_t *state);
void puzzle_unrank_state(const struct puzzle *puzzle, uint64_t number, uint8_t *state);

// The same for families that number relative targets as states, whatever the root.
uint64_t puzzle_rank_plain(const struct puzzle *puzzle, unsigned root, const uint8_t *relative);
void puzzle_unrank_plain(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative);

// How many values may be typed in one of its cells.
static inline unsigned segment_typed_count(const struct segment *segment)
{
    return segment->tracked ? segment->length : segment->symbols;
}

// The rank of a segment of a state, 0 … count-1. Back: the pieces of an orientation come before it.
uint64_t segment_rank(const struct segment *segment, const uint8_t *state);
void segment_unrank(const struct segment *segment, uint64_t rank, uint8_t *state);

// Does the orientation in cell i of a segment count? The pieces of the state say whose it is.
static inline bool segment_counts_at(const struct segment *segment, const uint8_t *state, unsigned i)
{
    return !segment->ignored[segment->pieces < 0 ? i : state[(unsigned)segment->pieces + i]];
}

// Types the values of a segment as the letters of its set.
bool segment_set_letters(struct segment *segment, const struct piece_set *set, struct fewest_error *error);

// Sets the orientations of a segment that do not count to 0.
void puzzle_forget_ignored(const struct segment *segment, uint8_t *state);

// How many full states a search from a root goes through.
static inline uint64_t puzzle_full_count(const struct puzzle *puzzle, unsigned root)
{
    return puzzle->state_count * puzzle->roots[root].hidden;
}

// The index of a relative target without wildcards in the table of its root, and back. INDEX_NONE
// if an invariant such as the parity says that no moves lead there.
static const uint64_t INDEX_NONE = UINT64_MAX;

static inline uint64_t puzzle_rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    return puzzle->family->rank(puzzle, root, relative);
}

static inline void puzzle_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative)
{
    puzzle->family->unrank(puzzle, root, index, relative);
}

// Fill in the neighbours of a full state by all moves at once: step m leads from `index` to
// neighbours[m], and from before[m] to `index`. INDEX_NONE where the move can't be made. A step is
// a move or, if distances are counted to the goal, a move undone.
static inline void puzzle_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *neighbours)
{
    puzzle->family->neighbours(puzzle, root, index, neighbours);
}

static inline void puzzle_predecessors(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *before)
{
    puzzle->family->predecessors(puzzle, root, index, before);
}

// Applies a move to a state. `from` and `to` do not overlap. False if the move can't be made, or if
// the state does not tell the result.
static inline bool puzzle_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
{
    return puzzle->family->apply(puzzle, move, from, to);
}

// The number of wildcards of a target.
unsigned puzzle_wild_count(const struct puzzle *puzzle, const uint8_t *target);

// Fills in the relative target of a start and a target: its distance in the table of `root` is the
// distance from start to target. `start` has no wildcards. Wildcards of `target` become wildcards
// of `relative`. Fails if the table can't answer the pair.
static inline bool puzzle_relate(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                                 unsigned *root, uint8_t *relative, struct fewest_error *error)
{
    return puzzle->family->relate(puzzle, start, target, root, relative, error);
}

// Can every start be asked about to this target?
static inline bool puzzle_counts_to(const struct puzzle *puzzle, const uint8_t *target)
{
    return puzzle->answers_all || puzzle->family->counts_to(puzzle, target);
}

// Does puzzle_relate support this target's wildcards? It does not if one hides a piece whose
// orientation is given.
bool puzzle_relates_wildcards(const struct puzzle *puzzle, const uint8_t *target);

#endif
