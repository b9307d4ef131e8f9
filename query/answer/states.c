// Reads, writes, numbers and draws states. fewest.h says what the functions do.
#include "rows.h"
#include "tables/base/ascii.h"
#include "tables/base/spelling.h"
#include "tables/text/notation.h"
#include "tables/text/text.h"

#include <string.h>

_Static_assert((int)FEWEST_TEXT_SIZE >= (int)TEXT_STATE_SIZE, "a state's text fits");
_Static_assert((int)FEWEST_WILD == (int)WILD, "a wildcard is one everywhere");
_Static_assert((int)PIECES_OF_SET_MOST <= (int)FEWEST_GOALS, "the mark of the goals is no piece");

void fewest_draw(const struct fewest *table, fewest_random_below *below, void *context,
                 uint8_t *state)
{
    const struct puzzle *puzzle = &table->puzzle;
    memcpy(state, puzzle->goals[0], puzzle->cell_count);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        uint8_t *cells = state + segment->first;
        for (unsigned i = segment->length; i-- > 0;) {
            if (segment->kind == SEGMENT_ORIENTATION) {
                // `%` keeps the index in bounds even if the caller's `below` draws too much.
                cells[i] = (uint8_t)(below(context, segment->symbols) % segment->symbols);
                continue;
            }
            // Fisher-Yates shuffle: cell i gets one of the pieces that are left, in cells 0 to i.
            uint64_t drawn = below(context, i + 1) % (i + 1);
            uint8_t piece = cells[i];
            cells[i] = cells[drawn];
            cells[drawn] = piece;
        }
    }
    puzzle_forget_ignored(puzzle, state);
}

// Can a cell of the puzzle be typed as this letter?
static bool has_letter(const struct puzzle *puzzle, char letter)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (strchr(puzzle->segments[s].letters, letter)) {
            return true;
        }
    }
    return false;
}

// If a text that is no state looks like the colours of a cube's stickers, adds that to the error.
// But if states of the puzzle have such letters, the text is only a wrong state. Returns false.
static bool explain_text(const struct puzzle *puzzle, const char *text, size_t length,
                         struct fewest_error *error)
{
    if (error->status != FEWEST_BAD_INPUT || !looks_like_facelets(text, length)) {
        return false;
    }
    const char *letter = text; // the first one
    while (ascii_is_separator(*letter)) {
        letter++;
    }
    if (!has_letter(puzzle, *letter)) {
        error_append(error,
                     "; these look like the colours of a cube's stickers (facelets), which "
                     "fewest does not read: give the pieces, or the moves that lead to them");
    }
    return false;
}

bool fewest_read_query(const struct fewest *table, const char *text, size_t length, uint8_t *start,
                       uint8_t *target, struct fewest_error *error)
{
    const struct text_reader reader = {&table->puzzle, &table->alphabet};
    struct text_case read = {.start = start, .target = target};
    if (!text_read_case(&reader, text, length, &read, error)) {
        return explain_text(&table->puzzle, text, length, error);
    }
    if (!read.has_target) {
        target[0] = FEWEST_GOALS;
    }
    return true;
}

bool fewest_read_state(const struct fewest *table, const char *what, const char *text,
                       size_t length, uint8_t *state, struct fewest_error *error)
{
    const struct text_reader reader = {&table->puzzle, &table->alphabet};
    const struct typed_state typed = {text, length, what, false};
    return text_read_state(&reader, &typed, state, error) ||
           explain_text(&table->puzzle, text, length, error);
}

bool fewest_read_target(const struct fewest *table, const char *what, const char *text,
                        size_t length, uint8_t *target, struct fewest_error *error)
{
    const struct text_reader reader = {&table->puzzle, &table->alphabet};
    const struct typed_state typed = {text, length, what, true};
    return text_read_state(&reader, &typed, target, error) ||
           explain_text(&table->puzzle, text, length, error);
}

bool fewest_read_moves(const struct fewest *table, const uint8_t *from, const char *text,
                       size_t length, uint8_t *state, struct fewest_error *error)
{
    struct row row = {.cells = NULL}; // the solved state
    if (from && !row_check_state(table, "STATE", from, &row, error)) {
        return false;
    }
    return notation_apply(&table->puzzle, row.cells, text, length, state, error) ||
           explain_text(&table->puzzle, text, length, error);
}

bool fewest_check_state(const struct fewest *table, const char *what, uint8_t *state,
                        struct fewest_error *error)
{
    return text_check_state(&table->puzzle, what, false, state, error);
}

bool fewest_check_target(const struct fewest *table, const char *what, uint8_t *target,
                         struct fewest_error *error)
{
    return text_check_state(&table->puzzle, what, true, target, error);
}

char *fewest_write_state(const struct fewest *table, const uint8_t *state,
                         char text[FEWEST_TEXT_SIZE], struct fewest_error *error)
{
    struct row row;
    if (!row_check_target(table, "STATE", state, &row, error)) {
        return NULL;
    }
    text_write_state(&table->puzzle, row.cells, text);
    return text;
}

// Can the arrangements be numbered in 64 bits? If not, sets the error.
static bool has_numbers(const struct puzzle *puzzle, struct fewest_error *error)
{
    return puzzle->arrangement_count > 0 ||
           error_set(error, FEWEST_BEYOND,
                     "%s has more than 2^64 arrangements, too many to number them", puzzle->name);
}

bool fewest_rank(const struct fewest *table, const uint8_t *state, uint64_t *number,
                 struct fewest_error *error)
{
    struct row row;
    if (!has_numbers(&table->puzzle, error) ||
        !row_check_state(table, "STATE", state, &row, error)) {
        return false;
    }
    *number = puzzle_rank_state(&table->puzzle, row.cells);
    return true;
}

bool fewest_unrank(const struct fewest *table, uint64_t number, uint8_t *state,
                   struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!has_numbers(puzzle, error)) {
        return false;
    }
    if (number >= puzzle->arrangement_count) {
        return error_set(error, FEWEST_BAD_INPUT, "the arrangements of %s are numbered 0 to %llu",
                         puzzle->name, (unsigned long long)puzzle->arrangement_count - 1);
    }
    puzzle_unrank_state(puzzle, number, state);
    return true;
}
