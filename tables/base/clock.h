// Tells the time in seconds: from a clock that only goes forward, or as a thread has worked.
#ifndef FEWEST_TABLES_CLOCK_H
#define FEWEST_TABLES_CLOCK_H

#include <time.h>

static inline double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// The processor time that this thread has used so far. Other processes do not count.
static inline double clock_thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
