// What went wrong, in words: the one way in which the code of tables/, gen/ and query/ reports a failure.
//
// A function that can fail takes a `struct fault *` and returns false (or NULL) after filling it. The text is a whole
// sentence for a person, without the program's name and without a newline; bytes that came from a file are escaped.
#ifndef FEWEST_TABLES_FAULT_H
#define FEWEST_TABLES_FAULT_H

#include <stdbool.h>
#include <stddef.h>

enum fault_code {
    FAULT_NONE,
    FAULT_INPUT,   // a state, a definition or an argument that can't be understood
    FAULT_BOUND,   // well formed, but beyond what we are willing to compute
    FAULT_MISSING, // a table that can't be found or opened
    FAULT_DAMAGED, // a table whose bytes are not what a generator wrote, or of a version we can't read
    FAULT_FOREIGN, // a sound table, but of another puzzle
    FAULT_SYSTEM,  // input, output or memory failed
    FAULT_STOPPED, // somebody stopped a search
};

enum { FAULT_TEXT = 512 };

struct fault {
    enum fault_code code;
    char text[FAULT_TEXT];
};

// Fills *fault and is false, so that a caller can `return fault_set(…)`. A macro, so that an analyser sees the false.
#define fault_set(...) (fault_write(__VA_ARGS__), false)

void fault_write(struct fault *fault, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same with "line N: " before the text: what is wrong with a line of a definition.
#define fault_set_line(...) (fault_write_line(__VA_ARGS__), false)

void fault_write_line(struct fault *fault, enum fault_code code, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Puts "PREFIX: " before the text that *fault already holds, and returns false.
bool fault_prefix(struct fault *fault, const char *prefix);

// Copies `length` bytes as printable ASCII into `out`, the others as \xNN; what does not fit is cut and ends in "...".
// `size` is at least 8. Returns `out`.
char *fault_escape(char *out, size_t size, const char *bytes, size_t length);

#endif
