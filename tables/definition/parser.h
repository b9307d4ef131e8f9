// The parser of definitions: lines, words, numbers and rows. Only its own files include this.
#ifndef FEWEST_TABLES_PARSER_H
#define FEWEST_TABLES_PARSER_H

#include "definition.h"
#include "tables/base/spelling.h"

enum {
    // The most words of a line. `Track` and `Database` may name each set, and each piece with a `|`
    // after it.
    WORDS_MOST = 1 + 2 * PIECES_MOST + SETS_MOST,
    ESCAPED_WORD = 80,
    SEQUENCE_MOVES_MOST = 10000,
};

// A number that a definition should hold.
struct expected_number {
    const char *noun; // "a piece"
    unsigned least;
    unsigned most;
    bool or_unknown; // `?` is also allowed; the caller has checked for it
};

// Keywords of one kind do the same job: where one must stand, another may stand instead.
enum keyword_kind {
    KIND_BOARD, // `Slide`, `Roll`
    KIND_NAME,
    KIND_SET,
    KIND_LETTERS,
    KIND_DRAWING, // `Board`
    KIND_SOLVED,  // `Solved`, `StartState`
    KIND_GOAL,
    KIND_TRACK,
    KIND_DATABASE,
    KIND_ILLEGAL,
    KIND_POWERS,
    KIND_MOVE, // all that give a move a name
    KIND_GENERATORS,
    KIND_ROTATION,
    KIND_SCRAMBLE, // in a text of its own (scramble.h)
    KIND_COUNT,
};

struct parser;

// A keyword: where it may stand, and the function that reads its line.
struct keyword {
    const char *word;
    const char *form; // of its line, for messages
    enum keyword_kind kind;
    unsigned words_least;
    unsigned words_most;
    enum keyword_kind after; // this kind, or a board, must come before it; 0: none
    const char *once;        // what may appear only once; NULL: as often as one likes
    const char *advice;      // for somebody who uses it with a board; or NULL
    // NULL: a keyword of twsearch or ksolve that is not supported. The advice tells what to do.
    bool (*read)(struct parser *parser);
    unsigned not_with; // no such kind may come before it: a bit for each
    bool from_zero;    // in the rows of its block, slots and pieces count from 0
};

// Where the first keyword of a kind stands.
struct first_keyword {
    struct word word;
    unsigned line; // 0: there is none yet
};

// A name in `Rotation`.
struct declared_rotation {
    struct word name;
    unsigned line;
};

struct parser {
    struct definition *definition;
    const struct keyword *keywords;            // first that of boards; the word of the last is NULL
    const struct board_keyword *const *boards; // NULL after the last
    const char *next;                          // the rest of the text
    const char *end;
    unsigned line;
    struct word *words; // of the current line
    unsigned word_count;
    const struct keyword *keyword; // the last that was read
    struct first_keyword first[KIND_COUNT];
    unsigned sequence_moves;            // in all aliases and sequences so far
    bool turning;                       // sequences get their turns, not their rows
    struct word generators;             // the words of `Generators`, up to the end of the line
    struct declared_rotation *declared; // all names in `Rotation`
    unsigned declared_count;
    unsigned customary_line; // of a `Rotation` without names; 0: there is none
    struct fewest_error *error;
};

// Fills in the error with what is wrong with the current line. Its value is false.
#define parser_complain(parser, ...)                                                               \
    error_set_line((parser)->error, FEWEST_BAD_INPUT, (parser)->line > 0 ? (parser)->line : 1,     \
                   __VA_ARGS__)

const char *word_escape(char out[ESCAPED_WORD], struct word word);
bool word_is(struct word word, const char *text);

// Does a line that begins with this word hold numbers or cycles, and not a name?
bool word_is_number(struct word word);

// Goes to the next line that is neither empty nor a comment, and fills in its words. At the end of
// the text, there are none. Like all functions below that return a bool, it returns false after a
// complaint.
bool parser_next_line(struct parser *parser);

// Returns the words of the line from this number on, as one text. The line has a word of this
// number.
struct word parser_rest(const struct parser *parser, unsigned first);

bool parser_no_memory(struct parser *parser); // returns false

// Reads a word that must be a number from expected.least to expected.most.
bool parser_read_number(struct parser *parser, struct word word, struct expected_number expected,
                        unsigned *number);

// Copies a word that must be a name (definition_is_name), with a closing NUL.
bool parser_read_name(struct parser *parser, struct word word, char name[NAME_LONGEST + 1]);

// Finds the set of this name. NULL if there is none.
struct piece_set *parser_find_set(struct parser *parser, struct word word);

// Finds the set of this name. NULL after a complaint: "FAULT 'WORD'", and then a set with a similar
// name or, if there is none, `otherwise`.
struct piece_set *parser_need_set(struct parser *parser, struct word word, const char *fault,
                                  const char *otherwise);

// Finds the piece that has this number in `Solved` or, if the keyword counts from 0, in
// `StartState`. *piece counts from 0. Complains if there is none.
bool parser_find_piece(struct parser *parser, const struct piece_set *set, unsigned number,
                       unsigned *piece);

// Does the solved state ignore the orientation of this piece, so that it does not count? The first
// slot that has the piece tells. The piece counts from 0.
bool parser_ignores(const struct parser *parser, const struct piece_set *set, unsigned piece);

// Finds the keyword that a word is, or the board that it makes; NULL if there is none. All keywords
// of boards are keywords[0].
const struct keyword *parser_find_keyword(const struct parser *parser, struct word word);
const struct board_keyword *parser_find_board(const struct parser *parser, struct word word);

// Reads the rows of a block up to its `End`. The keyword of the block decides which numbers they
// may hold. Stores orientations by the slot where the piece is or arrives. A set that the block
// leaves out gets the identity; in a scramble, it is solved.
bool parser_read_rows(struct parser *parser, struct rows *rows);

// Complains if anything follows the `End` of a block on its line.
bool parser_read_end(struct parser *parser);

// The keywords `Track`, `Database` and `Illegal` (pieces.c).
bool parser_read_track(struct parser *parser);
bool parser_read_database(struct parser *parser);
bool parser_read_illegal(struct parser *parser);

// Tracks pieces of a board, as `Track` does. is_tracked[n] says whether to track the piece with
// number n; 0 is the blank.
bool parser_track_numbers(struct parser *parser, const bool *is_tracked);

// The keywords that name moves, and the moves that count (moves.c). parser_read_move reads the
// block of `Move` and `MoveTransformation`.
bool parser_read_move(struct parser *parser);
bool parser_read_sequence(struct parser *parser);
bool parser_read_generators(struct parser *parser);

// Complains that no move has this name.
bool parser_complain_no_name(const struct parser *parser, struct word word);

// Notes the names of a `Rotation` line (rotations.c).
bool parser_read_rotation(struct parser *parser);

// Decides which moves are rotations, and takes these out of the moves. The rows of all moves are
// known.
bool parser_find_rotations(struct parser *parser);

// Computes the rows of all sequences, and finds the moves that count. The text has been read.
bool parser_finish_moves(struct parser *parser);

#endif
