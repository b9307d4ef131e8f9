// Pattern databases, for sliding boards with too many states for a table.
//
// A *pattern database* holds a lower bound for each arrangement of a few tiles: the least number of
// moves *of these tiles* that bring them home, over all cells of the blank and all moves of other
// tiles (J. C. Culberson and J. Schaeffer, "Pattern databases", 1998). In an *additive partition*
// each tile belongs to one database only, so the sum of the entries is also a lower bound (R. E.
// Korf and A. Felner, "Disjoint pattern database heuristics", 2002).
//
// An entry is at least the sum of the tiles' Manhattan distances from home, and has the same
// parity. The table stores the *excess*: half of the difference. In a database of few tiles, an
// excess above 2 is stored as "unreachable", all bits set, so that two bits an entry are enough. A
// search takes that for 3. In the fifteen puzzle, one excess in a hundred is above 3. The index of
// an entry is the arrangement_rank (rank.h) of the cells of the database's tiles, in the order of
// their numbers.
#ifndef FEWEST_TABLES_FAMILIES_BOARD_TILE_DATABASES_H
#define FEWEST_TABLES_FAMILIES_BOARD_TILE_DATABASES_H

#include "tables/algebra/wildcard.h"
#include "tables/base/errors.h"
#include "tables/definition/definition.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    DATABASE_CELLS_MOST = 16, // of a board: a nibble each
    DATABASE_TILES_MOST = 8,  // of one database: 518,918,400 entries on sixteen cells
};

enum { CUT_TILES_MOST = 6, CUT_EXCESS = 3 };

// Tells whether a database of so many tiles stores this excess as it is.
static inline bool pattern_keeps_excess(unsigned tiles, unsigned excess)
{
    return tiles > CUT_TILES_MOST || excess < CUT_EXCESS;
}

struct pattern_database {
    unsigned count; // of tiles
    uint8_t tile[DATABASE_TILES_MOST];
    uint64_t entries;
};

// The tiles of a `Database` line. A symmetry of the board may keep the blank's home in its cell,
// and take the homes of these tiles to the homes of an earlier line's tiles. It then takes each
// arrangement of these tiles to one of the earlier tiles at the same distance. So one database
// answers for both lines.
struct partition_line {
    unsigned database;
    unsigned symmetry; // of the board; 0, the identity, if the line does not share the database
};

struct partition {
    struct pattern_database databases[DATABASES_MOST];
    unsigned count; // 0 in a puzzle that has a table of distances
    struct partition_line lines[DATABASES_MOST];
    unsigned line_count;
    uint8_t home[DATABASE_CELLS_MOST]; // by tile (0 is the blank): its cell in the solved state
};

// A board in its solved state.
struct solved_board {
    unsigned cells;
    const uint8_t *tiles;              // by cell
    const struct symmetry *symmetries; // the first one is the identity
    unsigned symmetry_count;
};

// Makes the partition of a board from the `Database` lines of its definition. They must name every
// tile.
bool partition_make(struct partition *partition, const struct definition *definition,
                    const struct solved_board *board, struct fewest_error *error);

#endif
