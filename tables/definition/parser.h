// The parser of definitions: lines, words, numbers and rows. Only its own files include this.
#ifndef FEWEST_TABLES_PARSER_H
#define FEWEST_TABLES_PARSER_H

#include "base/nearest.h"
#include "definition/definition.h"

enum {
    // A `Track` or `Database` line may name every piece and every set. One more, so that the parser
    // notices a
    // longer line.
    WORDS_MOST = 1 + PIECES_MOST + SETS_MOST + 1,
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
    bool or_unknown; // `?` is allowed, too; the caller has checked for it
};

struct parser {
    struct definition *definition;
    const struct board_keyword *const *boards; // NULL after the last
    const char *next;                          // the rest of the text
    const char *end;
    unsigned line;
    struct word *words; // of the current line
    unsigned word_count;
    unsigned name_line;      // of `Name`; 0: not read yet
    unsigned solved_line;    // of `Solved` or `StartState`; 0: not read yet
    unsigned sequence_moves; // in all aliases and sequences so far
    struct word generators;  // the words of `Generators`, up to the end of the line
    struct fewest_error *error;
};

// Fills in the error with what is wrong with the current line. Its value is false.
#define complain(parser, ...)                                                                      \
    error_set_line((parser)->error, FEWEST_BAD_INPUT, (parser)->line > 0 ? (parser)->line : 1,     \
                   __VA_ARGS__)

const char *word_escape(char out[ESCAPED_WORD], struct word word);
bool word_is(struct word word, const char *text);

// Does a line that begins with this word hold numbers or cycles, and not a name?
bool word_is_number(struct word word);

// Goes to the next line that is neither empty nor a comment. Returns false at the end of the text.
bool parser_next_line(struct parser *parser);

// These return false after a complaint.
bool parser_expect_words(struct parser *parser, unsigned count, const char *form);
bool parser_read_number(struct parser *parser, struct word word, struct expected_number expected,
                        unsigned *number);
bool parser_read_name(struct parser *parser, struct word word, char name[NAME_LONGEST + 1]);

struct piece_set *parser_find_set(struct parser *parser, struct word word);

// Writes "; did you mean 'NAME'?" for a set with a similar name, or an empty text. Returns `hint`.
const char *parser_hint_set(const struct parser *parser, struct word word, char hint[PARSER_HINT]);

// Finds the set of this name. NULL after a complaint, which ends in `otherwise` if no set has a
// similar name.
struct piece_set *parser_need_set(struct parser *parser, struct word name, const char *otherwise);

// Finds the piece that has this number in `Solved`, and counts it from 0. False after a complaint.
bool parser_find_piece(struct parser *parser, const struct piece_set *set, unsigned number,
                       unsigned *piece);

// Checks that a keyword appears once. *line is the line where it appeared, or 0.
bool parser_check_first(struct parser *parser, const char *keyword, unsigned *line);

// Is this word a keyword, such as `Move`?
bool parser_is_keyword(const struct parser *parser, struct word word);

// The kinds of rows. The kind decides which numbers the rows may hold.
enum rows_kind {
    ROWS_SOLVED,         // pieces may appear twice, and orientations may be `?`
    ROWS_START_STATE,    // the same, but pieces count from 0
    ROWS_GOAL,           // the pieces of the solved state; `?` only where it has that
    ROWS_MOVE,           // each piece once, and orientations by the slot that a piece leaves
    ROWS_TRANSFORMATION, // each piece once, counted from 0
};

// Reads the rows of a block up to its `End`. Stores orientations by the slot where the piece is or
// arrives. A set that the block leaves out gets the identity.
bool parser_read_rows(struct parser *parser, enum rows_kind kind, struct rows *rows);

// The keywords `Track`, `Database` and `Illegal` (pieces.c).
bool parser_read_track(struct parser *parser);
bool parser_read_database(struct parser *parser);
bool parser_read_illegal(struct parser *parser);

#endif
