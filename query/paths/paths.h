// Numbers of paths, which have up to 128 bits. Internal to query/paths.
#ifndef FEWEST_QUERY_PATHS_PATHS_H
#define FEWEST_QUERY_PATHS_PATHS_H

#include "query/table/table.h"

// Adds `more` to *sum. Returns false if the sum has more than 128 bits.
static inline bool wide_add(struct fewest_wide *sum, struct fewest_wide more)
{
    sum->low += more.low;
    uint64_t carry = sum->low < more.low;
    bool fits = more.high <= UINT64_MAX - carry && sum->high <= UINT64_MAX - carry - more.high;
    sum->high += more.high + carry;
    return fits;
}

static inline bool wide_is_more(struct fewest_wide a, struct fewest_wide b)
{
    return a.high > b.high || (a.high == b.high && a.low > b.low);
}

// Reports a number of paths that has more than 128 bits. Returns false.
static inline bool wide_report(struct fewest_error *error)
{
    return error_set(error, FEWEST_BEYOND, "there are 2^128 shortest paths or more");
}

#endif
