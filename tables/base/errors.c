// Fills in errors, and makes bytes of a file printable.
#include "base/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_write(struct fewest_error *error, enum fewest_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

void error_write_line(struct fewest_error *error, enum fewest_status code, unsigned line,
                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = code;
    int used = snprintf(error->text, sizeof error->text, "line %u: ", line);
    vsnprintf(error->text + used, sizeof error->text - (size_t)used, format, arguments);
    va_end(arguments);
}

bool error_prefix(struct fewest_error *error, const char *prefix)
{
    struct fewest_error before = *error;
    return error_set(error, before.status, "%s: %s", prefix, before.text);
}

bool error_prefix_path(struct fewest_error *error, const char *path)
{
    char shown[sizeof error->text / 2];
    return error_prefix(error, escape_text(shown, sizeof shown, path, strlen(path)));
}

char *escape_text(char *out, size_t size, const char *bytes, size_t length)
{
    static const size_t LONGEST = 4; // bytes of \xNN, and of "..." with its NUL
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (used + 2 * LONGEST > size) {
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
