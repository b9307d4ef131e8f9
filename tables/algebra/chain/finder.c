// Makes the tables that find digits.
#include "finder.h"

#include "tables/base/array.h"
#include "tables/base/random.h"

#include <stdlib.h>
#include <string.h>

// Fills in the numbers of a thing of one point.
static bool fill_numbers(const struct chain *chain, unsigned d, struct digit_finder *finder,
                         chain_point *room)
{
    const struct chain_digit *digit = &chain->digits[d];
    finder->number = array_make(chain->plan->degree, sizeof *finder->number);
    for (uint32_t number = 0; number < finder->length && finder->number; number++) {
        finder->number[chain_row(chain, d, number, room)[digit->thing->points[0]]] = number;
    }
    return finder->number;
}

// Lists the rows of a digit, unless the chain makes them anew each time. Returns false if memory
// runs out.
static bool list_rows(const struct chain *chain, unsigned d, struct digit_finder *finder,
                      chain_point *room)
{
    if (chain_row(chain, d, 0, room) == room) {
        return true;
    }
    finder->rows = array_make(finder->length, sizeof *finder->rows);
    for (uint32_t number = 0; number < finder->length && finder->rows; number++) {
        finder->rows[number] = chain_row(chain, d, number, room);
    }
    return finder->rows;
}

// Puts the image of a number into the hash table. Returns false if another image has its tag there.
static bool add_image(struct digit_finder *finder, const struct chain_thing *thing,
                      const chain_point *element, uint32_t number)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < thing->size; i++) {
        sum += finder->random[element[thing->points[i]]];
    }
    uint64_t at = sum >> (64 - finder->bits);
    while (finder->slots[at].number != UINT32_MAX) {
        if (finder->slots[at].tag == (uint32_t)sum) {
            return false;
        }
        at = (at + 1) & ((UINT64_C(1) << finder->bits) - 1);
    }
    finder->slots[at] = (struct finder_slot){(uint32_t)sum, number};
    return true;
}

// Fills in the hash table, with the random numbers of a seed. Returns false if two tags are equal
// where they should differ.
static bool fill_slots(const struct chain *chain, unsigned d, struct digit_finder *finder,
                       uint64_t seed, chain_point *room)
{
    bool differ = true;
    memset(finder->slots, UINT8_MAX, ((size_t)1 << finder->bits) * sizeof *finder->slots);
    for (unsigned x = 0; x < chain->plan->degree; x++) {
        finder->random[x] = random_below(&seed, UINT64_MAX);
    }
    for (uint32_t number = 0; number < finder->length && differ; number++) {
        differ =
            add_image(finder, chain->digits[d].thing, chain_row(chain, d, number, room), number);
    }
    return differ;
}

// Makes the hash table of a thing of several points.
static bool make_slots(const struct chain *chain, unsigned d, struct digit_finder *finder,
                       chain_point *room)
{
    enum { SEEDS = 100 };
    finder->bits = 2;
    while (finder->length > UINT64_C(1) << (finder->bits - 1)) {
        finder->bits++;
    }
    finder->random = array_make(chain->plan->degree, sizeof *finder->random);
    finder->slots = array_make(UINT64_C(1) << finder->bits, sizeof *finder->slots);
    bool done = false;
    for (uint64_t seed = 0; seed < SEEDS && !done && finder->random && finder->slots; seed++) {
        done = fill_slots(chain, d, finder, seed, room);
    }
    if (!done) {
        free(finder->slots);
        finder->slots = NULL;
    }
    return finder->random;
}

bool finder_begin(struct chain_finder *finder, const struct chain *chain)
{
    *finder = (struct chain_finder){.chain = chain};
    finder->digits = array_make(chain->digit_count, sizeof *finder->digits);
    for (unsigned d = 0; d < chain->digit_count && finder->digits; d++) {
        finder->digits[d].size = chain->digits[d].thing->size;
        finder->digits[d].length = (uint32_t)chain->digits[d].length;
    }
    return finder->digits;
}

bool finder_add(struct chain_finder *finder, unsigned first, unsigned end)
{
    const struct chain *chain = finder->chain;
    chain_point *room = array_make(2 * (uint64_t)chain->plan->degree, sizeof *room);
    bool done = room;
    for (unsigned d = first; d < end && done; d++) {
        struct digit_finder *digit = &finder->digits[d];
        bool is_made = digit->number || digit->slots;
        if (digit->length > 1 && digit->length <= FINDER_IMAGES_MOST && !is_made) {
            done = list_rows(chain, d, digit, room) &&
                   (digit->size == 1 ? fill_numbers(chain, d, digit, room)
                                     : make_slots(chain, d, digit, room));
        }
    }
    free(room);
    return done;
}

void finder_free(struct chain_finder *finder)
{
    for (unsigned d = 0; finder->digits && d < finder->chain->digit_count; d++) {
        free(finder->digits[d].number);
        free(finder->digits[d].random);
        free(finder->digits[d].slots);
        free(finder->digits[d].rows);
    }
    free(finder->digits);
    *finder = (struct chain_finder){.chain = NULL};
}
