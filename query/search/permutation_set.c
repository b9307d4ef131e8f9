// Numbers permutations of points. A hash finds the permutations that may be equal; their points
// decide.
#include "search/permutation_set.h"

#include "file/format.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 1 << 6, // permutations
    ROOM_MOST = 1 << 30,
    NUMBER_BITS = 32,
};

static uint16_t *find_row(const struct permutation_set *set, uint32_t number)
{
    return &set->rows[(size_t)(number - 1) * set->points];
}

static size_t row_size(const struct permutation_set *set)
{
    return set->points * sizeof *set->rows;
}

// The first slot that may hold a permutation. There are two slots for each permutation.
static uint64_t first_slot(const struct permutation_set *set, uint64_t hash)
{
    return (hash >> NUMBER_BITS) & (2 * (uint64_t)set->room - 1);
}

static uint64_t next_slot(const struct permutation_set *set, uint64_t slot)
{
    return (slot + 1) & (2 * (uint64_t)set->room - 1);
}

// The slot of a permutation, or the empty one where it belongs.
static uint64_t *find_slot(const struct permutation_set *set, const uint16_t *row, uint64_t hash)
{
    uint64_t s = first_slot(set, hash);
    for (; set->slots[s] != 0; s = next_slot(set, s)) {
        if (set->slots[s] >> NUMBER_BITS == hash >> NUMBER_BITS &&
            memcmp(find_row(set, (uint32_t)set->slots[s]), row, row_size(set)) == 0) {
            break;
        }
    }
    return &set->slots[s];
}

static void copy_slots(struct permutation_set *set, const uint64_t *old, uint64_t count)
{
    for (uint64_t o = 0; o < count; o++) {
        if (old[o] == 0) {
            continue;
        }
        uint64_t s = first_slot(set, old[o]);
        while (set->slots[s] != 0) {
            s = next_slot(set, s);
        }
        set->slots[s] = old[o];
    }
}

static bool grow_set(struct permutation_set *set)
{
    uint32_t room = set->room == 0 ? FIRST_ROOM : 2 * set->room;
    if (room > ROOM_MOST || room > SIZE_MAX / (row_size(set) + 2 * sizeof *set->slots)) {
        return false;
    }
    uint16_t *rows = realloc(set->rows, room * row_size(set));
    if (!rows) {
        return false;
    }
    set->rows = rows;
    uint64_t *old = set->slots;
    uint64_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots) {
        return false;
    }
    uint64_t old_count = 2 * (uint64_t)set->room;
    set->slots = slots;
    set->room = room;
    copy_slots(set, old, old_count);
    free(old);
    return true;
}

// Adds the permutation that the row after the last one holds. Returns its number.
static uint32_t add_last_row(struct permutation_set *set)
{
    const uint16_t *row = find_row(set, set->count + 1);
    uint64_t hash = format_hash(row, row_size(set));
    uint64_t *slot = find_slot(set, row, hash);
    if (*slot == 0) {
        *slot = hash >> NUMBER_BITS << NUMBER_BITS | ++set->count;
    }
    return (uint32_t)*slot;
}

bool permutation_set_start(struct permutation_set *set, unsigned points)
{
    *set = (struct permutation_set){.points = points};
    if (!grow_set(set)) {
        return false;
    }
    for (unsigned x = 0; x < points; x++) {
        set->rows[x] = (uint16_t)x;
    }
    add_last_row(set);
    return true;
}

void permutation_set_free(struct permutation_set *set)
{
    free(set->rows);
    free(set->slots);
    *set = (struct permutation_set){.points = 0};
}

uint32_t permutation_set_multiply(struct permutation_set *set, uint32_t number,
                                  const uint16_t *move)
{
    if (set->count == set->room && !grow_set(set)) {
        return 0;
    }
    const uint16_t *from = find_row(set, number);
    uint16_t *to = find_row(set, set->count + 1);
    for (unsigned x = 0; x < set->points; x++) {
        to[x] = from[move[x]];
    }
    return add_last_row(set);
}
