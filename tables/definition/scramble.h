// Scrambles as files of twsearch and ksolve hold them: blocks that give a state, or moves.
#ifndef FEWEST_TABLES_SCRAMBLE_H
#define FEWEST_TABLES_SCRAMBLE_H

#include "rows.h"

struct scramble {
    bool has_moves;
    struct word moves; // the lines of `ScrambleAlg`; they lie in the text
    bool has_no_end;   // no `End` follows the moves, which are the rest of the text
    struct rows rows;  // else the state, as in a `Goal`; the caller gives the room
};

// Does a text begin with a scramble, after comments?
bool scramble_begins(const char *text, size_t length);

// Reads a text that is one scramble. Pieces of `Scramble` count from 1, those of `ScrambleState`
// and `StartState` from 0, as in `Solved` and `StartState`. `CPOS` is what twsearch prints with
// --compact. A set that a block leaves out is solved.
bool scramble_read(const struct definition *definition, const char *text, size_t length,
                   struct scramble *scramble, struct fewest_error *error);

#endif
