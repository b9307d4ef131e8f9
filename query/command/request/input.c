// Reads input line by line or token by token.
#include "input.h"

#include "tables/base/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool input_is_named(const char *operand)
{
    return strcmp(operand, "-") == 0 || operand[0] == '@';
}

void input_tell_terminal(void)
{
    if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
        fputs("(reading from the terminal; Ctrl-D ends the input)\n", stderr);
    }
}

// Sets all members but the buffer: to clear that would take longer than a short input.
bool input_open(struct input *input, const char *path)
{
    bool is_stdin = !path || strcmp(path, "-") == 0;
    if (!is_stdin && path[0] == '@') {
        path++;
    }
    input->file = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    input->name = is_stdin ? "stdin" : path;
    input->line = 0;
    input->lines = 0;
    input->failed = false;
    input->ended = false;
    input->skips = false;
    input->before_reading = NULL;
    input->context = NULL;
    input->begin = 0;
    input->end = 0;
    if (is_stdin) {
        input_tell_terminal();
    }
    return input->file >= 0;
}

void input_close(struct input *input)
{
    if (input->file != STDIN_FILENO) {
        close(input->file);
    }
}

// Calls before_reading, flushes stdout, moves the unread bytes to the front of the buffer, and
// reads more after them. At most INPUT_LINE_LONGEST bytes and a byte order mark are unread, so
// there is room.
bool input_fill(struct input *input)
{
    ssize_t got;
    if (input->ended || input->failed) {
        return false;
    }
    if (input->before_reading && !input->before_reading(input->context)) {
        input->failed = true;
        return false;
    }
    if (fflush(stdout) != 0) {
        input->failed = true;
        return false;
    }
    memmove(input->buffer, input->buffer + input->begin, input->end - input->begin);
    input->end -= input->begin;
    input->begin = 0;
    got = read(input->file, input->buffer + input->end, sizeof input->buffer - input->end);
    if (got < 0) { // also after a signal: the command handles only signals that end it
        input->failed = true;
    }
    input->end += got > 0 ? (size_t)got : 0;
    input->ended = got == 0;
    return got > 0;
}

// Skips the rest of a line that was too long, with its line end, as far as there is one.
static void skip_line(struct input *input)
{
    for (;;) {
        const char *next = input->buffer + input->begin;
        const char *newline = memchr(next, '\n', input->end - input->begin);
        if (newline) {
            input->begin = (size_t)(newline - input->buffer) + 1;
            return;
        }
        input->begin = input->end;
        if (!input_fill(input)) {
            return;
        }
    }
}

bool input_line(struct input *input, struct input_text *line)
{
    enum { LONGEST = INPUT_LINE_LONGEST + 3 }; // with a byte order mark
    const char *stop = NULL;                   // the line end
    size_t length = 0;                         // bytes searched so far
    if (input->skips) {
        skip_line(input);
        input->skips = false;
    }
    for (;;) {
        stop =
            memchr(input->buffer + input->begin + length, '\n', input->end - input->begin - length);
        length = stop ? (size_t)(stop - input->buffer) - input->begin : input->end - input->begin;
        if (stop || length > LONGEST || !input_fill(input)) {
            break;
        }
    }
    if (input->failed || (!stop && length == 0)) {
        return false;
    }
    if (input->lines == 0) {
        size_t mark = ascii_mark_length(input->buffer + input->begin, length);
        input->begin += mark;
        length -= mark;
    }
    input->line = ++input->lines;
    *line = (struct input_text){.text = input->buffer + input->begin, .length = length};
    input->skips = !stop && !input->ended;
    input->begin += length + (stop ? 1 : 0);
    return true;
}

bool input_lines(struct input *input, struct input_text *lines)
{
    if (!input_line(input, lines)) {
        return false;
    }
    size_t end = input->skips ? input->begin : input->end; // a line that was cut comes alone
    while (end > input->begin && input->buffer[end - 1] != '\n') {
        end--;
    }
    input->begin = end;
    lines->length = (size_t)(input->buffer + end - lines->text);
    return true;
}

// Skips white space from `next` on, up to `end`, and adds its line ends to *lines. Returns where it
// ends.
static inline const char *skip_white(const char *next, const char *end, unsigned long *lines)
{
    for (; next < end && ascii_is_space(*next); next++) {
        *lines += *next == '\n';
    }
    return next;
}

// Skips white space of the input, and reads more if needed. Returns false if nothing else comes
// before its end or a failure.
static bool skip_spaces(struct input *input)
{
    for (;;) {
        const char *end = input->buffer + input->end;
        const char *next = skip_white(input->buffer + input->begin, end, &input->lines);
        input->begin = (size_t)(next - input->buffer);
        if (next < end) {
            return true;
        }
        if (!input_fill(input)) {
            return false;
        }
    }
}

void input_skip_mark(struct input *input)
{
    // Reads until a byte order mark, if there is one, is complete.
    while ((input->begin == input->end ||
            (input->buffer[input->begin] == '\xEF' && input->end - input->begin < 3)) &&
           input_fill(input)) {
    }
    input->begin += ascii_mark_length(input->buffer + input->begin, input->end - input->begin);
}

unsigned input_first_words(struct input *input)
{
    unsigned count = 0;
    if (!skip_spaces(input)) {
        return 0;
    }
    // Reads the whole first line, as far as it fits.
    while (!memchr(input->buffer + input->begin, '\n', input->end - input->begin) &&
           input->end - input->begin <= INPUT_LINE_LONGEST && input_fill(input)) {
    }
    bool inside = false; // a word
    for (size_t i = input->begin; i < input->end && input->buffer[i] != '\n'; i++) {
        bool is_space = ascii_is_space(input->buffer[i]);
        if (!is_space && !inside) {
            count++;
        }
        inside = !is_space;
    }
    return count;
}

bool input_token(struct input *input, struct input_text *token)
{
    if (!skip_spaces(input)) {
        return false;
    }
    input->line = input->lines + 1;
    size_t length = 0; // of the token so far
    bool cut = false;
    for (;;) { // until the byte after the token is in the buffer
        while (input->begin + length < input->end &&
               !ascii_is_space(input->buffer[input->begin + length])) {
            length++;
        }
        if (input->begin + length < input->end) {
            break;
        }
        if (length > INPUT_LINE_LONGEST) { // too long: keep none of it
            input->begin = input->end;
            length = 0;
            cut = true;
        }
        if (!input_fill(input)) {
            break;
        }
    }
    if (length > INPUT_LINE_LONGEST) { // the same limit, however the reads split the token
        input->begin += length;
        length = 0;
        cut = true;
    }
    *token = (struct input_text){input->buffer + input->begin, cut ? 0 : length, cut};
    input->begin += length;
    return !input->failed;
}
