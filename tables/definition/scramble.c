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

bool scramble_begins(const char *text, size_t length)
{
    const char *end = text + length;
    for (;;) {
        while (text < end && ascii_is_space(*text)) {
            text++;
        }
        if (text == end || *text != '#') {
            break;
        }
        while (text < end && *text != '\n') {
            text++;
        }
    }
    struct word word = {text, 0};
    while (text < end && !ascii_is_space(*text)) {
        text++;
    }
    word.length = (size_t)(text - word.text);
    const struct keyword *keyword = KEYWORDS + 1;
    while (keyword->word && !word_is(word, keyword->word)) {
        keyword++;
    }
    return keyword->word;
}

// ---- The kinds ----------------------------------------------------------------------------------

// Goes to the line `End`, and sets scramble->moves to the lines before it.
static bool read_moves(struct parser *parser, struct scramble *scramble)
{
    const char *begin = parser->next;
    scramble->has_moves = true;
    do {
        if (!parser_next_line(parser)) {
            return false;
        }
        scramble->has_no_end = parser->word_count == 0;
    } while (!scramble->has_no_end && !word_is(parser->words[0], "End"));
    const char *end = scramble->has_no_end ? parser->end : parser->words[0].text;
    scramble->moves = (struct word){begin, (size_t)(end - begin)};
    return true;
}

// Replaces the pieces of a set by slots of the solved state that have them, each slot once: its own
// slot if it has the piece. Replaces orientations by those that turn the pieces of these slots so.
static bool find_product_of_set(struct parser *parser, const struct piece_set *set,
                                struct rows *rows)
{
    enum { NOWHERE = 255 };
    const struct definition *definition = parser->definition;
    const uint8_t *solved = definition->solved.piece + set->first;
    uint8_t *piece = rows->piece + set->first;
    uint8_t from[PIECES_OF_SET_MOST]; // by slot
    bool used[PIECES_OF_SET_MOST];
    for (unsigned i = 0; i < set->pieces; i++) {
        used[i] = solved[i] == piece[i];
        from[i] = (uint8_t)(used[i] ? i : NOWHERE);
    }
    for (unsigned i = 0; i < set->pieces; i++) {
        for (unsigned s = 0; s < set->pieces && from[i] == NOWHERE; s++) {
            if (!used[s] && solved[s] == piece[i]) {
                used[s] = true;
                from[i] = (uint8_t)s;
            }
        }
        if (from[i] == NOWHERE) {
            return parser_complain(parser, "set %s has other pieces than in `Solved`", set->name);
        }
        uint8_t *orientation = &rows->orientation[set->first + i];
        unsigned before = definition->solved.orientation[set->first + from[i]];
        *orientation = (uint8_t)((*orientation + set->orientations - before) % set->orientations);
        piece[i] = from[i];
    }
    return true;
}

static bool find_product(struct parser *parser, struct rows *rows)
{
    const struct definition *definition = parser->definition;
    for (unsigned s = 0; s < definition->set_count; s++) {
        if (!definition->board && !find_product_of_set(parser, &definition->sets[s], rows)) {
            return false;
        }
    }
    return true;
}

static bool read_block(struct parser *parser, struct scramble *scramble)
{
    return parser_read_rows(parser, &scramble->rows) && find_product(parser, &scramble->rows);
}

// Reads the next digit of a state on one line. Digits are 0-9, A-Z and a-z. Returns 62 after
// another byte.
static unsigned read_digit(struct word *left)
{
    char digit = left->length > 0 ? *left->text : '\0';
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

// Reads `CPOS STATE`: for each slot, one number says the piece and its orientation. It has one
// digit if one is enough for the set.
static bool read_compact(struct parser *parser, struct scramble *scramble)
{
    enum { BASE = 62 };
    const struct definition *definition = parser->definition;
    struct word left = parser->words[parser->word_count - 1];
    size_t digits = 0;
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        digits += set->pieces * (set->pieces * set->orientations <= BASE ? 1u : 2u);
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
            if (high == BASE || low == BASE || number >= numbers) {
                return parser_complain(parser, "slot %u of set %s has no number below %u", i + 1,
                                       set->name, numbers);
            }
            unsigned piece = number / set->orientations;
            scramble->rows.piece[set->first + i] =
                (uint8_t)(set->tracked ? set->colour_of[piece] : piece);
            scramble->rows.orientation[set->first + i] = (uint8_t)(number % set->orientations);
        }
    }
    return find_product(parser, &scramble->rows);
}

// ---- The text -----------------------------------------------------------------------------------

// Copies a text. Each vertical tab becomes a line end: batch joins the lines of a block with it.
static char *copy_lines(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    for (size_t i = 0; copy && i < length; i++) {
        copy[i] = (char)(text[i] == '\v' ? '\n' : text[i]);
    }
    return copy;
}

// Reads the lines of the scramble, and no more.
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
    bool done = is_compact                                 ? read_compact(parser, scramble)
                : word_is(parser->words[0], "ScrambleAlg") ? read_moves(parser, scramble)
                                                           : read_block(parser, scramble);
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
