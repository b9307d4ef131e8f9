// Fills in errors, and makes bytes of a file printable.
#include "errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Appends to the error's text. What does not fit is cut off.
static void append_text(struct fewest_error *error, const char *format, va_list arguments)
{
    size_t used = strlen(error->text);
    vsnprintf(error->text + used, sizeof error->text - used, format, arguments);
}

// Appends "line N" to the text, and notes these words as lines[which], which is 0 or 1. What does
// not fit is cut off.
static void append_line(struct fewest_error *error, unsigned which, unsigned line)
{
    size_t begin = strlen(error->text);
    snprintf(error->text + begin, sizeof error->text - begin, "line %u", line);
    error->lines[which] =
        (struct fewest_error_line){line, (unsigned)begin, (unsigned)(strlen(error->text) - begin)};
}

// Begins an error without a text.
static void begin_error(struct fewest_error *error, enum fewest_status status)
{
    error->status = status;
    error->text[0] = '\0';
    memset(error->lines, 0, sizeof error->lines);
    error->at_least = 0;
}

void error_write(struct fewest_error *error, enum fewest_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin_error(error, status);
    append_text(error, format, arguments);
    va_end(arguments);
}

void error_write_line(struct fewest_error *error, enum fewest_status status, unsigned line,
                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin_error(error, status);
    append_line(error, 0, line);
    error_append(error, ": ");
    append_text(error, format, arguments);
    va_end(arguments);
}

void error_append_line(struct fewest_error *error, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append_line(error, 1, line);
    append_text(error, format, arguments);
    va_end(arguments);
}

void error_append(struct fewest_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append_text(error, format, arguments);
    va_end(arguments);
}

// Replaces `length` bytes of the error's text, from byte `begin` on, by another text. Moves the
// places of the words "line N" behind it, and forgets those that no longer fit.
static void replace_part(struct fewest_error *error, size_t begin, size_t length, const char *text)
{
    struct fewest_error old = *error;
    snprintf(error->text, sizeof error->text, "%.*s%s%s", (int)begin, old.text, text,
             old.text + begin + length);
    for (unsigned i = 0; i < 2; i++) {
        struct fewest_error_line *line = &error->lines[i];
        if (line->begin >= begin + length) {
            line->begin = (unsigned)(line->begin - length + strlen(text));
        }
        if (line->begin + line->length > strlen(error->text)) {
            line->number = 0; // the words were cut off
        }
    }
}

void error_name_line(struct fewest_error *error, unsigned which, const char *name)
{
    struct fewest_error_line line = error->lines[which];
    if (name && line.number > 0) {
        error->lines[which].number = 0;
        replace_part(error, line.begin, line.length, name);
    }
}

bool error_prefix(struct fewest_error *error, const char *prefix)
{
    replace_part(error, 0, 0, ": ");
    replace_part(error, 0, 0, prefix);
    return false;
}

bool error_prefix_path(struct fewest_error *error, const char *path)
{
    char shown[sizeof error->text / 2];
    return error_prefix(error, escape_text(shown, sizeof shown, path, strlen(path)));
}

char *escape_text(char *out, size_t size, const char *bytes, size_t length)
{
    static const size_t LONGEST = 4; // bytes of \xNN without NUL, and of "..." with its NUL
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (used + 2 * LONGEST > size) { // no room for this byte and a "..." after it
            memcpy(out + used, "...", LONGEST);
            return out;
        }
        if (byte >= ' ' && byte <= '~') {
            out[used++] = (char)byte;
        } else {
            used += (size_t)snprintf(out + used, size - used, "\\x%02X", byte);
        }
    }
    out[used] = '\0';
    return out;
}
