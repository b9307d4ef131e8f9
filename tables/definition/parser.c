// The lines, words, numbers and keywords of a definition.
#include "parser.h"

#include "tables/base/ascii.h"

#include <stdio.h>
#include <string.h>

const char *word_escape(char out[ESCAPED_WORD], struct word word)
{
    return escape_text(out, ESCAPED_WORD, word.text, word.length);
}

bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool word_is_number(struct word word)
{
    return ascii_is_digit(word.text[0]) || word.text[0] == '?' || word.text[0] == '(';
}

// Does a comment begin here, where a word could begin? On a line of `Letters`, # is a letter.
static bool begins_comment(const struct parser *parser, const char *at)
{
    return *at == '#' && !(parser->word_count > 0 && word_is(parser->words[0], "Letters"));
}

// Appends the words between `at` and `stop` to the words of the line. A comment ends them.
static bool split_words(struct parser *parser, const char *at, const char *stop)
{
    char shown[ESCAPED_WORD];
    for (;;) {
        while (at < stop && ascii_is_space(*at)) {
            at++;
        }
        if (at == stop || begins_comment(parser, at)) {
            return true;
        }
        if (parser->word_count == WORDS_MOST) {
            return parser_complain(parser, "too many words after `%s`: at most %d",
                                   word_escape(shown, parser->words[0]), WORDS_MOST - 1);
        }
        const char *first = at;
        while (at < stop && !ascii_is_space(*at)) {
            at++;
        }
        parser->words[parser->word_count++] = (struct word){first, (size_t)(at - first)};
    }
}

bool parser_next_line(struct parser *parser)
{
    bool sound = true; // no complaint so far
    parser->word_count = 0;
    while (sound && parser->word_count == 0 && parser->next < parser->end) {
        const char *line = parser->next;
        const char *stop = memchr(line, '\n', (size_t)(parser->end - line));
        parser->line++;
        parser->next = stop ? stop + 1 : parser->end;
        sound = split_words(parser, line, stop ? stop : parser->end);
    }
    return sound;
}

struct word parser_rest(const struct parser *parser, unsigned first)
{
    const char *text = parser->words[first].text;
    const struct word *last = &parser->words[parser->word_count - 1];
    return (struct word){text, (size_t)(last->text + last->length - text)};
}

bool parser_no_memory(struct parser *parser)
{
    return error_no_memory(parser->error, "for the definition");
}

bool parser_read_number(struct parser *parser, struct word word, struct expected_number expected,
                        unsigned *number)
{
    char shown[ESCAPED_WORD];
    uint64_t value = 0;
    bool is_number = ascii_read_number(word.text, word.length, &value) == word.length;
    if (!is_number || value < expected.least || value > expected.most) {
        return parser_complain(parser, "expected %s from %u to %u%s, got '%s'", expected.noun,
                               expected.least, expected.most, expected.or_unknown ? " or '?'" : "",
                               word_escape(shown, word));
    }
    *number = (unsigned)value;
    return true;
}

bool definition_is_name(const char *name, size_t length)
{
    if (length == 0 || length > NAME_LONGEST) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (name[i] <= ' ' || name[i] > '~') {
            return false;
        }
    }
    return true;
}

bool parser_read_name(struct parser *parser, struct word word, char name[NAME_LONGEST + 1])
{
    char shown[ESCAPED_WORD];
    if (!definition_is_name(word.text, word.length)) {
        return parser_complain(parser,
                               "expected a name of at most %d printable ASCII characters, got '%s'",
                               NAME_LONGEST, word_escape(shown, word));
    }
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    return true;
}

struct piece_set *parser_find_set(struct parser *parser, struct word word)
{
    struct definition *definition = parser->definition;
    for (unsigned i = 0; i < definition->set_count; i++) {
        if (word_is(word, definition->sets[i].name)) {
            return &definition->sets[i];
        }
    }
    return NULL;
}

struct piece_set *parser_need_set(struct parser *parser, struct word word, const char *fault,
                                  const char *otherwise)
{
    char shown[ESCAPED_WORD];
    char hint[2 * NEAREST_NAME];
    struct piece_set *set = parser_find_set(parser, word);
    if (set) {
        return set;
    }
    struct nearest_name nearest = {.typed = word_escape(shown, word)};
    for (unsigned i = 0; i < parser->definition->set_count; i++) {
        nearest_offer(&nearest, parser->definition->sets[i].name);
    }
    nearest_text(&nearest, hint);
    (void)parser_complain(parser, "%s '%s'%s", fault, shown, *hint ? hint : otherwise);
    return NULL;
}

bool parser_find_piece(struct parser *parser, const struct piece_set *set, unsigned number,
                       unsigned *piece)
{
    // The number, counted from 1. On a board, 0 is the blank, whatever the keyword.
    unsigned from_one = number + (parser->keyword->from_zero && !parser->definition->board);
    unsigned found = from_one <= PIECES_OF_SET_MOST ? set->piece_of[from_one] : 0;
    if (found == 0) { // else the piece, counted from 1
        return parser_complain(parser, "set %s has no piece %u in `Solved`", set->name, number);
    }
    *piece = found - 1;
    return true;
}

bool parser_ignores(const struct parser *parser, const struct piece_set *set, unsigned piece)
{
    const struct definition *definition = parser->definition;
    const uint8_t *solved = definition->solved.piece + set->first;
    const uint8_t *home = memchr(solved, (int)piece, set->pieces); // the first slot that has it
    return home && definition->orientation_ignored[set->first + (home - solved)];
}

// ---- Keywords -----------------------------------------------------------------------------------

const struct board_keyword *parser_find_board(const struct parser *parser, struct word word)
{
    unsigned b = 0;
    while (parser->boards[b] && !word_is(word, parser->boards[b]->word)) {
        b++;
    }
    return parser->boards[b];
}

const struct keyword *parser_find_keyword(const struct parser *parser, struct word word)
{
    if (parser_find_board(parser, word)) {
        return &parser->keywords[0];
    }
    for (const struct keyword *keyword = parser->keywords + 1; keyword->word; keyword++) {
        if (word_is(word, keyword->word)) {
            return keyword;
        }
    }
    return NULL;
}

// Writes the names of the moves, rotations and aliases, as many as fit: "U R F ...". Leaves out
// the sequences of `Generators`. Returns `text`, which is empty before.
static const char *list_names(const struct definition *definition, char *text, size_t size)
{
    const struct move_list *const lists[] = {&definition->moves, &definition->others};
    size_t used = 0;
    for (unsigned l = 0; l < 2; l++) {
        for (unsigned m = 0; m < lists[l]->count; m++) {
            const struct listed_move *listed = &lists[l]->listed[m];
            if (listed->in_parentheses) {
                continue;
            }
            // Beside the name, there must be room for a space, " ..." and its NUL.
            if (used + strlen(listed->name) + sizeof "  ..." > size) {
                snprintf(text + used, size - used, " ...");
                return text;
            }
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "",
                                     listed->name);
        }
    }
    return text;
}

bool parser_complain_no_name(const struct parser *parser, struct word word)
{
    enum { NAMES = 256 };
    char shown[ESCAPED_WORD];
    char names[NAMES] = "";
    return parser_complain(
        parser, "no move, rotation, alias or sequence is called '%s'; there are: %s",
        word_escape(shown, word), list_names(parser->definition, names, sizeof names));
}
