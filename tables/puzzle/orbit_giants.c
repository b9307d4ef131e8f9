// Finds the giants: orbits that have all even permutations and all orientations that add up to 0,
// whatever the other orbits hold.
#include "puzzle/orbits_own.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- Giants -------------------------------------------------------------------------------------

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    assert(a > 0); // or the divisor could be 0
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// The number of slots, or of points, in the cycle of an element through a slot's first point. In
// terms of slots, the orientation does not matter.
static unsigned cycle_length(const struct finder *finder, const group_point *element,
                             const uint16_t *slot_of, unsigned s, bool of_slots)
{
    unsigned length = 1;
    group_point at = element[finder->first[s]];
    while (of_slots ? slot_of[at] != s : at != finder->first[s]) {
        at = element[of_slots ? finder->first[slot_of[at]] : at];
        length++;
    }
    return length;
}

// The order of an element on the slots or the points of an orbit; 0 if it exceeds 2^32.
static uint64_t order_on(const struct finder *finder, const group_point *element,
                         const uint16_t *slot_of, unsigned orbit, bool of_slots)
{
    uint64_t order = 1;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (finder_in_orbit(finder, s, orbit)) {
            uint64_t length = cycle_length(finder, element, slot_of, s, of_slots);
            order = order / common_divisor(order, length) * length;
            if (order > UINT32_MAX) {
                return 0;
            }
        }
    }
    return order;
}

static bool moves_slots(const struct finder *finder, const group_point *element,
                        const uint16_t *slot_of, unsigned orbit)
{
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (finder_in_orbit(finder, s, orbit) && slot_of[element[finder->first[s]]] != s) {
            return true;
        }
    }
    return false;
}

static bool moves_points(const struct finder *finder, const group_point *element, unsigned orbit)
{
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (finder_in_orbit(finder, s, orbit) && element[finder->first[s]] != finder->first[s]) {
            return true;
        }
    }
    return false;
}

// What finding a giant needs: rows of points.
struct witness {
    struct finder *finder;
    uint16_t *slot_of; // by point
    group_point *element;
    group_point *other;
    group_point *spare;
    group_point *inverse;
    bool out_of_memory;
};

// other := element to a power.
static void raise_to(struct witness *witness, const group_point *element, uint64_t power)
{
    unsigned degree = witness->finder->degree;
    group_point *square = witness->spare;
    for (unsigned x = 0; x < degree; x++) {
        witness->other[x] = (group_point)x;
    }
    memcpy(square, element, degree * sizeof *square);
    for (; power > 0; power >>= 1) {
        for (unsigned x = 0; x < degree && (power & 1); x++) {
            witness->other[x] = square[witness->other[x]];
        }
        for (unsigned x = 0; x < degree; x++) {
            witness->inverse[x] = square[square[x]];
        }
        memcpy(square, witness->inverse, degree * sizeof *square);
    }
}

static bool is_prime(unsigned number)
{
    for (unsigned d = 2; d * d <= number; d++) {
        if (number % d == 0) {
            return false;
        }
    }
    return number >= 2;
}

// Draws one random element. Has it a cycle of p slots, where p is prime and n/2 < p < n-2? If so,
// the group has all even permutations of the n slots (C. Jordan, 1873). If not, try again.
static bool has_long_cycle(struct witness *witness, unsigned orbit, unsigned length)
{
    const struct finder *finder = witness->finder;
    const group_point *element = random_elements_next(finder->random);
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (finder_in_orbit(finder, s, orbit)) {
            unsigned cycle = cycle_length(finder, element, witness->slot_of, s, true);
            if (2 * cycle > length && cycle + 2 < length && is_prime(cycle)) {
                return true;
            }
        }
    }
    return false;
}

// Is the group that moves the slots as large as that of all even permutations? Computes its order.
static bool is_alternating(struct witness *witness, unsigned orbit, unsigned length)
{
    const struct finder *finder = witness->finder;
    enum { SHORT = 7 };
    group_point number[SHORT] = {0};
    group_point base[SHORT];
    struct group group = {.degree = 0};
    unsigned least = 1;
    uint64_t order = 1;
    for (unsigned s = 0, count = 0; s < finder->orbits->slot_count; s++) {
        if (finder_in_orbit(finder, s, orbit)) {
            base[count] = (group_point)count;
            number[count++] = (group_point)s;
        }
    }
    group_point **rows = finder_make_rows(finder->move_count, length);
    for (unsigned i = 0; i < finder->move_count && rows; i++) {
        for (unsigned n = 0; n < length; n++) {
            unsigned before = finder_slot_before(finder, finder->move[i], number[n]);
            rows[i][n] = 0;
            while (number[rows[i][n]] != before) {
                rows[i][n]++;
            }
        }
    }
    bool done = rows && group_make(&group, length, (const group_point *const *)rows,
                                   finder->move_count, base, length, 0);
    for (unsigned l = 0; l < length && done; l++) {
        order *= group.levels[l].length;
        least *= l + 1;
    }
    group_free(&group);
    finder_free_rows(rows, finder->move_count);
    witness->out_of_memory |= !done;
    return done && 2 * order >= least;
}

static bool has_even_permutations(struct witness *witness, unsigned orbit)
{
    enum { LONG = 8, TRIES = 150 };
    unsigned length = finder_orbit_length(witness->finder, orbit);
    if (length < 5 ||
        witness->finder->orbits->slots[finder_first_slot(witness->finder, orbit)].piece < 0) {
        return false;
    }
    if (length < LONG) {
        return is_alternating(witness, orbit, length);
    }
    for (unsigned i = 0; i < TRIES; i++) {
        if (has_long_cycle(witness, orbit, length)) {
            return true;
        }
    }
    return false;
}

// Looks for elements that keep the piece in every slot, but turn two slots by different amounts.
// The differences and the number of orientations must have no common divisor but 1. (With the even
// permutations, these elements give all orientations that add up to 0.)
static bool has_turns(struct witness *witness, unsigned orbit)
{
    enum { TRIES = 60 };
    const struct finder *finder = witness->finder;
    unsigned one = finder_first_slot(finder, orbit);
    uint64_t divisor = finder->orbits->slots[one].turns;
    for (unsigned i = 0; i < TRIES && divisor > 1; i++) {
        const group_point *element = random_elements_next(finder->random);
        uint64_t order = order_on(finder, element, witness->slot_of, orbit, true);
        raise_to(witness, element, order);
        unsigned turn = witness->other[finder->first[one]] - finder->first[one];
        for (unsigned s = 0; s < finder->orbits->slot_count && order > 0; s++) {
            if (finder_in_orbit(finder, s, orbit)) {
                unsigned turns = finder->orbits->slots[s].turns;
                unsigned more = witness->other[finder->first[s]] - finder->first[s] + turns - turn;
                divisor = common_divisor(divisor, more % turns);
            }
        }
    }
    return divisor == 1;
}

static void invert(const group_point *row, unsigned degree, group_point *inverse)
{
    for (unsigned x = 0; x < degree; x++) {
        inverse[row[x]] = (group_point)x;
    }
}

// spare := the commutator of element and other.
static void commute(struct witness *witness)
{
    unsigned degree = witness->finder->degree;
    invert(witness->element, degree, witness->inverse);
    for (unsigned x = 0; x < degree; x++) {
        witness->spare[x] = witness->other[witness->inverse[x]];
    }
    invert(witness->other, degree, witness->inverse);
    for (unsigned x = 0; x < degree; x++) {
        witness->spare[x] = witness->inverse[witness->element[witness->spare[x]]];
    }
}

// Makes the witness keep the points of another orbit, too, and still move the slots of its own.
static bool keep_other_orbit(struct witness *witness, unsigned orbit, unsigned other)
{
    enum { TRIES = 60 };
    const struct finder *finder = witness->finder;
    for (unsigned i = 0; i < TRIES && moves_points(finder, witness->element, other); i++) {
        const group_point *element = random_elements_next(finder->random);
        uint64_t order = order_on(finder, element, witness->slot_of, other, false);
        if (order == 0) {
            continue;
        }
        raise_to(witness, element, order);
        commute(witness);
        if (moves_slots(finder, witness->spare, witness->slot_of, orbit)) {
            memcpy(witness->element, witness->spare, finder->degree * sizeof(group_point));
        }
    }
    return !moves_points(finder, witness->element, other);
}

// Looks for an element that moves slots of this orbit and keeps the points of all others. If none
// is found, there may still be one.
static bool is_independent(struct witness *witness, unsigned orbit)
{
    enum { TRIES = 60 };
    const struct finder *finder = witness->finder;
    for (unsigned i = 0; i < TRIES; i++) {
        memcpy(witness->element, random_elements_next(finder->random),
               finder->degree * sizeof(group_point));
        if (moves_slots(finder, witness->element, witness->slot_of, orbit)) {
            break;
        }
    }
    for (unsigned other = 0; other < finder->orbits->count; other++) {
        if (other != orbit && !keep_other_orbit(witness, orbit, other)) {
            return false;
        }
    }
    return moves_slots(finder, witness->element, witness->slot_of, orbit);
}

// An orbit is a giant if three tests succeed:
//   1. Its slots have all even permutations.
//   2. Elements that keep all its slots turn them differently (has_turns).
//   3. Some element moves its slots and changes nothing in the other orbits.
// The elements as in 3 form a normal subgroup. A normal subgroup that moves a slot contains all
// even permutations, because there are at least five slots. With 2, it also has all orientations
// that add up to 0.
bool finder_find_giants(struct finder *finder)
{
    unsigned degree = finder->degree;
    size_t bytes = (degree + 1) * sizeof(group_point);
    finder->random =
        random_elements_open(degree, (const group_point *const *)finder->rows, finder->move_count);
    struct witness witness = {.finder = finder,
                              .slot_of = malloc(bytes),
                              .element = malloc(bytes),
                              .other = malloc(bytes),
                              .spare = malloc(bytes),
                              .inverse = malloc(bytes)};
    bool done = finder->random && witness.slot_of && witness.element && witness.other &&
                witness.spare && witness.inverse;
    for (unsigned x = 0; x < degree && done; x++) {
        witness.slot_of[x] = (uint16_t)finder_slot_of_point(finder, (group_point)x);
    }
    for (unsigned orbit = 0; orbit < finder->orbits->count && done; orbit++) {
        finder->giant[orbit] = has_even_permutations(&witness, orbit) &&
                               has_turns(&witness, orbit) && is_independent(&witness, orbit);
        done = !witness.out_of_memory;
    }
    free(witness.slot_of);
    free(witness.element);
    free(witness.other);
    free(witness.spare);
    free(witness.inverse);
    return done || finder_no_memory(finder->error);
}
