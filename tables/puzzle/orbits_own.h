// Declarations that only the files which find orbits share.
#ifndef FEWEST_TABLES_ORBITS_OWN_H
#define FEWEST_TABLES_ORBITS_OWN_H

#include "puzzle/permutation_own.h"

// What the search for orbits knows. Points are those of all slots together.
struct finder {
    const struct puzzle *puzzle;
    struct orbits *orbits;
    struct fewest_error *error;
    unsigned *move; // the moves that generate the group
    unsigned move_count;
    unsigned *slot_of_cell;
    group_point *first; // by slot: its first point
    uint16_t *root_row; // room for finder_root_row
    unsigned degree;
    group_point **rows; // by move: the points
    bool *giant;        // by orbit
    struct random_elements *random;
    // The group without the giants' own subgroups: a giant has two points for its parity, and one
    // for each sum of orientations.
    unsigned *small_first; // by orbit: its first point there
    unsigned small_degree;
    group_point **small;
    double small_order; // of this group, once it is known
    uint64_t work;      // of all groups so far (group.h)
};

// ---- Slots and points (orbit_slots.c) -----------------------------------------------------------

// Finds the slots, their orbits, the moves that generate the group, and the points. Returns false
// without memory, or if there are too many points.
bool finder_start(struct finder *finder);

// Sets the error. Returns false.
static inline bool finder_no_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory for the numbers of the states");
}

// Does the orientation in a slot of a state count?
bool finder_turn_counts(const struct puzzle *puzzle, const struct slot *slot, const uint8_t *state);

// The slot that a move takes the piece of slot s from, and what it adds to its orientation.
unsigned finder_slot_before(const struct finder *finder, unsigned m, unsigned s);
unsigned finder_turn_of_move(const struct finder *finder, unsigned m, unsigned s);

bool finder_in_orbit(const struct finder *finder, unsigned s, unsigned orbit);
unsigned finder_orbit_length(const struct finder *finder, unsigned orbit);
unsigned finder_first_slot(const struct finder *finder, unsigned orbit);
unsigned finder_slot_of_point(const struct finder *finder, group_point at);

// The root's row in an orbit. The next call overwrites it.
const uint16_t *finder_root_row(const struct finder *finder, const struct orbit *orbit);

// Rows of points, one for each of `count` elements. NULL without memory.
group_point **finder_make_rows(unsigned count, unsigned degree);
void finder_free_rows(group_point **rows, unsigned count);

// Multiplies a number, unless it is 0. Makes it 0 if the product exceeds 63 bits.
static inline void finder_multiply(uint64_t *number, uint64_t factor)
{
    *number = factor > 0 && *number <= INT64_MAX / factor ? *number * factor : 0;
}

// ---- The group (orbit_giants.c, orbit_group.c) --------------------------------------------------

// Finds out which orbits are giants. Returns false without memory.
bool finder_find_giants(struct finder *finder);

// Makes the small group. Its points change if orbits are joined. Returns false without memory.
bool finder_make_small(struct finder *finder);

// Says why a group was not made: without memory, or because it is too large. Returns false.
bool finder_no_group(const struct finder *finder, bool too_large);

// Builds the small group with a base that ends with the points of an orbit. `own` is the first
// level of these: the levels from it on fix all other orbits. Returns false without memory.
bool finder_make_group(struct finder *finder, unsigned orbit, struct group *group, unsigned *own);

// ---- Classes (orbit_classes.c) ------------------------------------------------------------------

// Makes an orbit and its classes. A giant or a chain stops at CLASSES_MOST + 1 classes. A listed
// orbit with more than LISTED_MOST rows is an error.
bool finder_make_classes(struct finder *finder, unsigned number, struct orbit *orbit);

// By move that generates the group, and by class of an orbit: the class after the move. The caller
// frees it. NULL without memory.
uint16_t *finder_move_classes(const struct finder *finder, unsigned number,
                              const struct orbit *orbit);

#endif
