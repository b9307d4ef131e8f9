// A puzzle's definition: the text of a .puzzle (or .tws) file, read into rows of numbers.
//
// DEFINITION.md describes the language. Only the code in this folder parses it. The family that
// compiles the rows decides what they mean (rules.h).
#ifndef FEWEST_TABLES_DEFINITION_H
#define FEWEST_TABLES_DEFINITION_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DEFINITION_LONGEST = 1 << 20, // bytes of text
    NAME_LONGEST = 63,            // bytes of the name of a puzzle, a set or a move
    PIECES_MOST = 4096,           // in all sets together
    SETS_MOST = 256,
    PIECES_OF_SET_MOST = 254, // so that a cell never holds WILD or the mark of all goals (fewest.h)
    ORIENTATIONS_MOST = 127,
    LISTED_MOVES_MOST = 1024, // rotations included; the same limit holds for aliases
    GOALS_MOST = 64,
    DATABASES_MOST = 8,
};

enum { CELLS_FAULT = 80 };

struct definition;
struct row_set;

// One or more words of the text.
struct word {
    const char *text;
    size_t length;
};

// A keyword that makes a board, such as `Slide`. Each family names its own keyword (rules.h), so
// that the parser knows no family.
struct board_keyword {
    const char *word;
    const char *form;     // for messages: "Slide ROWS COLUMNS [LAYERS] [multi]"
    const char *set_name; // of the one set of pieces
    unsigned sizes;       // largest count of numbers after the keyword: rows, columns, layers
    unsigned cells_most;  // at most PIECES_OF_SET_MOST
    bool names_pieces;    // may `Track` and `Database` lines name pieces?
    unsigned searched_cells_most; // of a board with `Database`
    bool moves_rows;              // may `multi` follow?

    // Each cell holds one of the values 0 … colours. If `colours` is 0, the cells hold pieces, of
    // which number 0 is there once, and the functions below are NULL.
    unsigned colours;

    // Fills in the pieces of the solved state, in case that no `Solved` follows. The size of the
    // board is there. (Without `colours`, the pieces are 1, 2, 3, ..., and 0 last.)
    void (*fill_solved)(struct definition *definition);

    // Can the board have these cells? If not, writes why.
    bool (*check_cells)(const uint8_t *cells, unsigned count, char fault[CELLS_FAULT]);
};

struct piece_set {
    char name[NAME_LONGEST + 1];
    unsigned pieces;
    unsigned orientations; // 1: the pieces have none
    unsigned first;        // index of the set's first slot in every row
    unsigned line;         // its line in the text, for messages
    // The pieces are numbered from 0 without gaps, in the order of the numbers that `Solved` has.
    // By such a number: the piece, counted from 1; 0: there is none.
    uint8_t piece_of[PIECES_OF_SET_MOST + 1];
    // `Letters`: the letters for its values, in their order; empty: values are typed as numbers.
    char letters[PIECES_OF_SET_MOST + 1];
    unsigned letters_line;
    // In a projection, only some pieces stay distinct, and `Solved` holds colours instead of
    // pieces.
    bool tracked;
    unsigned tracked_count;
    // The colour of each piece. Tracked pieces have the colours 0, 1, ..., and those of a group
    // share one. The next colour is that of all pieces that keep only their orientation. The one
    // after that is for all others.
    uint8_t colour_of[PIECES_OF_SET_MOST];
};

// One number for each slot of each set, the sets one after the other. piece[i] is the piece that is
// now at slot i, counted from 0 (*passive*, as in DEFINITION.md). orientation[i] belongs to slot i:
// in a move, to the slot where the piece arrives. The text of a `Move` lists orientations by the
// slot that the piece leaves; the parser reorders them.
//
// The two rows lie one after the other. They belong to whoever made them: rows.h.
struct rows {
    uint8_t *piece;
    uint8_t *orientation;
};

struct listed_move {
    char name[NAME_LONGEST + 1];
    unsigned line; // its line in the text, for messages
    struct rows rows;
    struct rows turn;       // of a sequence or an alias: what its rotations do; else not made
    bool is_sequence;       // or an alias
    bool is_rotation;       // it turns the whole puzzle; while the text is read: by its name
    unsigned rotation_line; // of the `Rotation` that declares it, or 0
    // While the text is read: the words of an alias or a sequence, which may name later moves.
    struct word words;
    bool in_parentheses; // a sequence of `Generators`, whose words are separated by dots
    bool being_read;
    bool is_resolved; // its rows, or its turn, are computed
};

// A word that names a move: a name, then perhaps a number of times (`R2`), then perhaps the mark of
// the inverse (`R'`). `move` is NULL if no move, rotation, alias or sequence has the name.
struct move_word {
    const struct listed_move *move;
    unsigned times;
    bool inverse;
};

struct move_list {
    struct listed_move *listed; // in the order of the text
    unsigned count;
};

// What a projection keeps of a piece.
enum kept {
    KEPT_NOTHING, // it looks like all others of its set of which nothing is kept
    KEPT_WHOLE,
    KEPT_PLACE,       // its orientation does not count
    KEPT_ORIENTATION, // it looks like the other pieces of its set with KEPT_ORIENTATION
};

// The pieces that `Track` or `Database` names. A *projection* of the puzzle distinguishes only
// these: all others look alike, and so do those of a *group*.
struct projection {
    uint8_t *piece; // enum kept; the entry of a piece, counted from 0, is set->first + piece
    uint8_t *group; // by piece: the number of its group in the set, from 1 on, or 0; after `piece`
    unsigned count;
    unsigned line; // 0: there is none
};

struct definition {
    char name[NAME_LONGEST + 1]; // "Unnamed" without a `Name`
    struct piece_set *sets;
    unsigned set_count;
    unsigned piece_count; // of all sets
    struct rows solved;   // this and all below by slot are there as soon as all sets are known
    const struct board_keyword *board; // NULL: the definition has `Set` and `Move`
    // A board has rows × columns × layers cells.
    unsigned rows;
    unsigned columns;
    unsigned layers;
    bool moves_rows;              // `multi`: a row of tiles moves at once
    struct projection projection; // of `Track`, or of the database that the text was read for
    struct projection databases[DATABASES_MOST];
    unsigned database_count;
    struct rows goals[GOALS_MOST]; // `Goal`: as good as `Solved`; the nearest is the default target
    unsigned goal_lines[GOALS_MOST];
    unsigned goal_count;
    bool *orientation_ignored; // by slot of `Solved`: the orientation does not count
    // `Illegal`: may piece p never be in slot s? The entry is s * PIECES_OF_SET_MOST + p, with p
    // counted from 0. NULL without such a line.
    bool *illegal;
    struct move_list moves;  // while the text is read: also rotations
    struct move_list others; // aliases and rotations, which do not count as moves
    // The moves that count, and their powers: all listed moves, or those that `Generators` names.
    struct move_word *generators;
    unsigned generator_count;
    unsigned generators_line; // 0 without a `Generators`
    bool only_listed;         // `Powers none`: a move's powers are not moves
    unsigned drawing_rows;    // `Board`: how a state is drawn; 0 × 0 without one
    unsigned drawing_columns;
    // By place on the board: the cell that is drawn there, from 1; 0: none. NULL: all in order.
    uint16_t *drawing_cells;
    unsigned drawing_line;
};

// Reads `length` bytes. `boards` lists the keywords of boards and ends with NULL; the definition
// keeps a pointer to the one it uses. After success the caller calls definition_free. After failure
// nothing is left to free, and the error names a line, unless memory ran out.
bool definition_read(struct definition *definition, const struct board_keyword *const *boards,
                     const char *text, size_t length, struct fewest_error *error);

// Finds the words after `Name`, even if they are no name. Their length is 0 if there is no such
// line. Returns false if memory runs out.
bool definition_find_name(const char *text, size_t length, struct word *name);

// May a puzzle, a set or a move be called so? A name has 1 to NAME_LONGEST printable ASCII
// characters and no space.
bool definition_is_name(const char *name, size_t length);

// Is this the name of a rotation of the whole puzzle? Such names are x, y and z, their half turns
// and inverses, and capitals (or _) followed by a v.
bool definition_is_rotation_name(const char *name, size_t length);

// Opens a set, and adds the powers of each move that are neither the move nor its inverse, up to a
// limit (rotations.c). Returns false if memory runs out. The caller closes the set (row_set_close)
// in any case.
bool definition_list_powers(const struct definition *definition, struct row_set *powers);

// Does a word, whose `move` is not NULL, mean one of these powers?
bool definition_has_power(const struct definition *definition, const struct row_set *powers,
                          const struct move_word *word);

// Makes the definition that of a database: all pieces that the database does not name look alike.
// Do not call this for a board.
void definition_project(struct definition *definition, unsigned database);
void definition_free(struct definition *definition);

#endif
