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
    size_t used = begin; // becomes size or more if something does not fit
    const char *quote = shell_is_plain(word) ? "" : "'";
    const char *space = begin > 0 ? " " : "";
    used += (size_t)snprintf(text + used, size - used, "%s%s", space, quote);
    for (const char *c = word; *c && used < size; c++) {
        if (*c < ' ' || *c > '~') {
            text[begin] = '\0';
            return false;
        }
        // An apostrophe can't be in quotes: it ends them, stands alone, and begins them again.
        const char plain[] = {*c, '\0'}; // the character as a string
        const char *quoted = *c == '\'' ? "'\\''" : plain;
        used += (size_t)snprintf(text + used, size - used, "%s", quoted);
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
