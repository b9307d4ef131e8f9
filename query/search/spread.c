// Spreads pattern databases.
#include "search/spread.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21 };

// A pass through the arrangements of a database's tiles, in the order of their ranks.
struct spreading {
    const struct unpacked *database;
    unsigned cells;
    unsigned tiles;
    uint32_t *entries;
    uint64_t entry;
};

// Reads the next entries and packs them into two bits each, from the lowest bit up.
static uint32_t read_entries(struct spreading *spreading, unsigned count)
{
    const uint8_t *bytes = spreading->database->whole;
    unsigned bits = spreading->database->section->bits;
    uint64_t length = (uint64_t)bits * count;
    uint64_t begin = spreading->entry * bits;
    uint64_t entries = 0;
    if (bits == SPREAD_BITS) {
        for (uint64_t byte = (begin + length + 7) / 8; byte-- > begin / 8;) {
            entries = entries << 8 | bytes[byte];
        }
        spreading->entry += count;
        return (uint32_t)(entries >> begin % 8 & ((UINT64_C(1) << length) - 1));
    }
    for (unsigned i = 0; i < count; i++) {
        uint64_t excess = entry_get(bytes, bits, spreading->entry++);
        entries |= (excess > SPREAD_MOST ? SPREAD_MOST : excess) << SPREAD_BITS * i;
    }
    return (uint32_t)entries;
}

// Shifts entries up so that each taken cell has a gap of two bits.
static uint32_t insert_gaps(uint32_t entries, unsigned taken)
{
    for (; taken != 0; taken &= taken - 1) {
        uint32_t before = (UINT32_C(1) << SPREAD_BITS * (unsigned)__builtin_ctz(taken)) - 1;
        entries = (entries & before) | (entries & ~before) << SPREAD_BITS;
    }
    return entries;
}

// Places the tiles from `tile` on in all free cells. The cells of the earlier tiles are the number
// of the word. The cell of the last tile selects the entry in the word.
static void spread_entries(struct spreading *spreading, unsigned tile, unsigned taken, size_t word)
{
    if (tile + 1 == spreading->tiles) {
        uint32_t entries = read_entries(spreading, spreading->cells - tile);
        spreading->entries[word] = insert_gaps(entries, taken);
        return;
    }
    for (unsigned cell = 0; cell < spreading->cells; cell++) {
        if (!(taken >> cell & 1)) {
            spread_entries(spreading, tile + 1, taken | 1u << cell, word << 4 | cell);
        }
    }
}

// The words that the entries of a database take.
static size_t count_words(const struct pattern_database *database)
{
    return (size_t)1 << 4 * (database->count - 1);
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
    // The look-ups are scattered, so huge pages make them faster. Words without an entry are not
    // set and never read.
    spread->entries = aligned_alloc(HUGE_PAGE, size);
    if (!spread->entries) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pattern databases");
    }
    madvise(spread->entries, size, MADV_HUGEPAGE); // without huge pages it is only slower
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
    bool fits = true;
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
