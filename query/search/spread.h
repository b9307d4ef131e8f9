// Pattern databases of a sliding board, spread for long searches. Internal to query/.
//
// A short search reads each entry in its place in the table, at the rank of the tiles' cells. Once
// a table has served many nodes, it pays to spread the databases. Then each entry has two bits, and
// the index has a nibble for each tile: its cell. Most indices are never used, but a move changes
// only one nibble. An excess above 3 becomes 3, so it is never too large.
#ifndef FEWEST_QUERY_SPREAD_H
#define FEWEST_QUERY_SPREAD_H

#include "search/tile_bounds.h"

enum {
    SPREAD_TILES_MOST = 6, // of a database: 4 MiB
    SPREAD_MOST = 3,       // the largest excess
    // Two bits. An index counts bits, so that it need not be doubled for each look-up.
    SPREAD_BITS = 2,
    SPREAD_WORD = 32,
};

struct spread {
    uint32_t *entries;              // of all databases, one after the other, as bits of words
    uint32_t first[DATABASES_MOST]; // by `Database` line: the index of its database's first entry
};

// Can these databases be spread? One may have too many tiles.
bool spread_fits(const struct partition *partition);

// Spreads the databases of a table, which fit. NULL on failure. The caller frees with spread_free,
// which accepts NULL.
struct spread *spread_make(struct fewest *table, struct fewest_error *error);
void spread_free(struct spread *spread);

// The part of an index that stands for a tile in this cell.
static inline uint32_t spread_index(const struct tile_view *view, unsigned cell)
{
    return (uint32_t)cell * SPREAD_BITS << (view->nibble - view->shift);
}

// The word that holds an entry.
static inline const uint32_t *spread_at(const struct spread *spread, uint32_t index)
{
    return &spread->entries[index / SPREAD_WORD];
}

static inline unsigned spread_get(const struct spread *spread, uint32_t index)
{
    return *spread_at(spread, index) >> index % SPREAD_WORD & SPREAD_MOST;
}

#endif
