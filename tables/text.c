#include "text.h"

#include <stdio.h>
#include <string.h>

enum { ESCAPED_WORD = 48 };

// Reads cells one by one from a text.
struct reader {
    const struct puzzle *puzzle;
    const char *next;
    const char *end;
    bool wild; // may a cell be a wildcard?
    struct fewest_error *error;
};

bool text_is_separator(char c)
{
    return c == ' ' || c == ',' || c == '/' || (c >= '\t' && c <= '\r');
}

static void skip_separators(struct reader *reader)
{
    while (reader->next < reader->end && text_is_separator(*reader->next)) {
        reader->next++;
    }
}

// Where the cell that begins at `next` ends: after one character, or before the next separator or wildcard.
static const char *cell_end(const struct reader *reader)
{
    const char *stop = reader->next + 1;
    if (reader->puzzle->typed_by_character || *reader->next == '*') {
        return stop;
    }
    while (stop < reader->end && !text_is_separator(*stop) && *stop != '*') {
        stop++;
    }
    return stop;
}

// Pieces that are not tracked may be typed as any of them; they are written as the first.
static uint8_t segment_value(const struct segment *segment, unsigned typed)
{
    return segment->tracked ? segment->colour_of[typed] : (uint8_t)typed;
}

static unsigned typed_as(const struct segment *segment, unsigned value)
{
    unsigned typed = segment->tracked ? 0 : value;
    while (segment->tracked && segment->colour_of[typed] != value) {
        typed++;
    }
    return typed;
}

// Reads the number or letter between `next` and `stop` as a value of the segment. Returns false where it is none.
static bool read_value(const struct segment *segment, const char *next, const char *stop, uint8_t *cell)
{
    unsigned number = 0;
    if (segment->letters[0]) {
        const char *letter = stop == next + 1 ? memchr(segment->letters, *next, segment_typed_count(segment)) : NULL;
        if (letter) {
            *cell = segment_value(segment, (unsigned)(letter - segment->letters));
            return true;
        }
    }
    if (segment->blank && stop == next + 1 && *next && strchr("0xX_", *next)) { // a NUL is none
        *cell = 0;
        return true;
    }
    if (segment->letters[0]) {
        return false;
    }
    for (; next < stop; next++) {
        if (*next < '0' || *next > '9' || number > CELLS_MOST) {
            return false;
        }
        number = number * 10 + (unsigned)(*next - '0');
    }
    if (number < segment->base || number - segment->base >= segment_typed_count(segment)) {
        return false;
    }
    *cell = segment_value(segment, number - segment->base);
    return true;
}

// Reads all between `next` and `stop` as one cell.
static bool read_cell(const struct segment *segment, unsigned position, const char *next, const char *stop, bool wild,
                      uint8_t *cell, struct fewest_error *error)
{
    const char *nor = wild ? ", nor *" : "";
    char shown[ESCAPED_WORD];
    if (stop == next + 1 && *next == '*') { // also where it may not be: text_check_state says so
        *cell = WILD;
        return true;
    }
    if (stop > next && read_value(segment, next, stop, cell)) {
        return true;
    }
    escape_text(shown, sizeof shown, next, (size_t)(stop - next));
    if (segment->letters[0]) {
        return error_set(error, FEWEST_BAD_INPUT, "cell %u: '%s' is not one of %s%s", position + 1, shown,
                         segment->letters, nor);
    }
    return error_set(error, FEWEST_BAD_INPUT, "cell %u: '%s' is not a number from %u to %u%s", position + 1, shown,
                     segment->base, segment->base + segment_typed_count(segment) - 1, nor);
}

// Reads the cells of one segment, as many as there are. The count goes to *count; `position` is the first one's, for
// messages.
static bool read_segment(struct reader *reader, const struct segment *segment, unsigned position, uint8_t *cells,
                         unsigned *count)
{
    for (*count = 0; *count < segment->length; ++*count) {
        skip_separators(reader);
        if (reader->next == reader->end) {
            return true;
        }
        const char *stop = cell_end(reader);
        if (!read_cell(segment, position + *count, reader->next, stop, reader->wild, &cells[*count], reader->error)) {
            return false;
        }
        reader->next = stop;
    }
    return true;
}

// Reads up to a whole state.
static bool read_cells(struct reader *reader, unsigned position, uint8_t *state, unsigned *count)
{
    *count = 0;
    for (unsigned s = 0; s < reader->puzzle->segment_count; s++) {
        const struct segment *segment = &reader->puzzle->segments[s];
        unsigned read;
        if (!read_segment(reader, segment, position + segment->first, state + segment->first, &read)) {
            return false;
        }
        *count += read;
        if (read < segment->length) {
            return true;
        }
    }
    return true;
}

static unsigned count_rest(struct reader *reader)
{
    unsigned count = 0;
    for (skip_separators(reader); reader->next < reader->end; skip_separators(reader)) {
        reader->next = cell_end(reader);
        count++;
    }
    return count;
}

// Writes a value as it is typed, with a closing NUL. Returns the length.
static size_t write_value(const struct segment *segment, unsigned value, char *out, size_t size)
{
    value = typed_as(segment, value);
    if (segment->letters[0]) {
        return (size_t)snprintf(out, size, "%c", segment->letters[value]);
    }
    return (size_t)snprintf(out, size, "%u", value + segment->base);
}

static bool check_segment(const struct segment *segment, const char *what, bool wild, const uint8_t *cells,
                          struct fewest_error *error)
{
    uint8_t seen[PIECES_MOST] = {0};
    bool open = false;
    for (unsigned i = 0; i < segment->length; i++) {
        if (cells[i] == WILD) {
            if (!wild) {
                return error_set(error, FEWEST_BAD_INPUT, "%s: cell %u is a wildcard; only TARGET may have them", what,
                                 segment->first + i + 1);
            }
            open = true;
            continue;
        }
        if (cells[i] >= segment->symbols) {
            return error_set(error, FEWEST_BAD_INPUT, "%s: cell %u has no value %u", what, segment->first + i + 1,
                             cells[i]);
        }
        if (segment->kind != SEGMENT_ORIENTATION && ++seen[cells[i]] > segment->amount[cells[i]]) {
            char shown[16];
            write_value(segment, cells[i], shown, sizeof shown);
            return error_set(error, FEWEST_BAD_INPUT, "%s: %s stands %s", what, shown,
                             segment->amount[cells[i]] == 1 ? "twice" : "too often");
        }
    }
    if (segment->kind == SEGMENT_TOPS && seen[0] == 0 && !open) {
        return error_set(error, FEWEST_BAD_INPUT, "%s: no cell is empty", what);
    }
    return true;
}

bool text_check_state(const struct puzzle *puzzle, const char *what, bool wild, uint8_t *state,
                      struct fewest_error *error)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        uint8_t *cells = state + segment->first;
        for (unsigned i = 0; i < segment->length && segment->kind == SEGMENT_ORIENTATION; i++) {
            unsigned piece = segment->pieces < 0 ? i : state[(unsigned)segment->pieces + i];
            if (piece != WILD && segment->ignored[piece]) {
                cells[i] = 0;
            }
        }
        if (!check_segment(segment, what, wild, cells, error)) {
            return false;
        }
    }
    return true;
}

bool text_read_state(const struct puzzle *puzzle, const char *text, size_t length, const char *what, bool wild,
                     uint8_t *state, struct fewest_error *error)
{
    struct reader reader = {.puzzle = puzzle, .next = text, .end = text + length, .wild = wild, .error = error};
    unsigned count;
    if (!read_cells(&reader, 0, state, &count)) {
        return error_prefix(error, what);
    }
    count += count_rest(&reader);
    if (count != puzzle->cell_count) {
        return error_set(error, FEWEST_BAD_INPUT, "%s has %u cells; %s needs %u", what, count, puzzle->name,
                         puzzle->cell_count);
    }
    return text_check_state(puzzle, what, wild, state, error);
}

bool text_read_cell(const struct puzzle *puzzle, unsigned position, const char *text, size_t length, const char *what,
                    bool wild, uint8_t *cell, struct fewest_error *error)
{
    const struct segment *segment = puzzle->segments;
    while (position >= segment->first + segment->length) {
        segment++;
    }
    if (!read_cell(segment, position, text, text + length, wild, cell, error)) {
        return error_prefix(error, what);
    }
    return wild || *cell != WILD || error_set(error, FEWEST_BAD_INPUT, "%s: cell %u is a wildcard", what, position + 1);
}

bool text_read_case(const struct puzzle *puzzle, const char *text, size_t length, uint8_t *start, uint8_t *target,
                    bool *has_target, struct fewest_error *error)
{
    struct reader reader = {.puzzle = puzzle, .next = text, .end = text + length, .error = error};
    unsigned n = puzzle->cell_count;
    unsigned start_count;
    unsigned target_count = 0;
    if (!read_cells(&reader, 0, start, &start_count)) {
        return false;
    }
    reader.wild = true;
    if (start_count == n && !read_cells(&reader, n, target, &target_count)) {
        return false;
    }
    unsigned count = start_count + target_count + count_rest(&reader);
    if (count != n && count != 2 * n) {
        return error_set(error, FEWEST_BAD_INPUT, "%u cells; %s needs %u (START) or %u (START and TARGET)", count,
                         puzzle->name, n, 2 * n);
    }
    *has_target = count == 2 * n;
    return text_check_state(puzzle, "START", false, start, error) &&
           (!*has_target || text_check_state(puzzle, "TARGET", true, target, error));
}

size_t text_write_state(const struct puzzle *puzzle, const uint8_t *state, char out[TEXT_STATE_SIZE])
{
    size_t used = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            if (i > 0 && puzzle->board_columns && i % puzzle->board_columns == 0) {
                out[used++] = '/';
            } else if (i > 0 && !puzzle->typed_by_character) {
                out[used++] = ' ';
            }
            if (state[i] == WILD) {
                out[used++] = '*';
            } else {
                used += write_value(segment, state[i], out + used, TEXT_STATE_SIZE - used);
            }
        }
    }
    out[used] = '\0';
    return used;
}
