// Reads scrambles: moves, or the blocks of twsearch and ksolve.
#include "scramble.h"

#include "tables/base/ascii.h"
#include "tables/base/errors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct token {
    const char *text;
    size_t length;
};

static bool is_word(struct token word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

// Takes the next word, and skips comments. Its length is 0 at the end.
static struct token next_word(const char **next, const char *end)
{
    for (;;) {
        while (*next < end && ascii_is_space(**next)) {
            ++*next;
        }
        if (*next == end || **next != '#') {
            break;
        }
        while (*next < end && **next != '\n') {
            ++*next;
        }
    }
    struct token word = {*next, 0};
    while (*next < end && !ascii_is_space(**next)) {
        ++*next;
    }
    word.length = (size_t)(*next - word.text);
    return word;
}

static bool begins_block(struct token word)
{
    return is_word(word, "Scramble") || is_word(word, "ScrambleAlg");
}

// ---- Rows ---------------------------------------------------------------------------------------

// The cells of a set in a state, from 0.
struct set_cells {
    unsigned first; // of the pieces, or of the orientations if there are no pieces
    unsigned count; // of the pieces, which is also that of the orientations
    bool pieces;
    bool orientations;
};

static struct set_cells find_set(const struct fewest *table, struct token name)
{
    struct set_cells set = {.count = 0};
    unsigned cells = 0; // of both kinds
    for (unsigned i = 0; i < fewest_info(table)->cell_count; i++) {
        const struct fewest_cell *cell = &fewest_info(table)->cells[i];
        if (is_word(name, cell->set)) {
            set.first = cells++ == 0 ? i : set.first;
            set.pieces |= !cell->is_orientation;
            set.orientations |= cell->is_orientation;
        }
    }
    set.count = set.pieces && set.orientations ? cells / 2 : cells;
    return set;
}

// Has the definition a set of this name?
static bool has_set(const struct fewest *table, struct token name)
{
    const char *next = fewest_info(table)->definition;
    const char *end = next + strlen(next);
    struct token word;
    while ((word = next_word(&next, end)).length > 0) {
        struct token set = {"", 0};
        if (is_word(word, "Set")) {
            set = next_word(&next, end);
        }
        if (set.length == name.length && memcmp(set.text, name.text, name.length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_number(struct token word)
{
    return word.length > 0 && ((*word.text >= '0' && *word.text <= '9') || *word.text == '?');
}

// Finds the rows of a set: its pieces, then perhaps its orientations. `words` has the word of each
// cell. Numbers of a set that has no cells are skipped.
static bool find_rows(const struct fewest *table, struct token name, const char **next,
                      const char *end, struct token *words, struct fewest_error *error)
{
    struct set_cells set = find_set(table, name);
    unsigned read = 0;
    if (!has_set(table, name)) {
        char shown[64];
        error_write(error, FEWEST_BAD_INPUT,
                    "Scramble: expected the name of a set or `End`, got '%s'",
                    escape_text(shown, sizeof shown, name.text, name.length));
        return false;
    }
    for (;;) {
        const char *before = *next;
        struct token word = next_word(next, end);
        if (!is_number(word)) {
            *next = before;
            break;
        }
        bool second = read >= set.count;
        unsigned cell = set.first + read % (set.count > 0 ? set.count : 1);
        cell += second && set.pieces ? set.count : 0;
        read++;
        if (set.count == 0 || (second ? !set.orientations : !set.pieces)) {
            continue; // what no move changes
        }
        if (read > 2 * set.count) {
            break;
        }
        words[cell] = word;
    }
    if (set.count == 0 || read == set.count || read == 2 * set.count) {
        return true;
    }
    error_write(error, FEWEST_BAD_INPUT,
                "Scramble: expected %u numbers for the pieces of set %.*s, and as many for their "
                "orientations, got %u",
                set.count, (int)name.length, name.text, read);
    return false;
}

// Reads a state from the words of its cells.
static bool read_words(const struct fewest *table, const struct token *words, size_t length,
                       uint8_t *state, struct fewest_error *error)
{
    char *text = malloc(length);
    size_t used = 0;
    if (!text) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for a scramble");
    }
    for (unsigned i = 0; i < fewest_info(table)->cell_count; i++) {
        memcpy(text + used, words[i].text, words[i].length);
        used += words[i].length;
        text[used++] = ' ';
    }
    bool done = fewest_read_target(table, "Scramble", text, used, state, error) &&
                fewest_check_state(table, "Scramble", state, error);
    free(text);
    return done;
}

// Reads the rows of all sets. A set that is not there is solved. *last becomes the last word:
// `End`, or empty at the end of the text.
static bool read_cells(const struct fewest *table, const char **next, const char *end,
                       struct token *last, uint8_t *state, struct fewest_error *error)
{
    struct token words[FEWEST_CELLS_MOST];
    char solved[FEWEST_TEXT_SIZE];
    const char *begin = *next;
    const char *cell = solved;
    if (!fewest_write_state(table, fewest_info(table)->goals, solved, error)) {
        return false;
    }
    for (unsigned i = 0; i < fewest_info(table)->cell_count; i++) {
        cell += strspn(cell, " /");
        words[i] = (struct token){cell, strchr(solved, ' ') ? strcspn(cell, " /") : 1};
        cell += words[i].length;
    }
    while ((*last = next_word(next, end)).length > 0 && !is_word(*last, "End")) {
        if (!find_rows(table, *last, next, end, words, error)) {
            return false;
        }
    }
    return read_words(table, words, sizeof solved + (size_t)(end - begin) + FEWEST_CELLS_MOST,
                      state, error);
}

// ---- Blocks -------------------------------------------------------------------------------------

bool scramble_read(const struct fewest *table, const uint8_t *from, const char *text, size_t length,
                   uint8_t *state, struct fewest_error *error)
{
    const char *next = text;
    const char *end = text + length;
    struct token kind = next_word(&next, end);
    if (!begins_block(kind)) {
        return fewest_read_moves(table, from, text, length, state, error);
    }
    struct token name = next_word(&next, end);
    struct token word = name;
    if (is_word(kind, "Scramble")) {
        if (!read_cells(table, &next, end, &word, state, error)) {
            return false;
        }
    } else {
        do {
            word = next_word(&next, end);
        } while (word.length > 0 && !is_word(word, "End"));
        const char *moves = name.text + name.length;
        if (!fewest_read_moves(table, from, moves, (size_t)(word.text - moves), state, error)) {
            return false;
        }
    }
    if (word.length == 0) {
        error_write(error, FEWEST_BAD_INPUT, "this scramble has no `End`");
        return false;
    }
    if (next_word(&next, end).length > 0) {
        error_write(error, FEWEST_BAD_INPUT,
                    "more text follows the first scramble; `fewest batch --moves` answers each");
        return false;
    }
    return true;
}

bool scramble_is_comment(const char *line, size_t length)
{
    const char *next = line;
    while (next < line + length && ascii_is_space(*next)) {
        next++;
    }
    size_t left = length - (size_t)(next - line);
    return (left > 0 && *next == '#') || (left > 1 && next[0] == '/' && next[1] == '/');
}

// Joins the lines of each block. `joined` has room for three times the text and three bytes more.
static size_t join_lines(const char *text, size_t length, char *joined)
{
    const char *end = text + length;
    size_t used = 0;
    size_t ends = 0; // line ends of the block so far
    bool inside = false;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        const char *next = text;
        struct token word = next_word(&next, stop);
        inside |= begins_block(word);
        size_t kept = (size_t)(stop - text);
        const char *comment = memchr(text, '#', kept);
        if (inside && comment) {
            kept = (size_t)(comment - text);
        }
        memcpy(joined + used, text, kept);
        used += kept;
        ends++;
        if (inside && !is_word(word, "End")) {
            joined[used++] = ' ';
        } else {
            for (inside = false; ends > 0; ends--) {
                joined[used++] = '\n';
                if (ends > 1) {
                    joined[used++] = '#';
                }
            }
        }
        text = newline ? newline + 1 : end;
    }
    return used;
}

// Reads the rest of the input after what is in its buffer.
static char *read_rest(struct input *input, size_t *length)
{
    size_t room = 0;
    char *text = NULL;
    *length = 0;
    do {
        size_t got = input->end - input->begin;
        if (*length + got >= room) {
            room = 2 * (*length + got) + 1;
            char *larger = realloc(text, room);
            if (!larger) {
                free(text);
                return NULL;
            }
            text = larger;
        }
        memcpy(text + *length, input->buffer + input->begin, got);
        *length += got;
        input->begin = input->end;
    } while (input_fill(input));
    return text;
}

bool scramble_join_blocks(struct input *input)
{
    const char *next;
    size_t length;
    if (!input_fill(input)) {
        return !input->failed;
    }
    next = input->buffer + input->begin;
    next += ascii_mark_length(next, input->end - input->begin);
    if (!begins_block(next_word(&next, input->buffer + input->end))) {
        return true;
    }
    char *text = read_rest(input, &length);
    char *joined = text ? malloc(3 * length + 3) : NULL;
    FILE *file = joined ? tmpfile() : NULL;
    size_t used = joined ? join_lines(text, length, joined) : 0;
    bool done = !input->failed && file && fwrite(joined, 1, used, file) == used &&
                fflush(file) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0;
    int copy = done ? dup(fileno(file)) : -1;
    if (file) {
        fclose(file);
    }
    free(joined);
    free(text);
    if (copy >= 0) {
        const char *name = input->name;
        input_close(input);
        input_begin(input, copy, name);
    }
    return copy >= 0;
}
