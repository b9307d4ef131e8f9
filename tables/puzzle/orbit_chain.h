// Ranks the rows of an orbit that is a chain (orbits.h), and makes steps from rank to rank.
//
// Each row gives one element n of N. Take any point. Let v be the value of the row there, and w the
// value of the least row of its class. Then n takes the root's point with v to the root's point
// with w. A step replaces n by X n, where the move and the class determine X. The rank
// has a digit for each level of the stabilizer chain, since n is a product of one element of each.
//
// For steps, the product is cut in two: outer × tail. X × outer = another outer × a tail, and tails
// are few enough to multiply them in a table.
#ifndef FEWEST_TABLES_ORBIT_CHAIN_H
#define FEWEST_TABLES_ORBIT_CHAIN_H

#include "puzzle/orbits.h"

// Replaces a row by the least one of its class.
void chain_least(const struct orbit *orbit, uint16_t *row);

// As orbit_rank and orbit_unrank (orbits.h).
uint64_t chain_rank(const struct orbit *orbit, uint32_t class, const uint16_t *row);
void chain_unrank(const struct orbit *orbit, uint32_t class, uint64_t rank, uint16_t *row);

struct chain_steps {
    uint32_t tail_count; // 0: there are no such tables
    uint32_t outer_count;
    uint32_t *outer_to;  // by class, outer and move: the outer after the step
    uint16_t *factor_of; // by class, outer and move: the tail that it multiplies by
    uint16_t *products;  // by tail and tail: their product
};

// The memory of the tables in bytes; 0 if there would be none, because they would be too large.
uint64_t chain_steps_bytes(const struct orbit *orbit, unsigned move_count);

// Makes the tables. `moved` has for each move where the values of the points come from, and
// class_to has the class after each move and class. False without memory.
bool chain_steps_make(struct chain_steps *steps, const struct orbit *orbit, unsigned move_count,
                      const group_point *moved, const uint16_t *class_to);
void chain_steps_free(struct chain_steps *steps);

#endif
