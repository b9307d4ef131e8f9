// Searches sliding boards in bundles. The header says how.
#include "search/boards.h"

#include "index/rank.h"
#include "search/ida_star.h"
#include "search/pruning_automaton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    BUNDLE_MOST = 32,      // boards
    FIRST_MOST = 16,       // moves that a board remembers
    SPREAD_TILES_MOST = 6, // of a database: 4 MiB
    SPREAD_MOST = 3,       // the largest excess
    HUGE_PAGE = 1 << 21,
};

// By stage: the length of the longest forbidden sequences. On Korf's hundred boards, length 12
// saves a third of the boards that length 6 takes. It takes 7 ms to build.
static const unsigned LENGTHS[BOARD_STAGES] = {6, 12};
// By stage: the number of boards in a bundle. An easy search should unpack few blocks.
static const unsigned BUNDLES[BOARD_STAGES] = {8, BUNDLE_MOST};

// The second stage is made if searches have generated so many boards, or if the next bound is
// expected to. A bound takes about three times as many as the last; it may end early.
static const uint64_t LONG_SEARCH = 2000000;
static const uint64_t NODES_GROW = 3;

static bool lacks_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory for the search");
}

// ---- From start to target -----------------------------------------------------------------------
// A target may have its blank in another cell than the goal, if a symmetry of the board takes that
// cell to the goal's. The symmetry and a renaming of the tiles turn the target into the goal.

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

// ---- Words and steps ----------------------------------------------------------------------------

static void find_views(struct board_bounds *bounds)
{
    const struct board *board = bounds->puzzle->board;
    unsigned home = bounds->puzzle->partition.home[0];
    bounds->symmetry[0] = bounds->symmetry[1] = &board->symmetries[0]; // the identity
    for (unsigned s = board->symmetry_count; s-- > 1;) {
        if (board->symmetries[s].to[home] == home) {
            bounds->symmetry[1] = &board->symmetries[s]; // the first one
        }
    }
}

static void add_lines(struct board_bounds *bounds, const struct database *databases)
{
    const struct partition *partition = &bounds->puzzle->partition;
    for (unsigned l = 0; l < partition->line_count; l++) {
        unsigned number = partition->lines[l].database;
        bounds->lines[l].database = databases[number];
        bounds->lines[l].tiles = partition->databases[number].count;
    }
}

// Finds the nibble of a tile in the words of a view. The view sees another tile, and the line of
// that one may share the database of an earlier line. The first tile of a database has the highest
// nibble.
static void add_tile(struct board_bounds *bounds, unsigned view, unsigned tile)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct partition *partition = &puzzle->partition;
    const uint8_t *mirrored = bounds->symmetry[view]->to;
    unsigned seen = puzzle->goals[0][mirrored[partition->home[tile]]];
    unsigned l = partition->line_of[seen];
    const struct partition_line *line = &partition->lines[l];
    const struct pattern_database *database = &partition->databases[line->database];
    const uint8_t *shared = puzzle->board->symmetries[line->symmetry].to;
    unsigned order = 0;
    while (database->tile[order] != partition->image[seen]) {
        order++;
    }
    unsigned shift = 4 * (database->count - 1 - order);
    bounds->slot[view][tile] = (uint8_t)(view * DATABASES_MOST + l);
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        bounds->nibble[view][tile][cell] = (uint32_t)shared[mirrored[cell]] << shift;
    }
}

static void add_steps(struct board_bounds *bounds, unsigned move, unsigned blank)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct grid *grid = &puzzle->board->grid;
    unsigned number = 8 * blank + move;
    unsigned from = puzzle->board->to[move][blank];
    if (from == NOWHERE) {
        return;
    }
    bounds->shift[number] = (uint8_t)(4 * from);
    for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
        unsigned home = puzzle->partition.home[tile];
        struct board_step *step = &bounds->steps[number][tile];
        step->exchange = (UINT64_C(1) << 4 * from | UINT64_C(1) << 4 * blank) * tile;
        step->farther = grid_distance(grid, blank, home) > grid_distance(grid, from, home);
        for (unsigned v = 0; v < BOARD_VIEWS; v++) {
            step->words[v] = bounds->nibble[v][tile][from] ^ bounds->nibble[v][tile][blank];
            step->slot[v] = bounds->slot[v][tile];
        }
    }
}

// ---- Stages -------------------------------------------------------------------------------------

// The first states of the automaton are the starts, one for each cell of the blank. Each other
// state follows an earlier one.
static bool fill_rows(const struct board *board, const struct pruning_automaton *automaton,
                      struct board_stage *stage)
{
    uint32_t stride = automaton->move_count + 1;
    uint8_t *blanks = calloc(automaton->state_count, 1);
    stage->rows = malloc((size_t)automaton->state_count * stride * sizeof *stage->rows);
    bool done = blanks && stage->rows;
    for (unsigned cell = 0; cell < board->grid.cells && done; cell++) {
        blanks[cell] = (uint8_t)cell;
    }
    for (uint32_t state = 0; state < automaton->state_count && done; state++) {
        const uint32_t *next = pruning_automaton_row(automaton, state);
        uint32_t *row = stage->rows + (size_t)state * stride;
        *row = 0;
        for (unsigned m = 0; m < automaton->move_count; m++) {
            if (next[m] != MOVE_PRUNED) {
                row[++*row] = next[m] * stride * BOARD_STEPS + 8u * blanks[state] + m;
                blanks[next[m]] = board->to[m][blanks[state]];
            }
        }
    }
    free(blanks);
    return done;
}

static bool add_automaton(struct board_bounds *bounds, unsigned number, struct fewest_error *error)
{
    static const uint64_t ENTRIES_MOST = UINT64_C(1) << 24; // so that the values of rows fit
    const struct puzzle *puzzle = bounds->puzzle;
    struct board_stage *stage = &bounds->stages[number];
    struct automaton_moves moves = {.count = puzzle->move_count, .board = puzzle->board};
    struct automaton_limits limits = {LENGTHS[number], ENTRIES_MOST, UINT64_MAX};
    struct pruning_automaton automaton;
    if (!pruning_automaton_build(&automaton, &moves, &limits, error)) {
        return false;
    }
    bool filled = fill_rows(puzzle->board, &automaton, stage);
    stage->bundle = BUNDLES[number];
    pruning_automaton_free(&automaton);
    return filled || lacks_memory(error);
}

// A pass through the arrangements of a database's tiles, in the order of their ranks.
struct spreading {
    const struct database *from;
    unsigned tiles;
    uint8_t *to;
    uint64_t entry;
};

// Reads an entry for each free cell of the last tile. Returns sixteen entries, by cell.
static uint32_t read_entries(struct spreading *spreading, unsigned free)
{
    uint32_t entries = 0;
    for (; free != 0; free &= free - 1) {
        uint32_t excess = database_get(spreading->from, spreading->entry++);
        entries |= (excess < SPREAD_MOST ? excess : SPREAD_MOST) << 2 * __builtin_ctz(free);
    }
    return entries;
}

// Places the tiles from `tile` on in all free cells. `word` has the cells of the earlier ones.
static void spread_entries(struct spreading *spreading, unsigned tile, unsigned free, size_t word)
{
    if (tile + 1 == spreading->tiles) {
        uint32_t entries = read_entries(spreading, free);
        for (unsigned b = 0; b < 4; b++) {
            spreading->to[4 * word + b] = (uint8_t)(entries >> 8 * b);
        }
        return;
    }
    for (unsigned left = free; left != 0; left &= left - 1) {
        unsigned cell = (unsigned)__builtin_ctz(left);
        spread_entries(spreading, tile + 1, free & ~(1u << cell), word << 4 | cell);
    }
}

// Finds where the entries of each line begin if they are spread. Returns their number, or 0 if a
// database has too many tiles. They begin at a multiple of their number, so that an exclusive or
// changes only nibbles.
static size_t place_lines(struct board_bounds *bounds)
{
    const struct partition *partition = &bounds->puzzle->partition;
    uint32_t first[DATABASES_MOST];
    size_t count = 0;
    for (unsigned d = 0; d < partition->count; d++) {
        size_t own = (size_t)1 << 4 * partition->databases[d].count;
        if (partition->databases[d].count > SPREAD_TILES_MOST) {
            return 0;
        }
        count = (count + own - 1) / own * own;
        first[d] = (uint32_t)count;
        count += own;
    }
    for (unsigned l = 0; l < partition->line_count; l++) {
        bounds->lines[l].first = first[partition->lines[l].database];
    }
    return count;
}

static bool unpack_all(const struct database *database, struct fewest_error *error)
{
    bool done = true;
    for (uint64_t e = 0; e < database->entries && done; e += UINT64_C(1) << database->block_log2) {
        done = database_need(database, e, error);
    }
    return done;
}

// Spreads the databases, unless one is too large. Lines may share one.
static bool spread_databases(struct board_bounds *bounds, struct board_stage *stage,
                             struct fewest_error *error)
{
    const struct partition *partition = &bounds->puzzle->partition;
    size_t size = (place_lines(bounds) / 4 + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (size == 0) {
        return true;
    }
    stage->spread = aligned_alloc(HUGE_PAGE, size);
    if (!stage->spread) {
        return lacks_memory(error);
    }
    madvise(stage->spread, size, MADV_HUGEPAGE); // without huge pages it is only slower
    for (unsigned l = 0; l < partition->line_count; l++) {
        const struct board_line *line = &bounds->lines[l];
        struct spreading spreading = {&line->database, line->tiles, stage->spread + line->first / 4,
                                      0};
        if (partition->lines[l].symmetry != 0) {
            continue; // an earlier line has the same database
        }
        if (!unpack_all(&line->database, error)) {
            return false;
        }
        spread_entries(&spreading, 0, (1u << bounds->puzzle->cell_count) - 1, 0);
    }
    return true;
}

static void free_stage(struct board_stage *stage)
{
    free(stage->rows);
    free(stage->spread);
    stage->rows = NULL;
    stage->spread = NULL;
}

static bool make_second_stage(struct board_bounds *bounds, struct fewest_error *error)
{
    struct board_stage *stage = &bounds->stages[1];
    if (!add_automaton(bounds, 1, error) || !spread_databases(bounds, stage, error)) {
        free_stage(stage);
        return false;
    }
    bounds->stage = 1;
    return true;
}

static void free_bounds(void *made)
{
    struct board_bounds *bounds = made;
    for (unsigned s = 0; s < BOARD_STAGES; s++) {
        free_stage(&bounds->stages[s]);
    }
    pthread_mutex_destroy(&bounds->lock);
    free(bounds);
}

static void *make_bounds(const struct puzzle *puzzle, const struct database *databases,
                         struct fewest_error *error)
{
    struct board_bounds *bounds = calloc(1, sizeof *bounds);
    if (!bounds) {
        lacks_memory(error);
        return NULL;
    }
    bounds->puzzle = puzzle;
    bounds->last_stage = BOARD_STAGES - 1;
    pthread_mutex_init(&bounds->lock, NULL);
    find_views(bounds);
    add_lines(bounds, databases);
    for (unsigned v = 0; v < BOARD_VIEWS; v++) {
        for (unsigned tile = 1; tile < puzzle->cell_count; tile++) {
            add_tile(bounds, v, tile);
        }
    }
    for (unsigned blank = 0; blank < puzzle->cell_count; blank++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            add_steps(bounds, m, blank);
        }
    }
    if (!add_automaton(bounds, 0, error)) {
        free_bounds(bounds);
        return NULL;
    }
    return bounds;
}

static bool choose_stage(struct searcher *searcher, uint64_t nodes)
{
    struct board_bounds *bounds = searcher->bounds;
    uint64_t served = atomic_fetch_add(&bounds->served, nodes) + nodes;
    bool made = true;
    if ((served >= LONG_SEARCH || nodes * NODES_GROW >= LONG_SEARCH) &&
        bounds->stage < bounds->last_stage) {
        pthread_mutex_lock(&bounds->lock);
        made = bounds->stage > 0 || make_second_stage(bounds, &searcher->error);
        pthread_mutex_unlock(&bounds->lock);
    }
    searcher->stage = &bounds->stages[bounds->stage];
    searcher->over = 2; // all paths have the same parity
    return made;
}

// The rank of a database's tiles, from the nibbles of a word.
static inline uint32_t rank_nibbles(uint32_t word, unsigned tiles, unsigned cells)
{
    struct lehmer code = lehmer_start();
    uint32_t rank = 0;
    for (unsigned k = tiles; k-- > 0; cells--) {
        rank = rank * cells + lehmer_digit(&code, word >> 4 * k & 15u);
    }
    return rank;
}

// ---- The search ---------------------------------------------------------------------------------

// A child whose entries are being fetched.
struct board_child {
    const struct board_step *step;
    const struct board_node *parent;
    uint32_t row_value; // of its move, in the automaton's row
    uint32_t index[BOARD_VIEWS];
    int8_t slack[BOARD_VIEWS];
    uint8_t excess[BOARD_VIEWS];
};

// The first board in the order is on top of the stack.
struct bundle_search {
    struct searcher *searcher;
    const struct board_bounds *bounds;
    const struct board_stage *stage;
    struct board_node *stack;
    struct board_node *top;
    struct board_node nodes[BUNDLE_MOST]; // of the bundle
    struct board_child children[BUNDLE_MOST * BOARD_MOVES_MOST];
    const struct board_child *kept[BUNDLE_MOST * BOARD_MOVES_MOST];
};

static void begin_bundles(struct bundle_search *search, struct searcher *searcher)
{
    search->searcher = searcher;
    search->bounds = searcher->bounds;
    search->stage = searcher->stage;
}

// Finds the index of an entry, and starts to fetch it. Unpacks its block if that is not there.
static inline uint32_t fetch_entry(struct bundle_search *search, unsigned slot, uint32_t word)
{
    const uint8_t *spread = search->stage->spread;
    if (spread) {
        __builtin_prefetch(&spread[word / 4]);
        return word;
    }
    const struct board_line *line = &search->bounds->lines[slot % DATABASES_MOST];
    struct searcher *searcher = search->searcher;
    uint32_t index = rank_nibbles(word, line->tiles, search->bounds->puzzle->cell_count);
    __builtin_prefetch(database_at(&line->database, index));
    searcher->stopped |= !database_need(&line->database, index, &searcher->error);
    return index;
}

// Reads an entry that fetch_entry found.
static inline unsigned read_excess(const struct bundle_search *search, unsigned slot,
                                   uint32_t index)
{
    const uint8_t *spread = search->stage->spread;
    return spread ? spread[index / 4] >> 2 * (index % 4) & SPREAD_MOST
                  : database_get(&search->bounds->lines[slot % DATABASES_MOST].database, index);
}

// The functions below name both views, because a loop would not be unrolled.
_Static_assert(BOARD_VIEWS == 2, "there are two views");

static inline void fetch_view(struct bundle_search *search, struct board_child *child,
                              unsigned view)
{
    unsigned slot = child->step->slot[view];
    uint32_t word = child->parent->words[slot] ^ child->step->words[view];
    child->index[view] = fetch_entry(search, slot, word);
}

// Lists the children of the bundle, the last one first.
static unsigned list_children(struct bundle_search *search, unsigned count)
{
    const struct board_bounds *bounds = search->bounds;
    struct board_child *child = search->children;
    for (unsigned n = 0; n < count; n++) {
        const struct board_node *node = &search->nodes[n];
        const uint32_t *row = search->stage->rows + node->row;
        for (uint32_t k = *row; k > 0; k--, child++) {
            unsigned number = row[k] % BOARD_STEPS;
            unsigned tile = node->board >> bounds->shift[number] & 15u;
            child->step = &bounds->steps[number][tile];
            child->parent = node;
            child->row_value = row[k];
            fetch_view(search, child, 0);
            fetch_view(search, child, 1);
        }
    }
    unsigned made = (unsigned)(child - search->children);
    search->searcher->nodes += made;
    return made;
}

// The slack of a child in a view. Below 0, the child can't be solved in the moves that are left.
static inline int find_slack(const struct bundle_search *search, struct board_child *child,
                             unsigned view)
{
    const struct board_node *node = child->parent;
    unsigned slot = child->step->slot[view];
    unsigned excess = read_excess(search, slot, child->index[view]);
    int slack = node->slack[view] + node->excesses[slot] - (int)excess - child->step->farther;
    child->excess[view] = (uint8_t)excess;
    child->slack[view] = (int8_t)slack;
    return slack;
}

// Keeps the children whose lower bounds allow a path. There is no branch for each child, because
// nothing could predict it.
static unsigned keep_children(struct bundle_search *search, unsigned count)
{
    unsigned kept = 0;
    for (unsigned c = 0; c < count; c++) {
        struct board_child *child = &search->children[c];
        int slack0 = find_slack(search, child, 0);
        int slack1 = find_slack(search, child, 1);
        search->kept[kept] = child;
        kept += (slack0 | slack1) >= 0;
    }
    return kept;
}

static inline void change_view(struct board_node *node, const struct board_child *child,
                               unsigned view)
{
    unsigned slot = child->step->slot[view];
    node->words[slot] ^= child->step->words[view];
    node->excesses[slot] = child->excess[view];
    node->slack[view] = child->slack[view];
}

// Makes the node of a child that was kept.
static inline void make_node(const struct board_child *child, struct board_node *node)
{
    *node = *child->parent;
    node->board ^= child->step->exchange;
    node->row = child->row_value / BOARD_STEPS;
    node->left--;
    change_view(node, child, 0);
    change_view(node, child, 1);
}

// Pushes the children that were kept. Returns true if one is solved; *first becomes its moves.
static bool push_children(struct bundle_search *search, unsigned count, unsigned left,
                          uint64_t *first)
{
    bool found = false;
    for (unsigned c = 0; c < count; c++) {
        const struct board_child *child = search->kept[c];
        struct board_node *node = search->top++;
        unsigned made = left - child->parent->left;
        make_node(child, node);
        __builtin_prefetch(&search->stage->rows[node->row]);
        if (made < FIRST_MOST) {
            node->first |= (uint64_t)(child->row_value % 8) << 4 * made;
        }
        if (node->left == 0) {
            found = true;
            *first = node->first;
            search->top = search->stack; // what is still to be pushed comes earlier
        }
    }
    return found;
}

// Searches the tree below a board. Returns true if there is a path, and finds its first moves.
static bool search_bundles(struct bundle_search *search, const struct board_node *root,
                           uint64_t *first)
{
    struct searcher *searcher = search->searcher;
    unsigned most = search->stage->bundle;
    bool found = false;
    search->top = search->stack;
    *search->top++ = *root;
    while (search->top > search->stack && !searcher->stopped) {
        size_t height = (size_t)(search->top - search->stack);
        unsigned count = height < most ? (unsigned)height : most;
        search->top -= count;
        memcpy(search->nodes, search->top, count * sizeof *search->nodes);
        unsigned made = list_children(search, count);
        if (searcher->stopped) {
            return false; // a block can't be unpacked
        }
        found |= push_children(search, keep_children(search, made), root->left, first);
        searcher_watch(searcher);
    }
    return found && !searcher->stopped;
}

// Makes the children of one board, by move. Lists the moves that lead to them, and returns their
// number.
static unsigned expand(struct searcher *searcher, const void *node, unsigned left,
                       const struct children *children)
{
    (void)left; // the node knows it
    struct bundle_search search;
    begin_bundles(&search, searcher);
    search.nodes[0] = *(const struct board_node *)node;
    unsigned made = list_children(&search, 1);
    unsigned kept = searcher->stopped ? 0 : keep_children(&search, made);
    for (unsigned c = 0; c < kept; c++) {
        const struct board_child *child = search.kept[kept - 1 - c]; // the last one comes first
        unsigned move = child->row_value % 8;
        make_node(child, (struct board_node *)(void *)children->nodes + move);
        children->moves[c] = (uint16_t)move;
    }
    return kept;
}

// Makes the moves from a board that it remembers as the first ones. Returns their number.
static unsigned follow_moves(struct searcher *searcher, struct board_node *node, uint64_t first,
                             unsigned *moves)
{
    struct board_node nodes[BOARD_MOVES_MOST];
    uint16_t kept[BOARD_MOVES_MOST];
    struct children children = {(uint8_t *)nodes, kept};
    unsigned count = node->left < FIRST_MOST ? node->left : FIRST_MOST;
    for (unsigned i = 0; i < count; i++) {
        moves[i] = first >> 4 * i & 15u;
        expand(searcher, node, node->left, &children);
        *node = nodes[moves[i]];
    }
    node->first = 0;
    return count;
}

// The stack never holds more than the children of one bundle for each move that is left.
static bool search_board(struct searcher *searcher, const void *root, unsigned depth)
{
    struct bundle_search search;
    struct board_node node = *(const struct board_node *)root;
    uint64_t first = 0;
    bool found = true;
    begin_bundles(&search, searcher);
    size_t room = (size_t)BUNDLE_MOST * search.bounds->puzzle->move_count * (node.left + 1u);
    search.stack = malloc(room * sizeof *search.stack);
    if (!search.stack) {
        searcher->stopped = true;
        return lacks_memory(&searcher->error);
    }
    while (found && node.left > 0) {
        found = search_bundles(&search, &node, &first);
        if (found) {
            depth += follow_moves(searcher, &node, first, &searcher->moves[depth]);
        }
    }
    free(search.stack);
    return found && !searcher->stopped;
}

// Fills in the words of the first node, their excesses and its slack in a view. Returns the sum of
// the excesses.
static unsigned set_view(struct bundle_search *search, struct board_node *node, unsigned view,
                         unsigned manhattan)
{
    const struct board_bounds *bounds = search->bounds;
    unsigned sum = 0;
    for (unsigned cell = 0; cell < bounds->puzzle->cell_count; cell++) {
        unsigned tile = node->board >> 4 * cell & 15u;
        if (tile != 0) {
            node->words[bounds->slot[view][tile]] |= bounds->nibble[view][tile][cell];
        }
    }
    for (unsigned l = 0; l < bounds->puzzle->partition.line_count; l++) {
        unsigned slot = view * DATABASES_MOST + l;
        node->words[slot] |= search->stage->spread ? bounds->lines[l].first : 0;
        uint32_t index = fetch_entry(search, slot, node->words[slot]);
        if (search->searcher->stopped) {
            return 0;
        }
        node->excesses[slot] = (uint8_t)read_excess(search, slot, index);
        sum += node->excesses[slot];
    }
    node->slack[view] = (int8_t)((node->left - (int)manhattan) / 2 - (int)sum);
    return sum;
}

// Returns the lower bound. As long as searcher->bound is less, the slack has no meaning.
static unsigned set_root(struct searcher *searcher, void *root)
{
    const struct puzzle *puzzle = ((const struct board_bounds *)searcher->bounds)->puzzle;
    struct board_node *node = root;
    struct bundle_search search;
    unsigned manhattan = 0;
    begin_bundles(&search, searcher);
    *node = (struct board_node){.left = (uint8_t)searcher->bound};
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        unsigned tile = searcher->root->state[cell];
        node->board |= (uint64_t)tile << 4 * cell;
        if (tile == 0) {
            node->row = cell * (puzzle->move_count + 1);
        } else {
            manhattan += grid_distance(&puzzle->board->grid, cell, puzzle->partition.home[tile]);
        }
    }
    unsigned sum0 = set_view(&search, node, 0, manhattan);
    unsigned sum1 = set_view(&search, node, 1, manhattan);
    return manhattan + 2 * (sum0 > sum1 ? sum0 : sum1);
}

static size_t find_node_bytes(const void *bounds)
{
    (void)bounds;
    return sizeof(struct board_node);
}

const struct node_family BOARD_NODES = {
    .make_bounds = make_bounds,
    .free_bounds = free_bounds,
    .relate = relate_boards,
    .own_move = find_own_move,
    .choose = choose_stage,
    .node_bytes = find_node_bytes,
    .set_root = set_root,
    .expand = expand,
    .search = search_board,
};
