// Shared by damage.c and damage_make.c: a good table, and its damaged or forged copies.
#ifndef FEWEST_TESTS_TOOLS_DAMAGE_H
#define FEWEST_TESTS_TOOLS_DAMAGE_H

#include "support.h"
#include "tables/file/format.h"

enum { FIELDS_MOST = 8192 };

struct source {
    struct generated good;
    struct generated other; // another good table, to splice with
    uint8_t *work;          // a copy of the table that is damaged and restored
    struct header header;
    struct table_content content;
    uint64_t entries;
    unsigned field_count; // fields of the header
    struct field {
        size_t at;
        unsigned width;
    } fields[FIELDS_MOST];
};

// Opens a good table. Its bytes and those of the other one must stay until it is closed.
void open_source(struct source *source, const struct generated *good,
                 const struct generated *other);
void close_source(struct source *source);

// A damaged table: the source's copy, or bytes of its own.
struct victim {
    uint8_t *bytes;
    size_t length;
    size_t dirty;      // number of bytes to restore at the start of the source's copy
    unsigned findings; // number of findings that a check must report; 0 if unknown
};

// The expected result of a table. COUNTED and HARMLESS tables are forged: their checksums are
// computed anew.
enum expectation {
    INTACT,
    REFUSED,  // it does not open
    NOTICED,  // it does not open, or a check finds the damage; no answer is wrong
    COUNTED,  // a check finds it, but answers may be wrong
    HARMLESS, // answers may be wrong
};

struct class
{
    const char *name;
    enum expectation expected;
    void (*make)(struct source *source, uint64_t way, struct victim *victim);
};

enum { CLASS_COUNT = 12, CLASS_ENTRY = 9 };
extern const struct class CLASSES[CLASS_COUNT];

// Returns the number of ways to do this damage. If it is random, returns how often to try it.
uint64_t count_ways(const struct source *source, const struct class *class);

// Does the damage in one of these ways. Release each victim before you make the next.
void make_victim(struct source *source, const struct class *class, uint64_t way,
                 struct victim *victim);
void release_victim(struct source *source, struct victim *victim);

#endif
