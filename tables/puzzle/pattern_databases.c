// Compiles a sliding board that is searched with pattern databases.
#include "puzzle/pattern_databases.h"

#include "puzzle/board.h"
#include "puzzle/sliding.h"

#include <stdlib.h>
#include <string.h>

static bool no_table(const struct puzzle *puzzle, struct fewest_error *error)
{
    return error_set(error, FEWEST_BEYOND, "%s is solved by a search: its table holds no distances, which this needs",
                     puzzle->name);
}

_Static_assert(DATABASE_CELLS_MOST == 16, "sliding.c says so in a message");

// ---- Functions of a family that a searched board lacks ------------------------------------------------------------

static uint64_t rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    (void)puzzle;
    (void)root;
    (void)relative;
    return INDEX_NONE;
}

static void unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative)
{
    (void)root;
    (void)index;
    memcpy(relative, puzzle->goals[0], puzzle->cell_count);
}

static void neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *found)
{
    (void)root;
    (void)index;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        found[m] = INDEX_NONE;
    }
}

static bool relate(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, unsigned *root,
                   uint8_t *relative, struct fewest_error *error)
{
    (void)start;
    (void)target;
    (void)root;
    (void)relative;
    return no_table(puzzle, error);
}

static bool counts_to(const struct puzzle *puzzle, const uint8_t *target)
{
    (void)puzzle;
    (void)target;
    return false;
}

static const struct family SEARCHED_FAMILY = {rank, unrank, neighbours, neighbours, sliding_apply, relate, counts_to};

// ---- Compiling ----------------------------------------------------------------------------------------------------

static bool add_databases(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error)
{
    struct partition *partition = puzzle->partition;
    unsigned taken = 1; // the blank
    for (unsigned d = 0; d < definition->track_count; d++) {
        const struct track *track = &definition->tracks[d];
        struct pattern_database *database = &partition->databases[d];
        if (track->count > DATABASE_TILES_MOST) {
            return error_set_line(error, FEWEST_BEYOND, track->line,
                                  "`Track` names %u tiles; a pattern database has at most %d", track->count,
                                  DATABASE_TILES_MOST);
        }
        for (unsigned tile = 1; tile < puzzle->cell_count; tile++) { // in rising order
            if (track->tile[tile]) {
                database->tile[database->count++] = (uint8_t)tile;
                taken |= 1u << tile;
            }
        }
        database->entries = arrangement_count(puzzle->cell_count, database->count);
    }
    partition->count = definition->track_count;
    for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
        if (!(taken >> tile & 1)) {
            return error_set_line(
                error, FEWEST_BAD_INPUT, definition->tracks[0].line,
                "on a sliding board, `Track` lines make pattern databases and must name every tile; none names tile %u",
                tile);
        }
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        partition->home[puzzle->goals[0][cell]] = (uint8_t)cell;
    }
    return true;
}

bool pattern_databases_compile(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error)
{
    puzzle->family = &SEARCHED_FAMILY;
    if (definition->goal_count > 0) {
        return error_set_line(error, FEWEST_BAD_INPUT, definition->goal_lines[0],
                              "`Goal` can't be used with `Track`: a search has one goal, `Solved`");
    }
    if (!board_build(puzzle, definition, DATABASE_CELLS_MOST, "", error)) {
        return false;
    }
    puzzle->partition = calloc(1, sizeof *puzzle->partition);
    if (!puzzle->partition || !sliding_add_segment(puzzle)) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the puzzle");
    }
    return add_databases(puzzle, definition, error);
}
