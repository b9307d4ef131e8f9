// A set of permutations of points, numbered so that equal permutations have equal numbers. Internal
// to query/.
#ifndef FEWEST_QUERY_PERMUTATION_SET_H
#define FEWEST_QUERY_PERMUTATION_SET_H

#include <stdbool.h>
#include <stdint.h>

// The number of the identity. No permutation has the number 0.
enum { IDENTITY = 1 };

struct permutation_set {
    unsigned points;
    uint32_t count;  // of permutations
    uint32_t room;   // for permutations: a power of two
    uint16_t *rows;  // by number - 1, then by point
    uint64_t *slots; // a hash table: the upper half of a hash, then a number; 0 is an empty slot
};

// Makes a set that holds the identity alone. Fails only if there is not enough memory. The caller
// frees with permutation_set_free in any case.
bool permutation_set_start(struct permutation_set *set, unsigned points);
void permutation_set_free(struct permutation_set *set);

// Returns the number of the permutation `number` followed by `move`: point x takes what was at
// point move[x]. Adds it if it is new. Returns 0 if there is not enough memory.
uint32_t permutation_set_multiply(struct permutation_set *set, uint32_t number,
                                  const uint16_t *move);

#endif
