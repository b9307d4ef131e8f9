// Reads scrambles: moves, or the blocks of twsearch and ksolve.
#include "scramble.h"

#include "tables/base/ascii.h"
#include "tables/base/errors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A word in a text that it does not own.
struct token {
    const char *text;
    size_t length;
};

static bool is_word(struct token word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

// Returns the next word of a text up to `end`, and moves *next behind it. Skips white space and
// comments, which begin with # and go to the end of the line. At the end, the word is empty.
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

// Is this the first word of a block?
static bool begins_block(struct token word)
{
    return is_word(word, "Scramble") || is_word(word, "ScrambleAlg");
}

// ---- Rows ---------------------------------------------------------------------------------------

// The cells that a set has in a state: those of its pieces, then those of its orientations. It may
// have only one kind of these, or none.
struct set_cells {
    unsigned first; // cell, counted from 0
    unsigned count; // of cells of one kind; if it has both kinds, they have equally many
    bool has_pieces;
    bool has_orientations;
};

// Finds the cells of a set by its name. Without such a set, or if no move changes it, the count is
// 0.
static struct set_cells find_set(const struct fewest *table, struct token name)
{
    struct set_cells set = {.count = 0};
    unsigned cells = 0; // of both kinds
    for (unsigned i = 0; i < fewest_info(table)->cell_count; i++) {
        const struct fewest_cell *cell = &fewest_info(table)->cells[i];
        if (is_word(name, cell->set)) {
            if (cells == 0) {
                set.first = i;
            }
            cells++;
            set.has_pieces |= !cell->is_orientation;
            set.has_orientations |= cell->is_orientation;
        }
    }
    set.count = set.has_pieces && set.has_orientations ? cells / 2 : cells;
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

// Is this word the number of a piece or an orientation, or `?`?
static bool is_number(struct token word)
{
    return word.length > 0 && ((*word.text >= '0' && *word.text <= '9') || *word.text == '?');
}

// Reads the rows of the set `name`, which follow in the text: a number for each piece, then perhaps
// one for each orientation. Puts each number into `words`, which has a word for each cell of a
// state. Skips a row that has no cells, because no move changes it. Stops before the first word
// that is no number. Fails with FEWEST_BAD_INPUT if there is no such set, or another number of
// numbers.
static bool read_set_rows(const struct fewest *table, struct token name, const char **next,
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
        unsigned place = read++;
        if (set.count == 0) {
            continue; // no move changes this set
        }
        bool is_second_row = place >= set.count;
        if (is_second_row ? !set.has_orientations : !set.has_pieces) {
            continue; // no move changes this row
        }
        if (place >= 2 * set.count) {
            break; // too many numbers
        }
        unsigned cell = set.first + place % set.count;
        if (is_second_row && set.has_pieces) {
            cell += set.count;
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

// Reads a state from the words of its cells: joins them with spaces, and reads that text. The text
// is read as a target, because `?` may stand for an orientation that does not count. The check of
// the state allows no other wildcard.
static bool read_words(const struct fewest *table, const struct token *words, unsigned cells,
                       uint8_t *state, struct fewest_error *error)
{
    size_t length = 0; // with a space after each word
    for (unsigned i = 0; i < cells; i++) {
        length += words[i].length + 1;
    }
    char *text = malloc(length + 1); // not 0 bytes
    size_t used = 0;
    if (!text) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for a scramble");
    }
    for (unsigned i = 0; i < cells; i++) {
        memcpy(text + used, words[i].text, words[i].length);
        used += words[i].length;
        text[used++] = ' ';
    }
    bool done = fewest_read_target(table, "Scramble", text, used, state, error) &&
                fewest_check_state(table, "Scramble", state, error);
    free(text);
    return done;
}

// Reads a state from the rows of its sets, up to the word `End`. A set without rows is solved.
// *last becomes the last word: `End`, or an empty one at the end of the text.
static bool read_rows(const struct fewest *table, const char **next, const char *end,
                      struct token *last, uint8_t *state, struct fewest_error *error)
{
    struct token words[FEWEST_CELLS_MOST];
    char solved[FEWEST_TEXT_SIZE];
    const char *cell = solved;
    const unsigned cells = fewest_info(table)->cell_count;
    if (!fewest_write_state(table, fewest_info(table)->goals, solved, error)) {
        return false;
    }
    // Begins with the solved state. Its text has spaces if a cell takes more than one character.
    bool has_spaces = strchr(solved, ' ');
    for (unsigned i = 0; i < cells; i++) {
        cell += strspn(cell, " /");
        words[i] = (struct token){cell, has_spaces ? strcspn(cell, " /") : 1};
        cell += words[i].length;
    }
    while ((*last = next_word(next, end)).length > 0 && !is_word(*last, "End")) {
        if (!read_set_rows(table, *last, next, end, words, error)) {
            return false;
        }
    }
    return read_words(table, words, cells, state, error);
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
    struct token word = name; // becomes the last one of the block
    if (is_word(kind, "Scramble")) {
        if (!read_rows(table, &next, end, &word, state, error)) {
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

// Is one of the words up to `end` the last word of a block?
static bool has_last_word(const char *next, const char *end)
{
    struct token word;
    do {
        word = next_word(&next, end);
    } while (word.length > 0 && !is_word(word, "End"));
    return word.length > 0;
}

// Copies a text of many lines, and makes one line of each block: vertical tabs, which end lines of
// moves, replace its line ends, and its comments are left out. After the block, a line `#` stands
// for each line end that was replaced, so that line numbers stay. Returns the length of the copy.
// For each line, it adds three bytes at most: `joined` has room for three times the text and three
// bytes more.
static size_t join_lines(const char *text, size_t length, char *joined)
{
    const char *end = text + length;
    size_t used = 0;
    size_t ends = 0;     // lines of the block so far, or 1
    bool inside = false; // a block
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        const char *next = text;
        struct token word = next_word(&next, stop);
        if (inside) {
            next = text;
        } else if (begins_block(word)) {
            inside = true;
            next_word(&next, stop); // its name, which may be `End`
        }
        size_t kept = (size_t)(stop - text);
        const char *comment = memchr(text, '#', kept);
        if (inside && comment) {
            kept = (size_t)(comment - text);
        }
        memcpy(joined + used, text, kept);
        used += kept;
        ends++;
        inside = inside && !(next < text + kept && has_last_word(next, text + kept));
        if (inside) {
            joined[used++] = '\v';
        } else {
            for (; ends > 0; ends--) {
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

// Reads the input from its present place to its end. Returns the text, which the caller frees, or
// NULL without memory. If reading fails, input->failed is set, and the text is what was read
// before.
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

// Returns the descriptor of a file without a name that holds this text, to be read from its
// beginning. Returns -1 if that fails; errno tells why.
static int make_temporary_file(const char *text, size_t length)
{
    FILE *file = tmpfile();
    if (!file) {
        return -1;
    }
    bool written = fwrite(text, 1, length, file) == length && fflush(file) == 0 &&
                   lseek(fileno(file), 0, SEEK_SET) == 0;
    int copy = written ? dup(fileno(file)) : -1;
    fclose(file);
    return copy;
}

bool scramble_join_blocks(struct input *input)
{
    const char *next;
    size_t length;
    int file = -1;
    if (!input_fill(input)) {
        return !input->failed;
    }
    next = input->buffer + input->begin;
    next += ascii_mark_length(next, input->end - input->begin);
    if (!begins_block(next_word(&next, input->buffer + input->end))) {
        return true;
    }
    char *text = read_rest(input, &length);
    char *joined = text && !input->failed ? malloc(3 * length + 3) : NULL;
    if (joined) {
        file = make_temporary_file(joined, join_lines(text, length, joined));
    }
    free(joined);
    free(text);
    if (file < 0) {
        return false;
    }
    const char *name = input->name;
    input_close(input);
    input_begin(input, file, name);
    return true;
}
