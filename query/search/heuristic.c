// Lays out pattern databases for fast look-ups.
#include "search/heuristic.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PRUNED_LENGTH = 12,    // moves; 15,222 states on sixteen cells, 6 ms; two more prune little
    SPREAD_TILES_MOST = 6, // 4 MiB
    HUGE_PAGE = 1 << 21,
};

// A pass through the arrangements of a database's tiles, in the order of their ranks.
struct spreading {
    const struct lookup *lookup;
    uint64_t entry;
};

static void spread_entries(struct spreading *spreading, unsigned tile, unsigned taken,
                           size_t positions)
{
    const struct lookup *lookup = spreading->lookup;
    if (tile == lookup->tiles) {
        unsigned excess = excess_at(lookup, spreading->entry++);
        excess = excess > SPREAD_MOST ? SPREAD_MOST : excess; // still no overestimate
        lookup->spread[positions / SPREAD_A_BYTE] |=
            (uint8_t)(excess << positions % SPREAD_A_BYTE * SPREAD_BITS);
        return;
    }
    for (unsigned cell = 0; cell < lookup->cells; cell++) {
        if (!(taken >> cell & 1)) {
            spread_entries(spreading, tile + 1, taken | 1u << cell, positions << 4 | cell);
        }
    }
}

static bool add_spread(struct lookup *lookup, struct fewest_error *error)
{
    struct spreading spreading = {.lookup = lookup};
    size_t size = (((size_t)1 << (4 * lookup->tiles)) / SPREAD_A_BYTE + HUGE_PAGE - 1) / HUGE_PAGE *
                  HUGE_PAGE;
    // Huge pages, because the look-ups are scattered.
    lookup->spread = aligned_alloc(HUGE_PAGE, size);
    if (!lookup->spread) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pattern databases");
    }
    madvise(lookup->spread, size, MADV_HUGEPAGE); // without huge pages it is only slower
    memset(lookup->spread, 0, size);
    spread_entries(&spreading, 0, 0, 0);
    return true;
}

static bool add_lookup(struct fewest *table, struct heuristic *heuristic, unsigned d,
                       unsigned shift, struct fewest_error *error)
{
    const struct pattern_database *database = &table->puzzle.partition.databases[d];
    struct lookup *lookup = &heuristic->lookups[d];
    *lookup = (struct lookup){.entries = table->databases[d].bytes,
                              .bits = table->databases[d].section->bits,
                              .tiles = database->count,
                              .cells = table->puzzle.cell_count,
                              .shift = shift,
                              .prefixes = heuristic->prefixes};
    for (unsigned t = 0; t < database->count; t++) {
        heuristic->database_of[database->tile[t]] = (uint8_t)d;
        heuristic->shift_of[database->tile[t]] = (uint8_t)(shift + 4 * (database->count - 1 - t));
    }
    return table_unpack_all(table, &table->databases[d], error) &&
           (database->count > SPREAD_TILES_MOST || add_spread(lookup, error));
}

static void add_prefixes(struct heuristic *heuristic)
{
    for (unsigned number = 0; number < PREFIXES; number++) {
        struct prefix *prefix = &heuristic->prefixes[number];
        prefix->code = lehmer_start();
        for (unsigned t = 0; t < PREFIX_TILES; t++) { // never used if a cell appears twice
            prefix->rank = prefix->rank * (heuristic->puzzle->cell_count - t) +
                           lehmer_digit(&prefix->code, cell_at(number, PREFIX_TILES - 1 - t));
        }
    }
}

// Adds the board itself and the mirror image that keeps the goal's blank in its cell. If there is
// no such image, adds the board twice.
static void add_views(struct heuristic *heuristic)
{
    const struct puzzle *puzzle = heuristic->puzzle;
    const struct board *board = puzzle->board;
    const uint8_t *home = puzzle->partition.home;
    const struct symmetry *mirror = &board->symmetries[0]; // the identity
    for (unsigned s = 1; s < board->symmetry_count && mirror == &board->symmetries[0]; s++) {
        if (board->symmetries[s].to[home[0]] == home[0]) {
            mirror = &board->symmetries[s];
        }
    }
    for (unsigned v = 0; v < VIEWS; v++) {
        const uint8_t *to = v == 0 ? board->symmetries[0].to : mirror->to;
        for (unsigned i = 0; i < puzzle->cell_count; i++) {
            heuristic->cell_of[v][i] = to[i];
            heuristic->tile_of[v][i] = puzzle->goals[0][to[home[i]]];
        }
    }
}

static void add_blank_moves(struct heuristic *heuristic)
{
    const struct puzzle *puzzle = heuristic->puzzle;
    for (unsigned blank = 0; blank < puzzle->cell_count; blank++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            unsigned from = puzzle->board->to[m][blank];
            if (from == NOWHERE) {
                continue;
            }
            struct blank_move *blank_move = &heuristic->blank_moves[blank][m];
            blank_move->from = (uint8_t)from;
            for (unsigned v = 0; v < VIEWS; v++) {
                blank_move->change[v] = heuristic->cell_of[v][from] ^ heuristic->cell_of[v][blank];
            }
            for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
                heuristic->farther[tile][blank][m] =
                    (int8_t)(heuristic->manhattan[tile][blank] - heuristic->manhattan[tile][from]);
            }
        }
    }
}

static void add_tile_views(struct heuristic *heuristic)
{
    for (unsigned v = 0; v < VIEWS; v++) {
        for (unsigned tile = 1; tile < heuristic->puzzle->cell_count; tile++) {
            unsigned as = heuristic->tile_of[v][tile];
            unsigned d = heuristic->database_of[as];
            const struct lookup *lookup = &heuristic->lookups[d];
            heuristic->tile_views[v][tile] =
                (struct tile_view){.spread = lookup->spread,
                                   .mask = (UINT64_C(1) << (4 * lookup->tiles)) - 1,
                                   .lookup = lookup,
                                   .shift = (uint8_t)lookup->shift,
                                   .nibble = heuristic->shift_of[as],
                                   .excess_shift = (uint8_t)(8 * d)};
        }
    }
}

static bool fill_heuristic(struct fewest *table, struct heuristic *heuristic,
                           struct fewest_error *error)
{
    const struct puzzle *puzzle = heuristic->puzzle;
    unsigned shift = 0;
    for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
        for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
            heuristic->manhattan[tile][cell] =
                (uint8_t)grid_distance(&puzzle->board->grid, cell, puzzle->partition.home[tile]);
        }
    }
    add_views(heuristic);
    add_blank_moves(heuristic);
    add_prefixes(heuristic);
    for (unsigned d = 0; d < puzzle->partition.count; d++) {
        if (!add_lookup(table, heuristic, d, shift, error)) {
            return false;
        }
        shift += 4 * puzzle->partition.databases[d].count;
    }
    add_tile_views(heuristic);
    struct automaton_moves moves = {.count = puzzle->move_count, .board = puzzle->board};
    struct automaton_limits limits = {PRUNED_LENGTH, UINT64_MAX, UINT64_MAX};
    return pruning_automaton_build(&heuristic->automaton, &moves, &limits, error);
}

static bool make_heuristic(struct fewest *table, struct fewest_error *error)
{
    struct heuristic *heuristic = calloc(1, sizeof *heuristic);
    if (!heuristic) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the search");
    }
    heuristic->puzzle = &table->puzzle;
    if (!fill_heuristic(table, heuristic, error)) {
        heuristic_free(heuristic);
        return false;
    }
    table->heuristic = heuristic;
    return true;
}

bool heuristic_prepare(struct fewest *table, struct fewest_error *error)
{
    if (table->heuristic) {
        return true;
    }
    pthread_mutex_lock(&table->heuristic_lock); // one thread makes the heuristic, the others wait
    bool made = table->heuristic || make_heuristic(table, error);
    pthread_mutex_unlock(&table->heuristic_lock);
    return made;
}

void heuristic_free(struct heuristic *heuristic)
{
    if (!heuristic) {
        return;
    }
    pruning_automaton_free(&heuristic->automaton);
    for (unsigned d = 0; d < DATABASES_MOST; d++) {
        free(heuristic->lookups[d].spread);
    }
    free(heuristic);
}
