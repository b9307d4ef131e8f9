// Pattern databases of a sliding board, spread for long searches. Internal to query/.
//
// tile_search.c reads each entry in its place in the table, at the rank of the tiles' cells. Once a
// table has served many nodes, it pays to spread the databases. Then each entry has two bits, and
// the index has a nibble for each tile: its cell. Most indices are never used, but a move changes
// only one nibble. An excess above 3 becomes 3, so it is never too large.
//
// All that a move changes is listed by the cell of the blank, the move and the tile.
#ifndef FEWEST_QUERY_SPREAD_H
#define FEWEST_QUERY_SPREAD_H

#include "search/ida_star.h"
#include "search/tile_bounds.h"

enum {
    SPREAD_TILES_MOST = 6, // of a database: 4 MiB
    SPREAD_MOST = 3,       // the largest excess
    // Two bits. An index counts bits, so that it need not be doubled for each look-up.
    SPREAD_BITS = 2,
    SPREAD_WORD = 32,
    SLOTS = TILE_VIEWS_MOST * DATABASES_MOST, // by view and then by `Database` line
    STEPS = 8 * BOARD_CELLS_MOST,
};

// The changes of a node when a move moves this tile.
struct spread_step {
    uint32_t change[TILE_VIEWS_MOST]; // by view: the exclusive or of the index before and after
    uint8_t slot[TILE_VIEWS_MOST];    // by view: the slot of its database
    int8_t farther;                   // the change of its distance from home
};

struct spread {
    uint32_t *entries;              // of all databases, one after the other, as bits of words
    uint32_t first[DATABASES_MOST]; // by `Database` line: the index of its database's first entry
    // By step, which is eight times the cell of the blank, plus the move:
    struct spread_step steps[STEPS][BOARD_CELLS_MOST]; // and by tile
    uint8_t shift[STEPS];                              // of the nibble that the tile comes from
    uint64_t exchange[STEPS]; // ones in the two nibbles' lowest bits; `board ^= tile * exchange`
                              // moves the tile
    // The automaton again, without the moves that it prunes. Each state has a row of entries, which
    // ends in ROW_END. An entry is 8 times the index of the next state's row, plus the move.
    uint32_t *rows;
};

static const uint32_t ROW_END = UINT32_MAX;

// Can these databases be spread? Some have too many tiles.
bool spread_fits(const struct partition *partition);

// Spreads the databases of a table, which fit. NULL on failure. The caller frees with spread_free,
// which accepts NULL.
struct spread *spread_make(struct fewest *table, const struct tile_bounds *bounds,
                           struct fewest_error *error);
void spread_free(struct spread *spread);

#endif
