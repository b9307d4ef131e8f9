// Makes one digit after the other. Read chain.h (things, digits) and groups.h (levels, bases)
// first.
//
// The *rest* of a digit is the stabilizer of its thing: the elements of the digit's group that fix
// the thing as a set (K_i in chain.h). It is the group of the next digit.
#include "digits.h"

#include "sets.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_STEPS_MOST = 256 }; // about 30 list any images

// ---- What fixes a set ---------------------------------------------------------------------------

// Returns a part of the digit's rest: the elements that fix each point of the thing. The points
// are the bases of the first levels of the digit's group. So the part has copies of the later
// levels, and of the generators that fix all bases before these. Behind them, it gets levels with
// the points as bases, which have only the identity until fill_rest fills them. Returns NULL if
// memory runs out or above a limit.
static struct chain_group *copy_later_levels(struct arena *arena, const struct chain_digit *digit)
{
    const struct chain_group *from = digit->group;
    unsigned size = digit->thing->size;
    unsigned first_level = digit->level + size;
    unsigned count = from->level_count - first_level;
    chain_point base[digit->group->degree + 1];
    for (unsigned l = 0; l < count; l++) {
        base[l] = from->levels[first_level + l].base;
    }
    memcpy(base + count, digit->thing->points, size * sizeof *base);
    struct chain_group *group = group_open(arena, from->degree, base, count + size);
    for (unsigned l = 0; l < count && group; l++) {
        const struct level *level = &from->levels[first_level + l];
        for (unsigned i = 0; i < level->length; i++) {
            if (level->orbit[i] != level->base && // the base is there already
                !level_add(arena, from->degree, &group->levels[l], level->element[i])) {
                return NULL;
            }
        }
    }
    for (unsigned g = 0; g < from->generator_count && group; g++) {
        if (from->fixed[g] >= first_level &&
            !group_add_generator(arena, group, from->generators[g], from->fixed[g] - first_level)) {
            return NULL;
        }
    }
    return group;
}

// Returns the order of the rest: that of the digit's group, divided by the number of the thing's
// known images.
static long double order_of_rest(const struct chain_digit *digit)
{
    unsigned size = digit->thing->size;
    long double images = digit->kind == CHAIN_LISTED ? digit->sets.count : 1;
    for (unsigned i = 0; i < size && digit->kind == CHAIN_IMPLICIT; i++) { // C(slots, size)
        images = images * (digit->slots - i) / (i + 1);
    }
    return group_order(digit->group, digit->level) / images;
}

// Adds random elements of the stabilizer of the digit's thing to `rest`, which has a part of it.
// Each is a random element of the digit's group, divided by one that takes the thing to the same
// image. If anything is missing, it brings something new with a chance of at least a half. Sets
// *complete if the order of the stabilizer is reached. Gives up if IN_VAIN elements in a row bring
// nothing, or if an image is not listed. Returns false if memory runs out or above a limit.
static bool fill_rest(struct arena *arena, const struct chain_digit *digit,
                      struct chain_group *rest, bool *complete)
{
    enum { IN_VAIN = 20 };
    unsigned degree = rest->degree;
    long double order = order_of_rest(digit);
    chain_point row[degree + 1];
    chain_point element[degree + 1];
    chain_point images[degree + 1];
    arena->too_large |= !(order <= LDBL_MAX); // infinite, or no number
    for (unsigned vain = 0; vain < IN_VAIN && !group_is_complete(rest, order); vain++) {
        bool added;
        group_draw(arena, digit->group, digit->level, row);
        for (unsigned j = 0; j < digit->thing->size; j++) {
            images[j] = row[digit->thing->points[j]];
        }
        uint64_t work = set_find_element_of(digit, images, element);
        arena->work += work;
        if (work == 0) {
            break; // the image is not listed
        }
        for (unsigned x = 0; x < degree; x++) {
            images[element[x]] = (chain_point)x; // now `images` is the inverse of `element`
        }
        element_multiply(degree, images, row, row);
        if (!arena_spend(arena, 2 * (uint64_t)degree) || !group_add(arena, rest, row, &added)) {
            return false;
        }
        if (added) {
            vain = 0;
        }
    }
    *complete = group_is_complete(rest, order);
    return arena_spend(arena, 0);
}

// Makes the whole rest of a digit whose thing's images are all known. Returns false if memory runs
// out or above a limit.
static bool make_rest(struct arena *arena, struct chain_digit *digit)
{
    struct chain_group *rest = copy_later_levels(arena, digit);
    bool complete = false;
    digit->rest = rest;
    while (rest && !complete) {
        if (!fill_rest(arena, digit, rest, &complete)) {
            return false;
        }
    }
    return rest;
}

// ---- All images of a thing ----------------------------------------------------------------------
// If an orbit has the sets O, and A are those that are listed, a random element g of the group
// takes A to any set of O with the same chance. So the sets A and gA together are nearly twice as
// many as a few sets A. When A has more than half of O, most cycles of g have sets of A, so all
// sets of these cycles are added. So only a few images of each set are computed until A is O,
// whatever generators the group has.
//
// The proof that nothing is missing is the order of the stabilizer: |O| is the order of the group
// divided by it. The order of a subgroup of the stabilizer gives an upper bound of |O|. If A has as
// many sets, it is O.

// Adds a random element of the digit's group to the steps. Returns false if memory runs out or
// above a limit.
static bool add_random_step(struct set_list *list)
{
    unsigned degree = list->digit->group->degree;
    chain_point *row = arena_take(list->arena, degree * sizeof *row);
    list->arena->too_large |= list->step_count == list->step_room; // then arena_spend fails
    if (!row || !arena_spend(list->arena, 0)) {
        return false;
    }
    group_draw(list->arena, list->digit->group, list->digit->level, row);
    list->steps[list->step_count++] = row;
    return true;
}

// Applies a new random step to all sets, then to the sets that this adds, and so on, until a round
// adds none. Stops earlier, and sets *slow to false, once more than half as many sets as before are
// added. Else *slow is true. Returns false if memory runs out or above a limit.
static bool grow_at_random(struct set_list *list, bool *slow)
{
    const struct row_set *sets = &list->digit->sets;
    uint32_t old = sets->count;
    uint32_t first = 0;
    bool done = add_random_step(list);
    *slow = true;
    while (done && first < sets->count && *slow) {
        uint32_t end = sets->count;
        done = set_list_step(list, list->step_count - 1, first, end);
        first = end;
        *slow = sets->count - old < old / 2 + 1;
    }
    return done;
}

// Adds images by random elements until it is proved that these are all. If a step adds few sets
// (`slow`), all may be there: then fill_rest tries to prove it by the order of the rest. So this
// also makes digit->rest. Returns false if memory runs out or above a limit.
static bool list_at_random(struct set_list *list)
{
    struct chain_group *rest = copy_later_levels(list->arena, list->digit);
    bool complete = false;
    list->digit->rest = rest;
    while (rest && !complete) {
        bool slow;
        if (!grow_at_random(list, &slow) ||
            (slow && !fill_rest(list->arena, list->digit, rest, &complete))) {
            return false;
        }
    }
    return rest;
}

// Numbers the sets in lexicographic order, so that the numbers do not depend on the steps. The
// thing keeps number 0, because the points are in the order of the things. Fills in the sources
// under the new numbers; `found` has them under the old ones. Returns false if memory runs out.
static bool sort_sets(struct arena *arena, struct chain_digit *digit,
                      const struct chain_source *found)
{
    uint32_t count = digit->sets.count;
    uint32_t *number = malloc(count * sizeof *number); // by old number
    struct chain_source *sources = arena_take(arena, count * sizeof *sources);
    bool done = number && sources && row_set_sort(&digit->sets, number);
    for (uint32_t i = 1; i < count && done; i++) {
        sources[number[i]] = (struct chain_source){number[found[i].set], found[i].step};
    }
    free(number);
    digit->sources = sources;
    arena->out_of_memory |= !done;
    return arena_spend(arena, SET_WORK * (uint64_t)count);
}

// Lists all images of a thing, and their sources in the order of adding. First applies the
// generators, as long as this takes less time than a proof of a list that is made at random. Then
// list_at_random does the rest. Returns false if memory runs out or above a limit.
static bool find_sets(struct set_list *list)
{
    enum { PROOF = 64 }; // random elements of a proof; one takes levels × degree work
    struct chain_digit *digit = list->digit;
    const struct chain_group *group = digit->group;
    uint64_t levels = group->level_count - digit->level;
    uint16_t positions[digit->thing->size];
    uint16_t key[digit->sets.length];
    bool complete = false;
    for (unsigned g = 0; g < group->generator_count; g++) {
        if (group->fixed[g] >= digit->level) {
            list->steps[list->step_count++] = group->generators[g];
        }
    }
    for (unsigned j = 0; j < digit->thing->size; j++) {
        positions[j] = digit->position[digit->thing->points[j]];
    }
    set_write_key(digit, positions, key); // set 0 is the thing
    list->arena->out_of_memory |= row_set_add(&digit->sets, key) == ROW_NONE;
    list->arena->bytes += row_set_bytes(&digit->sets);
    return arena_spend(list->arena, 0) &&
           set_list_by_generators(list, PROOF * levels * group->degree, &complete) &&
           (complete || list_at_random(list));
}

// Makes a listed digit: lists all images of its thing and their sources. Returns false if
// memory runs out or above a limit.
static bool list_sets(struct arena *arena, struct chain_digit *digit)
{
    unsigned room = digit->group->generator_count + RANDOM_STEPS_MOST;
    struct chain_source *found = malloc((CHAIN_LISTED_MOST + ROWS_AT_ONCE) * sizeof *found);
    const chain_point **steps = arena_take(arena, room * sizeof *steps);
    struct set_list list = {
        .arena = arena, .digit = digit, .found = found, .steps = steps, .step_room = room};
    digit->kind = CHAIN_LISTED;
    digit->sources = found; // until sort_sets makes others
    digit->steps = steps;
    row_set_open(&digit->sets, set_key_length(digit));
    arena->out_of_memory |= !found;
    bool done = arena_spend(arena, 0) && find_sets(&list) && sort_sets(arena, digit, found);
    digit->length = digit->sets.count;
    free(found);
    return done;
}

// ---- The digits ---------------------------------------------------------------------------------

// Fills in the bases of the group of the moves. First come the points of the things from `first`
// on, in their order, and then the plan's other points that are not among these. Each point appears
// once, so `base` needs room for plan->degree points. Returns how many there are.
static unsigned list_base_points(const struct chain_plan *plan, unsigned first, chain_point *base)
{
    bool taken[plan->degree + 1];
    memset(taken, false, sizeof taken);
    unsigned count = 0;
    for (unsigned t = first; t < plan->thing_count; t++) {
        for (unsigned j = 0; j < plan->things[t].size; j++) {
            base[count++] = plan->things[t].points[j];
            taken[plan->things[t].points[j]] = true;
        }
    }
    for (unsigned i = 0; i < plan->other_count; i++) {
        if (!taken[plan->others[i]]) {
            base[count++] = plan->others[i];
        }
    }
    return count;
}

// Makes the group structure of a first digit that has first_elements: one level whose orbit has
// their images, in their order. It is no group, only the form in which a digit keeps its elements.
// NULL if memory runs out or above a limit.
static struct chain_group *list_first_elements(struct arena *arena, const struct chain_plan *plan)
{
    struct chain_group *group = group_open(arena, plan->degree, plan->things[0].points, 1);
    if (group) {
        group->levels[0].length = 0; // the identity is one of the first elements
    }
    for (unsigned i = 0; i < plan->first_count && group; i++) {
        if (!level_add(arena, plan->degree, &group->levels[0],
                       element_copy(arena, plan->degree, plan->first_elements[i]))) {
            return NULL;
        }
    }
    return group;
}

// Makes a digit, whose thing, group and level are filled in, and its rest. The last digit needs no
// rest. Returns false if memory runs out or above a limit.
static bool make_digit(struct arena *arena, struct chain_digit *digit, bool is_last)
{
    if (digit->thing->size == 1) {
        digit->kind = CHAIN_LEVEL;
        digit->length = digit->group->levels[digit->level].length;
        digit->rest = digit->group;
        digit->rest_level = digit->level + 1;
        return true;
    }
    bool made =
        set_list_slots(arena, digit) &&
        (set_can_be_implicit(digit) ? set_make_implicit(arena, digit) : list_sets(arena, digit));
    if (!made || is_last || digit->rest) { // list_at_random makes a rest
        return made;
    }
    return make_rest(arena, digit);
}

bool digits_make(struct chain *chain)
{
    const struct chain_plan *plan = chain->plan;
    struct arena *arena = chain->arena;
    unsigned first = plan->first_elements ? 1 : 0; // thing 0 may be the cell of a blank
    chain_point base[2 * plan->degree + 1];
    unsigned base_count = list_base_points(plan, first, base);
    struct chain_group *move_group = group_open(arena, plan->degree, base, base_count);
    chain->digits = arena_take(arena, (plan->thing_count + 1) * sizeof *chain->digits);
    chain->group = move_group;
    if (!move_group || !chain->digits || !group_generate(arena, move_group, plan)) {
        return false;
    }
    chain->order = group_order(move_group, 0);
    const struct chain_group *group = move_group;
    unsigned level = 0;
    for (unsigned t = 0; t < plan->thing_count; t++) {
        struct chain_digit *digit = &chain->digits[chain->digit_count++];
        *digit = (struct chain_digit){.thing = &plan->things[t], .group = group, .level = level};
        if (t < first) {
            digit->kind = CHAIN_FIRST;
            digit->group = list_first_elements(arena, plan);
            digit->length = plan->first_count;
            digit->rest = move_group;
            if (!digit->group) {
                return false;
            }
            continue;
        }
        bool is_last = t + 1 == plan->thing_count;
        if (!make_digit(arena, digit, is_last)) {
            return false;
        }
        group = digit->rest;
        level = digit->rest_level;
    }
    return true;
}
