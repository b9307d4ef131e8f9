// Writes words of a command as a shell reads them.
#ifndef FEWEST_GEN_COMMAND_SHELL_H
#define FEWEST_GEN_COMMAND_SHELL_H

#include <stdbool.h>
#include <stddef.h>

// Does a shell take the word as it stands, without quotes?
bool shell_is_plain(const char *word);

// Appends a space, unless the text is empty, and the word, in quotes if it needs them. If the word
// is not printable ASCII or does not fit, returns false and leaves the text as it was.
bool shell_append(char *text, size_t size, const char *word);

#endif
