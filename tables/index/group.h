// Permutation groups, as stabilizer chains.
//
// A permutation p of the points 0 … degree-1 takes point x to p[x]. The product "p, then q" takes x
// to q[p[x]].
//
// The chain follows a list of points, the *base*. Level i stands for the subgroup that fixes the
// first i points of the base. It holds the *orbit* of the next point under this subgroup, and for
// each point of the orbit an element that takes the base point there, its *transversal*. The order
// of the group is the product of the lengths of all orbits (C. C. Sims, "Computational methods in
// the study of permutation groups", 1970).
//
// The chain is built from random products of the generators. Then it is proved complete, in one of
// two ways. If the order of the group is known, the lengths of the orbits must multiply to it. If
// not, the Schreier generators of every level must reduce to the identity. The random numbers are
// the same in every run.
#ifndef FEWEST_TABLES_GROUP_H
#define FEWEST_TABLES_GROUP_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GROUP_DEGREE_MOST = 1 << 14,
    GROUP_POINT_NONE = UINT16_MAX,
};

// Limits for one puzzle, whose definition may be hostile: about half a minute, and 256 MiB.
static const uint64_t GROUP_WORK_MOST = UINT64_C(1) << 35;
static const uint64_t GROUP_BYTES_MOST = UINT64_C(1) << 28;

typedef uint16_t group_point;

struct group_level {
    group_point base;
    unsigned length;           // of the orbit
    group_point *orbit;        // in rising order
    group_point **transversal; // by point; NULL outside the orbit
    group_point **inverse;     // by point: of the transversal
};

struct group {
    unsigned degree;
    struct group_level *levels; // a level for each point of the base
    unsigned level_count;
    group_point **generators; // strong generators
    unsigned *fixed;          // by generator: how many of the first points of the base it fixes
    unsigned generator_count;
    unsigned generator_room;
    double order;   // rounded; 0 if it exceeds the range of a double
    uint64_t work;  // entries that were written while the chain was built
    uint64_t bytes; // of the transversals
    bool too_large; // the chain is not built: one of these would exceed its limit
};

// Builds the group of these generators, rows of `degree` points each, at least one. The base must
// be such that only the identity fixes all its points. `order` is the order of the group if another
// base has shown it, else 0. Returns false without memory, or if the group is too large. The caller
// frees with group_free, also after a failure.
bool group_make(struct group *group, unsigned degree, const group_point *const *generators,
                unsigned generator_count, const group_point *base, unsigned base_count,
                double order);
void group_free(struct group *group);

// Random elements of the group of some generators: always the same ones.
struct random_elements;
struct random_elements *random_elements_open(unsigned degree, const group_point *const *generators,
                                             unsigned count);
const group_point *random_elements_next(struct random_elements *elements);
void random_elements_close(struct random_elements *elements);

#endif
