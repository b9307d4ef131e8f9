// A permutation puzzle as moves of points, and what its root shows as things (chain.h).
//
// A *slot* is a place where moves change the piece or its orientation. It has a *point* for each
// orientation that a piece can have there, the root's first. If there are several, one more point
// stands for the slot alone. Slots that exchange pieces are in one *block*. Slots whose pieces stay
// at home are in one block, too.
//
// A *thing* is a set of points where the root shows one colour. If orientations count there and
// several slots have the colour, it is two things: the slots alone, whose images may be too many to
// list, and then the slots with their orientations. An element that fixes the second thing also
// fixes the first.
#ifndef CHAIN_VIEW_H
#define CHAIN_VIEW_H

#include "chain.h"
#include "puzzle/puzzle.h"

struct view_slot {
    int piece;         // its cell, or -1 if the piece stays at home
    int turn;          // the cell of its orientation, or -1
    unsigned set;      // of the definition
    unsigned turns;    // orientations
    unsigned root;     // the orientation at the root, or 0 if it does not count
    bool counts;       // does the orientation count there?
    unsigned block;    // its first slot
    chain_point first; // orientation t is at first + (t - root) mod turns
    chain_point alone;
};

struct view_thing {
    unsigned block;
    bool alone; // are its points those of slots alone?
    unsigned size;
    unsigned first_slot; // in `thing_slots`
};

struct view {
    const struct puzzle *puzzle;
    const uint8_t *root;
    unsigned slot_count;
    struct view_slot *slots;
    unsigned thing_count;
    struct view_thing *things; // in the order of the chain
    unsigned *thing_slots;     // rising for each thing
    unsigned degree;
    unsigned move_count;
    chain_point *moves; // row by row; row m + move_count is the inverse of row m
    struct chain_thing *chain_things;
    chain_point *thing_points;
    chain_point *others;
    const chain_point **rows;
    struct chain_plan plan;
};

// Makes the view. The things of the block of slot `last` come last in the order. If `last` is -1,
// things of one slot come first, which makes counting cheapest. If `undone`, the plan has the
// inverse of each move in its place. The caller frees the view in any case.
bool view_make(struct view *view, const struct puzzle *puzzle, int last, bool undone,
               struct fewest_error *error);
void view_free(struct view *view);

// Fills in where the things of a state are: the images of their points, one thing after the other.
void view_read(const struct view *view, const uint8_t *cells, chain_point *images);

#endif
