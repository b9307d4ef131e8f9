// Numbers the images of some sets of points under a group of permutations.
//
// Moves permute the points 0 … degree-1 and generate a group G. A *thing* is a set of points, such
// as all points where a puzzle shows one colour. The *state* of an element g of G tells where it
// takes each thing: (gB_1, …, gB_k). The chain numbers all states, 0 … count-1, each once.
//
// How. K_0 is G, and K_i are the elements of K_{i-1} that fix thing B_i as a set. Digit i of a
// state is the image of B_i under K_{i-1}, numbered within its orbit, after the earlier digits are
// divided out: for each image T choose an element u_T of K_{i-1} that takes B_i to T. Then every g
// is u_1 u_2 … u_k s, where s fixes all things, and the digits are unique: u_1 follows from gB_1,
// and so on. So every tuple of digits is a state (C. C. Sims, 1970, for points; a set of points is
// a point of the action on sets).
//
// *Canonical* elements. u_T is the least element of its coset u_T K_i: that with the least image of
// point 0, then of point 1, and so on along the base. So tables do not depend on chance, and digits
// of things far away seldom depend on each other. Number the points in the order of the things:
// then number 0 is the state where each thing is at home.
//
// *Completeness* is proved, in one of three ways. The elements of a chain are products of moves, so
// the product of its orbits' lengths is at most |G|. If it reaches an upper bound of |G|, it is
// |G|. Without a bound, every product of a generator and a transversal must reduce to the identity
// (Schreier's lemma; A. Seress, "Permutation Group Algorithms", 2003, 4.2). And the order of K_i is
// that of K_{i-1}, divided by the length of digit i; a chain that lacks something lacks at least a
// share of 1/degree of some orbit. Random elements only find the elements; they prove nothing.
//
// *Kinds of digits.* A thing of one point is a level of a stabilizer chain. The images of a larger
// thing are listed, up to CHAIN_LISTED_MOST. They are *implicit* if K_{i-1} takes any row of |B_i|
// points of an orbit to any other: then all sets of |B_i| points of the orbit are images, and their
// number is the combinatorial one, the sum of C(p_j, j+1) over the rising positions p_j.
#ifndef CHAIN_H
#define CHAIN_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint16_t chain_point;

enum {
    CHAIN_DEGREE_MOST = 1 << 14,
    CHAIN_LISTED_MOST = 1 << 20, // images of a listed digit
    CHAIN_KEPT_MOST = 1 << 16,   // images of a digit whose elements are kept
    CHAIN_NONE = UINT16_MAX,
};

// Limits for one puzzle, whose definition may be hostile: about half a minute, and 256 MiB.
static const uint64_t CHAIN_WORK_MOST = UINT64_C(1) << 35;
static const uint64_t CHAIN_BYTES_MOST = UINT64_C(1) << 28;

struct chain_thing {
    unsigned size;
    const chain_point *points; // rising
};

// What a chain is made from. The caller keeps it as long as the chain.
struct chain_plan {
    unsigned degree;
    const chain_point *const *moves; // rows of points: a move takes point x to row[x]
    unsigned move_count;
    const struct chain_thing *things; // in the order of the digits
    unsigned thing_count;
    // Points that stand for all others: only the identity fixes them and all points of the things.
    const chain_point *others;
    unsigned other_count;
    long double bound; // of the group's order, from above; 0 if none is known
    // NULL if every digit comes from a group. That of a blank's cell does not. Then element i takes
    // the first thing to its image i, sorted by image, and `moves` generate only the elements that
    // keep the first thing at home. What can be done at image i is row i × step_count + m of
    // `steps`, or NULL if step m can't be made there.
    const chain_point *const *first_elements;
    unsigned first_count;
    const chain_point *const *steps;
    unsigned step_count;
};

enum chain_kind { CHAIN_FIRST, CHAIN_LEVEL, CHAIN_LISTED, CHAIN_IMPLICIT };

struct chain_group;
struct chain_digit {
    enum chain_kind kind;
    uint64_t length; // images; 0 if they exceed 63 bits (implicit)
    const struct chain_thing *thing;
    const struct chain_group *group; // K_{i-1}: from `level` on
    unsigned level;
    const struct chain_group *rest; // K_i: from `rest_level` on
    unsigned rest_level;
    // Implicit: the orbit's points, rising, and by point its position. binomial[n × (size+1) + i].
    unsigned slots;
    const chain_point *slot;
    const uint16_t *position;
    const uint64_t *binomial;
    // Listed: set 0 is the thing; each other is what a generator makes of an earlier one.
    const chain_point *sets;
    const uint32_t *parent;
    const uint32_t *generator;
    const uint32_t *found; // a hash table: the number of a set plus 1, or 0
    uint32_t mask;
    const chain_point *rows; // by number: what chain_row gives; NULL if it is not kept
};

struct chain {
    const struct chain_plan *plan;
    unsigned digit_count;
    struct chain_digit *digits;
    struct arena *arena;
    uint64_t count; // of states; 0 if they exceed 63 bits
};

// Fails with FEWEST_SYSTEM without memory, and with FEWEST_BEYOND above a limit. The caller frees
// the chain in any case.
bool chain_make(struct chain *chain, const struct chain_plan *plan, struct fewest_error *error);
void chain_free(struct chain *chain);

// Multiplies *order by the order of the group of a plan without things.
bool chain_order(const struct chain_plan *plan, long double *order, struct fewest_error *error);

// Makes the elements of the levels canonical. Call it before the functions below.
bool chain_finish(struct chain *chain, struct fewest_error *error);

// The number of an image of a digit's thing, from the images of its points in any order, which this
// sorts. UINT64_MAX if it is none.
uint64_t chain_number(const struct chain_digit *digit, chain_point *images);

// The canonical element that takes the digit's thing to image `number`, and after it its inverse.
// They are kept in the chain, or made in `room`, which has room for both.
const chain_point *chain_row(const struct chain *chain, unsigned digit, uint64_t number,
                             chain_point *room);

// Keeps these elements for all digits of at most CHAIN_KEPT_MOST images. Ranking many states is
// faster then, but one state does not pay for it.
bool chain_keep(struct chain *chain, struct fewest_error *error);

// The digits from `first` on of an element that fixes the things before it, as one number. It is
// given by the images of the points of the things from `first` on, one after the other; they are
// used up. UINT64_MAX if no element has these images.
uint64_t chain_rank_from(const struct chain *chain, unsigned first, chain_point *images);

// The state of an element, from the images of all things' points. And back: an element of a state.
static inline uint64_t chain_rank_images(const struct chain *chain, chain_point *images)
{
    return chain_rank_from(chain, 0, images);
}
void chain_unrank_element(const struct chain *chain, uint64_t number, chain_point *element);

// Sets is_in for each point where elements that fix all things before digit `first` take a point
// whose is_in is set. Digit `first` comes from a group.
void chain_close(const struct chain *chain, unsigned first, bool *is_in);

#endif
