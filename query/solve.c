// Iterative-deepening A* (R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985): a
// depth-first search for a path of at most so many moves, then of two more, and so on. A node whose estimate says that
// it needs more than are left is not entered. The estimate is never too large, but it may fall by several in one move,
// so that nothing but this is concluded from it.
//
// The estimate is the taxicab distance of all tiles and twice the excess of the databases (tracked.h), the larger of
// two views: the board as it stands, and its mirror image, if a symmetry keeps the goal's blank where it is. Words of
// moves that another word replaces are pruned (words.h).
//
// A target with its blank elsewhere is carried by a symmetry of the board, and its tiles are renamed, until it is the
// goal: so both corners are answered alike.
#include "solve.h"

#include "board.h"
#include "rank.h"
#include "tracked.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    VIEWS = 2,
    WORD_DEPTH = 12,       // 14,881 states on sixteen cells, 20 ms; two more prune little
    SPREAD_TILES_MOST = 6, // 8 MiB
    SPREAD_BITS = 4,
    HUGE_PAGE = 1 << 21,
    SPREAD_MOST = 15,
    PREFIX_TILES = 3,
    PREFIXES = 1 << (4 * PREFIX_TILES),
    NODES_PER_WATCH = 1 << 20,
    NEVER = UINT8_MAX, // an excess that no bound allows
};

// The beginning of an arrangement's rank (rank.h): what the first tiles make of it.
struct prefix {
    struct lehmer code;
    uint64_t rank;
};

struct estimator {
    const uint8_t *entries; // excesses: the section's as they were unpacked, or `spread`
    unsigned bits;          // of one
    unsigned tiles;
    unsigned cells;
    unsigned shift; // of its tiles' nibbles in the positions, the first tile's the highest
    const struct prefix *prefixes;
    uint8_t *spread; // by the positions themselves, which need no ranking; NULL for many tiles
};

// A tile as one view sees it: all that its moves need, side by side.
struct seen {
    const uint8_t *spread; // of its database
    uint64_t mask;         // of the database's positions, once they are shifted
    const struct estimator *estimator;
    uint8_t shift;  // of the database's positions
    uint8_t nibble; // shift of the tile's own
    uint8_t part;   // shift of the database's excess among the parts
};

// A move of the blank from a cell, as the tile that it exchanges places with goes.
struct step {
    uint8_t from;          // where the tile is; it goes where the blank is
    uint8_t change[VIEWS]; // of its cell as a view sees it: what tells the two apart
};

struct solver {
    const struct puzzle *puzzle;
    struct step steps[TRACKED_CELLS_MOST][BOARD_MOVES_MOST];                  // by cell of the blank and move
    int8_t farther[TRACKED_CELLS_MOST][TRACKED_CELLS_MOST][BOARD_MOVES_MOST]; // by tile and step: its way home grows
    struct words words;
    struct prefix prefixes[PREFIXES]; // by the cells of the first tiles, a nibble each
    struct estimator estimators[DATABASES_MOST];
    uint8_t database_of[TRACKED_CELLS_MOST];                 // by tile
    uint8_t shift_of[TRACKED_CELLS_MOST];                    // by tile: its nibble in the positions
    struct seen seen[VIEWS][TRACKED_CELLS_MOST];             // by view and tile
    uint8_t taxicab[TRACKED_CELLS_MOST][TRACKED_CELLS_MOST]; // by tile and cell: the way home
    uint8_t cell_of[VIEWS][TRACKED_CELLS_MOST];              // by view and cell: where it is seen
    uint8_t tile_of[VIEWS][TRACKED_CELLS_MOST];              // by view and tile: as which it is seen
};

// ---- The estimate -------------------------------------------------------------------------------------------------

static inline unsigned cell_at(uint64_t positions, unsigned tile_from_last)
{
    return (unsigned)(positions >> (4 * tile_from_last)) & 15u;
}

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

static inline unsigned excess_at(const struct estimator *estimator, uint64_t index)
{
    unsigned excess = entry_get(estimator->entries, estimator->bits, index);
    return excess == entry_unreachable(estimator->bits) ? NEVER : excess;
}

// Where the database of a tile has the entry for the positions of all tiles; and what it says. The look-up begins
// before it is asked for.
static inline uint64_t find_entry(const struct seen *seen, uint64_t positions)
{
    uint64_t index = positions >> seen->shift & seen->mask;
    if (seen->spread) {
        __builtin_prefetch(&seen->spread[index / 2]);
        return index;
    }
    index = rank_positions(seen->estimator, index);
    __builtin_prefetch(&seen->estimator->entries[index * seen->estimator->bits / 8]);
    return index;
}

static inline unsigned find_excess(const struct seen *seen, uint64_t index)
{
    return seen->spread ? seen->spread[index / 2] >> index % 2 * SPREAD_BITS & SPREAD_MOST
                        : excess_at(seen->estimator, index);
}

// ---- The search ---------------------------------------------------------------------------------------------------

struct node {
    uint64_t board;            // by cell, a nibble: its tile
    uint64_t positions[VIEWS]; // by tile, a nibble: its cell
    uint64_t index[VIEWS];     // of the entry of the database whose tile moved last
    uint64_t parts[VIEWS];     // by database, a byte: its excess
    unsigned excess[VIEWS];    // their sum
    unsigned taxicab;          // of all tiles
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
    return node->taxicab + 2 * excess;
}

// A step from a node: all of the child but its excess, whose look-ups begin.
static inline void take_step(const struct solver *solver, const struct node *node, unsigned blank, unsigned move,
                             struct node *child)
{
    const struct step *step = &solver->steps[blank][move];
    uint64_t tile = node->board >> (4 * step->from) & 15u;
    child->moved = (unsigned)tile;
    child->blank = step->from;
    child->taxicab = node->taxicab + (unsigned)solver->farther[tile][blank][move];
    child->board = node->board ^ (tile << (4 * step->from) | tile << (4 * blank));
    for (unsigned v = 0; v < VIEWS; v++) {
        const struct seen *seen = &solver->seen[v][tile];
        child->positions[v] = node->positions[v] ^ (uint64_t)step->change[v] << seen->nibble;
        child->index[v] = find_entry(seen, child->positions[v]);
    }
}

// Returns by how much the estimate is above the moves that are left: 0 where it is not. The views are looked at one
// after the other, for as long as that is open.
static inline unsigned weigh(const struct solver *solver, const struct node *node, unsigned left, struct node *child)
{
    for (unsigned v = 0; v < VIEWS; v++) {
        const struct seen *seen = &solver->seen[v][child->moved];
        unsigned before = (unsigned)(node->parts[v] >> seen->part) & 0xFFu;
        unsigned after = find_excess(seen, child->index[v]);
        unsigned excess = node->excess[v] + after - before;
        if (child->taxicab + 2 * excess > left) {
            return child->taxicab + 2 * excess - left;
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
        unsigned over = weigh(solver, node, left, &child[c]);
        if (over > 0) {
            search->over = over < search->over ? over : search->over;
            continue;
        }
        search->moves[depth] = move[c];
        if (child[c].taxicab == 0 || enter(search, &child[c], depth + 1)) {
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
        node->taxicab += solver->taxicab[tile][cell];
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

// From a carried start to the goal.
static bool deepen(struct search *search, const uint8_t *state, int *steps, struct fault *fault)
{
    struct node root;
    set_node(search->solver, state, &root);
    *steps = 0;
    if (root.taxicab == 0) {
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
            return fault_set(fault, FAULT_STOPPED, "stopped in the search for a path of %u moves", search->bound);
        }
        search->bound += search->over;
    }
    return fault_set(fault, FAULT_DAMAGED, "the table is wrong: no path has %d moves or fewer", DISTANCE_MOST);
}

// ---- From start to target -----------------------------------------------------------------------------------------

// The symmetry that takes the target's blank to the goal's. NULL where none does.
static const struct symmetry *find_carrier(const struct puzzle *puzzle, const uint8_t *target)
{
    const struct board *board = puzzle->board;
    for (unsigned s = 0; s < board->symmetry_count; s++) {
        if (board->symmetries[s].to[board_find(target, 0)] == puzzle->tracked->home[0]) {
            return &board->symmetries[s];
        }
    }
    return NULL;
}

// Carries the start along, and names each tile after the one that the goal has where the carried target has it.
static void carry(const struct puzzle *puzzle, const struct symmetry *carrier, const uint8_t *start,
                  const uint8_t *target, uint8_t *carried)
{
    uint8_t name[TRACKED_CELLS_MOST];
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        name[target[cell]] = puzzle->goals[0][carrier->to[cell]];
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        carried[carrier->to[cell]] = name[start[cell]];
    }
}

static bool can_reach(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, bool *reachable,
                      struct fault *fault)
{
    uint32_t wide_start[TRACKED_CELLS_MOST];
    uint32_t wide_target[TRACKED_CELLS_MOST];
    char reason[GRID_REASON];
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        wide_start[i] = start[i];
        wide_target[i] = target[i];
    }
    return grid_parity(&puzzle->board->grid, wide_start, wide_target, reachable, reason, fault);
}

bool solver_solve(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves, int *steps,
                  struct fault *fault)
{
    uint64_t nodes;
    return solver_measure(table, start, target, moves, steps, &nodes, fault);
}

bool solver_measure(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves, int *steps,
                    uint64_t *nodes, struct fault *fault)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t carried[TRACKED_CELLS_MOST] = {0};
    bool reachable;
    if (puzzle_wild_count(puzzle, target) > 0) {
        return fault_set(fault, FAULT_BOUND, "%s is searched, and can't be for a target with wildcards", puzzle->name);
    }
    const struct symmetry *carrier = find_carrier(puzzle, target);
    if (!carrier) {
        return fault_set(fault, FAULT_BOUND,
                         "%s is searched for targets that have the blank where its goal has it, or a symmetry of the "
                         "board takes it: cell %u",
                         puzzle->name, puzzle->tracked->home[0] + 1);
    }
    if (!can_reach(puzzle, start, target, &reachable, fault)) {
        return false;
    }
    *steps = FEWEST_UNREACHABLE;
    *nodes = 0;
    if (!reachable) {
        return true;
    }
    if (!solver_prepare(table, fault)) {
        return false;
    }
    struct search search = {.solver = table->solver, .table = table};
    carry(puzzle, carrier, start, target, carried);
    if (!deepen(&search, carried, steps, fault)) {
        return false;
    }
    *nodes = search.nodes;
    uint8_t own[BOARD_MOVES_MOST] = {0}; // by carried move
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        own[board_carry_move(puzzle->board, carrier, m)] = (uint8_t)m;
    }
    for (int i = 0; i < *steps && moves; i++) {
        moves[i] = own[search.moves[i]];
    }
    return true;
}

// ---- Making a solver ----------------------------------------------------------------------------------------------

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
        estimator->spread[positions / 2] |= (uint8_t)(excess << positions % 2 * SPREAD_BITS);
        return;
    }
    for (unsigned cell = 0; cell < estimator->cells; cell++) {
        if (!(taken >> cell & 1)) {
            spread(spreading, tile + 1, taken | 1u << cell, positions << 4 | cell);
        }
    }
}

static bool add_spread(struct estimator *estimator, struct fault *fault)
{
    struct spreading spreading = {.estimator = estimator};
    size_t size = (((size_t)1 << (4 * estimator->tiles)) / 2 + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    estimator->spread = aligned_alloc(HUGE_PAGE, size); // whole huge pages: the look-ups go all over it
    if (!estimator->spread) {
        return fault_set(fault, FAULT_SYSTEM, "not enough memory for the databases");
    }
    madvise(estimator->spread, size, MADV_HUGEPAGE); // without them it is only slower
    memset(estimator->spread, 0, size);
    spread(&spreading, 0, 0, 0);
    return true;
}

static bool unpack_all(struct fewest *table, const struct unpacked *unpacked, struct fault *fault)
{
    uint64_t blocks = section_blocks(&table->header, unpacked->section);
    for (uint64_t b = 0; b < blocks; b++) {
        if (!unpacked->ready[b] && !table_unpack(table, unpacked, b, fault)) {
            return false;
        }
    }
    return true;
}

static bool add_estimator(struct fewest *table, struct solver *solver, unsigned d, unsigned shift, struct fault *fault)
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
    return unpack_all(table, &table->databases[d], fault) &&
           (database->count > SPREAD_TILES_MOST || add_spread(estimator, fault));
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
                solver->farther[tile][blank][m] = (int8_t)(solver->taxicab[tile][blank] - solver->taxicab[tile][from]);
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

static bool fill_solver(struct fewest *table, struct solver *solver, struct fault *fault)
{
    const struct puzzle *puzzle = solver->puzzle;
    unsigned shift = 0;
    for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
        for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
            solver->taxicab[tile][cell] =
                (uint8_t)grid_distance(&puzzle->board->grid, cell, puzzle->tracked->home[tile]);
        }
    }
    add_views(solver);
    add_steps(solver);
    add_prefixes(solver);
    for (unsigned d = 0; d < puzzle->tracked->count; d++) {
        if (!add_estimator(table, solver, d, shift, fault)) {
            return false;
        }
        shift += 4 * puzzle->tracked->databases[d].count;
    }
    add_seen(solver);
    return words_build(&solver->words, puzzle->board, puzzle->move_count, WORD_DEPTH, fault);
}

bool solver_prepare(struct fewest *table, struct fault *fault)
{
    if (table->solver) {
        return true;
    }
    struct solver *solver = calloc(1, sizeof *solver);
    if (!solver) {
        return fault_set(fault, FAULT_SYSTEM, "not enough memory for the search");
    }
    solver->puzzle = &table->puzzle;
    if (!fill_solver(table, solver, fault)) {
        solver_free(solver);
        return false;
    }
    table->solver = solver;
    return true;
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
