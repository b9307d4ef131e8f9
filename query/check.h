// What the parts of a table's check share. Internal to query/.
#ifndef FEWEST_QUERY_CHECK_H
#define FEWEST_QUERY_CHECK_H

#include "table.h"

enum { FINDINGS_MOST = 10 }; // reported of each claim

struct checker {
    struct fewest *table;
    const struct puzzle *puzzle;
    unsigned root; // at hand
    void (*report)(void *context, const char *text);
    void *context;
    unsigned findings; // of the claim at hand
    bool sound;
};

// Reports a finding; and, at the end of a claim, how many more there were.
void check_find(struct checker *checker, const char *format, ...) __attribute__((format(printf, 2, 3)));
void check_end_claim(struct checker *checker);

// Claims 5 and 6 of a root, and claim 7 of all databases.
void check_whole_states(struct checker *checker);
void check_databases(struct checker *checker);

static const int FAR = 1 << 16; // `unreachable`, whatever the width of the entries: above every distance and one more

static inline int distance_of(const struct unpacked *unpacked, uint64_t entry)
{
    unsigned value = entry_get(unpacked->bytes, unpacked->section->bits, entry);
    return value == entry_unreachable(unpacked->section->bits) ? FAR : (int)value;
}

#endif
