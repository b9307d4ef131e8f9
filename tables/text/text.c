// Reads and writes states as people type them. These readers take any text, and explain errors.
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { ESCAPED_WORD = 48 };

// Reads cells one by one from a text.
struct cell_reader {
    const struct puzzle *puzzle;
    const char *text;
    const char *next;
    const char *end;
    bool wild; // may a cell be a wildcard?
    struct fewest_error *error;
};

static inline bool is_separator(const struct cell_reader *reader, char c)
{
    return reader->puzzle->signs.separates[(unsigned char)c];
}

// Skips separators and comments.
static inline void skip_signs(struct cell_reader *reader)
{
    reader->next = signs_skip(&reader->puzzle->signs, reader->text, reader->next, reader->end);
}

// Returns where the cell at reader->next ends, which is not the end of the text: after one
// character, or before the next separator or wildcard.
static const char *find_cell_end(const struct cell_reader *reader)
{
    const char *stop = reader->next + 1;
    if (reader->puzzle->typed_by_character || *reader->next == '*') {
        return stop;
    }
    while (stop < reader->end && !is_separator(reader, *stop) && *stop != '*') {
        stop++;
    }
    return stop;
}

// Reports that the text from reader->next to `stop` is no value of a segment.
static bool reject_cell(const struct cell_reader *reader, const struct segment *segment,
                        unsigned position, const char *stop)
{
    const char *dot = segment->has_others ? "." : "";
    const char *more = reader->wild ? " or '*'" : "";
    char shown[ESCAPED_WORD];
    escape_text(shown, sizeof shown, reader->next, (size_t)(stop - reader->next));
    if (segment->letters[0]) {
        return error_set(reader->error, FEWEST_BAD_INPUT,
                         "cell %u: expected one of '%s%s%s', got '%s'", position + 1,
                         segment->letters, dot, reader->wild ? "*" : "", shown);
    }
    if (segment->has_others) {
        more = reader->wild ? ", '.' or '*'" : " or '.'";
    }
    return error_set(reader->error, FEWEST_BAD_INPUT,
                     "cell %u: expected a number from %u to %u%s, got '%s'", position + 1,
                     segment->base, segment->base + segment_typed_count(segment) - 1, more, shown);
}

// Reads the text up to `stop` as cell number `position`, from 0, and moves reader->next to `stop`.
static bool read_cell(struct cell_reader *reader, unsigned position, const char *stop,
                      uint8_t *value)
{
    const struct segment *segment = puzzle_find_segment(reader->puzzle, position);
    const char *next = reader->next;
    bool is_wild = stop == next + 1 && *next == '*';
    bool is_ignored = stop == next + 1 && *next == '?' && segment->ignores; // an orientation
    if (is_wild || is_ignored) {
        *value = WILD; // text_check_state checks later whether this cell may be a wildcard
    } else if (stop == next || !segment_read_value(segment, next, (size_t)(stop - next), value)) {
        return reject_cell(reader, segment, position, stop);
    }
    reader->next = stop;
    return true;
}

// Reads the cells of one state, or fewer if the text ends. Sets *count to their number.
static bool read_cells(struct cell_reader *reader, uint8_t *state, unsigned *count)
{
    for (*count = 0; *count < reader->puzzle->cell_count; ++*count) {
        skip_signs(reader);
        if (reader->next == reader->end) {
            return true;
        }
        if (!read_cell(reader, *count, find_cell_end(reader), &state[*count])) {
            return false;
        }
    }
    return true;
}

// Returns the number of cells up to the end of the text, whatever they are, and moves reader->next
// to the end.
static unsigned count_other_cells(struct cell_reader *reader)
{
    unsigned count = 0;
    for (skip_signs(reader); reader->next < reader->end; skip_signs(reader)) {
        reader->next = find_cell_end(reader);
        count++;
    }
    return count;
}

// Skips a first line with the size of the board. Keeps the line if it is cells: if the text, with
// it, has as many cells as a state or, in a case, as two states.
static void skip_size(struct cell_reader *reader, bool is_case)
{
    struct cell_reader whole = *reader;
    unsigned n = reader->puzzle->cell_count;
    unsigned size[3];
    if (!puzzle_find_size(reader->puzzle, size)) {
        return;
    }
    const char *rest = signs_skip_size(&reader->puzzle->signs, reader->text, reader->end, size);
    if (rest) {
        unsigned count = count_other_cells(&whole);
        bool fits = count == n || (is_case && count == 2 * n);
        reader->next = fits ? reader->next : rest;
    }
}

// Reports that a cell is a wildcard. Here and below, `what` names the state in the message.
static bool refuse_wildcard(const char *what, unsigned cell, struct fewest_error *error)
{
    return error_set(error, FEWEST_BAD_INPUT,
                     "%s: cell %u is a wildcard; only TARGET may have wildcards", what, cell + 1);
}

// Is this the value of several pieces that `Track` makes alike?
static bool is_made_alike(const struct segment *segment, unsigned value)
{
    unsigned pieces = 0; // that have the value
    for (unsigned piece = 0; segment->tracked && piece < segment->typed; piece++) {
        pieces += segment->colour_of[piece] == value;
    }
    return pieces > 1;
}

// Reports that no cell has the value 0, the blank.
static bool refuse_no_blank(const struct segment *segment, const char *what,
                            struct fewest_error *error)
{
    char shown[16];
    segment_write_value(segment, 0, shown, sizeof shown);
    return error_set(error, FEWEST_BAD_INPUT, "%s: no cell is the blank; expected one %s", what,
                     shown);
}

// Reports that a value appears more often than in the puzzle.
static bool refuse_repeated(const struct segment *segment, const char *what, unsigned value,
                            struct fewest_error *error)
{
    char shown[16];
    unsigned amount = segment->amount[value];
    // All rolling cubes may have one colour on top, so one more of it means that no blank is there.
    if (segment->kind == SEGMENT_TOPS && value != 0) {
        return refuse_no_blank(segment, what, error);
    }
    segment_write_value(segment, value, shown, sizeof shown);
    if (segment->has_others && value == segment->others) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: more than %u piece%s that `Track` does not name", what, amount,
                         amount == 1 ? "" : "s");
    }
    if (is_made_alike(segment, value)) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: more than %u pieces that `Track` makes alike", what, amount);
    }
    if (amount == 1) {
        return error_set(error, FEWEST_BAD_INPUT, "%s: %s appears twice", what, shown);
    }
    return error_set(error, FEWEST_BAD_INPUT, "%s: %s appears more than %u times", what, shown,
                     amount);
}

// Checks the cells of one segment: all are possible values, none appears more often than in the
// puzzle, and there is a blank if there must be one. `wild`: may they be wildcards? A wildcard may
// stand for the blank.
static bool check_segment(const struct segment *segment, const char *what, bool wild,
                          const uint8_t *cells, struct fewest_error *error)
{
    uint8_t seen[PIECES_OF_SET_MOST] = {0}; // by value: how often it appears
    bool open = false;
    for (unsigned i = 0; i < segment->length; i++) {
        if (cells[i] == WILD) {
            if (!wild) {
                return refuse_wildcard(what, segment->first + i, error);
            }
            open = true;
            continue;
        }
        if (cells[i] >= segment->symbols) {
            return error_set(error, FEWEST_BAD_INPUT,
                             "%s: cell %u is %u; expected a value from 0 to %u", what,
                             segment->first + i + 1, cells[i], segment->symbols - 1);
        }
        if (segment->kind != SEGMENT_ORIENTATION && ++seen[cells[i]] > segment->amount[cells[i]]) {
            return refuse_repeated(segment, what, cells[i], error);
        }
    }
    if (segment->kind == SEGMENT_TOPS && seen[0] == 0 && !open) {
        return refuse_no_blank(segment, what, error);
    }
    return true;
}

// Checks one segment after the other. The segment of orientations stands behind that of their
// pieces, which must be right before.
bool text_check_state(const struct puzzle *puzzle, const char *what, bool wild, uint8_t *state,
                      struct fewest_error *error)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind == SEGMENT_ORIENTATION) {
            segment_forget_ignored(segment, state);
        }
        if (!check_segment(segment, what, wild, state + segment->first, error)) {
            return false;
        }
    }
    return true;
}

// Reads the cells of exactly one state, from any text, and explains errors. The values are
// possible, but not checked together.
static bool read_state_carefully(struct cell_reader reader, const char *what, uint8_t *state)
{
    const struct puzzle *puzzle = reader.puzzle;
    unsigned count;
    skip_size(&reader, false);
    if (!read_cells(&reader, state, &count)) {
        return error_prefix(reader.error, what);
    }
    count += count_other_cells(&reader);
    if (count != puzzle->cell_count) {
        return error_set(reader.error, FEWEST_BAD_INPUT, "%s has %u cell%s; %s needs %u", what,
                         count, count == 1 ? "" : "s", puzzle->name, puzzle->cell_count);
    }
    return true;
}

// Tries the fast reader (alphabet.h), which takes most texts. The careful one takes all others, and
// explains errors. text_read_case does the same.
bool text_read_state(const struct text_reader *reader, const struct typed_state *typed,
                     uint8_t *state, struct fewest_error *error)
{
    struct cell_reader careful = {.puzzle = reader->puzzle,
                                  .text = typed->text,
                                  .next = typed->text,
                                  .end = typed->text + typed->length,
                                  .wild = typed->wild,
                                  .error = error};
    if (alphabet_read_state(reader->alphabet, typed->text, typed->length, typed->wild, state)) {
        return true;
    }
    return read_state_carefully(careful, typed->what, state) &&
           text_check_state(reader->puzzle, typed->what, typed->wild, state, error);
}

// Reads the cells of a case from any text, and explains errors. The values are possible, but not
// checked together. A message about the start does not offer a wildcard.
static bool read_case_carefully(struct cell_reader reader, struct text_case *read)
{
    unsigned n = reader.puzzle->cell_count;
    unsigned start_count;
    unsigned target_count = 0;
    skip_size(&reader, true);
    if (!read_cells(&reader, read->start, &start_count)) {
        return error_prefix(reader.error, "START");
    }
    reader.wild = true;
    if (start_count == n && !read_cells(&reader, read->target, &target_count)) {
        return error_prefix(reader.error, "TARGET");
    }
    unsigned count = start_count + target_count + count_other_cells(&reader);
    read->has_target = count == 2 * n;
    if (count != n && count != 2 * n) {
        return error_set(reader.error, FEWEST_BAD_INPUT,
                         "got %u cell%s; %s needs %u (START) or %u (START and TARGET)", count,
                         count == 1 ? "" : "s", reader.puzzle->name, n, 2 * n);
    }
    return true;
}

bool text_read_case(const struct text_reader *reader, const char *text, size_t length,
                    struct text_case *read, struct fewest_error *error)
{
    struct cell_reader careful = {
        .puzzle = reader->puzzle, .text = text, .next = text, .end = text + length, .error = error};
    if (alphabet_read_case(reader->alphabet, text, length, read->start, read->target,
                           &read->has_target)) {
        return true;
    }
    if (!read_case_carefully(careful, read) ||
        !text_check_state(reader->puzzle, "START", false, read->start, error)) {
        return false;
    }
    return !read->has_target ||
           text_check_state(reader->puzzle, "TARGET", true, read->target, error);
}

// Writes the cells, with slashes between rows if the puzzle is typed in rows. Elsewhere, a space
// stands between cells, unless each is one character.
size_t text_write_state(const struct puzzle *puzzle, const uint8_t *state,
                        char out[TEXT_STATE_SIZE])
{
    size_t used = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            if (i > 0 && puzzle->typed_columns && i % puzzle->typed_columns == 0) {
                out[used++] = '/';
            } else if (i > 0 && !puzzle->typed_by_character) {
                out[used++] = ' ';
            }
            if (state[i] == WILD) {
                out[used++] = '*';
            } else {
                used += segment_write_value(segment, state[i], out + used, TEXT_STATE_SIZE - used);
            }
        }
    }
    out[used] = '\0';
    return used;
}
