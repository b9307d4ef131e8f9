// Writes the number of states of a permutation puzzle as a product, such as 2 · 12!·2^11/2 ·
// 8!·3^7/2.
#include "state_count.h"
#include "tables/puzzle/rules.h"

#include <string.h>

// Appends the divisor for pieces that look alike, such as /4!^3 or /(6!·2!^3); nothing if all
// differ. colours[n] is the number of colours that n pieces have each.
static void append_divisor(struct state_counter *counter,
                           const unsigned colours[PIECES_OF_SET_MOST + 1])
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
        state_counter_append(counter, "%s%u!", separator, size);
        if (colours[size] > 1) {
            state_counter_append(counter, "^%u", colours[size]);
        }
        separator = "·";
    }
    if (terms > 1) {
        state_counter_append(counter, ")");
    }
}

// Fills in how many colours of a giant have n pieces each, for each n.
static void count_colours(const struct state_count *count, const struct state_orbit *giant,
                          unsigned colours[PIECES_OF_SET_MOST + 1])
{
    memset(colours, 0, (PIECES_OF_SET_MOST + 1) * sizeof *colours);
    for (unsigned t = 0; t < count->view->thing_count; t++) {
        const struct view_thing *thing = &count->view->things[t];
        if (state_count_has_colour(count, giant, thing)) {
            colours[thing->size]++;
        }
    }
}

// Appends the rows of a giant as a factor: for example 8!·3^7/2, 24!/4!^6, or 3^7 if all pieces
// look alike; nothing if there is one row.
static void append_giant(const struct state_count *count, const struct state_orbit *giant,
                         struct state_counter *counter)
{
    unsigned colours[PIECES_OF_SET_MOST + 1];
    unsigned turned = giant_free_turns(giant);
    count_colours(count, giant, colours);
    bool all_alike = colours[giant->slot_count] > 0; // one colour has all slots
    if (all_alike && turned == 0) {
        return;
    }
    state_counter_begin_factor(counter);
    if (!all_alike) {
        state_counter_append(counter, "%u!", giant->slot_count);
        append_divisor(counter, colours);
    }
    if (turned > 0) {
        state_counter_append(counter, "%s%u^%u", all_alike ? "" : "·", giant->turns, turned);
    }
    if (giant->all_differ) {
        state_counter_append(counter, "/2");
    }
}

// Appends a number as a factor, unless it is 1. 0 stands for a number that is too large to be
// known; its text is an ellipsis.
static void append_number(struct state_counter *counter, uint64_t number)
{
    if (number == 1) {
        return;
    }
    state_counter_begin_factor(counter);
    if (number == 0) {
        state_counter_append(counter, "…");
    } else {
        state_counter_append(counter, "%llu", (unsigned long long)number);
    }
}

// The factors are the number of tuples, and the rows of each orbit.
void state_count_fill_counter(const struct state_count *count, struct state_counter *counter)
{
    counter->number = count->number;
    append_number(counter, count->tuples);
    for (unsigned i = 0; i < count->orbit_count; i++) {
        const struct state_orbit *orbit = &count->orbits[count->sorted[i]];
        if (orbit->is_giant) {
            append_giant(count, orbit, counter);
        } else {
            append_number(counter, orbit->rows);
        }
    }
}
