// Makes the table that finds digits.
#include "finder.h"

#include "tables/base/array.h"
#include "tables/base/random.h"

#include <stdlib.h>
#include <string.h>

// The table, while it is filled in.
struct filling {
    struct chain_finder *finder;
    bool differ; // do all tags differ so far, where they should?
};

// Puts a number into the table (a chain_visitor).
static void add_number(void *context, uint32_t number, const chain_point *images)
{
    struct filling *filling = context;
    struct chain_finder *finder = filling->finder;
    uint64_t sum = finder_add_up(finder, images);
    uint64_t at = sum >> (64 - finder->bits);
    while (finder->slots[at].number != UINT32_MAX && filling->differ) {
        filling->differ = finder->slots[at].tag != (uint32_t)sum;
        at = (at + 1) & ((UINT64_C(1) << finder->bits) - 1);
    }
    finder->slots[at] = (struct finder_slot){(uint32_t)sum, number};
}

// Fills in the table, with the random numbers of a seed. Returns false if two tags are equal where
// they should differ.
static bool fill_slots(struct chain_finder *finder, size_t random_count, const chain_point *points,
                       uint64_t seed)
{
    struct filling filling = {finder, true};
    memset(finder->slots, UINT8_MAX, ((size_t)1 << finder->bits) * sizeof *finder->slots);
    for (size_t i = 0; i < random_count; i++) {
        finder->random[i] = random_below(&seed, UINT64_MAX);
    }
    chain_visit_numbers(&(struct chain_visit){.chain = finder->chain,
                                              .first = finder->first,
                                              .end = finder->end,
                                              .points = points,
                                              .count = finder->count,
                                              .visit = add_number,
                                              .context = &filling});
    return filling.differ;
}

// Lists the points of the things, and gives each its random numbers.
static void list_points(struct chain_finder *finder, chain_point *points)
{
    size_t degree = finder->chain->plan->degree;
    unsigned count = 0;
    for (unsigned d = finder->first; d < finder->end; d++) {
        const struct chain_thing *thing = finder->chain->digits[d].thing;
        for (unsigned j = 0; j < thing->size; j++) {
            points[count] = thing->points[j];
            finder->random_of[count++] = finder->random + (d - finder->first) * degree;
        }
    }
}

// Makes a table that holds `numbers` numbers. Returns false if memory runs out.
static bool make_slots(struct chain_finder *finder, uint64_t numbers)
{
    enum { SEEDS = 100 };
    const struct chain *chain = finder->chain;
    size_t random_count = (finder->end - finder->first) * (size_t)chain->plan->degree;
    chain_point *points = array_make(finder->count, sizeof *points);
    finder->bits = 2;
    while (numbers > UINT64_C(1) << (finder->bits - 1)) {
        finder->bits++;
    }
    finder->random = array_make(random_count, sizeof *finder->random);
    finder->random_of = array_make(finder->count, sizeof *finder->random_of);
    finder->slots = array_make_huge(UINT64_C(1) << finder->bits, sizeof *finder->slots);
    bool has_room = points && finder->random && finder->random_of && finder->slots;
    bool done = false;
    if (has_room) {
        list_points(finder, points);
    }
    for (uint64_t seed = 0; seed < SEEDS && has_room && !done; seed++) {
        done = fill_slots(finder, random_count, points, seed);
    }
    if (!done) {
        free(finder->slots);
        finder->slots = NULL;
    }
    free(points);
    return has_room;
}

bool finder_make(struct chain_finder *finder, const struct chain *chain, unsigned first,
                 unsigned end)
{
    uint64_t numbers = 1;
    *finder = (struct chain_finder){.chain = chain, .first = first, .end = end};
    for (unsigned d = first; d < end; d++) {
        uint64_t length = chain->digits[d].length;
        finder->count += chain->digits[d].thing->size;
        numbers = length > 0 && length <= FINDER_NUMBERS_MOST / numbers
                      ? numbers * length
                      : FINDER_NUMBERS_MOST + UINT64_C(1);
    }
    return numbers > FINDER_NUMBERS_MOST || make_slots(finder, numbers);
}

void finder_free(struct chain_finder *finder)
{
    free(finder->random);
    free(finder->random_of);
    free(finder->slots);
    *finder = (struct chain_finder){.chain = NULL};
}
