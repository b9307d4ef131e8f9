// Searches sliding boards in bundles.
#include "search/bundle.h"

#include "search/spread.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUNDLE_MOST = 32, // nodes
    FIRST_MOST = 16,  // moves that a node remembers
};

// ---- Tables -------------------------------------------------------------------------------------

bool bundle_fits(const struct partition *partition)
{
    return partition->line_count <= BUNDLE_LINES_MOST;
}

static void add_step(const struct tile_bounds *bounds, struct bundle *bundle, unsigned m,
                     unsigned blank)
{
    unsigned number = 8 * blank + m;
    unsigned shift = bounds->from_shift[m][blank];
    bundle->shift[number] = (uint8_t)shift;
    for (unsigned tile = 1; tile < bounds->puzzle->cell_count; tile++) {
        struct bundle_step *step = &bundle->steps[number][tile];
        step->exchange = (UINT64_C(1) << shift | UINT64_C(1) << 4 * blank) * tile;
        step->farther = bounds->farther[m][blank][tile] > 0;
        for (unsigned v = 0; v < TILE_VIEWS_MOST; v++) {
            const struct tile_view *view = &bounds->tiles[tile_bounds_seen(bounds, v)][tile];
            const uint8_t *to = view->map->to;
            step->spread[v] = spread_index(view, to[shift / 4]) ^ spread_index(view, to[blank]);
            step->slot[v] = (uint8_t)(v * BUNDLE_LINES_MOST + view->line);
            bundle->views[step->slot[v]] = view;
        }
    }
}

static bool add_rows(const struct tile_bounds *bounds, const struct pruning_automaton *automaton,
                     struct bundle *bundle, struct fewest_error *error)
{
    uint32_t stride = automaton->move_count + 1;
    uint8_t *blanks = calloc(automaton->state_count, 1);
    bundle->rows = malloc((size_t)automaton->state_count * stride * sizeof *bundle->rows);
    if (!blanks || !bundle->rows) {
        free(blanks);
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the search");
    }
    for (unsigned cell = 0; cell < bounds->puzzle->cell_count; cell++) {
        blanks[cell] = (uint8_t)cell;
    }
    // The first states are the starts, one for each cell. Each other state follows an earlier one.
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        const uint32_t *next = pruning_automaton_row(automaton, state);
        uint32_t *row = bundle->rows + (size_t)state * stride;
        *row = 0;
        for (unsigned m = 0; m < automaton->move_count; m++) {
            if (next[m] != MOVE_PRUNED) {
                row[++*row] = next[m] * stride * BUNDLE_STEPS + 8u * blanks[state] + m;
                blanks[next[m]] = bounds->puzzle->board->to[m][blanks[state]];
            }
        }
    }
    free(blanks);
    return true;
}

struct bundle *bundle_make(const struct tile_bounds *bounds,
                           const struct pruning_automaton *automaton, struct fewest_error *error)
{
    struct bundle *bundle = calloc(1, sizeof *bundle);
    if (!bundle) {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the search");
        return NULL;
    }
    for (unsigned blank = 0; blank < bounds->puzzle->cell_count; blank++) {
        for (unsigned m = 0; m < bounds->puzzle->move_count; m++) {
            if (bounds->puzzle->board->to[m][blank] != NOWHERE) {
                add_step(bounds, bundle, m, blank);
            }
        }
    }
    if (!add_rows(bounds, automaton, bundle, error)) {
        bundle_free(bundle);
        return NULL;
    }
    return bundle;
}

void bundle_free(struct bundle *bundle)
{
    if (bundle) {
        free(bundle->rows);
        free(bundle);
    }
}

// ---- Search -------------------------------------------------------------------------------------

struct bundle_node {
    uint64_t board;        // by cell, a nibble: its tile
    uint64_t first;        // the first moves from the root, a nibble each
    uint32_t index[SLOTS]; // of the databases' entries
    uint8_t excesses[SLOTS];
    uint32_t row;                  // of the automaton
    int8_t slack[TILE_VIEWS_MOST]; // half of the moves that the lower bound leaves to spare
    uint8_t left;                  // moves
};

// A child whose entries are being fetched.
struct bundle_child {
    const struct bundle_step *step;
    const struct bundle_node *parent;
    uint32_t row_value; // of its move, in the automaton's row
    uint32_t index[TILE_VIEWS_MOST];
    int8_t slack[TILE_VIEWS_MOST];
    uint8_t excess[TILE_VIEWS_MOST];
};

// The first node in the order is on top of the stack.
struct bundle_search {
    struct searcher *searcher;
    const struct tile_bounds *bounds;
    const struct bundle *bundle;
    unsigned left; // moves at the root
    struct bundle_node *stack;
    struct bundle_node *top;
    struct bundle_node nodes[BUNDLE_MOST]; // of the bundle
    struct bundle_child children[BUNDLE_MOST * BOARD_MOVES_MOST];
    const struct bundle_child *kept[BUNDLE_MOST * BOARD_MOVES_MOST];
    bool found;
    uint64_t first; // moves of the first path so far
};

// These functions are compiled twice, once for each way to read the entries. They name both views,
// because a loop would not be unrolled.
#define FOR_BOTH static inline __attribute__((always_inline))
_Static_assert(TILE_VIEWS_MOST == 2, "the functions below name two views");

FOR_BOTH unsigned read_excess(const struct bundle_search *search, unsigned slot, uint32_t index,
                              bool spread)
{
    return spread ? spread_get(search->bounds->spread, index)
                  : tile_view_get(search->bundle->views[slot], index);
}

// The rank of a database's tiles after a move.
static inline uint32_t move_rank(const struct bundle_search *search, const struct bundle_node *node,
                                 unsigned view, unsigned slot, unsigned number)
{
    const struct tile_bounds *bounds = search->bounds;
    unsigned tile = node->board >> search->bundle->shift[number] & 15u;
    int64_t change = tile_bounds_change(bounds, node->board, number / 8,
                                        tile_bounds_seen(bounds, view), number % 8, tile);
    return node->index[slot] + (uint32_t)(change >> search->bundle->views[slot]->shift);
}

// Starts to fetch the entry of a child. Unpacks its block if that is not there.
FOR_BOTH void fetch_entry(struct bundle_search *search, struct bundle_child *child, unsigned view,
                          bool spread)
{
    unsigned slot = child->step->slot[view];
    if (spread) {
        child->index[view] = child->parent->index[slot] ^ child->step->spread[view];
        __builtin_prefetch(spread_at(search->bounds->spread, child->index[view]));
        return;
    }
    uint32_t rank = move_rank(search, child->parent, view, slot, child->row_value % BUNDLE_STEPS);
    const struct tile_view *tile = search->bundle->views[slot];
    struct searcher *searcher = search->searcher;
    child->index[view] = rank;
    __builtin_prefetch(tile_view_at(tile, rank));
    searcher->stopped |= !tile_view_need(searcher->table, tile, rank, &searcher->error);
}

// Lists the children of the bundle, the last one first.
FOR_BOTH unsigned list_children(struct bundle_search *search, unsigned count, bool spread)
{
    const struct bundle *bundle = search->bundle;
    struct bundle_child *child = search->children;
    for (unsigned n = 0; n < count; n++) {
        const struct bundle_node *node = &search->nodes[n];
        const uint32_t *row = bundle->rows + node->row;
        for (uint32_t k = *row; k > 0; k--, child++) {
            unsigned number = row[k] % BUNDLE_STEPS;
            unsigned tile = node->board >> bundle->shift[number] & 15u;
            child->step = &bundle->steps[number][tile];
            child->parent = node;
            child->row_value = row[k];
            fetch_entry(search, child, 0, spread);
            fetch_entry(search, child, 1, spread);
        }
    }
    return (unsigned)(child - search->children);
}

// The slack of a child in a view. Below 0, the child can't be solved in the moves that are left.
FOR_BOTH int find_slack(const struct bundle_search *search, struct bundle_child *child,
                        unsigned view, bool spread)
{
    const struct bundle_node *node = child->parent;
    unsigned slot = child->step->slot[view];
    unsigned excess = read_excess(search, slot, child->index[view], spread);
    int slack = node->slack[view] + node->excesses[slot] - (int)excess - child->step->farther;
    child->excess[view] = (uint8_t)excess;
    child->slack[view] = (int8_t)slack;
    return slack;
}

// Keeps the children whose lower bounds allow a path. There is no branch for each child, because
// nothing could predict it.
FOR_BOTH unsigned keep_children(struct bundle_search *search, unsigned count, bool spread)
{
    unsigned kept = 0;
    for (unsigned c = 0; c < count; c++) {
        struct bundle_child *child = &search->children[c];
        int slack0 = find_slack(search, child, 0, spread);
        int slack1 = find_slack(search, child, 1, spread);
        search->kept[kept] = child;
        kept += (slack0 | slack1) >= 0;
    }
    return kept;
}

static inline void set_view(struct bundle_node *node, const struct bundle_child *child,
                            unsigned view)
{
    unsigned slot = child->step->slot[view];
    node->index[slot] = child->index[view];
    node->excesses[slot] = child->excess[view];
    node->slack[view] = child->slack[view];
}

static void push_children(struct bundle_search *search, unsigned count)
{
    for (unsigned c = 0; c < count; c++) {
        const struct bundle_child *child = search->kept[c];
        struct bundle_node *node = search->top++;
        unsigned made = search->left - child->parent->left;
        *node = *child->parent;
        node->board ^= child->step->exchange;
        node->row = child->row_value / BUNDLE_STEPS;
        __builtin_prefetch(&search->bundle->rows[node->row]);
        node->left--;
        set_view(node, child, 0);
        set_view(node, child, 1);
        if (made < FIRST_MOST) {
            node->first |= (uint64_t)(child->row_value % 8) << 4 * made;
        }
        if (node->left == 0) {
            search->found = true;
            search->first = node->first;
            search->top = search->stack; // what is still to be pushed comes earlier
        }
    }
}

// The index of a database's entry at the root.
FOR_BOTH uint32_t find_root_index(const struct bundle_search *search, const struct tile_node *root,
                                  unsigned v, unsigned line, bool spread)
{
    const struct tile_bounds *bounds = search->bounds;
    unsigned seen = tile_bounds_seen(bounds, v);
    uint32_t index = 0;
    if (!spread) {
        return (uint32_t)tile_view_rank(tile_bounds_any(bounds, seen, line), root->ranks[seen]);
    }
    for (unsigned cell = 0; cell < bounds->puzzle->cell_count; cell++) {
        unsigned tile = root->board >> 4 * cell & 15u;
        const struct tile_view *view = &bounds->tiles[seen][tile];
        if (tile != 0 && view->line == line) {
            index |= spread_index(view, view->map->to[cell]);
        }
    }
    return bounds->spread->first[line] | index;
}

FOR_BOTH void push_root(struct bundle_search *search, const struct tile_node *root, bool spread)
{
    const struct puzzle *puzzle = search->bounds->puzzle;
    struct bundle_node *node = search->top++;
    *node = (struct bundle_node){.board = root->board,
                                 .row = root->state * (puzzle->move_count + 1),
                                 .left = (uint8_t)search->left};
    for (unsigned v = 0; v < TILE_VIEWS_MOST; v++) {
        int slack = ((int)search->left - root->manhattan) / 2;
        for (unsigned l = 0; l < puzzle->partition.line_count; l++) {
            unsigned slot = v * BUNDLE_LINES_MOST + l;
            node->index[slot] = find_root_index(search, root, v, l, spread);
            node->excesses[slot] = (uint8_t)read_excess(search, slot, node->index[slot], spread);
            slack -= node->excesses[slot];
        }
        node->slack[v] = (int8_t)slack;
    }
}

// Allocates the stack. It never holds more than the children of one bundle for each move that is
// left.
static bool make_stack(struct bundle_search *search)
{
    size_t nodes = (size_t)BUNDLE_MOST * search->bounds->puzzle->move_count * (search->left + 1);
    search->stack = malloc(nodes * sizeof *search->stack);
    search->top = search->stack;
    if (!search->stack) {
        error_write(&search->searcher->error, FEWEST_SYSTEM, "not enough memory for the search");
        search->searcher->stopped = true;
    }
    return search->stack;
}

FOR_BOTH void search_bundles(struct bundle_search *search, const struct tile_node *root,
                             bool spread)
{
    struct searcher *searcher = search->searcher;
    push_root(search, root, spread);
    while (search->top > search->stack && !searcher->stopped) {
        size_t height = (size_t)(search->top - search->stack);
        unsigned count = height < BUNDLE_MOST ? (unsigned)height : BUNDLE_MOST;
        search->top -= count;
        memcpy(search->nodes, search->top, count * sizeof *search->nodes);
        unsigned made = list_children(search, count, spread);
        searcher->nodes += made;
        if (searcher->stopped) {
            return; // a block can't be unpacked
        }
        push_children(search, keep_children(search, made, spread));
        searcher_watch(searcher);
    }
}

// The bundle of the stage whose automaton the search uses.
static const struct bundle *find_bundle(const struct searcher *searcher)
{
    const struct tile_stage *stage = ((const struct tile_bounds *)searcher->bounds)->stages;
    while (&stage->automaton != searcher->automaton) {
        stage++;
    }
    return stage->bundle;
}

FOR_BOTH bool find_first_moves(struct searcher *searcher, const void *root, unsigned depth,
                               unsigned *known, bool spread)
{
    struct bundle_search search = {.searcher = searcher,
                                   .bounds = searcher->bounds,
                                   .bundle = find_bundle(searcher),
                                   .left = searcher->bound - depth};
    if (!make_stack(&search)) {
        return false;
    }
    search_bundles(&search, root, spread);
    free(search.stack);
    searcher->over = 2; // all paths have the same parity
    *known = depth + (search.left - 1 < FIRST_MOST ? search.left - 1 : FIRST_MOST);
    for (unsigned d = depth; d < *known; d++) {
        searcher->moves[d] = search.first >> 4 * (d - depth) & 15u;
    }
    return search.found && !searcher->stopped;
}

bool bundle_find_first_moves(struct searcher *searcher, const void *root, unsigned depth,
                             unsigned *known)
{
    return find_first_moves(searcher, root, depth, known, false);
}

bool bundle_find_first_moves_spread(struct searcher *searcher, const void *root, unsigned depth,
                                    unsigned *known)
{
    return find_first_moves(searcher, root, depth, known, true);
}
