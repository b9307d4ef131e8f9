// Searches sliding boards in bundles. The header says how.
#include "boards.h"

#include "board_automaton.h"
#include "ida_star.h"
#include "tables/algebra/rank.h"
#include "tables/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUNDLE_MOST = 32,      // boards
    FIRST_MOST = 16,       // moves that a board remembers
    SPREAD_TILES_MOST = 6, // of a database: 4 MiB
    SPREAD_MOST = 3,       // the largest excess
};

// A stage is made if searches have generated `from` boards, or if the next bound is expected to. An
// easy search needs no more than the first one: its automaton only keeps a move from being undone,
// and small bundles unpack few blocks. On Korf's hundred boards, length 12 saves a third of the
// boards that length 6 takes. Building it takes 10 ms, and spreading 7 ms.
static const struct {
    uint64_t from;
    unsigned length; // of the longest forbidden sequences
    unsigned bundle; // boards
} PLANS[BOARD_STAGES] = {{0, 2, 4}, {10000, 6, BUNDLE_MOST}, {2000000, 12, BUNDLE_MOST}};

// A bound takes about this many times as many boards as the last; it may end early.
static const uint64_t NODES_GROW = 3;

// ---- From start to target -----------------------------------------------------------------------
// A target may have its blank in another cell than the goal, if a symmetry of the board takes that
// cell to the goal's. The symmetry and a renaming of the tiles turn the target into the goal.

// Returns the first symmetry of the board that takes the cell `blank` to that of the goal's blank,
// or NULL if there is none.
static const struct symmetry *find_symmetry_to_goal(const struct puzzle *puzzle, unsigned blank)
{
    const struct board *board = puzzle->board;
    for (unsigned s = 0; s < board->symmetry_count; s++) {
        if (board->symmetries[s].to[blank] == puzzle->partition->home[0]) {
            return &board->symmetries[s];
        }
    }
    return NULL;
}

// Fails with a list of the cells that the blank of a target may be in.
static bool reject_blank(const struct puzzle *puzzle, struct fewest_error *error)
{
    char cells[4 * DATABASE_CELLS_MOST] = ""; // a cell takes two digits, a comma and a space
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

// The family's `find_relative`. A symmetry takes the blank of the target to the goal's, and a
// renaming of the tiles then turns the target into the goal. Writes what both make of the start.
// Fails if there is no such symmetry.
static bool relate_boards(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          struct search_start *from, bool *reachable, struct fewest_error *error)
{
    uint8_t name[DATABASE_CELLS_MOST]; // by tile of the query: its name in the search
    char reason[REASON_SIZE];
    from->symmetry = find_symmetry_to_goal(puzzle, board_find_cell(target, 0));
    if (!from->symmetry) {
        return reject_blank(puzzle, error);
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        name[target[cell]] = puzzle->goals[0][from->symmetry->to[cell]];
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        from->state[from->symmetry->to[cell]] = name[start[cell]];
    }
    *reachable = puzzle->rules->decide_parity(puzzle, start, target, reason);
    return true;
}

// The family's `query_move`: returns the move that the search's symmetry turns into `move`.
static unsigned find_query_move(const struct puzzle *puzzle, const struct search_start *from,
                                unsigned move)
{
    unsigned found = 0;
    while (board_conjugate_move(puzzle->board, from->symmetry, found) != move) {
        found++;
    }
    return found;
}

// ---- Views --------------------------------------------------------------------------------------

// Finds the symmetries of the views: the identity, and the first other one that keeps the cell of
// the goal's blank. If there is none, the second view is the first once more.
static void find_views(struct board_bounds *bounds)
{
    const struct board *board = bounds->puzzle->board;
    unsigned home = bounds->puzzle->partition->home[0];
    bounds->symmetry[0] = bounds->symmetry[1] = &board->symmetries[0]; // the identity
    for (unsigned s = 1; s < board->symmetry_count; s++) {
        if (board->symmetries[s].to[home] == home) {
            bounds->symmetry[1] = &board->symmetries[s];
            return;
        }
    }
}

// Fills in the cell of the blank before each step: the one that the moving tile enters.
static void find_blanks(struct board_bounds *bounds)
{
    const struct puzzle *puzzle = bounds->puzzle;
    memset(bounds->blanks, NOWHERE, sizeof bounds->blanks);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned blank = 0; blank < puzzle->cell_count; blank++) {
            unsigned from = puzzle->board->to[m][blank];
            if (from != NOWHERE) {
                bounds->blanks[DATABASE_CELLS_MOST * m + from] = (uint8_t)blank;
            }
        }
    }
}

// Fills in the passage of a step that takes a tile from cell `from` to cell `blank`, in the
// numbering of a slot's database: whether the tile goes up or down, and the cells between the two.
static void find_passage(struct board_slot *slot, unsigned cells, struct board_passage *passage,
                         unsigned from, unsigned blank)
{
    unsigned first = slot->to[from];
    unsigned last = slot->to[blank];
    passage->sign = 1;
    if (first > last) {
        first = slot->to[blank];
        last = slot->to[from];
        passage->sign = -UINT64_C(1);
    }
    passage->count = 0;
    for (unsigned cell = 0; cell < cells; cell++) {
        if (first < slot->to[cell] && slot->to[cell] < last) {
            passage->at[passage->count++] = (uint8_t)(4 * cell); // of its nibble
        }
    }
}

// Fills in a slot: how the database of `Database` line `l` sees the board in a view. The view's
// symmetry comes first, and then that of the line, which may share the database of an earlier one.
static void add_slot(struct board_bounds *bounds, unsigned view, unsigned l)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct partition *partition = puzzle->partition;
    const struct partition_line *line = &partition->lines[l];
    const struct pattern_database *database = &partition->databases[line->database];
    struct board_slot *slot = &bounds->slots[view * DATABASES_MOST + l];
    slot->tiles = database->count;
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        unsigned seen = bounds->symmetry[view]->to[cell];
        slot->to[cell] = puzzle->board->symmetries[line->symmetry].to[seen];
        for (unsigned k = 0; k < database->count; k++) {
            if (slot->to[cell] == partition->home[database->tile[k]]) {
                slot->tile[k] = puzzle->goals[0][cell];
            }
        }
    }
    for (unsigned number = 0; number < BOARD_STEPS; number++) {
        if (bounds->blanks[number] != NOWHERE) {
            find_passage(slot, puzzle->cell_count, &slot->passages[number],
                         number % DATABASE_CELLS_MOST, bounds->blanks[number]);
        }
    }
}

// ---- Stages -------------------------------------------------------------------------------------

// Returns by how much the word of a view grows if one digit of slot s grows by one: that of the
// slot's tile number `order`. The first tile of a database has the highest digit, so this is the
// product of the numbers of values of all later digits. A spread index has 16 values for each
// digit, a rank one less for each earlier tile.
static uint64_t find_unit(const struct board_bounds *bounds, const struct board_stage *stage,
                          unsigned s, unsigned order)
{
    uint64_t unit = UINT64_C(1) << stage->shifts[s];
    for (unsigned k = order + 1; k < bounds->slots[s].tiles; k++) {
        unit *= stage->spread ? DATABASE_CELLS_MOST : bounds->puzzle->cell_count - k;
    }
    return unit;
}

// Fills in what a step of a tile changes on the board: two nibbles, and whether the tile's
// Manhattan distance grows. (It changes by one.)
static void add_exchange(const struct board_bounds *bounds, struct board_stage *stage,
                         unsigned number, unsigned tile)
{
    const struct grid *grid = &bounds->puzzle->board->grid;
    unsigned home = bounds->puzzle->partition->home[tile];
    unsigned from = number % DATABASE_CELLS_MOST;
    unsigned blank = bounds->blanks[number];
    struct board_step *step = &stage->steps[number][tile];
    // The blank is 0, so the exclusive or of both cells is the tile.
    step->exchange = (UINT64_C(1) << 4 * from | UINT64_C(1) << 4 * blank) * tile;
    step->farther = grid_distance(grid, blank, home) > grid_distance(grid, from, home);
}

// Fills in what the steps of one tile change in a view: the word, by the tile's own digit, and how
// its entry in slot s is read. The tile is number `order` of the slot's.
static void add_changes(const struct board_bounds *bounds, struct board_stage *stage, unsigned s,
                        unsigned order)
{
    const struct board_slot *slot = &bounds->slots[s];
    unsigned view = s / DATABASES_MOST;
    unsigned all = database_unreachable(stage->databases[s]);
    uint64_t unit = find_unit(bounds, stage, s, order);
    for (unsigned number = 0; number < BOARD_STEPS; number++) {
        unsigned blank = bounds->blanks[number];
        struct board_step *step = &stage->steps[number][slot->tile[order]];
        if (blank != NOWHERE) {
            int change = slot->to[blank] - slot->to[number % DATABASE_CELLS_MOST]; // of the digit
            step->changes[view] = unit * (uint64_t)change; // modulo 2^64, as the words are
            step->slots[view] = (uint8_t)s;
            step->entry_mask[view] = (uint8_t)(stage->spread ? SPREAD_MOST : all);
        }
    }
}

// Fills in what a passed tile changes in the word of a view, for ranks. The moving tile is number
// `order` of slot s.
//
// A digit of a rank is the tile's cell, less the number of earlier tiles in lower cells. A tile
// that goes to a higher cell passes the tiles between. Each earlier one of these takes one from the
// digit of the moving tile. The digit of each later one becomes one more.
static void add_passes(const struct board_bounds *bounds, struct board_stage *stage, unsigned s,
                       unsigned order)
{
    const struct board_slot *slot = &bounds->slots[s];
    uint64_t *passes = stage->passes[s / DATABASES_MOST][slot->tile[order]];
    for (unsigned k = 0; k < slot->tiles; k++) {
        if (k < order) {
            passes[slot->tile[k]] = -find_unit(bounds, stage, s, order);
        } else if (k > order) {
            passes[slot->tile[k]] = find_unit(bounds, stage, s, k);
        }
    }
}

// Fills in all changes that the steps of each tile make. Steps that no move makes stay 0.
static void add_steps(const struct board_bounds *bounds, struct board_stage *stage)
{
    for (unsigned s = 0; s < BOARD_SLOTS; s++) {
        for (unsigned k = 0; k < bounds->slots[s].tiles; k++) {
            add_passes(bounds, stage, s, k);
            add_changes(bounds, stage, s, k);
        }
    }
    for (unsigned number = 0; number < BOARD_STEPS; number++) {
        for (unsigned tile = 1; tile < bounds->puzzle->cell_count; tile++) {
            if (bounds->blanks[number] != NOWHERE) {
                add_exchange(bounds, stage, number, tile);
            }
        }
    }
}

// Makes the rows of a stage from the states of the automaton, as board_stage.rows describes them.
// Returns false if memory runs out. The values fit, because no board has more than 128,268 states
// with the lengths of PLANS. The cell of the blank in each state tells the steps: each cell has one
// of the first states, and each other state follows an earlier one by a move.
static bool fill_rows(const struct board *board, const struct board_automaton *automaton,
                      struct board_stage *stage)
{
    uint32_t stride = automaton->move_count + 1;
    uint8_t *blanks = calloc(automaton->state_count, 1); // by state
    stage->rows = calloc((size_t)automaton->state_count * stride + BOARD_DIRECTIONS,
                         sizeof *stage->rows); // list_moves reads beyond the last row
    bool done = blanks && stage->rows;
    for (unsigned cell = 0; cell < board->grid.cells && done; cell++) {
        blanks[cell] = (uint8_t)cell;
    }
    for (uint32_t state = 0; state < automaton->state_count && done; state++) {
        const uint32_t *next = board_automaton_row(automaton, state);
        uint32_t *row = stage->rows + (size_t)state * stride;
        for (unsigned m = automaton->move_count; m-- > 0;) {
            if (next[m] != MOVE_PRUNED) {
                unsigned cell = board->to[m][blanks[state]]; // the tile leaves it
                unsigned step = DATABASE_CELLS_MOST * m + cell;
                row[0]++; // the number of moves
                row[row[0]] = next[m] * stride * BOARD_STEPS + step;
                blanks[next[m]] = (uint8_t)cell;
            }
        }
    }
    free(blanks);
    return done;
}

// Builds an automaton that forbids sequences of at most `length` moves, and makes the stage's rows
// of it. Returns false if memory runs out.
static bool add_automaton(const struct puzzle *puzzle, struct board_stage *stage, unsigned length,
                          struct fewest_error *error)
{
    struct board_automaton automaton;
    if (!board_automaton_build(&automaton, puzzle->board, puzzle->move_count, length, error)) {
        return false;
    }
    bool filled = fill_rows(puzzle->board, &automaton, stage);
    board_automaton_free(&automaton);
    return filled || error_no_memory(error, "for the search");
}

// A pass through the arrangements of a database's tiles, in the order of their ranks.
struct spreading {
    const struct database *from;
    unsigned tiles;
    uint8_t *to;    // the spread entries
    uint64_t entry; // the next one to read
};

// Reads the next entries: one for each free cell of the last tile, rising; `free` has a bit for
// each. Returns sixteen spread entries, two bits each, by cell. An excess above SPREAD_MOST becomes
// that.
static uint32_t read_entries(struct spreading *spreading, unsigned free)
{
    uint32_t entries = 0;
    for (; free != 0; free &= free - 1) {
        uint32_t excess = database_get(spreading->from, spreading->entry++);
        entries |= (excess < SPREAD_MOST ? excess : SPREAD_MOST) << 2 * __builtin_ctz(free);
    }
    return entries;
}

// Spreads the entries of all arrangements in which the tiles before `tile` are where they are:
// places this tile in each free cell, and then the later ones. `free` has a bit for each free cell.
// `word` has the cells of the earlier tiles, a nibble each. The last tile is in each of sixteen
// cells, so its entries are four bytes, from byte 4 * word on.
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

// Unpacks all blocks of a database. Returns false with an error if one can't be unpacked.
static bool unpack_all(const struct database *database, struct fewest_error *error)
{
    bool done = true;
    for (uint64_t e = 0; e < database->entries && done; e += UINT64_C(1) << database->block_log2) {
        done = database_need(database, e, error);
    }
    return done;
}

// Spreads the databases of a stage, unless one has too many tiles: then it returns true, and the
// stage reads the table. Returns false if memory runs out, or if a block can't be unpacked.
static bool spread_databases(const struct board_bounds *bounds, struct board_stage *stage,
                             struct fewest_error *error)
{
    const struct partition *partition = bounds->puzzle->partition;
    size_t first[DATABASES_MOST]; // by database: where its entries begin
    size_t size = 0;              // bytes
    for (unsigned d = 0; d < partition->count; d++) {
        unsigned tiles = partition->databases[d].count;
        if (tiles > SPREAD_TILES_MOST) {
            return true;
        }
        first[d] = size;
        size += (size_t)1 << (4 * tiles - 2); // a nibble a tile; four entries a byte
    }
    stage->spread = array_make_huge(size, 1);
    if (!stage->spread) {
        return error_no_memory(error, "for the search");
    }
    for (unsigned d = 0; d < partition->count; d++) {
        struct spreading spreading = {&bounds->databases[d], partition->databases[d].count,
                                      stage->spread + first[d], 0};
        if (!unpack_all(spreading.from, error)) {
            return false;
        }
        spread_entries(&spreading, 0, (1u << bounds->puzzle->cell_count) - 1, 0);
    }
    for (unsigned s = 0; s < BOARD_SLOTS; s++) {
        stage->bytes[s] = stage->spread + first[partition->lines[s % DATABASES_MOST].database];
    }
    return true;
}

// Fills in which database each slot reads, and the shift and mask of its field in a word. A slot is
// a `Database` line in a view, the board or its mirror image. Each view has one word of 64 bits,
// and both words have the same layout: a field for each line, the index of its entry.
//
// A field has four bits for each tile of the line. That is what the index of a spread entry takes,
// which has a tile's cell in four bits, and a rank takes no more. The tiles of all lines together
// are at most 15, so a word has room. A line has at most 8, so a mask fits 32 bits.
static void add_fields(const struct board_bounds *bounds, struct board_stage *stage)
{
    const struct partition *partition = bounds->puzzle->partition;
    unsigned shift = 0;
    _Static_assert(4 * DATABASE_TILES_MOST <= 32, "a field fits its mask");
    for (unsigned l = 0; l < DATABASES_MOST; l++) {
        unsigned tiles = bounds->slots[l].tiles; // none without a `Database` line
        for (unsigned s = l; s < BOARD_SLOTS; s += DATABASES_MOST) { // the line in each view
            stage->databases[s] = &bounds->databases[partition->lines[l].database];
            stage->masks[s] = (uint32_t)((UINT64_C(1) << 4 * tiles) - 1);
            stage->shifts[s] = (uint8_t)shift;
        }
        shift += 4 * tiles;
    }
}

static void free_stage(struct board_stage *stage)
{
    if (stage) {
        free(stage->rows);
        free(stage->spread);
        free(stage);
    }
}

// Makes stage `number`, and makes it the latest one. Only one thread may do so at a time. Returns
// false with an error; then nothing has changed.
static bool make_stage(struct board_bounds *bounds, unsigned number, struct fewest_error *error)
{
    struct board_stage *stage = calloc(1, sizeof *stage);
    if (!stage) {
        return error_no_memory(error, "for the search");
    }
    add_fields(bounds, stage);
    if (!add_automaton(bounds->puzzle, stage, PLANS[number].length, error) ||
        (number == BOARD_STAGES - 1 && !spread_databases(bounds, stage, error))) {
        free_stage(stage);
        return false;
    }
    add_steps(bounds, stage);
    stage->bundle = PLANS[number].bundle;
    bounds->stages[number] = stage;
    bounds->stage = number;
    return true;
}

// The family's `free_bounds`.
static void free_bounds(void *made)
{
    struct board_bounds *bounds = made;
    for (unsigned s = 0; s < BOARD_STAGES; s++) {
        free_stage(bounds->stages[s]);
    }
    pthread_mutex_destroy(&bounds->lock);
    free(bounds);
}

// The family's `make_bounds`: makes what all searches share, and the first stage. Returns NULL
// after an error.
static void *make_bounds(const struct puzzle *puzzle, const struct database *databases,
                         struct fewest_error *error)
{
    struct board_bounds *bounds = calloc(1, sizeof *bounds);
    if (!bounds) {
        (void)error_no_memory(error, "for the search");
        return NULL;
    }
    bounds->puzzle = puzzle;
    bounds->last_stage = BOARD_STAGES - 1;
    pthread_mutex_init(&bounds->lock, NULL);
    memcpy(bounds->databases, databases, puzzle->partition->count * sizeof *databases);
    find_views(bounds);
    find_blanks(bounds);
    for (unsigned v = 0; v < BOARD_VIEWS; v++) {
        for (unsigned l = 0; l < puzzle->partition->line_count; l++) {
            add_slot(bounds, v, l);
        }
    }
    if (!make_stage(bounds, 0, error)) {
        free_bounds(bounds);
        return NULL;
    }
    return bounds;
}

// The family's `choose`. `nodes` is the number of boards of the last bound. First makes a later
// stage if enough boards were searched in all, or will be with the next bound. Then takes the
// latest one that is made. Also sets what exceeding the bound will mean: the next bound is two
// larger, because all paths between two boards have the same parity.
static bool choose_stage(struct searcher *searcher, uint64_t nodes)
{
    struct board_bounds *bounds = searcher->bounds;
    uint64_t served = atomic_fetch_add(&bounds->served, nodes) + nodes;
    unsigned wanted = bounds->last_stage;
    bool made = true;
    while (PLANS[wanted].from > served && PLANS[wanted].from > nodes * NODES_GROW) {
        wanted--;
    }
    unsigned stage = atomic_load(&bounds->stage);
    if (stage < wanted) {
        pthread_mutex_lock(&bounds->lock);
        if (bounds->stage < wanted) { // no other thread has made it meanwhile
            made = make_stage(bounds, wanted, &searcher->error);
        }
        stage = bounds->stage; // only changes with the lock
        pthread_mutex_unlock(&bounds->lock);
    }
    searcher->stage = bounds->stages[stage];
    searcher->over = 2;
    return made;
}

// ---- The search ---------------------------------------------------------------------------------

// A child whose entries are being fetched.
struct board_child {
    const struct board_step *step;
    const struct board_node *parent;
    const uint8_t *at[BOARD_VIEWS]; // the byte of the entry
    uint64_t words[BOARD_VIEWS];
    uint32_t row_value;       // of its move, in the automaton's row
    uint8_t bit[BOARD_VIEWS]; // of the entry in its byte
    int8_t slack[BOARD_VIEWS];
    uint8_t excess[BOARD_VIEWS];
};

// The first board in the order is on top of the stack. The children are in the opposite order.
struct bundle_search {
    struct searcher *searcher;
    const struct board_bounds *bounds;
    const struct board_stage *stage;
    struct board_node *stack;
    struct board_node *top;
    struct board_node nodes[BUNDLE_MOST]; // of the bundle
    // By child: the value of its move in the automaton's row, and the number of its parent.
    uint32_t row_values[(BUNDLE_MOST + 1) * BOARD_DIRECTIONS];
    uint8_t parents[(BUNDLE_MOST + 1) * BOARD_DIRECTIONS];
    struct board_child children[BUNDLE_MOST * BOARD_DIRECTIONS];
    const struct board_child *kept[BUNDLE_MOST * BOARD_DIRECTIONS];
};

// The number of the move in a value of a row.
static inline unsigned move_of_row_value(uint32_t row_value)
{
    return row_value % BOARD_STEPS / DATABASE_CELLS_MOST;
}

// Sets up a search for boards of a searcher. The caller adds a stack if it needs one.
static void begin_bundles(struct bundle_search *search, struct searcher *searcher)
{
    search->searcher = searcher;
    search->bounds = searcher->bounds;
    search->stage = searcher->stage;
}

// Lists the moves of the first `count` boards of the bundle that the automaton allows, the last one
// first: row_values and parents of the children. Returns their number. For each board, it copies as
// many values as a row can have, and the next board overwrites what is too much: a loop over the
// moves would end with a branch that nothing could predict.
static unsigned list_moves(struct bundle_search *search, unsigned count)
{
    unsigned made = 0;
    for (unsigned n = 0; n < count; n++) {
        const uint32_t *row = search->stage->rows + search->nodes[n].row;
        memcpy(&search->row_values[made], row + 1, BOARD_DIRECTIONS * sizeof *row);
        memset(&search->parents[made], (int)n, BOARD_DIRECTIONS);
        made += *row;
    }
    search->searcher->nodes += made;
    return made;
}

// Returns what to add to the word of a view for the tiles that the moving tile passes: their digits
// change, or its own (add_passes). The passage lists the cells between. passes[other] is what the
// word gains when the tile passes `other` on its way up; an empty cell, or a tile of another
// database, adds 0. On its way down the word loses that: `sign` is 1 or -1.
static inline uint64_t pass_tiles(const struct bundle_search *search,
                                  const struct board_child *child, unsigned view)
{
    const struct board_step *step = child->step;
    unsigned number = child->row_value % BOARD_STEPS;
    const struct board_passage *passage =
        &search->bounds->slots[step->slots[view]].passages[number];
    ptrdiff_t tile = step - search->stage->steps[number]; // there is a step for each tile
    const uint64_t *passes = search->stage->passes[view][tile];
    uint64_t sum = 0;
    for (unsigned p = 0; p < passage->count; p++) {
        sum += passes[child->parent->board >> passage->at[p] & 15u];
    }
    return sum * passage->sign; // no branch, because nothing could predict it
}

// Fills in where a child's entry in a view is, among the spread ones, and prefetches it.
static inline void fetch_spread(const struct board_stage *stage, struct board_child *child,
                                unsigned view)
{
    unsigned slot = child->step->slots[view];
    uint64_t word = child->parent->words[view] + child->step->changes[view];
    uint32_t index = (uint32_t)(word >> stage->shifts[slot]) & stage->masks[slot];
    child->words[view] = word;
    child->at[view] = stage->bytes[slot] + index / 4;
    child->bit[view] = (uint8_t)(2 * index);
    __builtin_prefetch(child->at[view]);
}

// Fills in where a child's entry in a view is, in the table, and prefetches it. Unpacks its block
// if that is not there. If this fails, it stops the search.
static inline void fetch_ranked(struct bundle_search *search, struct board_child *child,
                                unsigned view)
{
    const struct board_stage *stage = search->stage;
    unsigned slot = child->step->slots[view];
    const struct database *database = stage->databases[slot];
    struct searcher *searcher = search->searcher;
    uint64_t word =
        child->parent->words[view] + child->step->changes[view] + pass_tiles(search, child, view);
    uint32_t index = (uint32_t)(word >> stage->shifts[slot]) & stage->masks[slot];
    child->words[view] = word;
    child->at[view] = database_at(database, index);
    child->bit[view] = (uint8_t)(index << database->bits_log2);
    __builtin_prefetch(child->at[view]);
    searcher->stopped |= !database_need(database, index, &searcher->error);
}

// Some functions below name both views, because a loop is not unrolled.
_Static_assert(BOARD_VIEWS == 2, "there are two views");

// Lists the children of the first `count` boards of the bundle, the last one first, and prefetches
// their entries. Returns their number.
static unsigned list_children(struct bundle_search *search, unsigned count)
{
    const struct board_stage *stage = search->stage;
    unsigned made = list_moves(search, count);
    for (unsigned c = 0; c < made; c++) {
        struct board_child *child = &search->children[c];
        const struct board_node *node = &search->nodes[search->parents[c]];
        unsigned number = search->row_values[c] % BOARD_STEPS;
        unsigned from = number % DATABASE_CELLS_MOST;
        child->row_value = search->row_values[c];
        child->parent = node;
        child->step = &stage->steps[number][node->board >> 4 * from & 15u];
        if (stage->spread) {
            fetch_spread(stage, child, 0);
            fetch_spread(stage, child, 1);
        } else {
            for (unsigned v = 0; v < BOARD_VIEWS; v++) {
                fetch_ranked(search, child, v);
            }
        }
    }
    return made;
}

// Returns a child's slack in a view, and keeps it with the excess that it is found from. Below 0,
// the child can't be solved in the moves that are left. A view is the board or its mirror image. In
// each one:
//
//     lower bound = Manhattan distances of all tiles + 2 × excesses of all slots
//     slack = (moves left - lower bound) / 2
//
// A slot is a `Database` line in the view, and its excess is the entry that the line's database has
// for the board (at most 3 if it is spread). The step changes only the excess of the moving tile's
// slot. It takes one of the moves left. If the tile comes nearer to home, the Manhattan distances
// fall by one, too. If it goes farther, they grow by one, and the slack falls by one. So:
//
//     slack = the parent's slack + the parent's excess in the slot - the child's - (1 if farther)
static inline int find_slack(struct board_child *child, unsigned view)
{
    const struct board_node *node = child->parent;
    const struct board_step *step = child->step;
    unsigned excess = (*child->at[view] >> (child->bit[view] % 8)) & step->entry_mask[view];
    unsigned excess_before = node->excesses[step->slots[view]];
    int slack = node->slack[view] + (int)excess_before - (int)excess - step->farther;
    child->excess[view] = (uint8_t)excess;
    child->slack[view] = (int8_t)slack;
    return slack;
}

// Lists the children whose lower bounds in both views allow a path, and returns their number. There
// is no branch for each child, because nothing could predict it: each is written, and the next one
// overwrites it if it is not kept.
static unsigned keep_children(struct bundle_search *search, unsigned count)
{
    unsigned kept = 0;
    for (unsigned c = 0; c < count; c++) {
        struct board_child *child = &search->children[c];
        int slack0 = find_slack(child, 0);
        int slack1 = find_slack(child, 1);
        search->kept[kept] = child;
        kept += (slack0 | slack1) >= 0;
    }
    return kept;
}

// Copies to a node what a child changes in a view.
static inline void change_view(struct board_node *node, const struct board_child *child,
                               unsigned view)
{
    node->words[view] = child->words[view];
    node->excesses[child->step->slots[view]] = child->excess[view];
    node->slack[view] = child->slack[view];
}

// Makes the node of a child that was kept: its parent's, with what the step changes.
static inline void make_node(const struct board_child *child, struct board_node *node)
{
    *node = *child->parent;
    node->board = child->parent->board ^ child->step->exchange;
    node->row = child->row_value / BOARD_STEPS;
    node->left--;
    change_view(node, child, 0);
    change_view(node, child, 1);
}

// Pushes the `count` children that were kept on the stack. Returns true if one is solved; *first
// becomes the first moves to it. Then it drops all that is on the stack, because that comes later,
// and goes on with the children that come earlier. `left` is the number of moves that the board of
// the whole search has left.
static bool push_children(struct bundle_search *search, unsigned count, unsigned left,
                          uint64_t *first)
{
    bool found = false;
    for (unsigned c = 0; c < count; c++) {
        const struct board_child *child = search->kept[c];
        struct board_node *node = search->top++;
        unsigned made = left - child->parent->left; // moves to the parent
        make_node(child, node);
        __builtin_prefetch(&search->stage->rows[node->row]);
        if (made < FIRST_MOST) {
            node->first |= (uint64_t)move_of_row_value(child->row_value) << 4 * made;
        }
        if (node->left == 0) {
            found = true;
            *first = node->first;
            search->top = search->stack; // what is still to be pushed comes earlier
        }
    }
    return found;
}

// Searches the tree below a board. Returns true if there is a path of as many moves as the board
// has left; *first becomes the first moves of the first such path, at most FIRST_MOST, a nibble
// each. Returns false if there is none, or if the search stopped.
static bool search_bundles(struct bundle_search *search, const struct board_node *from,
                           uint64_t *first)
{
    struct searcher *searcher = search->searcher;
    unsigned most = search->stage->bundle;
    bool found = false;
    search->top = search->stack;
    *search->top++ = *from;
    while (search->top > search->stack && !searcher->stopped) {
        size_t height = (size_t)(search->top - search->stack);
        unsigned count = height < most ? (unsigned)height : most;
        search->top -= count;
        memcpy(search->nodes, search->top, count * sizeof *search->nodes);
        unsigned made = list_children(search, count);
        if (searcher->stopped) {
            return false; // a block can't be unpacked
        }
        found |= push_children(search, keep_children(search, made), from->left, first);
        searcher->watch(searcher);
    }
    return found && !searcher->stopped;
}

// The family's `expand`.
static void expand_boards(struct searcher *searcher, const void *nodes, unsigned count,
                          unsigned left, struct node_list *children)
{
    (void)left; // the nodes know it
    struct bundle_search search;
    begin_bundles(&search, searcher);
    for (unsigned n = 0; n < count && !searcher->stopped; n++) {
        search.nodes[0] = ((const struct board_node *)nodes)[n];
        unsigned made = list_children(&search, 1);
        unsigned kept = searcher->stopped ? 0 : keep_children(&search, made);
        while (kept-- > 0) { // the last one comes first
            const struct board_child *child = search.kept[kept];
            unsigned c = children->count++;
            make_node(child, (struct board_node *)(void *)children->nodes + c);
            children->links[c] =
                (struct node_link){(uint16_t)n, (uint16_t)move_of_row_value(child->row_value)};
        }
    }
}

// Follows a path from a board by the moves in `first`, a nibble each: FIRST_MOST, or as many as the
// board has left. Writes them to `moves`, and changes the board. Returns their number.
static unsigned follow_moves(struct searcher *searcher, struct board_node *node, uint64_t first,
                             unsigned *moves)
{
    struct board_node nodes[BOARD_DIRECTIONS];
    struct node_link links[BOARD_DIRECTIONS] = {{0}};
    unsigned count = node->left < FIRST_MOST ? node->left : FIRST_MOST;
    for (unsigned i = 0; i < count; i++) {
        struct node_list children = {.nodes = (uint8_t *)nodes, .links = links};
        unsigned c = 0;
        moves[i] = first >> 4 * i & 15u;
        expand_boards(searcher, node, 1, node->left, &children);
        while (c < children.count && links[c].move != moves[i]) {
            c++;
        }
        if (c == children.count) { // never, unless another program writes into the table's file
            searcher->stopped = true;
            (void)error_set(&searcher->error, FEWEST_DAMAGED,
                            "the table holds wrong distances: it has changed during the search");
            return i;
        }
        *node = nodes[c];
    }
    node->first = 0;
    return count;
}

// The family's `search`: searches the tree below a board that `depth` moves lead to. A search finds
// the first moves of a path; the next one begins after these. The stack never holds more than the
// children of one bundle for each move that is left.
static bool search_board(struct searcher *searcher, const void *from, unsigned depth)
{
    struct bundle_search search;
    struct board_node node = *(const struct board_node *)from;
    uint64_t first = 0;
    bool found = true;
    begin_bundles(&search, searcher);
    size_t room = (size_t)BUNDLE_MOST * search.bounds->puzzle->move_count * (node.left + 1u);
    search.stack = malloc(room * sizeof *search.stack);
    if (!search.stack) {
        searcher->stopped = true;
        return error_no_memory(&searcher->error, "for the search");
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

// Returns the field of the first board in slot s, shifted to its place in a word: a digit for each
// tile, which is its cell or, in a rank, its cell less the number of earlier tiles in lower cells.
static uint64_t find_field(const struct bundle_search *search, unsigned s)
{
    const struct board_slot *slot = &search->bounds->slots[s];
    const uint8_t *state = search->searcher->from->state;
    unsigned cells = 0; // of earlier tiles, a bit each
    uint64_t field = 0;
    for (unsigned k = 0; k < slot->tiles; k++) {
        unsigned cell = slot->to[board_find_cell(state, slot->tile[k])];
        unsigned lower = search->stage->spread ? 0 : count_bits(cells & ((1u << cell) - 1));
        field += (cell - lower) * find_unit(search->bounds, search->stage, s, k);
        cells |= 1u << cell;
    }
    return field;
}

// Adds the first node's field in slot s to its word, reads its entry, and returns the excess. A
// slot without a `Database` line has neither. If a block can't be unpacked, it stops the search.
static unsigned set_slot(struct bundle_search *search, struct board_node *node, unsigned s)
{
    const struct board_stage *stage = search->stage;
    struct searcher *searcher = search->searcher;
    uint64_t field = find_field(search, s);
    uint64_t index = field >> stage->shifts[s];
    node->words[s / DATABASES_MOST] += field;
    if (search->bounds->slots[s].tiles == 0) {
        return 0;
    }
    if (stage->spread) {
        node->excesses[s] = stage->bytes[s][index / 4] >> 2 * (index % 4) & SPREAD_MOST;
    } else if (database_need(stage->databases[s], index, &searcher->error)) {
        node->excesses[s] = (uint8_t)database_get(stage->databases[s], index);
    } else {
        searcher->stopped = true;
    }
    return node->excesses[s];
}

// The family's `make_first_node`: makes the node of the board that the search begins with, and
// returns its lower bound, the larger one of the two views. If searcher->bound is less, as before
// the first search, the slack means nothing.
static unsigned make_first_node(struct searcher *searcher, void *first)
{
    const struct puzzle *puzzle = ((const struct board_bounds *)searcher->bounds)->puzzle;
    struct board_node *node = first;
    struct bundle_search search;
    unsigned manhattan = 0;
    unsigned sums[BOARD_VIEWS] = {0};
    unsigned most = 0;
    begin_bundles(&search, searcher);
    *node = (struct board_node){.left = (uint8_t)searcher->bound};
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        unsigned tile = searcher->from->state[cell];
        node->board |= (uint64_t)tile << 4 * cell;
        if (tile == 0) {
            node->row = cell * (puzzle->move_count + 1);
        } else {
            manhattan += grid_distance(&puzzle->board->grid, cell, puzzle->partition->home[tile]);
        }
    }
    for (unsigned s = 0; s < BOARD_SLOTS; s++) {
        sums[s / DATABASES_MOST] += set_slot(&search, node, s);
    }
    for (unsigned v = 0; v < BOARD_VIEWS; v++) {
        node->slack[v] = (int8_t)((node->left - (int)manhattan) / 2 - (int)sums[v]);
        most = sums[v] > most ? sums[v] : most;
    }
    return manhattan + 2 * most;
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
    .query_move = find_query_move,
    .choose = choose_stage,
    .node_bytes = find_node_bytes,
    .make_first_node = make_first_node,
    .expand = expand_boards,
    .search = search_board,
};
