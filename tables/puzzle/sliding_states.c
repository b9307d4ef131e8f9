// Numbers the states of a sliding board: relative targets, and the neighbours of an index.
//
// A symmetry takes the blank of the start to one of the board's roots (board.h). Every tile is
// renamed after the cell where the start then has it. The same symmetry and the same names turn the
// target into the relative target: symbol v in cell i says that the tile that starts in cell v must
// go to cell i. The blank's symbol is the root's cell.
//
// The index of a relative target is (cell of the blank) × half + rank / 2. The rank is that of the
// tiles' cells, in the order of the symbols. The cells are counted without the blank's. A move
// of the blank exchanges two symbols, so the permutation is even exactly if the blank is an even
// number of moves from the root. That decides the parity of the tiles, so two arrangements that
// differ only in the last two tiles share an index.
//
// A move changes the cell of one tile, and so the numbers of the cells in between. It maps old
// numbers to new ones in the same way for every arrangement of the tiles. (gen/pages.h relies on
// that.)
#include "puzzle/sliding.h"

#include "index/rank.h"
#include "puzzle/board.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// ---- Relative targets ---------------------------------------------------------------------------

// The number of indices that share the blank's cell.
static uint64_t count_half(const struct puzzle *puzzle)
{
    assert(puzzle->cell_count > 0);
    return puzzle->numbering.state_count / puzzle->cell_count;
}

// Are the tiles an odd permutation if the blank is in cell `blank`? The colours give the parity of
// the permutation with the blank. Taking the blank out removes its inversions. Their number has the
// parity of root_cell + blank.
static bool is_odd_with(const struct puzzle *puzzle, unsigned root_cell, unsigned blank)
{
    const uint8_t *colour = puzzle->board->colour;
    return (colour[root_cell] + colour[blank] + root_cell + blank) % 2 == 1;
}

static uint64_t rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    unsigned root_cell = puzzle->numbering.roots[root].cell;
    unsigned blank = board_find(relative, root_cell);
    uint8_t place[BOARD_CELLS_MOST] = {0}; // by symbol
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    unsigned inversions = 0; // the digits of a Lehmer code add up to their number
    unsigned left = puzzle->cell_count - 1;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        place[relative[i]] = (uint8_t)(i - (i > blank));
    }
    for (unsigned symbol = 0; symbol < puzzle->cell_count; symbol++) {
        if (symbol != root_cell) {
            unsigned digit = lehmer_digit(&code, place[symbol]);
            rank = rank * left-- + digit;
            inversions += digit;
        }
    }
    if ((inversions % 2 == 1) != is_odd_with(puzzle, root_cell, blank)) {
        return INDEX_NONE;
    }
    return blank * count_half(puzzle) + rank / 2;
}

// Fills in the cells of the tiles, in the order of the symbols. Returns the blank's.
static unsigned unrank_tiles(const struct puzzle *puzzle, unsigned root, uint64_t index,
                             uint8_t cells[BOARD_CELLS_MOST])
{
    uint64_t half = count_half(puzzle);
    unsigned blank = (unsigned)(index / half);
    unsigned tiles = puzzle->cell_count - 1;
    arrangement_unrank(tiles, tiles, index % half * 2, cells);
    if (arrangement_is_odd(tiles, cells) !=
            is_odd_with(puzzle, puzzle->numbering.roots[root].cell, blank) &&
        tiles >= 2) {
        uint8_t last = cells[tiles - 1];
        cells[tiles - 1] = cells[tiles - 2];
        cells[tiles - 2] = last;
    }
    for (unsigned tile = 0; tile < tiles; tile++) {
        cells[tile] = (uint8_t)(cells[tile] + (cells[tile] >= blank));
    }
    return blank;
}

static void unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative)
{
    unsigned root_cell = puzzle->numbering.roots[root].cell;
    uint8_t cells[BOARD_CELLS_MOST];
    relative[unrank_tiles(puzzle, root, index, cells)] = (uint8_t)root_cell;
    for (unsigned tile = 0; tile + 1 < puzzle->cell_count; tile++) {
        relative[cells[tile]] = (uint8_t)(tile + (tile >= root_cell));
    }
}

static void neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *found)
{
    uint64_t half = count_half(puzzle);
    unsigned tiles = puzzle->cell_count - 1;
    uint8_t cells[BOARD_CELLS_MOST];
    unsigned blank = unrank_tiles(puzzle, root, index, cells);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        unsigned to = puzzle->board->to[m][blank];
        struct lehmer code = lehmer_start();
        uint64_t rank = 0;
        found[m] = INDEX_NONE;
        if (to == NOWHERE) {
            continue;
        }
        for (unsigned tile = 0; tile < tiles; tile++) {
            unsigned cell = cells[tile] == to ? blank : cells[tile];
            rank = rank * (tiles - tile) + lehmer_digit(&code, cell - (cell > to));
        }
        found[m] = to * half + rank / 2;
    }
}

// ---- Matching indices ---------------------------------------------------------------------------

// A pass through the states that match a target, symbol by symbol, with the blank in one cell.
struct filling {
    uint8_t place[BOARD_CELLS_MOST]; // of each tile, in the order of the symbols; or WILD
    unsigned tiles;
    bool odd;       // the permutation of the tiles
    uint64_t first; // index with this cell of the blank
    index_visitor *visit;
    void *context;
};

// `open` has a bit for each place that is left for a wildcard. False if the visitor ends the pass.
static bool fill_tiles(const struct filling *filling, unsigned tile, unsigned open,
                       struct lehmer code, uint64_t rank, unsigned inversions)
{
    for (; tile < filling->tiles && filling->place[tile] != WILD; tile++) {
        unsigned digit = lehmer_digit(&code, filling->place[tile]);
        rank = rank * (filling->tiles - tile) + digit;
        inversions += digit;
    }
    if (tile == filling->tiles) {
        return inversions % 2 != filling->odd ||
               filling->visit(filling->context, filling->first + rank / 2, 0, 1);
    }
    for (unsigned rest = open; rest != 0; rest &= rest - 1) {
        struct lehmer next = code;
        unsigned digit = lehmer_digit(&next, (unsigned)__builtin_ctz(rest));
        if (!fill_tiles(filling, tile + 1, open & ~(rest & -rest), next,
                        rank * (filling->tiles - tile) + digit, inversions + digit)) {
            return false;
        }
    }
    return true;
}

static bool fill_board(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                       unsigned blank, struct filling *filling)
{
    unsigned root_cell = puzzle->numbering.roots[root].cell;
    unsigned open = 0;
    assert(blank < puzzle->cell_count);
    memset(filling->place, WILD, sizeof filling->place);
    for (unsigned place = 0; place + 1 < puzzle->cell_count; place++) {
        unsigned cell = place + (place >= blank);
        if (relative[cell] == WILD) {
            open |= 1u << place;
        } else {
            filling->place[relative[cell] - (relative[cell] > root_cell)] = (uint8_t)place;
        }
    }
    filling->odd = is_odd_with(puzzle, root_cell, blank);
    filling->first = blank * count_half(puzzle);
    return fill_tiles(filling, 0, open, lehmer_start(), 0, 0);
}

static void visit_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                          index_visitor *visit, void *context)
{
    struct filling filling = {.tiles = puzzle->cell_count - 1, .visit = visit, .context = context};
    unsigned root_cell = puzzle->numbering.roots[root].cell;
    const uint8_t *given = memchr(relative, (int)root_cell, puzzle->cell_count);
    if (given) {
        fill_board(puzzle, root, relative, (unsigned)(given - relative), &filling);
        return;
    }
    for (unsigned blank = 0; blank < puzzle->cell_count; blank++) {
        if (relative[blank] == WILD && !fill_board(puzzle, root, relative, blank, &filling)) {
            return;
        }
    }
}

// ---- Start and target ---------------------------------------------------------------------------

static bool answers_target(const struct puzzle *puzzle, const uint8_t *target)
{
    return !puzzle_has_wildcard(puzzle, target) &&
           puzzle->board->root_of[board_find(target, 0)] != NOWHERE;
}

// Fills in the relative target of a start and a target. Returns the number of its root.
static unsigned relabel(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                        uint8_t *relative)
{
    unsigned blank = board_find(start, 0);
    const uint8_t *to = puzzle->board->to_root[blank].to;
    uint8_t cell_of[BOARD_CELLS_MOST]; // by tile: its cell in the start, after the symmetry
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        cell_of[start[i]] = to[i];
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        relative[to[i]] = target[i] == WILD ? WILD : cell_of[target[i]];
    }
    return puzzle->board->root_of[blank];
}

// Reports the cells where the table of a large board needs a blank.
static bool reject_blanks(const struct puzzle *puzzle, struct fewest_error *error)
{
    char cells[4 * BOARD_CELLS_MOST] = "";
    size_t used = 0;
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        if (puzzle->board->root_of[cell] != NOWHERE) {
            used += (size_t)snprintf(cells + used, sizeof cells - used, "%s%u",
                                     used > 0 ? ", " : "", cell + 1);
        }
    }
    return error_set(error, FEWEST_BEYOND,
                     "the table of %s needs the blank of START, or of a TARGET without wildcards, "
                     "in one of these "
                     "cells: %s",
                     puzzle->name, cells);
}

// The distance from target to start is the distance from start to target. So it is enough if one of
// them has its blank in a cell whose root the table has. A large board's table has only the goal's.
static bool relate(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                   unsigned *root, uint8_t *relative, struct fewest_error *error)
{
    if (puzzle->board->root_of[board_find(start, 0)] != NOWHERE) {
        *root = relabel(puzzle, start, target, relative);
        return true;
    }
    if (answers_target(puzzle, target)) {
        *root = relabel(puzzle, target, start, relative);
        return true;
    }
    return reject_blanks(puzzle, error);
}

static void unrelate(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *relative,
                     uint8_t *target)
{
    const uint8_t *to = puzzle->board->to_root[board_find(start, 0)].to;
    uint8_t tile_of[BOARD_CELLS_MOST]; // by symbol: the tile that it stands for
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        tile_of[to[i]] = start[i];
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        target[i] = tile_of[relative[to[i]]];
    }
}

// ---- Points -------------------------------------------------------------------------------------

// The points are the cells of the tiles, counted without the blank's. The last two tiles are left
// out, because they follow from the parity.
static bool find_points(const struct puzzle *puzzle, struct point_row *row)
{
    unsigned tiles = puzzle->cell_count - 1;
    *row = (struct point_row){
        .outer = puzzle->cell_count, .points = tiles, .length = tiles - 2, .turns = 1};
    return tiles > 4;
}

static unsigned move_points(const struct puzzle *puzzle, unsigned blank, unsigned move,
                            struct point_move *moved)
{
    unsigned to = puzzle->board->to[move][blank];
    if (to == NOWHERE) {
        return OUTER_NONE;
    }
    for (unsigned point = 0; point + 1 < puzzle->cell_count; point++) {
        unsigned cell = point + (point >= blank);
        cell = cell == to ? blank : cell;
        moved[point] = (struct point_move){.point = (uint8_t)(cell - (cell > to))};
    }
    return to;
}

// Every move is undone by another, so the predecessors of a state are its neighbours.
const struct numbering_functions SLIDING_NUMBERING = {
    .rank = rank,
    .unrank = unrank,
    .neighbours = neighbours,
    .predecessors = neighbours,
    .relate = relate,
    .unrelate = unrelate,
    .answers_target = answers_target,
    .visit_indices = visit_indices,
    .find_points = find_points,
    .move_points = move_points,
};
