// What the parts of the hostile test share: tables and their spoilt copies, questions with their recorded answers, and
// what the children tell the parent. main.c says what is proved.
#ifndef FEWEST_TESTS_HOSTILE_H
#define FEWEST_TESTS_HOSTILE_H

#include "format.h"
#include "support.h"

#include <limits.h>

#if defined(__SANITIZE_ADDRESS__)
#define HOSTILE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define HOSTILE_SANITIZED 1
#endif
#endif
#ifndef HOSTILE_SANITIZED
#define HOSTILE_SANITIZED 0 // where memory can be measured
#endif

enum {
    BLOCKS_MOST = 4096,
    RECORDS_MOST = 4096,
    SPECIMENS = 6, // that every command is given
    SPECIMENS_MOST = 256,
    VIOLATIONS_MOST = 20,
    WHAT_SIZE = 200,
    WHY_SIZE = 400,
};

// ---- Harm: make.c, forge.c ------------------------------------------------------------------------------------------

// What befalls a table. The first ones are accidents, which must be noticed; the rest are forged, with every checksum
// made anew, and may lie.
enum harm {
    HARM_HEADER_BIT,
    HARM_BLOCK_BIT,
    HARM_CUT,
    HARM_APPENDED,
    HARM_SPLICED,
    HARM_FIELD,
    HARM_FORGED_FIELD,
    HARM_FORGED_DEFINITION,
    HARM_FORGED_COUNT,
    HARM_FORGED_ENTRY,
    HARM_FORGED_INDEX,
    HARM_COUNT,
};

static inline bool harm_is_forged(enum harm harm)
{
    return harm >= HARM_FORGED_FIELD;
}

extern const char *const HARM_NAMES[HARM_COUNT];

struct image {
    uint8_t *bytes; // exactly as many as there are, so that a sanitizer sees a read past the end
    size_t length;
};

struct field {
    size_t at;
    unsigned width;
};

// A table and what is needed to spoil it.
struct lab {
    struct image good;
    struct image work; // a copy, spoilt and mended again
    struct header header;
    struct field *fields; // of the header
    unsigned field_count;
    const char *const *paths; // of all tables
    unsigned path_count;
    unsigned own;       // number of this one
    struct image other; // the table that it was last spliced with
    unsigned other_number;
    struct table_content content; // once it was taken apart
    bool apart;
};

// A spoilt table: the lab's copy, of which from … to-1 must be mended, or bytes of its own.
struct victim {
    uint8_t *bytes;
    size_t length;
    size_t from;
    size_t to;
    bool own;
    char what[WHAT_SIZE]; // was done to it
};

struct image image_read(const char *path); // ends the program where it can't
void image_write(const char *path, const uint8_t *bytes, size_t length);

void lab_open(struct lab *lab, const char *const *paths, unsigned path_count, unsigned own);
void lab_close(struct lab *lab);

// How many ways there are to do this harm; of those that are random, as many as a full run tries.
uint64_t harm_ways(const struct lab *lab, enum harm harm);

// Does it, in one of these ways. Each victim is released before the next is made.
void harm_make(struct lab *lab, enum harm harm, uint64_t way, struct victim *victim);
void victim_release(struct lab *lab, struct victim *victim);

// Flips a bit of a block of the lab's copy: at random in it (0), in its first (1) or its last byte (2). Undone by
// lab_mend.
enum { BLOCK_FLIPS = 3 };
void lab_flip_block(struct lab *lab, uint64_t block, unsigned flip);
void lab_mend(struct lab *lab, size_t from, size_t to);

// All entries of a table; with more than so many it takes long to pack one.
enum { ENTRIES_SLOW = 5000000, ENTRIES_FEW = 200000 };
uint64_t lab_entries(const struct lab *lab);

// The block that an error names, or -1.
int lab_named_block(const struct lab *lab, const char *text);

// Bytes of unpacked entries that a table asks for, as far as its header can be understood; else 0.
uint64_t image_unpacked(const uint8_t *bytes, size_t length);

// For the makers of harm alone: the forged ones are in forge.c.
enum { // the header, as FORMAT.md has it
    SECTIONS_AT = 28,
    SECTION_FIXED = 36, // bytes before the histogram
    INDEX_ENTRY = 20,
    INDEX_LENGTH_AT = 8,
    HASH_BYTES = 8,
};
size_t lab_index_at(const struct lab *lab); // the block index
void lab_put(uint8_t *bytes, unsigned width, uint64_t value);
uint64_t lab_get(const uint8_t *bytes, unsigned width);
void *lab_allocate(size_t size); // ends the program without memory
void victim_in_place(struct lab *lab, size_t from, size_t to, struct victim *victim);
uint64_t forge_ways(const struct lab *lab, enum harm harm);
void forge(struct lab *lab, enum harm harm, uint64_t way, struct victim *victim);

// Does a table hold the true distances of its own definition? Generates them where it is not the lab's. `why` not.
bool image_is_true(const struct lab *lab, const struct image *image, char why[WHY_SIZE]);

// ---- Questions: ask.c -----------------------------------------------------------------------------------------------

struct reply {
    enum fewest_status steps_status;
    enum fewest_status path_status;
    enum fewest_status parity_status;
    int steps;
    int path_steps;
    uint64_t path_hash;
    bool reachable;
    uint64_t reason_hash;
};

struct record {
    struct fewest_query question;
    struct reply reply; // of the intact table
};

struct whole {
    enum fewest_status stats_status;
    enum fewest_status farthest_status;
    struct fewest_stats stats;
    uint8_t farthest[FEWEST_CELLS_MOST];
};

enum { LINES_MOST = 16, LINE_SIZE = 2 * FEWEST_TEXT_SIZE };

// What an intact table answers.
struct book {
    bool searched;
    unsigned block_count;
    unsigned count;         // records
    unsigned general;       // the first ones: of every kind; the others are there for a block
    int asker[BLOCKS_MOST]; // by block: a record whose answer needs it, or -1
    struct record records[RECORDS_MOST];
    struct whole whole;
    unsigned line_count;
    char start[LINES_MOST][FEWEST_TEXT_SIZE];  // a few answerable questions as text
    char target[LINES_MOST][FEWEST_TEXT_SIZE]; // or empty
};

enum verdict {
    VERDICT_RIGHT,   // as the intact table
    VERDICT_REFUSED, // the damage was noticed
    VERDICT_LIED,    // a forged table's possible answer
    VERDICT_WRONG,   // a violation
};

// Fills in the book; for each block it draws up to `draws` questions to find one that needs it.
void book_write(struct book *book, struct lab *lab, unsigned draws);

// Asks a table what the book knows. `why` tells what is wrong.
enum verdict judge_record(struct fewest *table, const struct record *record, char why[WHY_SIZE]);
enum verdict judge_whole(struct fewest *table, const struct whole *expected, char why[WHY_SIZE]);

// Asks a forged table what there is to ask, its own questions too: it may lie, and must come back with answers that are
// possible. Counts what it made of them. False, and why, where it did anything else.
struct inquiry {
    unsigned refused;
    unsigned lied;
};
bool interrogate(struct fewest *table, const struct book *book, bool whole, struct inquiry *inquiry,
                 char why[WHY_SIZE]);

// ---- Commands: run.c ------------------------------------------------------------------------------------------------

enum { OUTPUT_SIZE = 1 << 14, TIME_LIMIT = 20, OPERANDS = 6 };

struct run {
    bool killed;
    int number; // of the signal, or the exit status
    long peak;  // KiB
    char out[OUTPUT_SIZE];
    char err[OUTPUT_SIZE];
};

// Runs a program to its end, or for TIME_LIMIT seconds; its output goes through files in the folder.
void run_program(const char *const *arguments, const char *folder, struct run *run);

enum command { COMMAND_STEPS, COMMAND_PATH, COMMAND_BATCH, COMMAND_STATS, COMMAND_CHECK, COMMAND_COUNT };
extern const char *const COMMAND_NAMES[COMMAND_COUNT];

// What a command did with a spoilt table, beside what it did with the intact one. `room` is the KiB that it may take
// beyond that. `why` tells what is wrong.
enum verdict judge_run(enum command command, bool forged, const struct run *run, const struct run *intact, long room,
                       char why[WHY_SIZE]);

// ---- In process: try.c ----------------------------------------------------------------------------------------------

struct tally {
    uint64_t tries;
    uint64_t refused;
    uint64_t right;
    uint64_t found; // by a check
};

// What children tell the parent: memory that they share.
struct shared {
    struct tally tried[HARM_COUNT];
    struct tally commanded[HARM_COUNT];
    unsigned violations;
    char violation[VIOLATIONS_MOST][WHY_SIZE + 2 * WHAT_SIZE];
    char label[WHAT_SIZE];  // of the child at work
    char at[WHAT_SIZE];     // what it is trying
    uint64_t begun;         // tries of it
    uint64_t keep_at;       // the number of one whose table is to be kept, instead of being tried; 0 for none
    uint64_t unpacked_most; // bytes that a table asked for
    double deep_seconds;
    unsigned specimens; // files of spoilt tables that it wrote
    char specimen[SPECIMENS_MOST][WHAT_SIZE];
    uint64_t specimen_unpacked[SPECIMENS_MOST];
    unsigned passed; // files of forged tables that passed a deep check
    char pass[SPECIMENS_MOST][WHAT_SIZE];
};

extern struct shared *shared;

// What is done to one table.
struct study {
    const char *program; // `fewest`
    const char *const *paths;
    unsigned path_count;
    unsigned own;
    const char *name;   // of its file
    const char *folder; // for files
    unsigned sample;    // so many tries of each kind, or 0 for all
    struct book *book;  // shared
    enum harm harm;
    unsigned deep_tries; // how many may be followed by a deep check
};

// The work of a child each. A failure to do it ends the child.
void study_book(struct study *study);      // records what the intact table answers
void study_intact(struct study *study);    // asks all of it again, and checks: what a table needs
void study_harm(struct study *study);      // harms it, and judges
void study_specimens(struct study *study); // harms it, into files
void study_passed(struct study *study);    // proves the forged tables that passed

void specimen_path(const struct study *study, const char *kind, unsigned number, char path[PATH_MAX]);

// Notes a violation, the first twenty with their words, and keeps the table at hand.
void violate(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
