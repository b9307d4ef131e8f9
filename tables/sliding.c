// How a sliding puzzle becomes a table.
//
// The moves of the blank are no group: which can be made depends on where it is. But the board has symmetries, and the
// tiles may be named as one likes. So the start is carried by a symmetry until its blank stands in one of a few cells,
// the *roots* (three on a 3×3 board: a corner, an edge, the centre), and then every tile is named after the cell where
// the start has it. The target, carried and named alike, is the question: symbol v in cell i says that the tile that
// starts in cell v must go to cell i. The blank's symbol is the root's cell.
//
// The index of a question is (cell of the blank) × half + (rank of the tiles / 2): a move of the blank exchanges two
// symbols, so that the permutation is even exactly if the blank is an even number of moves from the root. That decides
// the tiles' parity, and the two arrangements that differ in the last two tiles share a place.
#include "sliding.h"

#include "rank.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, MOVES = 2 * AXES, NOWHERE = 0xFF, SYMMETRIES = 48 };

struct slide {
    unsigned cells;
    unsigned size[AXES];                         // columns, rows, layers
    uint64_t half;                               // arrangements of the tiles that share the blank's cell
    uint8_t to[MOVES][PATTERN_CELLS_MOST];       // by move: where the blank goes, or NOWHERE
    uint8_t root_of[PATTERN_CELLS_MOST];         // by cell of the blank
    struct symmetry carrier[PATTERN_CELLS_MOST]; // by cell of the blank: carries it to its root
    struct symmetry symmetries[SYMMETRIES];
    unsigned symmetry_count;
    bool odd[ROOTS_MOST][PATTERN_CELLS_MOST]; // by root and cell of the blank: are the tiles an odd permutation?
};

// ---- Questions ----------------------------------------------------------------------------------------------------

static bool is_odd_code(unsigned digits)
{
    return digits % 2 == 1; // the digits of a Lehmer code add up to the number of inversions
}

static uint64_t rank_with_blank(const struct slide *slide, unsigned root, unsigned root_cell, const uint8_t *question,
                                unsigned blank)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    unsigned digits = 0;
    unsigned left = slide->cells - 1;
    for (unsigned i = 0; i < slide->cells; i++) {
        if (i == blank) {
            continue;
        }
        unsigned digit = lehmer_digit(&code, question[i] - (unsigned)(question[i] > root_cell));
        rank = rank * left-- + digit;
        digits += digit;
    }
    if (is_odd_code(digits) != slide->odd[root][blank]) {
        return INDEX_NONE;
    }
    return blank * slide->half + rank / 2;
}

static unsigned find_symbol(const uint8_t *cells, unsigned symbol)
{
    unsigned i = 0;
    while (cells[i] != symbol) {
        i++;
    }
    return i;
}

static uint64_t rank(const struct puzzle *puzzle, unsigned root, const uint8_t *question)
{
    unsigned root_cell = puzzle->roots[root].cell;
    return rank_with_blank(puzzle->slide, root, root_cell, question, find_symbol(question, root_cell));
}

static void unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *question)
{
    const struct slide *slide = puzzle->slide;
    unsigned root_cell = puzzle->roots[root].cell;
    unsigned blank = (unsigned)(index / slide->half);
    unsigned tiles = slide->cells - 1;
    uint8_t arrangement[RANK_LONGEST];
    struct lehmer code = lehmer_start();
    unsigned digits = 0;
    arrangement_unrank(tiles, tiles, index % slide->half * 2, arrangement);
    for (unsigned i = 0; i < tiles; i++) {
        digits += lehmer_digit(&code, arrangement[i]);
    }
    if (is_odd_code(digits) != slide->odd[root][blank] && tiles >= 2) {
        uint8_t last = arrangement[tiles - 1];
        arrangement[tiles - 1] = arrangement[tiles - 2];
        arrangement[tiles - 2] = last;
    }
    for (unsigned i = 0, tile = 0; i < slide->cells; i++) {
        question[i] = (uint8_t)root_cell;
        if (i != blank) {
            question[i] = (uint8_t)(arrangement[tile] + (arrangement[tile] >= root_cell));
            tile++;
        }
    }
}

static void neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *found)
{
    const struct slide *slide = puzzle->slide;
    unsigned root_cell = puzzle->roots[root].cell;
    unsigned blank = (unsigned)(index / slide->half);
    uint8_t question[PATTERN_CELLS_MOST];
    unrank(puzzle, root, index, question);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        unsigned to = slide->to[m][blank];
        found[m] = INDEX_NONE;
        if (to != NOWHERE) {
            question[blank] = question[to];
            question[to] = (uint8_t)root_cell;
            found[m] = rank_with_blank(slide, root, root_cell, question, to);
            question[to] = question[blank];
            question[blank] = (uint8_t)root_cell;
        }
    }
}

// ---- States -------------------------------------------------------------------------------------------------------

static bool apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
{
    unsigned blank = find_symbol(from, 0);
    unsigned goes = puzzle->slide->to[move][blank];
    if (goes == NOWHERE) {
        return false;
    }
    memcpy(to, from, puzzle->cell_count);
    to[blank] = from[goes];
    to[goes] = 0;
    return true;
}

// A move is undone by the one that goes the other way.
static bool undo(const struct puzzle *puzzle, unsigned move, const uint8_t *after, uint8_t *before)
{
    unsigned blank = find_symbol(after, 0);
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        if (puzzle->slide->to[move][i] == blank) {
            memcpy(before, after, puzzle->cell_count);
            before[blank] = after[i];
            before[i] = 0;
            return true;
        }
    }
    return false;
}

static bool relate(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, unsigned *root,
                   uint8_t *question, struct fault *fault)
{
    const struct slide *slide = puzzle->slide;
    unsigned blank = find_symbol(start, 0);
    const uint8_t *to = slide->carrier[blank].to;
    uint8_t cell_of[PATTERN_CELLS_MOST]; // where the carried start has a tile
    (void)fault;
    *root = slide->root_of[blank];
    for (unsigned i = 0; i < slide->cells; i++) {
        cell_of[start[i]] = to[i];
    }
    for (unsigned i = 0; i < slide->cells; i++) {
        question[to[i]] = target[i] == WILD ? WILD : cell_of[target[i]];
    }
    return true;
}

// Every move is undone by another, so that what leads to a state is what it leads to.
static const struct family SLIDING_FAMILY = {rank, unrank, neighbours, neighbours, apply, undo, relate};

// ---- Symmetries and roots -----------------------------------------------------------------------------------------

// The symmetry that takes axis a to axis order[a] and turns those round that `flips` names. False where the sizes do
// not allow it.
static bool make_symmetry(const struct slide *slide, const unsigned *order, unsigned flips, struct symmetry *symmetry)
{
    for (unsigned axis = 0; axis < AXES; axis++) {
        if (slide->size[axis] != slide->size[order[axis]]) {
            return false;
        }
    }
    for (unsigned cell = 0; cell < slide->cells; cell++) {
        unsigned at[AXES];
        unsigned rest = cell;
        for (unsigned axis = 0; axis < AXES; axis++) {
            unsigned place = rest % slide->size[axis];
            at[order[axis]] = flips >> axis & 1 ? slide->size[axis] - 1 - place : place;
            rest /= slide->size[axis];
        }
        unsigned carried = (at[2] * slide->size[1] + at[1]) * slide->size[0] + at[0];
        symmetry->to[cell] = (uint8_t)carried;
        symmetry->from[carried] = (uint8_t)cell;
    }
    return true;
}

// All symmetries of the box, each once, the identity first.
static void find_symmetries(struct slide *slide)
{
    static const unsigned ORDERS[][AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (unsigned o = 0; o < sizeof ORDERS / sizeof *ORDERS; o++) {
        for (unsigned flips = 0; flips < 1u << AXES; flips++) {
            struct symmetry symmetry = {{0}, {0}};
            bool is_new = make_symmetry(slide, ORDERS[o], flips, &symmetry);
            for (unsigned s = 0; s < slide->symmetry_count && is_new; s++) {
                is_new = memcmp(slide->symmetries[s].to, symmetry.to, slide->cells) != 0;
            }
            if (is_new) {
                slide->symmetries[slide->symmetry_count++] = symmetry;
            }
        }
    }
}

// The last cell of each class of cells is its root. False where there are too many.
static bool find_roots(struct puzzle *puzzle, struct slide *slide)
{
    memset(slide->root_of, NOWHERE, sizeof slide->root_of);
    for (unsigned cell = slide->cells; cell-- > 0;) {
        if (slide->root_of[cell] != NOWHERE) {
            continue;
        }
        if (puzzle->root_count == ROOTS_MOST) {
            return false;
        }
        struct root *root = &puzzle->roots[puzzle->root_count];
        root->cell = cell;
        for (unsigned i = 0; i < slide->cells; i++) {
            root->question[i] = (uint8_t)i;
            slide->odd[puzzle->root_count][i] = (grid_distance(&puzzle->grid, i, cell) + i + cell) % 2 == 1;
        }
        for (unsigned s = 0; s < slide->symmetry_count; s++) {
            unsigned source = slide->symmetries[s].from[cell];
            if (slide->root_of[source] == NOWHERE) {
                slide->root_of[source] = (uint8_t)puzzle->root_count;
                slide->carrier[source] = slide->symmetries[s];
            }
        }
        puzzle->root_count++;
    }
    return true;
}

// What is left open when a pattern is not numbered takes at most 720 looks at states, on boards of up to nine cells; no
// more levels than that, and fewer on larger boards, where they would be too much work.
static bool add_patterns(struct puzzle *puzzle, struct root *root, struct fault *fault)
{
    enum { OPEN = 6 };
    const struct slide *slide = puzzle->slide;
    if (slide->cells <= OPEN + 1) {
        return true;
    }
    struct symmetry *kept = malloc(SYMMETRIES * sizeof *kept);
    unsigned count = 0;
    for (unsigned s = 0; s < slide->symmetry_count && kept; s++) {
        if (slide->symmetries[s].to[root->cell] == root->cell) {
            kept[count++] = slide->symmetries[s];
        }
    }
    return pattern_space_build(&root->patterns, slide->cells, slide->cells - OPEN - 1, kept, count, fault);
}

// ---- The whole ----------------------------------------------------------------------------------------------------

static bool add_moves(struct puzzle *puzzle, struct slide *slide)
{
    // In byte order of the names; each along an axis, forwards or backwards.
    static const struct {
        char name;
        unsigned axis;
        bool forwards;
    } NAMES[MOVES] = {{'a', 2, false}, {'b', 2, true}, {'d', 1, true},
                      {'l', 0, false}, {'r', 0, true}, {'u', 1, false}};
    puzzle->moves = calloc(MOVES, sizeof *puzzle->moves);
    if (!puzzle->moves) {
        return false;
    }
    for (unsigned m = 0; m < MOVES; m++) {
        unsigned axis = NAMES[m].axis;
        unsigned stride = axis == 0 ? 1 : axis == 1 ? slide->size[0] : slide->size[0] * slide->size[1];
        if (slide->size[axis] == 1) {
            continue;
        }
        for (unsigned cell = 0; cell < slide->cells; cell++) {
            unsigned place = cell / stride % slide->size[axis];
            bool stays = place == (NAMES[m].forwards ? slide->size[axis] - 1 : 0);
            slide->to[puzzle->move_count][cell] = (uint8_t)(stays               ? NOWHERE
                                                            : NAMES[m].forwards ? cell + stride
                                                                                : cell - stride);
        }
        puzzle->moves[puzzle->move_count++].name[0] = NAMES[m].name;
    }
    return true;
}

static bool add_segment(struct puzzle *puzzle, const struct slide *slide)
{
    puzzle->segments = calloc(1, sizeof *puzzle->segments);
    if (!puzzle->segments) {
        return false;
    }
    struct segment *segment = puzzle->segments;
    *segment = (struct segment){.kind = SEGMENT_ARRANGEMENT,
                                .length = slide->cells,
                                .symbols = slide->cells,
                                .blank = true,
                                .pieces = -1,
                                .count = arrangement_count(slide->cells, slide->cells)};
    memset(segment->amount, 1, slide->cells);
    puzzle->grid = (struct grid){slide->size[1], slide->size[0], slide->size[2], slide->cells};
    puzzle->segment_count = 1;
    puzzle->cell_count = slide->cells;
    puzzle->board_columns = slide->size[0];
    puzzle->typed_by_character = slide->cells <= 10;
    puzzle->arrangement_count = segment->count;
    puzzle->state_count = slide->cells * slide->half;
    puzzle->reversible = true;
    puzzle->answers_all = true;
    return true;
}

static void add_goals(struct puzzle *puzzle, const struct definition *definition)
{
    memcpy(puzzle->goals[0], definition->solved.piece, puzzle->cell_count);
    for (unsigned g = 0; g < definition->goal_count; g++) {
        memcpy(puzzle->goals[1 + g], definition->goals[g].piece, puzzle->cell_count);
    }
    puzzle->goal_count = 1 + definition->goal_count;
}

bool sliding_compile(struct puzzle *puzzle, const struct definition *definition, struct fault *fault)
{
    unsigned cells = definition->piece_count;
    if (cells > PATTERN_CELLS_MOST) {
        return fault_set(fault, FAULT_BOUND,
                         "line %u: a board of %u cells has too many states to tabulate: at most %d cells",
                         definition->sets[0].line, cells, PATTERN_CELLS_MOST);
    }
    struct slide *slide = calloc(1, sizeof *slide);
    puzzle->slide = slide;
    puzzle->family = &SLIDING_FAMILY;
    if (slide) {
        slide->cells = cells;
        slide->size[0] = definition->slide_columns;
        slide->size[1] = definition->slide_rows;
        slide->size[2] = definition->slide_layers;
        slide->half = (arrangement_count(cells - 1, cells - 1) + 1) / 2;
    }
    if (!slide || !add_segment(puzzle, slide) || !add_moves(puzzle, slide)) {
        return fault_set(fault, FAULT_SYSTEM, "not enough memory for the puzzle");
    }
    add_goals(puzzle, definition);
    find_symmetries(slide);
    if (!find_roots(puzzle, slide)) {
        return fault_set(fault, FAULT_BOUND, "line %u: the blank has more than %d kinds of places on this board",
                         definition->sets[0].line, ROOTS_MOST);
    }
    for (unsigned r = 0; r < puzzle->root_count; r++) {
        if (!add_patterns(puzzle, &puzzle->roots[r], fault)) {
            return false;
        }
    }
    return true;
}
