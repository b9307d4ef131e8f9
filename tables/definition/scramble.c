// Reads scrambles with the reader of a definition's rows.
#include "scramble.h"

#include "parser.h"
#include "tables/base/ascii.h"

#include <stdlib.h>
#include <string.h>

// The first is that of boards, which begins no scramble.
static const struct keyword KEYWORDS[] = {
    {.word = ""},
    {.word = "Scramble", .kind = KIND_SCRAMBLE},
    {.word = "ScrambleState", .kind = KIND_SCRAMBLE, .from_zero = true},
    {.word = "StartState", .kind = KIND_SCRAMBLE, .from_zero = true},
    {.word = "ScrambleAlg", .kind = KIND_SCRAMBLE},
    {.word = "CPOS", .kind = KIND_SCRAMBLE},
    {.word = NULL},
};

// Returns the first byte behind a comment that begins here, or `text` if none does.
static const char *skip_comment(const char *text, const char *end)
{
    bool is_comment = ascii_begins_comment(text, end);
    while (is_comment && text < end && !ascii_ends_line(*text)) {
        text++;
    }
    return text;
}

bool scramble_begins(const char *text, size_t length)
{
    const char *end = text + length;
    const char *before;
    do { // until neither white space nor a comment is left to skip
        before = text;
        if (text < end) {
            text = ascii_is_space(*text) ? text + 1 : skip_comment(text, end);
        }
    } while (text != before);
    struct word word = {text, 0};
    while (text < end && !ascii_is_space(*text)) {
        text++;
    }
    word.length = (size_t)(text - word.text);
    const struct keyword *keyword = KEYWORDS + 1;
    while (keyword->word && !word_is(word, keyword->word)) {
        keyword++;
    }
    return keyword->word; // NULL if it is none of them
}

// ---- The kinds ----------------------------------------------------------------------------------

// Reads the lines of `ScrambleAlg`: sets scramble->moves to those before the line that begins with
// `End`, and then reads that line. Without an `End`, all lines are moves.
static bool read_moves(struct parser *parser, struct scramble *scramble)
{
    const char *begin = parser->next;
    const char *line = begin;
    bool is_end = false;
    while (line < parser->end && !is_end) {
        const char *next = line;
        while (next < parser->end && ascii_is_space(*next) && *next != '\n') {
            next++;
        }
        struct word word = {next, 0};
        while (next < parser->end && !ascii_is_space(*next)) {
            next++;
        }
        word.length = (size_t)(next - word.text);
        is_end = word_is(word, "End");
        if (!is_end) {
            const char *newline = memchr(line, '\n', (size_t)(parser->end - line));
            line = newline ? newline + 1 : parser->end;
        }
    }
    scramble->has_moves = true;
    scramble->has_no_end = !is_end;
    scramble->moves = (struct word){begin, (size_t)(line - begin)};
    parser->next = line;
    return !is_end || (parser_next_line(parser) && parser_read_end(parser));
}

// Reads a digit of a state on one line, and takes it off `left`, which is not empty. Digits are
// 0-9, A-Z and a-z. Returns 62 if the byte is no digit.
static unsigned read_digit(struct word *left)
{
    char digit = *left->text;
    left->text++;
    left->length--;
    if (ascii_is_digit(digit)) {
        return (unsigned)(digit - '0');
    }
    if (digit >= 'A' && digit <= 'Z') {
        return (unsigned)(digit - 'A') + 10;
    }
    return digit >= 'a' && digit <= 'z' ? (unsigned)(digit - 'a') + 36 : 62;
}

// Reads `CPOS STATE`: for each slot, a number that is piece × orientations + orientation. All
// numbers of a set have one digit, if that is enough, or two.
static bool read_compact(struct parser *parser, struct scramble *scramble)
{
    enum { BASE = 62 };
    const struct definition *definition = parser->definition;
    struct word left = parser->words[parser->word_count - 1];
    size_t digits = 0;
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        digits += (size_t)set->pieces * (set->pieces * set->orientations <= BASE ? 1u : 2u);
    }
    if (left.length != digits) {
        return parser_complain(parser, "expected %zu digits, got %zu", digits, left.length);
    }
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        unsigned numbers = set->pieces * set->orientations;
        for (unsigned i = 0; i < set->pieces; i++) {
            unsigned high = numbers <= BASE ? 0 : read_digit(&left);
            unsigned low = read_digit(&left);
            unsigned number = high * BASE + low;
            if (high == BASE || low == BASE || number >= numbers) { // BASE: no digit
                return parser_complain(parser, "slot %u of set %s has no number below %u", i + 1,
                                       set->name, numbers);
            }
            unsigned piece = number / set->orientations;
            unsigned colour = set->tracked ? set->colour_of[piece] : piece;
            bool counts = !parser_ignores(parser, set, colour);
            scramble->rows.piece[set->first + i] = (uint8_t)colour;
            scramble->rows.orientation[set->first + i] =
                (uint8_t)(counts ? number % set->orientations : 0);
        }
    }
    return true;
}

// ---- The text -----------------------------------------------------------------------------------

// Copies a text. In the copy, each line ends with LF, and comments are spaces, so each byte keeps
// its place. (In a batch, vertical tabs end the lines of a block.) Returns NULL if memory runs out.
static char *copy_lines(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    const char *end = text + length;
    bool is_word = false; // does a word go on here?
    for (size_t i = 0; copy && i < length; i++) {
        // Within a word, no comment begins.
        const char *after = is_word ? text + i : skip_comment(text + i, end);
        for (; text + i < after; i++) {
            copy[i] = ' ';
        }
        if (i < length) {
            copy[i] = (char)(ascii_ends_line(text[i]) ? '\n' : text[i]);
            is_word = !ascii_is_space(text[i]);
        }
    }
    return copy;
}

// Reads the scramble that begins the text. Complains if more text follows it.
static bool read_lines(struct parser *parser, struct scramble *scramble)
{
    if (!parser_next_line(parser)) {
        return false;
    }
    parser->keyword = parser_find_keyword(parser, parser->words[0]);
    bool is_compact = word_is(parser->words[0], "CPOS");
    if (parser->word_count != 2) {
        return parser_complain(parser, "expected `%s %s`%s", parser->keyword->word,
                               is_compact ? "STATE" : "NAME",
                               is_compact ? "" : ", and the rest on the lines below");
    }
    bool done = is_compact ? read_compact(parser, scramble)
                : word_is(parser->words[0], "ScrambleAlg")
                    ? read_moves(parser, scramble)
                    : parser_read_rows(parser, &scramble->rows);
    if (!done || !parser_next_line(parser)) {
        return false;
    }
    return parser->word_count == 0 ||
           error_set(parser->error, FEWEST_BAD_INPUT,
                     "more text follows the first scramble; `fewest batch --moves` answers each");
}

bool scramble_read(const struct definition *definition, const char *text, size_t length,
                   struct scramble *scramble, struct fewest_error *error)
{
    static const struct board_keyword *const NO_BOARDS[] = {NULL};
    char *copy = copy_lines(text, length);
    struct parser parser = {.definition = (struct definition *)definition, // it is only read
                            .keywords = KEYWORDS,
                            .boards = NO_BOARDS,
                            .next = copy,
                            .end = copy ? copy + length : NULL,
                            .words = malloc(WORDS_MOST * sizeof *parser.words),
                            .error = error};
    scramble->has_moves = false;
    bool done = copy && parser.words ? read_lines(&parser, scramble)
                                     : error_no_memory(error, "for a scramble");
    if (done && scramble->has_moves) { // from the copy to the text
        scramble->moves.text = text + (scramble->moves.text - copy);
    }
    free(parser.words);
    free(copy);
    return done;
}
