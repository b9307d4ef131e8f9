// An open table: its file, header and puzzle, and the blocks unpacked so far. Internal to query/.
//
// Many threads may look up entries of one table. A block that the file has uncompressed is read
// where it lies, after its checksum was verified once. Any other block is unpacked when it is first
// needed. Both happen under a lock. Afterwards the block's pointer in `bytes` is stored, and never
// changes again, so a thread that sees it needs no lock. Only the blocks of a bounded section are
// dropped again: they have no such pointer, and their entries are read under the lock.
//
// The bytes in the file may change while it is open. So an entry is checked whenever it is read.
#ifndef FEWEST_QUERY_TABLE_H
#define FEWEST_QUERY_TABLE_H

#include "database.h"
#include "query/fewest.h"
#include "tables/file/format.h"
#include "tables/puzzle/puzzle.h"
#include "tables/text/text.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// The unpacked blocks of a bounded section. When they are `most` or more, all are dropped before
// the next read. Each thread that holds a lock may add one, so they can be BLOCK_LOCKS - 1 more.
struct held_blocks {
    uint64_t most;
    _Atomic uint64_t count; // parts of the room that are taken
    const uint8_t *bytes[]; // by block: its bytes in the room, or NULL
};

// One section and its blocks. If its unpacked blocks would exceed the cache, it is *bounded*.
struct unpacked {
    const struct section *section;
    const struct block *blocks;    // the section's own
    const uint8_t *_Atomic *bytes; // by block: its bytes, or NULL
    _Atomic uint64_t *ready;       // a bit for each block: are its bytes there?
    uint8_t *room;                 // for all blocks, or as many as a bounded section may hold
    bool together;                 // all blocks are unpacked there, also those that are stored
    struct held_blocks *held;      // NULL unless the section is bounded
    _Atomic uint64_t copied;       // bytes, if they are together
    _Atomic uint64_t blank;        // the number + 1 of a block of unreachable entries; 0: none yet
};

enum { BLOCK_LOCKS = 16 };

struct fewest {
    struct storage storage;
    char *path; // of the file, for messages; NULL for a buffer
    struct header header;
    struct puzzle puzzle;
    struct alphabet alphabet;
    // By kind, and by root or pattern database. The section is NULL if the table has none.
    struct unpacked sections[SECTION_KIND_COUNT][SECTIONS_MOST];
    _Atomic bool wildcards_numbered; // they have numbers, and their sections are checked
    void *_Atomic bounds; // of a searched puzzle (search/ida_star.h), once a query needs them
    pthread_mutex_t bounds_lock; // held while they are made
    struct fewest_info info;
    struct fewest_options options; // the defaults filled in
    // By root: for each REACHABLE_CHUNK indices, the number of reachable states before them
    // (stats.c); or NULL.
    uint64_t *_Atomic reachable_before[ROOTS_MOST];
    pthread_mutex_t lock; // held while wildcards are numbered
    // Block b of a section has lock b % BLOCK_LOCKS. So threads unpack different blocks at once.
    pthread_mutex_t block_locks[BLOCK_LOCKS];
    z_stream streams[BLOCK_LOCKS]; // the lock's, to unpack blocks
};

// Limits the memory of each section's unpacked blocks to `cache` bytes, but at least 16 blocks.
// With UINT64_MAX, and in a pattern database, all blocks lie one after the other in memory. Returns
// false if memory runs out.
bool table_reserve(struct fewest *table, uint64_t cache, struct fewest_error *error);
// Frees that memory, and what unpacking needs.
void table_release(struct fewest *table);

// Fills in the table's info, and frees what it holds.
bool info_make(struct fewest *table, struct fewest_error *error);
void info_free(struct fewest *table);

// Puts the path of the table's file, if it has one, before the error's text. Returns false.
bool table_prefix_path(const struct fewest *table, struct fewest_error *error);

// Numbers the wildcard targets, and checks that the table has the sections that they need. Call
// this before using a section of wildcard targets.
bool table_number_wildcards(struct fewest *table, struct fewest_error *error);

// Has table_number_wildcards succeeded? Any thread may ask.
static inline bool table_has_wildcard_numbers(const struct fewest *table)
{
    return atomic_load_explicit(&table->wildcards_numbered, memory_order_acquire);
}

// Is a section a pattern database?
static inline bool table_is_database(const struct section *section)
{
    return section->kind == SECTION_DATABASE || section->kind == SECTION_STRIPES;
}

// Returns the unpacked blocks of one of the table's sections.
static inline struct unpacked *table_unpacked(struct fewest *table, const struct section *section)
{
    return &table->sections[section->kind][section->root_number];
}

// Calls the watcher, if there is one. Returns false if it stops the work.
static inline bool table_watch(const struct fewest *table, const struct fewest_progress *progress)
{
    const struct fewest_options *options = &table->options;
    return !options->watch || options->watch(options->watch_context, progress);
}

// Adds `count` states to *looked_at, the number that a query has looked at. Calls the watcher each
// time that another STATES_PER_WATCH are complete. Returns false with FEWEST_STOPPED if the watcher
// stops the query.
enum { STATES_PER_WATCH = 1 << 12 };
bool table_watches_query(struct fewest *table, uint64_t *looked_at, uint64_t count,
                         struct fewest_error *error);

// Tells the watcher, if there is one, that `done` of `all` steps of the work `what` are done.
// Returns false with FEWEST_STOPPED if it stops the work.
bool table_watches_on(struct fewest *table, const char *what, uint64_t done, uint64_t all,
                      struct fewest_error *error);

enum { STEPS_PER_WATCH = 1 << 12 };

// Does the same, but only once in STEPS_PER_WATCH steps. So it may be called for each step.
static inline bool table_goes_on(struct fewest *table, const char *what, uint64_t done,
                                 uint64_t all, struct fewest_error *error)
{
    return done % STEPS_PER_WATCH != 0 || table_watches_on(table, what, done, all, error);
}

// Unpacks a block of a section, unless it is there. Returns its bytes, or NULL after an error. In a
// bounded section they stay only until the next call.
const uint8_t *table_unpack(struct fewest *table, const struct unpacked *unpacked, uint64_t block,
                            struct fewest_error *error);

// Is a block known to have only unreachable entries? It is if its bytes in the file are those of
// one that was unpacked before. So whoever goes through all entries of a table with few states can
// leave out nearly all blocks: a sample of Square-1's shapes then takes 0.4 s instead of 31 s
// (2026-11).
bool table_is_blank(const struct fewest *table, const struct unpacked *unpacked, uint64_t block);

// The number of entries in a whole block of a section.
static inline uint64_t table_block_entries(const struct fewest *table,
                                           const struct section *section)
{
    return ((uint64_t)8 << table->header.block_log2) / section->bits;
}

// Does a distance, or FEWEST_UNREACHABLE, keep the limit of the options? If not, sets the error.
static inline bool table_keeps_limit(const struct fewest *table, int distance,
                                     struct fewest_error *error)
{
    if (table->options.limit == 0 || distance <= (int)table->options.limit) {
        return true;
    }
    error_write(error, FEWEST_LIMITED, "at least %u moves", table->options.limit + 1);
    error->at_least = table->options.limit + 1;
    return false;
}

// Fills in the pattern databases of the table, by number, as a search reads them (database.h). They
// are valid until the table is closed.
void table_list_databases(struct fewest *table, struct database databases[DATABASES_MOST]);

// Reads the value of an entry under a lock, and first unpacks its block if needed. Only for
// table_entry, if the block is not there for good. Returns false after an error.
bool table_fetch(struct fewest *table, const struct unpacked *unpacked, uint64_t entry,
                 unsigned *value, struct fewest_error *error);

// The entries first, first+step, … of a section, and their distances. STRIDE_UNREACHABLE stands for
// FEWEST_UNREACHABLE.
enum { STRIDE_MOST = INDEX_STRIDE_MOST, STRIDE_UNREACHABLE = 0xFF };
struct stride {
    uint64_t first;
    uint64_t step;
    unsigned count; // of entries, at most STRIDE_MOST
    uint8_t least;  // of the distances
    uint8_t distances[STRIDE_MOST];
};

// Fills in the distances of a stride and the least of them. The caller has set first, step and
// count; all entries lie in the section. Fails if a block can't be read or an entry is bad.
bool table_read_stride(struct fewest *table, const struct unpacked *unpacked, struct stride *stride,
                       struct fewest_error *error);

// Reports a value that is neither a distance nor `unreachable`. Returns false.
bool table_bad_entry(const struct unpacked *unpacked, uint64_t entry, unsigned value,
                     struct fewest_error *error);

// Returns the block of an entry, and makes *entry its number in that block.
static inline uint64_t table_block(const struct fewest *table, const struct section *section,
                                   uint64_t *entry)
{
    // The bits of an entry are a power of two, so a block holds a power of two of entries.
    unsigned log2 = table->header.block_log2 + 3 - (unsigned)__builtin_ctz(section->bits);
    uint64_t block = *entry >> log2;
    *entry -= block << log2;
    return block;
}

// Returns the block of an entry, which does not change.
static inline uint64_t table_block_of(const struct fewest *table, const struct section *section,
                                      uint64_t entry)
{
    return table_block(table, section, &entry);
}

// The bytes of a block, or NULL if it is not there for good.
static inline const uint8_t *table_bytes(const struct unpacked *unpacked, uint64_t block)
{
    return atomic_load_explicit(&unpacked->bytes[block], memory_order_acquire);
}

// Sets *distance to what the value of an entry stands for: a distance or FEWEST_UNREACHABLE. Fails
// with FEWEST_DAMAGED if it is neither.
static inline bool table_distance(const struct unpacked *unpacked, uint64_t entry, unsigned value,
                                  int *distance, struct fewest_error *error)
{
    const struct section *section = unpacked->section;
    *distance = value <= section->largest ? (int)value : FEWEST_UNREACHABLE;
    return value <= section->largest || value == entry_unreachable(section->bits) ||
           table_bad_entry(unpacked, entry, value, error);
}

// Fills in the entry's distance, or FEWEST_UNREACHABLE. Unpacks its block if that is not there.
static inline bool table_entry(struct fewest *table, const struct unpacked *unpacked,
                               uint64_t entry, int *distance, struct fewest_error *error)
{
    const struct section *section = unpacked->section;
    assert(entry < section->entries);
    uint64_t in_block = entry;
    uint64_t block = table_block(table, section, &in_block);
    const uint8_t *bytes = table_bytes(unpacked, block);
    unsigned value;
    if (bytes) {
        value = entry_get(bytes, section->bits, in_block);
    } else if (!table_fetch(table, unpacked, entry, &value, error)) {
        return false;
    }
    return table_distance(unpacked, entry, value, distance, error);
}

#endif
