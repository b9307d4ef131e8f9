// Reads states as people type them, and writes states for people.
//
// A state is typed cell by cell in reading order. White space, commas and slashes separate cells.
// They are optional if every value of the puzzle is typed as one character. `*` is a wildcard. A
// *case* is a start, or a start and a target.
#ifndef FEWEST_TABLES_TEXT_H
#define FEWEST_TABLES_TEXT_H

#include "alphabet.h"
#include "tables/puzzle/puzzle.h"

// Reads a case. The number of its cells decides: n are a start, 2n are a start and a target.
// `start` and `target` hold CELLS_MOST.
bool text_read_case(const struct puzzle *puzzle, const struct alphabet *alphabet, const char *text,
                    size_t length, uint8_t *start, uint8_t *target, bool *has_target,
                    struct fewest_error *error);

// Reads exactly one state; `what` names it in messages ("START"). Wildcards are an error unless
// `wild` is true.
bool text_read_state(const struct puzzle *puzzle, const struct alphabet *alphabet, const char *text,
                     size_t length, const char *what, bool wild, uint8_t *state,
                     struct fewest_error *error);

// Reads exactly one cell, the one at `position` of a state; `what` and `wild` as above. `alphabet`
// makes cells of one character faster.
bool text_read_cell(const struct puzzle *puzzle, const struct alphabet *alphabet, unsigned position,
                    const char *text, size_t length, const char *what, bool wild, uint8_t *cell,
                    struct fewest_error *error);

// Is every value possible, no piece more frequent than in the puzzle, and no wildcard there unless
// `wild` is true? Sets orientations that do not count to 0.
bool text_check_state(const struct puzzle *puzzle, const char *what, bool wild, uint8_t *state,
                      struct fewest_error *error);

enum { TEXT_STATE_SIZE = 4 * CELLS_MOST + 1 };

// Writes a state or wildcard target as text_read_state reads it, with slashes between the rows of
// its board and a closing NUL. Returns the length.
size_t text_write_state(const struct puzzle *puzzle, const uint8_t *state,
                        char out[TEXT_STATE_SIZE]);

#endif
