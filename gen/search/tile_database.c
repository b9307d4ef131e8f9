// The search behind a pattern database.
//
// A state is the cells of the database's tiles and the *region* of the blank: a connected part of
// the cells that these tiles leave free. Moves of the blank within its region do not count. So a
// step is a move of one of the tiles, and the search is breadth first, with a layer for each number
// of such moves. The distance of an arrangement is the first layer that has it with any region.
//
// All arrangements on the same set of cells are a *block*. The *order* of an arrangement tells
// which of the set's cells each tile has. When a tile moves to a cell beside its own, three things
// change, in the same way for the whole block:
//   - the set loses the tile's old cell and gains the new one;
//   - the blank leaves the region of the new cell and enters that of the old one;
//   - every order changes by the same shift of the cells between the two.
// So a step takes a block to a block, through one map of orders.
//
// In each layer, every block that may be reached pulls new states from its neighbours. So a block
// has a single writer, and threads do not wait for each other. A step changes the checkerboard
// colour of a set: the sources of a layer have one colour, its targets the other.
#include "tile_database.h"

#include "gen/layers/eight_bytes.h"
#include "search.h"
#include "tables/algebra/rank.h"
#include "tables/base/parallel.h"
#include "tables/families/board/board.h"
#include "tables/families/board/tile_databases.h"

#include <stdlib.h>
#include <string.h>

enum {
    SETS_ALL = 1 << DATABASE_CELLS_MOST,
    ORDERS_MOST = 40320,
    NO_SET = UINT16_MAX,
    RUN = 24, // orders in which all tiles but the last four keep their places
    RUNS_MOST = ORDERS_MOST / RUN,
};

// Tells where a step takes each order of a set. A run whose orders stay neighbours moves as a
// whole: this makes databases of six and of seven tiles in 0.6 of the time.
struct shift {
    uint16_t order[ORDERS_MOST]; // by order: the new order
    bool stays[RUNS_MOST];       // by run: do its orders stay neighbours?
};

struct expansion {
    const struct puzzle *puzzle;
    const struct board *board;
    const struct pattern_database *database;
    unsigned tiles;
    unsigned cells;
    unsigned orders; // of each set: tiles!
    unsigned length; // of a block in bytes: its orders, filled up to a whole run
    unsigned sets;   // as many as blocks
    // By tile and cell: the Manhattan distance from home.
    uint8_t manhattan[DATABASE_TILES_MOST][DATABASE_CELLS_MOST];
    uint16_t *mask;                         // by set: its cells
    uint16_t *set_of;                       // by mask: its set
    uint8_t (*region)[DATABASE_CELLS_MOST]; // by set and free cell: its region
    struct shift *shifts;                   // by the tile's place before and its place after
    uint8_t *opened;          // by arrangement, a bit for each region: is it in the newest layer?
    uint8_t *closed;          // the same: is it reached?
    uint8_t *distance;        // by arrangement
    bool *active;             // by set: does `opened` hold states of the newest layer?
    unsigned layer;           // distance of the layer that is searched now
    unsigned colour;          // of the sets in this layer
    _Atomic uint64_t found;   // states in this layer
    _Atomic uint64_t reached; // arrangements so far
};

// The number of bits of a mask that are lower than bit `cell`.
static unsigned bits_below(unsigned mask, unsigned cell)
{
    return count_bits(mask & ((1u << cell) - 1));
}

// The checkerboard colour of a set of cells: 1 if an odd number of them have the colour 1, else 0.
static unsigned colour_of_set(const struct expansion *e, unsigned mask)
{
    unsigned colour = 0;
    for (unsigned cell = 0; cell < e->cells; cell++) {
        colour ^= mask >> cell & e->board->colour[cell];
    }
    return colour & 1;
}

// ---- Sets, regions and orders -------------------------------------------------------------------

// Gives region `number` to the free cell `cell`, and to all cells that the blank can reach from it.
// Cells in `mask` have tiles. A free cell without a region has NOWHERE.
static void flood_region(const struct expansion *e, unsigned mask, unsigned cell, uint8_t number,
                         uint8_t *region)
{
    region[cell] = number;
    for (unsigned m = 0; m < e->puzzle->move_count; m++) {
        unsigned to = e->board->to[m][cell];
        if (to != NOWHERE && !(mask >> to & 1) && region[to] == NOWHERE) {
            flood_region(e, mask, to, number, region);
        }
    }
}

// Fills in the region of each free cell, and NOWHERE for the cells in `mask`, which have tiles.
// Sixteen cells have at most eight regions, because no two touch. So a byte has a bit for each.
static void number_regions(const struct expansion *e, unsigned mask, uint8_t *region)
{
    uint8_t count = 0;
    memset(region, NOWHERE, DATABASE_CELLS_MOST);
    for (unsigned cell = 0; cell < e->cells; cell++) {
        if (!(mask >> cell & 1) && region[cell] == NOWHERE) {
            flood_region(e, mask, cell, count++, region);
        }
    }
}

// Numbers the sets of as many cells as there are tiles, and the regions that each leaves free.
static void number_sets(struct expansion *e)
{
    for (unsigned mask = 0; mask < 1u << e->cells; mask++) {
        e->set_of[mask] = NO_SET;
        if (bits_below(mask, e->cells) == e->tiles) {
            e->set_of[mask] = (uint16_t)e->sets;
            e->mask[e->sets] = (uint16_t)mask;
            number_regions(e, mask, e->region[e->sets]);
            e->sets++;
        }
    }
}

// Returns the new place of a tile after the tile at place `from` has moved to place `to`. The tiles
// between make room. A *place* is the number of a tile's cell among the cells of the set, from 0.
static unsigned shift_place(unsigned place, unsigned from, unsigned to)
{
    if (place == from) {
        return to;
    }
    if (from < to) {
        return place > from && place <= to ? place - 1 : place;
    }
    return place >= to && place < from ? place + 1 : place;
}

static struct shift *shift_of(const struct expansion *e, unsigned from, unsigned to)
{
    return &e->shifts[from * e->tiles + to];
}

// Do the orders of a run stay neighbours? `order` has the new orders of the run.
static bool run_stays_in_order(const uint16_t *order)
{
    for (unsigned k = 1; k < RUN; k++) {
        if (order[k] != order[0] + k) {
            return false;
        }
    }
    return true;
}

// Fills in what each order becomes when the tile at place `from` moves to place `to`. Also tells
// which whole runs of orders stay neighbours; a run that is not whole does not.
static void make_shift(const struct expansion *e, unsigned from, unsigned to)
{
    struct shift *shift = shift_of(e, from, to);
    uint8_t place[DATABASE_TILES_MOST];
    for (unsigned order = 0; order < e->orders; order++) {
        arrangement_unrank(e->tiles, e->tiles, order, place);
        for (unsigned t = 0; t < e->tiles; t++) {
            place[t] = (uint8_t)shift_place(place[t], from, to);
        }
        shift->order[order] = (uint16_t)arrangement_rank(e->tiles, e->tiles, place);
    }
    for (unsigned run = 0; run < e->orders / RUN; run++) {
        shift->stays[run] = run_stays_in_order(shift->order + (size_t)run * RUN);
    }
}

static void make_shifts(const struct expansion *e)
{
    for (unsigned from = 0; from < e->tiles; from++) {
        for (unsigned to = 0; to < e->tiles; to++) {
            make_shift(e, from, to);
        }
    }
}

// ---- A layer ------------------------------------------------------------------------------------

// The step from one block to another.
struct step {
    const uint8_t *opened; // of the source
    unsigned from;         // region of the blank before the step
    unsigned to;           // region of the blank after it
    const struct shift *shift;
};

// Takes the step from some orders of a run: sets bit step->to of `pulled` at each new order. `hits`
// has a byte for each order of the run. Bit step->from of the byte is set if the step is to be
// taken from that order, and all other bits are 0.
static void pull_run(const struct step *step, unsigned run, const uint64_t hits[RUN / 8],
                     uint8_t *pulled)
{
    const uint16_t *to = step->shift->order + (size_t)run * RUN;
    for (unsigned k = 0; k < RUN / 8; k++) {
        if (step->shift->stays[run]) {
            uint8_t *target = pulled + to[0] + (size_t)8 * k;
            store_eight(target, load_eight(target) | hits[k] >> step->from << step->to);
            continue;
        }
        for (uint64_t left = hits[k]; left; left &= left - 1) { // clears the lowest bit
            pulled[to[8 * k + (unsigned)__builtin_ctzll(left) / 8]] |= (uint8_t)(1u << step->to);
        }
    }
}

// Takes a step from all orders of the source that are in the newest layer with the blank in the
// region `from`. Sets their bits in `pulled`, which has a byte for each order of the target block:
// a bit for each region that is reached. `length` is that of a block, whole runs.
static void pull_step(const struct step *step, unsigned length, uint8_t *pulled)
{
    const uint8_t *opened = step->opened;
    const uint64_t from = UINT64_C(0x0101010101010101) << step->from;
    for (unsigned run = 0; run < length / RUN; run++, opened += RUN) {
        uint64_t hits[RUN / 8] = {load_eight(opened) & from, load_eight(opened + 8) & from,
                                  load_eight(opened + 16) & from};
        if (hits[0] | hits[1] | hits[2]) { // most runs are not in the layer
            pull_run(step, run, hits, pulled);
        }
    }
}

// Fills in what the newest layer reaches in the block of `set`: `pulled` gets a byte for each
// order, with a bit for each region. The sources are the blocks from which one move of a tile leads
// here. Returns false if none of them is active: then `pulled` is not filled in.
static bool pull_into_block(const struct expansion *e, unsigned set, uint8_t *pulled)
{
    unsigned mask = e->mask[set];
    bool any = false;
    for (unsigned cell = 0; cell < e->cells; cell++) { // to which a tile has moved
        bool has_tile = mask >> cell & 1;
        for (unsigned m = 0; m < e->puzzle->move_count && has_tile; m++) {
            // A move takes the blank from the tile's new cell to its old one.
            unsigned old_cell = e->board->to[m][cell];
            if (old_cell == NOWHERE || mask >> old_cell & 1) {
                continue;
            }
            unsigned old_mask = mask ^ 1u << old_cell ^ 1u << cell;
            unsigned source = e->set_of[old_mask];
            if (!e->active[source]) {
                continue;
            }
            struct step step = {
                .opened = e->opened + (size_t)source * e->length,
                .from = e->region[source][cell],
                .to = e->region[set][old_cell],
                .shift = shift_of(e, bits_below(old_mask, old_cell), bits_below(mask, cell))};
            if (!any) {
                memset(pulled, 0, e->length);
                any = true;
            }
            pull_step(&step, e->length, pulled);
        }
    }
    return any;
}

// Adds to the layer the states in `pulled` that were not reached before, and counts them. Fills in
// `opened`, `closed` and `distance` of the block. Most orders have no new state, so the loop takes
// eight orders at once: `new` has a byte for each of them.
static void open_new_states(struct expansion *e, unsigned set, const uint8_t *pulled)
{
    size_t first = (size_t)set * e->length;
    uint8_t *closed = e->closed + first;
    uint64_t states = 0;
    uint64_t arrangements = 0; // reached for the first time
    for (unsigned eight = 0; eight < e->length; eight += 8) {
        uint64_t new = load_eight(pulled + eight) & ~load_eight(closed + eight);
        store_eight(e->opened + first + eight, new);
        states += new ? count_bits(new) : 0;
        while (new) { // the lowest byte that is not 0, and so on
            unsigned byte = (unsigned)__builtin_ctzll(new) / 8;
            unsigned order = eight + byte;
            unsigned regions = (unsigned)(new >> 8 * byte) & 0xFF;
            if (closed[order] == 0) {
                arrangements++;
                e->distance[first + order] = (uint8_t)e->layer;
            }
            closed[order] |= (uint8_t)regions;
            new &= ~(UINT64_C(0xFF) << 8 * byte);
        }
    }
    e->active[set] = states > 0;
    atomic_fetch_add_explicit(&e->found, states, memory_order_relaxed);
    atomic_fetch_add_explicit(&e->reached, arrangements, memory_order_relaxed);
}

// Finds the states of the new layer in those of the blocks begin … end-1 whose sets have the colour
// of the layer. Only this thread writes to these blocks; it reads blocks of the other colour.
static void expand_sets(void *context, uint64_t begin, uint64_t end)
{
    struct expansion *e = context;
    uint8_t pulled[ORDERS_MOST];
    for (uint64_t set = begin; set < end; set++) {
        if (colour_of_set(e, e->mask[set]) == e->colour) {
            e->active[set] = false; // its `opened` is two layers old
            if (pull_into_block(e, (unsigned)set, pulled)) {
                open_new_states(e, (unsigned)set, pulled);
            }
        }
    }
}

// Makes layer 0, the solved state: all tiles and the blank are at home.
static void open_solved_state(struct expansion *e)
{
    const uint8_t *home = e->puzzle->partition->home;
    uint8_t place[DATABASE_TILES_MOST];
    unsigned mask = 0;
    for (unsigned t = 0; t < e->tiles; t++) {
        mask |= 1u << home[e->database->tile[t]];
    }
    for (unsigned t = 0; t < e->tiles; t++) {
        place[t] = (uint8_t)bits_below(mask, home[e->database->tile[t]]);
    }
    unsigned set = e->set_of[mask];
    size_t at = (size_t)set * e->length + arrangement_rank(e->tiles, e->tiles, place);
    memset(e->opened + (size_t)set * e->length, 0, e->length);
    uint8_t region_bit = (uint8_t)(1u << e->region[set][home[0]]); // of the blank, tile 0
    e->opened[at] = region_bit;
    e->closed[at] = region_bit;
    e->distance[at] = 0;
    e->active[set] = true;
    e->colour = colour_of_set(e, mask);
}

// Tells the watcher what was found in the layer.
static void report_layer(const struct expansion *e, const struct search_options *options)
{
    const struct partition *partition = e->puzzle->partition;
    options_tell(options, &(struct fewest_gen_progress){
                              .event = FEWEST_GEN_LAYER,
                              .search = "pattern database",
                              .number = (unsigned)(e->database - partition->databases),
                              .count = partition->count,
                              .layer = e->layer,
                              .found = e->found,
                              .reached = e->reached,
                              .entries = e->database->entries});
}

// Finds one layer after the other, until one is empty. Fails with FEWEST_BEYOND and FEWEST_STOPPED.
static bool search_layers(struct expansion *e, const struct search_options *options,
                          struct fewest_error *error)
{
    enum { GRAIN = 4 }; // sets that a thread takes at once
    e->layer = 0;
    e->found = 1;
    e->reached = 1;
    while (e->found > 0) {
        report_layer(e, options);
        e->layer++;
        if (e->layer > DISTANCE_MOST) {
            return search_report_beyond(e->puzzle, error);
        }
        e->found = 0;
        e->colour ^= 1;
        parallel_for(options->threads, e->sets, GRAIN, expand_sets, e);
        if (options_stop(options)) {
            return search_report_stopped(e->layer, error);
        }
    }
    return true;
}

// ---- Writing down -------------------------------------------------------------------------------
// A block has its arrangements in the order of places, and the table has them in the order of
// cells. In the table, the entries that differ only in the cell of the last tile follow each other.
// All of them have the same *prefix*: the cells of the other tiles.
//
// An order is the rank of a permutation. The digit of a tile counts the later tiles in smaller
// cells. So a tile in a cell adds to the order the weights of all earlier tiles in larger cells.

struct writing {
    const struct expansion *e;
    uint8_t *excess;
};

// Returns the excess that the table stores for a distance (tile_databases.h), or UNREACHED if the
// distance is UNREACHED or the table does not keep so large an excess.
static uint8_t compute_excess(const struct expansion *e, unsigned distance, unsigned manhattan)
{
    if (distance == UNREACHED) {
        return UNREACHED;
    }
    uint8_t excess = (uint8_t)((distance - manhattan) / 2); // the distance is not less
    return pattern_keeps_excess(e->database->count, excess) ? excess : UNREACHED;
}

// Writes the entries of a prefix, whose tiles are in these cells: one entry for each free cell, in
// which the last tile can be.
static void write_prefix(const struct expansion *e, const uint8_t *cell, uint8_t *excess)
{
    const unsigned last = e->tiles - 1;
    unsigned weight = e->orders; // becomes that of the tile's digit
    unsigned mask = 0;
    unsigned manhattan = 0;
    unsigned order = 0;
    unsigned adds[DATABASE_CELLS_MOST] = {0}; // by cell: what the next tile adds to `order` there
    for (unsigned t = 0; t < last; t++) {
        weight /= e->tiles - t;
        mask |= 1u << cell[t];
        manhattan += e->manhattan[t][cell[t]];
        order += adds[cell[t]];
        for (unsigned smaller = 0; smaller < cell[t]; smaller++) {
            adds[smaller] += weight;
        }
    }
    for (unsigned c = 0; c < e->cells; c++) {
        if (!(mask >> c & 1)) {
            size_t block = (size_t)e->set_of[mask | 1u << c] * e->length;
            *excess++ = compute_excess(e, e->distance[block + order + adds[c]],
                                       manhattan + e->manhattan[last][c]);
        }
    }
}

// Writes the entries of the prefixes begin … end-1.
static void write_prefixes(void *context, uint64_t begin, uint64_t end)
{
    const struct writing *writing = context;
    const struct expansion *e = writing->e;
    uint64_t entries = e->cells - (e->tiles - 1); // of a prefix
    uint8_t cell[DATABASE_CELLS_MOST];
    arrangement_unrank(e->cells, e->tiles - 1, begin, cell);
    for (uint64_t prefix = begin; prefix < end; prefix++) {
        write_prefix(e, cell, writing->excess + prefix * entries);
        arrangement_next(e->cells, e->tiles - 1, cell);
    }
}

static void write_all(const struct expansion *e, unsigned threads, uint8_t *excess)
{
    enum { GRAIN = 1 << 10 }; // prefixes that a thread takes at once
    struct writing writing = {e, excess};
    parallel_for(threads, arrangement_count(e->cells, e->tiles - 1), GRAIN, write_prefixes,
                 &writing);
}

// ---- The search of a database -------------------------------------------------------------------

// The bytes of a block: one for each order. With four tiles or more, these are whole runs. With
// fewer, the block is filled up to one run.
static unsigned block_length(unsigned orders)
{
    return orders < RUN ? RUN : orders;
}

// Makes room for the arrays. Returns false if memory runs out. The caller calls free_expansion in
// any case.
static bool allocate_expansion(struct expansion *e)
{
    size_t sets = (size_t)(e->database->entries / e->orders); // at most C(16, 8)
    e->mask = malloc(sets * sizeof *e->mask);
    e->set_of = calloc(SETS_ALL, sizeof *e->set_of);
    e->region = malloc(sets * sizeof *e->region);
    e->shifts = calloc((size_t)e->tiles * e->tiles, sizeof *e->shifts);
    e->active = calloc(sets, sizeof *e->active);
    e->opened = malloc(sets * e->length);
    e->closed = calloc(sets, e->length);
    e->distance = malloc(sets * e->length);
    return e->mask && e->set_of && e->region && e->shifts && e->active && e->opened && e->closed &&
           e->distance;
}

static void free_expansion(struct expansion *e)
{
    free(e->mask);
    free(e->set_of);
    free(e->region);
    free(e->shifts);
    free(e->active);
    free(e->opened);
    free(e->closed);
    free(e->distance);
}

static void add_manhattan_distances(struct expansion *e)
{
    for (unsigned t = 0; t < e->tiles; t++) {
        unsigned home = e->puzzle->partition->home[e->database->tile[t]];
        for (unsigned cell = 0; cell < e->cells; cell++) {
            e->manhattan[t][cell] = (uint8_t)grid_distance(&e->board->grid, cell, home);
        }
    }
}

// Fills in e->distance: prepares the arrays, and searches all layers.
static bool search_all(struct expansion *e, const struct search_options *options,
                       struct fewest_error *error)
{
    number_sets(e);
    memset(e->distance, UNREACHED, (size_t)e->sets * e->length);
    make_shifts(e);
    add_manhattan_distances(e);
    open_solved_state(e);
    return search_layers(e, options, error);
}

bool database_excess(const struct puzzle *puzzle, unsigned number,
                     const struct search_options *options, uint8_t *excess,
                     struct fewest_error *error)
{
    struct expansion e = {.puzzle = puzzle,
                          .board = puzzle->board,
                          .database = &puzzle->partition->databases[number],
                          .cells = puzzle->cell_count};
    e.tiles = e.database->count;
    e.orders = (unsigned)arrangement_count(e.tiles, e.tiles);
    e.length = block_length(e.orders);
    bool done = false;
    if (!allocate_expansion(&e)) {
        error_write(error, FEWEST_SYSTEM,
                    "not enough memory for a pattern database of %llu entries",
                    (unsigned long long)e.database->entries);
    } else {
        done = search_all(&e, options, error);
    }
    if (done) {
        // Makes room for `excess`, whose memory the system gives when it is written.
        free(e.opened);
        free(e.closed);
        e.opened = NULL;
        e.closed = NULL;
        write_all(&e, options->threads, excess);
    }
    free_expansion(&e);
    return done;
}

uint64_t database_memory(const struct puzzle *puzzle, unsigned number)
{
    const struct pattern_database *database = &puzzle->partition->databases[number];
    unsigned orders = (unsigned)arrangement_count(database->count, database->count);
    uint64_t sets = database->entries / orders;
    struct expansion e;                      // only for sizes
    return 3 * sets * block_length(orders) + // opened, closed and distance
           (uint64_t)database->count * database->count * sizeof *e.shifts +
           sets * (sizeof *e.mask + sizeof *e.region + sizeof *e.active) +
           SETS_ALL * sizeof *e.set_of;
}
