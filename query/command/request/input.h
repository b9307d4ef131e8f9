// Input, line by line or token by token, from a file or a pipe.
//
// Before it reads more, it flushes the answers so far. So a program at the other end of two pipes
// gets each answer without closing its end.
#ifndef FEWEST_QUERY_COMMAND_INPUT_H
#define FEWEST_QUERY_COMMAND_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { INPUT_LINE_LONGEST = 1 << 16 };

struct input {
    int file;
    const char *name;    // for messages
    unsigned long line;  // line number of the last line or token, from 1
    unsigned long lines; // line ends passed so far
    bool failed;         // reading or flushing failed; errno tells why
    bool ended;          // there is no more to read
    bool skips;          // the last line was too long, and its rest is still to be skipped
    // Is called before more is read. If it returns false, reading fails. NULL is allowed.
    bool (*before_reading)(void *context);
    void *context;
    size_t begin; // what is left in the buffer: begin … end-1
    size_t end;
    char buffer[2 * INPUT_LINE_LONGEST];
};

struct input_text {
    const char *text; // valid until the next call
    size_t length;
    bool cut; // a token was longer than INPUT_LINE_LONGEST: it was skipped, and the length is 0
};

// Does an operand name its input: stdin (`-`) or a file (`@PATH`)?
bool input_is_named(const char *operand);

// Call it before stdin is read. If stdin is a terminal, it prints how to end the input.
void input_tell_terminal(void);

// Opens a path (also written `@PATH`, as for a state), or stdin for NULL or "-". False, with errno,
// if it can't be opened. After success the caller calls input_close.
bool input_open(struct input *input, const char *path);
void input_close(struct input *input);

// Flushes stdout, and reads more into the buffer, once. False at the end of the input and on
// failure.
bool input_fill(struct input *input);

// Reads the next line, without its line end and without a byte order mark before the first line.
// The last line may lack one. If a line is longer than INPUT_LINE_LONGEST, the text is only longer
// than that. False at the end of the input and on failure.
bool input_line(struct input *input, struct input_text *line);

// Reads whole lines, at least one, with their line ends: as many as one reading from the input
// gave. The caller counts the lines. False as above.
bool input_lines(struct input *input, struct input_text *lines);

// Skips a byte order mark at the start of the input.
void input_skip_mark(struct input *input);

// The number of words in the first line that is not empty, as far as it fits into the buffer. Call
// it before anything else is read.
unsigned input_first_words(struct input *input);

// Reads the next run of bytes that are not white space. False as above.
bool input_token(struct input *input, struct input_text *token);

#endif
