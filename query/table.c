// The blocks of an open table: room for them, unpacking and looking up.
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool lacks_memory(const struct section *section, uint64_t bytes, struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM,
                     "not enough memory for the unpacked blocks of section %s (%llu bytes)",
                     section->name, (unsigned long long)bytes);
}

static void free_unpacked(struct unpacked *unpacked)
{
    for (uint32_t p = 0; p < unpacked->place_count && !unpacked->whole; p++) {
        free(unpacked->places[p]);
    }
    free((void *)unpacked->places);
    free(unpacked->holds);
    free(unpacked->whole);
    *unpacked = (struct unpacked){.section = NULL};
}

// Makes places for the blocks of a section. On failure the section keeps its earlier places.
static bool reserve_section(struct fewest *table, struct unpacked *unpacked, unsigned section,
                            uint64_t first_block, uint64_t cache, struct fewest_error *error)
{
    enum { PLACES_LEAST = 16 };
    struct unpacked room = {.section = &table->header.sections[section],
                            .blocks = table->header.blocks + first_block,
                            .mask = UINT64_MAX};
    uint64_t places = section_blocks(&table->header, room.section);
    uint64_t bytes = section_bytes(room.section);
    bool bounded = bytes > cache && places > PLACES_LEAST;
    bool whole = cache == UINT64_MAX;
    if (bounded) {
        uint64_t wanted = cache >> table->header.block_log2;
        for (places = PLACES_LEAST; places * 2 <= wanted; places *= 2) {
        }
        room.mask = places - 1;
    }
    if (places > SIZE_MAX / sizeof *room.places ||
        (whole && bytes > SIZE_MAX)) { // if size_t has 32 bits
        return lacks_memory(room.section, bytes, error);
    }
    room.place_count = (uint32_t)places; // a file has fewer than 2^32 blocks
    room.places = calloc((size_t)places, sizeof *room.places);
    room.holds = bounded ? calloc((size_t)places, sizeof *room.holds) : NULL;
    room.whole =
        whole ? malloc((size_t)bytes) : NULL; // pages that are never written take no memory
    if (!room.places || (bounded && !room.holds) || (whole && !room.whole)) {
        room.place_count = 0;
        free_unpacked(&room);
        return lacks_memory(&table->header.sections[section], bytes, error);
    }
    free_unpacked(unpacked);
    *unpacked = room;
    return true;
}

struct unpacked *table_unpacked(struct fewest *table, const struct section *section)
{
    switch (section->kind) {
    case SECTION_WILDCARDS:
        return &table->wildcards[section->root_number];
    case SECTION_MOD4:
        return &table->mod4[section->root_number];
    case SECTION_DATABASE:
        return &table->databases[section->root_number];
    case SECTION_STATES:
    case SECTION_KIND_COUNT:
        break;
    }
    return &table->states[section->root_number];
}

bool table_reserve(struct fewest *table, uint64_t cache, struct fewest_error *error)
{
    uint64_t first_block = 0;
    for (unsigned s = 0; s < table->header.section_count; s++) {
        const struct section *section = &table->header.sections[s];
        struct unpacked *unpacked = table_unpacked(table, section);
        // A search needs these whole, and at a fixed address.
        bool database = section->kind == SECTION_DATABASE;
        if (!(database && unpacked->section) &&
            !reserve_section(table, unpacked, s, first_block, database ? UINT64_MAX : cache,
                             error)) {
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
}

bool table_watches_query(struct fewest *table, uint64_t *looked_at, uint64_t count,
                         struct fewest_error *error)
{
    uint64_t before = *looked_at;
    *looked_at += count;
    return before / STATES_PER_WATCH == *looked_at / STATES_PER_WATCH || !table->watch ||
           table->watch(table->watch_context, 0) ||
           error_set(error, FEWEST_STOPPED, "stopped after looking at %llu states",
                     (unsigned long long)*looked_at);
}

bool table_watches_on(struct fewest *table, const char *what, uint64_t done, uint64_t all,
                      struct fewest_error *error)
{
    return !table->watch_work || table->watch_work(table->watch_work_context, what, done, all) ||
           error_set(error, FEWEST_STOPPED, "stopped after %.0f %% of %s",
                     100.0 * (double)done / (double)all, what);
}

bool fewest_set_cache(struct fewest *table, uint64_t bytes, struct fewest_error *error)
{
    return table_reserve(table, bytes, error);
}

bool table_prefix_path(const struct fewest *table, struct fewest_error *error)
{
    return table->path && error_prefix_path(error, table->path);
}

static uint64_t place_of(const struct unpacked *unpacked, uint64_t block)
{
    return block & unpacked->mask;
}

static pthread_mutex_t *lock_place(struct fewest *table, const struct unpacked *unpacked,
                                   uint64_t block)
{
    pthread_mutex_t *lock = &table->place_locks[place_of(unpacked, block) % PLACE_LOCKS];
    pthread_mutex_lock(lock);
    return lock;
}

// The caller of the static functions from here to ensure_unpacked holds the lock of the place.

// Reads the packed bytes of a block and unpacks them.
static bool read_block(const struct fewest *table, const struct block *packed, uint8_t *to,
                       size_t length, struct fewest_error *error)
{
    uint8_t *bytes = malloc(packed->length); // more than 0
    if (!bytes) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory to unpack a block");
    }
    bool done = storage_read(&table->storage, packed->offset, bytes, packed->length, error) &&
                block_decode(packed, bytes, to, length, error);
    free(bytes);
    return done;
}

// Returns the memory for a block, and allocates it if there is none yet. NULL on failure.
static uint8_t *room_of_block(const struct fewest *table, const struct unpacked *unpacked,
                              uint64_t block)
{
    uint8_t *room = unpacked->places[place_of(unpacked, block)];
    if (room) {
        return room;
    }
    return unpacked->whole   ? unpacked->whole + (block << table->header.block_log2)
           : unpacked->holds ? malloc((size_t)1 << table->header.block_log2)
                             : malloc(block_bytes(&table->header, unpacked->section, block));
}

static bool unpack_block(const struct fewest *table, const struct unpacked *unpacked,
                         uint64_t block, struct fewest_error *error)
{
    uint8_t *_Atomic *place = &unpacked->places[place_of(unpacked, block)];
    uint8_t *room = room_of_block(table, unpacked, block);
    if (!room) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory to unpack a block");
    }
    if (unpacked->holds) {
        unpacked->holds[place_of(unpacked, block)] = (uint32_t)(block + 1);
    }
    size_t length = block_bytes(&table->header, unpacked->section, block);
    if (!read_block(table, &unpacked->blocks[block], room, length, error)) {
        *place = NULL;
        if (!unpacked->whole) {
            free(room);
        }
        return false;
    }
    atomic_store_explicit(place, room, memory_order_release);
    return true;
}

static bool is_there(const struct unpacked *unpacked, uint64_t block)
{
    uint64_t place = place_of(unpacked, block);
    return unpacked->places[place] && (!unpacked->holds || unpacked->holds[place] == block + 1);
}

static bool ensure_unpacked(const struct fewest *table, const struct unpacked *unpacked,
                            uint64_t block, struct fewest_error *error)
{
    return is_there(unpacked, block) || unpack_block(table, unpacked, block, error) ||
           table_prefix_path(table, error);
}

const uint8_t *table_unpack(struct fewest *table, const struct unpacked *unpacked, uint64_t block,
                            struct fewest_error *error)
{
    pthread_mutex_t *lock = lock_place(table, unpacked, block);
    bool done = unpack_block(table, unpacked, block, error);
    const uint8_t *bytes = done ? unpacked->places[place_of(unpacked, block)] : NULL;
    pthread_mutex_unlock(lock);
    return bytes;
}

bool table_need(struct fewest *table, const struct unpacked *unpacked, uint64_t block,
                struct fewest_error *error)
{
    pthread_mutex_t *lock = lock_place(table, unpacked, block);
    bool there = ensure_unpacked(table, unpacked, block, error);
    pthread_mutex_unlock(lock);
    return there;
}

bool table_fetch(struct fewest *table, const struct unpacked *unpacked, uint64_t entry,
                 unsigned *value, struct fewest_error *error)
{
    uint64_t block = table_block(table, unpacked->section, &entry);
    pthread_mutex_t *lock = lock_place(table, unpacked, block);
    bool there = ensure_unpacked(table, unpacked, block, error);
    if (there) {
        *value =
            entry_get(unpacked->places[place_of(unpacked, block)], unpacked->section->bits, entry);
    }
    pthread_mutex_unlock(lock);
    return there;
}

bool table_bad_entry(const struct unpacked *unpacked, uint64_t entry, unsigned value,
                     struct fewest_error *error)
{
    return error_set(
        error, FEWEST_DAMAGED, "section %s: entry %llu is %u, but the largest distance is %u",
        unpacked->section->name, (unsigned long long)entry, value, unpacked->section->largest);
}

bool table_unpack_all(struct fewest *table, const struct unpacked *unpacked,
                      struct fewest_error *error)
{
    uint64_t blocks = section_blocks(&table->header, unpacked->section);
    for (uint64_t b = 0; b < blocks; b++) {
        if (!table_need(table, unpacked, b, error)) {
            return false;
        }
    }
    return true;
}

// Reads entries of one block into run->distances, from place `at`. Sets *bad if one of them is
// neither a distance nor `unreachable`. If `bits` is a constant, this is faster.
static inline void read_entries(struct run *run, unsigned at, const uint8_t *bytes, unsigned bits,
                                uint64_t entry, uint64_t step, unsigned count, unsigned largest,
                                bool *bad)
{
    uint8_t *distances = run->distances + at;
    uint8_t least = run->least;
    bool has_bad = false;
    for (unsigned i = 0; i < count; i++, entry += step) {
        unsigned value = entry_get(bytes, bits, entry);
        has_bad |= value > largest && value != entry_unreachable(bits);
        distances[i] = (uint8_t)(value > largest ? RUN_UNREACHABLE : value);
        least = distances[i] < least ? distances[i] : least;
    }
    run->least = least;
    *bad |= has_bad;
}

// Like read_entries, for adjacent entries of 8 bits. Such an entry is the distance itself, so they
// are copied.
static void copy_entries(struct run *run, unsigned at, const uint8_t *entries, unsigned count,
                         unsigned largest, bool *bad)
{
    uint8_t most = 0; // the largest entry + 1; the entry of unreachable becomes 0
    uint8_t least = run->least;
    for (unsigned i = 0; i < count; i++) {
        uint8_t next = (uint8_t)(entries[i] + 1);
        most = next > most ? next : most;
        least = entries[i] < least ? entries[i] : least;
    }
    memcpy(run->distances + at, entries, count);
    run->least = least;
    *bad |= most > largest + 1;
}

// Continues table_read_run: reads entries from number `at` of the run, up to the end of their
// block, which is unpacked. Returns the number of entries read.
static unsigned read_in_block(const struct fewest *table, const struct unpacked *unpacked,
                              uint64_t first, uint64_t step, unsigned count, unsigned at,
                              struct run *run, bool *bad)
{
    unsigned bits = unpacked->section->bits;
    unsigned largest = unpacked->section->largest;
    uint64_t end = ((uint64_t)1 << table->header.block_log2) * 8 / bits;
    uint64_t entry = first + at * step;
    uint64_t block = table_block(table, unpacked->section, &entry);
    const uint8_t *bytes = unpacked->places[place_of(unpacked, block)];
    uint64_t here = step > 0 ? (end - entry + step - 1) / step : count; // 0 in a run of one
    count = here < count - at ? (unsigned)here : count - at;
    if (bits == 8 && step == 1) {
        copy_entries(run, at, bytes + entry, count, largest, bad);
    } else if (bits == 8) {
        read_entries(run, at, bytes, 8, entry, step, count, largest, bad);
    } else if (bits == 4) {
        read_entries(run, at, bytes, 4, entry, step, count, largest, bad);
    } else {
        read_entries(run, at, bytes, bits, entry, step, count, largest, bad);
    }
    return count;
}

bool table_read_run(struct fewest *table, const struct unpacked *unpacked, uint64_t first,
                    uint64_t step, unsigned count, struct run *run, struct fewest_error *error)
{
    bool bad = false;
    unsigned read = 0;
    run->least = RUN_UNREACHABLE;
    while (read < count && !bad) {
        uint64_t block = table_block_of(table, unpacked->section, first + read * step);
        bool locks = unpacked->mask != UINT64_MAX || !table_bytes(unpacked, block);
        pthread_mutex_t *lock = locks ? lock_place(table, unpacked, block) : NULL;
        bool there = ensure_unpacked(table, unpacked, block, error);
        if (there) {
            read += read_in_block(table, unpacked, first, step, count, read, run, &bad);
        }
        if (lock) {
            pthread_mutex_unlock(lock);
        }
        if (!there) {
            return false;
        }
    }
    for (unsigned i = 0; i < read && bad; i++) { // finds the entry, and reports it
        int distance;
        if (!table_entry(table, unpacked, first + i * step, &distance, error)) {
            return false;
        }
    }
    return true;
}
