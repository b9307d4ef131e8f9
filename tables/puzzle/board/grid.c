// Reads boards of any size, and decides by parity which arrangements can be reached.
#include "grid.h"

#include "tables/base/ascii.h"
#include "tables/puzzle/signs.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads two or three sizes with an `x` between them, such as 4x4. Leaves size[2] as it is if there
// are two. A size above GRID_CELLS_MOST becomes GRID_CELLS_MOST + 1, so that products of two fit 64
// bits. False if the text has another form.
static bool read_sizes(const char *text, uint64_t size[3])
{
    for (unsigned axis = 0; axis < 3; axis++) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0) {
            return false;
        }
        if (ascii_read_number(text, digits, &size[axis]) == 0 || size[axis] > GRID_CELLS_MOST) {
            size[axis] = GRID_CELLS_MOST + 1;
        }
        text += digits;
        if (*text == '\0') {
            return axis > 0;
        }
        if (*text != 'x' && *text != 'X') {
            return false;
        }
        text++;
    }
    return false;
}

// A product of three sizes is made only if the first two fit.
bool grid_read(const char *text, struct grid *grid, struct fewest_error *error)
{
    char shown[32];
    uint64_t size[3] = {1, 1, 1};
    if (!read_sizes(text, size)) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "expected a grid, ROWSxCOLUMNS or ROWSxCOLUMNSxLAYERS, got '%s'",
                         escape_text(shown, sizeof shown, text, strlen(text)));
    }
    uint64_t cells = size[0] * size[1];
    if (cells <= GRID_CELLS_MOST) { // else it is too large already, and the product may not fit
        cells *= size[2];
    }
    if (cells < 1 || cells > GRID_CELLS_MOST) {
        return error_set(error, FEWEST_BAD_INPUT, "expected a grid of 1 to %d cells, got '%s'",
                         GRID_CELLS_MOST, escape_text(shown, sizeof shown, text, strlen(text)));
    }
    *grid =
        (struct grid){{(uint32_t)size[1], (uint32_t)size[0], (uint32_t)size[2]}, (uint32_t)cells};
    return true;
}

// Reads one cell from the text next … stop-1, which is not empty: `*`, a blank, or a number below
// grid->cells. Returns its end, or NULL if it is not valid. If all numbers have one digit, so has
// the cell, and the next one may follow without a separator.
static const char *read_grid_cell(const struct grid *grid, const char *next, const char *stop,
                                  uint32_t *cell)
{
    if (*next == '*') {
        *cell = GRID_WILD;
        return next + 1;
    }
    if (*next != '0' && ascii_is_blank(*next)) { // a number may begin with 0
        *cell = 0;
        return next + 1;
    }
    bool one_digit = grid->cells <= 10;
    uint64_t number;
    size_t digits = ascii_read_number(next, one_digit ? 1 : (size_t)(stop - next), &number);
    if (digits == 0 || number >= grid->cells) {
        return NULL;
    }
    *cell = (uint32_t)number;
    return next + digits;
}

// Sets the error for a cell that is not valid: the word at `text`, after `count` cells. Returns
// false.
static bool refuse_cell(const struct grid *grid, const struct grid_text *typed, const char *text,
                        uint32_t count, struct fewest_error *error)
{
    const char *stop = typed->text + typed->length;
    bool is_after_start = count >= grid->cells; // then it is a cell of the target
    bool may_be_wild = typed->wild || is_after_start;
    char shown[32];
    size_t length = 0;
    while (text + length < stop && !ascii_is_separator(text[length]) &&
           !ascii_is_bracket(text[length])) {
        length++;
    }
    return error_set(
        error, FEWEST_BAD_INPUT, "%s: cell %u: expected a number from 0 to %u%s, got '%s'",
        is_after_start ? "TARGET" : typed->what, count % grid->cells + 1, grid->cells - 1,
        may_be_wild ? " or '*'" : "", escape_text(shown, sizeof shown, text, length));
}

bool grid_skip_size(const struct grid *grid, struct grid_text *typed)
{
    const unsigned size[AXES] = {grid->size[1], grid->size[0], grid->size[2]};
    const char *end = typed->text + typed->length;
    struct signs signs;
    signs_begin(&signs);
    const char *rest = signs_skip_size(&signs, typed->text, end, size);
    if (!rest) {
        return false;
    }
    typed->text = rest;
    typed->length = (size_t)(end - rest);
    return true;
}

// A cell beyond `room` is read and counted, but not stored.
bool grid_read_cells(const struct grid *grid, const struct grid_text *typed, uint32_t *cells,
                     uint32_t room, uint32_t *count, struct fewest_error *error)
{
    assert(grid->cells > 0);
    const char *text = typed->text;
    const char *stop = text + typed->length;
    struct signs signs;
    signs_begin(&signs);
    for (*count = 0;; ++*count) {
        uint32_t cell;
        text = signs_skip(&signs, typed->text, text, stop);
        if (text == stop) {
            return true;
        }
        const char *end = read_grid_cell(grid, text, stop, &cell);
        if (!end) {
            return refuse_cell(grid, typed, text, *count, error);
        }
        if (*count < room) {
            cells[*count] = cell;
        }
        text = end;
    }
}

// As many numbers as cells, each below their number and none twice, are all numbers.
bool grid_check(const struct grid *grid, const uint32_t *cells, const char *what, bool wild,
                struct fewest_error *error)
{
    bool *seen = calloc(grid->cells, sizeof *seen); // by number
    bool is_state = true;
    if (!seen) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the board");
    }
    for (uint32_t i = 0; i < grid->cells && is_state; i++) {
        if (cells[i] != GRID_WILD) {
            assert(cells[i] < grid->cells);
            if (seen[cells[i]]) {
                is_state =
                    error_set(error, FEWEST_BAD_INPUT, "%s: %u appears twice", what, cells[i]);
            }
            seen[cells[i]] = true;
        } else if (!wild) {
            is_state =
                error_set(error, FEWEST_BAD_INPUT,
                          "%s: cell %u is a wildcard; only TARGET may have wildcards", what, i + 1);
        }
    }
    free(seen);
    return is_state;
}

// ---- A line of cells ----------------------------------------------------------------------------

// Does a cell of the target allow this number?
static bool allows_number(uint32_t target_cell, uint32_t number)
{
    return target_cell == GRID_WILD || target_cell == number;
}

// Can the blank be in some cell of a line, so that the target allows all tiles in the order of the
// start? Then tile i is in cell i if that is before the blank, and else in cell i+1. `tiles` has
// the cells-1 tiles of the start, in their order.
static bool allows_order(uint32_t cells, const uint32_t *tiles, const uint32_t *target)
{
    uint32_t after = cells; // cells after … cells-1 allow their tiles if the blank is before them
    while (after > 1 && allows_number(target[after - 1], tiles[after - 2])) {
        after--;
    }
    // The cells before `blank` allow their tiles, or the loop has ended.
    for (uint32_t blank = 0; blank < cells; blank++) {
        if (blank + 1 >= after && allows_number(target[blank], 0)) {
            return true;
        }
        if (blank + 1 < cells && !allows_number(target[blank], tiles[blank])) {
            return false;
        }
    }
    return false;
}

// grid_parity for a line.
static bool decide_line(const struct grid *grid, const uint32_t *start, const uint32_t *target,
                        bool *reachable, char *reason, struct fewest_error *error)
{
    uint32_t *tiles = calloc(grid->cells, sizeof *tiles); // of the start, in their order
    uint32_t count = 0;
    if (!tiles) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the board");
    }
    for (uint32_t i = 0; i < grid->cells; i++) {
        if (start[i] != 0) {
            tiles[count++] = start[i];
        }
    }
    *reachable = allows_order(grid->cells, tiles, target);
    snprintf(reason, GRID_REASON,
             "on a line the order of the tiles never changes, and START and TARGET have %s",
             *reachable ? "the same order" : "different orders");
    free(tiles);
    return true;
}

// ---- Any other board ----------------------------------------------------------------------------

uint32_t grid_distance(const struct grid *grid, uint32_t a, uint32_t b)
{
    uint32_t distance = 0;
    for (unsigned axis = 0; axis < AXES; axis++) {
        uint32_t from = a % grid->size[axis];
        uint32_t to = b % grid->size[axis];
        distance += from > to ? from - to : to - from;
        a /= grid->size[axis];
        b /= grid->size[axis];
    }
    return distance;
}

// A query about a board that is not a line: the target with its wildcards filled in some way, and
// the cells of the pieces.
struct parity_query {
    const struct grid *grid;
    uint32_t *cell_of; // by number: its cell in the start
    uint32_t *filled;  // the target with its wildcards filled, if it has at most two
    bool *seen;        // by number: is it in the target? Later by cell: is it visited?
    uint32_t wild_count;
    uint32_t wild[2]; // the cells of the first two wildcards
    // The two least numbers that the target does not give, in rising order. 0 is the blank.
    uint32_t missing[2];
};

// Fills in the query, whose arrays have room for a board. `seen` is all false. The first wildcard
// gets the least missing number, and the second one the other.
static void fill_query(struct parity_query *query, const uint32_t *start, const uint32_t *target)
{
    uint32_t cells = query->grid->cells;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < cells; i++) {
        query->cell_of[start[i]] = i;
        query->filled[i] = target[i];
        if (target[i] != GRID_WILD) {
            query->seen[target[i]] = true;
            continue;
        }
        if (query->wild_count < 2) {
            query->wild[query->wild_count] = i;
        }
        query->wild_count++;
    }
    for (uint32_t number = 0; number < cells && missing < 2; number++) {
        if (!query->seen[number]) {
            query->missing[missing++] = number;
        }
    }
    for (uint32_t w = 0; w < query->wild_count && w < 2; w++) {
        query->filled[query->wild[w]] = query->missing[w];
    }
}

// Sets *odd: is the permutation from the start to the filled target odd? A permutation of n cells
// that has c cycles is odd if n - c is. Sets *odd_distance: is the blank an odd number of moves
// from its cell in the filled target? Overwrites query->seen.
static void find_permutation_parity(struct parity_query *query, bool *odd, bool *odd_distance)
{
    uint32_t cells = query->grid->cells;
    uint32_t cycles = 0;
    memset(query->seen, 0, cells * sizeof *query->seen);
    for (uint32_t i = 0; i < cells; i++) {
        if (query->filled[i] == 0) {
            *odd_distance = grid_distance(query->grid, query->cell_of[0], i) % 2 == 1;
        }
        if (query->seen[i]) {
            continue;
        }
        cycles++;
        for (uint32_t cell = i; !query->seen[cell]; cell = query->cell_of[query->filled[cell]]) {
            query->seen[cell] = true;
        }
    }
    *odd = (cells - cycles) % 2 == 1;
}

static void write_both_parities(const struct parity_query *query, char *reason)
{
    snprintf(reason, GRID_REASON, "with %u wildcards either parity is possible", query->wild_count);
}

// grid_parity for a board that is no line, whose query is filled in. If the target has more than
// two wildcards, two of them can be filled with tiles either way round, so some way has the parity
// that the moves need.
static void decide_parity(struct parity_query *query, bool *reachable, char *reason)
{
    const struct grid *grid = query->grid;
    bool odd = false;
    bool odd_distance = false;
    if (query->wild_count > 2) {
        *reachable = true;
        write_both_parities(query, reason);
        return;
    }
    find_permutation_parity(query, &odd, &odd_distance);
    *reachable = odd == odd_distance;
    if (query->wild_count == 2) {
        // If two wildcards are filled the other way round, the parity of the permutation changes.
        // This does not help if the parity of the blank's distance changes, too. That happens if
        // the blank fills one of the two cells and they differ in colour.
        bool blank_is_missing = query->missing[0] == 0;
        bool same_colour = grid_distance(grid, query->wild[0], query->wild[1]) % 2 == 0;
        if (!blank_is_missing || same_colour) {
            *reachable = true;
            write_both_parities(query, reason);
            return;
        }
        // Both ways to fill them give the same answer.
        snprintf(reason, GRID_REASON,
                 "however the 2 wildcards are filled, the permutation of the cells and the number "
                 "of the blank's moves have %s",
                 *reachable ? "the same parity" : "different parities");
        return;
    }
    snprintf(reason, GRID_REASON,
             "the permutation of the cells is %s, and the blank is an %s number of moves from its "
             "target",
             odd ? "odd" : "even", odd_distance ? "odd" : "even");
}

// A board is a line if at least two of its three sizes are 1.
bool grid_is_line(const struct grid *grid)
{
    int ones = (grid->size[0] == 1) + (grid->size[1] == 1) + (grid->size[2] == 1);
    return ones >= 2;
}

// Boards that are no line need three arrays, one entry for each cell.
bool grid_parity(const struct grid *grid, const uint32_t *start, const uint32_t *target,
                 bool *reachable, char reason[GRID_REASON], struct fewest_error *error)
{
    if (grid_is_line(grid)) {
        return decide_line(grid, start, target, reachable, reason, error);
    }
    struct parity_query query = {
        .grid = grid,
        .cell_of = malloc(grid->cells * sizeof *query.cell_of),
        .filled = malloc(grid->cells * sizeof *query.filled),
        .seen = calloc(grid->cells, sizeof *query.seen),
    };
    bool done = query.cell_of && query.filled && query.seen;
    if (done) {
        fill_query(&query, start, target);
        decide_parity(&query, reachable, reason);
    } else {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the board");
    }
    free(query.cell_of);
    free(query.filled);
    free(query.seen);
    return done;
}
