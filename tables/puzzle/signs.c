// Tells the signs around the cells of a state that people type or paste.
#include "signs.h"

#include "tables/base/ascii.h"

void signs_begin(struct signs *signs)
{
    for (unsigned c = 0; c <= UCHAR_MAX; c++) {
        const char text = (char)c;
        signs->separates[c] = ascii_is_separator(text) || ascii_is_bracket(text);
    }
    signs->comments = true;
}

void signs_leave_out(struct signs *signs, const char *letters)
{
    for (; *letters; letters++) {
        signs->separates[(unsigned char)*letters] = false;
        signs->comments = signs->comments && *letters != '#';
    }
}

const char *signs_skip_size(const struct signs *signs, const char *text, const char *end,
                            const unsigned size[3])
{
    const unsigned count = size[2] > 1 ? 3 : 2; // numbers of the size, if it is not only a side
    const char *next = signs_skip(signs, text, text, end);
    const char *stop = signs_find_line_end(next, end);
    unsigned read = 0; // numbers so far
    for (; next < stop; next = signs_skip(signs, text, next, stop)) {
        uint64_t number;
        size_t digits = ascii_read_number(next, (size_t)(stop - next), &number);
        if (digits == 0 || read == count || number != size[read]) {
            return NULL;
        }
        next += digits;
        if (next < stop && !signs->separates[(unsigned char)*next]) {
            return NULL;
        }
        read++;
    }
    bool is_side = read == 1 && size[0] == size[1] && (count == 2 || size[1] == size[2]);
    bool is_followed = signs_skip(signs, text, stop, end) < end;
    return is_followed && (read == count || is_side) ? stop : NULL;
}
