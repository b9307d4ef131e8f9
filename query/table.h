// An open table: the mapped file, its header and puzzle, and the blocks unpacked so far. Internal
// to query/.
//
// Many threads may look up entries of one table. A block with a place of its own is unpacked once,
// under the lock, and never changes again. `holds` is set after its bytes are there, so a thread
// that sees `holds` sees the bytes without the lock. The places of a bounded section are reused, so
// their entries are read under the lock.
#ifndef FEWEST_QUERY_TABLE_H
#define FEWEST_QUERY_TABLE_H

#include "fewest.h"
#include "file/format.h"
#include "file/mapping.h"
#include "puzzle/puzzle.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// One section, unpacked as far as it has been asked. There is room for all its blocks or, of a
// large section, for some: block b has the place b & mask, which others have too.
struct unpacked {
    const struct section *section;
    const struct block *blocks; // the section's own
    uint8_t *bytes;             // the places; their pages come with the blocks
    _Atomic uint32_t *holds;    // by place: the block there, counted from 1; 0 for none
    uint64_t mask;              // UINT64_MAX where there is room for all
};

struct fewest {
    struct mapping mapping; // empty where the caller holds the bytes
    char *path;             // of its file, as it may be shown; NULL of a buffer
    const uint8_t *bytes;
    size_t length;
    struct header header;
    struct puzzle puzzle;
    struct unpacked states[ROOTS_MOST];        // by root
    struct unpacked wildcards[ROOTS_MOST];     // section NULL without them
    struct unpacked mod4[ROOTS_MOST];          // distances mod 4; section NULL without them
    struct unpacked databases[DATABASES_MOST]; // of a puzzle that is searched
    struct heuristic *_Atomic heuristic;       // of that puzzle; NULL until the first query
    pthread_mutex_t heuristic_lock;            // held while the heuristic is made
    fewest_watcher *watch;                     // or NULL
    void *watch_context;
    pthread_mutex_t lock; // of what follows, and of unpacking
    // A copy of the block at hand: the file may change under the map between hash and use.
    uint8_t *scratch;
    size_t scratch_size;
};

// Makes room for the unpacked blocks of all sections, of so many bytes each at most.
bool table_reserve(struct fewest *table, uint64_t cache, struct fewest_error *error);
void table_release(struct fewest *table);

struct unpacked *table_unpacked(struct fewest *table, const struct section *section);

// The address of a block's bytes, unpacked or not.
static inline uint8_t *table_place(const struct fewest *table, const struct unpacked *unpacked,
                                   uint64_t block)
{
    return unpacked->bytes + ((block & unpacked->mask) << table->header.block_log2);
}

// Unpacks a block of a section now, whether or not it is there; and unless it is there.
bool table_unpack(struct fewest *table, const struct unpacked *unpacked, uint64_t block,
                  struct fewest_error *error);
bool table_need(struct fewest *table, const struct unpacked *unpacked, uint64_t block,
                struct fewest_error *error);

// For table_entry: the value of an entry whose block is not there, or whose place others may take
// meanwhile.
bool table_fetch(struct fewest *table, const struct unpacked *unpacked, uint64_t entry,
                 unsigned *value, struct fewest_error *error);

// Reports a value that is neither a distance nor `unreachable`. Returns false.
bool table_bad_entry(const struct unpacked *unpacked, uint64_t entry, unsigned value,
                     struct fewest_error *error);

// The block of an entry, and its number there.
static inline uint64_t table_block(const struct fewest *table, const struct section *section,
                                   uint64_t *entry)
{
    unsigned log2 = table->header.block_log2;
    uint64_t block = *entry * section->bits / 8 >> log2;
    *entry -= (block << log2) * 8 / section->bits;
    return block;
}

static inline bool table_is_there(const struct unpacked *unpacked, uint64_t block)
{
    return atomic_load_explicit(&unpacked->holds[block & unpacked->mask], memory_order_acquire) ==
           block + 1;
}

// The entry's distance, or FEWEST_UNREACHABLE. Unpacks its block where this is the first look at
// it.
static inline bool table_entry(struct fewest *table, const struct unpacked *unpacked,
                               uint64_t entry, int *distance, struct fewest_error *error)
{
    const struct section *section = unpacked->section;
    assert(entry < section->entries);
    uint64_t rest = entry;
    uint64_t block = table_block(table, section, &rest);
    unsigned value;
    if (unpacked->mask == UINT64_MAX && table_is_there(unpacked, block)) {
        value = entry_get(table_place(table, unpacked, block), section->bits, rest);
    } else if (!table_fetch(table, unpacked, entry, &value, error)) {
        return false;
    }
    *distance = value <= section->largest ? (int)value : FEWEST_UNREACHABLE;
    return value <= section->largest || value == entry_unreachable(section->bits) ||
           table_bad_entry(unpacked, entry, value, error);
}

#endif
