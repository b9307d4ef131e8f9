// Lays out what the lower bounds of a sliding board need.
#include "search/tile_bounds.h"

#include "index/rank.h"

#include <stdlib.h>
#include <string.h>

enum {
    // The longest forbidden sequences. Length 8 makes 878 states on sixteen cells, and prunes most.
    // Length 12 makes 15,222 in 6 ms; two more prune little.
    PRUNED_IN_SHORT = 8,
    PRUNED_IN_LONG = 12,
};

static const double LONG_SEARCH = 500000; // nodes: some 10 ms

// Adds the board itself and the mirror image that keeps the goal's blank in its cell, if there is
// one.
static void add_views(struct tile_bounds *bounds)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct board *board = puzzle->board;
    const uint8_t *home = puzzle->partition.home;
    for (unsigned s = 0; s < board->symmetry_count && bounds->views < TILE_VIEWS_MOST; s++) {
        const uint8_t *to = board->symmetries[s].to;
        if (to[home[0]] == home[0]) {
            for (unsigned i = 0; i < puzzle->cell_count; i++) {
                bounds->cell_of[bounds->views][i] = to[i];
                bounds->tile_of[bounds->views][i] = puzzle->goals[0][to[home[i]]];
            }
            bounds->views++;
        }
    }
}

// What one more in a tile's digit adds to the word. `order` is the tile's place in its database.
static int64_t find_weight(const struct puzzle *puzzle, const struct pattern_database *database,
                           unsigned order, unsigned shift)
{
    uint64_t weight = 1;
    for (unsigned k = order + 1; k < database->count; k++) {
        weight *= puzzle->cell_count - k;
    }
    return (int64_t)(weight << shift);
}

// Adds a database to a view: its place in the words, and its tiles' weights.
static void add_database(struct tile_bounds *bounds, const struct fewest *table, unsigned view,
                         unsigned number, unsigned shift)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct pattern_database *database = &puzzle->partition.databases[number];
    int64_t weight[DATABASE_TILES_MOST];
    unsigned own[DATABASE_TILES_MOST]; // the board's tiles that the view sees as the database's
    for (unsigned k = 0; k < database->count; k++) {
        weight[k] = find_weight(puzzle, database, k, shift);
        for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
            if (bounds->tile_of[view][tile] == database->tile[k]) {
                own[k] = tile;
            }
        }
        bounds->tiles[view][own[k]] =
            (struct tile_view){.database = &table->databases[number],
                               .mask = (UINT64_C(1) << 4 * database->count) - 1,
                               .shift = (uint8_t)shift,
                               .excess_shift = (uint8_t)(8 * number)};
    }
    for (unsigned k = 0; k < database->count; k++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            bounds->moves[view][m].step[own[k]] = weight[k];
        }
        for (unsigned other = 0; other < database->count; other++) {
            bounds->passes[view][own[k]][own[other]] = other < k   ? -weight[k]
                                                       : other > k ? weight[other]
                                                                   : 0;
        }
    }
}

static unsigned find_cell(const struct tile_bounds *bounds, unsigned view, unsigned cell_of_view)
{
    unsigned cell = 0;
    while (bounds->cell_of[view][cell] != cell_of_view) {
        cell++;
    }
    return cell;
}

// Adds a move of the blank from one cell. A tile goes the other way.
static void add_move(struct tile_bounds *bounds, unsigned view, unsigned move, unsigned blank)
{
    unsigned from = bounds->cell_of[view][bounds->puzzle->board->to[move][blank]];
    unsigned to = bounds->cell_of[view][blank];
    struct move_view *seen = &bounds->moves[view][move];
    seen->sign = from < to ? 1 : -1;
    seen->passed = 0;
    for (unsigned cell = (from < to ? from : to) + 1; cell < (from < to ? to : from); cell++) {
        seen->passed_at[blank][seen->passed++] = (uint8_t)(4 * find_cell(bounds, view, cell));
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
            for (unsigned v = 0; v < bounds->views; v++) {
                add_move(bounds, v, m, blank);
            }
        }
        // The distance of two neighbours in row-major order depends only on the move.
        for (unsigned v = 0; v < bounds->views; v++) {
            struct move_view *seen = &bounds->moves[v][m];
            for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
                seen->step[tile] *= seen->passed + 1;
            }
        }
    }
}

static bool build_automaton(struct pruning_automaton *automaton, const struct puzzle *puzzle,
                            unsigned length, struct fewest_error *error)
{
    struct automaton_moves moves = {.count = puzzle->move_count, .board = puzzle->board};
    struct automaton_limits limits = {length, UINT64_MAX, UINT64_MAX};
    return pruning_automaton_build(automaton, &moves, &limits, error);
}

const struct pruning_automaton *tile_bounds_automaton(struct fewest *table, double nodes,
                                                      struct fewest_error *error)
{
    struct tile_bounds *bounds = table->bounds;
    if (nodes < LONG_SEARCH && !bounds->has_large) {
        return &bounds->small;
    }
    pthread_mutex_lock(&table->bounds_lock);
    bool made =
        bounds->has_large || build_automaton(&bounds->large, bounds->puzzle, PRUNED_IN_LONG, error);
    bounds->has_large = made;
    pthread_mutex_unlock(&table->bounds_lock);
    return made ? &bounds->large : NULL;
}

void *tile_bounds_make(struct fewest *table, struct fewest_error *error)
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
        for (unsigned d = 0; d < partition->count; d++) {
            add_database(bounds, table, v, d, shift);
            shift += 4 * partition->databases[d].count; // a rank has at most a nibble for each tile
        }
    }
    add_moves(bounds);
    if (!build_automaton(&bounds->small, bounds->puzzle, PRUNED_IN_SHORT, error)) {
        free(bounds);
        return NULL;
    }
    return bounds;
}

void tile_bounds_free(void *made)
{
    struct tile_bounds *bounds = made;
    pruning_automaton_free(&bounds->small);
    pruning_automaton_free(&bounds->large);
    free(bounds);
}

uint64_t tile_bounds_rank(const struct tile_bounds *bounds, unsigned view, unsigned database,
                          const uint8_t *state)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct pattern_database *tiles = &puzzle->partition.databases[database];
    uint8_t cells[DATABASE_TILES_MOST];
    for (unsigned k = 0; k < tiles->count; k++) {
        for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
            if (state[cell] != 0 && bounds->tile_of[view][state[cell]] == tiles->tile[k]) {
                cells[k] = bounds->cell_of[view][cell];
            }
        }
    }
    return arrangement_rank(puzzle->cell_count, tiles->count, cells);
}
