// Reads boards of any size, and decides by parity which arrangements can be reached.
#include "grid.h"

#include "tables/base/ascii.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads two or three sizes with an `x` between them. A size above GRID_CELLS_MOST becomes
// GRID_CELLS_MOST + 1.
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

bool grid_read(const char *text, struct grid *grid, struct fewest_error *error)
{
    char shown[32];
    uint64_t size[3] = {1, 1, 1};
    if (!read_sizes(text, size)) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "expected a grid, ROWSxCOLUMNS or ROWSxCOLUMNSxLAYERS, got '%s'",
                         escape_text(shown, sizeof shown, text, strlen(text)));
    }
    uint64_t cells =
        size[0] * size[1] <= GRID_CELLS_MOST ? size[0] * size[1] * size[2] : GRID_CELLS_MOST + 1;
    if (cells < 1 || cells > GRID_CELLS_MOST) {
        return error_set(error, FEWEST_BAD_INPUT, "expected a grid of 1 to %d cells, got '%s'",
                         GRID_CELLS_MOST, escape_text(shown, sizeof shown, text, strlen(text)));
    }
    *grid = (struct grid){(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2], (uint32_t)cells};
    return true;
}

// Reads one cell from `next`, up to `stop` at most. Returns its end, or NULL if it is not valid.
static const char *read_grid_cell(const struct grid *grid, const char *next, const char *stop,
                                  uint32_t *cell)
{
    if (*next == '*' || *next == 'x' || *next == 'X' || *next == '_') {
        *cell = *next == '*' ? GRID_WILD : 0;
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

bool grid_read_cells(const struct grid *grid, const struct grid_text *typed, uint32_t *cells,
                     uint32_t room, uint32_t *count, struct fewest_error *error)
{
    assert(grid->cells > 0);
    const char *text = typed->text;
    const char *stop = text + typed->length;
    for (*count = 0;; ++*count) {
        uint32_t cell;
        while (text < stop && ascii_is_separator(*text)) {
            text++;
        }
        if (text == stop) {
            return true;
        }
        const char *end = read_grid_cell(grid, text, stop, &cell);
        if (!end) {
            char shown[32];
            size_t word = 0;
            while (text + word < stop && !ascii_is_separator(text[word])) {
                word++;
            }
            bool in_target = typed->wild || *count >= grid->cells;
            return error_set(error, FEWEST_BAD_INPUT,
                             "%s: cell %u: expected a number from 0 to %u%s, got '%s'",
                             *count < grid->cells ? typed->what : "TARGET",
                             *count % grid->cells + 1, grid->cells - 1, in_target ? " or '*'" : "",
                             escape_text(shown, sizeof shown, text, word));
        }
        if (*count < room) {
            cells[*count] = cell;
        }
        text = end;
    }
}

bool grid_check(const struct grid *grid, const uint32_t *cells, const char *what, bool wild,
                struct fewest_error *error)
{
    bool *seen = calloc(grid->cells, sizeof *seen);
    bool good = seen || error_set(error, FEWEST_SYSTEM, "not enough memory for the board");
    for (uint32_t i = 0; i < grid->cells && good; i++) {
        if (cells[i] == GRID_WILD) {
            good = wild || error_set(error, FEWEST_BAD_INPUT,
                                     "%s: cell %u is a wildcard; only TARGET may have wildcards",
                                     what, i + 1);
        } else if (seen[cells[i]]) {
            good = error_set(error, FEWEST_BAD_INPUT, "%s: %u appears twice", what, cells[i]);
        } else {
            seen[cells[i]] = true;
        }
    }
    free(seen);
    return good;
}

// ---- A line of cells ----------------------------------------------------------------------------

static bool matches_given(uint32_t given, uint32_t tile)
{
    return given == GRID_WILD || given == tile;
}

// Is there a cell for the blank such that the target agrees with the start's tiles, in their order?
// Tile i is in cell i before the blank, or in cell i+1 after it.
static bool line_reachable(uint32_t cells, const uint32_t *tiles, const uint32_t *target)
{
    uint32_t after = cells; // from this cell on, all cells agree
    while (after > 1 && matches_given(target[after - 1], tiles[after - 2])) {
        after--;
    }
    for (uint32_t blank = 0; blank < cells; blank++) {
        if (blank + 1 >= after && matches_given(target[blank], 0)) {
            return true;
        }
        if (blank + 1 < cells && !matches_given(target[blank], tiles[blank])) {
            return false;
        }
    }
    return false;
}

static bool line_parity(const struct grid *grid, const uint32_t *start, const uint32_t *target,
                        bool *reachable, char *reason, struct fewest_error *error)
{
    uint32_t *tiles = calloc(grid->cells, sizeof *tiles);
    uint32_t count = 0;
    if (!tiles) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the board");
    }
    for (uint32_t i = 0; i < grid->cells; i++) {
        if (start[i] != 0) {
            tiles[count++] = start[i];
        }
    }
    *reachable = line_reachable(grid->cells, tiles, target);
    snprintf(reason, GRID_REASON,
             "on a line the order of the tiles never changes, and START and TARGET have %s",
             *reachable ? "the same order" : "different orders");
    free(tiles);
    return true;
}

// ---- Any other board ----------------------------------------------------------------------------

static uint32_t difference(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

uint32_t grid_distance(const struct grid *grid, uint32_t a, uint32_t b)
{
    uint32_t layer = grid->rows * grid->columns;
    return difference(a / layer, b / layer) +
           difference(a % layer / grid->columns, b % layer / grid->columns) +
           difference(a % grid->columns, b % grid->columns);
}

// A query about a board that is not a line: the target with its wildcards filled in some way, and
// the cells of the pieces.
struct parity_query {
    const struct grid *grid;
    uint32_t *slot_of; // by number: its cell in the start
    uint32_t *filled;  // the target with its wildcards filled
    bool *seen;        // by number: is it in the target? Later by cell: is it visited?
    uint32_t wild[2];  // the cells of the first two wildcards
    // The two least numbers that the target does not give, in rising order. 0 is the blank.
    uint32_t missing[2];
    uint32_t wild_count;
};

static void prepare_query(struct parity_query *query, const uint32_t *start, const uint32_t *target)
{
    uint32_t cells = query->grid->cells;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < cells; i++) {
        query->slot_of[start[i]] = i;
        query->filled[i] = target[i];
        if (target[i] != GRID_WILD) {
            query->seen[target[i]] = true;
        } else if (query->wild_count++ < 2) {
            query->wild[query->wild_count - 1] = i;
        }
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

// Is the permutation to the filled target odd, and is the blank an odd number of moves from its
// cell there?
static void find_permutation_parity(struct parity_query *query, bool *odd, bool *odd_distance)
{
    uint32_t cells = query->grid->cells;
    uint32_t cycles = 0;
    memset(query->seen, 0, cells * sizeof *query->seen);
    for (uint32_t i = 0; i < cells; i++) {
        cycles += !query->seen[i];
        for (uint32_t at = i; !query->seen[at]; at = query->slot_of[query->filled[at]]) {
            query->seen[at] = true;
        }
        if (query->filled[i] == 0) {
            *odd_distance = grid_distance(query->grid, query->slot_of[0], i) % 2 == 1;
        }
    }
    *odd = (cells - cycles) % 2 == 1;
}

static void tell_both_parities(const struct parity_query *query, char *reason)
{
    snprintf(reason, GRID_REASON, "with %u wildcards either parity is possible", query->wild_count);
}

static void decide_parity(struct parity_query *query, bool *reachable, char *reason)
{
    const struct grid *grid = query->grid;
    bool odd = false;
    bool odd_distance = false;
    if (query->wild_count > 2) {
        *reachable = true;
        tell_both_parities(query, reason);
        return;
    }
    find_permutation_parity(query, &odd, &odd_distance);
    *reachable = odd == odd_distance;
    // If two wildcards are filled the other way round, the parity of the permutation changes. This
    // does not help if the parity of the blank's distance changes, too. That happens if the blank
    // fills one of the two cells and they differ in colour.
    bool same_colour =
        query->wild_count == 2 && grid_distance(grid, query->wild[0], query->wild[1]) % 2 == 0;
    if (query->wild_count == 2 && (query->missing[0] != 0 || same_colour)) {
        *reachable = true;
        tell_both_parities(query, reason);
        return;
    }
    if (query->wild_count == 2) { // both ways to fill them give the same answer
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
    bool flat = grid->rows == 1 || grid->columns == 1;
    return (flat && grid->layers == 1) || (grid->rows == 1 && grid->columns == 1);
}

bool grid_parity(const struct grid *grid, const uint32_t *start, const uint32_t *target,
                 bool *reachable, char reason[GRID_REASON], struct fewest_error *error)
{
    if (grid_is_line(grid)) {
        return line_parity(grid, start, target, reachable, reason, error);
    }
    struct parity_query query = {
        .grid = grid,
        .slot_of = malloc(grid->cells * sizeof *query.slot_of),
        .filled = malloc(grid->cells * sizeof *query.filled),
        .seen = calloc(grid->cells, sizeof *query.seen),
    };
    bool done = query.slot_of && query.filled && query.seen;
    if (done) {
        prepare_query(&query, start, target);
        decide_parity(&query, reachable, reason);
    } else {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the board");
    }
    free(query.slot_of);
    free(query.filled);
    free(query.seen);
    return done;
}
