// White space, separators, signs and decimal numbers in ASCII text, the same in every locale. Also
// finds the byte order mark of UTF-8.
#ifndef FEWEST_TABLES_ASCII_H
#define FEWEST_TABLES_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A space, tab, newline, vertical tab, form feed or carriage return. Most characters are above all
// of them.
static inline bool ascii_is_space(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || (c >= '\t' && c <= '\r'));
}

// White space that ends a line of moves: all but spaces and tabs.
static inline bool ascii_ends_line(char c)
{
    return ascii_is_space(c) && c != ' ' && c != '\t';
}

// Does a comment of moves begin here, before `end`?
static inline bool ascii_begins_comment(const char *next, const char *end)
{
    return next < end && (*next == '#' || (end - next > 1 && next[0] == '/' && next[1] == '/'));
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Separators of cells that a person types: white space, a comma or a slash.
static inline bool ascii_is_separator(char c)
{
    return ascii_is_space(c) || c == ',' || c == '/';
}

// A bracket, parenthesis, brace or semicolon: signs of the lists that other programs print.
static inline bool ascii_is_bracket(char c)
{
    return c == '[' || c == ']' || c == '(' || c == ')' || c == '{' || c == '}' || c == ';';
}

// A sign that stands for the blank of a board.
static inline bool ascii_is_blank(char c)
{
    return c == '0' || c == 'x' || c == 'X' || c == '_' || c == '.';
}

// The number of bytes at the start of a text that are the byte order mark of UTF-8: 3 or 0. Some
// editors write one.
static inline size_t ascii_mark_length(const char *text, size_t length)
{
    static const char MARK[] = "\xEF\xBB\xBF";
    return length >= 3 && memcmp(text, MARK, 3) == 0 ? 3 : 0;
}

// Reads the digits at the start of `text`, which has `length` bytes. Returns how many digits it
// read: 0 if there are none, or if the number exceeds 2^64-1.
static inline size_t ascii_read_number(const char *text, size_t length, uint64_t *number)
{
    enum { DIGITS_SAFE = 19 }; // a number of 19 digits is below 2^64
    uint64_t value = 0;
    size_t digits = 0;
    for (; digits < length && ascii_is_digit(text[digits]); digits++) {
        uint64_t digit = (uint64_t)(text[digits] - '0');
        if (digits >= DIGITS_SAFE && value > (UINT64_MAX - digit) / 10) {
            return 0;
        }
        value = value * 10 + digit;
    }
    *number = value;
    return digits;
}

#endif
