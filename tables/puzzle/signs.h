// The signs around the cells of a state that people type or paste: what separates cells, comments,
// and a first line with the size of the board. A letter of the puzzle is a cell and no such sign.
#ifndef FEWEST_TABLES_SIGNS_H
#define FEWEST_TABLES_SIGNS_H

#include <limits.h>
#include <stdbool.h>

struct signs {
    bool separates[UCHAR_MAX + 1]; // by character: it separates cells
    bool comments;                 // a word that begins with `#` begins a comment
};

// Fills in the signs of a puzzle without letters: white space , / ; [ ] ( ) { } separate cells, and
// there are comments.
void signs_begin(struct signs *signs);

// Leaves out the signs that are letters of the puzzle.
void signs_leave_out(struct signs *signs, const char *letters);

// Returns where the line at `next` ends: at its carriage return or newline, or at the end.
static inline const char *signs_find_line_end(const char *next, const char *end)
{
    while (next < end && *next != '\n' && *next != '\r') {
        next++;
    }
    return next;
}

// Skips separators and comments from `next` on, in a text from `text` to `end`. Returns where they
// end.
static inline const char *signs_skip(const struct signs *signs, const char *text, const char *next,
                                     const char *end)
{
    for (;;) {
        while (next < end && signs->separates[(unsigned char)*next]) {
            next++;
        }
        bool begins_word = next == text || signs->separates[(unsigned char)next[-1]];
        if (next == end || *next != '#' || !signs->comments || !begins_word) {
            return next;
        }
        next = signs_find_line_end(next, end);
    }
}

// Returns where the first line of a text ends, if that is the size of the board: its rows, columns
// and layers, or only its side if all are equal. Returns NULL if it is something else, or if
// nothing follows. A line with only comments is no line. `size` has the three numbers; a board
// without layers has 1 layer.
const char *signs_skip_size(const struct signs *signs, const char *text, const char *end,
                            const unsigned size[3]);

#endif
