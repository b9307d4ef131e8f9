// Shared by the files that check a table. Internal to query/.
#ifndef FEWEST_QUERY_CHECK_H
#define FEWEST_QUERY_CHECK_H

#include "table.h"

enum { FINDINGS_MOST = 10 }; // reported of each claim

struct checker {
    struct fewest *table;
    const struct puzzle *puzzle;
    unsigned root;                                      // at hand
    void (*report)(void *context, const char *finding); // or NULL
    void *context;
    struct fewest_error *error; // the first finding, or why the check could not finish
    unsigned findings;          // of the rule at hand
    bool sound;
};

enum { RULE_BITS = 0 }; // what is found without a proof has no number

// Reports a finding against a rule of check.c.
void check_find(struct checker *checker, unsigned rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// At the end of a rule: reports how many findings were left out.
void check_end_rule(struct checker *checker);

// There is not enough memory to search `count` things: the check can't finish.
void check_lacks_memory(struct checker *checker, uint64_t count, const char *things);

// Distances of the states of the root at hand, to be proved: a section's, or what a search found.
// Entries as in a section (format.h).
struct proposed {
    const uint8_t *bytes;
    unsigned bits;
    uint64_t entries;
    uint64_t root;
};

// Rules 1 to 3, of any distances and of the root's section of states.
void check_distances(struct checker *checker, const struct proposed *proposed);
void check_states(struct checker *checker);

// Rule 4 of a root.
void check_wildcard_targets(struct checker *checker);

// Rules 5 and 6 of a root.
void check_full_states(struct checker *checker);

// Rules 7 to 10 of a pattern database. A test passes `spoil` to change the distances that the
// search found, and see the rules fail: distances of arrangement * cells + the blank's cell.
// Otherwise `spoil` is NULL.
void check_database(struct checker *checker, unsigned number, void (*spoil)(uint8_t *distances));

// `unreachable`, whatever the width of the entries: above every distance and one more.
static const int FAR = 1 << 16;

// The distance of a state, as findings name it: "at distance 3" or "unreachable".
struct place {
    char text[24];
};

struct place place_of(int distance);

static inline int proposed_distance(const struct proposed *proposed, uint64_t entry)
{
    unsigned value = entry_get(proposed->bytes, proposed->bits, entry);
    return value == entry_unreachable(proposed->bits) ? FAR : (int)value;
}

static inline struct proposed proposed_of(const struct unpacked *unpacked)
{
    const struct section *section = unpacked->section;
    return (struct proposed){unpacked->bytes, section->bits, section->entries, section->root};
}

static inline int distance_of(const struct unpacked *unpacked, uint64_t entry)
{
    struct proposed proposed = proposed_of(unpacked);
    return proposed_distance(&proposed, entry);
}

#endif
