// Counts the states of a permutation puzzle exactly, whatever their number.
//
// The *kernel* of an orbit (point_view.h) has the elements of the group that change nothing outside
// of the orbit. An orbit is a *giant* if its kernel contains all even permutations of its slots
// with all orientations that add up to 0. Then only the sign of the permutation of its slots and
// the sum of its orientations can depend on other orbits. So the *small group* has two points for
// the sign of a giant, and a point for each sum, instead of the giant's own points. What the root
// shows of a giant is the sign if all its pieces differ, and the sum if all its orientations count.
// A chain (chain.h) counts these *small states*. Each stands for the same number of states: the
// product, over all giants, of the rows of pieces and orientations that have one sign and one sum.
//
// For people, the number is a product of factors: for each orbit the *rows* that its kernel makes
// of what the root has there, and the rest, the number of *tuples*.
#ifndef FEWEST_TABLES_PUZZLE_COUNT_STATE_COUNT_H
#define FEWEST_TABLES_PUZZLE_COUNT_STATE_COUNT_H

#include "giant_orbits.h"
#include "tables/base/large_number.h"

struct state_counter;

// What a thing of the small group stands for: the sign of a giant, the sum of a giant, or a thing
// of the view.
struct small_thing {
    enum { SMALL_SIGN, SMALL_SUM, SMALL_THING } kind;
    unsigned number; // of the orbit (sign and sum), or of the thing of the view
};

struct state_count {
    const struct point_view *view;
    struct state_orbit *orbits;
    unsigned orbit_count;
    unsigned *orbit_slots; // the slots of all orbits, one orbit after the other
    unsigned *orbit_of;    // by slot: the number of its orbit
    unsigned *sorted;      // the orbits with the most rows first
    struct large number;   // of states
    uint64_t states;       // the same; 0 if they exceed 63 bits
    uint64_t tuples;       // 0 if they exceed 63 bits
    long double order; // of the group of the view's points: a bound for the view's plan. 0: unknown
    // The small group, and its plan. The things of the plan change from chain to chain.
    unsigned degree;
    chain_point *moves;       // row by row
    const chain_point **rows; // by move: its row
    chain_point *small_of;    // by point of the view: its small point. Giants have none.
    chain_point *others;      // plan.others
    struct chain_thing *things;
    struct small_thing *sources; // by thing
    chain_point *points;         // of the things, one thing after the other
    struct chain_plan plan;
    struct chain whole; // of the small group, without things
    struct chain chain; // counts the small states
    uint64_t work;      // of the definition so far, of CHAIN_WORK_MOST
};

// Counts the states of a view. Fails with FEWEST_SYSTEM without memory, and with FEWEST_BEYOND if
// counting would take too long. The view must stay as long as the count. The caller frees the count
// in any case.
bool state_count_make(struct state_count *count, const struct point_view *view,
                      struct fewest_error *error);
void state_count_free(struct state_count *count);

// Do these cells, of values below their limits, show a state? Threads may share the count.
bool state_count_includes(const struct state_count *count, const uint8_t *cells);

// Is a thing of the view one of an orbit's colours? The second thing of a colour, with the
// orientations, does not count.
static inline bool state_count_has_colour(const struct state_count *count,
                                          const struct state_orbit *orbit,
                                          const struct view_thing *thing)
{
    unsigned slot = count->view->thing_slots[thing->first_slot];
    return &count->orbits[count->orbit_of[slot]] == orbit && !thing->after_alone;
}

// Fills in the number of states, and appends the texts of its factors (state_count_text.c).
void state_count_fill_counter(const struct state_count *count, struct state_counter *counter);

#endif
