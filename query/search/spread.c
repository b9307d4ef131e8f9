// Spreads pattern databases.
#include "search/spread.h"

#include "search/batch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// A pass through the arrangements of a database's tiles, in the order of their ranks.
struct spreading {
    const struct unpacked *database;
    unsigned cells;
    unsigned tiles;
    uint32_t *entries;
    uint64_t entry;
};

static void spread_entry(struct spreading *spreading, uint32_t index)
{
    uint32_t excess = entry_get(spreading->database->bytes, spreading->database->section->bits,
                                spreading->entry++);
    excess = excess > SPREAD_MOST ? SPREAD_MOST : excess;
    index *= SPREAD_BITS;
    spreading->entries[index / SPREAD_WORD] |= excess << index % SPREAD_WORD;
}

static void spread_entries(struct spreading *spreading, unsigned tile, unsigned taken,
                           uint32_t index)
{
    for (unsigned cell = 0; cell < spreading->cells; cell++) {
        if (taken >> cell & 1) {
            continue;
        }
        if (tile + 1 < spreading->tiles) {
            spread_entries(spreading, tile + 1, taken | 1u << cell, index << 4 | cell);
        } else {
            spread_entry(spreading, index << 4 | cell);
        }
    }
}

// The words that the entries of a database take, a power of two.
static uint32_t count_words(const struct pattern_database *database)
{
    uint32_t bits = (uint32_t)SPREAD_BITS << 4 * database->count;
    return bits < SPREAD_WORD ? 1 : bits / SPREAD_WORD;
}

static bool spread_databases(struct fewest *table, struct spread *spread,
                             struct fewest_error *error)
{
    const struct partition *partition = &table->puzzle.partition;
    uint32_t first[DATABASES_MOST] = {0};
    size_t words = 0;
    for (unsigned d = 0; d < partition->count; d++) {
        // Each database starts at a multiple of its size. So its entries' indices differ only in
        // the bits of the cells, and an exclusive or changes them.
        size_t own = count_words(&partition->databases[d]);
        words = (words + own - 1) / own * own;
        first[d] = (uint32_t)words;
        words += own;
    }
    size_t size = (words * sizeof(uint32_t) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    // Huge pages, because the look-ups are scattered.
    spread->entries = aligned_alloc(HUGE_PAGE, size);
    if (!spread->entries) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pattern databases");
    }
    madvise(spread->entries, size, MADV_HUGEPAGE); // without huge pages it is only slower
    memset(spread->entries, 0, size);
    for (unsigned d = 0; d < partition->count; d++) {
        struct spreading spreading = {.database = &table->databases[d],
                                      .cells = table->puzzle.cell_count,
                                      .tiles = partition->databases[d].count,
                                      .entries = spread->entries + first[d]};
        if (!table_unpack_all(table, spreading.database, error)) {
            return false;
        }
        spread_entries(&spreading, 0, 0, 0);
    }
    for (unsigned l = 0; l < partition->line_count; l++) {
        spread->first[l] = first[partition->lines[l].database] * SPREAD_WORD;
    }
    return true;
}

bool spread_fits(const struct partition *partition)
{
    bool fits = batch_fits(partition);
    for (unsigned d = 0; d < partition->count; d++) {
        fits &= partition->databases[d].count <= SPREAD_TILES_MOST;
    }
    return fits;
}

struct spread *spread_make(struct fewest *table, struct fewest_error *error)
{
    struct spread *spread = calloc(1, sizeof *spread);
    if (!spread) {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the search");
        return NULL;
    }
    if (!spread_databases(table, spread, error)) {
        spread_free(spread);
        return NULL;
    }
    return spread;
}

void spread_free(struct spread *spread)
{
    if (spread) {
        free(spread->entries);
        free(spread);
    }
}
