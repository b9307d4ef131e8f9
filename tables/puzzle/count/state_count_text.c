// Writes the number of states of a permutation puzzle as a product, such as 2 · 12!·2^11/2 ·
// 8!·3^7/2.
#include "state_count.h"
#include "tables/puzzle/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void multiply_by_power(struct large *number, unsigned base, unsigned exponent)
{
    for (unsigned i = 0; i < exponent; i++) {
        large_multiply(number, base);
    }
}

static void multiply_by_factorial(struct large *number, unsigned n)
{
    for (unsigned i = 2; i <= n; i++) {
        large_multiply(number, i);
    }
}

// n! must divide the number.
static void divide_by_factorial(struct large *number, unsigned n)
{
    for (unsigned i = 2; i <= n; i++) {
        large_divide(number, i);
    }
}

// The text of one factor, such as 8!·3^7/2.
struct factor {
    char text[FEWEST_ERROR_SIZE];
    size_t used; // without the closing NUL
};

// Appends formatted text. Text that has no room is cut off, and what comes later overwrites it.
__attribute__((format(printf, 2, 3))) static void append(struct factor *factor, const char *format,
                                                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = sizeof factor->text - factor->used;
    int length = vsnprintf(factor->text + factor->used, left, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < left) {
        factor->used += (size_t)length;
    }
}

// Appends the divisor for pieces that look alike, such as /4!^3 or /(6!·2!^3); nothing if all
// differ. colours[n] is the number of colours that n pieces have each.
static void append_divisor(struct factor *factor, const unsigned colours[PIECES_OF_SET_MOST + 1])
{
    unsigned terms = 0;
    for (unsigned size = 2; size <= PIECES_OF_SET_MOST; size++) {
        terms += colours[size] > 0;
    }
    const char *separator = terms > 1 ? "/(" : "/";
    for (unsigned size = PIECES_OF_SET_MOST; size > 1; size--) {
        if (colours[size] == 0) {
            continue;
        }
        append(factor, "%s%u!", separator, size);
        if (colours[size] > 1) {
            append(factor, "^%u", colours[size]);
        }
        separator = "·";
    }
    if (terms > 1) {
        append(factor, ")");
    }
}

// Fills in how many colours of a giant have n pieces each, for each n.
static void count_colours(const struct state_count *count, const struct state_orbit *giant,
                          unsigned colours[PIECES_OF_SET_MOST + 1])
{
    const struct point_view *view = count->view;
    memset(colours, 0, (PIECES_OF_SET_MOST + 1) * sizeof *colours);
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        unsigned slot = view->thing_slots[thing->first_slot];
        // The second of two things of the same slots would count a colour again.
        if (&count->orbits[count->orbit_of[slot]] == giant && !thing->after_alone) {
            colours[thing->size]++;
        }
    }
}

// Multiplies a number by the rows of a giant: n! for its n slots, divided by s! for each colour of
// s pieces, times its orientations; half of that if all pieces differ.
static void multiply_by_giant(struct large *number, const struct state_orbit *giant,
                              const unsigned colours[PIECES_OF_SET_MOST + 1])
{
    multiply_by_factorial(number, giant->slot_count);
    for (unsigned size = 2; size <= PIECES_OF_SET_MOST; size++) {
        for (unsigned i = 0; i < colours[size]; i++) {
            divide_by_factorial(number, size);
        }
    }
    if (giant->all_differ) {
        large_divide(number, 2);
    }
    multiply_by_power(number, giant->turns, giant_free_turns(giant));
}

// Appends the rows of a giant as a factor: for example 8!·3^7/2, 24!/4!^6, or 3^7 if all pieces
// look alike.
static void append_giant(const struct state_orbit *giant,
                         const unsigned colours[PIECES_OF_SET_MOST + 1],
                         struct state_counter *counter)
{
    struct factor factor = {.used = 0};
    unsigned turned = giant_free_turns(giant);
    bool all_alike = colours[giant->slot_count] > 0; // one colour has all slots
    if (!all_alike) {
        append(&factor, "%u!", giant->slot_count);
        append_divisor(&factor, colours);
    }
    if (turned > 0) {
        append(&factor, "%s%u^%u", all_alike ? "" : "·", giant->turns, turned);
    }
    if (giant->all_differ) {
        append(&factor, "/2");
    }
    if (factor.used > 0) {
        state_counter_append_factor(counter, factor.text);
    }
}

// Appends a number as a factor, unless it is 1. 0 stands for a number that is too large to be
// known; its text is an ellipsis.
static void append_number(struct state_counter *counter, uint64_t number)
{
    char text[32];
    if (number == 1) {
        return;
    }
    if (number == 0) {
        state_counter_append_factor(counter, "…");
        return;
    }
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    state_counter_append_factor(counter, text);
}

// The number is that of the small states, times the rows of each giant. The factors are the number
// of tuples, and the rows of each orbit.
void state_count_fill_counter(const struct state_count *count, struct state_counter *counter)
{
    for (unsigned d = 0; d < count->chain.digit_count; d++) {
        state_count_multiply(&counter->number, &count->chain.digits[d]);
    }
    append_number(counter, count->tuples);
    for (unsigned i = 0; i < count->orbit_count; i++) {
        const struct state_orbit *orbit = &count->orbits[count->sorted[i]];
        if (!orbit->is_giant) {
            append_number(counter, orbit->rows);
            continue;
        }
        unsigned colours[PIECES_OF_SET_MOST + 1];
        count_colours(count, orbit, colours);
        multiply_by_giant(&counter->number, orbit, colours);
        append_giant(orbit, colours, counter);
    }
}
