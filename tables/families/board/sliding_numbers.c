// Numbers the states of a sliding board: relative targets, and the neighbours of an index.
//
// A symmetry takes the blank of the start to one of the board's roots (board.h). Every tile is
// renamed after the cell where the start then has it. The same symmetry and the same names turn the
// target into the relative target: symbol v in cell i says that the tile that starts in cell v must
// go to cell i. The blank's symbol is the root's cell.
//
// The index is the number of the relative target in the board's chain (board_chain.h). On a line it
// is the point of the blank. On any other board it is half the rank of the row of points where the
// things are, the blank first: a move exchanges two of them, so the cell of the blank tells whether
// the row is even.
#include "sliding.h"

#include "board_chain.h"
#include "tables/algebra/rank.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct board_chain *board_of(const struct puzzle *puzzle, unsigned root)
{
    return &((const struct sliding *)puzzle->own)->boards[root];
}

// ---- Relative targets ---------------------------------------------------------------------------

// Is the row of images of a state odd if the blank is at point `blank`? Every move exchanges two
// images, and takes the blank to a cell of the other colour.
static bool is_odd_with(const struct puzzle *puzzle, const struct board_chain *board,
                        unsigned blank)
{
    const uint8_t *colour = puzzle->board->colour;
    return colour[board->cell_of[0]] != colour[board->cell_of[blank]];
}

// `image` tells at which point each thing is, or WILD. Does it agree with the only state of a line
// that has the blank at point `blank`?
static bool fits_line(const struct board_chain *board, unsigned blank, const uint8_t *image)
{
    for (unsigned thing = 0; thing < board->cells; thing++) {
        if (image[thing] != WILD && image[thing] != board->elements[blank][thing]) {
            return false;
        }
    }
    return true;
}

// The index of the state whose things are at the points image[0], image[1], …; INDEX_NONE if no
// moves lead there.
static uint64_t rank_images(const struct puzzle *puzzle, const struct board_chain *board,
                            const uint8_t *image)
{
    bool odd = false;
    if (board->is_line) {
        return fits_line(board, image[0], image) ? image[0] : INDEX_NONE;
    }
    uint64_t rank = arrangement_rank_odd(board->cells, image, &odd);
    return odd == is_odd_with(puzzle, board, image[0]) ? rank / 2 : INDEX_NONE;
}

// Fills in at which point each thing is in the state of an index. On a board that is no line, the
// index is half the rank of a row, whose parity follows from the blank. The first digit of the
// index is the blank's point, and equally many states share it.
static void unrank_images(const struct puzzle *puzzle, const struct board_chain *board,
                          uint64_t index, uint8_t *image)
{
    if (board->is_line) {
        for (unsigned thing = 0; thing < board->cells; thing++) {
            image[thing] = (uint8_t)board->elements[index][thing];
        }
        return;
    }
    unsigned blank = (unsigned)(index / (puzzle->numbering.state_count / board->cells));
    arrangement_unrank_half(board->cells, index, is_odd_with(puzzle, board, blank), image);
}

// Returns the index of a relative target. The tile that must go to a cell is a thing, and the
// cell's point is its image.
static uint64_t rank_state(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    const struct board_chain *board = board_of(puzzle, root);
    uint8_t image[BOARD_CELLS_MOST] = {0}; // by thing
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        image[board->point_of[relative[cell]]] = (uint8_t)board->point_of[cell];
    }
    return rank_images(puzzle, board, image);
}

static void unrank_state(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint8_t *relative)
{
    const struct board_chain *board = board_of(puzzle, root);
    uint8_t image[BOARD_CELLS_MOST] = {0};
    unrank_images(puzzle, board, index, image);
    for (unsigned thing = 0; thing < puzzle->cell_count; thing++) {
        relative[board->cell_of[image[thing]]] = board->cell_of[thing];
    }
}

// Fills in the relative target in which thing i is at point images[i]. Each thing is a point, so
// these are all images of the chain (numbering.h).
static void write_images(const struct puzzle *puzzle, unsigned root, const chain_point *images,
                         uint8_t *relative)
{
    const struct board_chain *board = board_of(puzzle, root);
    for (unsigned thing = 0; thing < puzzle->cell_count; thing++) {
        relative[board->cell_of[images[thing]]] = board->cell_of[thing];
    }
}

// The index after a step that takes each point x to step[x]. This is half the rank of the moved
// images (rank.h): the number without the two last digits of the Lehmer code, which only tell the
// parity.
static uint64_t rank_moved(const struct board_chain *board, const uint8_t *image,
                           const chain_point *step)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned thing = 0; thing + 2 < board->cells; thing++) {
        rank = rank * (board->cells - thing) + lehmer_digit(&code, step[image[thing]]);
    }
    return rank;
}

// Fills in the index after each move, or INDEX_NONE where the blank would leave the board.
static void find_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                            uint64_t *found)
{
    const struct board_chain *board = board_of(puzzle, root);
    uint8_t image[BOARD_CELLS_MOST] = {0};
    unrank_images(puzzle, board, index, image);
    const chain_point *const *steps = &board->steps[(size_t)image[0] * puzzle->move_count];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (!steps[m]) {
            found[m] = INDEX_NONE;
        } else if (board->is_line) {
            found[m] = steps[m][image[0]];
        } else {
            found[m] = rank_moved(board, image, steps[m]);
        }
    }
}

// ---- Matching indices ---------------------------------------------------------------------------

// A pass through the states that match a target, thing by thing.
struct matching_board {
    const struct puzzle *puzzle;
    const struct board_chain *board;
    uint8_t image[BOARD_CELLS_MOST]; // by thing; or WILD
    index_taker *take;
    void *context;
};

// Places `thing` and all things after it, in every way, and visits the index of each state. A thing
// that has an image stays there. The others go to the points of the bit mask `open`, which has as
// many bits as there are such things. `code` (rank.h) and `rank` are those of the things before.
// `sum` adds up the digits of the code. It must be even at the end, or the parity of the row is
// wrong. False if the visitor ended the pass.
static bool fill_things(const struct matching_board *matching, unsigned thing, unsigned open,
                        struct lehmer code, uint64_t rank, unsigned sum)
{
    unsigned cells = matching->board->cells;
    for (; thing < cells && matching->image[thing] != WILD; thing++) {
        unsigned digit = lehmer_digit(&code, matching->image[thing]);
        rank = rank * (cells - thing) + digit;
        sum += digit;
    }
    if (thing == cells) {
        // If the parity is wrong, there is no state to visit. Else there is a run of one index.
        return sum % 2 == 1 || matching->take(matching->context, rank / 2, 0, 1);
    }
    for (unsigned rest = open; rest != 0; rest &= rest - 1) { // the next point is its lowest bit
        struct lehmer next = code;
        unsigned digit = lehmer_digit(&next, (unsigned)__builtin_ctz(rest));
        if (!fill_things(matching, thing + 1, open & ~(rest & -rest), next,
                         rank * (cells - thing) + digit, sum + digit)) {
            return false;
        }
    }
    return true;
}

// Visits the matching states of a board that is no line: for each point of the blank, all ways to
// place the tiles. `open` has a bit for each point that no given thing has. The parity of a state's
// images is that of the sum of their digits, and fill_things wants an even sum. So where the images
// must be odd, the sum begins with 1.
static void visit_rows(struct matching_board *matching, unsigned open)
{
    unsigned given = matching->image[0];
    unsigned blanks = given == WILD ? open : 1u << given; // a bit for each point
    for (unsigned rest = blanks; rest != 0; rest &= rest - 1) {
        unsigned blank = (unsigned)__builtin_ctz(rest);
        unsigned sum = is_odd_with(matching->puzzle, matching->board, blank);
        matching->image[0] = (uint8_t)blank;
        if (!fill_things(matching, 0, open & ~(1u << blank), lehmer_start(), 0, sum)) {
            return;
        }
    }
}

// Visits the matching states of a line, which has a state for each point of the blank.
static void visit_line(const struct matching_board *matching)
{
    const struct board_chain *board = matching->board;
    for (unsigned blank = 0; blank < board->cells; blank++) {
        if (fits_line(board, blank, matching->image) &&
            !matching->take(matching->context, blank, 0, 1)) { // a run of one index
            return;
        }
    }
}

// Visits the indices of all states that match a relative target (numbering.h). Each cell that the
// target gives is the image of a thing. The points of the other cells are open.
static void visit_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                          index_taker *take, void *context)
{
    const struct board_chain *board = board_of(puzzle, root);
    struct matching_board matching = {
        .puzzle = puzzle, .board = board, .take = take, .context = context};
    unsigned open = 0;
    memset(matching.image, WILD, sizeof matching.image);
    for (unsigned cell = 0; cell < puzzle->cell_count; cell++) {
        if (relative[cell] == WILD) {
            open |= 1u << board->point_of[cell];
        } else {
            matching.image[board->point_of[relative[cell]]] = (uint8_t)board->point_of[cell];
        }
    }
    if (board->is_line) {
        visit_line(&matching);
    } else {
        visit_rows(&matching, open);
    }
}

// ---- Start and target ---------------------------------------------------------------------------

static bool answers_target(const struct puzzle *puzzle, const uint8_t *target)
{
    return !puzzle_has_wildcard(puzzle, target) &&
           puzzle->board->root_of[board_find_cell(target, 0)] != NOWHERE;
}

// Fills in the relative target: renames each tile of the target after the cell where the start has
// it, and applies the symmetry that takes the start's blank to a root. Returns the number of that
// root, or NOWHERE if the table does not have it.
static unsigned relabel(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                        uint8_t *relative)
{
    unsigned blank = board_find_cell(start, 0);
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

// Sets the error for a start and a target that the table of a large board can't answer. It names
// the cells where the blank must be. Returns false.
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

// Fills in the relative target and its root (puzzle_find_relative). If the table does not have the
// root of the start's blank, exchanges start and target, because the distance is the same both
// ways. The table of a large board has only the root of the goal's blank.
static bool find_relative(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          unsigned *root, uint8_t *relative, struct fewest_error *error)
{
    if (puzzle->board->root_of[board_find_cell(start, 0)] != NOWHERE) {
        *root = relabel(puzzle, start, target, relative);
        return true;
    }
    if (answers_target(puzzle, target)) {
        *root = relabel(puzzle, target, start, relative);
        return true;
    }
    return reject_blanks(puzzle, error);
}

// Undoes relabel.
static void restore_target(const struct puzzle *puzzle, const uint8_t *start,
                           const uint8_t *relative, uint8_t *target)
{
    const uint8_t *to = puzzle->board->to_root[board_find_cell(start, 0)].to;
    uint8_t tile_of[BOARD_CELLS_MOST]; // by symbol: the tile that it stands for
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        tile_of[to[i]] = start[i];
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        target[i] = tile_of[relative[to[i]]];
    }
}

// ---- The chains ---------------------------------------------------------------------------------

// puzzle_free frees the chains through sliding_free, also after a failure.
bool sliding_make_chains(struct puzzle *puzzle, struct fewest_error *error)
{
    struct numbering *numbering = &puzzle->numbering;
    struct sliding *sliding = calloc(1, sizeof *sliding);
    puzzle->own = sliding;
    if (!sliding) {
        return error_no_memory(error, "for the puzzle");
    }
    assert(puzzle->cell_count <= RANK_LONGEST); // the number of states is limited
    for (unsigned r = 0; r < numbering->root_count; r++) {
        struct board_chain *board = &sliding->boards[r];
        if (!board_chain_make(board, puzzle->board, puzzle->move_count, numbering->roots[r].cell,
                              NULL, false)) {
            return error_no_memory(error, "for the puzzle");
        }
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
        board_chain_free(&sliding->boards[r]);
    }
    free(sliding);
}

// Every move is undone by another, so the predecessors of a state are its neighbours.
const struct numbering_functions SLIDING_NUMBERING = {
    .rank = rank_state,
    .unrank = unrank_state,
    .neighbours = find_neighbours,
    .predecessors = find_neighbours,
    .write_images = write_images,
    .find_relative = find_relative,
    .restore_target = restore_target,
    .answers_target = answers_target,
    .visit_indices = visit_indices,
};
