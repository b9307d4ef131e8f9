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
#include "blocks.h"

#include <stdlib.h>

// A slot in its block, while slots are sorted.
struct member {
    uint16_t slot;
    uint16_t block;
    uint16_t number;
    uint16_t kind; // blocks of one kind have the same numbers
};

struct block {
    struct member *first;
};

struct finder {
    const struct slot_moves *moves;
    uint16_t *number;
    unsigned count;         // of different numbers
    uint16_t *orbit;        // by slot: the least slot from which moves take pieces here
    uint16_t *parent;       // by slot: a slot of the same block that is not greater
    uint16_t *queue;        // slots that were the least of a block
    struct member *members; // one for each slot
    struct block *blocks;
    uint64_t work;
};

// A limit for definitions that are hostile: about a second.
static const uint64_t WORK_MOST = UINT64_C(1) << 27;

// ---- Block systems ------------------------------------------------------------------------------

// The least slot of the block of a slot.
static unsigned find_least(struct finder *finder, unsigned slot)
{
    uint16_t *parent = finder->parent;
    while (parent[slot] != slot) {
        parent[slot] = parent[parent[slot]];
        slot = parent[slot];
    }
    return slot;
}

static void make_single_blocks(struct finder *finder)
{
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->parent[i] = (uint16_t)i;
    }
}

// Joins two blocks. Appends to the queue the slot that is no longer the least of its block.
static void join(struct finder *finder, unsigned a, unsigned b, unsigned *length)
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

static const uint16_t *row_of_move(const struct finder *finder, unsigned m)
{
    return finder->moves->rows + (size_t)m * finder->moves->slots;
}

// Finds the least block system that has slots a and b in one block.
static void find_blocks(struct finder *finder, unsigned a, unsigned b)
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

static void find_orbits(struct finder *finder)
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
static bool is_whole(struct finder *finder, unsigned a)
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

// By block, then by number.
static int compare_members(const void *a, const void *b)
{
    const struct member *one = a;
    const struct member *other = b;
    return one->block != other->block ? one->block - other->block : one->number - other->number;
}

// By number, then by kind of block.
static int compare_kinds(const void *a, const void *b)
{
    const struct member *one = a;
    const struct member *other = b;
    return one->number != other->number ? one->number - other->number : one->kind - other->kind;
}

// Compares the numbers of two blocks. After the last member of all, there is one in no block.
static int compare_blocks(const void *a, const void *b)
{
    const struct member *one = ((const struct block *)a)->first;
    const struct member *other = ((const struct block *)b)->first;
    unsigned block = one->block;
    unsigned other_block = other->block;
    while (one->block == block && other->block == other_block) {
        if (one->number != other->number) {
            return one->number - other->number;
        }
        one++;
        other++;
    }
    return (one->block == block) - (other->block == other_block);
}

// Finds out which blocks have the same numbers.
static void find_kinds(struct finder *finder)
{
    struct member *members = finder->members;
    unsigned slots = finder->moves->slots;
    unsigned blocks = 0;
    uint16_t kind = 0;
    for (unsigned i = 0; i < slots; i++) {
        members[i] = (struct member){.slot = (uint16_t)i,
                                     .block = (uint16_t)find_least(finder, i),
                                     .number = finder->number[i]};
    }
    qsort(members, slots, sizeof *members, compare_members);
    members[slots].block = UINT16_MAX;
    for (unsigned i = 0; i < slots; i++) {
        if (i == 0 || members[i].block != members[i - 1].block) {
            finder->blocks[blocks++].first = &members[i];
        }
    }
    qsort(finder->blocks, blocks, sizeof *finder->blocks, compare_blocks);
    for (unsigned b = 0; b < blocks; b++) {
        struct member *member = finder->blocks[b].first;
        unsigned block = member->block;
        if (b > 0 && compare_blocks(&finder->blocks[b - 1], &finder->blocks[b]) != 0) {
            kind++;
        }
        for (; member->block == block; member++) {
            member->kind = kind;
        }
    }
}

// Gives different numbers to slots of one number whose blocks are of different kinds.
static void number_slots(struct finder *finder)
{
    static const uint64_t WEIGHT = 64; // to sort slots costs more than to join two blocks
    struct member *members = finder->members;
    find_kinds(finder);
    qsort(members, finder->moves->slots, sizeof *members, compare_kinds);
    finder->count = 0;
    for (unsigned i = 0; i < finder->moves->slots; i++) {
        finder->count += i == 0 || compare_kinds(&members[i - 1], &members[i]) != 0;
        finder->number[members[i].slot] = (uint16_t)(finder->count - 1);
    }
    finder->work += WEIGHT * finder->moves->slots;
}

// Uses block systems that join a slot of each orbit with any other slot.
static void number_once(struct finder *finder)
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

bool blocks_number(const struct slot_moves *moves, uint16_t *number)
{
    unsigned slots = moves->slots;
    struct finder finder = {.moves = moves,
                            .number = number,
                            .orbit = malloc(slots * sizeof *finder.orbit),
                            .parent = malloc(slots * sizeof *finder.parent),
                            .queue = malloc(slots * sizeof *finder.queue),
                            .members = malloc((slots + 1) * sizeof *finder.members),
                            .blocks = malloc(slots * sizeof *finder.blocks)};
    bool done = finder.orbit && finder.parent && finder.queue && finder.members && finder.blocks;
    if (done) {
        find_orbits(&finder);
        make_single_blocks(&finder);
        number_slots(&finder); // without gaps
    }
    for (unsigned before = 0; done && before < finder.count;) {
        before = finder.count;
        number_once(&finder);
    }
    free(finder.orbit);
    free(finder.parent);
    free(finder.queue);
    free(finder.members);
    free(finder.blocks);
    return done;
}
