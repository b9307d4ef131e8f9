// Finds the giants: orbits that have all even permutations and all orientations that add up to 0,
// whatever the other orbits hold.
#include "giant_orbits.h"

#include "tables/algebra/random_elements.h"
#include "tables/base/row_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The search for giants. Elements are rows of points of the view. An orbit's slots have two
// points that matter: the first one, and the one of the slot alone.
struct giant_finder {
    const struct point_view *view;
    const struct state_orbit *orbits;
    unsigned count; // of the orbits
    struct random_elements *random;
    chain_point *element;
    chain_point *other;
    chain_point *spare;
    chain_point *square;
    uint64_t work;
    unsigned short_count; // slots of the orbit in is_alternating
};

static const chain_point *draw(struct giant_finder *finder)
{
    finder->work += 2 * (uint64_t)finder->view->degree;
    return random_elements_next(finder->random);
}

static chain_point point_of(const struct giant_finder *finder, unsigned slot, bool alone)
{
    const struct view_slot *at = &finder->view->slots[slot];
    return alone ? at->alone : at->first;
}

static unsigned cycle_length(const chain_point *element, chain_point from)
{
    unsigned length = 1;
    for (chain_point at = element[from]; at != from; at = element[at]) {
        length++;
    }
    return length;
}

// The order of an element on the slots of an orbit, with their orientations or without; 0 if it
// exceeds 32 bits.
static uint64_t order_on(struct giant_finder *finder, const chain_point *element,
                         const struct state_orbit *orbit, bool alone)
{
    uint64_t order = 1;
    for (unsigned i = 0; i < orbit->slot_count && order <= UINT32_MAX; i++) {
        uint64_t length = cycle_length(element, point_of(finder, orbit->slots[i], alone));
        order = order / common_divisor(order, length) * length;
        finder->work += length;
    }
    return order <= UINT32_MAX ? order : 0;
}

static bool moves_orbit(const struct giant_finder *finder, const chain_point *element,
                        const struct state_orbit *orbit, bool alone)
{
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        chain_point point = point_of(finder, orbit->slots[i], alone);
        if (element[point] != point) {
            return true;
        }
    }
    return false;
}

// other := element to a power.
static void raise_to(struct giant_finder *finder, const chain_point *element, uint64_t power)
{
    unsigned degree = finder->view->degree;
    chain_point *square = finder->square;
    memcpy(square, element, degree * sizeof *square);
    for (unsigned x = 0; x < degree; x++) {
        finder->other[x] = (chain_point)x;
    }
    for (; power > 0; power >>= 1) {
        for (unsigned x = 0; x < degree && (power & 1); x++) {
            finder->other[x] = square[finder->other[x]];
        }
        for (unsigned x = 0; x < degree; x++) {
            finder->spare[x] = square[square[x]];
        }
        memcpy(square, finder->spare, degree * sizeof *square);
        finder->work += 2 * (uint64_t)degree;
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

// Has a random element a cycle of p slots, where p is prime and n/2 < p < n-2? If so, the group has
// all even permutations of the n slots (C. Jordan, 1873). If not, try again.
static bool has_long_cycle(struct giant_finder *finder, const struct state_orbit *orbit)
{
    const chain_point *element = draw(finder);
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        unsigned cycle = cycle_length(element, point_of(finder, orbit->slots[i], true));
        finder->work += cycle;
        if (2 * cycle > orbit->slot_count && cycle + 2 < orbit->slot_count && is_prime(cycle)) {
            return true;
        }
    }
    return false;
}

enum { SHORT = 7 };

static void move_slots(const void *context, unsigned move, const uint16_t *from, uint16_t *to)
{
    const struct giant_finder *finder = context;
    const chain_point *row = finder->view->moves + move * (size_t)finder->view->degree;
    for (unsigned i = 0; i < finder->short_count; i++) {
        to[i] = row[from[i]];
    }
}

// Do moves bring at most SHORT slots into as many orders as there are even ones?
static bool is_alternating(struct giant_finder *finder, const struct state_orbit *orbit,
                           bool *alternating, struct fewest_error *error)
{
    enum { WORK = 8 }; // to find a row, beside moving a slot
    struct row_set orders;
    chain_point order[SHORT];
    uint32_t even = 1;
    finder->short_count = orbit->slot_count;
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        order[i] = point_of(finder, orbit->slots[i], true);
        even *= i > 1 ? i + 1 : 1;
    }
    row_set_open(&orders, orbit->slot_count);
    bool done =
        row_set_add(&orders, order) != ROW_NONE &&
        row_set_close_under(&orders, finder->view->move_count, even - 1, move_slots, finder);
    *alternating = orders.count == even;
    finder->work += (uint64_t)orders.count * finder->view->move_count * (WORK + SHORT);
    row_set_close(&orders);
    return done || error_set(error, FEWEST_SYSTEM, "not enough memory to count the states");
}

static bool has_even_permutations(struct giant_finder *finder, const struct state_orbit *orbit,
                                  bool *found, struct fewest_error *error)
{
    enum { TRIES = 150 };
    *found = false;
    if (orbit->slot_count < 5 || finder->view->slots[orbit->slots[0]].piece < 0) {
        return true;
    }
    if (orbit->slot_count <= SHORT) {
        return is_alternating(finder, orbit, found, error);
    }
    for (unsigned i = 0; i < TRIES && !*found; i++) {
        *found = has_long_cycle(finder, orbit);
    }
    return true;
}

// Looks for elements that keep the piece in every slot, but turn two slots by different amounts.
// The differences and the number of orientations must have no common divisor but 1. (With the even
// permutations, these elements give all orientations that add up to 0.)
static bool has_turns(struct giant_finder *finder, const struct state_orbit *orbit)
{
    enum { TRIES = 60 };
    uint64_t divisor = orbit->turns;
    for (unsigned i = 0; i < TRIES && divisor > 1; i++) {
        const chain_point *element = draw(finder);
        uint64_t order = order_on(finder, element, orbit, true);
        raise_to(finder, element, order);
        chain_point one = point_of(finder, orbit->slots[0], false);
        for (unsigned s = 0; s < orbit->slot_count && order > 0; s++) {
            chain_point first = point_of(finder, orbit->slots[s], false);
            unsigned more = finder->other[first] - first + orbit->turns - finder->other[one] + one;
            divisor = common_divisor(divisor, more % orbit->turns);
        }
    }
    return divisor == 1;
}

// spare := the commutator of element and other.
static void commute(struct giant_finder *finder)
{
    unsigned degree = finder->view->degree;
    chain_point *product = finder->square;
    for (unsigned x = 0; x < degree; x++) {
        product[finder->other[finder->element[x]]] = finder->element[finder->other[x]];
    }
    memcpy(finder->spare, product, degree * sizeof *product);
    finder->work += 2 * (uint64_t)degree;
}

// Makes the element keep the points of another orbit, too, and still move the slots of its own.
static bool keep_other_orbit(struct giant_finder *finder, const struct state_orbit *orbit,
                             const struct state_orbit *other)
{
    enum { TRIES = 60 };
    for (unsigned i = 0; i < TRIES && moves_orbit(finder, finder->element, other, false); i++) {
        const chain_point *element = draw(finder);
        uint64_t order = order_on(finder, element, other, false);
        if (order == 0) {
            continue;
        }
        raise_to(finder, element, order);
        commute(finder);
        if (moves_orbit(finder, finder->spare, orbit, true)) {
            memcpy(finder->element, finder->spare, finder->view->degree * sizeof(chain_point));
        }
    }
    return !moves_orbit(finder, finder->element, other, false);
}

// Looks for an element that moves slots of this orbit and keeps the points of all others. If none
// is found, there may still be one.
static bool is_independent(struct giant_finder *finder, const struct state_orbit *orbit)
{
    enum { TRIES = 60 };
    for (unsigned i = 0; i < TRIES; i++) {
        memcpy(finder->element, draw(finder), finder->view->degree * sizeof(chain_point));
        if (moves_orbit(finder, finder->element, orbit, true)) {
            break;
        }
    }
    for (unsigned b = 0; b < finder->count; b++) {
        const struct state_orbit *other = &finder->orbits[b];
        finder->work += other->slot_count;
        if (other != orbit &&
            (finder->work > CHAIN_WORK_MOST || !keep_other_orbit(finder, orbit, other))) {
            return false;
        }
    }
    return moves_orbit(finder, finder->element, orbit, true);
}

// An orbit is a giant if three tests succeed:
//   1. Its slots have all even permutations.
//   2. Elements that keep all its slots turn them differently (has_turns).
//   3. Some element moves its slots and changes nothing in the other orbits.
// The elements as in 3 form a normal subgroup. A normal subgroup that moves a slot contains all
// even permutations, because there are at least five slots. With 2, it also has all orientations
// that add up to 0.
bool giant_orbits_find(const struct point_view *view, struct state_orbit *orbits, unsigned count,
                       struct fewest_error *error)
{
    unsigned degree = view->degree;
    if (degree == 0) {
        return true;
    }
    chain_point *rooms = malloc(4 * (size_t)degree * sizeof *rooms);
    struct giant_finder finder = {
        .view = view,
        .orbits = orbits,
        .count = count,
        .random = random_elements_open(degree, view->plan.moves, view->move_count),
        .element = rooms,
        .other = rooms + degree,
        .spare = rooms + 2 * (size_t)degree,
        .square = rooms + 3 * (size_t)degree,
    };
    bool done = rooms && finder.random;
    if (!done) {
        error_write(error, FEWEST_SYSTEM, "not enough memory to count the states");
    }
    for (unsigned i = 0; i < 2 * view->move_count && done; i++) {
        draw(&finder); // or elements of many moves, each in few orbits, would be alike for long
    }
    for (unsigned b = 0; b < count && done; b++) {
        struct state_orbit *orbit = &orbits[b];
        done = has_even_permutations(&finder, orbit, &orbit->is_giant, error);
        orbit->is_giant =
            orbit->is_giant && has_turns(&finder, orbit) && is_independent(&finder, orbit);
        done = done && (finder.work <= CHAIN_WORK_MOST || giant_orbits_refuse(view, error));
    }
    random_elements_close(finder.random);
    free(rooms);
    return done;
}
