// Lower bounds for sliding boards, from additive pattern databases (pattern_databases.h). Internal
// to query/.
//
// The lower bound is the sum of the tiles' Manhattan distances and twice the excess of the
// databases. It is the larger one of two *views*: the board itself and, if a symmetry keeps the
// goal's blank in its cell, the mirror image.
//
// Entries are read where they lie: in the unpacked blocks of the table, each unpacked when it is
// first needed. So an easy board costs a few blocks, and a hard one unpacks them all.
//
// The index of an entry is the rank of the cells of a database's tiles (rank.h), in row-major
// order. It is kept up to date instead of computed anew: when a tile goes from cell p to a later
// cell q, its digit of the Lehmer code grows by q-p, less one for each earlier tile of the database
// between these cells; and the digit of each later tile between them grows by one. The digits'
// weights are constants. The ranks of all databases share one word, so that one addition is
// enough.
#ifndef FEWEST_QUERY_TILE_BOUNDS_H
#define FEWEST_QUERY_TILE_BOUNDS_H

#include "puzzle/board.h"
#include "puzzle/pattern_databases.h"
#include "search/pruning_automaton.h"
#include "table.h"

enum {
    TILE_VIEWS_MOST = 2,
    PASSED_MOST = BOARD_CELLS_MOST - 2, // tiles between two cells
};

// Longer automata and faster databases take time to make. So a table makes them in stages, as its
// boards get harder or more (tile_search.c).
enum { STAGES = 4 };

struct tile_stage {
    struct pruning_automaton automaton; // longer sequences in later stages
    struct bundle *bundle;              // to search in bundles (bundle.h); NULL in the first stage
};

// A tile in one view: where the entry of its database is.
struct tile_view {
    const uint8_t *entries;         // valid in the blocks that are unpacked
    const uint8_t *_Atomic *blocks; // NULL until it is unpacked (table.h)
    const struct unpacked *database;
    const struct cell_map *map; // to the database's cells
    uint64_t mask;              // of the rank, after the shift
    uint8_t shift;              // of the rank in the word
    uint8_t nibble;             // the shift of the tile's nibble, if these nibbles are cells
    uint8_t line;               // the number of its `Database` line
    uint8_t bits_log2;          // of an entry
    uint8_t block_log2;         // entries in a block
};

// A move of the blank on the cells of a map.
struct mapped_move {
    int sign;                                         // do cells' numbers grow or fall?
    unsigned passed;                                  // cells between the two
    uint8_t passed_at[BOARD_CELLS_MOST][PASSED_MOST]; // by cell of the blank: their nibbles' shifts
};

// From the cells of the board to those of a database: the symmetry of the view and then that of the
// `Database` line.
struct cell_map {
    uint8_t to[BOARD_CELLS_MOST];
    struct mapped_move moves[BOARD_MOVES_MOST];
};

// A board in a search.
struct tile_node {
    uint64_t board;                     // by cell, a nibble: its tile
    uint64_t ranks[TILE_VIEWS_MOST];    // of all databases' tiles, side by side
    uint64_t excesses[TILE_VIEWS_MOST]; // by `Database` line, a byte
    uint16_t excess[TILE_VIEWS_MOST];   // their sum
    uint16_t manhattan;                 // the sum of all tiles' Manhattan distances
    uint16_t blank;                     // its cell
    uint32_t state;                     // of the pruning automaton
};

struct tile_bounds {
    const struct puzzle *puzzle;
    unsigned views;
    struct tile_view tiles[TILE_VIEWS_MOST][BOARD_CELLS_MOST]; // by view and tile
    struct cell_map maps[TILE_VIEWS_MOST * DATABASES_MOST];    // all different
    unsigned map_count;
    // By view, tile and move: what the tile's own digit adds to the word.
    int64_t step[TILE_VIEWS_MOST][BOARD_CELLS_MOST][BOARD_MOVES_MOST];
    // By view, tile and a tile that it passes: what that adds to the word.
    int64_t passes[TILE_VIEWS_MOST][BOARD_CELLS_MOST][BOARD_CELLS_MOST];
    // By move and cell of the blank: the shift of the nibble of the tile that moves.
    uint8_t from_shift[BOARD_MOVES_MOST][BOARD_CELLS_MOST];
    // By move, cell of the blank and tile: the change of the tile's distance from home.
    int8_t farther[BOARD_MOVES_MOST][BOARD_CELLS_MOST][BOARD_CELLS_MOST];
    const struct symmetry *symmetry[TILE_VIEWS_MOST]; // by view
    _Atomic uint64_t served;                          // nodes, roughly
    _Atomic unsigned stage; // the latest one. Later ones are made under the table's lock.
    unsigned last_stage;    // none is made after it; tests lower it
    struct tile_stage stages[STAGES];
    struct spread *spread; // in the last stage, if the databases can be spread (spread.h)
};

// The caller frees with tile_bounds_free. NULL on failure.
struct tile_bounds *tile_bounds_make(struct fewest *table, struct fewest_error *error);
void tile_bounds_free(struct tile_bounds *bounds);

// The view that stands for the second one if there is no mirror image: the first again.
static inline unsigned tile_bounds_seen(const struct tile_bounds *bounds, unsigned view)
{
    return view < bounds->views ? view : 0;
}

// A tile of a `Database` line in a view.
const struct tile_view *tile_bounds_any(const struct tile_bounds *bounds, unsigned view,
                                        unsigned line);

// The rank of the tiles that a view sees as those of a `Database` line.
uint64_t tile_bounds_rank(const struct tile_bounds *bounds, unsigned view, unsigned line,
                          const uint8_t *state);

// The change of the word of ranks when a tile moves.
static inline int64_t tile_bounds_change(const struct tile_bounds *bounds, uint64_t board,
                                         unsigned blank, unsigned view, unsigned move,
                                         unsigned tile)
{
    const struct mapped_move *mapped = &bounds->tiles[view][tile].map->moves[move];
    const int64_t *passes = bounds->passes[view][tile];
    int64_t change = bounds->step[view][tile][move];
    for (unsigned p = 0; p < mapped->passed; p++) {
        change += passes[board >> mapped->passed_at[blank][p] & 15u];
    }
    return change * mapped->sign;
}

// The rank of the tiles of a view's database, from the word.
static inline uint64_t tile_view_rank(const struct tile_view *view, uint64_t ranks)
{
    return ranks >> view->shift & view->mask;
}

// The byte that holds an entry.
static inline const uint8_t *tile_view_at(const struct tile_view *view, uint64_t rank)
{
    return &view->entries[rank << view->bits_log2 >> 3];
}

// An excess, if its block is unpacked.
static inline unsigned tile_view_get(const struct tile_view *view, uint64_t rank)
{
    uint64_t bit = rank << view->bits_log2;
    return *tile_view_at(view, rank) >> bit % 8 & ((1u << (1u << view->bits_log2)) - 1);
}

// Unpacks the block of an entry, unless it is there.
static inline bool tile_view_need(struct fewest *table, const struct tile_view *view, uint64_t rank,
                                  struct fewest_error *error)
{
    uint64_t block = rank >> view->block_log2;
    return atomic_load_explicit(&view->blocks[block], memory_order_acquire) ||
           table_need(table, view->database, block, error);
}

#endif
