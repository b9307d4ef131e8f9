// A compiled puzzle: its rules, its numbering and its pattern databases, made from a definition.
//
// A *state* is a row of cells, a byte each, in the order in which a person types them. The cells of
// one kind form a *segment* (segment.h): the pieces of a set, or their orientations. A set that no
// move permutes has no segment of pieces, and a set that no move turns has none of orientations.
//
// Pieces are *passive* everywhere: cell i holds the piece that is now at slot i. A move of a
// permutation puzzle takes the value of cell i from cell from[i] and, if the cell is an
// orientation, adds add[i]. Other families leave `from` and `add` NULL.
//
// A family of puzzles gives its rules and its numbering, a table of functions each. The calls
// below go through these tables. compile.c lists the families.
//
// Everything here is constant once compiled, so any number of threads may share a puzzle.
#ifndef FEWEST_TABLES_PUZZLE_H
#define FEWEST_TABLES_PUZZLE_H

#include "numbering.h"
#include "rules.h"
#include "segment.h"
#include "signs.h"
#include "tables/algebra/chain/chain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A `Database` line of a sliding board.
struct database_line {
    unsigned database; // its number in the partition
    bool shares;       // an earlier line has the same, under a symmetry (tile_databases.h)
};

struct board;     // families/board/board.h
struct partition; // families/board/tile_databases.h

struct puzzle {
    char name[NAME_LONGEST + 1];
    enum metric metric;
    struct definition *definition; // what it was compiled from
    const struct rules *rules;
    void *own;           // what only the family knows, or NULL
    struct board *board; // of a puzzle with exactly one blank; NULL in the others
    struct segment *segments;
    unsigned segment_count;
    unsigned cell_count;
    unsigned typed_columns;     // how a state is typed; 0: in one line
    bool typed_by_character;    // every value is one character, so separators are optional
    struct signs signs;         // around typed cells
    uint64_t arrangement_count; // all rows of cells; 0 if they exceed 64 bits
    struct move *moves;         // sorted by name, as bytes
    unsigned move_count;
    bool reversible;                // the inverse of every move is a move
    uint8_t *goals[GOALS_MOST + 1]; // the nearest is the default target; one after the other
    unsigned goal_count;
    // Two goals are in one *component* if moves connect them. A puzzle that is too large for a
    // table has one component here, whatever its goals.
    unsigned component_goals[GOALS_MOST + 1]; // the first goal of each component
    unsigned component_count;
    // The states that a goal can be reached from. All components have equally many.
    uint64_t reachable_count; // 0 if they exceed 63 bits, or if nobody knows
    bool is_unfinished;       // the states take too long to count, so they have no numbers
    // NULL: all states are permitted. Else only a search can count those that are. So
    // reachable_count and puzzle_write_state_count count as if all were, and an open table corrects
    // reachable_count. If the puzzle has pattern databases, nobody knows the number, and
    // reachable_count is 0.
    const struct filter *filter;
    struct numbering numbering;
    uint64_t work; // to number its states and those of its projections, of CHAIN_WORK_MOST
    // Pattern databases, if a search answers. Those of a sliding board are a partition of its
    // tiles, all others are projections (definition.h): puzzles with a numbering of their own.
    struct partition *partition; // or NULL
    struct puzzle *projections;
    unsigned projection_count;
    struct database_line lines[DATABASES_MOST]; // of a sliding board: several may share a database
    unsigned line_count;
};

// Does a search answer queries, because the puzzle has pattern databases instead of a table?
static inline bool puzzle_is_searched(const struct puzzle *puzzle)
{
    return puzzle->partition || puzzle->projection_count > 0;
}

// Allocates the cells of the goals and of the roots' targets, all 0. cell_count must be there.
// puzzle_free frees them. Fails only if memory runs out.
bool puzzle_make_goals(struct puzzle *puzzle, struct fewest_error *error);

// The segment of a cell.
static inline const struct segment *puzzle_find_segment(const struct puzzle *puzzle, unsigned cell)
{
    const struct segment *segment = puzzle->segments;
    while (cell >= segment->first + segment->length) {
        segment++;
    }
    return segment;
}

// Applies a move to a state. `from` and `to` do not overlap. False if the move can't be made, or if
// the state does not tell the result.
static inline bool puzzle_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from,
                                uint8_t *to)
{
    return puzzle->rules->apply(puzzle, move, from, to);
}

// May a state occur, which may have wildcards?
static inline bool puzzle_permits(const struct puzzle *puzzle, const uint8_t *state)
{
    return !puzzle->filter || puzzle->filter->permits(puzzle, NULL, state);
}

// Fills in the rows, columns and layers by which a state is typed. False if it is in one line.
bool puzzle_find_size(const struct puzzle *puzzle, unsigned size[3]);

// The dense index of a state, and back. Call these only if arrangement_count is not 0.
uint64_t puzzle_rank_state(const struct puzzle *puzzle, const uint8_t *state);
void puzzle_unrank_state(const struct puzzle *puzzle, uint64_t number, uint8_t *state);

// Does every segment allow its cells (segment_allows)? Wildcards are allowed only if `wild`.
bool puzzle_allows(const struct puzzle *puzzle, const uint8_t *state, bool wild);

// Sets the orientations that do not count to 0.
void puzzle_forget_ignored(const struct puzzle *puzzle, uint8_t *state);

static inline bool puzzle_has_wildcard(const struct puzzle *puzzle, const uint8_t *target)
{
    return memchr(target, WILD, puzzle->cell_count);
}

// ---- The numbering ------------------------------------------------------------------------------
// Call these functions only if the puzzle has a numbering.

static inline bool puzzle_is_numbered(const struct puzzle *puzzle)
{
    return !puzzle_is_searched(puzzle);
}

// The number of nodes that a search from a root goes through (numbering.h).
static inline uint64_t puzzle_node_count(const struct puzzle *puzzle, unsigned root)
{
    uint64_t nodes = puzzle->numbering.roots[root].nodes;
    return nodes > 0 ? nodes : puzzle->numbering.state_count;
}

// Do several nodes show one state?
static inline bool puzzle_hides_nodes(const struct puzzle *puzzle, unsigned root)
{
    return puzzle_node_count(puzzle, root) > puzzle->numbering.state_count;
}

// The index of a relative target without wildcards in the table of its root, and back:
// puzzle_unrank fills in the relative target of an index. The index is INDEX_NONE if no moves lead
// there, as far as the index tells.

static inline uint64_t puzzle_rank(const struct puzzle *puzzle, unsigned root,
                                   const uint8_t *relative)
{
    return puzzle->numbering.functions->rank(puzzle, root, relative);
}

static inline void puzzle_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                 uint8_t *relative)
{
    puzzle->numbering.functions->unrank(puzzle, root, index, relative);
}

// A *step* leads one farther from the root: it is a move or, if distances are counted to the goal,
// a move undone. These fill in where all steps lead from a node, and where they come from:
// neighbours[m] belongs to move m; before[m] belongs to move m or, on a board with one blank, to
// its inverse. INDEX_NONE if there is no such step. Forbidden states are among them.
static inline void puzzle_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                     uint64_t *neighbours)
{
    puzzle->numbering.functions->neighbours(puzzle, root, index, neighbours);
}

static inline void puzzle_predecessors(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                       uint64_t *before)
{
    puzzle->numbering.functions->predecessors(puzzle, root, index, before);
}

// May the state of an index occur? puzzle_neighbours and puzzle_predecessors do not tell.
static inline bool puzzle_permits_index(const struct puzzle *puzzle, unsigned root, uint64_t index)
{
    uint8_t state[CELLS_MOST];
    if (!puzzle->filter) {
        return true;
    }
    puzzle_unrank(puzzle, root, index, state);
    return puzzle_permits(puzzle, state);
}

// Does the puzzle number its wildcard targets (wildcard.h), unless they are too many?
bool puzzle_numbers_wildcards(const struct puzzle *puzzle);

// Numbers the wildcard targets of a root, folded by `symmetries`, which a table stores or the
// generator has found. Numbers none if puzzle_numbers_wildcards is false. Fails if memory runs out.
bool puzzle_number_wildcards(struct puzzle *puzzle, unsigned root,
                             const struct symmetry *symmetries, unsigned symmetry_count,
                             struct fewest_error *error);

// Frees the numbers of the wildcard targets of all roots. The puzzle then numbers none.
void puzzle_forget_wildcards(struct puzzle *puzzle);

// Fills in the relative target of a start and a target, and its root: its distance in the table of
// that root is the distance from start to target. `start` has no wildcards. Wildcards of `target`
// become wildcards of `relative`; see puzzle_accepts_wildcards. Fails if the table can't answer the
// pair.
static inline bool puzzle_find_relative(const struct puzzle *puzzle, const uint8_t *start,
                                        const uint8_t *target, unsigned *root, uint8_t *relative,
                                        struct fewest_error *error)
{
    return puzzle->numbering.functions->find_relative(puzzle, start, target, root, relative, error);
}

// Does puzzle_find_relative support this target's wildcards? It does not if one hides a piece whose
// orientation is given.
bool puzzle_accepts_wildcards(const struct puzzle *puzzle, const uint8_t *target);

// Has the puzzle more states than a table can hold? (A count of 0 exceeds 63 bits.) Then only its
// rules may be used, and puzzle_write_state_count.
static inline bool puzzle_is_too_large(const struct puzzle *puzzle)
{
    return puzzle_is_numbered(puzzle) &&
           (puzzle->numbering.state_count == 0 || puzzle->numbering.state_count > STATES_MOST);
}

// Undoes puzzle_find_relative: fills in the target of a start and a relative target. `start` is one
// that puzzle_find_relative accepts with every target, such as a goal.
static inline void puzzle_restore_target(const struct puzzle *puzzle, const uint8_t *start,
                                         const uint8_t *relative, uint8_t *target)
{
    puzzle->numbering.functions->restore_target(puzzle, start, relative, target);
}

// Fills in a state whose distance to the first goal is that of a relative target of this goal.
// `relative` is overwritten. If moves can be undone, or only targets have answers, this is its
// target. Else the way there is turned around: it leads from the state to the goal.
void puzzle_restore_counted(const struct puzzle *puzzle, uint8_t *relative, uint8_t *state);

// For a numbering that counts to the goals, in which a state is its own relative target. The table
// then answers one target: the solved state, unless it is one of several goals. The relative target
// is START or, if START is that state and moves can be undone, TARGET, because the way back is as
// long. Fails for any other pair.
bool puzzle_is_counted_goal(const struct puzzle *puzzle, const uint8_t *target);
bool puzzle_relate_to_goals(const struct puzzle *puzzle, const uint8_t *start,
                            const uint8_t *target, uint8_t *relative, struct fewest_error *error);

// Keeps a new goal, the one after goal_count - 1, unless it is there already.
void puzzle_keep_goal(struct puzzle *puzzle);

// Finds the components of the goals, and multiplies reachable_count by their number. Before, this
// is the number of states of one component, which the family has set.
bool puzzle_find_components(struct puzzle *puzzle, struct fewest_error *error);

enum { STATE_COUNT_SIZE = LARGE_TEXT_SIZE + sizeof "at least " };

// Writes how many states a goal can be reached from: "3674160"; "at most 720" if that counts
// forbidden states, too; "at least 720" if counting took too long; "unknown" if both are so.
// Returns the text.
char *puzzle_write_state_count(const struct puzzle *puzzle, char text[STATE_COUNT_SIZE]);

enum { SHARING_SIZE = 128 };

// Writes for people which database a `Database` line, counted from 0, shares. Returns false if it
// shares none.
bool puzzle_write_sharing(const struct puzzle *puzzle, unsigned line, char text[SHARING_SIZE]);

// Does the table hold distances to the nearest of several goals? Then it does not answer a single
// target.
static inline bool puzzle_counts_to_nearest(const struct puzzle *puzzle)
{
    return puzzle->numbering.roots[0].more > 0;
}

// Does the table answer this target from every start?
static inline bool puzzle_answers_target(const struct puzzle *puzzle, const uint8_t *target)
{
    const struct numbering *numbering = &puzzle->numbering;
    return numbering->answers == ANSWERS_ALL ||
           (numbering->answers == ANSWERS_TARGETS &&
            numbering->functions->answers_target(puzzle, target));
}

#endif
