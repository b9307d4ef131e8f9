// The images of one thing, and their numbers.
//
// *Kinds of digits.* A thing of one point is a level of a stabilizer chain. Its images are numbered
// in rising order. So are those of the cell of a blank, the first digit of a board. A larger thing
// is *implicit* if K_{i-1} takes any |B_i| different points of an orbit, in any order, to any other
// |B_i| of its points. Then every set of |B_i| points of the orbit is an image. Its number is the
// sum of C(p_j, j+1), where p_0 < p_1 < … are the positions of its points in the orbit. The images
// of any other thing are listed, up to CHAIN_LISTED_MOST, and numbered in lexicographic order of
// their rising points.
#ifndef FEWEST_TABLES_SETS_H
#define FEWEST_TABLES_SETS_H

#include "groups.h"

// The search for the images of a thing.
struct set_list {
    struct arena *arena;
    struct chain_digit *digit;
    struct chain_source *found; // the source of each set, in the order of adding
    const chain_point **steps;  // those of the digit
    unsigned step_count;
    unsigned step_room; // the number of steps that fit
};

// Fills in `slots`, `slot` and `position` of a digit (chain.h). Returns false if memory runs out or
// above a limit.
bool set_list_slots(struct arena *arena, struct chain_digit *digit);

// Returns the length of a *key*, the row that stands for a set in digit->sets (sets.c).
unsigned set_key_length(const struct chain_digit *digit);

// Writes the key of a set. `positions`, those of its points, may have any order, and are
// overwritten.
void set_write_key(const struct chain_digit *digit, uint16_t *positions, uint16_t *key);

// Adds the images of the sets first … end-1 under a step. Returns false if memory runs out or above
// a limit.
bool set_list_step(struct set_list *list, unsigned step, uint32_t first, uint32_t end);

// Lists all images: applies the steps, which are the generators of the digit's group, to all sets,
// until nothing is new. Then sets *complete. Gives up, and leaves *complete, when it has taken
// `patience` work. Returns false if memory runs out or above a limit.
bool set_list_by_generators(struct set_list *list, uint64_t patience, bool *complete);

// Is every set of k points of some orbit an image of this thing of k points? Then its images need
// no list. It is so if the levels of its points have lengths n, n-1, …, n-k+1, and the orbit of the
// first of these levels has all of its points.
bool set_can_be_implicit(const struct chain_digit *digit);

// Makes an implicit digit: binomials, and its length, which is 0 if it needs more than 63 bits.
// Returns false if memory runs out or above a limit.
bool set_make_implicit(struct arena *arena, struct chain_digit *digit);

// Writes to `row` some element of the digit's group that takes its thing to image `number`. It need
// not be the canonical one. Returns the work that it took.
uint64_t set_find_element(const struct chain_digit *digit, uint64_t number, chain_point *row);

// Writes to `row` some element of the digit's group that takes its thing to the points `images`.
// They are overwritten, and their order does not matter. Returns the work that it took, or 0 if
// there is no such element. This works even if an implicit thing has too many images for numbers.
uint64_t set_find_element_of(const struct chain_digit *digit, chain_point *images,
                             chain_point *row);

#endif
