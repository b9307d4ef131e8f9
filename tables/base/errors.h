// The functions that fill in errors.
//
// A function that can fail takes a `struct fewest_error *` and returns false (or NULL) after it has
// filled it. The text is a sentence for a person, without the program's name. Bytes that came from
// a file are escaped.
#ifndef FEWEST_TABLES_ERRORS_H
#define FEWEST_TABLES_ERRORS_H

#include "fewest_error.h"

#include <stdbool.h>
#include <stddef.h>

// Fills in *error. Its value is false, so that a caller can `return error_set(…)`. It is a macro,
// so that an analyser sees the false.
#define error_set(...) (error_write(__VA_ARGS__), false)

void error_write(struct fewest_error *error, enum fewest_status status, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

// The same for a lack of memory: `purpose` is a literal such as "for the search".
#define error_no_memory(error, purpose)                                                            \
    error_set(error, FEWEST_SYSTEM, "not enough memory " purpose)

// The same for an error in a line of a definition: puts "line N: " before the text.
#define error_set_line(...) (error_write_line(__VA_ARGS__), false)

void error_write_line(struct fewest_error *error, enum fewest_status status, unsigned line,
                      const char *format, ...) __attribute__((cold, format(printf, 4, 5)));

// Goes on with the text of such an error: appends "line N", of another line, and then the rest.
#define error_add_line(...) (error_append_line(__VA_ARGS__), false)

void error_append_line(struct fewest_error *error, unsigned line, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

// Appends to the text of an error.
void error_append(struct fewest_error *error, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

// Puts a name, such as an option, instead of the words "line N" of the first or second line that
// the error names. `name` may be NULL: then the words stay.
void error_name_line(struct fewest_error *error, unsigned which, const char *name);

// Puts "PREFIX: " before the text that *error already holds, and returns false.
bool error_prefix(struct fewest_error *error, const char *prefix);

// Does the same with a path: escapes it, and cuts it to half the size of the text.
bool error_prefix_path(struct fewest_error *error, const char *path);

// Copies `length` bytes as printable ASCII into `out`, the others as \xNN. A text that does not fit
// is cut and ends in "...". `size` is at least 8. Returns `out`.
char *escape_text(char *out, size_t size, const char *bytes, size_t length);

#endif
