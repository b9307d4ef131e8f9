// The nodes of searches on sliding boards.
//
// A target may have its blank in another cell than the goal, if a symmetry of the board takes that
// cell to the goal's. The symmetry and a renaming of the tiles turn the target into the goal.
#include "search/bundle.h"
#include "search/ida_star.h"
#include "search/spread.h"
#include "search/tile_bounds.h"

#include <stdio.h>
#include <string.h>

// ---- From start to target -----------------------------------------------------------------------

// The symmetry that takes the target's blank to the goal's. NULL if there is none.
static const struct symmetry *find_symmetry_to_goal(const struct puzzle *puzzle, unsigned blank)
{
    const struct board *board = puzzle->board;
    for (unsigned s = 0; s < board->symmetry_count; s++) {
        if (board->symmetries[s].to[blank] == puzzle->partition.home[0]) {
            return &board->symmetries[s];
        }
    }
    return NULL;
}

// Fails with a list of the cells that the blank of a target may be in.
static bool reject_blank(const struct puzzle *puzzle, struct fewest_error *error)
{
    char cells[4 * DATABASE_CELLS_MOST] = "";
    size_t used = 0;
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        if (find_symmetry_to_goal(puzzle, cell)) {
            used += (size_t)snprintf(cells + used, sizeof cells - used, "%s%u",
                                     used > 0 ? ", " : "", cell + 1);
        }
    }
    return error_set(
        error, FEWEST_BEYOND,
        "%s is solved by a search, which needs the blank of TARGET in one of these cells: %s",
        puzzle->name, cells);
}

// A symmetry and a renaming of the tiles turn the target into the goal. Applies both to the start.
static bool relate_boards(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          struct search_root *root, bool *reachable, struct fewest_error *error)
{
    uint8_t name[BOARD_CELLS_MOST];
    char reason[GRID_REASON];
    root->symmetry = find_symmetry_to_goal(puzzle, board_find(target, 0));
    if (!root->symmetry) {
        return reject_blank(puzzle, error);
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        name[target[cell]] = puzzle->goals[0][root->symmetry->to[cell]];
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        root->state[root->symmetry->to[cell]] = name[start[cell]];
    }
    return puzzle->rules->decide_parity(puzzle, start, target, reachable, reason, error);
}

static unsigned find_own_move(const struct puzzle *puzzle, const struct search_root *root,
                              unsigned move)
{
    unsigned own = 0;
    while (board_conjugate_move(puzzle->board, root->symmetry, own) != move) {
        own++;
    }
    return own;
}

// ---- Nodes --------------------------------------------------------------------------------------

static struct tile_node *child_at(const struct children *children, unsigned move)
{
    return (struct tile_node *)(void *)children->nodes + move;
}

// Finds an entry. Unpacks its block if that is not there.
static inline unsigned find_excess(struct searcher *searcher, const struct tile_view *tile,
                                   uint64_t rank)
{
    if (!tile_view_need(searcher->table, tile, rank, &searcher->error)) {
        searcher->stopped = true;
        return 0;
    }
    return tile_view_get(tile, rank);
}

static unsigned set_root(struct searcher *searcher, void *first)
{
    const struct tile_bounds *bounds = searcher->bounds;
    const struct puzzle *puzzle = bounds->puzzle;
    const uint8_t *state = searcher->root->state;
    struct tile_node *node = first;
    unsigned most = 0;
    *node = (struct tile_node){.board = 0};
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        unsigned tile = state[cell];
        unsigned home = puzzle->partition.home[tile];
        node->board |= (uint64_t)tile << 4 * cell;
        if (tile == 0) {
            node->state = cell;
            node->blank = (uint16_t)cell;
        } else {
            node->manhattan += (uint16_t)grid_distance(&puzzle->board->grid, cell, home);
        }
    }
    for (unsigned v = 0; v < bounds->views; v++) {
        for (unsigned l = 0; l < puzzle->partition.line_count; l++) {
            const struct tile_view *tile = tile_bounds_any(bounds, v, l);
            uint64_t rank = tile_bounds_rank(bounds, v, l, state);
            unsigned excess = find_excess(searcher, tile, rank);
            node->ranks[v] |= rank << tile->shift;
            node->excesses[v] |= (uint64_t)excess << 8 * l;
            node->excess[v] += (uint16_t)excess;
        }
        most = node->excess[v] > most ? node->excess[v] : most;
    }
    return node->manhattan + 2 * most;
}

// Finds the child's excess in one view. Returns the number of moves by which the lower bound
// exceeds the moves that are left, or 0.
static inline unsigned count_moves_over(struct searcher *searcher, const struct tile_view *tile,
                                        const struct tile_node *node, unsigned view, unsigned left,
                                        struct tile_node *child)
{
    unsigned before = (unsigned)(node->excesses[view] >> 8 * tile->line) & 0xFFu;
    unsigned after = find_excess(searcher, tile, tile_view_rank(tile, child->ranks[view]));
    unsigned excess = node->excess[view] + after - before;
    unsigned bound = child->manhattan + 2 * excess;
    child->excess[view] = (uint16_t)excess;
    child->excesses[view] = node->excesses[view] ^ (uint64_t)(before ^ after) << 8 * tile->line;
    return bound > left ? bound - left : 0;
}

static unsigned expand(struct searcher *searcher, const void *expanded, unsigned left,
                       const struct children *children)
{
    const struct tile_bounds *bounds = searcher->bounds;
    const struct tile_node *node = expanded;
    const uint32_t *next = pruning_automaton_row(searcher->automaton, node->state);
    unsigned blank = node->blank;
    unsigned made = 0;
    unsigned kept = 0;
    // Starts the first look-up of all children before the first one is read.
    for (unsigned m = 0; m < bounds->puzzle->move_count; m++) {
        if (next[m] == MOVE_PRUNED) {
            continue;
        }
        unsigned tile = node->board >> bounds->from_shift[m][blank] & 15u;
        const struct tile_view *view = &bounds->tiles[0][tile];
        struct tile_node *child = child_at(children, m);
        child->ranks[0] =
            node->ranks[0] + (uint64_t)tile_bounds_change(bounds, node->board, blank, 0, m, tile);
        __builtin_prefetch(tile_view_at(view, tile_view_rank(view, child->ranks[0])));
        children->moves[made++] = (uint16_t)m;
    }
    searcher->nodes += made;
    for (unsigned c = 0; c < made; c++) {
        unsigned m = children->moves[c];
        struct tile_node *child = child_at(children, m);
        unsigned shift = bounds->from_shift[m][blank];
        uint64_t tile = node->board >> shift & 15u;
        child->manhattan = (uint16_t)(node->manhattan + bounds->farther[m][blank][tile]);
        unsigned over = count_moves_over(searcher, &bounds->tiles[0][tile], node, 0, left, child);
        if (over == 0 && bounds->views > 1) {
            child->ranks[1] =
                node->ranks[1] +
                (uint64_t)tile_bounds_change(bounds, node->board, blank, 1, m, (unsigned)tile);
            over = count_moves_over(searcher, &bounds->tiles[1][tile], node, 1, left, child);
        }
        if (over > 0) {
            searcher->over = over < searcher->over ? over : searcher->over;
            continue;
        }
        child->board = node->board ^ (tile << shift | tile << 4 * blank);
        child->blank = (uint16_t)(shift / 4);
        child->state = next[m];
        __builtin_prefetch(pruning_automaton_row(searcher->automaton, next[m]));
        children->moves[kept++] = (uint16_t)m;
    }
    return kept;
}

// ---- Bounds -------------------------------------------------------------------------------------

// A table makes a stage in two cases: its searches have generated `from` nodes, or the next bound
// is expected to generate as many. From the second stage on, boards are searched in bundles. The
// last stage also spreads the databases. On Korf's hundred boards, automata of length 8, 10 and 12
// save a sixth, a quarter and a third of the nodes that length 6 takes. They take 0.3, 1.6 and 7 ms
// to build.
static const struct {
    uint64_t from; // nodes
    unsigned length;
} PLANS[STAGES] = {{0, 6}, {10000, 8}, {500000, 10}, {2000000, 12}};

// About how many times as many nodes the next bound takes; it may end early.
static const uint64_t NODES_GROW = 3;

static void free_bounds(void *made)
{
    struct tile_bounds *bounds = made;
    for (unsigned s = 0; s < STAGES; s++) {
        bundle_free(bounds->stages[s].bundle);
    }
    spread_free(bounds->spread);
    tile_bounds_free(bounds);
}

static bool build_automaton(struct tile_bounds *bounds, unsigned stage, struct fewest_error *error)
{
    const struct puzzle *puzzle = bounds->puzzle;
    struct automaton_moves moves = {.count = puzzle->move_count, .board = puzzle->board};
    struct automaton_limits limits = {PLANS[stage].length, UINT64_MAX, UINT64_MAX};
    return pruning_automaton_build(&bounds->stages[stage].automaton, &moves, &limits, error);
}

static void *make_bounds(struct fewest *table, struct fewest_error *error)
{
    struct tile_bounds *bounds = tile_bounds_make(table, error);
    if (bounds && !build_automaton(bounds, 0, error)) {
        free_bounds(bounds);
        return NULL;
    }
    if (bounds) {
        bounds->last_stage = STAGES - 1;
    }
    return bounds;
}

// Makes what a search in bundles needs, if there are not too many databases.
static bool make_bundle(struct fewest *table, struct tile_bounds *bounds, unsigned number,
                        struct fewest_error *error)
{
    const struct partition *partition = &bounds->puzzle->partition;
    struct tile_stage *stage = &bounds->stages[number];
    if (!bundle_fits(partition)) {
        return true;
    }
    stage->bundle = bundle_make(bounds, &stage->automaton, error);
    if (stage->bundle && number == STAGES - 1 && spread_fits(partition)) {
        bounds->spread = spread_make(table, error);
        return bounds->spread;
    }
    return stage->bundle;
}

static bool make_stage(struct fewest *table, struct tile_bounds *bounds, unsigned number,
                       struct fewest_error *error)
{
    struct tile_stage *stage = &bounds->stages[number];
    if (!build_automaton(bounds, number, error) || !make_bundle(table, bounds, number, error)) {
        bundle_free(stage->bundle);
        pruning_automaton_free(&stage->automaton);
        stage->bundle = NULL;
        return false;
    }
    bounds->stage = number;
    return true;
}

static bool choose(struct searcher *searcher, uint64_t nodes)
{
    struct fewest *table = searcher->table;
    struct tile_bounds *bounds = table->bounds;
    uint64_t served = atomic_fetch_add(&bounds->served, nodes) + nodes;
    unsigned wanted = bounds->last_stage;
    while (PLANS[wanted].from > served && PLANS[wanted].from > nodes * NODES_GROW) {
        wanted--;
    }
    if (bounds->stage < wanted) {
        pthread_mutex_lock(&table->bounds_lock);
        bool made = bounds->stage >= wanted || make_stage(table, bounds, wanted, &searcher->error);
        pthread_mutex_unlock(&table->bounds_lock);
        if (!made) {
            return false;
        }
    }
    unsigned number = bounds->stage;
    const struct tile_stage *stage = &bounds->stages[number];
    searcher->automaton = &stage->automaton;
    searcher->family = number == STAGES - 1 && bounds->spread ? &SPREAD_NODES
                       : stage->bundle                        ? &BUNDLE_NODES
                                                              : &TILE_NODES;
    return true;
}

static size_t find_node_bytes(const void *bounds)
{
    (void)bounds;
    return sizeof(struct tile_node);
}

const struct node_family BUNDLE_NODES = {
    .set_root = set_root,
    .expand = expand,
    .find_first_moves = bundle_find_first_moves,
};

const struct node_family SPREAD_NODES = {
    .set_root = set_root,
    .expand = expand,
    .find_first_moves = bundle_find_first_moves_spread,
};

const struct node_family TILE_NODES = {
    .make_bounds = make_bounds,
    .free_bounds = free_bounds,
    .relate = relate_boards,
    .own_move = find_own_move,
    .choose = choose,
    .node_bytes = find_node_bytes,
    .set_root = set_root,
    .expand = expand,
};
