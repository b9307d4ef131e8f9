// Input, line by line or token by token, from a file or a pipe.
//
// Before more is read, what has been answered so far is flushed: a program at the other end of two
// pipes gets each answer without having to close its end.
#ifndef FEWEST_QUERY_INPUT_H
#define FEWEST_QUERY_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { INPUT_LINE_LONGEST = 1 << 16 };

struct input {
    int file;
    const char *name;          // for messages
    unsigned long line;        // number of the line of the last line or token, from 1
    unsigned long lines;       // line ends passed so far
    bool failed;               // reading or flushing failed; errno tells why
    bool (*interrupted)(void); // asked before it is waited for more, which then fails; or NULL
    size_t begin;              // what is left in the buffer: begin … end-1
    size_t end;
    char buffer[2 * INPUT_LINE_LONGEST];
};

struct input_text {
    const char *text; // valid until the next call
    size_t length;    // the longest is INPUT_LINE_LONGEST
    bool cut;         // it was longer: it has been passed over, and the length is 0
};

// Begins to read a file that is open; it is called `name` in messages.
void input_begin(struct input *input, int file, const char *name);

// Does an operand name what is to be read, stdin (`-`) or a file (`@PATH`), instead of being it?
bool input_is_named(const char *operand);

// To be called before stdin is read: says so where somebody sits at a terminal.
void input_tell_terminal(void);

// Opens a path (also written `@PATH`, as for a state), or stdin for NULL or "-". False where it
// can't be opened (errno). The caller calls input_close.
bool input_open(struct input *input, const char *path);
void input_close(struct input *input);

// Would input_line return without waiting for somebody who writes? (Where half a line is there, it
// may wait for the rest.)
bool input_is_ready(const struct input *input);

// The next line, without its line end; a last one may lack it. False at the end and on failure.
bool input_line(struct input *input, struct input_text *line);

// The next run of bytes that are not white space.
bool input_token(struct input *input, struct input_text *token);

#endif
