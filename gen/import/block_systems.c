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

// A slot, while slots are sorted.
struct member {
    uint64_t kind; // of its block
    uint16_t slot;
    uint16_t number;
};

struct block_finder {
    const struct slot_moves *moves;
    uint16_t *number;
    unsigned count;         // of different numbers
    uint16_t *orbit;        // by slot: the least slot from which moves take pieces here
    uint16_t *parent;       // by slot: a slot of the same block that is not greater
    uint16_t *queue;        // slots that were the least of a block
    uint64_t *kind;         // by least slot of a block
    struct member *members; // one for each slot
    uint64_t work;
};

// A limit for definitions that are hostile: about a second.
static const uint64_t WORK_MOST = UINT64_C(1) << 27;

// ---- Block systems ------------------------------------------------------------------------------

// The least slot of the block of a slot.
static unsigned find_least(struct block_finder *finder, unsigned slot)
{
    uint16_t *parent = finder->parent;
    while (parent[slot] != slot) {
        parent[slot] = parent[parent[slot]];
        slot = parent[slot];
    }
    return slot;
}

static void make_single_blocks(struct block_finder *finder)
{
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->parent[i] = (uint16_t)i;
    }
}

// Joins two blocks. Appends to the queue the slot that is no longer the least of its block.
static void join(struct block_finder *finder, unsigned a, unsigned b, unsigned *length)
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

// Finds the least block system that has slots a and b in one block.
static void find_blocks(struct block_finder *finder, unsigned a, unsigned b)
{
    unsigned length = 0;
    make_single_blocks(finder);
    join(finder, a, b, &length);
    for (unsigned next = 0; next < length; next++) {
        unsigned slot = finder->queue[next];
        unsigned least = find_least(finder, slot);
        for (unsigned m = 0; m < finder->moves->count; m++) {
            join(finder, row_of_move(finder, m)[slot], row_of_move(finder, m)[least], &length);
        }
    }
}

static void find_orbits(struct block_finder *finder)
{
    unsigned length = 0;
    make_single_blocks(finder);
    for (unsigned m = 0; m < finder->moves->count; m++) {
        for (unsigned i = 0; i < finder->moves->slots; i++) {
            join(finder, i, row_of_move(finder, m)[i], &length);
        }
    }
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->orbit[i] = (uint16_t)find_least(finder, i);
    }
}

// Are all slots of the orbit of `a` in one block? Then the block system tells none of them apart.
static bool is_whole(struct block_finder *finder, unsigned a)
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

// By number, then by kind of block.
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
    static const uint64_t WEIGHT = 64; // to sort slots costs more than to join two blocks
    struct member *members = finder->members;
    qsort(members, finder->moves->slots, sizeof *members, compare_members);
    finder->count = 0;
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->count += i == 0 || compare_members(&members[i - 1], &members[i]) != 0;
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
static void number_slots(struct block_finder *finder)
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

// Numbers the slots in the order of `before`, their first numbers, and then of the slots.
static void order_numbers(struct block_finder *finder, const uint16_t *before)
{
    uint64_t *first = finder->kind; // by number: its first slot
    for (unsigned i = finder->moves->slots; i-- > 0;) {
        first[finder->number[i]] = i;
    }
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->members[i] = (struct member){first[finder->number[i]], (uint16_t)i, before[i]};
    }
    number_members(finder);
}

// Uses block systems that join a slot of each orbit with any other slot.
static void number_once(struct block_finder *finder)
{
    unsigned slots = finder->moves->slots;
    for (unsigned a = 0; a < slots; a++) {
        for (unsigned b = 0; b < slots && finder->orbit[a] == a; b++) {
            if (finder->count == slots || finder->work > WORK_MOST) {
                return;
            }
            find_blocks(finder, a, b);
            finder->work += slots;
            if (!is_whole(finder, a)) {
                number_slots(finder);
            }
        }
    }
}

bool block_systems_number(const struct slot_moves *moves, uint16_t *number)
{
    size_t slots = moves->slots;
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
        number_slots(&finder); // without gaps
        for (unsigned count = 0; count < finder.count;) {
            count = finder.count;
            number_once(&finder);
        }
        order_numbers(&finder, before);
    }
    free(rows);
    free(finder.kind);
    free(finder.members);
    return done;
}
