// What damage.c and damage_make.c share: a table at hand, and its copies that are damaged or forged.
#ifndef FEWEST_TESTS_DAMAGE_H
#define FEWEST_TESTS_DAMAGE_H

#include "format.h"
#include "support.h"

enum { FIELDS_MOST = 8192 };

struct source {
    struct generated good;
    struct generated other; // table, to splice it with
    uint8_t *work;          // a copy, damaged and restored again
    struct header header;
    struct table_content content;
    uint64_t entries;
    unsigned field_count; // of the header
    struct field {
        size_t at;
        unsigned width;
    } fields[FIELDS_MOST];
};

// Opens a good table. Its bytes and those of the other one must stay until it is closed.
void open_source(struct source *source, const struct generated *good, const struct generated *other);
void close_source(struct source *source);

// A damaged table: the source's copy, or bytes of its own.
struct victim {
    uint8_t *bytes;
    size_t length;
    size_t dirty;      // so many bytes of the source's copy must be restored
    unsigned findings; // that a check must report; 0 if unknown
};

// What must come of a table. COUNTED and HARMLESS ones are forged, and their checksums are made anew.
enum expectation {
    INTACT,
    REFUSED,  // it does not open
    NOTICED,  // it does not open, or a check finds the damage; and no answer is wrong
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

// Returns how many ways there are to do this damage; where it is drawn at random, how many are worth trying.
uint64_t count_ways(const struct source *source, const struct class *class);

// Does the damage in one of these ways. Release each victim before you make the next one.
void make_victim(struct source *source, const struct class *class, uint64_t way, struct victim *victim);
void release_victim(struct source *source, struct victim *victim);

#endif
