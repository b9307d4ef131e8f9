// Makes the additive partition of a sliding board that is too large for a table.
#include "puzzle/pattern_databases.h"

#include "index/rank.h"

#include <assert.h>

// Adds the database of one `Database` line. `named` has a bit for each tile that some line names.
static bool add_database(struct partition *partition, const struct projection *tiles,
                         unsigned cells, unsigned *named, struct fewest_error *error)
{
    struct pattern_database *database = &partition->databases[partition->count++];
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

bool partition_make(struct partition *partition, const struct definition *definition,
                    unsigned cells, const uint8_t *solved, struct fewest_error *error)
{
    unsigned named = 0;
    assert(cells <= DATABASE_CELLS_MOST);
    *partition = (struct partition){.count = 0};
    for (unsigned t = 0; t < definition->database_count; t++) {
        if (!add_database(partition, &definition->databases[t], cells, &named, error)) {
            return false;
        }
    }
    for (unsigned tile = 1; tile < cells; tile++) {
        if (!(named >> tile & 1)) {
            return error_set_line(error, FEWEST_BAD_INPUT, definition->databases[0].line,
                                  "the `Database` lines of a sliding board must name every tile; "
                                  "none names tile %u",
                                  tile);
        }
    }
    for (unsigned cell = 0; cell < cells; cell++) {
        partition->home[solved[cell]] = (uint8_t)cell;
    }
    return true;
}
