// No limits of a process.
#ifndef FEWEST_PAGE_SHIM_RESOURCE_H
#define FEWEST_PAGE_SHIM_RESOURCE_H

typedef unsigned long long rlim_t;

struct rlimit {
    rlim_t rlim_cur;
    rlim_t rlim_max;
};

enum { RLIMIT_DATA = 2, RLIMIT_AS = 9 };
#define RLIM_INFINITY (~0ULL)

static inline int getrlimit(int resource, struct rlimit *limit)
{
    (void)resource;
    limit->rlim_cur = RLIM_INFINITY;
    limit->rlim_max = RLIM_INFINITY;
    return 0;
}

#endif
