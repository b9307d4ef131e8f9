// Numbers the states of a sliding board: relative targets, and the neighbours of an index.
//
// A symmetry takes the blank of the start to one of the board's roots (board.h). Every tile is
// renamed after the cell where the start then has it. The same symmetry and the same names turn the
// target into the relative target: symbol v in cell i says that the tile that starts in cell v must
// go to cell i. The blank's symbol is the root's cell.
//
// So a relative target is an arrangement of the board's chain (board_chain.h), and the index is its
// number there.
#include "puzzle/sliding.h"

#include "puzzle/board_chain.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The board and the chain of each root.
struct sliding {
    struct board_chain boards[ROOTS_MOST];
    struct chain chains[ROOTS_MOST];
};

static const struct board_chain *board_of(const struct puzzle *puzzle, unsigned root)
{
    return &((const struct sliding *)puzzle->own)->boards[root];
}

// ---- Relative targets ---------------------------------------------------------------------------

static uint64_t rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    const struct board_chain *board = board_of(puzzle, root);
    chain_point images[BOARD_CELLS_MOST] = {0};
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        images[board->point_of[relative[cell]]] = board->point_of[cell];
    }
    return chain_rank_images(puzzle->numbering.roots[root].chain, images);
}

static void unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative)
{
    const struct board_chain *board = board_of(puzzle, root);
    chain_point element[BOARD_CELLS_MOST];
    chain_unrank_element(puzzle->numbering.roots[root].chain, index, element);
    for (unsigned point = 0; point < puzzle->cell_count; point++) {
        relative[board->cell_of[element[point]]] = board->cell_of[point];
    }
}

static void neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *found)
{
    const struct chain *chain = puzzle->numbering.roots[root].chain;
    chain_point element[BOARD_CELLS_MOST];
    chain_unrank_element(chain, index, element);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        const chain_point *step = chain->plan->steps[element[0] * puzzle->move_count + m];
        chain_point images[BOARD_CELLS_MOST];
        for (unsigned point = 0; point < puzzle->cell_count && step; point++) {
            images[point] = step[element[point]];
        }
        found[m] = step ? chain_rank_images(chain, images) : INDEX_NONE;
    }
}

// ---- Matching indices ---------------------------------------------------------------------------

// A pass through the states that match a target, digit by digit.
struct filling {
    const struct chain *chain;
    unsigned digit_count; // up to the last that has several values
    index_visitor *visit;
    void *context;
};

// A state while it is filled: where its tiles are, divided by the elements of the chosen digits.
struct filled {
    chain_point image[BOARD_CELLS_MOST]; // by thing; CHAIN_NONE: a wildcard's place
    unsigned open;                       // places of wildcards, a bit each
    uint64_t rank;
};

static bool fill_digits(const struct filling *filling, unsigned d, const struct filled *filled);

// Gives the thing of a digit this image.
static bool fill_digit(const struct filling *filling, unsigned d, const struct filled *filled,
                       chain_point image)
{
    const struct chain *chain = filling->chain;
    const struct chain_digit *digit = &chain->digits[d];
    uint64_t number = chain_number(digit, &image);
    struct filled next = {.open = 0};
    chain_point room[2 * BOARD_CELLS_MOST];
    if (number == UINT64_MAX) {
        return true;
    }
    const chain_point *back = chain_row(chain, d, number, room) + chain->plan->degree;
    next.rank = filled->rank * digit->length + number;
    for (unsigned later = d + 1; later < chain->digit_count; later++) {
        chain_point given = filled->image[later];
        next.image[later] = given == CHAIN_NONE ? CHAIN_NONE : back[given];
    }
    for (unsigned rest = filled->open & ~(1u << image); rest != 0; rest &= rest - 1) {
        next.open |= 1u << back[__builtin_ctz(rest)];
    }
    return fill_digits(filling, d + 1, &next);
}

// False if the visitor ends the pass.
static bool fill_digits(const struct filling *filling, unsigned d, const struct filled *filled)
{
    if (d == filling->digit_count) { // only the identity is left
        for (; d < filling->chain->digit_count; d++) {
            if (filled->image[d] != CHAIN_NONE && filled->image[d] != d) {
                return true;
            }
        }
        return filling->visit(filling->context, filled->rank, 0, 1);
    }
    if (filled->image[d] != CHAIN_NONE) {
        return fill_digit(filling, d, filled, filled->image[d]);
    }
    for (unsigned rest = filled->open; rest != 0; rest &= rest - 1) {
        if (!fill_digit(filling, d, filled, (chain_point)__builtin_ctz(rest))) {
            return false;
        }
    }
    return true;
}

static void visit_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                          index_visitor *visit, void *context)
{
    const struct board_chain *board = board_of(puzzle, root);
    const struct chain *chain = puzzle->numbering.roots[root].chain;
    struct filling filling = {
        .chain = chain, .digit_count = chain->digit_count, .visit = visit, .context = context};
    struct filled filled = {.open = 0};
    while (filling.digit_count > 0 && chain->digits[filling.digit_count - 1].length == 1) {
        filling.digit_count--;
    }
    memset(filled.image, 0xFF, sizeof filled.image);
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        if (relative[cell] == WILD) {
            filled.open |= 1u << board->point_of[cell];
        } else {
            filled.image[board->point_of[relative[cell]]] = board->point_of[cell];
        }
    }
    fill_digits(&filling, 0, &filled);
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

// ---- The chains ---------------------------------------------------------------------------------

bool sliding_make_chains(struct puzzle *puzzle, struct fewest_error *error)
{
    struct numbering *numbering = &puzzle->numbering;
    struct sliding *sliding = calloc(1, sizeof *sliding);
    puzzle->own = sliding;
    if (!sliding) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the puzzle");
    }
    for (unsigned r = 0; r < numbering->root_count; r++) {
        struct board_chain *board = &sliding->boards[r];
        board_chain_make(board, puzzle->board, puzzle->cell_count, puzzle->move_count,
                         numbering->roots[r].cell);
        if (!chain_make(&sliding->chains[r], &board->plan, error) ||
            !chain_finish(&sliding->chains[r], error)) {
            return false;
        }
        assert(sliding->chains[r].count == numbering->state_count);
        numbering->roots[r].chain = &sliding->chains[r];
    }
    return true;
}

void sliding_free(void *own)
{
    struct sliding *sliding = own;
    for (unsigned r = 0; r < ROOTS_MOST; r++) {
        chain_free(&sliding->chains[r]);
    }
    free(sliding);
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
};
