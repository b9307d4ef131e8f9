// Shortest paths on sliding boards with pattern databases. Internal to query/.
//
// This is the node family of boards (ida_star.h): IDA* raises a bound, and this search tells
// whether a path of that many moves solves a board, and which is the first. Shorter paths were
// ruled out by earlier bounds.
//
// 1. Why a path is a shortest one. Until a path is found, a board is dropped only if its lower
//    bound exceeds the moves that are left. A database counts moves of its own tiles only, and the
//    databases share no tile. So the sum of their distances is a lower bound
//    (tile_databases.h). A database's distance is the sum of its tiles' Manhattan distances,
//    plus an even number. Half of that number is the *excess*, and the database stores only this.
//    So the lower bound is the sum of all tiles' Manhattan distances, plus twice the sum of all
//    excesses. If a symmetry of the board keeps the goal's blank in its cell, the mirror image of a
//    board is as far from solved as the board. Each of the two is a *view*, and the larger bound
//    counts. All paths between two boards have the same parity, so the next bound is two moves
//    larger.
//
// 2. What a bundle is. A search that takes one board after the other waits for two things: for
//    entries, which are scattered over memory, and for branches that the processor predicts
//    wrongly. This search takes a *bundle* of boards from the top of its stack. It prefetches the
//    entries of all their children, so that it waits for all of them at the same time. Then it
//    reads the entries, and keeps or drops a child without a branch.
//    The stack has the order of a depth-first search. Its top is the first board in the order of
//    the moves, and the children of an earlier board are pushed above those of a later one. When
//    the search finds a path, it drops all later boards, and searches the earlier ones for an
//    earlier path. So it finds the first path, like a search without bundles, and generates about a
//    hundredth more boards. A board remembers only the first 16 moves that led to it. If a path is
//    longer, the search makes its first 16 moves, and begins again from there to find the next 16.
//    That tree is much smaller.
//
// 3. When the automaton prunes. Each board knows its state of the pruning automaton
//    (board_automaton.h), which depends on the moves that led to it. The automaton's rows list
//    only moves that complete no forbidden sequence, so a pruned move costs nothing at all. It
//    never prunes a move of the first path.
//
// 4. How a bound is found. Each `Database` line has a *slot* in each view. A board has a word for
//    each view, with a field for each slot: the index of the board's entry in the database. The
//    digits of a field tell the cells of the database's tiles, so a move of a tile adds a constant
//    to the word. In the table, an index is a rank (rank.h): a digit counts only the cells that
//    earlier tiles leave free. Then one more digit changes by one for each tile of the database
//    whose cell lies between the two cells of the moving tile. This is faster than ranking anew:
//    Korf's hundred take 1.0 ms each instead of 1.5, with databases of seven and eight tiles.
//
// 5. Stages. Long automata and fast databases take time to make, so a table's first searches do
//    without them. The next stage is made after many boards, or if the next bound will need many.
//    It has larger bundles and a longer automaton. In the last stage, the databases are *spread*,
//    if none has more than six tiles. A spread database has two bits an entry, and a digit of its
//    index is a cell, in four bits. Most of these indices are never used. Each excess above 3, and
//    what the table stores as unreachable, becomes 3, so it is never too large.
#ifndef FEWEST_QUERY_BOARDS_H
#define FEWEST_QUERY_BOARDS_H

#include "query/table/database.h"
#include "tables/families/board/board.h"
#include "tables/families/board/tile_databases.h"

#include <pthread.h>

enum {
    BOARD_VIEWS = 2,
    BOARD_STAGES = 3,
    BOARD_SLOTS = BOARD_VIEWS * DATABASES_MOST, // by view and then by `Database` line
    // A *step* is a move that takes a tile from a given cell. Its number is 16 times the move's,
    // plus the cell's.
    BOARD_STEPS = 8 * DATABASE_CELLS_MOST,
};

// A board in a search.
struct board_node {
    uint64_t board;              // by cell, a nibble: its tile
    uint64_t first;              // the first moves of the search to it, a nibble each
    uint64_t words[BOARD_VIEWS]; // the fields of the slots
    uint8_t excesses[BOARD_SLOTS];
    uint32_t row;              // of the automaton: an index of board_stage.rows
    int8_t slack[BOARD_VIEWS]; // half of the moves that the lower bound leaves to spare
    uint8_t left;              // moves
};

// The changes that a step makes, by its tile.
struct board_step {
    uint64_t exchange;               // the exclusive or of the board before and after
    uint64_t changes[BOARD_VIEWS];   // are added to the words
    uint8_t slots[BOARD_VIEWS];      // of the tile's databases
    uint8_t entry_mask[BOARD_VIEWS]; // all bits of an entry of these databases
    uint8_t farther;                 // 1 if the tile goes away from home
};

// The cells between those that a tile leaves and enters, in the numbering of a database.
struct board_passage {
    uint64_t sign; // 1 if the tile goes to a higher cell, or -1
    uint8_t count;
    uint8_t at[DATABASE_CELLS_MOST - 2]; // the shifts of their nibbles in a board
};

// A `Database` line in a view.
struct board_slot {
    unsigned tiles;
    uint8_t to[DATABASE_CELLS_MOST];   // by cell of the board: that of the database
    uint8_t tile[DATABASE_TILES_MOST]; // the tiles that are seen as the database's, in its order
    struct board_passage passages[BOARD_STEPS];
};

struct board_stage {
    unsigned bundle; // the number of boards in one
    uint8_t *spread; // the entries of all databases; NULL: they are read in the table
    // By slot: its entries, in the table or spread, and its field in a word.
    const struct database *databases[BOARD_SLOTS];
    const uint8_t *bytes[BOARD_SLOTS];
    uint32_t masks[BOARD_SLOTS]; // after the shift
    uint8_t shifts[BOARD_SLOTS];
    struct board_step steps[BOARD_STEPS][DATABASE_CELLS_MOST]; // by step and tile
    // By view, tile and a tile that it passes on its way up: what that adds to the word.
    uint64_t passes[BOARD_VIEWS][DATABASE_CELLS_MOST][DATABASE_CELLS_MOST];
    // The automaton without the moves that it prunes. Each of its states has a row. The row begins
    // with the number of its moves. For each of them, the last one first, as the stack needs them,
    // a value follows: the index of the next row, times BOARD_STEPS, plus the number of the step.
    uint32_t *rows;
};

// All searches of one puzzle share this.
struct board_bounds {
    const struct puzzle *puzzle;
    struct database databases[DATABASES_MOST];
    const struct symmetry *symmetry[BOARD_VIEWS]; // without a mirror image, the same one twice
    struct board_slot slots[BOARD_SLOTS];
    uint8_t blanks[BOARD_STEPS]; // by step: the cell of the blank before it, or NOWHERE
    struct board_stage *stages[BOARD_STAGES]; // NULL until they are made
    _Atomic uint64_t served;                  // boards, roughly
    _Atomic unsigned stage;                   // the latest one
    unsigned last_stage;                      // none is made after it; tests lower it
    pthread_mutex_t lock;                     // held while a stage is made
};

#endif
