// Damages and forges tables in every way, and checks how the library handles them.
//
//     damage [--sample N] TABLE.dtab...
//     damage --write N FOLDER TABLE.dtab
//
// Accidental damage must be noticed: the table does not open, or a check finds the damage. Every
// answer is an error or the answer of the intact table. A forged table has right checksums, so its
// answers may be wrong. It must not make the library crash, hang, read past the end of the table,
// or take 8 MiB more memory than the intact table does. A table with wrong distances must fail the
// deep check.
//
// damage_make.c defines the classes of damage. --sample tries each class about N times on each
// table. --write makes N files of each class for damage.bats, and tries nothing. The environment
// variable SEED repeats a run.
#include "damage.h"

#include <inttypes.h>
#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RECORDS = 48, TABLES_MOST = 64 };
enum { STEPS, PATH, PARITY, ANSWERS };

struct answer {
    enum fewest_status status;
    int steps;
    uint64_t hash; // hash of the path or the reason
};

// A table, and its answers while it is intact.
struct lab {
    struct source source;
    const char *name;
    struct query queries[RECORDS];
    struct answer answers[RECORDS][ANSWERS];
    bool slow;         // does it have many entries?
    bool deep;         // is it small enough for deep checks?
    clock_t deep_left; // time left for deep checks of the current class
    long need[2];      // KiB of memory for the queries, without and with a deep check
};

// ---- Violations, crashes, hangs and memory ------------------------------------------------------

static char what[256]; // names the current try
static const struct victim *at_hand;
static unsigned violations;
static bool quiet; // violations are expected

extern void __asan_init(void) __attribute__((weak)); // NOLINT: the sanitizer's name

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

static void violate(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void violate(const char *format, ...)
{
    enum { TOLD = 20 };
    char path[64];
    va_list arguments;
    if (violations++ < TOLD && !quiet) {
        snprintf(path, sizeof path, "violation-%u.dtab", violations);
        fprintf(stderr, "%s: ", what);
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fprintf(stderr, " (%s)\n", path);
        write_file(path, at_hand->bytes, at_hand->length);
    }
}

static void tell_and_end(int number)
{
    static const char KILLED[] = ": it crashed, or hung for two minutes\n";
    if (!quiet) {
        (void)!write(STDERR_FILENO, what, strlen(what));
        (void)!write(STDERR_FILENO, KILLED, sizeof KILLED - 1);
    }
    _exit(128 + number);
}

static void catch_signals(void)
{
    static const int SIGNALS[] = {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    // A sanitizer's own report of the other signals says more.
    unsigned count = __asan_init ? 2 : sizeof SIGNALS / sizeof *SIGNALS;
    for (unsigned i = 0; i < count; i++) {
        signal(SIGNALS[i], tell_and_end);
    }
}

// Returns the peak of memory in KiB since the last reset. Only Linux reports it. getrusage would
// count the parent's peak, too.
static long peak_memory(void)
{
    char line[128];
    long peak = 0;
    // A sanitizer takes memory of its own, so the peak would mean nothing.
    FILE *file = __asan_init ? NULL : fopen("/proc/self/status", "r");
    while (file && peak == 0 && fgets(line, sizeof line, file)) {
        sscanf(line, "VmHWM: %ld kB", &peak);
    }
    if (file) {
        fclose(file);
    }
    return peak;
}

// Returns the memory in use, in KiB.
static long reset_peak(void)
{
    FILE *file = __asan_init ? NULL : fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return peak_memory();
}

static void judge_memory(long taken, long need)
{
    enum { ROOM = 16 << 10 }; // KiB: another definition may need a search from both sides
    if (taken > need + ROOM) {
        violate("it takes %ld KiB of memory, where the intact table takes %ld", taken, need);
    }
}

// ---- Queries and answers ------------------------------------------------------------------------

// Draws any state, or one near the solved state. For a searched board it draws only the latter,
// because a search from any state would take long.
static void draw_state(const struct fewest *table, uint8_t *state)
{
    enum { NEAR = 14 };
    struct fewest_error error;
    if (!fewest_info(table)->is_searched && support_random_below(2) &&
        fewest_unrank(table, support_random() % fewest_info(table)->state_count, state, &error)) {
        return;
    }
    fewest_read_moves(table, NULL, "", 0, state, &error);
    for (unsigned i = support_random_below(NEAR); i > 0; i--) {
        fewest_apply(table, support_random_below(fewest_info(table)->move_count), state, state,
                     &error);
    }
}

// Fills in the solved state with its blank in any cell.
static void move_blank(const struct fewest *table, uint8_t *state)
{
    struct fewest_error error;
    unsigned cell = support_random_below(fewest_info(table)->cell_count);
    unsigned blank = 0;
    fewest_read_moves(table, NULL, "", 0, state, &error);
    while (state[blank] != 0) {
        blank++;
    }
    state[blank] = state[cell];
    state[cell] = 0;
}

static bool is_query(const struct fewest *table, struct query *query)
{
    struct fewest_error error;
    return fewest_check_state(table, "START", query->start, &error) &&
           (query->target[0] == FEWEST_GOALS ||
            fewest_check_target(table, "TARGET", query->target, &error));
}

// Draws a START and a TARGET. START is often the solved state with its blank in another cell.
// TARGET often has wildcards.
static bool draw_query(const struct fewest *table, struct query *query)
{
    const struct fewest_info *info = fewest_info(table);
    if (info->is_searched || support_random_below(2) || !info->has_blank) {
        draw_state(table, query->start);
    } else {
        move_blank(table, query->start);
    }
    draw_state(table, query->target);
    for (unsigned i = support_random_below(info->cell_count); i > 0 && !info->is_searched; i--) {
        query->target[support_random_below(info->cell_count)] = FEWEST_WILD;
    }
    if (support_random_below(4) == 0) {
        query->target[0] = FEWEST_GOALS;
    }
    return is_query(table, query);
}

// A forged pattern database can make a search long. This function ends it after about two seconds.
static bool stop_late(void *context, const struct fewest_progress *progress)
{
    unsigned *calls = context;
    (void)progress;
    return ++*calls < 40;
}

static struct answer ask(struct fewest *table, const struct query *query, unsigned kind)
{
    struct answer answer = {.status = FEWEST_OK};
    struct fewest_error error;
    struct fewest_path path = {.steps = 0};
    struct fewest_parity parity = {.reason = ""};
    unsigned calls = 0;
    support_set(table, (struct fewest_options){.watch = stop_late, .watch_context = &calls});
    bool answered =
        kind == STEPS  ? fewest_steps(table, query->start, query->target, &answer.steps, &error)
        : kind == PATH ? fewest_path(table, query->start, query->target, &path, &error)
                       : fewest_parity(table, query->start, query->target, &parity, &error);
    support_set(table, (struct fewest_options){.threads = 0}); // a check goes to its end
    if (!answered) {
        return (struct answer){.status = error.status};
    }
    answer.steps = kind == PATH ? path.steps : answer.steps;
    if (answer.steps < FEWEST_UNREACHABLE || answer.steps > FEWEST_PATH_MOST) {
        violate("an impossible answer: %d steps", answer.steps);
    }
    size_t moves = answer.steps > 0 ? (size_t)answer.steps : 0;
    answer.hash = format_hash(path.moves, moves * sizeof *path.moves) ^
                  format_hash(parity.reason, strlen(parity.reason)) ^ parity.reachable;
    return answer;
}

static struct tally {
    uint64_t tries;
    uint64_t refused; // tables that did not open
    uint64_t right;   // right answers
    uint64_t errors;  // errors instead of answers
    uint64_t lies;
    uint64_t found;  // tables with a finding
    uint64_t proved; // tables that passed a deep check
} tally;

static void judge_answer(enum expectation expected, const struct answer *answer,
                         const struct answer *intact)
{
    enum fewest_status status = answer->status;
    if (status == intact->status && answer->steps == intact->steps &&
        answer->hash == intact->hash) {
        tally.right++;
    } else if (status == FEWEST_DAMAGED && expected != INTACT) {
        tally.errors++;
    } else if (expected >= COUNTED &&
               (status == FEWEST_OK || status == FEWEST_BEYOND || status == FEWEST_STOPPED)) {
        tally.lies++;
    } else {
        violate("a wrong answer: status %d, %d steps", (int)status, answer->steps);
    }
}

// Asks the recorded queries: all of them if the table is intact, else some at random.
static void ask_queries(const struct lab *lab, enum expectation expected, struct fewest *table)
{
    enum { SOME = 4 };
    for (unsigned i = 0; i < (expected == INTACT ? RECORDS : SOME); i++) {
        unsigned r = expected == INTACT ? i : support_random_below(RECORDS);
        struct query query = lab->queries[r];
        bool is = is_query(table, &query); // a forged definition may have other states
        for (unsigned kind = 0; kind < ANSWERS; kind++) {
            struct answer answer = ask(table, &query, kind);
            if (is) {
                judge_answer(expected, &answer, &lab->answers[r][kind]);
            } else if (answer.status != FEWEST_BAD_INPUT) {
                violate("a query that is none has status %d", (int)answer.status);
            }
        }
    }
}

// ---- One try ------------------------------------------------------------------------------------

static void count_finding(void *context, const char *text)
{
    (void)text;
    ++*(unsigned *)context;
}

static unsigned check(struct fewest *table, bool deep)
{
    unsigned findings = 0;
    struct fewest_error error;
    bool sound = fewest_check(table, deep, count_finding, &findings, &error);
    if (sound != (findings == 0) || (!sound && error.status != FEWEST_DAMAGED)) {
        violate("a check returns %d with %u findings", sound, findings);
    }
    return findings;
}

// Returns whether a table holds the distances that the generator finds for its definition.
static bool is_true(const struct victim *victim)
{
    struct search_options options = {.threads = 2};
    struct generated truth = {.bytes = NULL};
    struct fewest_error error;
    struct table_content content =
        support_take_apart(&(struct generated){victim->bytes, victim->length});
    struct generated found = support_pack(&content);
    bool same = generate_in_memory(content.definition, content.definition_length, content.metric,
                                   &options, &truth, &error) &&
                found.length == truth.length && memcmp(found.bytes, truth.bytes, found.length) == 0;
    free(truth.bytes);
    free(found.bytes);
    support_free_content(&content);
    return same;
}

// Returns whether a deep check passed.
static bool judge_open(const struct lab *lab, enum expectation expected,
                       const struct victim *victim, struct fewest *table, bool deep)
{
    enum { SEARCHED_EACH = 8 };
    bool seldom = lab->slow && fewest_info(table)->is_searched; // preparing the search takes long
    if (expected == REFUSED) {
        violate("it opens");
    } else if (!seldom || expected == INTACT || tally.tries % SEARCHED_EACH == 0) {
        ask_queries(lab, expected, table);
    }
    unsigned findings = check(table, false);
    bool wrong = findings == 0 ? expected == NOTICED || expected == COUNTED : expected == INTACT;
    if (wrong || (victim->findings > 0 && findings != victim->findings)) {
        violate("a check has %u findings", findings);
    }
    bool passed = findings == 0 && deep && check(table, true) == 0;
    if (expected == INTACT && deep && !passed) {
        violate("a deep check does not pass");
    }
    tally.found += findings > 0 || (deep && !passed);
    tally.proved += passed;
    return passed;
}

// Opens and checks a table. Returns the memory that this took, in KiB.
static long judge(const struct lab *lab, enum expectation expected, const struct victim *victim,
                  bool deep)
{
    enum { SECONDS = 120 };
    struct fewest_error error = {.text = ""};
    bool passed = false;
    at_hand = victim;
    alarm(SECONDS);
    long begin = reset_peak();
    struct fewest *table = fewest_open_buffer(victim->bytes, victim->length, &error);
    tally.tries++;
    tally.refused += !table;
    if (table) {
        passed = judge_open(lab, expected, victim, table, deep);
        fewest_close(table);
    } else if (error.status != FEWEST_DAMAGED || !*error.text || strchr(error.text, '\n') ||
               expected == INTACT) {
        violate("it is refused with status %d: '%s'", (int)error.status, error.text);
    }
    long taken = peak_memory() - begin;
    judge_memory(taken, lab->need[deep]);
    if (passed && !is_true(victim)) {
        violate("a deep check passes what is not true");
    }
    alarm(0);
    return taken;
}

// ---- One table ----------------------------------------------------------------------------------

static void record_answers(struct lab *lab)
{
    struct fewest *table = support_open(&lab->source.good);
    for (unsigned r = 0; r < RECORDS;) {
        if (!draw_query(table, &lab->queries[r])) {
            continue;
        }
        for (unsigned kind = 0; kind < ANSWERS; kind++) {
            lab->answers[r][kind] = ask(table, &lab->queries[r], kind);
        }
        // Keep only one in sixteen of the unanswered queries.
        r += lab->answers[r][STEPS].status == FEWEST_OK || support_random_below(16) == 0;
    }
    fewest_close(table);
}

// Does a search answer for the table?
static bool is_searched(const struct lab *lab)
{
    struct fewest *table = support_open(&lab->source.good);
    bool searched = fewest_info(table)->is_searched;
    fewest_close(table);
    return searched;
}

// Checks that the intact table passes. Measures the memory that it needs. If entries are forged, a
// search can be long, and then spreads its databases.
static void judge_intact(struct lab *lab)
{
    enum { LONG_SEARCH = 16 << 10 }; // KiB
    struct victim intact = {.bytes = lab->source.good.bytes, .length = lab->source.good.length};
    snprintf(what, sizeof what, "%s: intact", lab->name);
    for (unsigned deep = 0; deep <= lab->deep; deep++) {
        lab->need[deep] = LONG_MAX / 2;
        lab->need[deep] = judge(lab, INTACT, &intact, deep) + (is_searched(lab) ? LONG_SEARCH : 0);
    }
}

static void try_class(struct lab *lab, const struct class *class, unsigned sample)
{
    enum { FORGED_MOST = 1000, SLOW_EACH = 16 };
    bool forged = class->expected >= COUNTED;
    uint64_t ways = count_ways(&lab->source, class);
    uint64_t tries = sample ? sample : forged ? FORGED_MOST : ways;
    tries = tries > ways ? ways : tries;
    if (lab->slow && (forged || (sample && class->expected == NOTICED))) {
        tries = (tries + SLOW_EACH - 1) / SLOW_EACH;
    }
    lab->deep_left = lab->deep ? (sample ? CLOCKS_PER_SEC / 20 : 2 * CLOCKS_PER_SEC) : 0;
    for (uint64_t i = 0; i < tries; i++) {
        struct victim victim;
        uint64_t from = i * ways / tries;
        uint64_t way = from + support_random() % ((i + 1) * ways / tries - from);
        snprintf(what, sizeof what, "%s: %s: way %" PRIu64 " of %" PRIu64, lab->name, class->name,
                 way, ways);
        make_victim(&lab->source, class, way, &victim);
        if (victim.length != lab->source.good.length ||
            // Skip a victim that equals the intact table.
            memcmp(victim.bytes, lab->source.good.bytes, victim.length) != 0) {
            clock_t begin = clock();
            bool deep = lab->deep_left > 0 && forged;
            judge(lab, class->expected, &victim, deep);
            lab->deep_left -= deep ? clock() - begin : 0;
        }
        release_victim(&lab->source, &victim);
    }
}

// ---- Negative controls: each planted violation must be noticed ----------------------------------

static void expect_violation(const char *of)
{
    if (violations == 0) {
        printf("PROGRAM FAILED: not noticed: %s\n", of);
        exit(EXIT_FAILURE);
    }
    violations = 0;
}

static void expect_death(int number)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        raise(number);
        _exit(EXIT_SUCCESS);
    }
    waitpid(child, &status, 0);
    violations += status != 0;
    expect_violation("a crash or a hang");
}

static void judge_the_judges(struct lab *lab)
{
    enum { MUCH = 48 << 20 };
    struct victim victim = {.bytes = lab->source.good.bytes, .length = lab->source.good.length};
    quiet = true;
    judge(lab, REFUSED, &victim, false);
    expect_violation("a table that should not open");
    judge(lab, NOTICED, &victim, false);
    expect_violation("a check that finds nothing");
    lab->answers[0][PATH].hash ^= 1;
    judge(lab, INTACT, &victim, false);
    lab->answers[0][PATH].hash ^= 1;
    expect_violation("a wrong answer");
    make_victim(&lab->source, &CLASSES[CLASS_ENTRY], 0, &victim);
    violations += !is_true(&victim);
    expect_violation("a forged table that passes a deep check");
    judge(lab, INTACT, &victim, true);
    expect_violation("a deep check that finds something");
    release_victim(&lab->source, &victim);
    long begin = reset_peak();
    char *memory = malloc(MUCH);
    memset(memory, 1, MUCH);
    // A sanitizer measures no memory.
    violations += memory[support_random_below(MUCH)] != 1 || __asan_init;
    judge_memory(peak_memory() - begin, lab->need[0]);
    free(memory);
    expect_violation("48 MiB of memory");
    expect_death(SIGABRT);
    expect_death(SIGALRM);
    quiet = false;
}

// ---- The whole ----------------------------------------------------------------------------------

static struct generated read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    struct generated read = {.length = (size_t)ftell(file)};
    read.bytes = malloc(read.length);
    rewind(file);
    read.length = fread(read.bytes, 1, read.length, file);
    fclose(file);
    return read;
}

// Prints the counts. A class without a try, or without its expected result, is a violation, too.
static int report(const struct tally *tallies)
{
    uint64_t tries = 0;
    printf("%8s %8s %8s %8s %8s %8s %8s\n", "tries", "refused", "right", "errors", "lies", "found",
           "proved");
    for (unsigned c = 0; c < CLASS_COUNT; c++) {
        const struct tally *t = &tallies[c];
        enum expectation expected = CLASSES[c].expected;
        printf("%8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
               " %8" PRIu64 "  %s\n",
               t->tries, t->refused, t->right, t->errors, t->lies, t->found, t->proved,
               CLASSES[c].name);
        bool seen = expected == REFUSED   ? t->refused > 0
                    : expected == NOTICED ? t->right > 0 && t->errors > 0 && t->found > 0
                                          : t->right > 0;
        violations += !seen;
        tries += t->tries;
    }
    printf("PROGRAM %s: %u violations in %" PRIu64 " tries\n", violations > 0 ? "FAILED" : "PASSED",
           violations, tries);
    return violations > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void open_lab(struct lab *lab, const char *name, const struct generated *good,
                     const struct generated *other, unsigned sample)
{
    enum { SLOW = 2000000, DEEP_SAMPLED = 25000 }; // entries
    lab->name = name;
    open_source(&lab->source, good, other);
    lab->slow = lab->source.entries > SLOW;
    lab->deep = lab->source.entries <= (sample ? DEEP_SAMPLED : SLOW);
    record_answers(lab);
    judge_intact(lab);
}

// Small tables of a searched board and of rolling cubes. A deep check of the shipped ones takes too
// long.
static const struct {
    const char *name;
    const char *definition;
} SMALL[] = {{"track", "Name track\nSlide 2 3\nDatabase 1 2\nDatabase 3 4 5\n"},
             {"rolls", "Name rolls\nRoll 2 3\nLetters CUBES E W R B\n"}};
enum { SMALL_COUNT = sizeof SMALL / sizeof *SMALL };

static int try_tables(unsigned sample, unsigned count, char **paths)
{
    static struct lab lab;
    static struct tally tallies[CLASS_COUNT];
    static struct generated tables[TABLES_MOST];
    for (unsigned t = 0; t < count; t++) {
        tables[t] = t < SMALL_COUNT ? support_generate(SMALL[t].definition,
                                                       strlen(SMALL[t].definition), METRIC_POWERS)
                                    : read_file(paths[t - SMALL_COUNT]);
    }
    catch_signals();
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20); // free large blocks at once, to measure the next try's peak
#endif
    for (unsigned t = 0; t < count; t++) {
        const char *name = t < SMALL_COUNT ? SMALL[t].name : paths[t - SMALL_COUNT];
        open_lab(&lab, name, &tables[t], &tables[(t + 1) % count], sample);
        if (t == 0) {
            judge_the_judges(&lab);
        }
        for (unsigned c = 0; c < CLASS_COUNT; c++) {
            tally = tallies[c];
            try_class(&lab, &CLASSES[c], sample);
            tallies[c] = tally;
        }
        close_source(&lab.source);
    }
    for (unsigned t = 0; t < count; t++) {
        free(tables[t].bytes);
    }
    return report(tallies);
}

// Writes the files damaged-*.dtab and forged-*.dtab.
static void write_victims(unsigned each, const char *folder, const char *path)
{
    static struct source source;
    struct generated good = read_file(path);
    struct generated other =
        support_generate(SMALL[0].definition, strlen(SMALL[0].definition), METRIC_POWERS);
    open_source(&source, &good, &other);
    for (unsigned i = 0; i < CLASS_COUNT * each; i++) {
        const struct class *class = &CLASSES[i % CLASS_COUNT];
        uint64_t ways = count_ways(&source, class);
        struct victim victim;
        char to[4096];
        if (ways > 0) {
            make_victim(&source, class, support_random() % ways, &victim);
            snprintf(to, sizeof to, "%s/%s-%u.dtab", folder,
                     class->expected >= COUNTED ? "forged" : "damaged", i);
            write_file(to, victim.bytes, victim.length);
            release_victim(&source, &victim);
        }
    }
    close_source(&source);
    free(other.bytes);
    free(good.bytes);
}

int main(int argc, char **argv)
{
    bool writes = argc == 5 && strcmp(argv[1], "--write") == 0;
    bool samples = argc > 3 && strcmp(argv[1], "--sample") == 0;
    unsigned number = writes || samples ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    int first = samples ? 3 : 1;
    unsigned count = (unsigned)(argc - first) + SMALL_COUNT;
    if (argc < 2 || count > TABLES_MOST || (samples && number == 0)) {
        fprintf(stderr,
                "usage: damage [--sample N] TABLE.dtab... or damage --write N FOLDER TABLE.dtab\n");
        return EXIT_FAILURE;
    }
    if (writes) {
        write_victims(number, argv[3], argv[4]);
        return EXIT_SUCCESS;
    }
    return try_tables(number, count, argv + first);
}
