// Finds the scrambles in the lines of an input.
#include "scramble.h"

#include "tables/base/ascii.h"

#include <string.h>

bool scramble_is_comment(const char *line, size_t length)
{
    const char *end = line + length;
    while (line < end && ascii_is_space(*line)) {
        line++;
    }
    return ascii_begins_comment(line, end);
}

// Takes the next word of a line, from *next on. Its length is 0 at the end.
static struct input_text take_word(const char **next, const char *end)
{
    while (*next < end && ascii_is_space(**next)) {
        ++*next;
    }
    struct input_text word = {.text = *next};
    while (*next < end && !ascii_is_space(**next)) {
        ++*next;
    }
    word.length = (size_t)(*next - word.text);
    return word;
}

static bool is_word(struct input_text word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

// Does a line begin a block that ends with `End`? Then it has two words, and perhaps a comment.
static bool begins_block(struct input_text line)
{
    const char *next = line.text;
    const char *end = line.text + line.length;
    struct input_text first = take_word(&next, end);
    bool is_named = take_word(&next, end).length > 0;
    while (next < end && ascii_is_space(*next)) {
        next++;
    }
    return (is_word(first, "Scramble") || is_word(first, "ScrambleAlg") ||
            is_word(first, "ScrambleState") || is_word(first, "StartState")) &&
           is_named && (next == end || scramble_is_comment(next, (size_t)(end - next)));
}

static bool begins_with(struct input_text line, const char *word)
{
    const char *next = line.text;
    return is_word(take_word(&next, line.text + line.length), word);
}

// Adds a block, whose first line is *line, as one line without its comments (scramble.h). Reads up
// to its `End`, or until it is too long for a line, or until the next scramble begins. Then the
// first line of the next scramble is in *line, and *is_next becomes true.
static bool add_block(struct input *input, struct input_text *line, bool *is_next,
                      struct lines *lines)
{
    unsigned long joined = 0;
    size_t length = line->length;
    bool is_end = false;
    lines_hold(lines, true);
    bool done = lines_add(lines, line->text, line->length, 0);
    while (done && !is_end && length <= INPUT_LINE_LONGEST && input_line(input, line)) {
        *is_next = begins_block(*line) || begins_with(*line, "CPOS");
        if (*is_next) {
            break;
        }
        bool is_comment = scramble_is_comment(line->text, line->length);
        size_t kept = is_comment ? 0 : line->length;
        is_end = begins_with(*line, "End");
        done = lines_add(lines, "\v", 1, 0) && lines_add(lines, line->text, kept, 0);
        length += 1 + kept;
        joined++;
    }
    if (!done || input->failed) {
        return false; // and what has been read of the block is not answered
    }
    done = lines_add(lines, "\n", 1, 1);
    for (; done && joined > 0; joined--) {
        done = lines_add(lines, "#\n", 2, 1); // a comment for each line that was joined
    }
    lines_hold(lines, false);
    return done;
}

bool scramble_read_lines(struct input *input, bool one, struct lines *lines)
{
    struct input_text line;
    bool is_next = false; // the line is read, but not added
    bool done;
    do {
        if (!is_next && !input_line(input, &line)) {
            return false;
        }
        is_next = false;
        if (begins_block(line)) {
            done = add_block(input, &line, &is_next, lines);
        } else {
            done = lines_add(lines, line.text, line.length, 0) && lines_add(lines, "\n", 1, 1);
        }
        // Goes on if the next line is there: add_block has read it or, unless `one`, the buffer has
        // it.
    } while (done && (is_next || (!one && memchr(input->buffer + input->begin, '\n',
                                                 input->end - input->begin))));
    return done;
}
