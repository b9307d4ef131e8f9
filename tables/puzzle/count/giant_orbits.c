// Finds the giants: orbits that have all even permutations and all orientations that add up to 0,
// whatever the other orbits hold.
#include "giant_orbits.h"

#include "tables/algebra/random_elements.h"
#include "tables/base/row_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The search for giants. An *element* is a product of moves, as a row of the view's points: it
// takes point x to row[x]. Of each slot, two points are looked at: `first` is the slot with its
// orientation at the root, and `alone` is the slot in any orientation. If the slot has only one
// orientation, they are the same point.
struct giant_finder {
    const struct point_view *view;
    const struct state_orbit *orbits;
    unsigned count; // of the orbits
    struct random_elements *random;
    // Room for rows of view->degree points.
    chain_point *element;    // of is_independent
    chain_point *power;      // the result of compute_power
    chain_point *commutator; // the result of compute_commutator
    chain_point *square;     // of compute_power
    uint64_t work;           // of the definition so far, of CHAIN_WORK_MOST
    unsigned short_count;    // slots of the orbit in is_alternating, at most SHORT_MOST
};

// Returns a random element. It is valid until the next call.
static const chain_point *draw_element(struct giant_finder *finder)
{
    finder->work += random_elements_next_work(finder->view->degree);
    return random_elements_next(finder->random);
}

static chain_point point_of(const struct giant_finder *finder, unsigned slot, bool alone)
{
    const struct view_slot *at = &finder->view->slots[slot];
    return alone ? at->alone : at->first;
}

// The length of the element's cycle through a point.
static unsigned cycle_length(const chain_point *element, chain_point start)
{
    unsigned length = 1;
    for (chain_point point = element[start]; point != start; point = element[point]) {
        length++;
    }
    return length;
}

// How often the element must be repeated until every piece of the orbit is back in its slot and,
// unless `alone`, in its orientation. This is the least common multiple of the cycle lengths, or 0
// if it exceeds 32 bits. (The product can't overflow: both factors are below 2^32.)
static uint64_t find_order_on_orbit(struct giant_finder *finder, const chain_point *element,
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

// Does the element take a piece of the orbit to another slot or, unless `alone`, turn one?
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

// Writes the element to the power `exponent` to finder->power, by repeated squaring. Overwrites
// finder->commutator.
static void compute_power(struct giant_finder *finder, const chain_point *element,
                          uint64_t exponent)
{
    unsigned degree = finder->view->degree;
    chain_point *square = finder->square;
    chain_point *next = finder->commutator;
    memcpy(square, element, degree * sizeof *square);
    for (unsigned x = 0; x < degree; x++) {
        finder->power[x] = (chain_point)x;
    }
    for (uint64_t rest = exponent; rest > 0; rest >>= 1) {
        if (rest & 1) {
            for (unsigned x = 0; x < degree; x++) {
                finder->power[x] = square[finder->power[x]];
            }
        }
        for (unsigned x = 0; x < degree; x++) {
            next[x] = square[square[x]];
        }
        memcpy(square, next, degree * sizeof *square);
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

// Draws one element, and looks for a cycle of p slots in it, where p is prime and n/2 < p < n-2. If
// there is one, the group has all even permutations of the n slots (C. Jordan, 1873). False proves
// nothing.
static bool draws_prime_cycle(struct giant_finder *finder, const struct state_orbit *orbit)
{
    const chain_point *element = draw_element(finder);
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        unsigned cycle = cycle_length(element, point_of(finder, orbit->slots[i], true));
        finder->work += cycle;
        if (2 * cycle > orbit->slot_count && cycle + 2 < orbit->slot_count && is_prime(cycle)) {
            return true;
        }
    }
    return false;
}

enum {
    EVEN_LEAST = 5, // slots of a giant; the proof at giant_orbits_find needs them
    SHORT_MOST = 7, // slots of an orbit whose orders are listed: at most 7!/2 = 2,520
};

// A step of row_set_close_under: applies a move to an order of slots. `from` and `to` are rows of
// short_count points, which stand for slots alone.
static void move_slots(const void *context, unsigned move, const uint16_t *from, uint16_t *to)
{
    const struct giant_finder *finder = context;
    const chain_point *row = finder->view->moves + move * (size_t)finder->view->degree;
    for (unsigned i = 0; i < finder->short_count; i++) {
        to[i] = row[from[i]];
    }
}

// Lists the orders into which moves bring the slots of an orbit, which has EVEN_LEAST to SHORT_MOST
// slots. Sets *alternating if there are at least n!/2, because a group of so many permutations has
// all even ones. Fails without memory.
static bool is_alternating(struct giant_finder *finder, const struct state_orbit *orbit,
                           bool *alternating, struct fewest_error *error)
{
    enum { WORK = 8 }; // to find a row, beside moving a slot
    struct row_set orders;
    chain_point order[SHORT_MOST];
    uint32_t even = 1; // the number of even permutations: n!/2 = 3 × 4 × … × n
    finder->short_count = orbit->slot_count;
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        order[i] = point_of(finder, orbit->slots[i], true);
        if (i + 1 >= 3) {
            even *= i + 1;
        }
    }
    row_set_open(&orders, orbit->slot_count);
    bool done =
        row_set_add(&orders, order) != ROW_NONE &&
        row_set_close_under(&orders, finder->view->move_count, even - 1, move_slots, finder);
    *alternating = orders.count == even;
    finder->work += (uint64_t)orders.count * finder->view->move_count * (WORK + SHORT_MOST);
    row_set_close(&orders);
    return done || error_set(error, FEWEST_SYSTEM, "not enough memory to count the states");
}

// Sets *found if it can show that the moves make all even permutations of the orbit's slots, at
// least EVEN_LEAST. Otherwise they may still do so. Fails without memory.
static bool has_even_permutations(struct giant_finder *finder, const struct state_orbit *orbit,
                                  bool *found, struct fewest_error *error)
{
    enum { TRIES = 150 };
    *found = false;
    if (orbit->slot_count < EVEN_LEAST || finder->view->slots[orbit->slots[0]].piece < 0) {
        return true;
    }
    if (orbit->slot_count <= SHORT_MOST) {
        return is_alternating(finder, orbit, found, error);
    }
    for (unsigned i = 0; i < TRIES && !*found; i++) {
        *found = draws_prime_cycle(finder, orbit);
    }
    return true;
}

// How far finder->power turns the piece of a slot, 0 … turns-1. It must take the piece to no other
// slot.
static unsigned find_turn(const struct giant_finder *finder, unsigned slot)
{
    chain_point first = point_of(finder, slot, false);
    unsigned turns = finder->view->slots[slot].turns;
    return (finder->power[first] + turns - first) % turns;
}

// Looks for elements that leave every piece of the orbit in its slot, but turn two of them by
// different amounts. The differences and the number of orientations must have no common divisor but
// 1. (With the even permutations, these elements give all orientations that add up to 0.) False
// proves nothing.
static bool has_turns(struct giant_finder *finder, const struct state_orbit *orbit)
{
    enum { TRIES = 60 };
    uint64_t divisor = orbit->turns;
    for (unsigned i = 0; i < TRIES && divisor > 1; i++) {
        const chain_point *element = draw_element(finder);
        uint64_t order = find_order_on_orbit(finder, element, orbit, true);
        if (order == 0) {
            continue;
        }
        compute_power(finder, element, order); // brings each piece back to its slot
        unsigned turn = find_turn(finder, orbit->slots[0]);
        for (unsigned s = 1; s < orbit->slot_count; s++) {
            unsigned difference = find_turn(finder, orbit->slots[s]) + orbit->turns - turn;
            divisor = common_divisor(divisor, difference % orbit->turns);
        }
    }
    return divisor == 1;
}

// Writes the commutator of the element a = finder->element and b = finder->power to
// finder->commutator: it takes point b(a(x)) to point a(b(x)). If a or b keeps all points of an
// orbit, so does the commutator.
static void compute_commutator(struct giant_finder *finder)
{
    unsigned degree = finder->view->degree;
    for (unsigned x = 0; x < degree; x++) {
        finder->commutator[finder->power[finder->element[x]]] = finder->element[finder->power[x]];
    }
    finder->work += 2 * (uint64_t)degree;
}

// Replaces finder->element by commutators with random elements that keep all points of `other`,
// until it keeps them, too. It always moves slots of `orbit`. False if it is not found in some
// tries.
static bool keep_other_orbit(struct giant_finder *finder, const struct state_orbit *orbit,
                             const struct state_orbit *other)
{
    enum { TRIES = 60 };
    for (unsigned i = 0; i < TRIES && moves_orbit(finder, finder->element, other, false); i++) {
        const chain_point *element = draw_element(finder);
        uint64_t order = find_order_on_orbit(finder, element, other, false);
        if (order == 0) {
            continue;
        }
        compute_power(finder, element, order);
        compute_commutator(finder);
        if (moves_orbit(finder, finder->commutator, orbit, true)) {
            memcpy(finder->element, finder->commutator, finder->view->degree * sizeof(chain_point));
        }
    }
    return !moves_orbit(finder, finder->element, other, false);
}

// Looks for an element that moves slots of this orbit and keeps the points of all others, and
// leaves it in finder->element. False proves nothing: there may be one that is not found, or the
// work exceeds its limit.
static bool is_independent(struct giant_finder *finder, const struct state_orbit *orbit)
{
    enum { TRIES = 60 };
    for (unsigned i = 0; i < TRIES; i++) {
        memcpy(finder->element, draw_element(finder), finder->view->degree * sizeof(chain_point));
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
                       uint64_t *work, struct fewest_error *error)
{
    unsigned degree = view->degree;
    if (degree == 0) {
        return true;
    }
    chain_point *room = malloc(4 * (size_t)degree * sizeof *room);
    struct giant_finder finder = {
        .view = view,
        .orbits = orbits,
        .count = count,
        .random = random_elements_open(degree, view->plan.moves, view->move_count),
        .element = room,
        .power = room + degree,
        .commutator = room + 2 * (size_t)degree,
        .square = room + 3 * (size_t)degree,
        .work = *work + random_elements_open_work(degree, view->move_count),
    };
    bool done = room && finder.random;
    if (!done) {
        error_write(error, FEWEST_SYSTEM, "not enough memory to count the states");
    }
    for (unsigned i = 0; i < 2 * view->move_count && done; i++) {
        // The first elements are products of few moves. If each move changes few orbits, they
        // would be alike for long.
        draw_element(&finder);
    }
    for (unsigned b = 0; b < count && done; b++) {
        struct state_orbit *orbit = &orbits[b];
        done = has_even_permutations(&finder, orbit, &orbit->is_giant, error);
        orbit->is_giant =
            orbit->is_giant && has_turns(&finder, orbit) && is_independent(&finder, orbit);
        done = done && (finder.work <= CHAIN_WORK_MOST || giant_orbits_refuse(view, error));
    }
    *work = finder.work;
    random_elements_close(finder.random);
    free(room);
    return done;
}
