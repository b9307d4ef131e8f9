// Numbers of bytes for people.
#ifndef FEWEST_GEN_LAYERS_SIZE_H
#define FEWEST_GEN_LAYERS_SIZE_H

#include <stdint.h>

enum { SIZE_TEXT = 32 };

// Writes a number of bytes, as in "252 MiB". Returns `text`.
char *size_write(uint64_t bytes, char text[SIZE_TEXT]);

#endif
