// Decides the parity of a sliding board from text, without a table.
#include "query/table/table.h"
#include "tables/base/ascii.h"
#include "tables/families/board/grid.h"
#include "tables/puzzle/signs.h"

#include <string.h>

// Reads two or three sizes with an `x` between them, such as 4x4. False if the text has another
// form, or if a size is 0 or above the limit.
static bool read_sizes(const char *text, uint64_t size[AXES])
{
    for (unsigned axis = 0; axis < AXES; axis++) {
        size_t digits = ascii_read_number(text, strlen(text), &size[axis]);
        if (digits == 0 || size[axis] == 0 || size[axis] > FEWEST_CELLS_MOST) {
            return false;
        }
        text += digits;
        if (*text == '\0') {
            return axis > 0; // two sizes at least
        }
        if (*text != 'x' && *text != 'X') {
            return false;
        }
        text++;
    }
    return false;
}

// Reads the size of a grid, such as 4x4. Returns false with an error if the text is something else,
// or if the grid has more than FEWEST_CELLS_MOST cells.
static bool read_grid(const char *text, struct grid *grid, struct fewest_error *error)
{
    char shown[32];
    uint64_t size[AXES] = {1, 1, 1}; // rows, columns, layers
    if (!read_sizes(text, size) || size[0] * size[1] * size[2] > FEWEST_CELLS_MOST) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "expected a grid of 1 to %d cells, ROWSxCOLUMNS or "
                         "ROWSxCOLUMNSxLAYERS, got '%s'",
                         FEWEST_CELLS_MOST, escape_text(shown, sizeof shown, text, strlen(text)));
    }
    // A grid has the columns before the rows.
    *grid = (struct grid){{(uint32_t)size[1], (uint32_t)size[0], (uint32_t)size[2]},
                          (uint32_t)(size[0] * size[1] * size[2])};
    return true;
}

struct grid_reader {
    struct grid grid;
    struct signs signs;
    uint16_t cells[2 * FEWEST_CELLS_MOST]; // of START, and after them of TARGET
    struct fewest_error *error;
};

// The name of the state to which a cell belongs.
static const char *name_state(const struct grid_reader *reader, uint32_t cell)
{
    return cell < reader->grid.cells ? "START" : "TARGET";
}

// Reads the cell at `text`: `*`, a sign for the blank, or a number below the number of cells.
// Returns its length, or 0 if it is none of these. If all numbers have one digit, the next cell may
// follow without a separator.
static size_t read_cell(const struct grid_reader *reader, const char *text, size_t length,
                        uint16_t *cell)
{
    uint64_t number = 0;
    size_t used = 1;
    if (*text == '*') {
        *cell = GRID_WILD;
        return used;
    }
    if (*text == '0' || !ascii_is_blank(*text)) { // a number may begin with 0
        used = ascii_read_number(text, reader->grid.cells <= 10 ? 1 : length, &number);
    }
    *cell = (uint16_t)number;
    return number < reader->grid.cells ? used : 0;
}

// Sets the error for the word at `text`, which is no cell. `cell` counts on from START to TARGET.
// Returns false.
static bool refuse_cell(const struct grid_reader *reader, const char *text, const char *end,
                        uint32_t cell)
{
    uint32_t cells = reader->grid.cells;
    char shown[32];
    const char *stop = text;
    while (stop < end && !reader->signs.separates[(unsigned char)*stop]) {
        stop++;
    }
    return error_set(
        reader->error, FEWEST_BAD_INPUT, "%s: cell %u: expected a number from 0 to %u%s, got '%s'",
        name_state(reader, cell), cell % cells + 1, cells - 1, cell < cells ? "" : " or '*'",
        escape_text(shown, sizeof shown, text, (size_t)(stop - text)));
}

// Reads the cells from `text` to `end` as cell `first` and those after it. Sets *count to their
// number. A cell after those of TARGET is only counted. signs_skip gets the beginning of the text,
// because `#` begins a comment only at the beginning of a word.
static bool read_cells(struct grid_reader *reader, const char *text, const char *end,
                       uint32_t first, uint32_t *count)
{
    const char *next = signs_skip(&reader->signs, text, text, end);
    for (*count = 0; next < end; ++*count) {
        uint16_t cell;
        size_t used = read_cell(reader, next, (size_t)(end - next), &cell);
        if (used == 0) {
            return refuse_cell(reader, next, end, first + *count);
        }
        if (first + *count < 2 * reader->grid.cells) {
            reader->cells[first + *count] = cell;
        }
        next = signs_skip(&reader->signs, text, next + used, end);
    }
    return true;
}

// Reads the text of a state as the cells from `first` on, which is 0 for START and the number of
// cells for TARGET. If `most` is twice the number of cells, the text may hold both states. Skips a
// first line with the size of the grid, unless the number of cells is right with that line. Sets
// *count to the number of cells.
static bool read_text(struct grid_reader *reader, const char *text, size_t length, uint32_t first,
                      uint32_t most, uint32_t *count)
{
    const struct grid *grid = &reader->grid;
    const unsigned size[AXES] = {grid->size[1], grid->size[0], grid->size[2]};
    const char *end = text + length;
    const char *rest = signs_skip_size(&reader->signs, text, end, size);
    bool is_read = read_cells(reader, text, end, first, count);
    bool fits = is_read && (*count == grid->cells || *count == most);
    if (rest && !fits) {
        is_read = read_cells(reader, rest, end, first, count);
    }
    if (!is_read || *count == grid->cells || *count == most) {
        return is_read;
    }
    if (most > grid->cells) {
        return error_set(reader->error, FEWEST_BAD_INPUT,
                         "expected %u cells (START) or %u (START and TARGET), got %u", grid->cells,
                         most, *count);
    }
    return error_set(reader->error, FEWEST_BAD_INPUT, "%s: expected %u cells, got %u",
                     name_state(reader, first), grid->cells, *count);
}

// Reads START and TARGET. The default of TARGET is the tiles in order and the blank last.
static bool read_query(struct grid_reader *reader, const struct fewest_grid_query *query)
{
    uint32_t cells = reader->grid.cells;
    uint32_t count;
    if (query->target) {
        return read_text(reader, query->start, query->start_length, 0, cells, &count) &&
               read_text(reader, query->target, query->target_length, cells, cells, &count);
    }
    if (!read_text(reader, query->start, query->start_length, 0, 2 * cells, &count)) {
        return false;
    }
    for (uint32_t i = 0; count == cells && i < cells; i++) { // if the text has no TARGET
        reader->cells[cells + i] = (uint16_t)((i + 1) % cells);
    }
    return true;
}

// Checks that the state from cell `first` on has no number twice, and that START (cell 0) has no
// wildcard. As many numbers as cells are then all numbers. Returns false with an error.
static bool check_state(const struct grid_reader *reader, uint32_t first)
{
    bool seen[FEWEST_CELLS_MOST]; // by number
    memset(seen, 0, reader->grid.cells * sizeof *seen);
    for (uint32_t i = 0; i < reader->grid.cells; i++) {
        uint16_t cell = reader->cells[first + i];
        if (cell == GRID_WILD && first == 0) {
            return error_set(reader->error, FEWEST_BAD_INPUT,
                             "START: cell %u is a wildcard; only TARGET may have wildcards", i + 1);
        }
        if (cell != GRID_WILD && seen[cell]) {
            return error_set(reader->error, FEWEST_BAD_INPUT, "%s: %u appears twice",
                             name_state(reader, first), cell);
        }
        if (cell != GRID_WILD) {
            seen[cell] = true;
        }
    }
    return true;
}

bool fewest_grid_parity(const struct fewest_grid_query *query, struct fewest_parity *parity,
                        struct fewest_error *error)
{
    struct grid_reader reader;
    reader.error = error;
    signs_begin(&reader.signs);
    if (!read_grid(query->grid, &reader.grid, error) || !read_query(&reader, query) ||
        !check_state(&reader, 0) || !check_state(&reader, reader.grid.cells)) {
        return false;
    }
    parity->reachable =
        grid_parity(&reader.grid, reader.cells, reader.cells + reader.grid.cells, parity->reason);
    return true;
}
