// Writes the number of states of a permutation puzzle as a product, such as 2 · 12!·2^11/2 ·
// 8!·3^7/2.
#include "state_count.h"
#include "tables/puzzle/rules.h"

#include <stdarg.h>
#include <stdio.h>

static void tell_power(struct state_counter *counter, unsigned base, unsigned exponent)
{
    for (unsigned i = 0; i < exponent; i++) {
        large_multiply(&counter->number, base);
    }
}

static void tell_factorial(struct state_counter *counter, unsigned n, bool over)
{
    for (unsigned i = 2; i <= n; i++) {
        (over ? large_divide : large_multiply)(&counter->number, i);
    }
}

struct factor {
    char text[FEWEST_ERROR_SIZE];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void append(struct factor *factor, const char *format,
                                                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = sizeof factor->text - factor->used;
    int length = vsnprintf(factor->text + factor->used, left, format, arguments);
    va_end(arguments);
    factor->used += length > 0 && (size_t)length < left ? (size_t)length : 0;
}

// Appends what the pieces that look alike divide by: /4!^3 or /(6!·2!^3), or nothing. `times` says
// how many symbols have each amount.
static void append_alike(struct factor *factor, const unsigned times[PIECES_OF_SET_MOST + 1])
{
    unsigned kinds = 0;
    unsigned written = 0;
    for (unsigned amount = 2; amount <= PIECES_OF_SET_MOST; amount++) {
        kinds += times[amount] > 0;
    }
    for (unsigned amount = PIECES_OF_SET_MOST; amount > 1; amount--) {
        if (times[amount] > 0) {
            append(factor, "%s%u!", written++ > 0 ? "·" : kinds > 1 ? "/(" : "/", amount);
        }
        if (times[amount] > 1) {
            append(factor, "^%u", times[amount]);
        }
    }
    append(factor, "%s", kinds > 1 ? ")" : "");
}

// For example 8!·3^7/2, 24!/4!^6, or 3^7 if all pieces look alike.
static void tell_giant(const struct state_count *count, const struct state_orbit *orbit,
                       struct state_counter *counter)
{
    const struct point_view *view = count->view;
    struct factor factor = {.used = 0};
    unsigned times[PIECES_OF_SET_MOST + 1] = {0};
    unsigned turned = orbit->counting - orbit->sum_counts;
    bool looks_alike = false; // do all pieces?
    tell_factorial(counter, orbit->slot_count, false);
    if (orbit->all_differ) {
        large_divide(&counter->number, 2);
    }
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        unsigned slot = view->thing_slots[thing->first_slot];
        if (&count->orbits[count->orbit_of[slot]] == orbit && !thing->after_alone) {
            tell_factorial(counter, thing->size, true);
            times[thing->size]++;
            looks_alike = thing->size == orbit->slot_count;
        }
    }
    tell_power(counter, orbit->turns, turned);
    if (!looks_alike) {
        append(&factor, "%u!", orbit->slot_count);
        append_alike(&factor, times);
    }
    if (turned > 0) {
        append(&factor, "%s%u^%u", looks_alike ? "" : "·", orbit->turns, turned);
    }
    append(&factor, "%s", orbit->all_differ ? "/2" : "");
    if (factor.used > 0) {
        state_counter_name(counter, factor.text);
    }
}

// A number above 63 bits, 0, has no short name.
static void name_number(struct state_counter *counter, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    if (number != 1) {
        state_counter_name(counter, number > 0 ? text : "…");
    }
}

void state_count_tell(const struct state_count *count, struct state_counter *counter)
{
    for (unsigned d = 0; d < count->chain.digit_count; d++) {
        state_count_scale(&counter->number, &count->chain.digits[d], false);
    }
    name_number(counter, count->tuples);
    for (unsigned i = 0; i < count->orbit_count; i++) {
        const struct state_orbit *orbit = &count->orbits[count->sorted[i]];
        if (orbit->is_giant) {
            tell_giant(count, orbit, counter);
        } else {
            name_number(counter, orbit->rows);
        }
    }
}
