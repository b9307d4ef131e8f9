/*
 * What all twins do when they are misused, or there is no memory: end the
 * program with a message.
 */
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

/* All zero. */
static inline void *must_allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory)
        die("out of memory");
    return memory;
}

#endif
