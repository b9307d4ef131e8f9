// Lays out what the lower bounds of a sliding board need.
#include "search/tile_bounds.h"

#include "index/rank.h"

#include <stdlib.h>
#include <string.h>

// Adds the board itself and the mirror image that keeps the goal's blank in its cell, if there is
// one.
static void add_views(struct tile_bounds *bounds)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct board *board = puzzle->board;
    unsigned home = puzzle->partition.home[0];
    for (unsigned s = 0; s < board->symmetry_count && bounds->views < TILE_VIEWS_MOST; s++) {
        if (board->symmetries[s].to[home] == home) {
            bounds->symmetry[bounds->views++] = &board->symmetries[s];
        }
    }
}

// The tile that a view sees.
static unsigned seen_as(const struct tile_bounds *bounds, unsigned view, unsigned tile)
{
    const struct puzzle *puzzle = bounds->puzzle;
    return puzzle->goals[0][bounds->symmetry[view]->to[puzzle->partition.home[tile]]];
}

static unsigned find_cell(const struct cell_map *map, unsigned mapped)
{
    unsigned cell = 0;
    while (map->to[cell] != mapped) {
        cell++;
    }
    return cell;
}

// Adds a move of the blank from one cell. A tile goes the other way.
static void add_move(struct cell_map *map, struct mapped_move *move, unsigned blank, unsigned from)
{
    unsigned first = map->to[from];
    unsigned last = map->to[blank];
    move->sign = first < last ? 1 : -1;
    move->passed = 0;
    for (unsigned cell = (first < last ? first : last) + 1; cell < (first < last ? last : first);
         cell++) {
        move->passed_at[blank][move->passed++] = (uint8_t)(4 * find_cell(map, cell));
    }
}

// Finds the map of a view and a line, or makes it.
static const struct cell_map *find_map(struct tile_bounds *bounds, unsigned view, unsigned line)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct board *board = puzzle->board;
    const uint8_t *after = board->symmetries[puzzle->partition.lines[line].symmetry].to;
    struct cell_map *map = &bounds->maps[bounds->map_count];
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        map->to[cell] = after[bounds->symmetry[view]->to[cell]];
    }
    for (unsigned i = 0; i < bounds->map_count; i++) {
        if (memcmp(bounds->maps[i].to, map->to, puzzle->cell_count) == 0) {
            return &bounds->maps[i];
        }
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned blank = 0; blank < puzzle->cell_count; blank++) {
            if (board->to[m][blank] != NOWHERE) {
                add_move(map, &map->moves[m], blank, board->to[m][blank]);
            }
        }
    }
    bounds->map_count++;
    return map;
}

// When a tile's digit grows by one, the word grows by this. `order` is the tile's place in its
// database.
static int64_t find_weight(const struct puzzle *puzzle, const struct pattern_database *database,
                           unsigned order, unsigned shift)
{
    uint64_t weight = 1;
    for (unsigned k = order + 1; k < database->count; k++) {
        weight *= puzzle->cell_count - k;
    }
    return (int64_t)(weight << shift);
}

// The tile of the board that a view and its line take to a tile of the line's database.
static unsigned find_tile(const struct tile_bounds *bounds, unsigned view, unsigned line,
                          unsigned stored)
{
    const struct puzzle *puzzle = bounds->puzzle;
    unsigned tile = 1;
    for (unsigned seen = seen_as(bounds, view, tile);
         puzzle->partition.line_of[seen] != line || puzzle->partition.image[seen] != stored;
         seen = seen_as(bounds, view, tile)) {
        tile++;
    }
    return tile;
}

// Adds the database of a line to a view: its place in the words, and what its tiles' moves change.
static void add_line(struct tile_bounds *bounds, const struct fewest *table, unsigned view,
                     unsigned line, unsigned shift)
{
    const struct puzzle *puzzle = bounds->puzzle;
    unsigned number = puzzle->partition.lines[line].database;
    const struct pattern_database *database = &puzzle->partition.databases[number];
    const struct cell_map *map = find_map(bounds, view, line);
    uint8_t bits_log2 = (uint8_t)__builtin_ctz(table->databases[number].section->bits);
    int64_t weight[DATABASE_TILES_MOST] = {0};
    unsigned tile[DATABASE_TILES_MOST] = {0};
    for (unsigned k = 0; k < database->count; k++) {
        weight[k] = find_weight(puzzle, database, k, shift);
        tile[k] = find_tile(bounds, view, line, database->tile[k]);
        bounds->tiles[view][tile[k]] =
            (struct tile_view){.entries = table->databases[number].whole,
                               .blocks = table->databases[number].bytes,
                               .database = &table->databases[number],
                               .bits_log2 = bits_log2,
                               .block_log2 = (uint8_t)(table->header.block_log2 + 3 - bits_log2),
                               .map = map,
                               .mask = (UINT64_C(1) << 4 * database->count) - 1,
                               .shift = (uint8_t)shift,
                               .nibble = (uint8_t)(shift + 4 * (database->count - 1 - k)),
                               .line = (uint8_t)line};
        // The numbers of two neighbours differ by one more than the cells between them.
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            bounds->step[view][tile[k]][m] = weight[k] * (map->moves[m].passed + 1);
        }
    }
    for (unsigned k = 0; k < database->count; k++) {
        for (unsigned other = 0; other < database->count; other++) {
            bounds->passes[view][tile[k]][tile[other]] = other < k   ? -weight[k]
                                                         : other > k ? weight[other]
                                                                     : 0;
        }
    }
}

static void add_moves(struct tile_bounds *bounds)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct grid *grid = &puzzle->board->grid;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned blank = 0; blank < puzzle->cell_count; blank++) {
            unsigned from = puzzle->board->to[m][blank];
            if (from == NOWHERE) {
                continue;
            }
            bounds->from_shift[m][blank] = (uint8_t)(4 * from);
            for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
                unsigned home = puzzle->partition.home[tile];
                bounds->farther[m][blank][tile] = (int8_t)((int)grid_distance(grid, blank, home) -
                                                           (int)grid_distance(grid, from, home));
            }
        }
    }
}

struct tile_bounds *tile_bounds_make(struct fewest *table, struct fewest_error *error)
{
    const struct partition *partition = &table->puzzle.partition;
    struct tile_bounds *bounds = calloc(1, sizeof *bounds);
    if (!bounds) {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the search");
        return NULL;
    }
    bounds->puzzle = &table->puzzle;
    add_views(bounds);
    for (unsigned v = 0; v < bounds->views; v++) {
        unsigned shift = 0;
        for (unsigned l = 0; l < partition->line_count; l++) {
            add_line(bounds, table, v, l, shift);
            // A rank takes at most a nibble for each tile.
            shift += 4 * partition->databases[partition->lines[l].database].count;
        }
    }
    add_moves(bounds);
    return bounds;
}

void tile_bounds_free(struct tile_bounds *bounds)
{
    for (unsigned s = 0; s < STAGES; s++) {
        pruning_automaton_free(&bounds->stages[s].automaton);
    }
    free(bounds);
}

const struct tile_view *tile_bounds_any(const struct tile_bounds *bounds, unsigned view,
                                        unsigned line)
{
    const struct tile_view *tile = &bounds->tiles[view][1];
    while (tile->line != line) {
        tile++;
    }
    return tile;
}

uint64_t tile_bounds_rank(const struct tile_bounds *bounds, unsigned view, unsigned line,
                          const uint8_t *state)
{
    const struct puzzle *puzzle = bounds->puzzle;
    unsigned number = puzzle->partition.lines[line].database;
    const struct pattern_database *database = &puzzle->partition.databases[number];
    uint8_t cells[DATABASE_TILES_MOST];
    for (unsigned k = 0; k < database->count; k++) {
        unsigned tile = find_tile(bounds, view, line, database->tile[k]);
        cells[k] = bounds->tiles[view][tile].map->to[board_find(state, tile)];
    }
    return arrangement_rank(puzzle->cell_count, database->count, cells);
}
