// Boards of rolling cubes: states, moves and indices.
//
// Opposite faces of a cube have the same colour, so a cube has six orientations: the order of its
// three colours on top, in front and on the right. Rolling along a column exchanges top and front,
// and rolling along a row exchanges top and right. At the start all cubes have colour 1 on top, 2
// in front and 3 on the right.
//
// A *visible state* is the blank's cell and the tops. Its index is (cell of the blank) × 3^cubes +
// (the tops as digits to the base 3).
//
// A *full state*, the node of a search, also tells every cube's orientation. One more bit for each
// cube is enough:
//   - Every roll exchanges two colours of the cube, so its top and the parity of its rolls tell the
//     other two colours.
//   - Every roll takes the cube to a cell of the other colour of a checkerboard, so the parity
//     follows from the colour of the cell where the cube started.
// So the hidden part is a mask: which of the cubes, in reading order, started on a cell of colour
// 1. On a 3×3 board it is one of C(8,4) = 70 masks or, if the blank started on an edge, C(8,3) =
// 56. The masks are numbered from 0, the start's own first. The index of a full state is (number of
// the mask) × (number of visible states) + (index of the visible state).
//
// One of the board's symmetries takes the blank of a start to a root (board.h). A symmetry that
// exchanges rows and columns exchanges front and right, and so colours 2 and 3.
#include "rolling.h"

#include "tables/algebra/rank.h"
#include "tables/families/board/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CELLS = 10, // 24,800,580 full states
    MASKS = 126,
    BLANK = 0,
    COLOURS = 3, // of a cube
};

// The masks that the cubes can have: every mask with as many bits as the one at the start.
struct masks {
    unsigned count;
    uint16_t mask[MASKS];                // by number
    uint8_t number_of[1 << (CELLS - 1)]; // by mask; only those of `mask` have a number
};

struct rolling {
    struct masks masks[ROOTS_MOST];   // by root
    bool along_row[BOARD_MOVES_MOST]; // by move
    uint32_t power[CELLS];            // of the number of colours: 1, 3, 9, ...
    // By cell of the blank: does its symmetry to the root exchange rows and columns?
    bool transposed[CELLS];
};

static const struct rolling *rolling_of(const struct puzzle *puzzle)
{
    return (const struct rolling *)puzzle->own;
}

// The place of a cube in reading order, which does not count the blank. A mask has a bit for each.
static unsigned place_of(unsigned cell, unsigned blank)
{
    return cell - (cell > blank);
}

// Removes a bit from a mask: the higher bits move down by one.
static unsigned remove_bit(unsigned mask, unsigned bit)
{
    unsigned below = (1u << bit) - 1;
    return (mask & below) | (mask >> 1 & ~below);
}

// Inserts a bit with this value, 0 or 1: it and the higher bits move up by one.
static unsigned insert_bit(unsigned mask, unsigned bit, unsigned value)
{
    unsigned below = (1u << bit) - 1;
    return (mask & below) | value << bit | (mask & ~below) << 1;
}

// The top after a roll of a cube that has rolled an even or `odd` number of times. The colours form
// a cycle, 1 2 3 1. If the number is even, the colour after the top in this cycle is in front, and
// the one before it on the right; if it is odd, they are exchanged. A roll along a column brings
// the front to the top, and a roll along a row the right.
static uint8_t roll_top(unsigned top, bool odd, bool along_row)
{
    unsigned turns = odd != along_row ? 2 : 1; // in the cycle
    return (uint8_t)((top - 1 + turns) % COLOURS + 1);
}

// The tops after a roll, as a number to the base 3. `number` has the tops before it: a digit for
// each of the `digits` cubes in reading order, without the blank. The digit of the cube that rolls
// goes from place `before` to place `after`, counted from the left, and becomes that of `top`. The
// digits between the two places make room: they move by one place.
static uint32_t move_digit(const struct rolling *rolling, unsigned digits, uint32_t number,
                           unsigned before, unsigned after, unsigned top)
{
    bool moves_right = before < after;
    unsigned left = moves_right ? before : after;
    unsigned right = moves_right ? after : before;
    uint32_t place = rolling->power[digits - 1 - right]; // of the rightmost digit that changes
    uint32_t highest = rolling->power[right - left];     // of the leftmost, within these digits
    uint32_t old = number / place % (COLOURS * highest); // the digits from `left` to `right`
    uint32_t rest = moves_right ? old % highest : old / COLOURS; // without the cube's digit
    uint32_t changed = moves_right ? rest * COLOURS + top - 1 : (top - 1) * highest + rest;
    return number + place * (changed - old);
}

// Fills in the index of the full state after each move, or INDEX_NONE where the blank is at the
// edge.
static void find_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                            uint64_t *found)
{
    const struct board *board = puzzle->board;
    const struct rolling *rolling = rolling_of(puzzle);
    const struct masks *masks = &rolling->masks[root];
    uint64_t visible_count = puzzle->numbering.state_count;
    unsigned cubes = puzzle->cell_count - 1;
    unsigned mask = masks->mask[index / visible_count];
    uint32_t visible = (uint32_t)(index % visible_count);
    unsigned blank = visible / rolling->power[cubes];
    uint32_t tops = visible % rolling->power[cubes];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        unsigned cell = board->to[m][blank]; // of the cube that rolls
        found[m] = INDEX_NONE;
        if (cell == NOWHERE) {
            continue;
        }
        unsigned before = place_of(cell, blank); // of the cube that rolls
        unsigned after = place_of(blank, cell);
        unsigned home = mask >> before & 1; // the colour of the cell where the cube started
        unsigned number = masks->number_of[insert_bit(remove_bit(mask, before), after, home)];
        unsigned top = 1 + tops / rolling->power[cubes - 1 - before] % COLOURS;
        bool odd = home != board->colour[cell]; // has it rolled an odd number of times?
        unsigned rolled = roll_top(top, odd, rolling->along_row[m]);
        found[m] = number * visible_count + (uint64_t)cell * rolling->power[cubes] +
                   move_digit(rolling, cubes, tops, before, after, rolled);
    }
}

// The index of a visible state is the dense index, whatever the root.
static uint64_t rank_visible(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    (void)root;
    return puzzle_rank_state(puzzle, relative);
}

static void unrank_visible(const struct puzzle *puzzle, unsigned root, uint64_t index,
                           uint8_t *relative)
{
    (void)root;
    puzzle_unrank_state(puzzle, index, relative);
}

// ---- Matching indices ---------------------------------------------------------------------------

// Cubes that have wildcards in a target, and follow each other in reading order. Their tops add a
// multiple of `term` to the index, from 0 to turns-1 times.
struct open_cubes {
    uint64_t term;
    unsigned turns;
};

// A pass through the visible states that match a target and have the blank in one cell.
struct matching_tops {
    struct open_cubes groups[CELLS];
    unsigned count;
    index_taker *take;
    void *context;
};

// Visits all indices that the groups from number g on make of `index`, each once. The last group
// makes runs of indices (index_taker in numbering.h). False if the visitor ended the pass.
static bool visit_groups(const struct matching_tops *matching, unsigned g, uint64_t index)
{
    const struct open_cubes *group = &matching->groups[g];
    unsigned run = g + 1 == matching->count ? INDEX_STRIDE_MOST : 1;
    bool go_on = true;
    for (unsigned turn = 0; turn < group->turns && go_on; turn += run) {
        uint64_t first = index + turn * group->term;
        unsigned left = group->turns - turn;
        if (g + 1 < matching->count) {
            go_on = visit_groups(matching, g + 1, first);
        } else {
            go_on = matching->take(matching->context, first, group->term, left < run ? left : run);
        }
    }
    return go_on;
}

// Visits the indices of the states that match a target and have the blank in cell `blank`. The
// longest group comes last, so that the runs are long: on a 3×3 board with few tops given, this
// takes a thirtieth of the time of ranking each state (2026-11). False if the visitor ended it.
static bool visit_tops(struct matching_tops *matching, const struct puzzle *puzzle,
                       const uint8_t *relative, unsigned blank)
{
    uint64_t term = 1; // what a digit of the cube in cell i counts
    uint64_t index = 0;
    bool was_open = false; // the cube after this one
    unsigned longest = 0;
    matching->count = 0;
    for (unsigned i = puzzle->cell_count; i-- > 0;) {
        if (i == blank) {
            continue;
        }
        if (relative[i] != WILD) {
            index += term * (relative[i] - 1u);
        } else if (was_open) {
            matching->groups[matching->count - 1].turns *= COLOURS;
        } else {
            matching->groups[matching->count++] = (struct open_cubes){term, COLOURS};
        }
        was_open = relative[i] == WILD;
        term *= COLOURS;
    }
    index += blank * term;
    if (matching->count == 0) {
        return matching->take(matching->context, index, 0, 1); // a run of one index
    }
    for (unsigned g = 1; g < matching->count; g++) {
        if (matching->groups[g].turns > matching->groups[longest].turns) {
            longest = g;
        }
    }
    struct open_cubes last = matching->groups[longest];
    matching->groups[longest] = matching->groups[matching->count - 1];
    matching->groups[matching->count - 1] = last;
    return visit_groups(matching, 0, index);
}

// Visits the indices of the visible states that match a relative target. There is a pass for each
// cell that may hold the blank: the one that is given or, without one, each open cell.
static void visit_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                          index_taker *take, void *context)
{
    (void)root;
    struct matching_tops matching = {.take = take, .context = context};
    bool given = memchr(relative, BLANK, puzzle->cell_count);
    bool go_on = true;
    for (unsigned cell = 0; cell < puzzle->cell_count && go_on; cell++) {
        if (relative[cell] == (given ? BLANK : WILD)) {
            go_on = visit_tops(&matching, puzzle, relative, cell);
        }
    }
}

// ---- Moves --------------------------------------------------------------------------------------

// Refuses every move: the tops alone do not determine the top after a roll.
static bool refuse_move(const struct puzzle *puzzle, unsigned move, const uint8_t *from,
                        uint8_t *to)
{
    (void)puzzle;
    (void)move;
    (void)from;
    (void)to;
    return false;
}

// The number of visible states that moves reach from the start. All rows of tops are reached,
// except on two kinds of boards. On a line, only the cell of the blank changes. On a square of four
// cells, the cubes keep their order; a search found 28 states.
static uint64_t count_reachable(const struct board *board, unsigned cubes)
{
    enum { SQUARE_CELLS = 4, SQUARE_STATES = 28 };
    uint64_t count = cubes + 1; // cells of the blank
    if (grid_is_line(&board->grid)) {
        return count;
    }
    if (board->grid.cells == SQUARE_CELLS) {
        return SQUARE_STATES;
    }
    for (unsigned i = 0; i < cubes; i++) {
        count *= COLOURS;
    }
    return count;
}

// At most 10 × 3^9 states, so their number fits 32 bits.
static void count_states(const struct puzzle *puzzle, struct large *number)
{
    large_multiply(number, (uint32_t)count_reachable(puzzle->board, puzzle->cell_count - 1));
}

// If `transposed`, turns 2 into 3 and 3 into 2. The blank, 1 and WILD stay.
static uint8_t transpose_top(uint8_t top, bool transposed)
{
    bool changes = transposed & (top / 2 == 1); // 2 / 2 and 3 / 2 are 1
    return top ^ changes;
}

// Fills in the relative target and its root (puzzle_find_relative): the target's image under the
// symmetry that takes the start's blank to a root. Every cube of `start` must have 1 on top,
// because only such a start tells how its cubes lie.
static bool find_relative(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          unsigned *root, uint8_t *relative, struct fewest_error *error)
{
    unsigned cells = puzzle->cell_count; // a copy, which the writes below can't change
    unsigned blank = 0;
    unsigned others = 0; // cells whose top is not 1; it must be the blank alone
    for (unsigned i = 0; i < cells; i++) {
        others += start[i] != 1;
        if (start[i] == BLANK) {
            blank = i;
        }
    }
    if (others > 1) {
        const char *letters = puzzle->segments[0].letters;
        return error_set(error, FEWEST_BEYOND,
                         "%s answers only from a START where every cube has %c on top",
                         puzzle->name, letters[0] ? letters[1] : '1');
    }
    const uint8_t *to = puzzle->board->to_root[blank].to;
    bool transposed = rolling_of(puzzle)->transposed[blank];
    for (unsigned i = 0; i < cells; i++) {
        relative[to[i]] = transpose_top(target[i], transposed);
    }
    *root = puzzle->board->root_of[blank];
    return true;
}

// Undoes find_relative: applies the inverse symmetry.
static void restore_target(const struct puzzle *puzzle, const uint8_t *start,
                           const uint8_t *relative, uint8_t *target)
{
    unsigned blank = board_find_cell(start, BLANK);
    const uint8_t *to = puzzle->board->to_root[blank].to;
    bool transposed = rolling_of(puzzle)->transposed[blank];
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        target[i] = transpose_top(relative[to[i]], transposed);
    }
}

// Applies moves to the full state of `start` (numbering_functions.follow), and fills in what the
// last one shows. The search knows only boards whose blank starts at a root. The symmetry that
// takes the start's blank to its root turns a move into its conjugate.
static bool follow_moves(const struct puzzle *puzzle, const uint8_t *start, const unsigned *moves,
                         unsigned count, uint8_t *state, struct fewest_error *error)
{
    uint64_t after[BOARD_MOVES_MOST];
    uint8_t relative[CELLS_MOST];
    unsigned root;
    if (!find_relative(puzzle, start, start, &root, relative, error)) {
        return false;
    }
    const struct board *board = puzzle->board;
    const struct symmetry *to_root = &board->to_root[board_find_cell(start, BLANK)];
    // The full state: the mask of a start has number 0, so the index is that of the visible state.
    uint64_t full = puzzle_rank(puzzle, root, relative);
    for (unsigned i = 0; i < count; i++) {
        find_neighbours(puzzle, root, full, after);
        full = after[board_conjugate_move(board, to_root, moves[i])];
        if (full == INDEX_NONE) {
            return error_set(error, FEWEST_BAD_INPUT, "move %u, %s, is not possible", i + 1,
                             puzzle->moves[moves[i]].name);
        }
    }
    puzzle_unrank(puzzle, root, full % puzzle->numbering.state_count, relative);
    restore_target(puzzle, start, relative, state);
    return true;
}

// Every roll is undone by another, so the predecessors of a state are its neighbours.
static const struct numbering_functions NUMBERING = {
    .rank = rank_visible,
    .unrank = unrank_visible,
    .neighbours = find_neighbours,
    .predecessors = find_neighbours,
    .find_relative = find_relative,
    .restore_target = restore_target,
    .visit_indices = visit_indices,
    .follow = follow_moves,
};

// ---- Compiling ----------------------------------------------------------------------------------

// Numbers the masks of a root: the mask of its start first, and then all others with as many bits.
// On at most CELLS cells there are at most C(9,4) = 126, MASKS.
static void add_masks(const struct puzzle *puzzle, const struct root *root, struct masks *masks)
{
    unsigned start = 0;
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        if (cell != root->cell) {
            start |= (unsigned)puzzle->board->colour[cell] << place_of(cell, root->cell);
        }
    }
    masks->mask[masks->count++] = (uint16_t)start;
    for (unsigned mask = 0; mask < 1u << (puzzle->cell_count - 1); mask++) {
        if (mask != start && count_bits(mask) == count_bits(start)) {
            masks->number_of[mask] = (uint8_t)masks->count;
            masks->mask[masks->count++] = (uint16_t)mask;
        }
    }
}

// Finds the roots, each with its relative target and its masks.
static void make_roots(struct puzzle *puzzle, struct rolling *rolling)
{
    board_find_roots(puzzle);
    for (unsigned r = 0; r < puzzle->numbering.root_count; r++) {
        struct root *root = &puzzle->numbering.roots[r];
        memset(root->target, 1, puzzle->cell_count);
        root->target[root->cell] = BLANK;
        add_masks(puzzle, root, &rolling->masks[r]);
        root->nodes = rolling->masks[r].count * puzzle->numbering.state_count;
    }
}

// Makes the numbering, and the look-ups that it needs in puzzle->own.
static void number_states(struct puzzle *puzzle)
{
    struct rolling *rolling = (struct rolling *)puzzle->own;
    puzzle->numbering.functions = &NUMBERING;
    puzzle->numbering.answers = ANSWERS_STARTS;
    puzzle->numbering.state_count = puzzle->arrangement_count;
    make_roots(puzzle, rolling);
    rolling->power[0] = 1;
    for (unsigned i = 1; i < CELLS; i++) {
        rolling->power[i] = COLOURS * rolling->power[i - 1];
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        rolling->along_row[m] = puzzle->moves[m].name[0] == 'l' || puzzle->moves[m].name[0] == 'r';
    }
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        // A symmetry exchanges rows and columns if it turns a move along one into one along the
        // other.
        unsigned conjugate = board_conjugate_move(puzzle->board, &puzzle->board->to_root[cell], 0);
        rolling->transposed[cell] = rolling->along_row[conjugate] != rolling->along_row[0];
    }
}

// Gives the puzzle its only segment, the blank and the tops, and the counts of its states. Makes
// puzzle->own, still all 0. puzzle_free frees both, also after a failure.
static bool add_segment(struct puzzle *puzzle, const struct piece_set *set,
                        struct fewest_error *error)
{
    puzzle->segments = malloc(sizeof *puzzle->segments);
    puzzle->own = calloc(1, sizeof(struct rolling));
    if (!puzzle->segments || !puzzle->own) {
        return error_no_memory(error, "for the puzzle");
    }
    unsigned cubes = puzzle->cell_count - 1;
    struct segment *segment = puzzle->segments;
    *segment = (struct segment){.kind = SEGMENT_TOPS,
                                .length = puzzle->cell_count,
                                .symbols = 1 + COLOURS,
                                .blank = true,
                                .pieces = -1, // it has no orientations
                                .count = puzzle->cell_count};
    segment->amount[BLANK] = 1;
    for (unsigned colour = 1; colour <= COLOURS; colour++) {
        segment->amount[colour] = (uint8_t)cubes; // all cubes may have this top
    }
    for (unsigned i = 0; i < cubes; i++) {
        segment->count *= COLOURS; // at most 10 × 3^9
    }
    puzzle->segment_count = 1;
    puzzle->typed_by_character = true;
    puzzle->arrangement_count = segment->count;
    puzzle->reachable_count = count_reachable(puzzle->board, cubes);
    return !set->letters_line || segment_set_letters(segment, set, error);
}

static bool compile_board(struct puzzle *puzzle, struct fewest_error *error)
{
    if (!board_build(puzzle, error) || !add_segment(puzzle, &puzzle->definition->sets[0], error)) {
        return false;
    }
    number_states(puzzle);
    return true;
}

// The solved state of a definition: every cube has 1 on top, and the blank is in the last cell.
static void fill_solved(struct definition *definition)
{
    memset(definition->solved.piece, 1, definition->piece_count);
    definition->solved.piece[definition->piece_count - 1] = BLANK;
}

// Has a state of the definition exactly one blank? If not, `fault` says so.
static bool check_cells(const uint8_t *cells, unsigned count, char fault[CELLS_FAULT])
{
    unsigned blanks = 0;
    for (unsigned i = 0; i < count; i++) {
        blanks += cells[i] == BLANK;
    }
    snprintf(fault, CELLS_FAULT, "expected one blank (0), got %u", blanks);
    return blanks == 1;
}

static const struct board_keyword ROLL = {.word = "Roll",
                                          .form = "Roll ROWS COLUMNS",
                                          .set_name = "CUBES",
                                          .sizes = 2,
                                          .cells_most = CELLS,
                                          .colours = COLOURS,
                                          .fill_solved = fill_solved,
                                          .check_cells = check_cells};

const struct rules ROLLING_RULES = {
    .board = &ROLL,
    .compile = compile_board,
    .free_own = free,
    .count_states = count_states,
    .apply = refuse_move,
    .never_applies_reason =
        "moves can't be applied to rolling cubes: the tops alone do not determine the "
        "result",
};
