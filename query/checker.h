// The checker: what it checks, its findings, and distances to be proved. Internal to query/.
#ifndef FEWEST_QUERY_CHECKER_H
#define FEWEST_QUERY_CHECKER_H

#include "table.h"

enum { FINDINGS_MOST = 10 }; // reported for each rule

struct checker {
    struct fewest *table;
    const struct puzzle *puzzle;
    const struct section *section;                      // that is being checked
    unsigned root;                                      // of that section
    void (*report)(void *context, const char *finding); // or NULL
    void *context;
    struct fewest_error *error; // the first finding, or why the check could not finish
    uint64_t findings;          // of the rule that is being checked
    bool sound;
    bool stopped; // by the watcher; then `sound` is false
};

enum { RULE_BITS = 0 }; // for findings about the bits, which have no rule number

// Reports a finding against a rule of check.c.
void check_find(struct checker *checker, unsigned rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Calls the watcher now and then: `done` of `all` steps of a rule are done. Returns false once it
// has stopped the check. Then nothing is proved, and nothing more may be found.
bool check_goes_on(struct checker *checker, unsigned rule, uint64_t done, uint64_t all);

// Ends a rule: reports how many of its findings were left out.
void check_end_rule(struct checker *checker);

// Reports that the check can't finish: there is not enough memory to check `count` things.
void check_lacks_memory(struct checker *checker, uint64_t count, const char *things);

// Distances of the root's states that are to be proved: those of a section, or those that a search
// found. They are stored like the entries of a section (format.h).
struct proposed {
    const uint8_t *bytes;
    unsigned bits;
    uint64_t entries;
};

// Stands for `unreachable` at any width of the entries. It is above every distance plus one.
static const int INFINITE = 1 << 16;

// The distance of a state, as findings name it: "at distance 3" or "unreachable".
struct place {
    char text[24];
};

struct place place_of(int distance);

static inline int proposed_distance(const struct proposed *proposed, uint64_t entry)
{
    unsigned value = entry_get(proposed->bytes, proposed->bits, entry);
    return value == entry_unreachable(proposed->bits) ? INFINITE : (int)value;
}

static inline struct proposed proposed_of(const struct unpacked *unpacked)
{
    const struct section *section = unpacked->section;
    return (struct proposed){unpacked->whole, section->bits, section->entries};
}

static inline int distance_of(const struct unpacked *unpacked, uint64_t entry)
{
    struct proposed proposed = proposed_of(unpacked);
    return proposed_distance(&proposed, entry);
}

#endif
