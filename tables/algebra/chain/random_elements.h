// Random elements of permutation groups.
//
// A permutation p of the points 0 … degree-1 takes point x to p[x]. The product "p, then q" takes x
// to q[p[x]].
#ifndef FEWEST_TABLES_RANDOM_ELEMENTS_H
#define FEWEST_TABLES_RANDOM_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

// The seed of all random numbers here, so that no table depends on chance.
enum { RANDOM_SEED = 20240229 };

// Random elements of the group of some generators. Each run draws the same ones.
struct random_elements;

// Copies the generators. Without any, all elements are the identity. Returns NULL if memory runs
// out. The caller frees with random_elements_close.
struct random_elements *random_elements_open(unsigned degree, const uint16_t *const *generators,
                                             unsigned count);

// Returns the next element, which stays until the next call.
const uint16_t *random_elements_next(struct random_elements *elements);
void random_elements_close(struct random_elements *elements);

// The work of these functions, of CHAIN_WORK_MOST (chain.h).
uint64_t random_elements_open_work(unsigned degree, unsigned count);
uint64_t random_elements_next_work(unsigned degree);

#endif
