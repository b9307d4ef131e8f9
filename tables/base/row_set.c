// A hash table of rows.
#include "row_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void row_set_open(struct row_set *set, unsigned length)
{
    *set = (struct row_set){.length = length};
}

void row_set_clear(struct row_set *set)
{
    if (set->count > 0) {
        memset(set->table, 0, set->slots * sizeof *set->table);
    }
    set->count = 0;
}

void row_set_close(struct row_set *set)
{
    free(set->rows);
    free(set->table);
    *set = (struct row_set){.length = set->length};
}

enum {
    NUMBER_BITS = 32,       // of an entry of the table; the hash has the others
    ENTRIES_MOST = 1 << 30, // numbers in all rows together
};

// Returns the hash of some values and one more, from the hash of those values.
static uint64_t add_to_hash(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

// Returns the hash of a row, from four numbers at a time. The table uses only its upper half.
static inline uint64_t hash_row(const struct row_set *set, const uint16_t *row)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    unsigned i = 0;
    for (; i + 4 <= set->length; i += 4) {
        uint64_t four;
        memcpy(&four, row + i, sizeof four);
        hash = add_to_hash(hash, four);
    }
    for (; i < set->length; i++) {
        hash = add_to_hash(hash, row[i]);
    }
    return add_to_hash(hash, 0);
}

// Returns the first place in the table where a row with this hash may be. An entry of the table
// will do for the hash: it has the same upper half.
static uint32_t first_place(const struct row_set *set, uint64_t hash)
{
    return (uint32_t)(hash >> NUMBER_BITS) & (set->slots - 1);
}

// Returns the entry of a row in the table or, if the set lacks the row, the empty entry where the
// row belongs. There is an empty one, because at least half of the table is.
static inline uint64_t *find_place(const struct row_set *set, const uint16_t *row, uint64_t hash)
{
    uint32_t at = first_place(set, hash);
    for (; set->table[at] != 0; at = (at + 1) & (set->slots - 1)) {
        if (set->table[at] >> NUMBER_BITS == hash >> NUMBER_BITS &&
            memcmp(row_set_row(set, (uint32_t)set->table[at] - 1), row,
                   set->length * sizeof *row) == 0) {
            break;
        }
    }
    return &set->table[at];
}

uint32_t row_set_find(const struct row_set *set, const uint16_t *row)
{
    if (set->count == 0) {
        return ROW_NONE; // there may be no table
    }
    uint32_t entry = (uint32_t)*find_place(set, row, hash_row(set, row)); // the row's number + 1
    return entry > 0 ? entry - 1 : ROW_NONE;
}

// Doubles the room for rows, and makes a table of twice as many entries as there can be rows, so
// that at least half of it stays empty. Returns false if memory runs out, or above ENTRIES_MOST:
// then the set stays as it is.
static bool make_room(struct row_set *set)
{
    uint32_t room = set->room ? 2 * set->room : 16;
    if (room > ENTRIES_MOST / (set->length + 1)) {
        return false;
    }
    uint16_t *rows = realloc(set->rows, (size_t)room * (set->length + 1) * sizeof *rows);
    if (!rows) {
        return false;
    }
    set->rows = rows; // also if the table gets no memory: realloc has freed the old rows
    uint64_t *old = set->table;
    uint32_t old_slots = set->slots;
    uint64_t *table = calloc((size_t)2 * room, sizeof *table);
    if (!table) {
        return false;
    }
    set->table = table;
    set->slots = 2 * room;
    set->room = room;
    for (uint32_t o = 0; o < old_slots; o++) { // move the entries to the new table
        if (old[o] != 0) {
            uint32_t at = first_place(set, old[o]);
            while (table[at] != 0) {
                at = (at + 1) & (set->slots - 1);
            }
            table[at] = old[o];
        }
    }
    free(old);
    return true;
}

// Does the work of row_set_add for a row with this hash.
static uint32_t add_row(struct row_set *set, const uint16_t *row, uint64_t hash)
{
    uint64_t *place = set->room > 0 ? find_place(set, row, hash) : NULL;
    if (place && *place != 0) { // the row is there
        return (uint32_t)*place - 1;
    }
    if (!place || set->count == set->room) {
        if (!make_room(set)) {
            return ROW_NONE;
        }
        place = find_place(set, row, hash);
    }
    memcpy(set->rows + (size_t)set->count * set->length, row, set->length * sizeof *row);
    set->count++;
    *place = hash >> NUMBER_BITS << NUMBER_BITS | set->count; // the row's number + 1
    return set->count - 1;
}

uint32_t row_set_add(struct row_set *set, const uint16_t *row)
{
    return add_row(set, row, hash_row(set, row));
}

// Prefetches all entries of the table, then all rows that these name, and only then adds the rows.
// To look a row up in a large set is mostly to wait for memory. A list of a million sets takes
// 0.75 s instead of 1.9 s, 2026-11.
void row_set_add_many(struct row_set *set, const uint16_t *rows, unsigned count, uint32_t *numbers)
{
    uint64_t hashes[ROWS_AT_ONCE];
    assert(count <= ROWS_AT_ONCE);
    for (unsigned i = 0; i < count; i++) {
        hashes[i] = hash_row(set, rows + (size_t)i * set->length);
        if (set->room > 0) {
            __builtin_prefetch(&set->table[first_place(set, hashes[i])]);
        }
    }
    for (unsigned i = 0; i < count && set->room > 0; i++) {
        uint64_t entry = set->table[first_place(set, hashes[i])];
        if (entry != 0) {
            __builtin_prefetch(row_set_row(set, (uint32_t)entry - 1));
        }
    }
    for (unsigned i = 0; i < count; i++) {
        numbers[i] = add_row(set, rows + (size_t)i * set->length, hashes[i]);
    }
}

// A row as row_set_sort sorts it: most rows differ in their first numbers.
struct sorted_row {
    uint64_t begin;  // the first FIRST numbers of the row; the first one is the most significant
    uint32_t number; // before sorting
};

enum { FIRST = 4 };

// The set that row_set_sort sorts, because qsort passes no context.
static _Thread_local const struct row_set *compared;

// Compares two rows for qsort: lexicographically.
static int compare_rows(const void *a, const void *b)
{
    const struct sorted_row *x = a;
    const struct sorted_row *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    for (unsigned i = FIRST; i < compared->length; i++) {
        uint16_t from_x = row_set_row(compared, x->number)[i];
        uint16_t from_y = row_set_row(compared, y->number)[i];
        if (from_x != from_y) {
            return from_x < from_y ? -1 : 1;
        }
    }
    return 0;
}

// Fills in `order` with the rows in lexicographic order.
static void list_in_order(const struct row_set *set, struct sorted_row *order)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const uint16_t *row = row_set_row(set, i);
        order[i] = (struct sorted_row){.number = i};
        for (unsigned j = 0; j < FIRST; j++) { // a short row ends in zeros
            order[i].begin = order[i].begin << 16 | (j < set->length ? row[j] : 0);
        }
    }
    compared = set;
    qsort(order, set->count, sizeof *order, compare_rows);
}

// Copies the rows in their new order, and replaces the numbers in the entries of the table.
bool row_set_sort(struct row_set *set, uint32_t *number)
{
    struct sorted_row *order = malloc((set->count + (size_t)1) * sizeof *order);
    uint32_t *own = number ? NULL : malloc((set->count + (size_t)1) * sizeof *own);
    uint16_t *rows = malloc(((size_t)set->room * (set->length + 1) + 1) * sizeof *rows);
    uint32_t *new_number = number ? number : own;
    bool done = order && rows && new_number;
    if (done) {
        list_in_order(set, order);
        for (uint32_t i = 0; i < set->count; i++) {
            memcpy(rows + (size_t)i * set->length, row_set_row(set, order[i].number),
                   set->length * sizeof *rows);
            new_number[order[i].number] = i;
        }
        for (uint32_t at = 0; at < set->slots; at++) {
            if (set->table[at] != 0) {
                uint32_t old = (uint32_t)set->table[at] - 1;
                set->table[at] =
                    set->table[at] >> NUMBER_BITS << NUMBER_BITS | (new_number[old] + 1);
            }
        }
        free(set->rows);
        set->rows = rows;
    } else {
        free(rows);
    }
    free(order);
    free(own);
    return done;
}

bool row_set_close_under(struct row_set *set, unsigned steps, uint32_t most,
                         void (*apply)(const void *context, unsigned step, const uint16_t *from,
                                       uint16_t *to),
                         const void *context)
{
    uint16_t *to = malloc((set->length + 1) * sizeof *to);
    bool done = to;
    for (uint32_t i = 0; i < set->count && done; i++) { // the count grows
        for (unsigned step = 0; step < steps && set->count <= most && done; step++) {
            apply(context, step, row_set_row(set, i), to);
            done = row_set_add(set, to) != ROW_NONE;
        }
    }
    free(to);
    return done;
}
