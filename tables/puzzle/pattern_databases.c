// Makes the additive partition of a sliding board that is too large for a table.
#include "puzzle/pattern_databases.h"

#include "index/rank.h"
#include "puzzle/board.h"
#include "puzzle/puzzle.h"

#include <assert.h>

// Adds the tiles of a line. `named` has a bit for each tile that some line names.
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
        if (tiles->piece[tile]) {
            if (*named >> tile & 1) {
                return error_set_line(error, FEWEST_BAD_INPUT, tiles->line,
                                      "tile %u is in two `Database` lines; the bounds of a "
                                      "sliding board's databases are added up, so each tile must "
                                      "be in one",
                                      tile);
            }
            database->tile[database->count++] = (uint8_t)tile;
            *named |= 1u << tile;
        }
    }
    database->entries = arrangement_count(cells, database->count);
    return true;
}

static unsigned image_of(const struct puzzle *puzzle, unsigned symmetry, unsigned tile)
{
    unsigned home = puzzle->partition.home[tile];
    return puzzle->goals[0][puzzle->board->symmetries[symmetry].to[home]];
}

unsigned partition_image(const struct puzzle *puzzle, unsigned tile)
{
    const struct partition *partition = &puzzle->partition;
    return image_of(puzzle, partition->lines[partition->line_of[tile]].symmetry, tile);
}

// Does a symmetry take the tiles of one database to those of another?
static bool takes_to(const struct puzzle *puzzle, unsigned symmetry,
                     const struct pattern_database *from, const struct pattern_database *to)
{
    unsigned images = 0;
    unsigned tiles = 0;
    for (unsigned k = 0; k < from->count; k++) {
        images |= 1u << image_of(puzzle, symmetry, from->tile[k]);
    }
    for (unsigned k = 0; k < to->count; k++) {
        tiles |= 1u << to->tile[k];
    }
    return images == tiles;
}

// Finds an earlier database for a line's tiles.
static bool find_shared(const struct puzzle *puzzle, const struct pattern_database *database,
                        struct partition_line *line)
{
    const struct partition *partition = &puzzle->partition;
    for (unsigned d = 0; d < partition->count; d++) {
        for (unsigned s = 1; s < puzzle->board->symmetry_count; s++) {
            if (image_of(puzzle, s, 0) == 0 &&
                takes_to(puzzle, s, database, &partition->databases[d])) {
                *line = (struct partition_line){.database = d, .symmetry = s};
                return true;
            }
        }
    }
    return false;
}

static bool add_line(struct puzzle *puzzle, unsigned number, unsigned *named,
                     struct fewest_error *error)
{
    struct partition *partition = &puzzle->partition;
    struct pattern_database database;
    struct partition_line *line = &partition->lines[partition->line_count++];
    if (!add_tiles(&database, &puzzle->definition->databases[number], puzzle->cell_count, named,
                   error)) {
        return false;
    }
    bool shares = find_shared(puzzle, &database, line);
    if (!shares) {
        line->database = partition->count;
        partition->databases[partition->count++] = database;
    }
    for (unsigned k = 0; k < database.count; k++) {
        partition->line_of[database.tile[k]] = (uint8_t)number;
    }
    puzzle->lines[puzzle->line_count++] =
        (struct database_line){.projection = line->database, .shares = shares};
    return true;
}

bool partition_make(struct puzzle *puzzle, struct fewest_error *error)
{
    struct partition *partition = &puzzle->partition;
    unsigned named = 0;
    assert(puzzle->cell_count <= DATABASE_CELLS_MOST);
    *partition = (struct partition){.count = 0};
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        partition->home[puzzle->goals[0][cell]] = (uint8_t)cell;
    }
    for (unsigned t = 0; t < puzzle->definition->database_count; t++) {
        if (!add_line(puzzle, t, &named, error)) {
            return false;
        }
    }
    for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
        if (!(named >> tile & 1)) {
            return error_set_line(error, FEWEST_BAD_INPUT, puzzle->definition->databases[0].line,
                                  "the `Database` lines of a sliding board must name every tile; "
                                  "none names tile %u",
                                  tile);
        }
    }
    return true;
}
