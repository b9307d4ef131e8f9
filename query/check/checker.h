// The checker: what it checks, its findings, its threads, and distances to be proved. Internal to
// query/.
#ifndef FEWEST_QUERY_CHECK_CHECKER_H
#define FEWEST_QUERY_CHECK_CHECKER_H

#include "query/table/table.h"
#include "tables/algebra/pages.h"

enum {
    RULE_BITS = 0, // for findings about the bits, which have no rule number
    RULE_COUNT = 14,
    FINDINGS_MOST = 10, // reported for each rule
};

struct checker {
    struct fewest *table;
    const struct puzzle *puzzle;
    const struct section *section;                      // that is being checked
    unsigned root;                                      // of that section
    const struct pages *pages;                          // of that root; or NULL
    void (*report)(void *context, const char *finding); // or NULL
    void *context;
    struct fewest_error *error;    // the first finding, or why the check could not finish
    uint64_t findings[RULE_COUNT]; // since check_end_rules
    bool only_counts;              // in a thread: findings are reported later
    bool sound;
    bool stopped; // by the watcher, or because rule 11 is broken; then `sound` is false
    // NULL except in a test: there it changes what the check of a root works with, and the check
    // must find that.
    void (*spoil)(void *context, struct puzzle *puzzle, struct pages *pages);
    void *spoil_context;
};

// Counts a finding against a rule of check.c. Also reports it, and clears `sound`, unless the
// checker only counts or has reported FINDINGS_MOST of this rule.
void check_report(struct checker *checker, unsigned rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Calls the watcher now and then: `done` of `all` steps of a rule are done. Returns false once the
// watcher has stopped the check. Then nothing is proved, and nothing more may be found.
bool check_goes_on(struct checker *checker, unsigned rule, uint64_t done, uint64_t all);

// Checks begin … end-1 of a loop. Finds the same whenever it is called.
typedef void check_part(struct checker *checker, void *context, uint64_t begin, uint64_t end);

// Checks a loop over 0 … count-1 in all threads, in parts of `grain`. Whatever the number of
// threads, the first findings of each rule are reported, in the order of the loop. For that, parts
// are checked once more if there are findings. `rule` is for the watcher.
void check_in_threads(struct checker *checker, unsigned rule, uint64_t count, uint64_t grain,
                      check_part *part, void *context);

enum { STATES_A_PART = 1 << 14 };

// Ends some rules: reports how many findings were left out, and sets the counts back to 0. False if
// there were findings, or if the check was stopped.
bool check_end_rules(struct checker *checker);

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
struct distance_text {
    char text[24];
};

struct distance_text tell_distance(int distance);

// The distance of an entry, or INFINITE.
static inline int proposed_distance(const struct proposed *proposed, uint64_t entry)
{
    unsigned value = entry_get(proposed->bytes, proposed->bits, entry);
    return value == entry_unreachable(proposed->bits) ? INFINITE : (int)value;
}

// Unpacks the distances of a run of states, a byte each. STRIDE_UNREACHABLE stands for INFINITE.
void proposed_unpack(const struct proposed *proposed, uint64_t first, unsigned count,
                     uint8_t *distances);

// The entries of a section as distances to be proved. All its blocks must be unpacked, in memory of
// their own.
static inline struct proposed proposed_of(const struct unpacked *unpacked)
{
    const struct section *section = unpacked->section;
    return (struct proposed){unpacked->room, section->bits, section->entries};
}

// The distance of an entry of a section, or INFINITE. All its blocks must be unpacked, as above.
static inline int distance_of(const struct unpacked *unpacked, uint64_t entry)
{
    struct proposed proposed = proposed_of(unpacked);
    return proposed_distance(&proposed, entry);
}

#endif
