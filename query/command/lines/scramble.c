// Finds the scrambles in the lines of an input.
#include "scramble.h"

#include "tables/base/ascii.h"

#include <string.h>

bool scramble_is_comment(const char *line, size_t length)
{
    const char *next = line;
    while (next < line + length && ascii_is_space(*next)) {
        next++;
    }
    size_t left = length - (size_t)(next - line);
    return (left > 0 && *next == '#') || (left > 1 && next[0] == '/' && next[1] == '/');
}

// Is this the first word of the line?
static bool begins_with(struct input_text line, const char *word)
{
    const char *next = line.text;
    const char *end = line.text + line.length;
    while (next < end && ascii_is_space(*next)) {
        next++;
    }
    size_t length = strlen(word);
    return (size_t)(end - next) >= length && memcmp(next, word, length) == 0 &&
           (next + length == end || ascii_is_space(next[length]));
}

static bool begins_block(struct input_text line)
{
    return begins_with(line, "Scramble") || begins_with(line, "ScrambleAlg") ||
           begins_with(line, "ScrambleState") || begins_with(line, "StartState");
}

// Adds a block, whose first line is there, as scramble.h says.
static bool read_block(struct input *input, struct input_text line, struct lines *lines)
{
    unsigned long joined = 0;
    bool is_closed = false;
    lines_hold(lines, true);
    bool done = lines_add(lines, line.text, line.length);
    while (done && !is_closed && input_line(input, &line)) {
        is_closed = begins_with(line, "End");
        done = lines_add(lines, "\v", 1) && lines_add(lines, line.text, line.length);
        joined++;
    }
    done = done && lines_add(lines, "\n", 1);
    for (; done && joined > 0; joined--) {
        done = lines_add(lines, "#\n", 2);
    }
    lines_hold(lines, false);
    return done;
}

// Adds a line or a block.
static bool read_item(struct input *input, struct lines *lines)
{
    struct input_text line;
    if (!input_line(input, &line)) {
        return false;
    }
    if (begins_block(line)) {
        return read_block(input, line, lines);
    }
    return lines_add(lines, line.text, line.length) && lines_add(lines, "\n", 1);
}

bool scramble_read_lines(struct input *input, bool one, struct lines *lines)
{
    bool done = read_item(input, lines);
    while (done && !one && memchr(input->buffer + input->begin, '\n', input->end - input->begin)) {
        done = read_item(input, lines);
    }
    return done;
}
