// Spreads pattern databases, and searches with them.
#include "search/spread.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21 };

// ---- Spreading ----------------------------------------------------------------------------------

// A pass through the arrangements of a database's tiles, in the order of their ranks.
struct spreading {
    const struct unpacked *database;
    unsigned cells;
    unsigned tiles;
    uint32_t *entries;
    uint64_t entry;
};

static void spread_entries(struct spreading *spreading, unsigned tile, unsigned taken,
                           uint32_t index)
{
    if (tile == spreading->tiles) {
        uint32_t excess = entry_get(spreading->database->bytes, spreading->database->section->bits,
                                    spreading->entry++);
        excess = excess > SPREAD_MOST ? SPREAD_MOST : excess;
        index *= SPREAD_BITS;
        spreading->entries[index / SPREAD_WORD] |= excess << index % SPREAD_WORD;
        return;
    }
    for (unsigned cell = 0; cell < spreading->cells; cell++) {
        if (!(taken >> cell & 1)) {
            spread_entries(spreading, tile + 1, taken | 1u << cell, index << 4 | cell);
        }
    }
}

// The words that the entries of a database take, a power of two.
static uint32_t count_words(const struct pattern_database *database)
{
    uint32_t bits = (uint32_t)SPREAD_BITS << 4 * database->count;
    return bits < SPREAD_WORD ? 1 : bits / SPREAD_WORD;
}

static bool spread_databases(struct fewest *table, struct spread *spread,
                             struct fewest_error *error)
{
    const struct partition *partition = &table->puzzle.partition;
    uint32_t first[DATABASES_MOST] = {0};
    size_t words = 0;
    for (unsigned d = 0; d < partition->count; d++) {
        // Each database starts at a multiple of its size. So its entries' indices differ only in
        // the bits of the cells, and an exclusive or changes them.
        size_t own = count_words(&partition->databases[d]);
        words = (words + own - 1) / own * own;
        first[d] = (uint32_t)words;
        words += own;
    }
    size_t size = (words * sizeof(uint32_t) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    // Huge pages, because the look-ups are scattered.
    spread->entries = aligned_alloc(HUGE_PAGE, size);
    if (!spread->entries) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pattern databases");
    }
    madvise(spread->entries, size, MADV_HUGEPAGE); // without huge pages it is only slower
    memset(spread->entries, 0, size);
    for (unsigned d = 0; d < partition->count; d++) {
        struct spreading spreading = {.database = &table->databases[d],
                                      .cells = table->puzzle.cell_count,
                                      .tiles = partition->databases[d].count,
                                      .entries = spread->entries + first[d]};
        if (!table_unpack_all(table, spreading.database, error)) {
            return false;
        }
        spread_entries(&spreading, 0, 0, 0);
    }
    for (unsigned l = 0; l < partition->line_count; l++) {
        spread->first[l] = first[partition->lines[l].database] * SPREAD_WORD;
    }
    return true;
}

static void add_step(const struct tile_bounds *bounds, struct spread *spread, unsigned m,
                     unsigned blank)
{
    const struct puzzle *puzzle = bounds->puzzle;
    unsigned number = 8 * blank + m;
    unsigned shift = bounds->from_shift[m][blank];
    spread->shift[number] = (uint8_t)shift;
    spread->exchange[number] = UINT64_C(1) << shift | UINT64_C(1) << 4 * blank;
    for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
        struct spread_step *step = &spread->steps[number][tile];
        step->farther = bounds->farther[m][blank][tile];
        for (unsigned v = 0; v < TILE_VIEWS_MOST; v++) {
            const struct tile_view *view = tile_bounds_view(bounds, v, tile);
            const uint8_t *to = view->map->to;
            unsigned nibble = view->nibble - view->shift;
            step->change[v] = (uint32_t)(to[shift / 4] ^ to[blank]) * SPREAD_BITS << nibble;
            step->slot[v] = (uint8_t)(v * DATABASES_MOST + view->line);
        }
    }
}

static bool add_rows(struct spread *spread, const struct pruning_automaton *automaton,
                     struct fewest_error *error)
{
    uint32_t stride = automaton->move_count + 1;
    spread->rows = malloc((size_t)automaton->state_count * stride * sizeof *spread->rows);
    if (!spread->rows) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the search");
    }
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        const uint32_t *next = pruning_automaton_row(automaton, state);
        uint32_t *row = spread->rows + (size_t)state * stride;
        for (unsigned m = 0; m < automaton->move_count; m++) {
            if (next[m] != MOVE_PRUNED) {
                *row++ = next[m] * stride * 8 + m;
            }
        }
        *row = ROW_END;
    }
    return true;
}

bool spread_fits(const struct partition *partition)
{
    bool fits = true;
    for (unsigned d = 0; d < partition->count; d++) {
        fits &= partition->databases[d].count <= SPREAD_TILES_MOST;
    }
    return fits;
}

struct spread *spread_make(struct fewest *table, const struct tile_bounds *bounds,
                           struct fewest_error *error)
{
    struct spread *spread = calloc(1, sizeof *spread);
    if (!spread) {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the search");
        return NULL;
    }
    for (unsigned blank = 0; blank < bounds->puzzle->cell_count; blank++) {
        for (unsigned m = 0; m < bounds->puzzle->move_count; m++) {
            if (bounds->puzzle->board->to[m][blank] != NOWHERE) {
                add_step(bounds, spread, m, blank);
            }
        }
    }
    if (!add_rows(spread, &bounds->large, error) || !spread_databases(table, spread, error)) {
        spread_free(spread);
        return NULL;
    }
    return spread;
}

void spread_free(struct spread *spread)
{
    if (spread) {
        free(spread->entries);
        free(spread->rows);
        free(spread);
    }
}

// ---- Nodes --------------------------------------------------------------------------------------

struct spread_node {
    uint64_t board;     // by cell, a nibble: its tile
    uint32_t row;       // of the automaton
    uint16_t blank;     // its cell
    uint16_t manhattan; // the sum of all tiles' Manhattan distances
    uint16_t excess[TILE_VIEWS_MOST];
    uint8_t excesses[SLOTS]; // their parts
    uint32_t index[SLOTS];   // of their entries
};

_Static_assert(sizeof(struct spread_node) <= TILE_NODE_BYTES, "a node of either family fits");

static inline unsigned find_excess(const struct spread *spread, uint32_t index)
{
    return spread->entries[index / SPREAD_WORD] >> index % SPREAD_WORD & SPREAD_MOST;
}

static const struct spread *spread_of(const struct searcher *searcher)
{
    return ((const struct tile_bounds *)searcher->bounds)->spread;
}

static unsigned set_root(struct searcher *searcher, void *first)
{
    const struct tile_bounds *bounds = searcher->bounds;
    const struct puzzle *puzzle = bounds->puzzle;
    const struct spread *spread = spread_of(searcher);
    const uint8_t *state = searcher->root->state;
    struct spread_node *node = first;
    *node = (struct spread_node){.blank = (uint16_t)board_find(state, 0)};
    node->row = node->blank * (puzzle->move_count + 1);
    for (unsigned s = 0; s < SLOTS; s++) {
        node->index[s] = spread->first[s % DATABASES_MOST];
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        unsigned tile = state[cell];
        node->board |= (uint64_t)tile << 4 * cell;
        if (tile != 0) {
            node->manhattan +=
                (uint16_t)grid_distance(&puzzle->board->grid, cell, puzzle->partition.home[tile]);
        }
        for (unsigned v = 0; v < TILE_VIEWS_MOST && tile != 0; v++) {
            const struct tile_view *view = tile_bounds_view(bounds, v, tile);
            node->index[v * DATABASES_MOST + view->line] +=
                (uint32_t)view->map->to[cell] * SPREAD_BITS << (view->nibble - view->shift);
        }
    }
    for (unsigned v = 0; v < TILE_VIEWS_MOST; v++) {
        for (unsigned l = 0; l < puzzle->partition.line_count; l++) {
            unsigned slot = v * DATABASES_MOST + l;
            node->excesses[slot] = (uint8_t)find_excess(spread, node->index[slot]);
            node->excess[v] += node->excesses[slot];
        }
    }
    unsigned most = node->excess[0] > node->excess[1] ? node->excess[0] : node->excess[1];
    return node->manhattan + 2 * most;
}

// Finds a child's entry in a view. Returns the number of moves by which the lower bound exceeds the
// moves that are left, or a number below 1.
static inline int count_moves_over(const struct spread *spread, const struct spread_node *node,
                                   unsigned view, unsigned slot, uint32_t index, int left,
                                   unsigned *entry)
{
    *entry = find_excess(spread, index);
    int excess = (int)(node->excess[view] + *entry) - node->excesses[slot];
    return 2 * excess - left;
}

static unsigned expand(struct searcher *searcher, const void *expanded, unsigned left,
                       const struct children *children)
{
    const struct spread *spread = spread_of(searcher);
    const struct spread_node *node = expanded;
    unsigned blank = node->blank;
    const uint32_t *row = spread->rows + node->row;
    struct {
        uint32_t index[TILE_VIEWS_MOST];
        const struct spread_step *step;
    } child[BOARD_MOVES_MOST];
    unsigned made = 0;
    unsigned kept = 0;
    // Starts the look-ups of all children before the first one is read.
    for (; row[made] != ROW_END; made++) {
        unsigned number = 8 * blank + row[made] % 8;
        const struct spread_step *step =
            &spread->steps[number][node->board >> spread->shift[number] & 15u];
        for (unsigned v = 0; v < TILE_VIEWS_MOST; v++) {
            child[made].index[v] = node->index[step->slot[v]] ^ step->change[v];
            __builtin_prefetch(&spread->entries[child[made].index[v] / SPREAD_WORD]);
        }
        child[made].step = step;
    }
    searcher->nodes += made;
    for (unsigned c = 0; c < made; c++) {
        const struct spread_step *step = child[c].step;
        int rest = (int)left - node->manhattan - step->farther; // for twice the excess
        unsigned entry[TILE_VIEWS_MOST];
        int over =
            count_moves_over(spread, node, 0, step->slot[0], child[c].index[0], rest, &entry[0]);
        if (over <= 0) {
            over = count_moves_over(spread, node, 1, step->slot[1], child[c].index[1], rest,
                                    &entry[1]);
        }
        if (over > 0) {
            searcher->over = (unsigned)over < searcher->over ? (unsigned)over : searcher->over;
            continue;
        }
        unsigned m = row[c] % 8;
        struct spread_node *next =
            (struct spread_node *)(void *)(children->nodes + (size_t)m * TILE_NODE_BYTES);
        *next = *node;
        unsigned shift = spread->shift[8 * blank + m];
        next->board ^= (node->board >> shift & 15u) * spread->exchange[8 * blank + m];
        next->row = row[c] / 8;
        next->blank = (uint16_t)(shift / 4);
        next->manhattan = (uint16_t)(node->manhattan + step->farther);
        for (unsigned v = 0; v < TILE_VIEWS_MOST; v++) {
            next->excess[v] =
                (uint16_t)(node->excess[v] + entry[v] - node->excesses[step->slot[v]]);
            next->excesses[step->slot[v]] = (uint8_t)entry[v];
            next->index[step->slot[v]] = child[c].index[v];
        }
        __builtin_prefetch(&spread->rows[next->row]);
        children->moves[kept++] = (uint16_t)m;
    }
    return kept;
}

const struct node_family SPREAD_NODES = {
    .set_root = set_root,
    .expand = expand,
};
