// The blocks of an open table: room for them, unpacking and looking up.
#include "table.h"

#include "tables/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reports that there is not enough memory for the blocks of a section. Returns false.
static bool report_no_room(const struct section *section, uint64_t bytes,
                           struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM,
                     "not enough memory for the unpacked blocks of section %s (%llu bytes)",
                     section->name, (unsigned long long)bytes);
}

// Frees all that a section's unpacked blocks take, also after a failure in reserve_section. Leaves
// *unpacked empty.
static void free_unpacked(struct unpacked *unpacked)
{
    free((void *)unpacked->bytes);
    free((void *)unpacked->ready);
    free(unpacked->held);
    free(unpacked->room);
    *unpacked = (struct unpacked){.section = NULL};
}

// Makes room for the unpacked blocks of section number `section`. In the header's list, its blocks
// begin with number `first_block`. If they are more than 16 and take more than `cache` bytes, the
// section is bounded. Else there is room for all; UINT64_MAX as `cache` demands that, one block
// after the other (`together`). The new room replaces that in *unpacked. On failure, *unpacked
// stays as it is.
static bool reserve_section(struct fewest *table, struct unpacked *unpacked, unsigned section,
                            uint64_t first_block, uint64_t cache, struct fewest_error *error)
{
    enum { HELD_LEAST = 16 };
    struct unpacked made = {.section = &table->header.sections[section],
                            .blocks = table->header.blocks + first_block,
                            .together = cache == UINT64_MAX};
    uint64_t bytes = section_bytes(made.section);
    uint64_t blocks = section_blocks(&table->header, made.section);
    uint64_t most = cache >> table->header.block_log2; // blocks that may be held
    most = most > HELD_LEAST ? most : HELD_LEAST;
    bool bounded = bytes > cache && blocks > most;
    if (bounded) {
        bytes = (most + BLOCK_LOCKS) << table->header.block_log2;
    }
    if (blocks > (SIZE_MAX - sizeof *made.held) / sizeof *made.bytes ||
        bytes > SIZE_MAX) { // if size_t has 32 bits
        return report_no_room(made.section, bytes, error);
    }
    made.bytes = calloc((size_t)blocks, sizeof *made.bytes);
    made.ready = array_make(blocks / 64 + 1, sizeof *made.ready);
    made.room = made.together ? array_make_huge(bytes, 1) : malloc((size_t)bytes);
    bool done = made.bytes && made.ready && made.room;
    if (bounded && done) {
        made.held = calloc(1, sizeof *made.held + (size_t)blocks * sizeof *made.held->bytes);
        done = made.held;
        if (done) {
            made.held->most = most;
        }
    }
    if (!done) {
        free_unpacked(&made);
        return report_no_room(&table->header.sections[section], bytes, error);
    }
    free_unpacked(unpacked);
    *unpacked = made;
    return true;
}

bool table_reserve(struct fewest *table, uint64_t cache, struct fewest_error *error)
{
    uint64_t first_block = 0;
    for (unsigned s = 0; s < table->header.section_count; s++) {
        const struct section *section = &table->header.sections[s];
        struct unpacked *unpacked = table_unpacked(table, section);
        // A search needs a pattern database whole and at a fixed address, so it is reserved once.
        bool is_database = table_is_database(section);
        bool is_kept = is_database && unpacked->section;
        uint64_t section_cache = is_database ? UINT64_MAX : cache;
        if (!is_kept && !reserve_section(table, unpacked, s, first_block, section_cache, error)) {
            return false;
        }
        first_block += section_blocks(&table->header, section);
    }
    return true;
}

void table_release(struct fewest *table)
{
    for (unsigned s = 0; s < table->header.section_count; s++) {
        free_unpacked(table_unpacked(table, &table->header.sections[s]));
    }
    for (unsigned i = 0; i < BLOCK_LOCKS; i++) {
        inflateEnd(&table->streams[i]);
    }
}

bool table_watches_query(struct fewest *table, uint64_t *looked_at, uint64_t count,
                         struct fewest_error *error)
{
    uint64_t before = *looked_at;
    *looked_at += count;
    bool is_due = before / STATES_PER_WATCH != *looked_at / STATES_PER_WATCH;
    if (!is_due || table_watch(table, &(struct fewest_progress){.bound = 0})) { // 0: no search
        return true;
    }
    return error_set(error, FEWEST_STOPPED, "stopped after looking at %llu states",
                     (unsigned long long)*looked_at);
}

bool table_watches_on(struct fewest *table, const char *what, uint64_t done, uint64_t all,
                      struct fewest_error *error)
{
    return table_watch(table, &(struct fewest_progress){.what = what, .done = done, .all = all}) ||
           error_set(error, FEWEST_STOPPED, "stopped after %.0f %% of %s",
                     100.0 * (double)done / (double)all, what);
}

bool table_prefix_path(const struct fewest *table, struct fewest_error *error)
{
    return table->path && error_prefix_path(error, table->path);
}

// Drops the blocks of a bounded section, if it still holds as many as it may.
static void drop_blocks(struct fewest *table, const struct unpacked *unpacked)
{
    struct held_blocks *held = unpacked->held;
    for (unsigned i = 0; i < BLOCK_LOCKS; i++) {
        pthread_mutex_lock(&table->block_locks[i]);
    }
    if (held->count >= held->most) { // no other thread has dropped them
        uint64_t blocks = section_blocks(&table->header, unpacked->section);
        memset(held->bytes, 0, (size_t)blocks * sizeof *held->bytes);
        held->count = 0;
    }
    for (unsigned i = BLOCK_LOCKS; i-- > 0;) {
        pthread_mutex_unlock(&table->block_locks[i]);
    }
}

// Locks what reading or unpacking this block needs, and makes room for it in a bounded section.
// Returns the lock, which the caller unlocks.
static pthread_mutex_t *lock_block(struct fewest *table, const struct unpacked *unpacked,
                                   uint64_t block)
{
    pthread_mutex_t *lock = &table->block_locks[block % BLOCK_LOCKS];
    pthread_mutex_lock(lock);
    while (unpacked->held && unpacked->held->count >= unpacked->held->most) {
        pthread_mutex_unlock(lock);
        drop_blocks(table, unpacked);
        pthread_mutex_lock(lock);
    }
    return lock;
}

// The caller of the static functions from here to ensure_block holds the lock of the block.

// Notes a block that was unpacked, if all its entries are unreachable: all bits are set.
static void note_blank(struct unpacked *unpacked, uint64_t block, const uint8_t *bytes,
                       size_t length)
{
    if (unpacked->blank == 0 && bytes[0] == 0xFF && memcmp(bytes, bytes + 1, length - 1) == 0) {
        unpacked->blank = block + 1;
    }
}

// Notes that a block was copied out of the file. After each 8 MiB, gives back the memory of the
// file, which the search will not read again.
static void note_copied(struct fewest *table, struct unpacked *unpacked, uint64_t length)
{
    enum { STEP = 1 << 23 };
    uint64_t before = atomic_fetch_add(&unpacked->copied, length);
    if (before / STEP < (before + length) / STEP) {
        storage_release(&table->storage);
    }
}

// Verifies a block, and returns its bytes; NULL after an error. A block that the file has
// uncompressed is read there or, if all blocks must lie together, copied into its part of the room.
// Any other one is unpacked there, in a bounded section into the next part. Unless the section is
// bounded, unpacked->bytes gets the bytes for good.
static const uint8_t *unpack_block(struct fewest *table, const struct unpacked *unpacked,
                                   uint64_t block, struct fewest_error *error)
{
    const struct block *packed = &unpacked->blocks[block];
    const uint8_t *encoded = table->storage.bytes + packed->offset;
    size_t length = block_bytes(&table->header, unpacked->section, block);
    const uint8_t *bytes = NULL;
    if (!block_find_stored(packed, encoded, length, &bytes, error)) {
        return NULL;
    }
    if (!bytes || unpacked->together) {
        struct held_blocks *held = unpacked->held;
        uint64_t part = held ? atomic_fetch_add(&held->count, 1) : block;
        uint8_t *room = unpacked->room + (part << table->header.block_log2);
        if (bytes) {
            memcpy(room, bytes, length);
        } else if (!block_decode(&table->streams[block % BLOCK_LOCKS], packed, encoded, room,
                                 length, error)) {
            return NULL;
        }
        note_blank(table_unpacked(table, unpacked->section), block, room, length);
        if (unpacked->together) {
            note_copied(table, table_unpacked(table, unpacked->section), length);
        }
        if (held) {
            held->bytes[block] = room;
            return room;
        }
        bytes = room;
    }
    atomic_store_explicit(&unpacked->bytes[block], bytes, memory_order_release);
    atomic_fetch_or_explicit(&unpacked->ready[block / 64], UINT64_C(1) << block % 64,
                             memory_order_release);
    return bytes;
}

// Returns the bytes of a block, and first unpacks it if they are not there. Returns NULL after an
// error.
static const uint8_t *ensure_block(struct fewest *table, const struct unpacked *unpacked,
                                   uint64_t block, struct fewest_error *error)
{
    const uint8_t *bytes = table_bytes(unpacked, block);
    if (!bytes && unpacked->held) {
        bytes = unpacked->held->bytes[block];
    }
    return bytes ? bytes : unpack_block(table, unpacked, block, error);
}

const uint8_t *table_unpack(struct fewest *table, const struct unpacked *unpacked, uint64_t block,
                            struct fewest_error *error)
{
    pthread_mutex_t *lock = lock_block(table, unpacked, block);
    const uint8_t *bytes = ensure_block(table, unpacked, block, error);
    pthread_mutex_unlock(lock);
    return bytes;
}

bool table_is_blank(const struct fewest *table, const struct unpacked *unpacked, uint64_t block)
{
    uint64_t known = unpacked->blank;
    if (known == 0) {
        return false;
    }
    const struct block *blank = &unpacked->blocks[known - 1];
    const struct block *other = &unpacked->blocks[block];
    const uint8_t *bytes = table->storage.bytes;
    return other->hash == blank->hash && other->length == blank->length &&
           block_bytes(&table->header, unpacked->section, block) ==
               block_bytes(&table->header, unpacked->section, known - 1) &&
           memcmp(bytes + other->offset, bytes + blank->offset, blank->length) == 0;
}

// The blocks of a pattern database. A table has databases of one kind.
static const struct unpacked *find_database(const struct fewest *table, unsigned number)
{
    const struct unpacked *board = &table->sections[SECTION_DATABASE][number];
    return board->section ? board : &table->sections[SECTION_STRIPES][number];
}

// The `unpack` of struct database: unpacks one block of a pattern database. The error names the
// file.
static bool unpack_database(const struct database *database, uint64_t block,
                            struct fewest_error *error)
{
    struct fewest *table = database->table;
    return table_unpack(table, find_database(table, database->number), block, error) ||
           table_prefix_path(table, error);
}

void table_list_databases(struct fewest *table, struct database databases[DATABASES_MOST])
{
    for (unsigned d = 0; d < DATABASES_MOST; d++) {
        const struct unpacked *unpacked = find_database(table, d);
        if (unpacked->section) {
            // An entry has a power of two of bits, and a block 8 << block_log2 bits.
            unsigned bits_log2 = (unsigned)__builtin_ctz(unpacked->section->bits);
            unsigned entries_log2 = table->header.block_log2 + 3 - bits_log2; // of a block
            databases[d] = (struct database){.bytes = unpacked->room,
                                             .ready = unpacked->ready,
                                             .entries = unpacked->section->entries,
                                             .base = (unsigned)unpacked->section->root,
                                             .bits_log2 = (uint8_t)bits_log2,
                                             .block_log2 = (uint8_t)entries_log2,
                                             .unpack = unpack_database,
                                             .table = table,
                                             .number = d};
        }
    }
}

bool table_fetch(struct fewest *table, const struct unpacked *unpacked, uint64_t entry,
                 unsigned *value, struct fewest_error *error)
{
    uint64_t block = table_block(table, unpacked->section, &entry);
    pthread_mutex_t *lock = lock_block(table, unpacked, block);
    const uint8_t *bytes = ensure_block(table, unpacked, block, error);
    if (bytes) {
        *value = entry_get(bytes, unpacked->section->bits, entry);
    }
    pthread_mutex_unlock(lock);
    if (!bytes) {
        table_prefix_path(table, error);
    }
    return bytes;
}

bool table_bad_entry(const struct unpacked *unpacked, uint64_t entry, unsigned value,
                     struct fewest_error *error)
{
    return error_set(
        error, FEWEST_DAMAGED, "section %s: entry %llu is %u, but the largest distance is %u",
        unpacked->section->name, (unsigned long long)entry, value, unpacked->section->largest);
}

// The entries of a stride that lie in one block.
struct stride_part {
    const uint8_t *bytes; // of the block
    uint64_t entry;       // the first entry of the part: its number in the block
    unsigned at;          // and its number in the stride
    unsigned count;       // of entries
};

// Fills in the distances of one part of a stride (table.h), and lowers stride->least if one of them
// is less. Returns false if an entry is neither a distance nor `unreachable`.
static bool read_entries(const struct section *section, const struct stride_part *part,
                         struct stride *stride)
{
    const unsigned bits = section->bits;
    const unsigned largest = section->largest;
    uint8_t *distances = stride->distances + part->at;
    uint64_t entry = part->entry;
    uint8_t least = stride->least;
    bool bad = false;
    for (unsigned i = 0; i < part->count; i++, entry += stride->step) {
        unsigned value = entry_get(part->bytes, bits, entry);
        bad |= value > largest && value != entry_unreachable(bits);
        distances[i] = (uint8_t)(value > largest ? STRIDE_UNREACHABLE : value);
        least = distances[i] < least ? distances[i] : least;
    }
    stride->least = least;
    return !bad;
}

// Returns the part of a stride that begins with its entry number `at`. The part ends with the block
// of that entry, or with the stride. `bytes` are those of the block.
static struct stride_part cut_stride(const struct fewest *table, const struct section *section,
                                     const uint8_t *bytes, const struct stride *stride, unsigned at)
{
    struct stride_part part = {.bytes = bytes, .at = at, .count = stride->count - at};
    uint64_t end = ((uint64_t)1 << table->header.block_log2) * 8 / section->bits; // of the block
    part.entry = stride->first + at * stride->step;
    table_block(table, section, &part.entry); // now its number in the block
    if (stride->step > 0) {                   // 0 in a stride of one
        // How many entries come before `end`: the quotient, rounded up.
        uint64_t here = (end - part.entry + stride->step - 1) / stride->step;
        part.count = here < part.count ? (unsigned)here : part.count;
    }
    return part;
}

bool table_read_stride(struct fewest *table, const struct unpacked *unpacked, struct stride *stride,
                       struct fewest_error *error)
{
    const struct section *section = unpacked->section;
    bool good = true;
    unsigned read = 0;
    stride->least = STRIDE_UNREACHABLE;
    while (read < stride->count && good) {
        uint64_t block = table_block_of(table, section, stride->first + read * stride->step);
        const uint8_t *bytes = table_bytes(unpacked, block);
        pthread_mutex_t *lock = NULL;
        if (!bytes) {
            lock = lock_block(table, unpacked, block);
            bytes = ensure_block(table, unpacked, block, error);
        }
        if (bytes) {
            const struct stride_part part = cut_stride(table, section, bytes, stride, read);
            good = read_entries(section, &part, stride);
            read += part.count;
        }
        if (lock) {
            pthread_mutex_unlock(lock);
        }
        if (!bytes) {
            return table_prefix_path(table, error);
        }
    }
    for (unsigned i = 0; i < read && !good; i++) { // one is bad: table_entry reports it
        int distance;
        if (!table_entry(table, unpacked, stride->first + i * stride->step, &distance, error)) {
            return false;
        }
    }
    return true;
}
