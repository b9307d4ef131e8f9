// Groups of permutations: stabilizer chains along single points, the *bases*. Level l belongs to
// the subgroup that fixes the bases of levels 0 … l-1. Its *orbit* is where this subgroup takes the
// base of level l.
//
// *Completeness*. A chain could lack elements of G, and then states. Random products of moves find
// its elements; they prove nothing. That nothing is missing is proved, in one of three ways. First,
// the elements of a chain are products of moves, so the product of its orbits' lengths is at most
// |G|. If it reaches an upper bound of |G|, it is |G|. The caller answers for the bound. Second,
// without a bound, every product of a generator and a chosen element, divided by the chosen
// elements digit by digit, must become the identity (Schreier's lemma; A. Seress, "Permutation
// Group Algorithms", 2003, 4.2). Third, once |K_{i-1}| is known, |K_i| is that divided by the
// length of digit i. Orders are compared as floating-point numbers. If a chain lacks something,
// some orbit of points lacks a share of at least 1/degree, far more than an error of rounding.
#ifndef FEWEST_TABLES_GROUPS_H
#define FEWEST_TABLES_GROUPS_H

#include "chain.h"

// The memory of a chain. It is freed all at once, because the groups of the chain share rows. The
// arena also counts the work.
struct arena {
    struct arena_block *blocks; // the newest first
    uint8_t *at;                // the next byte of the newest block
    size_t left;                // bytes of this block
    uint64_t bytes;             // that were taken, from all blocks
    uint64_t work;              // entries that were written or compared
    bool out_of_memory;
    bool too_large;
    uint64_t random; // seed
};

// Work, in entries that take as long.
enum {
    LEVEL_WORK = 8, // to look at a level
    LEAST_WORK = 4, // to compare a point with the least one so far
    SET_WORK = 300, // to look a set up, besides its points: mostly waiting for memory
};

struct level {
    chain_point base;
    unsigned length; // of the orbit
    unsigned room;   // of `orbit` and `element`, in points
    // The base first. Once the chain is finished, the orbit of a digit's level is rising.
    chain_point *orbit;
    uint16_t *number; // by point: its number in the orbit, or CHAIN_NONE; NULL if length is 1
    // The *transversals*. By number: an element that takes the base there; its inverse lies after
    // it.
    const chain_point **element;
};

struct chain_group {
    unsigned degree;
    unsigned level_count;
    struct level *levels;
    const chain_point **generators;
    unsigned *fixed; // by generator: how many levels, from the first, have bases that it fixes
    unsigned generator_count;
    unsigned generator_room;
};

// Returns the number of a point in the orbit of a level, or CHAIN_NONE.
static inline unsigned level_number(const struct level *level, chain_point point)
{
    if (level->number) {
        return level->number[point];
    }
    return point == level->base ? 0 : CHAIN_NONE;
}

// Returns an arena that has done so much work before, or NULL if memory runs out.
struct arena *arena_open(uint64_t work);
void arena_close(struct arena *arena);

// Counts work. Returns false if a limit is exceeded or memory ran out, now or earlier.
bool arena_spend(struct arena *arena, uint64_t work);

// Returns `size` bytes for any type, which chain_free frees. NULL if memory runs out. Above
// CHAIN_BYTES_MOST it only sets `too_large`, and the next arena_spend fails.
void *arena_take(struct arena *arena, size_t size);

// Writes the product that applies b first, then a. `out` may be b.
void element_multiply(unsigned degree, const chain_point *a, const chain_point *b,
                      chain_point *out);

void element_set_identity(unsigned degree, chain_point *row);

// Copies a row to the arena, and writes its inverse after it: 2 × degree points. Returns NULL
// if memory runs out or above a limit.
chain_point *element_copy(struct arena *arena, unsigned degree, const chain_point *row);

// Adds the image of the base to the orbit of a level, with the row that takes the base there. The
// image is new. Returns false above a limit, if memory runs out, or if the row is NULL because its
// element_copy failed.
bool level_add(struct arena *arena, unsigned degree, struct level *level,
               const chain_point *row_with_inverse);

// Makes the group that has only the identity, with `count` levels along the points of `base`. NULL
// if memory runs out or above a limit.
struct chain_group *group_open(struct arena *arena, unsigned degree, const chain_point *base,
                               unsigned count);

// Adds a generator that fixes the bases of the first `fixed` levels. Returns false if memory runs
// out, also if the row is NULL because its element_copy failed.
bool group_add_generator(struct arena *arena, struct chain_group *group, const chain_point *row,
                         unsigned fixed);

// Adds an element, unless the group has it. Sets *added to whether the group lacked it. Products
// with it may still be missing. Returns false if memory runs out or above a limit.
bool group_add(struct arena *arena, struct chain_group *group, const chain_point *element,
               bool *added);

// Returns the order of the subgroup that fixes the bases of the levels before `from`.
long double group_order(const struct chain_group *group, unsigned from);

// Does the group have all elements that it should have? `order` is how many these are, or an upper
// bound; 0 if nothing is known, and then the answer is false. A subgroup lacks a share of at least
// 1/degree, and a list of sets one of at least 1/CHAIN_LISTED_MOST. A quarter of the smaller one
// allows for errors of rounding.
bool group_is_complete(const struct chain_group *group, long double order);

// Writes a uniform random element of the subgroup that fixes the bases of the levels before `from`.
// It is a product of one factor for each level: an element that takes the base to a random point of
// the orbit.
void group_draw(struct arena *arena, const struct chain_group *group, unsigned from,
                chain_point *row);

// Makes the group, which has only the identity yet, the one that the plan's moves generate, and
// proves that it is complete. Returns false if memory runs out or above a limit.
bool group_generate(struct arena *arena, struct chain_group *group, const struct chain_plan *plan);

// Makes an element canonical (chain.h). Let K be the subgroup that fixes the bases before level
// `from`. Of all products "an element of K, then `row`", one takes the bases, in their order, to
// the least points. Writes this one to `row`. It does not depend on which transversals the levels
// have. Returns the work that it took.
uint64_t group_make_least(const struct chain_group *group, unsigned from, chain_point *row);

// Sorts the orbit of a level, numbers its points in this order, and makes the transversals
// canonical. Returns false if memory runs out or above a limit.
bool group_finish_level(struct arena *arena, struct chain_group *group, unsigned l);

#endif
