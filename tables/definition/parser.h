// The text of a definition, line by line and word by word. Internal to the files that read
// definitions.
#ifndef FEWEST_TABLES_PARSER_H
#define FEWEST_TABLES_PARSER_H

#include "base/nearest.h"
#include "definition/definition.h"

enum {
    // One more than any line may hold, so that a longer one is noticed.
    WORDS_MOST = PIECES_MOST + 1,
    ESCAPED_WORD = 80,
    SEQUENCE_MOVES_MOST = 10000,
    PARSER_HINT = 2 * NEAREST_NAME,
};

struct word {
    const char *text;
    size_t length;
};

// A number that a definition should hold.
struct expected_number {
    const char *noun; // "a piece"
    unsigned least;
    unsigned most;
    bool or_unknown; // `?` may be there instead; the caller has dealt with it
};

struct parser {
    struct definition *definition;
    const struct board_keyword *const *boards; // NULL after the last
    const char *next;                          // the rest of the text
    const char *end;
    unsigned line;
    struct word words[WORDS_MOST]; // of the line at hand
    unsigned word_count;
    unsigned name_line; // of `Name` and of `Solved` (or `StartState`); 0: not yet
    unsigned solved_line;
    unsigned sequence_moves; // of aliases and sequences, so far
    struct fewest_error *error;
};

// Reports what is wrong with the line at hand. Is false.
#define complain(parser, ...)                                                                      \
    error_set_line((parser)->error, FEWEST_BAD_INPUT, (parser)->line > 0 ? (parser)->line : 1,     \
                   __VA_ARGS__)

const char *word_escape(char out[ESCAPED_WORD], struct word word);
bool word_is(struct word word, const char *text);

// Does a line that begins with this word hold numbers, and not a name?
bool word_is_number(struct word word);

// Goes to the next line that holds a word and is no comment. Returns false at the end of the text.
bool parser_next_line(struct parser *parser);

// These return false after a complaint.
bool parser_expect_words(struct parser *parser, unsigned count, const char *form);
bool parser_read_number(struct parser *parser, struct word word, struct expected_number expected,
                        unsigned *number);
bool parser_read_name(struct parser *parser, struct word word, char name[NAME_LONGEST + 1]);

struct piece_set *parser_find_set(struct parser *parser, struct word word);

// "; did you mean 'NAME'?" of a set that has nearly this name, or nothing.
const char *parser_hint_set(const struct parser *parser, struct word word, char hint[PARSER_HINT]);

// Does a line that begins with this word begin something new, such as a `Move`?
bool parser_is_keyword(const struct parser *parser, struct word word);

// The meaning of rows, which decides what they may hold.
enum rows_kind {
    ROWS_SOLVED,         // pieces may appear twice, and orientations may be `?`
    ROWS_START_STATE,    // the same, the pieces counted from 0
    ROWS_STATE,          // each piece once
    ROWS_MOVE,           // the same, and the orientations belong to the slots that the pieces leave
    ROWS_TRANSFORMATION, // the same as a state's, the pieces counted from 0
};

// Reads rows up to their `End`, orientations by the slot where the piece is. A set that is not
// named stays as it is.
bool parser_read_rows(struct parser *parser, enum rows_kind kind, struct rows *rows);

#endif
