// Reads states as people type them, and writes states for people.
//
// A state is typed cell by cell in reading order. White space, commas, slashes, semicolons and
// brackets separate cells. They are optional if every value of the puzzle is typed as one
// character. A word that begins with `#` begins a comment, which ends with its line. A first line
// may give the size of the board (signs.h). `*` is a wildcard. A *case* is a start, or a start and
// a target.
#ifndef FEWEST_TABLES_TEXT_H
#define FEWEST_TABLES_TEXT_H

#include "alphabet.h"
#include "tables/puzzle/puzzle.h"

// What the readers know of a puzzle.
struct text_reader {
    const struct puzzle *puzzle;
    const struct alphabet *alphabet; // of the puzzle
};

// The cells of a case. `start` and `target` have room for a state each.
struct text_case {
    uint8_t *start;
    uint8_t *target;
    bool has_target;
};

// Reads a case. The number of its cells decides: n are a start, 2n are a start and a target.
bool text_read_case(const struct text_reader *reader, const char *text, size_t length,
                    struct text_case *read, struct fewest_error *error);

// The text of a state, whose name in messages is `what` ("START"). `wild`: may it have wildcards?
struct typed_state {
    const char *text;
    size_t length;
    const char *what;
    bool wild;
};

// Reads exactly one state.
bool text_read_state(const struct text_reader *reader, const struct typed_state *typed,
                     uint8_t *state, struct fewest_error *error);

// Is every value possible, and no piece more frequent than in the puzzle? Only with `wild` may
// there be wildcards. Sets orientations that do not count to 0.
bool text_check_state(const struct puzzle *puzzle, const char *what, bool wild, uint8_t *state,
                      struct fewest_error *error);

enum { TEXT_STATE_SIZE = 4 * CELLS_MOST + 1 };

// Writes a state or wildcard target as text_read_state reads it, with slashes between the rows of
// its board and a closing NUL. Returns the length.
size_t text_write_state(const struct puzzle *puzzle, const uint8_t *state,
                        char out[TEXT_STATE_SIZE]);

#endif
