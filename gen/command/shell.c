// Puts quotes around words of a command.
#include "shell.h"

#include <stdio.h>
#include <string.h>

bool shell_is_plain(const char *word)
{
    static const char PLAIN[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-=,:%@";
    return *word && word[strspn(word, PLAIN)] == '\0';
}

bool shell_append(char *text, size_t size, const char *word)
{
    size_t begin = strlen(text);
    size_t used = begin;
    const char *quote = shell_is_plain(word) ? "" : "'";
    const char *space = begin > 0 ? " " : "";
    used += (size_t)snprintf(text + used, size - used, "%s%s", space, quote);
    for (const char *c = word; *c && used < size; c++) {
        if (*c < ' ' || *c > '~') {
            text[begin] = '\0';
            return false;
        }
        // Within quotes, an apostrophe ends them, stands alone, and begins them again.
        used += (size_t)snprintf(text + used, size - used, *c == '\'' ? "'\\''" : "%c", *c);
    }
    if (used < size) {
        used += (size_t)snprintf(text + used, size - used, "%s", quote);
    }
    if (used >= size) {
        text[begin] = '\0';
        return false;
    }
    return true;
}
