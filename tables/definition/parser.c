// The lines, words and numbers of a definition.
#include "definition/parser.h"

#include "base/ascii.h"

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
    return (word.text[0] >= '0' && word.text[0] <= '9') || word.text[0] == '?' ||
           word.text[0] == '(';
}

// Does a comment begin here, before the next word? In `Letters`, # is a letter.
static bool begins_comment(const struct parser *parser, const char *at)
{
    return *at == '#' && !(parser->word_count > 0 && word_is(parser->words[0], "Letters"));
}

static void split_words(struct parser *parser, const char *at, const char *stop)
{
    parser->word_count = 0;
    while (parser->word_count < WORDS_MOST) {
        while (at < stop && ascii_is_space(*at)) {
            at++;
        }
        if (at == stop || begins_comment(parser, at)) {
            return;
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
    while (parser->next < parser->end) {
        const char *stop = memchr(parser->next, '\n', (size_t)(parser->end - parser->next));
        if (!stop) {
            stop = parser->end;
        }
        split_words(parser, parser->next, stop);
        parser->line++;
        parser->next = stop < parser->end ? stop + 1 : stop;
        if (parser->word_count > 0) {
            return true;
        }
    }
    return false;
}

bool parser_expect_words(struct parser *parser, unsigned count, const char *form)
{
    if (parser->word_count != count) {
        return complain(parser, "expected `%s`%s", form,
                        parser->word_count > count ? " and nothing after it" : "");
    }
    return true;
}

bool parser_read_number(struct parser *parser, struct word word, struct expected_number expected,
                        unsigned *number)
{
    char shown[ESCAPED_WORD];
    uint64_t value = 0;
    bool is_number = ascii_read_number(word.text, word.length, &value) == word.length;
    if (!is_number || value < expected.least || value > expected.most) {
        return complain(parser, "expected %s from %u to %u%s, got '%s'", expected.noun,
                        expected.least, expected.most, expected.or_unknown ? " or '?'" : "",
                        word_escape(shown, word));
    }
    *number = (unsigned)value;
    return true;
}

bool parser_read_name(struct parser *parser, struct word word, char name[NAME_LONGEST + 1])
{
    char shown[ESCAPED_WORD];
    bool good = word.length <= NAME_LONGEST;
    for (size_t i = 0; i < word.length && good; i++) {
        good = word.text[i] > ' ' && word.text[i] <= '~';
    }
    if (!good) {
        return complain(parser,
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

const char *parser_hint_set(const struct parser *parser, struct word word, char hint[PARSER_HINT])
{
    char shown[ESCAPED_WORD];
    struct nearest nearest = {.typed = word_escape(shown, word)};
    for (unsigned i = 0; i < parser->definition->set_count; i++) {
        nearest_offer(&nearest, parser->definition->sets[i].name);
    }
    return nearest_text(&nearest, hint);
}

struct piece_set *parser_need_set(struct parser *parser, struct word name, const char *otherwise)
{
    char shown[ESCAPED_WORD];
    char hint[PARSER_HINT];
    struct piece_set *set = parser_find_set(parser, name);
    if (!set) {
        parser_hint_set(parser, name, hint);
        (void)complain(parser, "no set is called '%s'%s", word_escape(shown, name),
                       *hint ? hint : otherwise);
    }
    return set;
}

bool parser_find_piece(struct parser *parser, const struct piece_set *set, unsigned number,
                       unsigned *piece)
{
    unsigned found = number <= PIECES_OF_SET_MOST ? set->piece_of[number] : 0;
    *piece = found - 1;
    return found > 0 || complain(parser, "set %s has no piece %u in `Solved`", set->name, number);
}

bool parser_check_first(struct parser *parser, const char *keyword, unsigned *line)
{
    if (*line > 0) {
        return complain(parser, "`%s` appears twice (first on line %u)", keyword, *line);
    }
    *line = parser->line;
    return true;
}
