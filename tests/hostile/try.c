// One table in process: what it answers when it is intact, and when it is not.
#include "hostile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 60, LIMIT_DEEP = 600 }; // seconds of a try

static const struct victim *at_hand;
static const struct study *studied;

// ---- What the parent is told ---------------------------------------------------------------------------------------

void specimen_path(const struct study *study, const char *kind, unsigned number, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s-%u.dtab", study->folder, kind, number);
}

static void note(const char *format, va_list arguments)
{
    char *text = shared->violation[shared->violations];
    size_t size = sizeof shared->violation[0];
    size_t used = (size_t)snprintf(text, size, "%s: %s: ", shared->label, shared->at);
    if (used < size) {
        vsnprintf(text + used, size - used, format, arguments);
    }
    if (at_hand && studied) {
        char path[PATH_MAX];
        specimen_path(studied, "violation", shared->violations, path);
        image_write(path, at_hand->bytes, at_hand->length);
    }
}

void violate(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (shared->violations < VIOLATIONS_MOST) {
        note(format, arguments);
    }
    va_end(arguments);
    shared->violations++;
}

// A try that crashes is begun again by another child, which keeps its table.
static void begin_try(const struct victim *victim)
{
    at_hand = victim;
    snprintf(shared->at, sizeof shared->at, "%s", victim->what);
    alarm(LIMIT);
    if (++shared->begun == shared->keep_at) {
        char path[PATH_MAX];
        specimen_path(studied, "violation", shared->violations - 1, path);
        image_write(path, victim->bytes, victim->length);
        _exit(EXIT_SUCCESS);
    }
}

static void end_try(void)
{
    at_hand = NULL;
    alarm(0);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// ---- The intact table ----------------------------------------------------------------------------------------------

static void print_cases(const struct study *study)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/cases", study->folder);
    FILE *file = fopen(path, "w");
    for (unsigned i = 0; file && i < study->book->line_count; i++) {
        fprintf(file, "%s %s\n", study->book->start[i], study->book->target[i]);
    }
    if (!file || fclose(file) != 0) {
        violate("%s can't be written", path);
    }
}

void study_book(struct study *study)
{
    enum { DRAWS_SAMPLED = 2, DRAWS_ALL = 30 }; // a block, for a question that needs it
    struct lab lab;
    lab_open(&lab, study->paths, study->path_count, study->own);
    book_write(study->book, &lab, study->sample ? DRAWS_SAMPLED : DRAWS_ALL);
    if (study->book->line_count == 0) {
        violate("no questions could be drawn");
    }
    print_cases(study);
    lab_close(&lab);
}

struct findings {
    unsigned count;
    char first[WHAT_SIZE];
};

static void take_finding(void *context, const char *text)
{
    struct findings *findings = context;
    if (findings->count++ == 0) {
        snprintf(findings->first, sizeof findings->first, "%s", text);
    }
}

// A check, which must agree with its own findings.
static bool check(struct fewest *table, bool deep, struct findings *findings)
{
    *findings = (struct findings){.count = 0};
    bool sound = fewest_check(table, deep, take_finding, findings, &(struct fewest_error){0});
    if (sound != (findings->count == 0)) {
        violate("a check returns %d with %u findings", sound, findings->count);
    }
    return sound;
}

void study_intact(struct study *study)
{
    struct lab lab;
    struct fewest_error error;
    struct findings findings;
    char why[WHY_SIZE];
    lab_open(&lab, study->paths, study->path_count, study->own);
    struct fewest *table = fewest_open_buffer(lab.work.bytes, lab.work.length, &error);
    for (unsigned r = 0; r < study->book->count; r++) {
        if (judge_record(table, &study->book->records[r], why) != VERDICT_RIGHT) {
            violate("%s", why);
        }
    }
    if (judge_whole(table, &study->book->whole, why) != VERDICT_RIGHT) {
        violate("%s", why);
    }
    double begin = seconds();
    if (!check(table, study->deep_tries > 0, &findings)) {
        violate("the intact table does not pass: %s", findings.first);
    }
    shared->deep_seconds = seconds() - begin;
    shared->unpacked_most = image_unpacked(lab.good.bytes, lab.good.length);
    fewest_close(table);
    lab_close(&lab);
}

// ---- Accidents -----------------------------------------------------------------------------------------------------

// A damaged table that does not open must say that it is damaged. Returns NULL then.
static struct fewest *open_victim(const struct victim *victim, struct tally *tally)
{
    struct fewest_error error = {FEWEST_OK, ""};
    struct fewest *table = fewest_open_buffer(victim->bytes, victim->length, &error);
    if (!table && (error.status != FEWEST_DAMAGED || error.text[0] == '\0' || strchr(error.text, '\n'))) {
        violate("refused with status %d and '%s'", error.status, error.text);
    }
    tally->refused += !table;
    return table;
}

static void expect_refusal(const struct victim *victim, struct tally *tally)
{
    struct fewest *table = open_victim(victim, tally);
    if (table) {
        violate("it opens");
        fewest_close(table);
    }
}

// Asks a record. Returns true where the answer was as recorded.
static bool ask_record(struct fewest *table, const struct record *record, unsigned *refused)
{
    char why[WHY_SIZE] = "";
    enum verdict verdict = judge_record(table, record, why);
    if (verdict == VERDICT_WRONG) {
        violate("%s", why);
    }
    *refused += verdict == VERDICT_REFUSED;
    return verdict == VERDICT_RIGHT;
}

static const struct record *any_record(const struct book *book)
{
    return &book->records[support_random_below(book->count)];
}

// Of the blocks that differ from the good table's, the first and a random one.
static unsigned find_damaged(const struct lab *lab, const struct victim *victim, uint64_t damaged[2])
{
    unsigned count = 0;
    for (uint64_t b = 0; b < lab->header.block_count; b++) {
        const struct block *block = &lab->header.blocks[b];
        if (memcmp(victim->bytes + block->offset, lab->good.bytes + block->offset, block->length) != 0) {
            if (count == 0) {
                damaged[0] = b;
            } else if (support_random_below(count) == 0) {
                damaged[1] = b;
            }
            count++;
        }
    }
    return count < 2 ? count : 2;
}

static void judge_spliced(const struct study *study, const struct lab *lab, const struct victim *victim,
                          uint64_t number, struct tally *tally)
{
    enum { ASKED = 3, SEARCHED_EACH = 16, CHECKED_EACH = 16 };
    struct findings findings;
    struct fewest *table = open_victim(victim, tally);
    if (!table) {
        return;
    }
    const struct book *book = study->book;
    uint64_t damaged[2];
    unsigned damaged_count = victim->length == lab->good.length ? find_damaged(lab, victim, damaged) : 0;
    bool asks = !book->searched || number % SEARCHED_EACH == 0; // each search prepares for long
    unsigned refused = 0;
    for (unsigned i = 0; i < damaged_count && asks && !book->searched; i++) {
        int asker = book->asker[damaged[i]];
        ask_record(table, asker < 0 ? any_record(book) : &book->records[asker], &refused);
    }
    for (unsigned i = 0; i < (book->searched ? 1 : ASKED) && asks; i++) {
        ask_record(table, any_record(book), &refused);
    }
    tally->refused += refused > 0;
    tally->right += refused == 0;
    if (number % CHECKED_EACH == 0) {
        bool sound = check(table, false, &findings);
        tally->found += !sound;
        if (sound) {
            violate("check finds nothing");
        }
    }
    fewest_close(table);
}

// ---- A bit of a block ----------------------------------------------------------------------------------------------

enum { GROUP_MOST = 24, GROUP_OF_SECTION = 10 }; // a check reports ten blocks of a section

// Blocks of which one bit each is flipped, so that one check finds them all.
struct group {
    uint64_t block[GROUP_MOST];
    unsigned count;
    unsigned of_section[SECTIONS_MOST];
};

struct group_findings {
    const struct lab *lab;
    const struct group *group;
    unsigned count;
    unsigned as_expected;
};

static void take_block_finding(void *context, const char *text)
{
    struct group_findings *findings = context;
    char expected[WHAT_SIZE];
    unsigned i = findings->count++;
    if (i < findings->group->count) {
        snprintf(expected, sizeof expected, "the block at byte %" PRIu64 " is damaged: its checksum does not match",
                 findings->lab->header.blocks[findings->group->block[i]].offset);
        findings->as_expected += strcmp(text, expected) == 0;
    }
}

static bool holds(const struct group *group, int block)
{
    for (unsigned i = 0; i < group->count; i++) {
        if ((int)group->block[i] == block) {
            return true;
        }
    }
    return false;
}

// An answer that needs a damaged block must be refused, and name a damaged one.
static void ask_about_block(const struct study *study, const struct lab *lab, struct fewest *table,
                            const struct group *group, unsigned i, struct tally *tally)
{
    char why[WHY_SIZE] = "";
    unsigned refused = 0;
    int asker = study->book->asker[group->block[i]];
    bool right = ask_record(table, any_record(study->book), &refused);
    if (asker >= 0) {
        enum verdict verdict = judge_record(table, &study->book->records[asker], why);
        right = false;
        refused++;
        if (verdict != VERDICT_REFUSED || !holds(group, lab_named_block(lab, why))) {
            violate("an answer that needs block %" PRIu64 ": '%s'", group->block[i], why);
        }
    }
    tally->refused += refused > 0;
    tally->right += right;
}

static void judge_group(const struct study *study, struct lab *lab, const struct group *group, struct tally *tally)
{
    struct fewest_error error;
    struct fewest *table = fewest_open_buffer(lab->work.bytes, lab->work.length, &error);
    if (!table) {
        violate("it does not open: %s", error.text);
        return;
    }
    struct group_findings findings = {.lab = lab, .group = group};
    bool sound = fewest_check(table, false, take_block_finding, &findings, &(struct fewest_error){0});
    if (sound || findings.count != group->count || findings.as_expected != group->count) {
        violate("check has %u findings, %u of them as expected, where %u blocks are damaged", findings.count,
                findings.as_expected, group->count);
    } else {
        tally->found += group->count;
    }
    for (unsigned i = 0; i < group->count; i++) {
        if (i == 0 || !study->book->searched) { // a search needs all blocks
            ask_about_block(study, lab, table, group, i, tally);
        }
    }
    fewest_close(table);
}

static void try_group(const struct study *study, struct lab *lab, const struct group *group, unsigned flip,
                      struct tally *tally)
{
    struct victim victim = {
        .bytes = lab->work.bytes, .length = lab->work.length, .from = lab->header.length, .to = lab->good.length};
    for (unsigned i = 0; i < group->count; i++) {
        lab_flip_block(lab, group->block[i], flip);
    }
    snprintf(victim.what, sizeof victim.what, "a bit of block %" PRIu64 " and %u others flipped (%u)", group->block[0],
             group->count - 1, flip);
    begin_try(&victim);
    tally->tries += group->count;
    judge_group(study, lab, group, tally);
    end_try();
    victim_release(lab, &victim);
}

static unsigned section_of_block(const struct lab *lab, uint64_t block)
{
    unsigned s = 0;
    for (uint64_t end = 0; s < lab->header.section_count; s++) {
        end += section_blocks(&lab->header, &lab->header.sections[s]);
        if (block < end) {
            break;
        }
    }
    return s;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// How many tries of a harm are made. A sample of forged tables, which are asked and checked, is smaller where that
// takes long.
static uint64_t count_tries(const struct study *study, const struct lab *lab, uint64_t ways)
{
    enum { SANITIZED_EACH = 8 };
    unsigned few = study->sample / study->path_count + 1;
    uint64_t entries = lab_entries(lab);
    uint64_t tries = study->sample;
    if (harm_is_forged(study->harm) && study->harm != HARM_FORGED_FIELD) {
        tries = entries <= ENTRIES_FEW ? study->sample / 2 + 1 : few;
    }
    if (harm_is_forged(study->harm) && entries > ENTRIES_SLOW) {
        tries = study->harm == HARM_FORGED_FIELD ? tries : 1;
    }
    if (study->sample == 0) {
        bool many = study->harm == HARM_SPLICED || study->harm == HARM_FORGED_FIELD;
        return HOSTILE_SANITIZED && many && entries > ENTRIES_SLOW ? ways / SANITIZED_EACH : ways;
    }
    return least(tries, ways);
}

// So many blocks, spread over the file, that a check reports all of them.
static unsigned choose_group(const struct lab *lab)
{
    uint64_t largest = 0;
    for (unsigned s = 0; s < lab->header.section_count; s++) {
        uint64_t blocks = section_blocks(&lab->header, &lab->header.sections[s]);
        largest = blocks > largest ? blocks : largest;
    }
    uint64_t most = (GROUP_OF_SECTION - 1) * lab->header.block_count / largest;
    return most < GROUP_MOST ? (unsigned)most : GROUP_MOST;
}

// Every block, or some. Of a few blocks each is tried alone.
static void try_blocks(const struct study *study, struct lab *lab, unsigned flip, struct tally *tally)
{
    enum { ALONE = 16 };
    uint64_t blocks = lab->header.block_count;
    uint64_t tries = study->sample ? count_tries(study, lab, blocks * BLOCK_FLIPS) / BLOCK_FLIPS + 1 : blocks;
    tries = tries < blocks ? tries : blocks;
    unsigned most = blocks <= ALONE ? 1 : choose_group(lab);
    uint64_t stride = (tries + most - 1) / most; // so that a group is spread over the file, and its blocks rise
    for (uint64_t first = 0; first < stride; first++) {
        struct group group = {.count = 0};
        for (uint64_t i = first; i < tries; i += stride) {
            uint64_t block = i * blocks / tries;
            unsigned s = section_of_block(lab, block);
            if (group.of_section[s] == GROUP_OF_SECTION) {
                try_group(study, lab, &group, flip, tally);
                group = (struct group){.count = 0};
            }
            group.block[group.count++] = block;
            group.of_section[s]++;
        }
        try_group(study, lab, &group, flip, tally);
    }
}

// ---- Forged tables -------------------------------------------------------------------------------------------------

static void keep_pass(const struct study *study, const struct victim *victim)
{
    char path[PATH_MAX];
    if (shared->passed == SPECIMENS_MOST) {
        violate("more forged tables passed than there is room for");
        return;
    }
    specimen_path(study, "passed", shared->passed, path);
    image_write(path, victim->bytes, victim->length);
    snprintf(shared->pass[shared->passed++], WHAT_SIZE, "%s", victim->what);
}

// What it counts it does not hold, or what it holds is true; which is proved later.
static void check_forged(struct study *study, const struct victim *victim, struct fewest *table, struct tally *tally)
{
    struct findings findings;
    if (!check(table, false, &findings)) {
        tally->found++;
        return;
    }
    if (study->harm == HARM_FORGED_COUNT) {
        violate("check finds nothing");
    }
    if (study->deep_tries == 0) {
        return;
    }
    study->deep_tries--;
    alarm(LIMIT_DEEP);
    if (check(table, true, &findings)) {
        keep_pass(study, victim);
    } else {
        tally->found++;
    }
}

static void judge_forged(struct study *study, const struct lab *lab, const struct victim *victim, uint64_t number,
                         struct tally *tally)
{
    enum { FIELD_EACH = 8, WHOLE_EACH = 8, WHOLE_EACH_FIELD = 64 };
    struct fewest *table = open_victim(victim, tally);
    struct inquiry inquiry;
    char why[WHY_SIZE];
    bool good = victim->length == lab->good.length && memcmp(victim->bytes, lab->good.bytes, victim->length) == 0;
    if (!table || good) { // a checksum may have been forged back to what it was
        tally->right += good;
        fewest_close(table);
        return;
    }
    uint64_t unpacked = image_unpacked(victim->bytes, victim->length);
    shared->unpacked_most = unpacked > shared->unpacked_most ? unpacked : shared->unpacked_most;
    // Of the many fields some will do, where asking takes long.
    if (study->harm == HARM_FORGED_FIELD && lab_entries(lab) > ENTRIES_FEW && number % FIELD_EACH != 0) {
        fewest_close(table);
        return;
    }
    bool whole = number % (study->harm == HARM_FORGED_FIELD ? WHOLE_EACH_FIELD : WHOLE_EACH) == 0;
    if (!interrogate(table, study->book, whole, &inquiry, why)) {
        violate("%s", why);
    }
    tally->refused += inquiry.refused > 0;
    tally->right += inquiry.refused == 0 && inquiry.lied == 0;
    check_forged(study, victim, table, tally);
    fewest_close(table);
}

void study_passed(struct study *study)
{
    struct lab lab;
    char why[WHY_SIZE] = "";
    lab_open(&lab, study->paths, study->path_count, study->own);
    for (unsigned i = 0; i < shared->passed; i++) {
        char path[PATH_MAX];
        specimen_path(study, "passed", i, path);
        struct image image = image_read(path);
        struct victim victim = {.bytes = image.bytes, .length = image.length};
        snprintf(victim.what, sizeof victim.what, "%s", shared->pass[i]);
        studied = study;
        begin_try(&victim);
        if (!image_is_true(&lab, &image, why)) {
            violate("a deep check passes, but %s", why);
        }
        end_try();
        free(image.bytes);
        unlink(path);
    }
    lab_close(&lab);
}

// ---- All of them ---------------------------------------------------------------------------------------------------

// The i-th of so many tries, spread over all ways.
static uint64_t choose_way(uint64_t i, uint64_t tries, uint64_t ways)
{
    uint64_t from = i * ways / tries;
    uint64_t to = (i + 1) * ways / tries;
    return from + support_random() % (to - from);
}

static void judge(struct study *study, const struct lab *lab, const struct victim *victim, uint64_t number)
{
    struct tally *tally = &shared->tried[study->harm];
    begin_try(victim);
    tally->tries++;
    if (harm_is_forged(study->harm)) {
        judge_forged(study, lab, victim, number, tally);
    } else if (study->harm == HARM_SPLICED) {
        judge_spliced(study, lab, victim, number, tally);
    } else {
        expect_refusal(victim, tally);
    }
    end_try();
}

// Forged entries come from files: taking a table apart takes more memory than reading it may.
static void judge_specimens(struct study *study, struct lab *lab)
{
    for (unsigned i = 0; i < shared->specimens; i++) {
        char path[PATH_MAX];
        specimen_path(study, "specimen", i, path);
        struct image image = image_read(path);
        struct victim victim = {.bytes = image.bytes, .length = image.length, .own = true};
        snprintf(victim.what, sizeof victim.what, "%s", shared->specimen[i]);
        judge(study, lab, &victim, i);
        victim_release(lab, &victim);
    }
}

void study_harm(struct study *study)
{
    struct lab lab;
    studied = study;
    lab_open(&lab, study->paths, study->path_count, study->own);
    uint64_t ways = harm_ways(&lab, study->harm);
    uint64_t tries = count_tries(study, &lab, ways);
    if (study->harm == HARM_BLOCK_BIT) {
        for (unsigned flip = 0; flip < BLOCK_FLIPS; flip++) {
            try_blocks(study, &lab, flip, &shared->tried[study->harm]);
        }
    } else if (study->harm == HARM_FORGED_ENTRY) {
        judge_specimens(study, &lab);
    } else {
        for (uint64_t i = 0; i < tries; i++) {
            struct victim victim;
            harm_make(&lab, study->harm, choose_way(i, tries, ways), &victim);
            judge(study, &lab, &victim, i);
            victim_release(&lab, &victim);
        }
    }
    lab_close(&lab);
}

// For the command a few; of forged entries all that are tried in process, too.
void study_specimens(struct study *study)
{
    struct lab lab;
    lab_open(&lab, study->paths, study->path_count, study->own);
    uint64_t ways = harm_ways(&lab, study->harm);
    uint64_t tries = least(study->harm == HARM_FORGED_ENTRY ? count_tries(study, &lab, ways) : SPECIMENS, ways);
    if (study->sample) {
        tries = least(tries, lab_entries(&lab) > ENTRIES_SLOW ? 2 : study->sample / study->path_count + 1);
    }
    shared->specimens = 0;
    for (uint64_t i = 0; i < tries; i++) {
        struct victim victim;
        char path[PATH_MAX];
        harm_make(&lab, study->harm, choose_way(i, tries, ways), &victim);
        specimen_path(study, "specimen", (unsigned)i, path);
        image_write(path, victim.bytes, victim.length);
        snprintf(shared->specimen[i], WHAT_SIZE, "%s", victim.what);
        shared->specimen_unpacked[i] = image_unpacked(victim.bytes, victim.length);
        shared->specimens++;
        victim_release(&lab, &victim);
    }
    lab_close(&lab);
}
