// A puzzle's definition: the text of a .puzzle (or .tws) file, read into rows of numbers and
// nothing more.
//
// The language is described in DEFINITION.md. This is the only code that knows its syntax; what the
// rows mean is the business of the family that compiles them (puzzle.h).
#ifndef FEWEST_TABLES_DEFINITION_H
#define FEWEST_TABLES_DEFINITION_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DEFINITION_LONGEST = 1 << 20, // bytes of text
    NAME_LONGEST = 63,            // bytes of the name of a puzzle, a set or a move
    PIECES_MOST = 128,            // of all the sets together
    SETS_MOST = 32,
    ORIENTATIONS_MOST = 127,
    LISTED_MOVES_MOST = 1024, // and as many rotations, aliases and sequences
    GOALS_MOST = 8,
    DATABASES_MOST = 8,
};

// A keyword that gives a board with one blank, such as `Slide`. A family of puzzles brings its own
// (puzzle.h), so that the parser knows no family.
struct board_keyword {
    const char *word;
    const char *form;     // for messages: "Slide ROWS COLUMNS [LAYERS]"
    const char *set_name; // of the one set of pieces
    unsigned sizes;       // numbers after the keyword, at most: rows, columns, layers
    unsigned colours;     // a piece shows one of so many values; 0: the pieces are 1, 2, 3, ...
    bool tracks;          // may `Track` lines follow, which name the tiles of pattern databases?
};

struct piece_set {
    char name[NAME_LONGEST + 1];
    unsigned pieces;
    unsigned orientations; // 1: the pieces have none
    unsigned least;        // the number of the first piece: 1, or 0 for the blank
    unsigned first;        // where the set's part of every row begins
    unsigned line;         // where it stands in the text, for messages
    // `Letters`: what its values are typed as, from the first on; empty: as numbers.
    char letters[PIECES_MOST + 1];
    unsigned letters_line;
    // `Track`: only some pieces stay distinct, and `Solved` holds colours instead of pieces.
    bool tracked;
    unsigned tracked_count;
    // By piece: its colour, the tracked ones' in order, then one for the rest.
    uint8_t colour_of[PIECES_MOST];
};

// One number for each piece of each set, the sets one after the other. piece[i]: which piece is now
// at slot i, from 0 (*passive*, as in DEFINITION.md). Orientations are by slot, those of a move by
// the slot where the piece arrives: its row in the text, by the slot that the piece leaves, is
// turned round.
struct rows {
    uint8_t piece[PIECES_MOST];
    uint8_t orientation[PIECES_MOST];
};

struct listed_move {
    char name[NAME_LONGEST + 1];
    unsigned line; // where it stands in the text, for messages
    struct rows rows;
    bool is_rotation; // a `Move` whose name says that it turns the whole puzzle
    // While the text is read, of an alias or a sequence: the moves that it names, which may stand
    // below it.
    const char *text;
    const char *text_end;
    bool being_read;
};

struct move_list {
    struct listed_move *listed; // in the order of the text
    unsigned count;
};

// `Track` on a sliding board: tiles of a pattern database.
struct track {
    bool tile[PIECES_MOST]; // by number
    unsigned count;
    unsigned line;
};

struct definition {
    char name[NAME_LONGEST + 1]; // "Unnamed" without a `Name`
    struct piece_set sets[SETS_MOST];
    unsigned set_count;
    unsigned piece_count; // of all sets
    struct rows solved;
    const struct board_keyword *board; // NULL: the definition has `Set` and `Move`
    // Of a board: rows × columns × layers cells, one of them blank.
    unsigned rows;
    unsigned columns;
    unsigned layers;
    struct track tracks[DATABASES_MOST];
    unsigned track_count;
    unsigned track_line;           // of a `Track` that names pieces; 0 without one
    struct rows goals[GOALS_MOST]; // `Goal`: as good as `Solved`; the nearest is the default target
    unsigned goal_lines[GOALS_MOST];
    unsigned goal_count;
    bool orientation_ignored[PIECES_MOST]; // by slot of `Solved`: the orientation is `?`
    struct move_list moves;
    // Rotations, aliases, sequences: names that are never counted as moves.
    struct move_list sequences;
    bool only_listed;     // `Powers none`: a move's powers are not moves
    unsigned powers_line; // 0 without a `Powers`
    unsigned board_rows;  // `Board`: how a state is drawn; 0 × 0 without one
    unsigned board_columns;
    unsigned board_line;
};

// Reads `length` bytes. `boards` are the keywords of boards, NULL after the last one; the
// definition keeps a pointer to its own. On success the caller frees with definition_free. On
// failure nothing is left to free, and the error's text begins with "line N: ".
bool definition_read(struct definition *definition, const struct board_keyword *const *boards,
                     const char *text, size_t length, struct fewest_error *error);
void definition_free(struct definition *definition);

#endif
