// Sliding boards with too many states for a table: pattern databases estimate, and a search answers.
//
// A database tracks a few of the tiles. Its entry is the least number of moves *of these tiles* that bring them home,
// over all cells where the blank may be and whatever the other tiles do (J. C. Culberson and J. Schaeffer, "Pattern
// databases", 1998). Each tile is tracked by one database alone, so that the entries add up to an estimate that is
// never too large (R. E. Korf and A. Felner, "Disjoint pattern database heuristics", 2002).
//
// No entry is below the tiles' Manhattan distances from home, and it has their parity. What is kept
// is the *excess*, half of what it is above them. Its index is arrangement_rank (rank.h) of the
// cells where the tracked tiles are, in the order of their numbers.
#ifndef FEWEST_TABLES_TRACKED_H
#define FEWEST_TABLES_TRACKED_H

#include "puzzle/puzzle.h"

enum {
    TRACKED_CELLS_MOST = 16, // of a board: a nibble each
    TRACKED_TILES_MOST = 8,  // by one database: 518,918,400 entries on sixteen cells
};

struct database {
    unsigned count; // of tiles
    uint8_t tile[TRACKED_TILES_MOST];
    uint64_t entries;
};

struct tracked {
    struct database databases[DATABASES_MOST];
    unsigned count;
    uint8_t home[TRACKED_CELLS_MOST]; // by tile, 0 the blank: its cell when solved
};

// Fills a puzzle that holds only its name, kind and metric. On failure the caller frees what is there.
bool tracked_compile(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error);

#endif
