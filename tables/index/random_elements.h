// Random elements of permutation groups.
//
// A permutation p of the points 0 … degree-1 takes point x to p[x]. The product "p, then q" takes x
// to q[p[x]].
#ifndef FEWEST_TABLES_RANDOM_ELEMENTS_H
#define FEWEST_TABLES_RANDOM_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

enum { GROUP_DEGREE_MOST = 5 << 12 };

typedef uint16_t group_point;

// Random elements of the group of some generators: always the same ones.
struct random_elements;
struct random_elements *random_elements_open(unsigned degree, const group_point *const *generators,
                                             unsigned count);
const group_point *random_elements_next(struct random_elements *elements);
void random_elements_close(struct random_elements *elements);

#endif
