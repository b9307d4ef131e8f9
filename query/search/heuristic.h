// What a search for paths reads: the databases of a table, laid out for it. Made once, and constant from then on.
// Internal to query/search.
#ifndef FEWEST_QUERY_SOLVER_H
#define FEWEST_QUERY_SOLVER_H

#include "index/rank.h"
#include "puzzle/board.h"
#include "puzzle/tracked.h"
#include "search/pruning_automaton.h"
#include "table.h"

enum {
    VIEWS = 2,
    SPREAD_BITS = 2, // so that more of it stays in the caches; of fifteen, one entry in a hundred is above 3
    SPREAD_MOST = 3,
    SPREAD_A_BYTE = 8 / SPREAD_BITS,
    PREFIX_TILES = 3,
    PREFIXES = 1 << (4 * PREFIX_TILES),
    NEVER = UINT8_MAX, // an excess that no bound allows
};

// The beginning of an arrangement's rank (rank.h): what the first tiles make of it.
struct prefix {
    struct lehmer code;
    uint64_t rank;
};

struct estimator {
    const uint8_t *entries; // excesses: the section's as they were unpacked, or `spread`
    unsigned bits;          // of one
    unsigned tiles;
    unsigned cells;
    unsigned shift; // of its tiles' nibbles in the positions, the first tile's the highest
    const struct prefix *prefixes;
    uint8_t *spread; // by the positions themselves, which need no ranking; NULL for many tiles
};

// A tile as one view sees it: all that its moves need, side by side.
struct seen {
    const uint8_t *spread; // of its database
    uint64_t mask;         // of the database's positions, once they are shifted
    const struct estimator *estimator;
    uint8_t shift;  // of the database's positions
    uint8_t nibble; // shift of the tile's own
    uint8_t part;   // shift of the database's excess among the parts
};

// A move of the blank from a cell, as the tile that it exchanges places with goes.
struct step {
    uint8_t from;          // where the tile is; it goes where the blank is
    uint8_t change[VIEWS]; // of its cell as a view sees it: what tells the two apart
};

struct solver {
    const struct puzzle *puzzle;
    struct step steps[TRACKED_CELLS_MOST][BOARD_MOVES_MOST];                  // by cell of the blank and move
    int8_t farther[TRACKED_CELLS_MOST][TRACKED_CELLS_MOST][BOARD_MOVES_MOST]; // by tile and step: its way home grows
    struct words words;
    struct prefix prefixes[PREFIXES]; // by the cells of the first tiles, a nibble each
    struct estimator estimators[DATABASES_MOST];
    uint8_t database_of[TRACKED_CELLS_MOST];                   // by tile
    uint8_t shift_of[TRACKED_CELLS_MOST];                      // by tile: its nibble in the positions
    struct seen seen[VIEWS][TRACKED_CELLS_MOST];               // by view and tile
    uint8_t manhattan[TRACKED_CELLS_MOST][TRACKED_CELLS_MOST]; // by tile and cell: the way home
    uint8_t cell_of[VIEWS][TRACKED_CELLS_MOST];                // by view and cell: where it is seen
    uint8_t tile_of[VIEWS][TRACKED_CELLS_MOST];                // by view and tile: as which it is seen
};

// Unpacks the databases of a table and makes its solver, once; any number of threads may solve with it, and call this.
// It is freed with the table.
bool solver_prepare(struct fewest *table, struct fewest_error *error);
void solver_free(struct solver *solver);

static inline unsigned cell_at(uint64_t positions, unsigned tile_from_last)
{
    return (unsigned)(positions >> (4 * tile_from_last)) & 15u;
}

static inline unsigned excess_at(const struct estimator *estimator, uint64_t index)
{
    unsigned excess = entry_get(estimator->entries, estimator->bits, index);
    return excess == entry_unreachable(estimator->bits) ? NEVER : excess;
}

#endif
