// Searches for shortest paths by iterative-deepening A*, IDA* (R. E. Korf, "Depth-first
// iterative-deepening: an optimal admissible tree search", 1985).
//
// A depth-first search looks for a path of at most `bound` moves. If there is none, the next search
// has a larger bound. It does not enter a node whose lower bound exceeds the moves that are left.
// The lower bound may fall by several in one move, so no other conclusion is drawn from it.
//
// The lower bound is the sum of the tiles' Manhattan distances and twice the excess of the
// databases (pattern_databases.h). It is the larger one of two views: the board itself and, if a
// symmetry keeps the goal's blank in its cell, the mirror image. The pruning automaton
// (pruning_automaton.h) prunes duplicate move sequences.
//
// A target may have its blank in another cell than the goal, if a symmetry of the board takes that
// cell to the goal's. The symmetry and a renaming of the tiles turn the target into the goal.
#include "search/ida_star.h"

#include "search/heuristic.h"
#include "search/state_search.h"

#include <stdio.h>
#include <string.h>

enum {
    NODES_PER_WATCH = 1 << 20,
};

// ---- The lower bound ----------------------------------------------------------------------------

static inline uint64_t rank_positions(const struct lookup *lookup, uint64_t positions)
{
    unsigned left = lookup->tiles - PREFIX_TILES;
    struct prefix prefix = lookup->prefixes[positions >> (4 * left)];
    for (; left > 0; left--) {
        unsigned digit = lehmer_digit(&prefix.code, cell_at(positions, left - 1));
        prefix.rank = prefix.rank * (lookup->cells - lookup->tiles + left) + digit;
    }
    return prefix.rank;
}

// Finds the index of the entry in a tile's database for the positions of all tiles, and prefetches
// the entry.
static inline uint64_t find_database_index(const struct tile_view *view, uint64_t positions)
{
    uint64_t index = positions >> view->shift & view->mask;
    if (view->spread) {
        __builtin_prefetch(&view->spread[index / SPREAD_A_BYTE]);
        return index;
    }
    index = rank_positions(view->lookup, index);
    __builtin_prefetch(&view->lookup->entries[index * view->lookup->bits / 8]);
    return index;
}

static inline unsigned find_excess(const struct tile_view *view, uint64_t index)
{
    return view->spread
               ? view->spread[index / SPREAD_A_BYTE] >> index % SPREAD_A_BYTE * SPREAD_BITS &
                     SPREAD_MOST
               : excess_at(view->lookup, index);
}

// ---- The search ---------------------------------------------------------------------------------

struct node {
    uint64_t board;            // by cell, a nibble: its tile
    uint64_t positions[VIEWS]; // by tile, a nibble: its cell
    uint64_t index[VIEWS];     // of the entry of the database whose tile moved last
    uint64_t excesses[VIEWS];  // by database, a byte: its excess
    unsigned excess[VIEWS];    // their sum
    unsigned manhattan;        // the sum of all tiles' Manhattan distances
    uint32_t state;            // of the pruning automaton
    unsigned moved;            // the tile that moved last
    unsigned blank;            // its cell
};

struct ida_star {
    const struct heuristic *heuristic;
    const struct fewest *table;
    uint8_t moves[DISTANCE_MOST + 1];
    unsigned over; // the least number of moves by which a lower bound exceeded the bound
    uint64_t nodes;
    uint64_t watch_at; // the number of nodes at which the watcher is called
    unsigned bound;
    bool stopped;
};

static unsigned find_lower_bound(const struct node *node)
{
    unsigned excess = node->excess[0] > node->excess[1] ? node->excess[0] : node->excess[1];
    return node->manhattan + 2 * excess;
}

// Makes the child of a node by one move, but without its excesses. Prefetches their entries.
static inline void make_child(const struct heuristic *heuristic, const struct node *node,
                              unsigned blank, unsigned move, struct node *child)
{
    const struct blank_move *blank_move = &heuristic->blank_moves[blank][move];
    uint64_t tile = node->board >> (4 * blank_move->from) & 15u;
    child->moved = (unsigned)tile;
    child->blank = blank_move->from;
    child->manhattan = node->manhattan + (unsigned)heuristic->farther[tile][blank][move];
    child->board = node->board ^ (tile << (4 * blank_move->from) | tile << (4 * blank));
    for (unsigned v = 0; v < VIEWS; v++) {
        const struct tile_view *view = &heuristic->tile_views[v][tile];
        child->positions[v] = node->positions[v] ^ (uint64_t)blank_move->change[v] << view->nibble;
        child->index[v] = find_database_index(view, child->positions[v]);
    }
}

// Returns the number of moves by which the lower bound exceeds the moves that are left, or 0. Looks
// at the second view only if the first one does not decide.
static inline unsigned count_moves_over(const struct heuristic *heuristic, const struct node *node,
                                        unsigned left, struct node *child)
{
    for (unsigned v = 0; v < VIEWS; v++) {
        const struct tile_view *view = &heuristic->tile_views[v][child->moved];
        unsigned before = (unsigned)(node->excesses[v] >> view->excess_shift) & 0xFFu;
        unsigned after = find_excess(view, child->index[v]);
        unsigned excess = node->excess[v] + after - before;
        if (child->manhattan + 2 * excess > left) {
            return child->manhattan + 2 * excess - left;
        }
        child->excesses[v] = node->excesses[v] ^ (uint64_t)(before ^ after) << view->excess_shift;
        child->excess[v] = excess;
    }
    return 0;
}

static void call_watcher(struct ida_star *search)
{
    search->watch_at = search->nodes + NODES_PER_WATCH;
    search->stopped = search->table->watch &&
                      !search->table->watch(search->table->watch_context, (int)search->bound);
}

// Searches the tree below a node. Returns true if it reaches the goal.
static bool search_below(struct ida_star *search, const struct node *node, unsigned depth)
{
    const struct heuristic *heuristic = search->heuristic;
    struct node child[BOARD_MOVES_MOST];
    uint8_t move[BOARD_MOVES_MOST];
    unsigned count = 0;
    unsigned blank = node->blank;
    unsigned left = search->bound - depth - 1; // after this move
    const uint32_t *next = pruning_automaton_row(&heuristic->automaton, node->state);
    for (unsigned m = 0; m < heuristic->puzzle->move_count; m++) {
        child[count].state = next[m];
        if (child[count].state != MOVE_PRUNED) {
            __builtin_prefetch(pruning_automaton_row(&heuristic->automaton, next[m]));
            make_child(heuristic, node, blank, m, &child[count]);
            move[count++] = (uint8_t)m;
        }
    }
    search->nodes += count;
    if (search->nodes >= search->watch_at) {
        call_watcher(search);
    }
    for (unsigned c = 0; c < count && !search->stopped; c++) {
        unsigned over = count_moves_over(heuristic, node, left, &child[c]);
        if (over > 0) {
            search->over = over < search->over ? over : search->over;
            continue;
        }
        search->moves[depth] = move[c];
        if (child[c].manhattan == 0 || search_below(search, &child[c], depth + 1)) {
            return true;
        }
    }
    return false;
}

static void set_node(const struct heuristic *heuristic, const uint8_t *state, struct node *node)
{
    unsigned cells = heuristic->puzzle->cell_count;
    *node = (struct node){.board = 0};
    for (unsigned cell = 0; cell < cells; cell++) {
        unsigned tile = state[cell];
        node->board |= (uint64_t)tile << (4 * cell);
        if (tile == 0) {
            node->state = cell;
            node->blank = cell;
            continue;
        }
        node->manhattan += heuristic->manhattan[tile][cell];
        for (unsigned v = 0; v < VIEWS; v++) {
            node->positions[v] |= (uint64_t)heuristic->cell_of[v][cell]
                                  << heuristic->shift_of[heuristic->tile_of[v][tile]];
        }
    }
    for (unsigned v = 0; v < VIEWS; v++) {
        for (unsigned d = 0; d < heuristic->puzzle->partition.count; d++) {
            const struct tile_view *view =
                &heuristic->tile_views[0][heuristic->puzzle->partition.databases[d].tile[0]];
            unsigned excess = find_excess(view, find_database_index(view, node->positions[v]));
            node->excesses[v] |= (uint64_t)excess << (8 * d);
            node->excess[v] += excess;
        }
    }
}

// Searches from a renamed start to the goal, with one bound after the other.
static bool deepen_search(struct ida_star *search, const uint8_t *state, int *steps,
                          struct fewest_error *error)
{
    struct node root;
    set_node(search->heuristic, state, &root);
    *steps = 0;
    if (root.manhattan == 0) {
        return true;
    }
    for (search->bound = find_lower_bound(&root); search->bound <= DISTANCE_MOST;) {
        search->over = DISTANCE_MOST;
        if (!table_keeps_limit(search->table, (int)search->bound, error)) {
            return false;
        }
        call_watcher(search);
        if (!search->stopped && search_below(search, &root, 0)) {
            *steps = (int)search->bound;
            return true;
        }
        if (search->stopped) {
            return error_set(error, FEWEST_STOPPED,
                             "stopped while searching for a path of %u moves", search->bound);
        }
        search->bound += search->over;
    }
    return error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: no path of %d moves or fewer solves this",
                     DISTANCE_MOST);
}

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
static void relabel_start(const struct puzzle *puzzle, const struct symmetry *to_goal,
                          const uint8_t *start, const uint8_t *target, uint8_t *relative)
{
    uint8_t name[DATABASE_CELLS_MOST];
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        name[target[cell]] = puzzle->goals[0][to_goal->to[cell]];
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        relative[to_goal->to[cell]] = name[start[cell]];
    }
}

bool search_accepts(const struct puzzle *puzzle, const uint8_t *target, struct fewest_error *error)
{
    return puzzle_wild_count(puzzle, target) == 0 ||
           error_set(error, FEWEST_BEYOND,
                     "%s is solved by a search, which does not support wildcards", puzzle->name);
}

bool ida_star_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        unsigned *moves, int *steps, struct fewest_error *error)
{
    uint64_t nodes;
    return ida_star_count_nodes(table, start, target, moves, steps, &nodes, error);
}

bool ida_star_count_nodes(struct fewest *table, const uint8_t *start, const uint8_t *target,
                          unsigned *moves, int *steps, uint64_t *nodes, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t relative[DATABASE_CELLS_MOST] = {0};
    char reason[GRID_REASON];
    bool reachable;
    if (!search_accepts(puzzle, target, error)) {
        return false;
    }
    if (puzzle->projection_count > 0) {
        return state_search_find_path(table, start, target, moves, steps, nodes, error);
    }
    const struct symmetry *to_goal = find_symmetry_to_goal(puzzle, board_find(target, 0));
    if (!to_goal) {
        return reject_blank(puzzle, error);
    }
    if (!puzzle->rules->decide_parity(puzzle, start, target, &reachable, reason, error)) {
        return false;
    }
    *steps = FEWEST_UNREACHABLE;
    *nodes = 0;
    if (!reachable) {
        return true;
    }
    if (!heuristic_prepare(table, error)) {
        return false;
    }
    struct ida_star search = {.heuristic = table->heuristic, .table = table};
    relabel_start(puzzle, to_goal, start, target, relative);
    if (!deepen_search(&search, relative, steps, error)) {
        return false;
    }
    *nodes = search.nodes;
    uint8_t own[BOARD_MOVES_MOST] = {0}; // by conjugate move
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        own[board_conjugate_move(puzzle->board, to_goal, m)] = (uint8_t)m;
    }
    for (int i = 0; i < *steps && moves; i++) {
        moves[i] = own[search.moves[i]];
    }
    return true;
}
