// Compares input_tokens, which reads several tokens at once, with input_token.
#include "base/ascii.h"
#include "input.h"
#include "support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 3 * INPUT_LINE_LONGEST, COUNT_MOST = 5, WIDTH_MOST = 4 };

static char text[TEXT];

// Words, most of `width` bytes, and white space.
static void write_text(unsigned width)
{
    size_t at = 0;
    while (at < TEXT) {
        unsigned length =
            support_random_below(8) > 0 ? width : support_random_below(WIDTH_MOST + 2);
        unsigned spaces = support_random_below(8) > 0 ? 1 : support_random_below(4);
        for (; length > 0 && at < TEXT; length--) {
            text[at++] = "ab,0\1\200"[support_random_below(6)];
        }
        for (; spaces > 0 && at < TEXT; spaces--) {
            text[at++] = " \n\t\r\v\f"[support_random_below(6)];
        }
    }
}

static FILE *open_text(struct input *input)
{
    FILE *file = tmpfile();
    cr_assert(file && fwrite(text, 1, TEXT, file) == TEXT && fflush(file) == 0);
    rewind(file);
    input_begin(input, fileno(file), "text");
    return file;
}

// May input_tokens refuse these tokens? It may if one has another width, or reaches the end of the
// buffer.
static bool may_refuse(const struct input *input, unsigned count, unsigned width)
{
    size_t at = input->begin;
    for (; count > 0; count--) {
        size_t length = 0;
        while (at < input->end && ascii_is_space(input->buffer[at])) {
            at++;
        }
        while (at + length < input->end && !ascii_is_space(input->buffer[at + length])) {
            length++;
        }
        at += length;
        if (length != width || at == input->end) {
            return true;
        }
    }
    return false;
}

Test(input, several_tokens_are_read_as_one_by_one)
{
    static struct input fast;
    static struct input slow;
    unsigned read = 0;
    unsigned refused = 0;
    for (unsigned width = 1; width <= WIDTH_MOST; width++) {
        write_text(width);
        FILE *fast_file = open_text(&fast);
        FILE *slow_file = open_text(&slow);
        struct input_text token;
        struct input_text expected = {.text = ""};
        do {
            char tokens[COUNT_MOST * WIDTH_MOST];
            unsigned count = 1 + support_random_below(COUNT_MOST);
            size_t begin = fast.begin;
            unsigned long lines = fast.lines;
            if (!input_tokens(&fast, count, width, tokens)) {
                cr_assert(may_refuse(&fast, count, width));
                cr_assert_eq(fast.begin, begin);
                cr_assert_eq(fast.lines, lines);
                refused++;
            } else if (support_random_below(4) == 0) {
                input_undo_tokens(&fast);
                cr_assert_eq(fast.begin, begin);
                cr_assert_eq(fast.lines, lines);
            } else {
                for (unsigned t = 0; t < count; t++) {
                    cr_assert(input_token(&slow, &expected));
                    cr_assert_eq(expected.length, width);
                    cr_assert_arr_eq(expected.text, tokens + t * width, width);
                }
                cr_assert_eq(fast.line, slow.line);
                cr_assert_eq(fast.lines, slow.lines);
                read++;
            }
            bool there = input_token(&slow, &expected);
            cr_assert_eq(input_token(&fast, &token), there);
            cr_assert_eq(token.length, expected.length);
            cr_assert_arr_eq(token.text, expected.text, token.length);
            cr_assert_eq(fast.line, slow.line);
            if (!there) {
                break;
            }
        } while (true);
        fclose(fast_file);
        fclose(slow_file);
    }
    cr_expect_gt(read, 10000);
    cr_expect_gt(refused, 10000);
}
