// Iterative-deepening A* (R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985): a
// depth-first search for a path of at most so many moves, then of two more, and so on. A node whose estimate says that
// it needs more than are left is not entered. The estimate is never too large, but it may fall by several in one move,
// so that nothing but this is concluded from it.
//
// The estimate is the Manhattan distance of all tiles and twice the excess of the databases (tracked.h), the larger of
// two views: the board as it stands, and its mirror image, if a symmetry keeps the goal's blank where it is. Words of
// moves that another word replaces are pruned (pruning_automaton.h).
//
// A target may have its blank in another cell than the goal, if a symmetry of the board takes that cell to the goal's.
// The symmetry and a renaming of the tiles turn the target into the goal.
#include "search/ida_star.h"
#include "puzzle/sliding.h"

#include "search/heuristic.h"

#include <stdio.h>
#include <string.h>

enum {
    NODES_PER_WATCH = 1 << 20,
};

// ---- The estimate -------------------------------------------------------------------------------------------------

static inline uint64_t rank_positions(const struct estimator *estimator, uint64_t positions)
{
    unsigned left = estimator->tiles - PREFIX_TILES;
    struct prefix prefix = estimator->prefixes[positions >> (4 * left)];
    for (; left > 0; left--) {
        unsigned digit = lehmer_digit(&prefix.code, cell_at(positions, left - 1));
        prefix.rank = prefix.rank * (estimator->cells - estimator->tiles + left) + digit;
    }
    return prefix.rank;
}

// Where the database of a tile has the entry for the positions of all tiles; and what it says. The look-up begins
// before it is asked for.
static inline uint64_t find_entry(const struct seen *seen, uint64_t positions)
{
    uint64_t index = positions >> seen->shift & seen->mask;
    if (seen->spread) {
        __builtin_prefetch(&seen->spread[index / SPREAD_A_BYTE]);
        return index;
    }
    index = rank_positions(seen->estimator, index);
    __builtin_prefetch(&seen->estimator->entries[index * seen->estimator->bits / 8]);
    return index;
}

static inline unsigned find_excess(const struct seen *seen, uint64_t index)
{
    return seen->spread ? seen->spread[index / SPREAD_A_BYTE] >> index % SPREAD_A_BYTE * SPREAD_BITS & SPREAD_MOST
                        : excess_at(seen->estimator, index);
}

// ---- The search ---------------------------------------------------------------------------------------------------

struct node {
    uint64_t board;            // by cell, a nibble: its tile
    uint64_t positions[VIEWS]; // by tile, a nibble: its cell
    uint64_t index[VIEWS];     // of the entry of the database whose tile moved last
    uint64_t parts[VIEWS];     // by database, a byte: its excess
    unsigned excess[VIEWS];    // their sum
    unsigned manhattan;        // of all tiles
    uint32_t words;            // the state of the automaton
    unsigned moved;            // the tile that moved last
    unsigned blank;            // where it is
};

struct search {
    const struct solver *solver;
    const struct fewest *table;
    uint8_t moves[DISTANCE_MOST + 1];
    unsigned over; // the least by which a node went beyond the bound
    uint64_t nodes;
    uint64_t watch_at; // the number of nodes at which the watcher is called
    unsigned bound;
    bool stopped;
};

static unsigned estimate(const struct node *node)
{
    unsigned excess = node->excess[0] > node->excess[1] ? node->excess[0] : node->excess[1];
    return node->manhattan + 2 * excess;
}

// A step from a node: all of the child but its excess, whose look-ups begin.
static inline void take_step(const struct solver *solver, const struct node *node, unsigned blank, unsigned move,
                             struct node *child)
{
    const struct step *step = &solver->steps[blank][move];
    uint64_t tile = node->board >> (4 * step->from) & 15u;
    child->moved = (unsigned)tile;
    child->blank = step->from;
    child->manhattan = node->manhattan + (unsigned)solver->farther[tile][blank][move];
    child->board = node->board ^ (tile << (4 * step->from) | tile << (4 * blank));
    for (unsigned v = 0; v < VIEWS; v++) {
        const struct seen *seen = &solver->seen[v][tile];
        child->positions[v] = node->positions[v] ^ (uint64_t)step->change[v] << seen->nibble;
        child->index[v] = find_entry(seen, child->positions[v]);
    }
}

// Returns the number of moves by which the lower bound exceeds the moves that are left, or 0. Looks at the second view
// only if the first one does not decide.
static inline unsigned count_moves_over(const struct solver *solver, const struct node *node, unsigned left,
                                        struct node *child)
{
    for (unsigned v = 0; v < VIEWS; v++) {
        const struct seen *seen = &solver->seen[v][child->moved];
        unsigned before = (unsigned)(node->parts[v] >> seen->part) & 0xFFu;
        unsigned after = find_excess(seen, child->index[v]);
        unsigned excess = node->excess[v] + after - before;
        if (child->manhattan + 2 * excess > left) {
            return child->manhattan + 2 * excess - left;
        }
        child->parts[v] = node->parts[v] ^ (uint64_t)(before ^ after) << seen->part;
        child->excess[v] = excess;
    }
    return 0;
}

static void watch(struct search *search)
{
    search->watch_at = search->nodes + NODES_PER_WATCH;
    search->stopped = search->table->watch && !search->table->watch(search->table->watch_context, (int)search->bound);
}

// Returns true at the goal.
static bool enter(struct search *search, const struct node *node, unsigned depth)
{
    const struct solver *solver = search->solver;
    struct node child[BOARD_MOVES_MOST];
    uint8_t move[BOARD_MOVES_MOST];
    unsigned count = 0;
    unsigned blank = node->blank;
    unsigned left = search->bound - depth - 1; // after one move more
    for (unsigned m = 0; m < solver->puzzle->move_count; m++) {
        child[count].words = solver->words.next[node->words][m];
        if (child[count].words != WORDS_PRUNED) {
            __builtin_prefetch(solver->words.next[child[count].words]);
            take_step(solver, node, blank, m, &child[count]);
            move[count++] = (uint8_t)m;
        }
    }
    search->nodes += count;
    if (search->nodes >= search->watch_at) {
        watch(search);
    }
    for (unsigned c = 0; c < count && !search->stopped; c++) {
        unsigned over = count_moves_over(solver, node, left, &child[c]);
        if (over > 0) {
            search->over = over < search->over ? over : search->over;
            continue;
        }
        search->moves[depth] = move[c];
        if (child[c].manhattan == 0 || enter(search, &child[c], depth + 1)) {
            return true;
        }
    }
    return false;
}

static void set_node(const struct solver *solver, const uint8_t *state, struct node *node)
{
    unsigned cells = solver->puzzle->cell_count;
    *node = (struct node){.board = 0};
    for (unsigned cell = 0; cell < cells; cell++) {
        unsigned tile = state[cell];
        node->board |= (uint64_t)tile << (4 * cell);
        if (tile == 0) {
            node->words = cell;
            node->blank = cell;
            continue;
        }
        node->manhattan += solver->manhattan[tile][cell];
        for (unsigned v = 0; v < VIEWS; v++) {
            node->positions[v] |= (uint64_t)solver->cell_of[v][cell] << solver->shift_of[solver->tile_of[v][tile]];
        }
    }
    for (unsigned v = 0; v < VIEWS; v++) {
        for (unsigned d = 0; d < solver->puzzle->tracked->count; d++) {
            const struct seen *seen = &solver->seen[0][solver->puzzle->tracked->databases[d].tile[0]];
            unsigned excess = find_excess(seen, find_entry(seen, node->positions[v]));
            node->parts[v] |= (uint64_t)excess << (8 * d);
            node->excess[v] += excess;
        }
    }
}

// Searches from a renamed start to the goal, with one bound after the other.
static bool deepen(struct search *search, const uint8_t *state, int *steps, struct fewest_error *error)
{
    struct node root;
    set_node(search->solver, state, &root);
    *steps = 0;
    if (root.manhattan == 0) {
        return true;
    }
    for (search->bound = estimate(&root); search->bound <= DISTANCE_MOST;) {
        search->over = DISTANCE_MOST;
        watch(search);
        if (!search->stopped && enter(search, &root, 0)) {
            *steps = (int)search->bound;
            return true;
        }
        if (search->stopped) {
            return error_set(error, FEWEST_STOPPED, "stopped while searching for a path of %u moves", search->bound);
        }
        search->bound += search->over;
    }
    return error_set(error, FEWEST_DAMAGED, "the table holds wrong distances: no path of %d moves or fewer solves this",
                     DISTANCE_MOST);
}

// ---- From start to target -----------------------------------------------------------------------------------------

// The symmetry that takes the target's blank to the goal's. NULL if there is none.
static const struct symmetry *find_symmetry_to_goal(const struct puzzle *puzzle, unsigned blank)
{
    const struct board *board = puzzle->board;
    for (unsigned s = 0; s < board->symmetry_count; s++) {
        if (board->symmetries[s].to[blank] == puzzle->tracked->home[0]) {
            return &board->symmetries[s];
        }
    }
    return NULL;
}

// Says where the blank of a target may be.
static bool reject_blank(const struct puzzle *puzzle, struct fewest_error *error)
{
    char cells[4 * TRACKED_CELLS_MOST] = "";
    size_t used = 0;
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        if (find_symmetry_to_goal(puzzle, cell)) {
            used += (size_t)snprintf(cells + used, sizeof cells - used, "%s%u", used > 0 ? ", " : "", cell + 1);
        }
    }
    return error_set(error, FEWEST_BEYOND,
                     "%s is solved by a search, which needs the blank of TARGET in one of these cells: %s",
                     puzzle->name, cells);
}

// Applies a symmetry and a renaming of the tiles that turn the target into the goal to the start.
static void relabel_start(const struct puzzle *puzzle, const struct symmetry *to_goal, const uint8_t *start,
                          const uint8_t *target, uint8_t *relative)
{
    uint8_t name[TRACKED_CELLS_MOST];
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        name[target[cell]] = puzzle->goals[0][to_goal->to[cell]];
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        relative[to_goal->to[cell]] = name[start[cell]];
    }
}

bool solver_solve(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves, int *steps,
                  struct fewest_error *error)
{
    uint64_t nodes;
    return solver_measure(table, start, target, moves, steps, &nodes, error);
}

bool solver_measure(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves, int *steps,
                    uint64_t *nodes, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t relative[TRACKED_CELLS_MOST] = {0};
    char reason[GRID_REASON];
    bool reachable;
    if (puzzle_wild_count(puzzle, target) > 0) {
        return error_set(error, FEWEST_BEYOND, "%s is solved by a search, which does not support wildcards",
                         puzzle->name);
    }
    const struct symmetry *to_goal = find_symmetry_to_goal(puzzle, board_find(target, 0));
    if (!to_goal) {
        return reject_blank(puzzle, error);
    }
    if (!sliding_parity(puzzle, start, target, &reachable, reason, error)) {
        return false;
    }
    *steps = FEWEST_UNREACHABLE;
    *nodes = 0;
    if (!reachable) {
        return true;
    }
    if (!solver_prepare(table, error)) {
        return false;
    }
    struct search search = {.solver = table->solver, .table = table};
    relabel_start(puzzle, to_goal, start, target, relative);
    if (!deepen(&search, relative, steps, error)) {
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
