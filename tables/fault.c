#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fault_write(struct fault *fault, enum fault_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault->code = code;
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
}

void fault_write_line(struct fault *fault, enum fault_code code, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fault->code = code;
    int used = snprintf(fault->text, sizeof fault->text, "line %u: ", line);
    vsnprintf(fault->text + used, sizeof fault->text - (size_t)used, format, arguments);
    va_end(arguments);
}

bool fault_prefix(struct fault *fault, const char *prefix)
{
    char joined[sizeof fault->text];
    int length = snprintf(joined, sizeof joined, "%s: ", prefix);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used < sizeof joined) {
        snprintf(joined + used, sizeof joined - used, "%s", fault->text);
    }
    memcpy(fault->text, joined, sizeof joined);
    return false;
}

char *fault_escape(char *out, size_t size, const char *bytes, size_t length)
{
    static const size_t LONGEST = 4; // of one byte (\xNN), and of the dots with their end
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
