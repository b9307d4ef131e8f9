// Ends the program with a message if a twin is misused or memory runs out.
#ifndef TWIN_MISUSE_H
#define TWIN_MISUSE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static inline _Noreturn void die(const char *why)
{
    fprintf(stderr, "twin: %s\n", why);
    exit(EXIT_FAILURE);
}

static inline void *must_grow(void *memory, size_t count, size_t size)
{
    void *grown = realloc(memory, count * size);
    if (!grown) {
        die("out of memory");
    }
    return grown;
}

// Allocates memory filled with zeros.
static inline void *must_allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        die("out of memory");
    }
    return memory;
}

#endif
