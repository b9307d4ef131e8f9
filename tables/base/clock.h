// Tells the time in seconds, from a clock that only goes forward.
#ifndef FEWEST_TABLES_CLOCK_H
#define FEWEST_TABLES_CLOCK_H

#include <time.h>

static inline double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
