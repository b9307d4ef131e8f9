// Lays out the pattern databases for the search.
#include "search/heuristic.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    WORD_DEPTH = 12,       // 15,222 states on sixteen cells, 8 ms; two more prune little
    SPREAD_TILES_MOST = 6, // 4 MiB
    HUGE_PAGE = 1 << 21,
};

// Goes through the arrangements of a database's tiles in the order of their ranks.
struct spreading {
    const struct estimator *estimator; // its entries still those of the section
    uint64_t entry;
};

static void spread(struct spreading *spreading, unsigned tile, unsigned taken, size_t positions)
{
    const struct estimator *estimator = spreading->estimator;
    if (tile == estimator->tiles) {
        unsigned excess = excess_at(estimator, spreading->entry++);
        excess = excess > SPREAD_MOST ? SPREAD_MOST : excess; // still no overestimate
        estimator->spread[positions / SPREAD_A_BYTE] |= (uint8_t)(excess << positions % SPREAD_A_BYTE * SPREAD_BITS);
        return;
    }
    for (unsigned cell = 0; cell < estimator->cells; cell++) {
        if (!(taken >> cell & 1)) {
            spread(spreading, tile + 1, taken | 1u << cell, positions << 4 | cell);
        }
    }
}

static bool add_spread(struct estimator *estimator, struct fewest_error *error)
{
    struct spreading spreading = {.estimator = estimator};
    size_t size = (((size_t)1 << (4 * estimator->tiles)) / SPREAD_A_BYTE + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    estimator->spread = aligned_alloc(HUGE_PAGE, size); // whole huge pages: the look-ups go all over it
    if (!estimator->spread) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pattern databases");
    }
    madvise(estimator->spread, size, MADV_HUGEPAGE); // without them it is only slower
    memset(estimator->spread, 0, size);
    spread(&spreading, 0, 0, 0);
    return true;
}

static bool unpack_all(struct fewest *table, const struct unpacked *unpacked, struct fewest_error *error)
{
    uint64_t blocks = section_blocks(&table->header, unpacked->section);
    for (uint64_t b = 0; b < blocks; b++) {
        if (!table_need(table, unpacked, b, error)) {
            return false;
        }
    }
    return true;
}

static bool add_estimator(struct fewest *table, struct solver *solver, unsigned d, unsigned shift,
                          struct fewest_error *error)
{
    const struct database *database = &table->puzzle.tracked->databases[d];
    struct estimator *estimator = &solver->estimators[d];
    *estimator = (struct estimator){.entries = table->databases[d].bytes,
                                    .bits = table->databases[d].section->bits,
                                    .tiles = database->count,
                                    .cells = table->puzzle.cell_count,
                                    .shift = shift,
                                    .prefixes = solver->prefixes};
    for (unsigned t = 0; t < database->count; t++) {
        solver->database_of[database->tile[t]] = (uint8_t)d;
        solver->shift_of[database->tile[t]] = (uint8_t)(shift + 4 * (database->count - 1 - t));
    }
    return unpack_all(table, &table->databases[d], error) &&
           (database->count > SPREAD_TILES_MOST || add_spread(estimator, error));
}

static void add_prefixes(struct solver *solver)
{
    for (unsigned number = 0; number < PREFIXES; number++) {
        struct prefix *prefix = &solver->prefixes[number];
        prefix->code = lehmer_start();
        for (unsigned t = 0; t < PREFIX_TILES; t++) { // of no use where a cell stands twice
            prefix->rank = prefix->rank * (solver->puzzle->cell_count - t) +
                           lehmer_digit(&prefix->code, cell_at(number, PREFIX_TILES - 1 - t));
        }
    }
}

// The board as it stands and, if there is one, a mirror image that keeps the goal's blank; else the same again.
static void add_views(struct solver *solver)
{
    const struct puzzle *puzzle = solver->puzzle;
    const struct board *board = puzzle->board;
    const uint8_t *home = puzzle->tracked->home;
    const struct symmetry *mirror = &board->symmetries[0]; // the identity
    for (unsigned s = 1; s < board->symmetry_count && mirror == &board->symmetries[0]; s++) {
        if (board->symmetries[s].to[home[0]] == home[0]) {
            mirror = &board->symmetries[s];
        }
    }
    for (unsigned v = 0; v < VIEWS; v++) {
        const uint8_t *to = v == 0 ? board->symmetries[0].to : mirror->to;
        for (unsigned i = 0; i < puzzle->cell_count; i++) {
            solver->cell_of[v][i] = to[i];
            solver->tile_of[v][i] = puzzle->goals[0][to[home[i]]];
        }
    }
}

static void add_steps(struct solver *solver)
{
    const struct puzzle *puzzle = solver->puzzle;
    for (unsigned blank = 0; blank < puzzle->cell_count; blank++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            unsigned from = puzzle->board->to[m][blank];
            if (from == NOWHERE) {
                continue;
            }
            struct step *step = &solver->steps[blank][m];
            step->from = (uint8_t)from;
            for (unsigned v = 0; v < VIEWS; v++) {
                step->change[v] = solver->cell_of[v][from] ^ solver->cell_of[v][blank];
            }
            for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
                solver->farther[tile][blank][m] =
                    (int8_t)(solver->manhattan[tile][blank] - solver->manhattan[tile][from]);
            }
        }
    }
}

static void add_seen(struct solver *solver)
{
    for (unsigned v = 0; v < VIEWS; v++) {
        for (unsigned tile = 1; tile < solver->puzzle->cell_count; tile++) {
            unsigned as = solver->tile_of[v][tile];
            unsigned d = solver->database_of[as];
            const struct estimator *estimator = &solver->estimators[d];
            solver->seen[v][tile] = (struct seen){.spread = estimator->spread,
                                                  .mask = (UINT64_C(1) << (4 * estimator->tiles)) - 1,
                                                  .estimator = estimator,
                                                  .shift = (uint8_t)estimator->shift,
                                                  .nibble = solver->shift_of[as],
                                                  .part = (uint8_t)(8 * d)};
        }
    }
}

static bool fill_solver(struct fewest *table, struct solver *solver, struct fewest_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    unsigned shift = 0;
    for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
        for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
            solver->manhattan[tile][cell] =
                (uint8_t)grid_distance(&puzzle->board->grid, cell, puzzle->tracked->home[tile]);
        }
    }
    add_views(solver);
    add_steps(solver);
    add_prefixes(solver);
    for (unsigned d = 0; d < puzzle->tracked->count; d++) {
        if (!add_estimator(table, solver, d, shift, error)) {
            return false;
        }
        shift += 4 * puzzle->tracked->databases[d].count;
    }
    add_seen(solver);
    return words_build(&solver->words, puzzle->board, puzzle->move_count, WORD_DEPTH, error);
}

static bool make_solver(struct fewest *table, struct fewest_error *error)
{
    struct solver *solver = calloc(1, sizeof *solver);
    if (!solver) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the search");
    }
    solver->puzzle = &table->puzzle;
    if (!fill_solver(table, solver, error)) {
        solver_free(solver);
        return false;
    }
    table->solver = solver;
    return true;
}

bool solver_prepare(struct fewest *table, struct fewest_error *error)
{
    if (table->solver) {
        return true;
    }
    pthread_mutex_lock(&table->solver_lock); // one thread makes it, the others wait
    bool made = table->solver || make_solver(table, error);
    pthread_mutex_unlock(&table->solver_lock);
    return made;
}

void solver_free(struct solver *solver)
{
    if (!solver) {
        return;
    }
    words_free(&solver->words);
    for (unsigned d = 0; d < DATABASES_MOST; d++) {
        free(solver->estimators[d].spread);
    }
    free(solver);
}
