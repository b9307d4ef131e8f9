// Shortest paths on sliding boards with pattern databases. Internal to query/.
//
// This is the node family of boards (ida_star.h): IDA* raises a bound, and this search tells
// whether a path of that many moves solves a board, and which is the first.
//
// 1. Why a path is a shortest one. A board is dropped only if its lower bound exceeds the moves
//    that are left. A database counts moves of its own tiles only, and the databases share no tile.
//    So the sum of their entries is a lower bound (pattern_databases.h). It is the sum of all
//    tiles' Manhattan distances and twice the sum of the databases' *excesses*. If a symmetry of
//    the board keeps the goal's blank in its cell, the mirror image of a board is as far from
//    solved as the board. Each of the two is a *view*, and the larger bound counts. All paths
//    between two boards have the same parity, so the next bound is two moves larger.
//
// 2. What a bundle is. A search from board to board waits for two things: for entries, which are
//    scattered over memory, and for branches that the processor predicts wrongly. This search takes
//    a *bundle*, 8 or 32 boards, from the top of its stack. It starts the look-ups of all their
//    children, and then reads the entries. It keeps or drops a child without a branch.
//    The stack has the order of a depth-first search. Its top is the first board in the order of
//    the moves, and the children of an earlier board are pushed above those of a later one. When
//    the search finds a path, it drops all later boards, and searches the earlier ones for an
//    earlier path. So it finds the first path, like a search without bundles, and generates about a
//    hundredth more boards. A board remembers only the first 16 moves to it. The search begins
//    again after them to find the next ones, in a tree that is much smaller.
//
// 3. When the automaton prunes. Each board knows its state of the pruning automaton
//    (pruning_automaton.h), which depends on the moves that led to it. The automaton's rows list
//    only moves that complete no forbidden sequence, so a pruned move costs nothing at all. It
//    never prunes a move of the first path.
//
// 4. How a bound is found. A board has a *word* for each view and `Database` line: by tile of the
//    database, a nibble with the tile's cell. A move changes one nibble, by an exclusive or that a
//    table tells. The index of an entry is the rank of the word's nibbles (rank.h).
//
// 5. Two stages. Long automata and fast databases take time to make, so a table begins without
//    them. Once it has served many boards, or expects to, it makes the second stage: a longer
//    automaton, and *spread* databases, if none has more than six tiles. A spread database has two
//    bits an entry, and the index of an entry is the word itself. Most of these indices are never
//    used. An excess above 3 becomes 3, so it is never too large.
#ifndef FEWEST_QUERY_BOARDS_H
#define FEWEST_QUERY_BOARDS_H

#include "puzzle/board.h"
#include "puzzle/pattern_databases.h"
#include "search/database.h"

#include <pthread.h>

enum {
    BOARD_VIEWS = 2,
    BOARD_STAGES = 2,
    BOARD_SLOTS = BOARD_VIEWS * DATABASES_MOST, // by view and then by `Database` line
    BOARD_STEPS = 8 * BOARD_CELLS_MOST,
};

// A board in a search.
struct board_node {
    uint64_t board; // by cell, a nibble: its tile
    uint64_t first; // the first moves of the search to it, a nibble each
    uint32_t words[BOARD_SLOTS];
    uint8_t excesses[BOARD_SLOTS];
    uint32_t row;              // of the automaton: an index of board_stage.rows
    int8_t slack[BOARD_VIEWS]; // half of the moves that the lower bound leaves to spare
    uint8_t left;              // moves
};

// What a move of a tile changes.
struct board_step {
    uint64_t exchange;           // the exclusive or of the board before and after
    uint32_t words[BOARD_VIEWS]; // of the words
    uint8_t slot[BOARD_VIEWS];   // of the words
    uint8_t farther;             // 1 if the tile goes away from home
};

// A `Database` line.
struct board_line {
    struct database database;
    unsigned tiles;
    uint32_t first; // the index of its first spread entry, which is a part of its words then
};

struct board_stage {
    unsigned bundle; // the number of boards in one
    uint8_t *spread; // the entries of all databases; NULL: they are read in the table
    // The automaton without the moves that it prunes. Each of its states has a row. The row begins
    // with the number of its moves. For each of them, a value follows: the index of the next row,
    // times BOARD_STEPS, plus the number of the step.
    uint32_t *rows;
};

// What searches of one puzzle share.
struct board_bounds {
    const struct puzzle *puzzle;
    const struct symmetry *symmetry[BOARD_VIEWS]; // without a mirror image, the same one twice
    struct board_line lines[DATABASES_MOST];
    uint8_t slot[BOARD_VIEWS][BOARD_CELLS_MOST];                      // by view and tile
    uint32_t nibble[BOARD_VIEWS][BOARD_CELLS_MOST][BOARD_CELLS_MOST]; // and by cell: in a word
    struct board_step steps[BOARD_STEPS][BOARD_CELLS_MOST]; // by 8 × the blank's cell + move, tile
    uint8_t shift[BOARD_STEPS];                             // of the tile's nibble in a board
    struct board_stage stages[BOARD_STAGES];
    _Atomic uint64_t served; // boards, roughly
    _Atomic unsigned stage;  // the latest one
    unsigned last_stage;     // none is made after it; tests lower it
    pthread_mutex_t lock;    // held while a stage is made
};

#endif
