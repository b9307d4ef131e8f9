// Counts the states of a permutation puzzle, and tells which cells show one.
#include "state_count.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// Sets the error, and returns false.
static bool refuse_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory to count the states");
}

// The number as 63 bits, or 0 for "too large".
static uint64_t to_count(const struct large *number)
{
    uint64_t count = 0;
    for (unsigned i = number->count; i-- > 0;) {
        if (count > (INT64_MAX - number->limbs[i]) / UINT64_C(1000000000)) {
            return 0;
        }
        count = count * UINT64_C(1000000000) + number->limbs[i];
    }
    return count;
}

// ---- Orbits -------------------------------------------------------------------------------------

// Fills in the next orbit: that of slot `first`, its lowest slot. Its list of slots begins in
// count->orbit_slots where that of the orbit before it ends.
static void read_orbit(struct state_count *count, unsigned first)
{
    const struct point_view *view = count->view;
    unsigned number = count->orbit_count++;
    struct state_orbit *orbit = &count->orbits[number];
    *orbit = (struct state_orbit){
        .slots = count->orbit_slots, .turns = view->slots[first].turns, .all_differ = true};
    if (number > 0) {
        const struct state_orbit *before = &count->orbits[number - 1];
        orbit->slots = before->slots + before->slot_count;
    }
    for (unsigned i = first; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        if (slot->orbit == first) {
            orbit->slots[orbit->slot_count++] = i;
            orbit->counting += slot->counts;
            orbit->all_differ = orbit->all_differ && view->things[slot->thing].size == 1;
            count->orbit_of[i] = number;
        }
    }
    orbit->sum_counts = orbit->turns > 1 && orbit->counting == orbit->slot_count;
}

// Lists the orbits, in the order of their lowest slots. Returns false without memory.
static bool read_orbits(struct state_count *count)
{
    const struct point_view *view = count->view;
    size_t room = view->slot_count + 1u;
    count->orbits = calloc(room, sizeof *count->orbits);
    count->orbit_slots = calloc(room, sizeof *count->orbit_slots);
    count->orbit_of = calloc(room, sizeof *count->orbit_of);
    count->sorted = calloc(room, sizeof *count->sorted);
    if (!count->orbits || !count->orbit_slots || !count->orbit_of || !count->sorted) {
        return false;
    }
    for (unsigned i = 0; i < view->slot_count; i++) {
        if (view->slots[i].orbit == i) {
            read_orbit(count, i);
        }
    }
    return true;
}

// Multiplies a number by the rows of a giant that have the same sign and the same sum, as far as
// these matter: ways to place its pieces, times orientations.
static void multiply_by_giant(const struct state_count *count, const struct state_orbit *giant,
                              struct large *number)
{
    const struct point_view *view = count->view;
    unsigned placed = 0;
    for (unsigned t = 0; t < view->thing_count; t++) {
        if (!state_count_has_colour(count, giant, &view->things[t])) {
            continue;
        }
        // Each colour multiplies by C(placed + size, size). Every division has no rest.
        for (unsigned k = 1; k <= view->things[t].size; k++) {
            large_multiply(number, ++placed);
            large_divide(number, k);
        }
    }
    if (giant->all_differ) {
        large_divide(number, 2); // half of the permutations have one sign
    }
    unsigned turned = giant_free_turns(giant);
    for (unsigned i = 0; i < turned; i++) {
        large_multiply(number, giant->turns);
    }
}

// The order of the kernel of a giant with n slots and t orientations, n!/2 × t^(n-1). It may be
// infinite.
static long double kernel_order(const struct state_orbit *orbit)
{
    long double order = 0.5L;
    for (unsigned i = 1; i <= orbit->slot_count; i++) {
        order *= (long double)i * (i > 1 ? orbit->turns : 1);
    }
    return order;
}

// ---- The small group ----------------------------------------------------------------------------

// The small points of a giant, counted from its first: SIGN_POINTS for the sign, the even one
// first, and then one for each sum of orientations.
enum { SIGN_POINTS = 2 };

static chain_point sign_point(const struct state_orbit *giant, bool odd)
{
    return (chain_point)(odd ? giant->small_first + 1 : giant->small_first);
}

// `sum` may be any number; it counts modulo the number of orientations.
static chain_point sum_point(const struct state_orbit *giant, unsigned sum)
{
    return (chain_point)(giant->small_first + SIGN_POINTS + sum % giant->turns);
}

// Is a permutation of an orbit's slots odd? It takes slot s of the view to slot_image[s]. A cycle
// of an even number of slots is odd.
static bool is_odd(const struct state_orbit *orbit, const uint16_t *slot_image)
{
    unsigned lowest = orbit->slots[0];
    unsigned highest = orbit->slots[orbit->slot_count - 1];
    bool seen[highest - lowest + 1]; // by slot, from the lowest on
    bool odd = false;
    memset(seen, false, sizeof seen);
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        unsigned first = orbit->slots[i];
        bool starts = !seen[first - lowest];
        for (unsigned s = slot_image[first]; starts && s != first; s = slot_image[s]) {
            seen[s - lowest] = true;
            odd = !odd;
        }
    }
    return odd;
}

// Reads a move: sets slot_image[s] to the slot where it takes the piece of slot s, for each slot s
// of the orbit. `row` tells where it takes each point of the view. Returns the sum of the turns
// that it gives to these pieces.
static unsigned read_move(const struct point_view *view, const struct state_orbit *orbit,
                          const chain_point *row, uint16_t *slot_image)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        unsigned s = orbit->slots[i];
        slot_image[s] = view->slot_of[row[view->slots[s].alone]];
        sum += (unsigned)(row[view->slots[s].first] - view->slots[slot_image[s]].first);
    }
    return sum;
}

// Fills in where a move takes a giant's small points: an odd move exchanges the two points of the
// sign, and the points of the sum go on by what the move adds. `row` tells where the move takes
// each point of the view. `slot_image` is room for an entry by slot of the view.
static void move_giant_points(const struct state_count *count, const struct state_orbit *giant,
                              const chain_point *row, uint16_t *slot_image, chain_point *small)
{
    unsigned sum = read_move(count->view, giant, row, slot_image);
    bool odd = is_odd(giant, slot_image);
    small[sign_point(giant, false)] = sign_point(giant, odd);
    small[sign_point(giant, true)] = sign_point(giant, !odd);
    for (unsigned t = 0; t < giant->turns; t++) {
        small[sum_point(giant, t)] = sum_point(giant, t + sum);
    }
}

// Numbers the points of the small group, those of giants first, and makes its plan, still without
// things and a bound.
static void number_small_points(struct state_count *count)
{
    const struct point_view *view = count->view;
    unsigned others = 0;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        struct state_orbit *orbit = &count->orbits[b];
        if (orbit->is_giant) {
            orbit->small_first = count->degree;
            count->others[others++] = sign_point(orbit, false);
            count->others[others++] = sum_point(orbit, 0);
            count->degree += SIGN_POINTS + orbit->turns;
        }
    }
    for (unsigned x = 0; x < view->degree; x++) { // in their order, so that things stay sorted
        const struct view_slot *slot = &view->slots[view->slot_of[x]];
        if (!count->orbits[count->orbit_of[view->slot_of[x]]].is_giant) {
            count->small_of[x] = (chain_point)count->degree++;
            if (x == slot->first) {
                count->others[others++] = count->small_of[x];
            }
        }
    }
    count->plan = (struct chain_plan){.degree = count->degree,
                                      .moves = count->rows,
                                      .move_count = view->move_count,
                                      .steps = count->rows,
                                      .step_count = view->move_count,
                                      .things = count->things,
                                      .others = count->others,
                                      .other_count = others};
}

// Fills in where a move takes each point of the small group.
static void fill_small_row(const struct state_count *count, unsigned move, uint16_t *slot_image)
{
    const struct point_view *view = count->view;
    const chain_point *row = view->plan.moves[move];
    chain_point *small = count->moves + move * (size_t)count->degree;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        if (count->orbits[b].is_giant) {
            move_giant_points(count, &count->orbits[b], row, slot_image, small);
        }
    }
    for (unsigned x = 0; x < view->degree; x++) {
        if (!count->orbits[count->orbit_of[view->slot_of[x]]].is_giant) {
            small[count->small_of[x]] = count->small_of[row[x]];
        }
    }
}

// Makes the points and the moves of the small group, and room for the things of its chains. Returns
// false without memory.
static bool make_small_group(struct state_count *count)
{
    const struct point_view *view = count->view;
    size_t slots = 2 * (size_t)view->slot_count + 2; // at most two things and two points a slot
    count->small_of = calloc(view->degree + 1u, sizeof *count->small_of);
    count->others = malloc(slots * sizeof *count->others);
    count->things = malloc(slots * sizeof *count->things);
    count->sources = malloc(slots * sizeof *count->sources);
    count->points = malloc(slots * sizeof *count->points);
    count->rows = malloc((view->move_count + 1u) * sizeof *count->rows);
    uint16_t *slot_image = malloc((view->slot_count + 1u) * sizeof *slot_image);
    bool done = count->small_of && count->others && count->things && count->sources &&
                count->points && count->rows && slot_image;
    if (done) {
        number_small_points(count);
        count->moves =
            malloc((view->move_count * (size_t)count->degree + 1) * sizeof *count->moves);
        done = count->moves;
    }
    for (unsigned m = 0; m < view->move_count && done; m++) {
        fill_small_row(count, m, slot_image);
        count->rows[m] = count->moves + m * (size_t)count->degree;
    }
    free(slot_image);
    return done;
}

// Makes a chain of the plan as it is now. Fails without memory, and above a limit. The caller frees
// the chain in any case.
static bool make_chain(struct state_count *count, struct chain *chain, struct fewest_error *error)
{
    count->plan.work = count->work;
    bool done = chain_make(chain, &count->plan, error);
    count->work = chain->work;
    return done;
}

// Finds the exact order of the view's group: that of the small group, times those of the giants'
// kernels. The order of the small group becomes the bound of its plan, so that later chains need no
// long proof. Nor do they need all moves, if fewer elements generate the group. An order that is
// too large for a long double becomes 0, for "unknown".
static bool find_group_order(struct state_count *count, struct fewest_error *error)
{
    if (!make_chain(count, &count->whole, error)) { // without things
        return false;
    }
    long double order = count->whole.order;
    unsigned generators;
    const chain_point *const *rows = chain_generators(&count->whole, &generators);
    if (generators < count->plan.move_count) {
        count->plan.moves = rows;
        count->plan.move_count = generators;
    }
    count->plan.bound = order <= LDBL_MAX ? order : 0;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        if (count->orbits[b].is_giant) {
            order *= kernel_order(&count->orbits[b]);
        }
    }
    count->order = order <= LDBL_MAX ? order : 0;
    return true;
}

// ---- Chains of the small group ------------------------------------------------------------------

// Adds a thing of the small group to the plan. `source` is what it stands for. The caller has
// written its points to count->points, from *used on.
static void add_thing(struct state_count *count, unsigned *used, struct small_thing source,
                      unsigned size)
{
    count->sources[count->plan.thing_count] = source;
    count->things[count->plan.thing_count++] =
        (struct chain_thing){.size = size, .points = count->points + *used};
    *used += size;
}

// Adds the sign of giant b to the plan, if `sign`, and its sum, if `sum`. The thing's only point is
// the even sign, or the sum 0. *used counts the entries of count->points.
static void add_giant(struct state_count *count, unsigned b, unsigned *used, bool sign, bool sum)
{
    const struct state_orbit *giant = &count->orbits[b];
    if (sign) {
        count->points[*used] = sign_point(giant, false);
        add_thing(count, used, (struct small_thing){SMALL_SIGN, b}, 1);
    }
    if (sum) {
        count->points[*used] = sum_point(giant, 0);
        add_thing(count, used, (struct small_thing){SMALL_SUM, b}, 1);
    }
}

enum { ALL_ORBITS = -1 };

// Adds to the plan the things of the view that lie in an orbit that is no giant: of orbit `chosen`,
// or of ALL_ORBITS. Things of one point come first, which makes the groups of the large ones
// smaller. *used counts the entries of count->points.
static void add_view_things(struct state_count *count, int chosen, unsigned *used)
{
    const struct point_view *view = count->view;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned t = 0; t < view->thing_count; t++) {
            const struct chain_thing *thing = &view->chain_things[t];
            unsigned b = count->orbit_of[view->slot_of[thing->points[0]]];
            bool is_in_pass = (thing->size == 1) == (pass == 0);
            bool is_chosen = chosen == ALL_ORBITS || b == (unsigned)chosen;
            if (!is_in_pass || !is_chosen || count->orbits[b].is_giant) {
                continue;
            }
            for (unsigned j = 0; j < thing->size; j++) {
                count->points[*used + j] = count->small_of[thing->points[j]];
            }
            add_thing(count, used, (struct small_thing){SMALL_THING, t}, thing->size);
        }
    }
}

// Adds to the plan every slot outside orbit `chosen`, as a thing of its first point, and the sign
// and the sum of every giant. An element that fixes all these things changes nothing outside of the
// orbit: it is in the orbit's kernel. Orbit `chosen` is no giant.
static void add_other_orbits(struct state_count *count, unsigned chosen, unsigned *used)
{
    for (unsigned b = 0; b < count->orbit_count; b++) {
        const struct state_orbit *orbit = &count->orbits[b];
        if (orbit->is_giant) {
            add_giant(count, b, used, true, orbit->turns > 1);
            continue;
        }
        for (unsigned i = 0; i < orbit->slot_count && b != chosen; i++) {
            chain_point first = count->view->slots[orbit->slots[i]].first;
            count->points[*used] = count->small_of[first];
            add_thing(count, used, (struct small_thing){SMALL_THING, 0}, 1);
        }
    }
}

// Multiplies a number by the number of images of a digit, its length. The length of an implicit
// digit is a binomial coefficient, C(slots, size), which may exceed 64 bits. All other lengths are
// at most CHAIN_LISTED_MOST.
static void multiply_by_images(struct large *number, const struct chain_digit *digit)
{
    if (digit->kind != CHAIN_IMPLICIT) {
        large_multiply(number, (uint32_t)digit->length);
        return;
    }
    unsigned size = digit->thing->size;
    for (unsigned i = 0; i < size; i++) {
        large_multiply(number, digit->slots - i);
    }
    for (unsigned i = 0; i < size; i++) {
        large_divide(number, i + 1);
    }
}

// Divides by the same. Multiplies by the denominator first, so that no division has a rest.
static void divide_by_images(struct large *number, const struct chain_digit *digit)
{
    if (digit->kind != CHAIN_IMPLICIT) {
        large_divide(number, (uint32_t)digit->length);
        return;
    }
    unsigned size = digit->thing->size;
    for (unsigned i = 0; i < size; i++) {
        large_multiply(number, i + 1);
    }
    for (unsigned i = 0; i < size; i++) {
        large_divide(number, digit->slots - i);
    }
}

// ---- Factors ------------------------------------------------------------------------------------

// Sets the number of rows that the kernel of orbit b, no giant, makes of what the root has there.
// Divides *tuples by this number. The chain's first digits belong to the things outside the orbit.
// The digits after them count what the elements that fix those things make of the orbit: the rows.
static bool count_rows(struct state_count *count, unsigned b, struct large *tuples,
                       struct fewest_error *error)
{
    struct chain chain;
    struct large rows;
    unsigned used = 0;
    count->plan.thing_count = 0;
    add_other_orbits(count, b, &used);
    unsigned first = count->plan.thing_count; // the digit of the orbit's first thing
    add_view_things(count, (int)b, &used);
    bool done = make_chain(count, &chain, error);
    large_set(&rows, 1);
    for (unsigned d = first; d < chain.digit_count && done; d++) {
        multiply_by_images(&rows, &chain.digits[d]);
        divide_by_images(tuples, &chain.digits[d]);
    }
    count->orbits[b].rows = to_count(&rows);
    chain_free(&chain);
    return done;
}

// Sets the number of states: that of the small states, times the rows of each giant. Sets the
// number of tuples: that of the small states, divided by the rows of each orbit that is no giant.
static bool count_all(struct state_count *count, struct fewest_error *error)
{
    struct large tuples;
    large_set(&tuples, 1);
    for (unsigned d = 0; d < count->chain.digit_count; d++) {
        multiply_by_images(&tuples, &count->chain.digits[d]);
    }
    count->number = tuples;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        struct state_orbit *orbit = &count->orbits[b];
        if (orbit->is_giant) {
            struct large rows;
            large_set(&rows, 1);
            multiply_by_giant(count, orbit, &rows);
            orbit->rows = to_count(&rows);
            multiply_by_giant(count, orbit, &count->number);
        } else if (count->orbit_count == 1) { // its kernel is the whole group
            orbit->rows = to_count(&tuples);
            large_set(&tuples, 1);
        } else if (!count_rows(count, b, &tuples, error)) {
            return false;
        }
    }
    count->states = to_count(&count->number);
    count->tuples = to_count(&tuples);
    return true;
}

// Has an orbit more rows than another one? 0 stands for a number above 63 bits.
static bool has_more_rows(const struct state_orbit *orbit, const struct state_orbit *other)
{
    if (other->rows == 0) {
        return false;
    }
    return orbit->rows == 0 || orbit->rows > other->rows;
}

// Lists the orbits in count->sorted, those with the most rows first.
static void sort_orbits(struct state_count *count)
{
    const struct state_orbit *orbits = count->orbits;
    unsigned *sorted = count->sorted;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        unsigned place = b;
        while (place > 0 && has_more_rows(&orbits[b], &orbits[sorted[place - 1]])) {
            sorted[place] = sorted[place - 1];
            place--;
        }
        sorted[place] = b;
    }
}

// ---- All ----------------------------------------------------------------------------------------

// Gives the plan the things of count->chain: everything that the root shows. Other chains have
// changed the plan since count->chain was made, so this must be called again after them.
static void plan_all_things(struct state_count *count)
{
    unsigned used = 0;
    count->plan.thing_count = 0;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        const struct state_orbit *orbit = &count->orbits[b];
        if (orbit->is_giant) {
            add_giant(count, b, &used, orbit->all_differ, orbit->sum_counts);
        }
    }
    add_view_things(count, ALL_ORBITS, &used);
}

// Fills in a count that has only its view. The caller frees it, also after a failure.
static bool count_states(struct state_count *count, struct fewest_error *error)
{
    if (!read_orbits(count)) {
        return refuse_memory(error);
    }
    if (!giant_orbits_find(count->view, count->orbits, count->orbit_count, &count->work, error)) {
        return false;
    }
    if (!make_small_group(count)) {
        return refuse_memory(error);
    }
    if (!find_group_order(count, error)) {
        return false;
    }
    plan_all_things(count);
    if (!make_chain(count, &count->chain, error) || !count_all(count, error)) {
        return false;
    }
    sort_orbits(count);
    plan_all_things(count);
    return true;
}

// Whatever limit a chain exceeds, the error is that of a puzzle that takes too long to count.
bool state_count_make(struct state_count *count, const struct point_view *view,
                      struct fewest_error *error)
{
    enum { ROW_WORK = 3 * 4 }; // a move has two rows in the view, and a small one
    uint64_t entries = view->move_count * (uint64_t)view->degree;
    *count =
        (struct state_count){.view = view, .work = view->plan.work + (uint64_t)ROW_WORK * entries};
    if (count_states(count, error)) {
        return true;
    }
    if (error->status == FEWEST_BEYOND) {
        giant_orbits_refuse(view, error);
    }
    return false;
}

void state_count_free(struct state_count *count)
{
    chain_free(&count->whole);
    chain_free(&count->chain);
    free(count->orbits);
    free(count->orbit_slots);
    free(count->orbit_of);
    free(count->sorted);
    free(count->moves);
    free(count->rows);
    free(count->small_of);
    free(count->others);
    free(count->things);
    free(count->sources);
    free(count->points);
    *count = (struct state_count){.orbit_count = 0};
}

// ---- Cells --------------------------------------------------------------------------------------

// What a row of cells shows, as the view reads it.
struct shown_cells {
    chain_point images[2 * CELLS_MOST]; // of the points of the view's things (point_view_read)
    uint16_t slot_image[CELLS_MOST];    // by home slot: the slot where its piece is
    unsigned sum[CELLS_MOST];           // by orbit: the sum of the orientations that count
};

// Returns false if point_view_read finds that the cells show no state.
static bool read_shown_cells(const struct state_count *count, const uint8_t *cells,
                             struct shown_cells *shown)
{
    const struct point_view *view = count->view;
    memset(shown->sum, 0, count->orbit_count * sizeof *shown->sum);
    if (!point_view_read(view, cells, shown->images)) {
        return false;
    }
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        for (unsigned j = 0; j < thing->size; j++) {
            unsigned image = shown->images[view->image_of[t] + j];
            unsigned slot = view->slot_of[image];
            shown->slot_image[view->thing_slots[thing->first_slot + j]] = (uint16_t)slot;
            if (!thing->alone) {
                shown->sum[count->orbit_of[slot]] += image - view->slots[slot].first;
            }
        }
    }
    return true;
}

// Fills in the images of thing t of count->chain, one for each of its points.
static void find_small_images(const struct state_count *count, const struct shown_cells *shown,
                              unsigned t, chain_point *images)
{
    const struct small_thing source = count->sources[t];
    const struct state_orbit *giant = &count->orbits[source.number]; // unless it is SMALL_THING
    switch (source.kind) {
    case SMALL_SIGN:
        images[0] = sign_point(giant, is_odd(giant, shown->slot_image));
        return;
    case SMALL_SUM:
        images[0] = sum_point(giant, shown->sum[source.number]);
        return;
    case SMALL_THING:
        for (unsigned j = 0; j < count->things[t].size; j++) {
            unsigned image = shown->images[count->view->image_of[source.number] + j];
            images[j] = count->small_of[image];
        }
    }
}

// The cells show a state if some element of the small group has the images that they show. Digits
// are divided one by one, because the product of their lengths may exceed 64 bits.
bool state_count_includes(const struct state_count *count, const uint8_t *cells)
{
    struct shown_cells shown;
    chain_point small[2 * CELLS_MOST]; // the images of all things of count->chain
    unsigned used = 0;
    if (!read_shown_cells(count, cells, &shown)) {
        return false;
    }
    for (unsigned t = 0; t < count->plan.thing_count; t++) {
        find_small_images(count, &shown, t, small + used);
        used += count->things[t].size;
    }
    chain_point *rest = small;
    for (unsigned d = 0; d < count->chain.digit_count; d++) {
        if (chain_divide(&count->chain, d, d + 1, rest, used) == UINT64_MAX) {
            return false;
        }
        rest += count->things[d].size;
        used -= count->things[d].size;
    }
    return true;
}
