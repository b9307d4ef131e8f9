// A pattern database as a search reads it. Internal to query/.
//
// A search knows no file. It asks for an entry by its index. The first search that needs a block of
// entries has it unpacked. Then the block stays where it is, so an easy query costs a few blocks,
// and a hard one unpacks them all. Any number of threads may read a database.
#ifndef FEWEST_QUERY_DATABASE_H
#define FEWEST_QUERY_DATABASE_H

#include "tables/base/errors.h"

#include <stdatomic.h>
#include <stdint.h>

struct fewest;

struct database {
    const uint8_t *bytes;          // of all entries; valid in the blocks that are unpacked
    const _Atomic uint64_t *ready; // a bit for each block: is it unpacked?
    uint64_t entries;
    unsigned base; // of stripes (families/symmetry/stripes.h)
    // Unpacks a block, unless it is there. For database_need alone.
    bool (*unpack)(const struct database *database, uint64_t block, struct fewest_error *error);
    struct fewest *table; // that `unpack` knows
    unsigned number;      // of the database in the table
    uint8_t bits_log2;    // of an entry
    uint8_t block_log2;   // of the number of entries in a block
};

// Unpacks the block of an entry, unless it is there. Call this before database_get. Returns false
// with an error if the block is damaged or if memory runs out.
static inline bool database_need(const struct database *database, uint64_t index,
                                 struct fewest_error *error)
{
    uint64_t block = index >> database->block_log2;
    return (atomic_load_explicit(&database->ready[block / 64], memory_order_acquire) >> block % 64 &
            1) ||
           database->unpack(database, block, error);
}

// The byte that holds an entry. A search prefetches it before database_get.
static inline const uint8_t *database_at(const struct database *database, uint64_t index)
{
    return &database->bytes[index << database->bits_log2 >> 3];
}

// The entry that has all bits set, for "unreachable".
static inline unsigned database_unreachable(const struct database *database)
{
    return (1u << (1u << database->bits_log2)) - 1;
}

// The value of an entry, whose block must be unpacked.
static inline unsigned database_get(const struct database *database, uint64_t index)
{
    uint64_t bit = index << database->bits_log2;
    return *database_at(database, index) >> bit % 8 & database_unreachable(database);
}

#endif
