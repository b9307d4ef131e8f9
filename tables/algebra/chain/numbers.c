// Makes chains, and numbers states with them.
#include "digits.h"
#include "sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Fills in the error after a failure, and returns false.
static bool report_failure(const struct arena *arena, struct fewest_error *error)
{
    if (arena->too_large) {
        return error_set(error, FEWEST_BEYOND, "the moves generate a group that is too large");
    }
    return error_no_memory(error, "for the numbers of the states");
}

bool chain_make(struct chain *chain, const struct chain_plan *plan, struct fewest_error *error)
{
    assert(plan->degree <= CHAIN_DEGREE_MOST);
    *chain = (struct chain){.plan = plan, .arena = arena_open(plan->work), .count = 1};
    if (!chain->arena) {
        return error_no_memory(error, "for the numbers of the states");
    }
    bool done = digits_make(chain) && arena_spend(chain->arena, 0); // within the limits?
    chain->work = chain->arena->work;
    if (!done) {
        return report_failure(chain->arena, error);
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        uint64_t length = chain->digits[d].length;
        if (length > 0 && chain->count <= INT64_MAX / length) {
            chain->count *= length;
        } else {
            chain->count = 0; // and stays 0
        }
    }
    return true;
}

// Multiplies a number by C(n, size).
static void multiply_by_binomial(struct large *number, unsigned n, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        large_multiply(number, n - i);
    }
    for (unsigned i = 0; i < size; i++) {
        large_divide(number, i + 1);
    }
}

// Multiplies a number by a number of states that the group surely has, if no digit was made. The
// part of the group that was found takes the points of the things, in their order, to many rows.
// How many is the product of the lengths of the points' levels. At most the product of the
// factorials of the things' sizes show one state.
static void multiply_by_rows(const struct chain *chain, struct large *number)
{
    unsigned level = 0;
    for (unsigned t = 0; t < chain->plan->thing_count; t++) {
        for (unsigned i = 0; i < chain->plan->things[t].size; i++) {
            large_multiply(number, chain->group->levels[level++].length);
        }
    }
    for (unsigned t = 0; t < chain->plan->thing_count; t++) {
        for (unsigned i = 1; i < chain->plan->things[t].size; i++) {
            large_divide(number, i + 1);
        }
    }
    if (number->count == 1 && number->limbs[0] == 0) { // rounded down to 0
        large_set(number, 1);
    }
}

// Multiplies by the images of each digit. After a failure, only some images of the last digit may
// be known, and there are no digits after it.
void chain_multiply_count(const struct chain *chain, struct large *number)
{
    if (chain->digit_count == 0 && chain->group) {
        multiply_by_rows(chain, number);
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        if (digit->kind == CHAIN_IMPLICIT) {
            multiply_by_binomial(number, digit->slots, digit->thing->size);
        } else if (digit->kind == CHAIN_LISTED) {
            large_multiply(number, digit->sets.count > 0 ? digit->sets.count : 1);
        } else {
            // A digit that a limit ended before it had a kind counts as 1.
            large_multiply(number, digit->length > 0 ? (uint32_t)digit->length : 1);
        }
    }
}

// Makes room to keep the rows of a digit's canonical elements. calloc maps pages that take memory
// only when they are written. A level has its rows already. A digit with too many rows, or without
// memory for them, keeps none: each is computed when it is needed.
static void make_room_for_rows(struct chain *chain, struct chain_digit *digit)
{
    size_t row_bytes = 2 * (size_t)chain->plan->degree * sizeof *digit->rows;
    if (digit->kind == CHAIN_LEVEL || digit->length == 0 || digit->length > CHAIN_KEPT_MOST ||
        digit->length * row_bytes > CHAIN_BYTES_MOST) {
        return;
    }
    digit->rows = calloc(digit->length, row_bytes);
    digit->row_state = calloc(digit->length, sizeof *digit->row_state);
    if (!digit->rows || !digit->row_state) {
        free(digit->rows);
        digit->rows = NULL;
    }
}

// Makes the elements of the digits that are levels canonical. For other digits, it only makes room:
// make_row makes their elements, once they are needed.
bool chain_finish(struct chain *chain, struct fewest_error *error)
{
    chain->arena->work = chain->work; // other chains of the definition may have been made meanwhile
    for (unsigned d = chain->digit_count; d-- > 0;) {
        const struct chain_digit *digit = &chain->digits[d];
        struct chain_group *group = (struct chain_group *)(uintptr_t)digit->group; // not const here
        if (digit->kind == CHAIN_LEVEL && !group_finish_level(chain->arena, group, digit->level)) {
            return report_failure(chain->arena, error);
        }
    }
    chain->work = chain->arena->work;
    for (unsigned d = 0; d < chain->digit_count; d++) {
        make_room_for_rows(chain, &chain->digits[d]);
    }
    return true;
}

uint64_t chain_bytes(const struct chain *chain)
{
    uint64_t bytes = chain->arena->bytes;
    for (unsigned d = 0; d < chain->digit_count; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        bytes += digit->rows ? digit->length * 2 * chain->plan->degree * sizeof *digit->rows : 0;
    }
    return bytes;
}

void chain_free(struct chain *chain)
{
    for (unsigned d = 0; d < chain->digit_count; d++) {
        free(chain->digits[d].rows);
        free((void *)chain->digits[d].row_state);
        row_set_close(&chain->digits[d].sets);
    }
    arena_close(chain->arena);
    *chain = (struct chain){.digit_count = 0};
}

// ---- Ranking ------------------------------------------------------------------------------------

// Computes what chain_row returns: writes the canonical element that takes the thing of digit d to
// image `number`, and its inverse after it.
static void make_row(const struct chain *chain, unsigned d, uint64_t number, chain_point *row)
{
    const struct chain_digit *digit = &chain->digits[d];
    unsigned degree = chain->plan->degree;
    set_find_element(digit, number, row);
    if (digit->rest) { // the last digit may have none: what fixes all things changes no state
        group_make_least(digit->rest, digit->rest_level, row);
    }
    for (unsigned x = 0; x < degree; x++) {
        row[degree + row[x]] = (chain_point)x;
    }
}

// The values of a digit's row_state.
enum { ROW_MISSING, ROW_COMING, ROW_KEPT };

// Does the work of chain_row for a digit that is no level. Several threads may need the same row at
// once. The first one makes it in the chain. Until it is there, each of the others makes it in its
// own `room`.
static const chain_point *find_or_make_row(const struct chain *chain, unsigned d, uint64_t number,
                                           chain_point *room)
{
    const struct chain_digit *digit = &chain->digits[d];
    size_t length = 2 * (size_t)chain->plan->degree;
    if (!digit->rows) {
        make_row(chain, d, number, room);
        return room;
    }
    _Atomic uint8_t *state = &digit->row_state[number];
    chain_point *row = digit->rows + number * length;
    uint8_t expected = ROW_MISSING;
    if (atomic_load_explicit(state, memory_order_acquire) == ROW_KEPT) {
        return row;
    }
    if (!atomic_compare_exchange_strong(state, &expected, ROW_COMING)) {
        make_row(chain, d, number, room);
        return room;
    }
    make_row(chain, d, number, row);
    atomic_store_explicit(state, ROW_KEPT, memory_order_release);
    return row;
}

const chain_point *chain_row(const struct chain *chain, unsigned d, uint64_t number,
                             chain_point *room)
{
    const struct chain_digit *digit = &chain->digits[d];
    return digit->kind == CHAIN_LEVEL // canonical, because group_finish_level made it so
               ? digit->group->levels[digit->level].element[number]
               : find_or_make_row(chain, d, number, room);
}

// Returns the number of points in `room` for chain_row: a row and its inverse, and one more,
// because an array may not be empty, even if there are no points.
static size_t row_room_points(const struct chain *chain)
{
    return 2 * (size_t)chain->plan->degree + 1;
}

// Divides the images by some element for each digit. It need not be the canonical one, so it needs
// no number: an implicit digit may have too many images for numbers.
bool chain_includes(const struct chain *chain, chain_point *images, unsigned count)
{
    unsigned degree = chain->plan->degree;
    chain_point element[degree + 1];
    chain_point inverse[degree + 1];
    for (unsigned d = 0; d < chain->digit_count; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        unsigned size = digit->thing->size;
        if (set_find_element_of(digit, images, element) == 0) {
            return false;
        }
        for (unsigned x = 0; x < degree; x++) {
            inverse[element[x]] = (chain_point)x;
        }
        images += size;
        count -= size;
        for (unsigned j = 0; j < count; j++) {
            images[j] = inverse[images[j]];
        }
    }
    return true;
}

// Takes the digits one after the other. The value of a digit is the number of the image of its
// thing. Then the images that are left are divided by the digit's canonical element: what remains
// of g fixes the thing.
uint64_t chain_divide(const struct chain *chain, unsigned first, unsigned end, chain_point *images,
                      unsigned count)
{
    uint64_t rank = 0;
    chain_point room[row_room_points(chain)];
    for (unsigned d = first; d < end; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        uint64_t number = chain_number(digit, images);
        if (number == UINT64_MAX) {
            return UINT64_MAX;
        }
        rank = rank * digit->length + number;
        images += digit->thing->size;
        count -= digit->thing->size;
        if (count > 0 && number > 0) {
            const chain_point *inverse = chain_row(chain, d, number, room) + chain->plan->degree;
            for (unsigned j = 0; j < count; j++) {
                images[j] = inverse[images[j]];
            }
        }
    }
    return rank;
}

// Replaces each of `count` points x by g(x), where g is the element of state `number`:
//
//     g = u_1 u_2 … u_k, where u_d is the canonical element that digit d of the number stands for
//
// A product applies its right factor first. So the digits are taken from the last to the first.
// A digit of value 0 stands for the identity, which is left out.
void chain_unrank_images(const struct chain *chain, uint64_t number, chain_point *points,
                         unsigned count)
{
    chain_point room[row_room_points(chain)];
    for (unsigned d = chain->digit_count; d-- > 0;) {
        uint64_t length = chain->digits[d].length;
        uint64_t value = number % length; // of digit d
        number /= length;
        if (value > 0) {
            const chain_point *factor = chain_row(chain, d, value, room);
            for (unsigned j = 0; j < count; j++) {
                points[j] = factor[points[j]];
            }
        }
    }
}

void chain_unrank_element(const struct chain *chain, uint64_t number, chain_point *element)
{
    element_set_identity(chain->plan->degree, element);
    chain_unrank_images(chain, number, element, chain->plan->degree);
}

// Visits all values of the digits `first` … d-1. The digits after them make `images` of the points,
// and the part `number` of the number. `weight` is that of digit d-1. A product applies its right
// factor first, so the last digit comes first. Digits of one value are the identity.
static void visit_digits(const struct chain_visit *visit, unsigned d, const chain_point *images,
                         uint64_t weight, uint64_t number)
{
    const struct chain *chain = visit->chain;
    while (d > visit->first && chain->digits[d - 1].length == 1) {
        d--;
    }
    if (d <= visit->first) {
        visit->visit(visit->context, (uint32_t)number, images);
        return;
    }
    chain_point room[row_room_points(chain)];
    chain_point moved[visit->count + 1];
    uint64_t length = chain->digits[d - 1].length;
    memset(moved, 0, sizeof moved); // for the analyzer, which fears that `count` changes
    for (uint64_t value = 0; value < length; value++, number += weight) {
        const chain_point *u = chain_row(chain, d - 1, value, room);
        for (unsigned i = 0; i < visit->count; i++) {
            moved[i] = u[images[i]];
        }
        visit_digits(visit, d - 1, moved, weight * length, number);
    }
}

void chain_visit_numbers(const struct chain_visit *visit)
{
    visit_digits(visit, visit->end, visit->points, 1, 0);
}

void chain_undo(const struct chain *chain, unsigned first, unsigned end, uint64_t number,
                chain_point *points, unsigned count)
{
    chain_point room[row_room_points(chain)];
    uint64_t weight = 1;
    for (unsigned d = first; d < end; d++) {
        weight *= chain->digits[d].length;
    }
    for (unsigned d = first; d < end; d++) {
        weight /= chain->digits[d].length;
        uint64_t value = number / weight;
        number %= weight;
        if (value > 0) {
            const chain_point *inverse = chain_row(chain, d, value, room) + chain->plan->degree;
            for (unsigned j = 0; j < count; j++) {
                points[j] = inverse[points[j]];
            }
        }
    }
}

// Adds the images of the points of the set under all generators that fix the things before digit
// `first`. Returns whether there are new ones. If `grown` is NULL, adds nothing.
static bool add_images(const struct chain *chain, unsigned first, const bool *is_in, bool *grown)
{
    const struct chain_digit *digit = &chain->digits[first];
    const struct chain_group *group = digit->group;
    bool grows = false;
    assert(digit->kind != CHAIN_FIRST);
    for (unsigned g = 0; g < group->generator_count; g++) {
        if (group->fixed[g] < digit->level) {
            continue; // it moves a thing before digit `first`
        }
        for (unsigned x = 0; x < group->degree; x++) {
            unsigned image = group->generators[g][x];
            if (is_in[x] && !is_in[image]) {
                grows = true;
                if (grown) {
                    grown[image] = true;
                }
            }
        }
    }
    return grows;
}

void chain_close(const struct chain *chain, unsigned first, bool *is_in)
{
    while (add_images(chain, first, is_in, is_in)) {
    }
}

bool chain_keeps(const struct chain *chain, unsigned first, const bool *is_in)
{
    return !add_images(chain, first, is_in, NULL);
}
