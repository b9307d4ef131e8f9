// A set of rows of numbers, all of one length. Rows are numbered from 0 in the order in which they
// are added, until row_set_sort renumbers them.
#ifndef FEWEST_TABLES_ROW_SET_H
#define FEWEST_TABLES_ROW_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_set {
    unsigned length; // of a row
    uint32_t count;  // of rows
    uint32_t room;   // for so many rows
    uint32_t slots;  // entries of the table, a power of two
    uint16_t *rows;
    uint64_t *table; // a hash table: the upper half of a hash, then a row's number + 1; 0 if empty
};

static const uint32_t ROW_NONE = UINT32_MAX;

enum { ROWS_AT_ONCE = 32 };

// Returns the row with a number below `count`. It may move when a row is added.
static inline const uint16_t *row_set_row(const struct row_set *set, uint32_t number)
{
    return set->rows + (size_t)number * set->length;
}

// Makes an empty set of rows of `length` numbers, which takes no memory yet. The caller frees it
// with row_set_close.
void row_set_open(struct row_set *set, unsigned length);
void row_set_close(struct row_set *set);

// Removes all rows, and keeps the memory.
void row_set_clear(struct row_set *set);

// Returns the number of a row, or ROW_NONE if the set lacks it.
uint32_t row_set_find(const struct row_set *set, const uint16_t *row);

// Adds a row, unless it is there. Returns its number, or ROW_NONE if memory runs out. For a row
// that is there, nothing changes, so threads that add only such rows may share the set.
uint32_t row_set_add(struct row_set *set, const uint16_t *row);

// Adds `count` rows, at most ROWS_AT_ONCE, which follow each other. Fills in what row_set_add gives
// for each.
void row_set_add_many(struct row_set *set, const uint16_t *rows, unsigned count, uint32_t *numbers);

// Numbers the rows anew, in lexicographic order. Fills in the new number of each row, unless
// `number` is NULL. Returns false if memory runs out: then nothing changes.
bool row_set_sort(struct row_set *set, uint32_t *number);

// The memory of the set, in bytes.
static inline size_t row_set_bytes(const struct row_set *set)
{
    return (size_t)set->room * (set->length + 1) * sizeof *set->rows +
           set->slots * sizeof *set->table;
}

// Applies every step (0 … steps-1) to every row of the set and adds the results, until no new row
// appears. `apply` writes to `to` what a step makes of the row `from`. Stops early at `most` + 1
// rows. Returns false if memory runs out.
bool row_set_close_under(struct row_set *set, unsigned steps, uint32_t most,
                         void (*apply)(const void *context, unsigned step, const uint16_t *from,
                                       uint16_t *to),
                         const void *context);

#endif
