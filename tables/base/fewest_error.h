// The one error type, from the lowest function up to the exit status.
//
// This header is installed; fewest.h includes it. The numbers and the layout stay as they are;
// later versions may add numbers.
#ifndef FEWEST_ERROR_H
#define FEWEST_ERROR_H

enum { FEWEST_ERROR_SIZE = 512 }; // bytes of an error's text, with the closing NUL

enum fewest_status {
    FEWEST_OK = 0,
    FEWEST_BAD_INPUT = 1, // text that can't be read as a state, as moves or as a definition
    FEWEST_BEYOND = 2,    // a valid query that the table can't answer; a definition beyond a limit
    FEWEST_MISSING = 3,   // no such table, or it can't be opened
    // The file is not a table, is damaged, or has a version that this library can't read.
    FEWEST_DAMAGED = 4,
    FEWEST_FOREIGN = 5, // a sound table of another puzzle
    FEWEST_SYSTEM = 6,  // memory, input or output failed
    FEWEST_STOPPED = 7, // the watcher stopped a search
    FEWEST_LIMITED = 8, // the distance exceeds the limit of fewest_set_options
};

// The words "line N" in an error about a definition.
struct fewest_error_line {
    unsigned number; // 0: there are no such words
    unsigned begin;  // their place in the text
    unsigned length;
};

struct fewest_error {
    enum fewest_status status;
    char text[FEWEST_ERROR_SIZE]; // a sentence in printable ASCII, without a newline
    // The line of the fault, and another line that the text names. With them, a program can name
    // these lines in its own way.
    struct fewest_error_line lines[2];
    // If a query ends with FEWEST_LIMITED or FEWEST_STOPPED, its distance is proved to be this or
    // more. 0: nothing is proved.
    unsigned at_least;
};

#endif
