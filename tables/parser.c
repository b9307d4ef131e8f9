#include "parser.h"

#include <string.h>

const char *word_escape(char out[ESCAPED_WORD], struct word word)
{
    return escape_text(out, ESCAPED_WORD, word.text, word.length);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool word_is_number(struct word word)
{
    return (word.text[0] >= '0' && word.text[0] <= '9') || word.text[0] == '?';
}

static void split_words(struct parser *parser, const char *at, const char *stop)
{
    parser->word_count = 0;
    while (parser->word_count < WORDS_MOST) {
        while (at < stop && is_space(*at)) {
            at++;
        }
        if (at == stop) {
            return;
        }
        const char *first = at;
        while (at < stop && !is_space(*at)) {
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
        if (parser->word_count > 0 && parser->words[0].text[0] != '#') {
            return true;
        }
    }
    return false;
}

bool parser_expect_words(struct parser *parser, unsigned count, const char *form)
{
    if (parser->word_count != count) {
        return complain(parser, "expected `%s`%s", form,
                        parser->word_count > count ? ", and no more in this line" : "");
    }
    return true;
}

bool parser_read_number(struct parser *parser, struct word word, unsigned least, unsigned most, unsigned *number)
{
    char shown[ESCAPED_WORD];
    unsigned value = 0;
    bool good = word.length > 0;
    for (size_t i = 0; i < word.length && good; i++) {
        good = word.text[i] >= '0' && word.text[i] <= '9';
        if (good) {
            value = value * 10 + (unsigned)(word.text[i] - '0');
            good = value <= most;
        }
    }
    if (!good || value < least) {
        return complain(parser, "'%s' is not a number from %u to %u", word_escape(shown, word), least, most);
    }
    *number = value;
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
        return complain(parser, "'%s' can't be a name: at most %d printable ASCII characters", word_escape(shown, word),
                        NAME_LONGEST);
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
