// Collects and reports what the check of a table finds, in several threads.
#include "checker.h"

#include "tables/base/parallel.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void check_report(struct checker *checker, unsigned rule, const char *format, ...)
{
    char text[FEWEST_ERROR_SIZE];
    int length = 0;
    va_list arguments;
    if (++checker->findings[rule] > FINDINGS_MOST || checker->only_counts) {
        return;
    }
    if (rule != RULE_BITS) {
        length = snprintf(text, sizeof text, "rule %u: ", rule);
    }
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    if (checker->sound) {
        checker->sound = error_set(checker->error, FEWEST_DAMAGED, "%s", text);
    }
    if (checker->report) {
        checker->report(checker->context, text);
    }
}

// Tells the watcher that `done` of `all` steps of a rule are done. Returns false once the watcher
// has stopped the check.
static bool call_watcher(struct checker *checker, unsigned rule, uint64_t done, uint64_t all)
{
    char what[64] = "";
    if (checker->stopped) {
        return false;
    }
    int length = rule == RULE_BITS ? 0 : snprintf(what, sizeof what, "rule %u of ", rule);
    snprintf(what + length, sizeof what - (size_t)length, "section %s", checker->section->name);
    if (!table_watches_on(checker->table, what, done, all, checker->error)) {
        checker->stopped = true;
        checker->sound = false;
    }
    return !checker->stopped;
}

bool check_goes_on(struct checker *checker, unsigned rule, uint64_t done, uint64_t all)
{
    if (done % STEPS_PER_WATCH != 0) {
        return !checker->stopped;
    }
    return call_watcher(checker, rule, done, all);
}

bool check_end_rules(struct checker *checker)
{
    char text[64];
    bool right = !checker->stopped;
    for (unsigned rule = 0; rule < RULE_COUNT; rule++) {
        if (checker->findings[rule] > FINDINGS_MOST && checker->report) {
            snprintf(text, sizeof text, "... and %llu more findings of this kind",
                     (unsigned long long)checker->findings[rule] - FINDINGS_MOST);
            checker->report(checker->context, text);
        }
        right = right && checker->findings[rule] == 0;
        checker->findings[rule] = 0;
    }
    return right;
}

// ---- Threads ------------------------------------------------------------------------------------

// A loop of check_in_threads. Its threads share this.
struct shared_loop {
    struct checker *checker;
    unsigned rule;
    uint64_t count;
    uint64_t grain;
    check_part *part;
    void *context;
    pthread_mutex_t lock; // for what follows, and the checker
    uint64_t done;
    uint64_t findings[RULE_COUNT]; // of the checker before the loop, and of all parts
    uint64_t first;                // where the first part with a finding begins; or `count`
};

// Checks one part of a loop in a thread, with a checker of its own that only counts findings. Adds
// their numbers to the loop, and notes the first part that has one.
static void count_in_part(void *context, uint64_t begin, uint64_t end)
{
    struct shared_loop *loop = context;
    pthread_mutex_lock(&loop->lock);
    bool goes_on = call_watcher(loop->checker, loop->rule, loop->done, loop->count);
    struct checker mine = *loop->checker;
    pthread_mutex_unlock(&loop->lock);
    if (!goes_on) {
        return;
    }
    memset(mine.findings, 0, sizeof mine.findings);
    mine.only_counts = true;
    loop->part(&mine, loop->context, begin, end);
    pthread_mutex_lock(&loop->lock);
    for (unsigned rule = 0; rule < RULE_COUNT; rule++) {
        loop->findings[rule] += mine.findings[rule];
        if (mine.findings[rule] > 0 && begin < loop->first) {
            loop->first = begin;
        }
    }
    loop->done += end - begin;
    pthread_mutex_unlock(&loop->lock);
}

// Has the checker reported as many findings of each rule as it should?
static bool has_reported_all(const struct shared_loop *loop)
{
    const uint64_t *reported = loop->checker->findings;
    bool all = true;
    for (unsigned rule = 0; rule < RULE_COUNT; rule++) {
        all &= reported[rule] >= FINDINGS_MOST || reported[rule] >= loop->findings[rule];
    }
    return all;
}

// Checks the parts once more, in order, from the first one with a finding on. This time the checker
// reports what it finds. Ends when the first findings of each rule are reported.
static void report_findings(struct shared_loop *loop)
{
    struct checker *checker = loop->checker;
    uint64_t begin = loop->first;
    while (begin < loop->count && !has_reported_all(loop) &&
           call_watcher(checker, loop->rule, begin, loop->count)) {
        uint64_t end = loop->count - begin < loop->grain ? loop->count : begin + loop->grain;
        loop->part(checker, loop->context, begin, end);
        begin = end;
    }
}

void check_in_threads(struct checker *checker, unsigned rule, uint64_t count, uint64_t grain,
                      check_part *part, void *context)
{
    struct shared_loop loop = {.checker = checker,
                               .rule = rule,
                               .count = count,
                               .grain = grain,
                               .part = part,
                               .context = context,
                               .first = count};
    memcpy(loop.findings, checker->findings, sizeof loop.findings);
    if (pthread_mutex_init(&loop.lock, NULL) != 0) {
        checker->sound = error_no_memory(checker->error, "for a lock");
        checker->stopped = true;
        return;
    }
    parallel_for(checker->table->options.threads, count, grain, count_in_part, &loop);
    pthread_mutex_destroy(&loop.lock);
    report_findings(&loop);
    memcpy(checker->findings, loop.findings, sizeof loop.findings);
}

// ---- Distances ----------------------------------------------------------------------------------

// Does what proposed_unpack does. The caller passes the width of the entries as a constant where it
// can, because the compiler then makes a faster loop.
static inline void unpack_entries(const struct proposed *proposed, unsigned bits, uint64_t first,
                                  unsigned count, uint8_t *distances)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned value = entry_get(proposed->bytes, bits, first + i);
        distances[i] = (uint8_t)(value == entry_unreachable(bits) ? STRIDE_UNREACHABLE : value);
    }
}

void proposed_unpack(const struct proposed *proposed, uint64_t first, unsigned count,
                     uint8_t *distances)
{
    if (proposed->bits == 4) { // the most frequent width
        unpack_entries(proposed, 4, first, count, distances);
    } else {
        unpack_entries(proposed, proposed->bits, first, count, distances);
    }
}

struct distance_text tell_distance(int distance)
{
    struct distance_text told = {"unreachable"};
    if (distance != INFINITE) {
        snprintf(told.text, sizeof told.text, "at distance %d", distance);
    }
    return told;
}

void check_lacks_memory(struct checker *checker, uint64_t count, const char *things)
{
    checker->sound = error_set(checker->error, FEWEST_SYSTEM, "not enough memory to check %llu %s",
                               (unsigned long long)count, things);
}
