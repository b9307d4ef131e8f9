// Counts the states of a permutation puzzle, and tells which cells show one.
#include "state_count.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static bool has_no_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory to count the states");
}

// Multiplies a number, unless it is 0. Makes it 0 if the product exceeds 63 bits.
static void multiply(uint64_t *number, uint64_t factor)
{
    *number = factor > 0 && *number <= INT64_MAX / factor ? *number * factor : 0;
}

// ---- Orbits -------------------------------------------------------------------------------------

static void read_orbit(struct state_count *count, struct state_orbit *orbit, unsigned first)
{
    const struct point_view *view = count->view;
    unsigned number = count->orbit_count++;
    const struct state_orbit *before = orbit - 1;
    *orbit = (struct state_orbit){.turns = view->slots[first].turns, .all_differ = true};
    orbit->slots = number == 0 ? count->orbit_slots : before->slots + before->slot_count;
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
            read_orbit(count, &count->orbits[count->orbit_count], i);
        }
    }
    return true;
}

// The rows of a giant that have one sign and one sum, as far as they matter.
static void count_giant(const struct state_count *count, struct state_orbit *orbit)
{
    const struct point_view *view = count->view;
    unsigned placed = 0;
    orbit->rows = 1;
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        bool is_own =
            &count->orbits[count->orbit_of[view->thing_slots[thing->first_slot]]] == orbit;
        for (unsigned k = 1; k <= thing->size && is_own && !thing->after_alone; k++) {
            multiply(&orbit->rows, ++placed);
            orbit->rows /= k;
        }
    }
    orbit->rows /= orbit->all_differ ? 2 : 1;
    for (unsigned i = orbit->sum_counts; i < orbit->counting; i++) {
        multiply(&orbit->rows, orbit->turns);
    }
}

// The order of the kernel of a giant.
static long double giant_order(const struct state_orbit *orbit)
{
    long double order = 0.5L;
    for (unsigned i = 1; i <= orbit->slot_count; i++) {
        order *= (long double)i * (i > 1 ? orbit->turns : 1);
    }
    return order;
}

// ---- The small group ----------------------------------------------------------------------------

// Is a permutation of an orbit's slots odd? It takes slot s to to[s].
static bool is_odd(const struct state_orbit *orbit, const uint16_t *to)
{
    bool odd = false;
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        for (unsigned j = 0; j < i; j++) {
            odd ^= to[orbit->slots[j]] > to[orbit->slots[i]];
        }
    }
    return odd;
}

// Fills in the images of a giant's points in the small group. `to` has room for a slot of each
// slot.
static void move_giant(const struct state_count *count, const struct state_orbit *orbit,
                       const chain_point *row, uint16_t *to, chain_point *small)
{
    const struct point_view *view = count->view;
    unsigned sum = 0;
    for (unsigned i = 0; i < orbit->slot_count; i++) {
        const struct view_slot *slot = &view->slots[orbit->slots[i]];
        to[orbit->slots[i]] = view->slot_of[row[slot->alone]];
        sum += (unsigned)(row[slot->first] - view->slots[to[orbit->slots[i]]].first);
    }
    unsigned odd = is_odd(orbit, to);
    small[orbit->first] = (chain_point)(orbit->first + odd);
    small[orbit->first + 1] = (chain_point)(orbit->first + 1 - odd);
    for (unsigned t = 0; t < orbit->turns; t++) {
        small[orbit->first + 2 + t] = (chain_point)(orbit->first + 2 + (t + sum) % orbit->turns);
    }
}

static void number_small_points(struct state_count *count)
{
    const struct point_view *view = count->view;
    unsigned others = 0;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        struct state_orbit *orbit = &count->orbits[b];
        if (orbit->is_giant) {
            orbit->first = count->degree;
            count->others[others++] = (chain_point)count->degree;
            count->others[others++] = (chain_point)(count->degree + 2);
            count->degree += 2 + orbit->turns;
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
                                      .things = count->things,
                                      .others = count->others,
                                      .other_count = others};
}

static bool make_small_group(struct state_count *count)
{
    const struct point_view *view = count->view;
    size_t slots = 2 * (size_t)view->slot_count + 2;
    count->small_of = calloc(view->degree + 1u, sizeof *count->small_of);
    count->others = malloc(slots * sizeof *count->others);
    count->things = malloc(slots * sizeof *count->things);
    count->sources = malloc(slots * sizeof *count->sources);
    count->points = malloc(slots * sizeof *count->points);
    count->rows = malloc((view->move_count + 1u) * sizeof *count->rows);
    uint16_t *to = malloc((view->slot_count + 1u) * sizeof *to);
    bool done = count->small_of && count->others && count->things && count->sources &&
                count->points && count->rows && to;
    if (done) {
        number_small_points(count);
        count->moves =
            malloc((view->move_count * (size_t)count->degree + 1) * sizeof *count->moves);
        done = count->moves;
    }
    for (unsigned m = 0; m < view->move_count && done; m++) {
        const chain_point *row = view->plan.moves[m];
        chain_point *small = count->moves + m * (size_t)count->degree;
        count->rows[m] = small;
        for (unsigned b = 0; b < count->orbit_count; b++) {
            if (count->orbits[b].is_giant) {
                move_giant(count, &count->orbits[b], row, to, small);
            }
        }
        for (unsigned x = 0; x < view->degree; x++) {
            if (!count->orbits[count->orbit_of[view->slot_of[x]]].is_giant) {
                small[count->small_of[x]] = count->small_of[row[x]];
            }
        }
    }
    free(to);
    return done;
}

// The exact order of the group. The chains of the small group know its order, so that they need no
// long proof.
static bool find_order(struct state_count *count, struct fewest_error *error)
{
    struct chain chain;
    bool done = chain_make(&chain, &count->plan, error); // without things
    long double order = chain.order;
    chain_free(&chain);
    if (!done) {
        return false;
    }
    count->plan.bound = order <= LDBL_MAX ? order : 0;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        order *= count->orbits[b].is_giant ? giant_order(&count->orbits[b]) : 1;
    }
    count->order = order <= LDBL_MAX ? order : 0;
    return true;
}

// ---- Chains of the small group ------------------------------------------------------------------

static void add_thing(struct state_count *count, unsigned *used, struct small_thing source,
                      unsigned size)
{
    count->sources[count->plan.thing_count] = source;
    count->things[count->plan.thing_count++] =
        (struct chain_thing){.size = size, .points = count->points + *used};
    *used += size;
}

static void add_giant(struct state_count *count, unsigned b, unsigned *used, bool sign, bool sum)
{
    const struct state_orbit *orbit = &count->orbits[b];
    if (sign) {
        count->points[*used] = (chain_point)orbit->first;
        add_thing(count, used, (struct small_thing){SMALL_SIGN, b}, 1);
    }
    if (sum) {
        count->points[*used] = (chain_point)(orbit->first + 2);
        add_thing(count, used, (struct small_thing){SMALL_SUM, b}, 1);
    }
}

// Adds what the root shows of an orbit that is no giant, or of all of them if it is -1: small
// things first, which makes the groups of the large ones smaller.
static void add_shown(struct state_count *count, int chosen, unsigned *used)
{
    const struct point_view *view = count->view;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned t = 0; t < view->thing_count; t++) {
            const struct chain_thing *thing = &view->chain_things[t];
            unsigned b = count->orbit_of[view->slot_of[thing->points[0]]];
            if ((thing->size > 1) != pass || count->orbits[b].is_giant ||
                (chosen >= 0 && b != (unsigned)chosen)) {
                continue;
            }
            for (unsigned j = 0; j < thing->size; j++) {
                count->points[*used + j] = count->small_of[thing->points[j]];
            }
            add_thing(count, used, (struct small_thing){SMALL_THING, t}, thing->size);
        }
    }
}

// Adds all points of the other orbits, one by one.
static void add_points(struct state_count *count, unsigned chosen, unsigned *used)
{
    for (unsigned b = 0; b < count->orbit_count; b++) {
        const struct state_orbit *orbit = &count->orbits[b];
        if (orbit->is_giant) {
            add_giant(count, b, used, true, orbit->turns > 1);
        }
        for (unsigned i = 0; i < orbit->slot_count && !orbit->is_giant && b != chosen; i++) {
            chain_point first = count->view->slots[orbit->slots[i]].first;
            count->points[*used] = count->small_of[first];
            add_thing(count, used, (struct small_thing){SMALL_THING, 0}, 1);
        }
    }
}

static bool make_chain(struct state_count *count, struct chain *chain, struct fewest_error *error)
{
    bool done = chain_make(chain, &count->plan, error);
    count->work += chain->work;
    return done && (count->work <= CHAIN_WORK_MOST || giant_orbits_refuse(count->view, error));
}

void state_count_scale(struct large *number, const struct chain_digit *digit, bool over)
{
    if (digit->kind != CHAIN_IMPLICIT) {
        (over ? large_divide : large_multiply)(number, (uint32_t)digit->length);
        return;
    }
    unsigned size = digit->thing->size;
    for (unsigned i = 0; i < size; i++) {
        large_multiply(number, over ? i + 1 : digit->slots - i);
    }
    for (unsigned i = 0; i < size; i++) {
        large_divide(number, over ? digit->slots - i : i + 1);
    }
}

// ---- Factors ------------------------------------------------------------------------------------

// The rows that the kernel of an orbit makes of the root's. Divides the number of tuples by them.
static bool count_rows(struct state_count *count, unsigned b, struct large *tuples,
                       struct fewest_error *error)
{
    struct chain chain;
    unsigned used = 0;
    count->plan.thing_count = 0;
    add_points(count, b, &used);
    unsigned first = count->plan.thing_count;
    add_shown(count, (int)b, &used);
    bool done = make_chain(count, &chain, error);
    count->orbits[b].rows = 1;
    for (unsigned d = first; d < chain.digit_count && done; d++) {
        multiply(&count->orbits[b].rows, chain.digits[d].length);
        state_count_scale(tuples, &chain.digits[d], true);
    }
    chain_free(&chain);
    return done;
}

// The number of tuples: that of the small states, over the rows of all other orbits.
static bool count_tuples(struct state_count *count, struct fewest_error *error)
{
    struct large tuples;
    large_set(&tuples, 1);
    for (unsigned d = 0; d < count->chain.digit_count; d++) {
        state_count_scale(&tuples, &count->chain.digits[d], false);
    }
    for (unsigned b = 0; b < count->orbit_count; b++) {
        if (!count->orbits[b].is_giant && !count_rows(count, b, &tuples, error)) {
            return false;
        }
    }
    uint64_t high = tuples.count == 2 ? tuples.limbs[1] : 0;
    bool is_short = tuples.count == 1 || tuples.count == 2;
    count->tuples = is_short ? high * UINT64_C(1000000000) + tuples.limbs[0] : 0;
    return true;
}

static void sort_orbits(struct state_count *count)
{
    for (unsigned b = 0; b < count->orbit_count; b++) {
        unsigned at = b; // 0 rows, beyond 63 bits, are the most
        unsigned *order = count->sorted;
        for (; at > 0 && count->orbits[order[at - 1]].rows - 1 < count->orbits[b].rows - 1; at--) {
            order[at] = order[at - 1];
        }
        order[at] = b;
    }
}

// ---- All ----------------------------------------------------------------------------------------

// The things of `count->chain`. Its plan is that of other chains in between.
static void show_all(struct state_count *count)
{
    unsigned used = 0;
    count->plan.thing_count = 0;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        const struct state_orbit *orbit = &count->orbits[b];
        if (orbit->is_giant) {
            add_giant(count, b, &used, orbit->all_differ, orbit->sum_counts);
        }
    }
    add_shown(count, -1, &used);
}

static bool count_states(struct state_count *count, struct fewest_error *error)
{
    if (!read_orbits(count)) {
        return has_no_memory(error);
    }
    if (!giant_orbits_find(count->view, count->orbits, count->orbit_count, error)) {
        return false;
    }
    if (!make_small_group(count)) {
        return has_no_memory(error);
    }
    if (!find_order(count, error)) {
        return false;
    }
    for (unsigned b = 0; b < count->orbit_count; b++) {
        if (count->orbits[b].is_giant) {
            count_giant(count, &count->orbits[b]);
        }
    }
    show_all(count);
    if (!make_chain(count, &count->chain, error) || !count_tuples(count, error)) {
        return false;
    }
    sort_orbits(count);
    show_all(count);
    count->states = count->chain.count;
    for (unsigned b = 0; b < count->orbit_count; b++) {
        multiply(&count->states, count->orbits[b].is_giant ? count->orbits[b].rows : 1);
    }
    return true;
}

bool state_count_make(struct state_count *count, const struct point_view *view,
                      struct fewest_error *error)
{
    *count = (struct state_count){.view = view};
    return count_states(count, error) ||
           (error->status == FEWEST_BEYOND && giant_orbits_refuse(view, error));
}

void state_count_free(struct state_count *count)
{
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

bool state_count_includes(const struct state_count *count, const uint8_t *cells)
{
    const struct point_view *view = count->view;
    chain_point images[2 * CELLS_MOST];
    chain_point small[2 * CELLS_MOST];
    uint16_t to[CELLS_MOST];        // by slot: where its piece is
    unsigned sum[CELLS_MOST] = {0}; // by orbit
    unsigned used = 0;
    if (!point_view_read(view, cells, images)) {
        return false;
    }
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        for (unsigned j = 0; j < thing->size; j++) {
            unsigned image = images[view->image_of[t] + j];
            unsigned slot = view->slot_of[image];
            to[view->thing_slots[thing->first_slot + j]] = (uint16_t)slot;
            sum[count->orbit_of[slot]] += thing->alone ? 0 : image - view->slots[slot].first;
        }
    }
    for (unsigned t = 0; t < count->plan.thing_count; t++) {
        struct small_thing source = count->sources[t];
        const struct state_orbit *orbit = &count->orbits[source.of];
        for (unsigned j = 0; j < count->things[t].size; j++) {
            small[used++] = source.kind == SMALL_THING
                                ? count->small_of[images[view->image_of[source.of] + j]]
                            : source.kind == SMALL_SIGN
                                ? (chain_point)(orbit->first + is_odd(orbit, to))
                                : (chain_point)(orbit->first + 2 + sum[source.of] % orbit->turns);
        }
    }
    chain_point *rest = small;
    for (unsigned d = 0; d < count->chain.digit_count; d++) { // one by one, whatever the product
        if (chain_divide(&count->chain, d, d + 1, rest, used) == UINT64_MAX) {
            return false;
        }
        rest += count->things[d].size;
        used -= count->things[d].size;
    }
    return true;
}
