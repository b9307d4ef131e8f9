// Compiles a permutation puzzle: cells, moves and their powers, goals.
#include "permutation.h"
#include "tables/definition/rows.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is compiled. Functions that return false have set `error`. What they made is freed with the
// puzzle (puzzle_free).
struct compiler {
    struct puzzle *puzzle;
    const struct definition *definition;
    struct permutation *permutation; // puzzle->own
    struct first_cells *sets;        // permutation->first_cells
    // By slot of the rows: the first slot of its orbit, counted within its set.
    uint8_t orbit[PIECES_MOST];
    unsigned generator; // the number of the one whose moves are made
    uint8_t *scratch;   // room for SCRATCH_ROWS rows, while moves are made
    struct fewest_error *error;
};

// The rows in `scratch`: two that take turns as the next power of a move, and those of a move.
enum { SCRATCH_POWER, SCRATCH_NEXT_POWER, SCRATCH_MOVE, SCRATCH_ROWS };

// ---- Segments -----------------------------------------------------------------------------------

// a × b, or 0 for "too large" if that exceeds 64 bits. A factor of 0 is too large, too.
static uint64_t multiply_counts(uint64_t a, uint64_t b)
{
    return b > 0 && a <= UINT64_MAX / b ? a * b : 0;
}

// Adds a segment of a set to the puzzle, which has room for two of each set. Fills in its cells and
// letters, and counts it among the arrangements.
static bool add_segment(struct compiler *compiler, const struct piece_set *set,
                        struct segment segment)
{
    struct puzzle *puzzle = compiler->puzzle;
    // The letters are for the set's pieces or, if these stay at home, for their orientations.
    if (set->letters_line && segment.pieces < 0 &&
        !segment_set_letters(&segment, set, compiler->error)) {
        return false;
    }
    segment.set = (unsigned)(set - compiler->definition->sets);
    segment.first = puzzle->cell_count;
    puzzle->arrangement_count = multiply_counts(puzzle->arrangement_count, segment.count);
    puzzle->cell_count += segment.length;
    puzzle->segments[puzzle->segment_count++] = segment;
    return true;
}

// Adds the segment of a set's pieces. If some look alike, the states are no group.
static bool add_pieces(struct compiler *compiler, const struct piece_set *set)
{
    struct segment segment;
    segment_make_pieces(&segment, set, compiler->definition->solved.piece + set->first);
    segment.base = 1;
    if (segment.kind == SEGMENT_MULTISET) {
        compiler->permutation->group = false;
    }
    return add_segment(compiler, set, segment);
}

// Adds the segment of a set's orientations. `pieces` is the first cell of its pieces, or -1. If
// some orientations do not count, the states are no group.
static bool add_orientations(struct compiler *compiler, const struct piece_set *set, int pieces)
{
    const struct definition *definition = compiler->definition;
    struct segment segment = {.kind = SEGMENT_ORIENTATION,
                              .length = set->pieces,
                              .symbols = set->orientations,
                              .pieces = pieces,
                              .count = 1};
    for (unsigned i = 0; i < set->pieces; i++) {
        if (definition->orientation_ignored[set->first + i]) {
            unsigned piece = pieces < 0 ? i : definition->solved.piece[set->first + i];
            segment.ignores = true;
            segment.ignored[piece] = true;
            compiler->permutation->group = false;
            continue;
        }
        segment.count = multiply_counts(segment.count, set->orientations);
    }
    return add_segment(compiler, set, segment);
}

// Does the solved state have pieces of an orbit that differ only in their orientations? Then a move
// that never turns a piece still changes which slot has which orientation.
static bool has_turned_look_alikes(const struct compiler *compiler, const struct piece_set *set)
{
    const struct definition *definition = compiler->definition;
    const uint8_t *piece = definition->solved.piece + set->first;
    const uint8_t *orientation = definition->solved.orientation + set->first;
    const uint8_t *orbit = compiler->orbit + set->first;
    for (unsigned i = 0; i < set->pieces; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (orbit[i] == orbit[j] && piece[i] == piece[j] && orientation[i] != orientation[j] &&
                !definition->orientation_ignored[set->first + i]) {
                return true;
            }
        }
    }
    return false;
}

// Joins the orbits of slots a and b of a set. The number of an orbit is its lowest slot, so the
// lower number stays.
static void join_orbits(uint8_t *orbit, unsigned slots, unsigned a, unsigned b)
{
    uint8_t lower = orbit[a] < orbit[b] ? orbit[a] : orbit[b];
    uint8_t higher = orbit[a] < orbit[b] ? orbit[b] : orbit[a];
    for (unsigned i = higher; i < slots && lower != higher; i++) {
        orbit[i] = orbit[i] == higher ? lower : orbit[i];
    }
}

// Sets *permuted if these rows permute the pieces of a set, and *turned if they turn some; else
// leaves both as they are. Joins the orbits of slots between which the rows take pieces.
static void find_changes(struct compiler *compiler, const struct rows *rows,
                         const struct piece_set *set, bool *permuted, bool *turned)
{
    for (unsigned i = 0; i < set->pieces; i++) {
        *permuted |= rows->piece[set->first + i] != i;
        *turned |= rows->orientation[set->first + i] != 0;
        join_orbits(compiler->orbit + set->first, set->pieces, i, rows->piece[set->first + i]);
    }
}

// Adds the segments of set s, which has cells for what some move changes: its pieces, their
// orientations, both or nothing. Moves that `Generators` leaves out count here, so that this line
// does not change how states are typed.
static bool add_set(struct compiler *compiler, unsigned s)
{
    const struct definition *definition = compiler->definition;
    const struct piece_set *set = &definition->sets[s];
    bool permuted = false;
    bool turned = false;
    for (unsigned i = 0; i < set->pieces; i++) {
        compiler->orbit[set->first + i] = (uint8_t)i;
    }
    for (unsigned m = 0; m < definition->moves.count; m++) {
        find_changes(compiler, &definition->moves.listed[m].rows, set, &permuted, &turned);
    }
    for (unsigned g = 0; g < definition->generator_count; g++) {
        find_changes(compiler, &definition->generators[g].move->rows, set, &permuted, &turned);
    }
    compiler->sets[s] = (struct first_cells){-1, -1};
    if (set->tracked && set->tracked_count == 0) {
        return true; // `Track` names none of its pieces, so nothing of it is shown
    }
    if (permuted) {
        compiler->sets[s].pieces = (int)compiler->puzzle->cell_count;
        if (!add_pieces(compiler, set)) {
            return false;
        }
    }
    if (turned || (permuted && has_turned_look_alikes(compiler, set))) {
        compiler->sets[s].orientations = (int)compiler->puzzle->cell_count;
        return add_orientations(compiler, set, compiler->sets[s].pieces);
    }
    return true;
}

// Sets the error for a puzzle without cells: no move changes what a state would show. Returns
// false.
static bool refuse_no_cells(const struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    if (definition->projection.line > 0) {
        return error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->projection.line,
                              "no move changes a set whose pieces this line names");
    }
    return error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->moves.listed[0].line,
                          "no move of %s changes anything", compiler->puzzle->name);
}

// Adds the segments of all sets, which give the puzzle its cells. Sets permutation->group, as far
// as the segments tell.
static bool add_segments(struct compiler *compiler)
{
    struct puzzle *puzzle = compiler->puzzle;
    puzzle->segments =
        calloc((size_t)2 * compiler->definition->set_count, sizeof *puzzle->segments);
    if (!puzzle->segments) {
        return error_no_memory(compiler->error, "for the puzzle");
    }
    compiler->permutation->group = true;
    puzzle->arrangement_count = 1;
    puzzle->typed_by_character = true;
    for (unsigned s = 0; s < compiler->definition->set_count; s++) {
        if (!add_set(compiler, s)) {
            return false;
        }
    }
    if (puzzle->cell_count == 0) {
        return refuse_no_cells(compiler);
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (!segment->letters[0] && segment->base + segment_typed_count(segment) > 10) {
            puzzle->typed_by_character = false; // some numbers have two digits
        }
    }
    return true;
}

// ---- Moves --------------------------------------------------------------------------------------

// Sets the error, and returns false.
static bool refuse_memory_for_moves(const struct compiler *compiler)
{
    return error_no_memory(compiler->error, "for the moves");
}

// Adds a move whose name and cells are all 0, and returns it, or NULL if memory runs out. There is
// room for it. `from` and `add` lie in one piece of memory, which `from` begins.
static struct move *make_move(const struct compiler *compiler)
{
    struct puzzle *puzzle = compiler->puzzle;
    unsigned cells = puzzle->cell_count;
    struct move *move = &puzzle->moves[puzzle->move_count];
    move->from = calloc(cells, sizeof *move->from + sizeof *move->add);
    if (!move->from) {
        (void)refuse_memory_for_moves(compiler);
        return NULL;
    }
    move->add = (uint8_t *)(move->from + cells);
    puzzle->move_count++;
    return move;
}

static struct rows scratch_rows(const struct compiler *compiler, unsigned number)
{
    return rows_in(compiler->definition, compiler->scratch, number);
}

static bool refuse_many_moves(const struct compiler *compiler, const struct listed_move *listed)
{
    return error_set_line(
        compiler->error, FEWEST_BEYOND, listed->line,
        "too many moves: at most %d, powers included; `Powers none` leaves out the powers",
        MOVES_MOST);
}

// Writes the name of a power: R, R2, R2' or R'. MOVE_NAME_LONGEST leaves room for the number and
// the mark after the longest name.
static void write_move_name(const struct move_word *word, char name[MOVE_NAME_LONGEST + 1])
{
    size_t used = strlen(word->move->name);
    memcpy(name, word->move->name, used + 1);
    if (word->times > 1) {
        used += (size_t)snprintf(name + used, MOVE_NAME_LONGEST - used, "%u", word->times);
    }
    if (word->inverse) {
        memcpy(name + used, "'", 2);
    }
}

// Sets the error for two different moves with the same name, which come from lines a and b. At
// least one of them is a power of a listed move. Returns false.
static bool refuse_name(const struct compiler *compiler, const char *name, unsigned a, unsigned b)
{
    error_write_line(compiler->error, FEWEST_BAD_INPUT, a < b ? b : a, "this move and that on ");
    return error_add_line(compiler->error, a < b ? a : b,
                          ", or their powers, are both called %s; rename one of them", name);
}

// Fills in the cells of a move that does what these rows say: from which cell each cell gets its
// value, and what is added to it.
static void fill_move_cells(const struct compiler *compiler, const struct rows *rows,
                            struct move *move)
{
    for (unsigned s = 0; s < compiler->definition->set_count; s++) {
        const struct piece_set *set = &compiler->definition->sets[s];
        struct first_cells first = compiler->sets[s];
        for (unsigned i = 0; i < set->pieces; i++) {
            unsigned from = rows->piece[set->first + i];
            if (first.pieces >= 0) {
                unsigned cell = (unsigned)first.pieces;
                move->from[cell + i] = (uint16_t)(cell + from);
            }
            if (first.orientations >= 0) {
                unsigned cell = (unsigned)first.orientations;
                move->from[cell + i] = (uint16_t)(cell + from);
                move->add[cell + i] = rows->orientation[set->first + i];
            }
        }
    }
}

// Adds a power of a listed move to the puzzle's moves. `word` names it, and `rows` is what it does.
// Fails if another listed move has this name.
static bool add_move(struct compiler *compiler, const struct move_word *word,
                     const struct rows *rows)
{
    const struct listed_move *listed = word->move;
    struct puzzle *puzzle = compiler->puzzle;
    if (puzzle->move_count == MOVES_MOST) {
        return refuse_many_moves(compiler, listed);
    }
    struct move *move = make_move(compiler);
    if (!move) {
        return false;
    }
    move->line = listed->line;
    move->generator = compiler->generator;
    write_move_name(word, move->name);
    const struct listed_move *same =
        rows_find_name(compiler->definition, move->name, strlen(move->name));
    if (same && !rows_are_equal(compiler->definition, &same->rows, rows)) {
        return refuse_name(compiler, move->name, listed->line, same->line);
    }
    fill_move_cells(compiler, rows, move);
    return true;
}

// Turns power k ≥ 1 of a move into power k+1. Makes the product in one of two scratch rows by
// turns, so that it is never where *power is now.
static void multiply_power(const struct compiler *compiler, const struct rows *move, unsigned k,
                           struct rows *power)
{
    struct rows next = scratch_rows(compiler, k % 2 == 0 ? SCRATCH_POWER : SCRATCH_NEXT_POWER);
    rows_multiply(compiler->definition, power, move, &next);
    *power = next;
}

// How many times the move must be made until no state shows a change, at least once. Returns `most`
// if it is as many times or more.
static unsigned find_move_order(const struct compiler *compiler, const struct rows *move,
                                unsigned most)
{
    struct rows power = *move;
    unsigned order = 1;
    while (order < most && !rows_are_identity(compiler->definition, &power, true)) {
        multiply_power(compiler, move, order, &power);
        order++;
    }
    return order;
}

// The word for power k of a move R of this order: R, R2, … in the first half, and …, R2', R' in the
// second, which counts back from the order. Power `order` is named as it is.
static struct move_word name_power(const struct listed_move *move, unsigned k, unsigned order)
{
    unsigned back = order - k;
    if (k <= back || back == 0) {
        return (struct move_word){move, k, false};
    }
    return (struct move_word){move, back, true};
}

// Adds the powers of a generator. They are among the powers 1 … n-1 of its move, where power n is
// the first that shows no change: all of them, or each `step`-th if the generator is itself a power
// of the move. A generator that shows nothing, though its move changes pieces, is one move, power
// n.
static bool add_powers(struct compiler *compiler, const struct move_word *generator)
{
    enum { ORDER_MOST = MOVES_MOST + 2 }; // so many powers are too many moves anyway
    const struct definition *definition = compiler->definition;
    const struct rows *move = &generator->move->rows;
    unsigned order = find_move_order(compiler, move, ORDER_MOST);
    struct rows power = *move;
    if (order == ORDER_MOST) {
        return refuse_many_moves(compiler, generator->move);
    }
    // The generator is power `times` of the move, so its powers are the multiples of `step`.
    unsigned step = (unsigned)common_divisor(order, generator->times);
    bool shows_nothing = step == order && !rows_are_identity(definition, move, false);
    unsigned last = shows_nothing ? order : order - 1;
    for (unsigned k = 1; k <= last; k++) {
        struct move_word word = name_power(generator->move, k, order);
        if (k % step == 0 && !add_move(compiler, &word, &power)) {
            return false;
        }
        multiply_power(compiler, move, k, &power);
    }
    return true;
}

// The word for a generator, named as the power of its move that it is: R2 of order 3 is R', and R'
// of order 2 is R. A generator that shows nothing keeps its word.
static struct move_word name_generator(const struct compiler *compiler,
                                       const struct move_word *generator)
{
    unsigned most = 2 * generator->times + 1; // from this order on, the word is the name
    unsigned order = find_move_order(compiler, &generator->move->rows, most);
    unsigned k = generator->times % order;
    if (order == most || k == 0) {
        return *generator;
    }
    return name_power(generator->move, generator->inverse ? order - k : k, order);
}

// Adds a generator and, unless a state shows the same after both, its inverse. `rows` is what the
// generator does. Adds nothing if it changes nothing.
static bool add_quarter_turns(struct compiler *compiler, const struct move_word *generator,
                              const struct rows *rows)
{
    const struct definition *definition = compiler->definition;
    struct rows twice = scratch_rows(compiler, SCRATCH_POWER);
    struct rows inverse = scratch_rows(compiler, SCRATCH_NEXT_POWER);
    struct move_word back = {generator->move, generator->times, !generator->inverse};
    if (rows_are_identity(definition, rows, false)) { // nothing changes, shown or not
        return true;
    }
    if (!add_move(compiler, generator, rows)) {
        return false;
    }
    rows_multiply(definition, rows, rows, &twice);
    // If a state shows no change after the generator, or after two of it, it needs no inverse.
    if (rows_are_identity(definition, rows, true) || rows_are_identity(definition, &twice, true)) {
        return true;
    }
    rows_invert(definition, rows, &inverse);
    return add_move(compiler, &back, &inverse);
}

// Are only the generators themselves moves?
static bool only_listed(const struct compiler *compiler)
{
    return compiler->definition->only_listed || compiler->puzzle->metric == METRIC_LISTED;
}

// Adds the moves that the metric makes of a generator.
static bool add_moves_of_generator(struct compiler *compiler, const struct move_word *generator)
{
    struct rows rows = scratch_rows(compiler, SCRATCH_MOVE);
    if (!only_listed(compiler) && compiler->puzzle->metric == METRIC_POWERS) {
        return add_powers(compiler, generator);
    }
    struct move_word word = name_generator(compiler, generator);
    rows_of_move(compiler->definition, generator, &rows);
    if (only_listed(compiler)) {
        return add_move(compiler, &word, &rows);
    }
    return add_quarter_turns(compiler, &word, &rows);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct move *)a)->name, ((const struct move *)b)->name);
}

static bool have_same_effect(const struct puzzle *puzzle, const struct move *a,
                             const struct move *b)
{
    return memcmp(a->from, b->from, puzzle->cell_count * sizeof *a->from) == 0 &&
           memcmp(a->add, b->add, puzzle->cell_count) == 0;
}

// Sorts the moves by name, and keeps each name once. If a definition lists a move and its power,
// the power is there twice, and the second one is freed. Fails if two different moves have one
// name.
static bool sort_moves(struct compiler *compiler)
{
    struct puzzle *puzzle = compiler->puzzle;
    unsigned kept = 0;
    qsort(puzzle->moves, puzzle->move_count, sizeof *puzzle->moves, compare_names);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        struct move move = puzzle->moves[m];
        if (kept == 0 || strcmp(puzzle->moves[kept - 1].name, move.name) != 0) {
            // Exchange the two, so that each move stays in one place and is freed once.
            puzzle->moves[m] = puzzle->moves[kept];
            puzzle->moves[kept++] = move;
        } else if (!have_same_effect(puzzle, &puzzle->moves[kept - 1], &move)) {
            return refuse_name(compiler, move.name, puzzle->moves[kept - 1].line, move.line);
        }
    }
    for (unsigned m = kept; m < puzzle->move_count; m++) {
        free(puzzle->moves[m].from);
    }
    puzzle->move_count = kept;
    return true;
}

// Is the inverse of a move also a move?
static bool has_inverse(const struct puzzle *puzzle, const struct move *move)
{
    uint16_t from[CELLS_MOST];
    uint8_t add[CELLS_MOST];
    const struct move inverse = {.from = from, .add = add};
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            from[move->from[i]] = (uint16_t)i;
            add[move->from[i]] = (uint8_t)(move->add[i] ? segment->symbols - move->add[i] : 0);
        }
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (have_same_effect(puzzle, &puzzle->moves[m], &inverse)) {
            return true;
        }
    }
    return false;
}

// Adds the moves of all generators, in their order.
static bool add_moves_of_generators(struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    compiler->puzzle->moves = calloc(MOVES_MOST, sizeof *compiler->puzzle->moves);
    compiler->scratch = malloc((size_t)SCRATCH_ROWS * 2 * definition->piece_count);
    bool done = (compiler->puzzle->moves && compiler->scratch) || refuse_memory_for_moves(compiler);
    for (unsigned g = 0; g < definition->generator_count && done; g++) {
        compiler->generator = g;
        done = add_moves_of_generator(compiler, &definition->generators[g]);
    }
    free(compiler->scratch);
    return done;
}

// Makes the moves of the puzzle, and finds out whether each has an inverse. The powers of a move,
// or a quarter turn and its inverse, always have one.
static bool add_moves(struct compiler *compiler)
{
    struct puzzle *puzzle = compiler->puzzle;
    if (!add_moves_of_generators(compiler) || !sort_moves(compiler)) {
        return false;
    }
    puzzle->reversible = true;
    for (unsigned m = 0; m < puzzle->move_count && only_listed(compiler); m++) {
        if (!has_inverse(puzzle, &puzzle->moves[m])) {
            puzzle->reversible = false;
            break;
        }
    }
    return true;
}

// ---- Compiling ----------------------------------------------------------------------------------

// Checks that a `Board` with cells has each cell of a state once. Cells are counted from 1, and 0
// is an empty place.
static bool check_drawing(struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    unsigned cell_count = compiler->puzzle->cell_count;
    bool drawn[CELLS_MOST] = {false};
    unsigned count = 0; // of cells that are drawn
    for (unsigned i = 0; i < definition->drawing_rows * definition->drawing_columns; i++) {
        unsigned cell = definition->drawing_cells[i];
        if (cell > cell_count) {
            return error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->drawing_line,
                                  "`Board` has cell %u, but a state of %s has only %u cells", cell,
                                  compiler->puzzle->name, cell_count);
        }
        if (cell > 0 && drawn[cell - 1]) {
            return error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->drawing_line,
                                  "`Board` has cell %u twice; a state of %s has %u cells", cell,
                                  compiler->puzzle->name, cell_count);
        }
        if (cell > 0) {
            drawn[cell - 1] = true;
            count++;
        }
    }
    return count == cell_count ||
           error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->drawing_line,
                          "`Board` has %u of the %u cells of a state of %s", count, cell_count,
                          compiler->puzzle->name);
}

// Reads `Board`, if the definition has it. `Board ROWS COLUMNS` says how a state is typed. With a
// list of cells it is a drawing, which is only checked here. Fails if it does not have the cells of
// a state.
static bool set_board(struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    struct puzzle *puzzle = compiler->puzzle;
    if (definition->drawing_columns == 0) {
        return true;
    }
    if (definition->drawing_cells) {
        return check_drawing(compiler);
    }
    puzzle->typed_columns = definition->drawing_columns;
    if (definition->drawing_rows * definition->drawing_columns != puzzle->cell_count) {
        return error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->drawing_line,
                              "`Board %u %u` has %u cells, but a state of %s has %u",
                              definition->drawing_rows, definition->drawing_columns,
                              definition->drawing_rows * definition->drawing_columns, puzzle->name,
                              puzzle->cell_count);
    }
    return true;
}

// Returns the slot where the solved state has the piece that a goal has in slot i: in the orbit of
// slot i, if it is there. Returns -1 if it is in no slot. Slots count in all sets together. If the
// pieces of the set have no cells, slot i is an orbit of its own.
static int find_solved_slot(const struct compiler *compiler, const struct piece_set *set,
                            const struct rows *goal, unsigned i)
{
    const uint8_t *solved = compiler->definition->solved.piece;
    int found = -1;
    for (unsigned j = set->first; j < set->first + set->pieces; j++) {
        if (solved[j] == goal->piece[i]) {
            found = (int)j;
            if (compiler->orbit[j] == compiler->orbit[i]) {
                break;
            }
        }
    }
    return found;
}

// Does a goal agree with `Solved` in everything that has no cells? If only the pieces have cells,
// they take their orientations along.
static bool agrees_without_cells(const struct compiler *compiler, const struct rows *goal)
{
    const struct rows *solved = &compiler->definition->solved;
    for (unsigned s = 0; s < compiler->definition->set_count; s++) {
        const struct piece_set *set = &compiler->definition->sets[s];
        for (unsigned i = set->first; i < set->first + set->pieces; i++) {
            if (compiler->sets[s].pieces < 0 && goal->piece[i] != solved->piece[i]) {
                return false;
            }
            int home = find_solved_slot(compiler, set, goal, i);
            if (home < 0 || (compiler->sets[s].orientations < 0 &&
                             goal->orientation[i] != solved->orientation[home])) {
                return false;
            }
        }
    }
    return true;
}

// Fills in the state where every piece is at home: piece i in cell i, all orientations 0.
static void set_identity(const struct puzzle *puzzle, uint8_t *state)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        for (unsigned i = 0; i < segment->length; i++) {
            state[segment->first + i] = segment->kind == SEGMENT_ORIENTATION ? 0 : (uint8_t)i;
        }
    }
}

// Makes the solved state the first goal, and makes the root: the identity if the states are a
// group, and otherwise the solved state itself.
static bool set_solved(struct compiler *compiler)
{
    struct puzzle *puzzle = compiler->puzzle;
    struct root *root = &puzzle->numbering.roots[0];
    if (!puzzle_make_goals(puzzle, compiler->error)) {
        return false;
    }
    permutation_copy_rows(puzzle, &compiler->definition->solved, puzzle->goals[0]);
    puzzle_forget_ignored(puzzle, puzzle->goals[0]);
    puzzle->goal_count = 1;
    puzzle->numbering.root_count = 1;
    if (compiler->permutation->group) {
        set_identity(puzzle, root->target);
    } else {
        root->target = puzzle->goals[0];
    }
    return true;
}

// Adds the goals of the definition after the solved state, each state once. If the states are no
// group, distances are counted to the nearest goal, and moves must connect each goal with the
// solved state.
static bool add_goals(struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    struct puzzle *puzzle = compiler->puzzle;
    for (unsigned g = 0; g < definition->goal_count; g++) {
        uint8_t *goal = puzzle->goals[puzzle->goal_count];
        if (!agrees_without_cells(compiler, &definition->goals[g])) {
            return error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->goal_lines[g],
                                  "this goal can't be reached: it differs from `Solved` in pieces "
                                  "or orientations that no move changes");
        }
        permutation_copy_rows(puzzle, &definition->goals[g], goal);
        puzzle_forget_ignored(puzzle, goal);
        if (!compiler->permutation->group && !puzzle_is_too_large(puzzle) &&
            puzzle_rank(puzzle, 0, goal) == INDEX_NONE) {
            return error_set_line(compiler->error, FEWEST_BAD_INPUT, definition->goal_lines[g],
                                  "no moves connect this goal with `Solved`; check its rows, or "
                                  "make it the `Solved` of another table");
        }
        puzzle_keep_goal(puzzle);
    }
    if (!compiler->permutation->group) {
        puzzle->numbering.roots[0].more = puzzle->goal_count - 1;
    }
    return true;
}

// Counts and numbers the states, forbidden ones included. If they are a group, any start and any
// target have a relative target.
static bool number_states(struct compiler *compiler)
{
    struct puzzle *puzzle = compiler->puzzle;
    struct numbering *numbering = &puzzle->numbering;
    numbering->functions = &PERMUTATION_NUMBERING;
    numbering->answers = compiler->permutation->group ? ANSWERS_ALL : ANSWERS_TARGETS;
    numbering->counts_to_goals = !compiler->permutation->group;
    numbering->only_renames = compiler->permutation->group && puzzle->segment_count == 1 &&
                              puzzle->segments[0].kind == SEGMENT_ARRANGEMENT;
    numbering->least_open = numbering->only_renames; // 1, or 0 if no target has a number
    if (!permutation_make_chain(puzzle, compiler->error)) {
        return false;
    }
    bool is_unknown = puzzle->filter && puzzle->definition->database_count > 0;
    puzzle->reachable_count = is_unknown ? 0 : numbering->state_count;
    return true;
}

// Compiles a permutation puzzle (rules.h). Sets permutation->group if all pieces differ, all
// orientations count and all states are permitted.
static bool compile_permutation(struct puzzle *puzzle, struct fewest_error *error)
{
    struct permutation *permutation = calloc(1, sizeof *permutation);
    puzzle->own = permutation;
    if (permutation) {
        permutation->first_cells =
            calloc(puzzle->definition->set_count, sizeof *permutation->first_cells);
    }
    if (!permutation || !permutation->first_cells) {
        return error_no_memory(error, "for the puzzle");
    }
    struct compiler compiler = {.puzzle = puzzle,
                                .definition = puzzle->definition,
                                .permutation = permutation,
                                .sets = permutation->first_cells,
                                .error = error};
    if (!add_segments(&compiler)) {
        return false;
    }
    puzzle->filter = permutation_filter(puzzle);
    permutation->group = permutation->group && !puzzle->filter;
    if (!set_board(&compiler) || !add_moves(&compiler) || !set_solved(&compiler)) {
        return false;
    }
    return point_view_make(&permutation->view, puzzle, !permutation->group, error) &&
           number_states(&compiler) && add_goals(&compiler);
}

static void free_permutation(void *own)
{
    struct permutation *permutation = own;
    chain_free(&permutation->chain);
    point_view_free(&permutation->view);
    free(permutation->exchange);
    free(permutation->rows);
    free(permutation->first_cells);
    free(permutation);
}

static void count_states(const struct puzzle *puzzle, struct large *number)
{
    chain_multiply_count(&permutation_of(puzzle)->chain, number);
}

const struct point_view *permutation_view(const struct puzzle *puzzle)
{
    return puzzle->rules == &PERMUTATION_RULES ? &permutation_of(puzzle)->view : NULL;
}

const struct rules PERMUTATION_RULES = {
    .compile = compile_permutation,
    .free_own = free_permutation,
    .count_states = count_states,
    .apply = permutation_apply,
    .cannot_be_made_reason = "it leads from or to a state that `Illegal` forbids",
    .apply_rows = permutation_apply_rows,
    .read_rows = permutation_read_rows,
    .explain_unreachable = permutation_explain_unreachable,
    .is_reachable = permutation_is_reachable,
};
