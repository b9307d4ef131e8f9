// Numbers the images of some sets of points under a group of permutations.
//
// The moves permute the points 0 … degree-1 and generate a group G. (A board with a blank is the
// exception: see `first_elements`.) A *thing* is a set of points, such as all points where a puzzle
// shows one colour; no two things share a point. The *state* of an element g of G tells where it
// takes each thing: (gB_1, …, gB_k). The chain numbers all states, 0 … count-1, each once.
//
// A row takes point x to row[x]. Products apply the right factor first.
//
// How. K_0 is G, and K_i are the elements of K_{i-1} that fix thing B_i as a set. For each set T
// that elements of K_{i-1} make of B_i, one of them is chosen, u_T, that takes B_i to T. Digit 1 of
// g is the number of the set T = gB_1. Then u_T⁻¹g fixes B_1, and digit 2 is the number of the set
// that it makes of B_2, and so on. So every g is u_1 u_2 … u_k s, where s fixes all things, and
// every tuple of digits is a state (C. C. Sims, 1970, for points; sets of points need nothing new).
// Each digit counts the images of its thing, its *length*. Digit 1 is the most significant one:
// number = (… (d_1 × length_2 + d_2) × length_3 + …) + d_k. The moves generate G, so each state can
// be reached, and elements that differ in s alone share a state. The text counts digits from 1, the
// code from 0.
//
// *Canonical* elements. Compare two elements by their images of point 0, then of point 1, and so
// on. u_T is the least of its coset u_T K_i. So tables do not depend on chance. The caller must
// number the points in the order of the things. Then number 0 of each digit is the thing at home,
// and its element is the identity.
//
// *Files.* groups.h: groups of permutations, and the proof that nothing of one is missing. sets.h:
// the images of one thing, and their numbers. digits.h: one digit after the other. numbers.c: the
// numbers of states.
//
// *Example.* Three slots in a ring show the colours b, a, a, and a move takes each piece to the
// next slot. The slot of b is point 0, and those of a are 1 and 2. The things are {0} and {1, 2}. G
// has three elements. Digit 1 has three images of {0}: {0}, {1} and {2}. Only the identity fixes
// {0}, so digit 2 has one image. There are three states, and the number of a state is the slot of
// b.
//
// *Calls.* chain_make counts: the lengths of the digits are there, and their product in `count`.
// chain_finish prepares for numbers. chain_divide and chain_unrank_images go from a state to its
// number and back. chain_free ends each chain, also after a failure. A chain that is finished
// may be shared by threads. It points to its plan, and may not be moved while others point to it.
#ifndef FEWEST_TABLES_CHAIN_H
#define FEWEST_TABLES_CHAIN_H

#include "tables/base/errors.h"
#include "tables/base/large_number.h"
#include "tables/base/row_set.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint16_t chain_point;

enum {
    CHAIN_DEGREE_MOST = 5 << 12, // 16,384, and one more for each of 4,096 slots
    CHAIN_LISTED_MOST = 1 << 20, // images of a listed digit
    CHAIN_KEPT_MOST = 1 << 20,   // images of a digit whose elements are kept once they are made
    CHAIN_BYTE_WORK = 2,         // the work of a byte of new memory, which the system clears
    CHAIN_NONE = UINT16_MAX,
};

// Limits for one definition, which may be hostile: about five seconds, and 256 MiB for each chain.
// Work is counted in entries that are written or compared.
static const uint64_t CHAIN_WORK_MOST = UINT64_C(3) << 31;
static const uint64_t CHAIN_BYTES_MOST = UINT64_C(1) << 28;

struct chain_thing {
    unsigned size;
    const chain_point *points; // rising
};

// The input of chain_make. The caller keeps it as long as the chain.
struct chain_plan {
    long double bound;                // of the group's order, from above; 0 if none is known
    const chain_point *const *moves;  // rows of points: a move takes point x to row[x]
    const struct chain_thing *things; // in the order of the digits
    // Further points. Only the identity fixes them and all points of the things. So they tell the
    // elements of one state apart; no state shows where they go.
    const chain_point *others;
    // NULL, unless the first digit is the cell of a blank. Then which moves can be made depends on
    // that cell, so they form no group. There is an element for each image of the first thing, in
    // rising order of the images: element i takes the thing to image i. `moves` generate only the
    // elements that keep the first thing at home.
    const chain_point *const *first_elements;
    // The puzzle's own moves, if `moves` holds others; else NULL. Without first elements, entry m
    // is step m. With them, entry i × step_count + m is step m at image i of the first thing, or
    // NULL if the step can't be made there.
    const chain_point *const *steps;
    unsigned degree;
    unsigned move_count;
    unsigned thing_count;
    unsigned other_count;
    unsigned first_count;
    unsigned step_count;
    uint64_t work; // that the definition has taken before, of CHAIN_WORK_MOST
};

// How the images of a digit's thing are numbered (sets.h). CHAIN_FIRST: see `first_elements`.
enum chain_kind { CHAIN_FIRST, CHAIN_LEVEL, CHAIN_LISTED, CHAIN_IMPLICIT };

// A listed set is what a step makes of another one.
struct chain_source {
    uint32_t set;
    uint32_t step;
};

struct chain_group;
struct chain_digit {
    enum chain_kind kind;
    uint64_t length; // images; 0 if they exceed 63 bits (implicit)
    const struct chain_thing *thing;
    const struct chain_group *group; // a stabilizer chain; K_{i-1} is its levels from `level` on
    unsigned level;
    const struct chain_group *rest; // K_i: the levels of this one from `rest_level` on
    unsigned rest_level;
    // For a thing of several points: `slot` lists the points to which the group takes points of the
    // thing. There are `slots` of them, rising. position[x] is the place of point x in this list,
    // or CHAIN_NONE.
    unsigned slots;
    const chain_point *slot;
    const uint16_t *position;
    // Implicit: binomial[n × (size+1) + i] is C(n, i).
    const uint64_t *binomial;
    // Listed: a row for each set. Set 0 is the thing; each other has a source. The steps are
    // elements of the digit's group.
    struct row_set sets;
    const struct chain_source *sources;
    const chain_point *const *steps;
    // By number: the two rows that chain_row returns, and whether they are there (numbers.c). NULL
    // if no rows are kept. Threads that share the chain fill them in.
    chain_point *rows;
    _Atomic uint8_t *row_state;
};

struct chain {
    const struct chain_plan *plan;
    unsigned digit_count;
    struct chain_digit *digits;
    struct arena *arena;
    const struct chain_group *group; // of the moves
    long double order;               // of this group
    uint64_t count; // of states; 0 if they exceed 63 bits, and then there are no numbers
    uint64_t work;  // that the definition has taken so far, of CHAIN_WORK_MOST
};

// Fails with FEWEST_SYSTEM if memory runs out, and with FEWEST_BEYOND above a limit. The caller
// frees the chain in any case.
bool chain_make(struct chain *chain, const struct chain_plan *plan, struct fewest_error *error);
void chain_free(struct chain *chain);

// Multiplies a number by that of the states. After chain_make failed, there may be more.
void chain_multiply_count(const struct chain *chain, struct large *number);

// Is there a state that has these images of the points of all things, one thing after the other?
// They are different points, and are overwritten. Works for any number of states, and also before
// chain_finish.
bool chain_includes(const struct chain *chain, chain_point *images, unsigned count);

// Makes the elements of the levels canonical. Call it before the functions below. From then on, any
// number of threads may share the chain. Fails as chain_make does.
bool chain_finish(struct chain *chain, struct fewest_error *error);

// The memory of the chain when all elements are kept, in bytes.
uint64_t chain_bytes(const struct chain *chain);

// Returns the number of an image of a digit's thing; UINT64_MAX if the thing has no such image.
// `images` has the images of its points in any order, and is overwritten.
uint64_t chain_number(const struct chain_digit *digit, chain_point *images);

// Returns the row of the canonical element that takes the digit's thing to image `number`, and
// after it the row of its inverse. They are in the chain, or made in `room`, which has room for
// both. The chain keeps what is made for digits of at most CHAIN_KEPT_MOST images.
const chain_point *chain_row(const struct chain *chain, unsigned digit, uint64_t number,
                             chain_point *room);

// Returns the digits first … end-1 of an element g, as one number; UINT64_MAX if no element has
// these images. g fixes the things before digit `first`. `images` has `count` images under g. First
// come those of the points of these digits' things, one thing after the other, which are
// overwritten. Then come those of any other points: each image g(x) becomes u⁻¹g(x), where u is the
// product of the canonical elements of the digits.
uint64_t chain_divide(const struct chain *chain, unsigned first, unsigned end, chain_point *images,
                      unsigned count);

// The inverse of ranking. The number of a state, below chain->count, has all digits. The first
// function writes some element of the state. The second one replaces `count` points by their images
// under that element.
void chain_unrank_element(const struct chain *chain, uint64_t number, chain_point *element);
void chain_unrank_images(const struct chain *chain, uint64_t number, chain_point *points,
                         unsigned count);

// A visit of all numbers of the digits first … end-1. `visit` is called for each, with the images
// of `count` points under the product of the canonical elements of the digits.
typedef void chain_visitor(void *context, uint32_t number, const chain_point *images);
struct chain_visit {
    const struct chain *chain;
    unsigned first;
    unsigned end;
    const chain_point *points;
    unsigned count;
    chain_visitor *visit;
    void *context;
};
void chain_visit_numbers(const struct chain_visit *visit);

// Replaces `count` points x by u⁻¹(x), where u is the product of the canonical elements of the
// digits first … end-1, whose number is `number`.
void chain_undo(const struct chain *chain, unsigned first, unsigned end, uint64_t number,
                chain_point *points, unsigned count);

// Adds to a set of points the images of its points under all elements that fix the things before
// digit `first`. is_in[x] tells whether point x is in the set. Digit `first` must not be the cell
// of a blank.
void chain_close(const struct chain *chain, unsigned first, bool *is_in);

// Do these elements all take the set to itself?
bool chain_keeps(const struct chain *chain, unsigned first, const bool *is_in);

#endif
