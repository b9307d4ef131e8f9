// Collects and reports what the check of a table finds.
#include "checker.h"

#include <stdarg.h>
#include <stdio.h>

void check_find(struct checker *checker, unsigned rule, const char *format, ...)
{
    char text[FEWEST_ERROR_SIZE];
    int length = 0;
    va_list arguments;
    if (++checker->findings > FINDINGS_MOST) {
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

bool check_goes_on(struct checker *checker, unsigned rule, uint64_t done, uint64_t all)
{
    char what[64] = "";
    if (checker->stopped || done % STEPS_PER_WATCH != 0) {
        return !checker->stopped;
    }
    int length = rule == RULE_BITS ? 0 : snprintf(what, sizeof what, "rule %u of ", rule);
    snprintf(what + length, sizeof what - (size_t)length, "section %s", checker->section->name);
    if (!table_watches_on(checker->table, what, done, all, checker->error)) {
        checker->stopped = true;
        checker->sound = false;
    }
    return !checker->stopped;
}

void check_end_rule(struct checker *checker)
{
    char text[64];
    if (checker->findings > FINDINGS_MOST) {
        snprintf(text, sizeof text, "... and %llu more findings of this kind",
                 (unsigned long long)checker->findings - FINDINGS_MOST);
        if (checker->report) {
            checker->report(checker->context, text);
        }
    }
    checker->findings = 0;
}

struct place place_of(int distance)
{
    struct place place = {"unreachable"};
    if (distance != INFINITE) {
        snprintf(place.text, sizeof place.text, "at distance %d", distance);
    }
    return place;
}

void check_lacks_memory(struct checker *checker, uint64_t count, const char *things)
{
    checker->sound = error_set(checker->error, FEWEST_SYSTEM, "not enough memory to check %llu %s",
                               (unsigned long long)count, things);
}
