// Whatever accident befell a table file, `fewest` gives the right answer, or one clear line and status 3; it never
// crashes, hangs, answers wrongly or takes memory beyond the table's own need. This tries to make that untrue.
//
//     hostile [--sample N] FEWEST TABLE.dtab...
//
// Every kind of harm (make.c) is done to every table: in process, where it is exhaustive (try.c), and
// in a file that the real command is given (run.c). What a table answers is compared with what the intact one
// did (ask.c). A forged table, its checksums made anew, may lie; but a deep check that passes is proved right.
//
// With --sample each kind is tried about N times a table, the slow ones N times in all, for every day.
//
// Each kind on each table has a child of its own, so that a crash or a hang is an outcome, and memory is its own. This
// parent holds next to nothing, for what it holds its children count as theirs.
#include "hostile.h"

#include <dirent.h>
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 8 << 10, LIMIT_UNTRIED = 900 }; // KiB beyond a table's need; seconds of a child outside of a try

struct shared *shared;

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void *share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        give_up("mmap");
    }
    return memory;
}

// ---- Children ------------------------------------------------------------------------------------------------------

static pid_t start_child(struct study *study, void (*work)(struct study *study))
{
    shared->begun = 0;
    shared->at[0] = '\0';
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        give_up("fork");
    }
    if (child == 0) {
        alarm(LIMIT_UNTRIED);
        work(study);
        exit(EXIT_SUCCESS); // and not _exit: a sanitizer looks for leaks
    }
    return child;
}

// The same once more, up to the try at which it died, whose table is kept.
static void keep_table(struct study *study, void (*work)(struct study *study), uint64_t number)
{
    int status;
    struct shared *kept = malloc(sizeof *kept);
    if (kept) {
        *kept = *shared;
        shared->keep_at = number;
        waitpid(start_child(study, work), &status, 0);
        *shared = *kept;
        free(kept);
    }
}

// Has a child do the work. Returns its peak memory in KiB.
static long run_child(struct study *study, void (*work)(struct study *study), const char *what)
{
    struct rusage usage;
    int status;
    support_random(); // each child draws other numbers
    snprintf(shared->label, sizeof shared->label, "%s: %s", study->name, what);
    pid_t child = start_child(study, work);
    while (wait4(child, &status, 0, &usage) != child) {
    }
    uint64_t begun = shared->begun;
    if (WIFSIGNALED(status)) {
        violate(WTERMSIG(status) == SIGALRM ? "it hung (signal %d)" : "it was killed by signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        violate("the child ended with status %d", WEXITSTATUS(status));
    } else {
        return usage.ru_maxrss;
    }
    if (begun > 0) {
        keep_table(study, work, begun);
    }
    return 0; // measured no more
}

// ---- One table, in process -----------------------------------------------------------------------------------------

struct need {
    long peak;
    uint64_t unpacked;
};

static void judge_peak(long peak, const struct need *need)
{
    long more = shared->unpacked_most > need->unpacked ? (long)((shared->unpacked_most - need->unpacked) >> 10) : 0;
    if (!HOSTILE_SANITIZED && peak > need->peak + more + ROOM) {
        violate("%ld KiB of memory, where the intact table needs %ld", peak, need->peak);
    }
}

// What the intact table takes, and that it passes.
static struct need measure_need(struct study *study, unsigned deep_tries)
{
    study->deep_tries = deep_tries;
    long peak = run_child(study, study_intact, deep_tries > 0 ? "intact, deep" : "intact");
    return (struct need){peak, shared->unpacked_most};
}

// Is a deep check of this table to be afforded? In a sample only of a small one.
static bool affords_deep(const struct study *study, const struct need *need)
{
    enum { SMALL = 1 << 17 };
    return study->sample ? need->unpacked <= SMALL : !(HOSTILE_SANITIZED && study->book->searched);
}

// How many forged tables of a kind are checked deeply: what can be done in a while, but some in any case; of a searched
// table a single one.
static unsigned choose_deep_tries(const struct study *study)
{
    enum { LEAST = 1, LEAST_ENTRIES = 3, MOST = 1 << 20 };
    unsigned least = study->harm == HARM_FORGED_ENTRY ? LEAST_ENTRIES : LEAST;
    double seconds = study->sample ? 0.2 : 6;
    double tries = shared->deep_seconds > 0 ? seconds / shared->deep_seconds : MOST;
    if (study->book->searched) {
        return study->harm == HARM_FORGED_ENTRY;
    }
    return tries < least ? least : tries < MOST ? (unsigned)tries : MOST;
}

static void remove_files(const char *folder, const char *kind)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[PATH_MAX];
        if (entry->d_name[0] != '.' && strncmp(entry->d_name, kind, strlen(kind)) == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
    }
    if (directory) {
        closedir(directory);
    }
}

static void try_in_process(struct study *study, const struct need *need, const struct need *deep)
{
    shared->unpacked_most = 0;
    shared->passed = 0;
    study->deep_tries = deep && harm_is_forged(study->harm) ? choose_deep_tries(study) : 0;
    judge_peak(run_child(study, study_harm, HARM_NAMES[study->harm]), study->deep_tries > 0 ? deep : need);
    if (shared->passed > 0) {
        run_child(study, study_passed, "proving what passed");
    }
    remove_files(study->folder, "passed");
}

// ---- One table, through the command --------------------------------------------------------------------------------

enum { QUESTIONS = 3 };

// What the intact table makes each command do.
struct expected {
    struct run run[COMMAND_COUNT][QUESTIONS];
};

static void run_command(const struct study *study, enum command command, unsigned question, const char *table,
                        struct run *run)
{
    char cases[PATH_MAX];
    const char *start = study->book->start[question];
    const char *target = study->book->target[question];
    bool asks = command == COMMAND_STEPS || command == COMMAND_PATH;
    snprintf(cases, sizeof cases, "%s/cases", study->folder);
    const char *arguments[OPERANDS + 1] = {study->program, COMMAND_NAMES[command], table};
    unsigned count = 3;
    if (asks) {
        arguments[count++] = start;
    }
    if (asks && *target) {
        arguments[count++] = target;
    }
    if (command == COMMAND_BATCH) {
        arguments[count++] = cases;
    }
    run_program(arguments, study->folder, run);
}

static void run_intact(const struct study *study, struct expected *expected)
{
    snprintf(shared->label, sizeof shared->label, "%s: command", study->name);
    for (enum command command = 0; command < COMMAND_COUNT; command++) {
        for (unsigned q = 0; q < QUESTIONS; q++) {
            struct run *run = &expected->run[command][q];
            run_command(study, command, q % study->book->line_count, study->paths[study->own], run);
            bool searched = command == COMMAND_STATS && study->book->searched;
            if (run->killed || run->number > (searched ? 2 : 1)) {
                violate("the intact table: %s ends with %d: %.80s", COMMAND_NAMES[command], run->number, run->err);
            }
        }
    }
}

// How a command came off with a specimen.
static void count_run(enum command command, enum verdict verdict, struct tally *tally)
{
    tally->tries++;
    tally->refused += verdict == VERDICT_REFUSED && command != COMMAND_CHECK;
    tally->found += verdict == VERDICT_REFUSED && command == COMMAND_CHECK;
    tally->right += verdict == VERDICT_RIGHT;
}

static void try_specimen(const struct study *study, const struct expected *expected, enum command command, unsigned i,
                         uint64_t unpacked)
{
    static unsigned asked;
    static struct run run;
    char path[PATH_MAX];
    char why[WHY_SIZE] = "";
    unsigned q = asked++ % QUESTIONS;
    uint64_t more = shared->specimen_unpacked[i] > unpacked ? shared->specimen_unpacked[i] - unpacked : 0;
    specimen_path(study, "specimen", i, path);
    run_command(study, command, q % study->book->line_count, path, &run);
    enum verdict verdict = judge_run(command, harm_is_forged(study->harm), &run, &expected->run[command][q],
                                     ROOM + (long)(more >> 10), why);
    count_run(command, verdict, &shared->commanded[study->harm]);
    if (verdict == VERDICT_WRONG) {
        char kept[PATH_MAX];
        specimen_path(study, "violation", shared->violations, kept);
        snprintf(shared->at, sizeof shared->at, "%s", shared->specimen[i]);
        if (shared->violations < VIOLATIONS_MOST && link(path, kept) != 0) {
            perror(kept);
        }
        unsigned line = q % study->book->line_count;
        bool asks = command == COMMAND_STEPS || command == COMMAND_PATH;
        violate("`%s %s %s`: %s", COMMAND_NAMES[command], asks ? study->book->start[line] : "",
                asks ? study->book->target[line] : "", why);
    }
}

// All commands on each specimen; in a sample, one of them in turn.
static void try_commands(struct study *study, const struct expected *expected, uint64_t unpacked)
{
    static unsigned turn;
    snprintf(shared->label, sizeof shared->label, "%s: command, %s", study->name, HARM_NAMES[study->harm]);
    for (unsigned i = 0; i < shared->specimens && i < SPECIMENS; i++) {
        enum command first = study->sample ? turn++ % COMMAND_COUNT : 0;
        enum command end = study->sample ? first + 1 : COMMAND_COUNT;
        for (enum command command = first; command < end; command++) {
            try_specimen(study, expected, command, i, unpacked);
        }
    }
}

static void try_table(struct study *study)
{
    static struct expected expected;
    const char *slash = strrchr(study->paths[study->own], '/');
    study->name = slash ? slash + 1 : study->paths[study->own];
    unsigned before = shared->violations;
    run_child(study, study_book, "recording");
    if (shared->violations > before) {
        return; // no book to go by
    }
    struct need need = measure_need(study, 0);
    bool affords = affords_deep(study, &need);
    struct need deep = affords ? measure_need(study, 1) : need;
    run_intact(study, &expected);
    for (study->harm = 0; study->harm < HARM_COUNT; study->harm++) {
        run_child(study, study_specimens, "spoiling files");
        try_in_process(study, &need, affords ? &deep : NULL);
        try_commands(study, &expected, need.unpacked);
        remove_files(study->folder, "specimen");
    }
}

// ---- Can the judges fail? ------------------------------------------------------------------------------------------

static void work_crash(struct study *study)
{
    (void)study;
    signal(SIGSEGV, SIG_DFL); // a sanitizer would tell of it at length
    raise(SIGSEGV);
}

static void work_hang(struct study *study)
{
    (void)study;
    raise(SIGALRM); // as its alarm would
}

static void work_devour(struct study *study)
{
    (void)study;
    enum { MUCH = 24 << 20 };
    volatile char *memory = malloc(MUCH);
    for (size_t i = 0; memory && i < MUCH; i += 1 << 10) {
        memory[i] = 1;
    }
    free((void *)(uintptr_t)memory);
}

// A table of which the book says otherwise.
static void work_lie(struct study *study)
{
    struct record *record = &study->book->records[0];
    record->reply.steps++;
    study_intact(study);
    record->reply.steps--;
}

static void work_lying_path(struct study *study)
{
    struct record *record = &study->book->records[0];
    record->reply.path_hash ^= 1;
    study_intact(study);
    record->reply.path_hash ^= 1;
}

// A forged entry that is said to have passed a deep check.
static void work_pass(struct study *study)
{
    char from[PATH_MAX];
    char to[PATH_MAX];
    study_specimens(study);
    specimen_path(study, "specimen", 0, from);
    specimen_path(study, "passed", 0, to);
    if (rename(from, to) != 0) {
        give_up(to);
    }
    shared->passed = 1;
    study_passed(study);
}

// Says whether there was a violation, and forgets it.
static void expect_violation(const char *what)
{
    if (shared->violations == 0) {
        fprintf(stderr, "hostile: its own judge does not notice %s\n", what);
        exit(EXIT_FAILURE);
    }
    shared->violations = 0;
}

static void judge_own_runs(void)
{
    char why[WHY_SIZE];
    static struct run intact = {.peak = 2000, .out = "1\n2\n"};
    static const struct {
        const char *what;
        enum command command;
        enum verdict verdict;
        struct run run;
    } RUNS[] = {
        {"the same", COMMAND_STEPS, VERDICT_RIGHT, {.peak = 2000, .out = "1\n2\n"}},
        {"a refusal", COMMAND_STEPS, VERDICT_REFUSED, {.number = 3, .err = "fewest: damaged\n"}},
        {"a beginning", COMMAND_BATCH, VERDICT_REFUSED, {.number = 3, .out = "1\n", .err = "fewest: damaged\n"}},
        {"a found damage", COMMAND_CHECK, VERDICT_REFUSED, {.number = 1, .err = "fewest: damaged\n"}},
        {"another answer", COMMAND_STEPS, VERDICT_WRONG, {.out = "3\n"}},
        {"a wrong beginning", COMMAND_BATCH, VERDICT_WRONG, {.number = 3, .out = "2\n", .err = "fewest: damaged\n"}},
        {"an answer before a refusal", COMMAND_STEPS, VERDICT_WRONG, {.number = 3, .out = "1\n", .err = "fewest: x\n"}},
        {"a silent refusal", COMMAND_STEPS, VERDICT_WRONG, {.number = 3}},
        {"a long refusal", COMMAND_STEPS, VERDICT_WRONG, {.number = 3, .err = "fewest: x\nfewest: y\n"}},
        {"another's complaint", COMMAND_STEPS, VERDICT_WRONG, {.number = 3, .err = "sh: not found\n"}},
        {"another status", COMMAND_STEPS, VERDICT_WRONG, {.number = 4, .err = "fewest: memory\n"}},
        {"a crash", COMMAND_STEPS, VERDICT_WRONG, {.killed = true, .number = SIGSEGV}},
        {"a blind check", COMMAND_CHECK, VERDICT_WRONG, {.out = "intact\n"}},
    };
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
        if (judge_run(RUNS[i].command, false, &RUNS[i].run, &intact, ROOM, why) != RUNS[i].verdict) {
            fprintf(stderr, "hostile: its own judge errs about %s\n", RUNS[i].what);
            exit(EXIT_FAILURE);
        }
    }
    struct run large = {.peak = intact.peak + ROOM + 1, .out = "1\n2\n"};
    if (!HOSTILE_SANITIZED && judge_run(COMMAND_STEPS, false, &large, &intact, ROOM, why) != VERDICT_WRONG) {
        violate("memory");
    }
}

// A program that is killed, seen through all that a run goes through.
static void judge_killed_program(const struct study *study)
{
    static struct run run;
    static const struct run intact;
    char why[WHY_SIZE];
    const char *const arguments[] = {"/bin/sh", "-c", "kill -SEGV $$", NULL};
    run_program(arguments, study->folder, &run);
    if (judge_run(COMMAND_STEPS, false, &run, &intact, ROOM, why) == VERDICT_WRONG) {
        violate("%s", why);
    }
    expect_violation("a program that crashes");
}

// With the smallest of the tables.
static void judge_the_judges(struct study *study)
{
    struct need need = {.peak = 0};
    study->name = "the judges";
    study->harm = HARM_FORGED_ENTRY;
    judge_own_runs();
    judge_killed_program(study);
    run_child(study, study_book, "recording");
    if (shared->violations > 0) {
        return;
    }
    run_child(study, work_crash, "a crash");
    expect_violation("a crash");
    run_child(study, work_hang, "a hang");
    expect_violation("a hang");
    run_child(study, work_lie, "a lie");
    expect_violation("a wrong number");
    run_child(study, work_lying_path, "a lie");
    expect_violation("a wrong path");
    run_child(study, work_pass, "a pass");
    expect_violation("a forged table that passes");
    need = measure_need(study, 0);
    if (!HOSTILE_SANITIZED) {
        judge_peak(run_child(study, work_devour, "much memory"), &need);
        expect_violation("much memory");
    }
    remove_files(study->folder, "violation");
    memset(shared, 0, sizeof *shared);
}

// ---- The whole -----------------------------------------------------------------------------------------------------

static uint64_t print_tally(const char *layer, const struct tally tallies[HARM_COUNT], unsigned tables)
{
    uint64_t tries = 0;
    for (enum harm harm = 0; harm < HARM_COUNT; harm++) {
        const struct tally *tally = &tallies[harm];
        tries += tally->tries;
        printf("%-10s %-18s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "\n", layer, HARM_NAMES[harm],
               tally->tries, tally->refused, tally->right, tally->found);
        if (tally->tries == 0 && (harm != HARM_SPLICED || tables > 1)) {
            snprintf(shared->label, sizeof shared->label, "%s", layer);
            snprintf(shared->at, sizeof shared->at, "%s", HARM_NAMES[harm]);
            violate("nothing was tried");
        }
    }
    return tries;
}

static int report(const struct study *study)
{
    printf("%-10s %-18s %9s %9s %9s %9s\n", "", "class", "tries", "refused", "right", "found");
    uint64_t tries = print_tally("in process", shared->tried, study->path_count);
    tries += print_tally("command", shared->commanded, study->path_count);
    unsigned told = shared->violations < VIOLATIONS_MOST ? shared->violations : VIOLATIONS_MOST;
    for (unsigned i = 0; i < told; i++) {
        printf("VIOLATION %u: %s\n", i, shared->violation[i]);
    }
    if (shared->violations > 0) {
        printf("PROGRAM FAILED: %u violations in %" PRIu64 " tries; their tables are in %s\n", shared->violations,
               tries, study->folder);
        return EXIT_FAILURE;
    }
    remove_files(study->folder, "");
    rmdir(study->folder);
    printf("PROGRAM PASSED: %" PRIu64 " tries\n", tries);
    return EXIT_SUCCESS;
}

static unsigned smallest(const struct study *study)
{
    unsigned found = 0;
    long least = LONG_MAX;
    for (unsigned i = 0; i < study->path_count; i++) {
        FILE *file = fopen(study->paths[i], "rb");
        if (!file || fseek(file, 0, SEEK_END) != 0) {
            give_up(study->paths[i]);
        }
        if (ftell(file) < least) {
            least = ftell(file);
            found = i;
        }
        fclose(file);
    }
    return found;
}

int main(int argc, char **argv)
{
    static char folder[PATH_MAX];
    struct study study = {.folder = folder};
    const char *temporary = getenv("TMPDIR");
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--sample") == 0) {
        study.sample = (unsigned)strtoul(argv[2], NULL, 10);
        first = 3;
    }
    if (argc - first < 2 || (first == 3 && study.sample == 0)) {
        fprintf(stderr, "usage: hostile [--sample N] FEWEST TABLE.dtab...\n");
        return EXIT_FAILURE;
    }
    study.program = argv[first];
    study.paths = (const char *const *)(uintptr_t)(argv + first + 1);
    study.path_count = (unsigned)(argc - first - 1);
    snprintf(folder, sizeof folder, "%s/hostile-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        give_up(folder);
    }
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 17); // what is freed is given back, and a peak is that of one table
#endif
    shared = share(sizeof *shared);
    study.book = share(sizeof *study.book);
    study.own = smallest(&study);
    judge_the_judges(&study);
    for (study.own = 0; study.own < study.path_count; study.own++) {
        try_table(&study);
    }
    return report(&study);
}
