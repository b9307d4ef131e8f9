// Makes the additive partition of a sliding board that is too large for a table.
#include "tile_databases.h"

#include "tables/algebra/rank.h"

#include <assert.h>

// Fills in a database of the tiles that a `Database` line names. *named has a bit for each tile
// that an earlier line names; adds those of this line. Fails if the line names too many tiles, or
// one that is in an earlier line.
static bool add_tiles(struct pattern_database *database, const struct projection *tiles,
                      unsigned cells, unsigned *named, struct fewest_error *error)
{
    *database = (struct pattern_database){.count = 0};
    if (tiles->count > DATABASE_TILES_MOST) {
        return error_set_line(error, FEWEST_BEYOND, tiles->line,
                              "`Database` names %u tiles; a pattern database has at most %d",
                              tiles->count, DATABASE_TILES_MOST);
    }
    for (unsigned tile = 1; tile < cells; tile++) { // in rising order
        if (!tiles->piece[tile]) {
            continue;
        }
        if (*named >> tile & 1) {
            return error_set_line(error, FEWEST_BAD_INPUT, tiles->line,
                                  "tile %u is in two `Database` lines; the bounds of a sliding "
                                  "board's databases are added up, so each tile must be in one",
                                  tile);
        }
        database->tile[database->count++] = (uint8_t)tile;
        *named |= 1u << tile;
    }
    database->entries = arrangement_count(cells, database->count);
    return true;
}

// Returns the tile to whose home a symmetry takes the home of `tile`. Tile 0 is the blank.
static unsigned find_image(const struct partition *partition, const struct solved_board *board,
                           unsigned symmetry, unsigned tile)
{
    return board->tiles[board->symmetries[symmetry].to[partition->home[tile]]];
}

// Does a symmetry take the tiles of one database to those of another?
static bool takes_to(const struct partition *partition, const struct solved_board *board,
                     unsigned symmetry, const struct pattern_database *from,
                     const struct pattern_database *to)
{
    unsigned images = 0; // a bit for each tile
    unsigned tiles = 0;
    for (unsigned k = 0; k < from->count; k++) {
        images |= 1u << find_image(partition, board, symmetry, from->tile[k]);
    }
    for (unsigned k = 0; k < to->count; k++) {
        tiles |= 1u << to->tile[k];
    }
    return images == tiles;
}

// Sets the database of a line: that of an earlier line, if a symmetry that keeps the blank's home
// takes the tiles to those of that line. Otherwise adds the line's own database to the partition;
// the symmetry stays 0, the identity. (*line is all 0 before.)
static void choose_database(struct partition *partition, const struct solved_board *board,
                            const struct pattern_database *database, struct partition_line *line)
{
    for (unsigned d = 0; d < partition->count; d++) {
        for (unsigned s = 1; s < board->symmetry_count; s++) {
            if (find_image(partition, board, s, 0) == 0 &&
                takes_to(partition, board, s, database, &partition->databases[d])) {
                *line = (struct partition_line){.database = d, .symmetry = s};
                return;
            }
        }
    }
    line->database = partition->count;
    partition->databases[partition->count++] = *database;
}

// Each line gets its own database, or that of an earlier line. Then every tile must have a line.
bool partition_make(struct partition *partition, const struct definition *definition,
                    const struct solved_board *board, struct fewest_error *error)
{
    unsigned named = 0;
    assert(board->cells <= DATABASE_CELLS_MOST);
    *partition = (struct partition){.count = 0};
    for (unsigned cell = 0; cell < board->cells; cell++) {
        partition->home[board->tiles[cell]] = (uint8_t)cell;
    }
    for (unsigned l = 0; l < definition->database_count; l++) {
        struct pattern_database database;
        if (!add_tiles(&database, &definition->databases[l], board->cells, &named, error)) {
            return false;
        }
        choose_database(partition, board, &database, &partition->lines[partition->line_count++]);
    }
    for (unsigned tile = 1; tile < board->cells; tile++) {
        if (!(named >> tile & 1)) {
            return error_set_line(error, FEWEST_BAD_INPUT, definition->databases[0].line,
                                  "the `Database` lines of a sliding board must name every tile; "
                                  "none names tile %u",
                                  tile);
        }
    }
    return true;
}
