// Tells pieces apart that look alike, by the pieces that moves keep beside them.
//
// A *block system* cuts the slots into blocks such that each move takes all pieces of a block to
// one block. The pieces of a block therefore stay together in every state. So a state shows which
// numbers a piece has in its block, and two pieces with one number differ if their blocks have
// different numbers. Repeating this with many block systems until nothing changes gives the
// numbers. All sets are numbered together, because stickers of different sets can belong to one
// piece.
//
// The least block system that joins two slots is found as in M. D. Atkinson, "An algorithm for
// finding the blocks of a permutation group", 1975.
#include "block_systems.h"

#include <stdlib.h>
#include <string.h>

// A slot, while slots are sorted by number and kind.
struct member {
    uint64_t kind; // of its block
    uint16_t slot;
    uint16_t number;
};

// Blocks are sets of slots, joined as in a union-find structure: `parent` leads from each slot to
// the least one of its block.
struct block_finder {
    const struct slot_moves *moves;
    uint16_t *number;       // by slot: of the piece there
    unsigned count;         // of different numbers
    uint16_t *orbit;        // by slot: the least slot from which moves take pieces here
    uint16_t *parent;       // by slot: a slot of the same block that is not greater
    uint16_t *queue;        // slots that were the least of a block, until it was joined to another
    uint64_t *kind;         // by least slot of a block: which numbers the block has
    struct member *members; // one for each slot
    uint64_t work;          // done so far, in joins
};

// A limit for definitions that are hostile: about a second.
static const uint64_t WORK_MOST = UINT64_C(1) << 27;

// ---- Block systems ------------------------------------------------------------------------------

// Finds the least slot of the block of a slot. Shortens the way to it for later calls.
static unsigned find_least(struct block_finder *finder, unsigned slot)
{
    uint16_t *parent = finder->parent;
    while (parent[slot] != slot) {
        parent[slot] = parent[parent[slot]];
        slot = parent[slot];
    }
    return slot;
}

// Makes a block of each slot alone.
static void make_single_blocks(struct block_finder *finder)
{
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->parent[i] = (uint16_t)i;
    }
}

// Joins the blocks of slots a and b. Appends to the queue, of *length slots, the slot that is no
// longer the least of its block. A slot gets there only once, so the queue has room.
static void join_blocks(struct block_finder *finder, unsigned a, unsigned b, unsigned *length)
{
    unsigned low = find_least(finder, a);
    unsigned high = find_least(finder, b);
    finder->work++;
    if (low != high) {
        if (low > high) {
            unsigned kept = low;
            low = high;
            high = kept;
        }
        finder->parent[high] = (uint16_t)low;
        finder->queue[(*length)++] = (uint16_t)high;
    }
}

static const uint16_t *row_of_move(const struct block_finder *finder, unsigned m)
{
    return finder->moves->rows + (size_t)m * finder->moves->slots;
}

// Finds the least block system that has slots a and b in one block: joins them, and then what moves
// make of each two slots that were joined.
static void find_blocks(struct block_finder *finder, unsigned a, unsigned b)
{
    unsigned length = 0;
    make_single_blocks(finder);
    join_blocks(finder, a, b, &length);
    for (unsigned next = 0; next < length; next++) {
        unsigned slot = finder->queue[next];
        unsigned least = find_least(finder, slot);
        for (unsigned m = 0; m < finder->moves->count; m++) {
            join_blocks(finder, row_of_move(finder, m)[slot], row_of_move(finder, m)[least],
                        &length);
        }
    }
}

// Finds the orbits: slots between which moves take pieces.
static void find_orbits(struct block_finder *finder)
{
    unsigned length = 0;
    make_single_blocks(finder);
    for (unsigned m = 0; m < finder->moves->count; m++) {
        for (unsigned i = 0; i < finder->moves->slots; i++) {
            join_blocks(finder, i, row_of_move(finder, m)[i], &length);
        }
    }
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->orbit[i] = (uint16_t)find_least(finder, i);
    }
}

// Are all slots of the orbit of `a` in one block? Then the block system tells none of them apart.
static bool is_orbit_in_one_block(struct block_finder *finder, unsigned a)
{
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        if (finder->orbit[i] == finder->orbit[a] &&
            find_least(finder, i) != find_least(finder, a)) {
            return false;
        }
    }
    return true;
}

// ---- Numbers ------------------------------------------------------------------------------------

// Compares by number, then by kind of block.
static int compare_members(const void *a, const void *b)
{
    const struct member *one = a;
    const struct member *other = b;
    if (one->number != other->number) {
        return one->number - other->number;
    }
    return (one->kind > other->kind) - (one->kind < other->kind);
}

// Gives different numbers to members of different numbers or kinds. Smaller ones come first.
static void number_members(struct block_finder *finder)
{
    static const uint64_t WEIGHT = 64; // sorting one slot takes the time of 64 joins
    struct member *members = finder->members;
    qsort(members, finder->moves->slots, sizeof *members, compare_members);
    finder->count = 0;
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        bool is_new = i == 0 || compare_members(&members[i - 1], &members[i]) != 0;
        if (is_new) {
            finder->count++;
        }
        finder->number[members[i].slot] = (uint16_t)(finder->count - 1);
    }
    finder->work += WEIGHT * finder->moves->slots;
}

// Scatters a number over 64 bits, as in the generator SplitMix64.
static uint64_t scatter(uint64_t number)
{
    number = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    number = (number ^ (number >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94D049BB133111EB);
    return number ^ (number >> 31);
}

// Gives different numbers to slots of one number whose blocks are of different kinds. Blocks of one
// kind have the same numbers, and so the same sum of scattered numbers. (If blocks with other
// numbers had that sum, too, their pieces would keep their common number.)
static void number_slots_by_blocks(struct block_finder *finder)
{
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->kind[i] = 0;
    }
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->kind[find_least(finder, i)] += scatter(finder->number[i]);
    }
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->members[i] =
            (struct member){finder->kind[find_least(finder, i)], (uint16_t)i, finder->number[i]};
    }
    number_members(finder);
}

// Gives the pieces new numbers. Pieces with one number still share one. The new numbers follow the
// order of `before`, their first numbers; equal ones follow the first slot that has the number.
static void order_numbers(struct block_finder *finder, const uint16_t *before)
{
    uint64_t *first = finder->kind; // the array serves another purpose: by number, its first slot
    for (unsigned i = finder->moves->slots; i-- > 0;) {
        first[finder->number[i]] = i;
    }
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->members[i] = (struct member){first[finder->number[i]], (uint16_t)i, before[i]};
    }
    number_members(finder);
}

// Tells more pieces apart, by the block systems that join the least slot of an orbit with any slot.
// Ends early if all pieces differ, or if there is too much work.
static void refine_numbers(struct block_finder *finder)
{
    unsigned slots = finder->moves->slots;
    for (unsigned a = 0; a < slots; a++) {
        for (unsigned b = 0; b < slots && finder->orbit[a] == a; b++) {
            if (finder->count == slots || finder->work > WORK_MOST) {
                return;
            }
            find_blocks(finder, a, b);
            finder->work += slots;
            if (!is_orbit_in_one_block(finder, a)) {
                number_slots_by_blocks(finder);
            }
        }
    }
}

bool block_systems_number(const struct slot_moves *moves, uint16_t *number)
{
    size_t slots = moves->slots; // at least 1
    uint16_t *rows = malloc(4 * slots * sizeof *rows);
    struct block_finder finder = {.moves = moves,
                                  .number = number,
                                  .kind = malloc(slots * sizeof *finder.kind),
                                  .members = malloc(slots * sizeof *finder.members)};
    bool done = rows && finder.kind && finder.members;
    if (done) {
        uint16_t *before = rows;
        finder.orbit = rows + slots;
        finder.parent = rows + 2 * slots;
        finder.queue = rows + 3 * slots;
        memcpy(before, number, slots * sizeof *before);
        find_orbits(&finder);
        make_single_blocks(&finder);
        number_slots_by_blocks(&finder); // without gaps
        unsigned count_before;
        do {
            count_before = finder.count;
            refine_numbers(&finder);
        } while (finder.count > count_before);
        order_numbers(&finder, before);
    }
    free(rows);
    free(finder.kind);
    free(finder.members);
    return done;
}
