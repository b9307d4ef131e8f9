// The heuristic of the search for paths: a table's pattern databases, laid out for fast look-ups.
// Made once, constant afterwards. Internal to query/.
#ifndef FEWEST_QUERY_HEURISTIC_H
#define FEWEST_QUERY_HEURISTIC_H

#include "index/rank.h"
#include "puzzle/board.h"
#include "puzzle/pattern_databases.h"
#include "search/pruning_automaton.h"
#include "table.h"

enum {
    VIEWS = 2,
    // Of an excess. Few bits keep more entries in the caches. In the fifteen puzzle, one entry in a
    // hundred is above 3.
    SPREAD_BITS = 2,
    SPREAD_MOST = 3,
    SPREAD_A_BYTE = 8 / SPREAD_BITS,
    PREFIX_TILES = 3,
    PREFIXES = 1 << (4 * PREFIX_TILES),
    NEVER = UINT8_MAX, // an excess above every bound
};

// The contribution of the first tiles to an arrangement's rank (rank.h).
struct prefix {
    struct lehmer code;
    uint64_t rank;
};

// One pattern database, ready for look-ups.
struct lookup {
    const uint8_t *entries; // the excesses of the unpacked section
    unsigned bits;          // of an entry
    unsigned tiles;
    unsigned cells;
    unsigned shift; // of its tiles' nibbles in the positions; the first tile's is the highest
    const struct prefix *prefixes;
    // The excesses again, by the positions themselves instead of their rank. NULL for many tiles.
    uint8_t *spread;
};

// A tile in one view: everything that its moves need, side by side.
struct tile_view {
    const uint8_t *spread; // of its database
    uint64_t mask;         // of the database's positions, after the shift
    const struct lookup *lookup;
    uint8_t shift;        // of the database's positions
    uint8_t nibble;       // shift of the tile's own nibble
    uint8_t excess_shift; // of the database's byte in a node's excesses
};

// A move of the blank from a cell. The blank and a tile exchange cells.
struct blank_move {
    uint8_t from;          // the cell of the tile before the move
    uint8_t change[VIEWS]; // by view: the exclusive or of the two cells
};

struct heuristic {
    const struct puzzle *puzzle;
    // By cell of the blank and move.
    struct blank_move blank_moves[DATABASE_CELLS_MOST][BOARD_MOVES_MOST];
    // By tile, cell of the blank and move: the change of the tile's distance from home.
    int8_t farther[DATABASE_CELLS_MOST][DATABASE_CELLS_MOST][BOARD_MOVES_MOST];
    struct pruning_automaton automaton;
    struct prefix prefixes[PREFIXES]; // by the cells of the first tiles, a nibble each
    struct lookup lookups[DATABASES_MOST];
    uint8_t database_of[DATABASE_CELLS_MOST]; // by tile
    // By tile: its nibble in the positions.
    uint8_t shift_of[DATABASE_CELLS_MOST];
    struct tile_view tile_views[VIEWS][DATABASE_CELLS_MOST]; // by view and tile
    // By tile and cell: the distance from home.
    uint8_t manhattan[DATABASE_CELLS_MOST][DATABASE_CELLS_MOST];
    // By view and cell: its cell in the view.
    uint8_t cell_of[VIEWS][DATABASE_CELLS_MOST];
    // By view and tile: its tile in the view.
    uint8_t tile_of[VIEWS][DATABASE_CELLS_MOST];
};

// Unpacks the databases of a table and makes its heuristic, once. Any number of threads may call
// this and search with the heuristic. It is freed with the table.
bool heuristic_prepare(struct fewest *table, struct fewest_error *error);
void heuristic_free(struct heuristic *heuristic);

static inline unsigned cell_at(uint64_t positions, unsigned tile_from_last)
{
    return (unsigned)(positions >> (4 * tile_from_last)) & 15u;
}

static inline unsigned excess_at(const struct lookup *lookup, uint64_t index)
{
    unsigned excess = entry_get(lookup->entries, lookup->bits, index);
    return excess == entry_unreachable(lookup->bits) ? NEVER : excess;
}

#endif
