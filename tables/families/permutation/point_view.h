// A permutation puzzle as moves of points, and what its root shows as things (chain.h).
//
// A *slot* is a place where moves change the piece or its orientation. It has a *point* for each
// orientation that a piece can have there, the root's first. If there are several, one more point
// stands for the slot *alone*: for a piece there in any orientation. A move takes a point to
// another as it takes a piece in that orientation from slot to slot. Slots that exchange pieces are
// in one *orbit*. Slots of one set whose pieces stay at home are also in one orbit. Orbits that
// always show the same have neither points nor things.
//
// A *thing* is a set of points where the root shows one colour. If orientations count there and
// several slots have the colour, it is two things: the slots alone, whose images may be too many to
// list, and then the slots with their orientations. An element that fixes the second thing also
// fixes the first.
//
// *Example.* One red and two blue beads lie in a ring. Each bead can lie on either side. A move t
// takes each bead to the next slot, and turns the one that leaves slot 0:
//
//     Set BEAD 3 2        slot         0      1      2
//     Solved              cells        0, 3   1, 4   2, 5    the bead, its side
//     BEAD                points       0, 1   2, 3   4, 5    upright, turned (`first` and one more)
//     1 2 2               slot alone   6      7      8       (`alone`)
//     End
//     Move t              t takes 0 to 3, 1 to 2, 2 to 4, 3 to 5, 4 to 0 and 5 to 1,
//     BEAD                6 to 7, 7 to 8 and 8 to 6: this is row 0 of `moves`
//     (1 2 3)
//     1 0 0
//     End
//
// All slots are in the orbit of slot 0, have two `turns`, and `root` 0. The red bead is thing 0,
// with the point 0. The blue ones are two things: thing 1 has the slots alone, 7 and 8, and thing 2
// the points 2 and 4 (`after_alone`). So a row of images has 1 + 2 + 2 points, which begin at
// `image_of` 0, 1 and 3. After t, it is 3 | 6 8 | 0 4: the red bead lies turned in slot 1, and the
// blue ones upright in the slots 0 and 2. There are six states. `degree` is 9, and `slot_points` 6.
#ifndef FEWEST_TABLES_FAMILIES_PERMUTATION_POINT_VIEW_H
#define FEWEST_TABLES_FAMILIES_PERMUTATION_POINT_VIEW_H

#include "tables/algebra/symmetries.h"
#include "tables/puzzle/puzzle.h"

enum { POINTS_MOST = 256 }; // of slots, for those who keep a point in a byte

struct view_slot {
    int piece;         // its cell, or -1 if the piece stays at home
    int turn;          // the cell of its orientation, or -1
    unsigned set;      // of the definition
    unsigned in_rows;  // its number in the rows of the definition
    unsigned turns;    // orientations; 1 if no move turns the orbit
    unsigned kinds;    // orientations that tell pieces apart, if no move turns the orbit; else 1
    unsigned root;     // the orientation at the root, or 0 if it does not count
    bool counts;       // does the orientation count there?
    unsigned orbit;    // its first slot
    unsigned thing;    // the first thing of what the root has there
    chain_point first; // orientation t is at first + (t - root) mod turns
    chain_point alone; // the point of the slot alone; `first` if there is one orientation
};

struct view_thing {
    unsigned orbit;
    bool alone;  // are its points those of slots alone?
    bool turned; // do orientations count in its slots? If it is `alone`, the next thing has them
    bool after_alone; // is it the second of two things that have the same slots?
    unsigned size;
    unsigned first_slot; // in `thing_slots`
    // The next thing of the same piece, in another orientation, if no move turns it; or CHAIN_NONE.
    uint16_t next;
};

struct point_view {
    const struct puzzle *puzzle;
    const uint8_t *root;
    unsigned cell_count;
    unsigned slot_count;     // slots with points: they come first
    unsigned all_slots;      // with those that no move changes: they come last
    struct view_slot *slots; // of both kinds, each in the order of the cells
    unsigned thing_count;
    struct view_thing *things; // in the order of the chain
    unsigned *thing_slots;     // rising for each thing
    // By thing: its first image in a row of images. One more entry is the number of images.
    unsigned *image_of;
    // By orbit and piece: the first thing of the piece there, or CHAIN_NONE.
    uint16_t *thing_of;
    uint16_t *slot_of; // by point
    unsigned degree;
    unsigned slot_points; // of these, the points of slots with an orientation, which come first
    unsigned move_count;
    chain_point *moves; // row by row; row m + move_count is the inverse of row m
    struct chain_thing *chain_things;
    chain_point *thing_points;
    chain_point *others;
    const chain_point **rows;
    struct chain_plan plan;
};

// Makes the view. Things of one slot come first, then orbits in the order of their first slots, and
// in each orbit small things before large ones. If `undone`, the plan has the inverse of each move
// in its place. The plan has no bound: group_bound.h finds it. The caller frees the
// view in any case.
bool point_view_make(struct point_view *view, const struct puzzle *puzzle, bool undone,
                     struct fewest_error *error);
void point_view_free(struct point_view *view);

// Fills in where the things of a state are: the images of their points, one thing after the other.
// There are view->image_of[view->thing_count] of them. The cells hold values below their limits,
// and no wildcards. False if a piece is in an orbit where it can't be, or if a cell differs that no
// move changes.
bool point_view_read(const struct point_view *view, const uint8_t *cells, chain_point *images);

// The home of thing t: the first slot where the root has it. It stands for all slots of the thing,
// which are in one orbit.
const struct view_slot *point_view_home(const struct point_view *view, unsigned t);

// Reads the labels of a state that moves reach: by point, the point of what is there in the home of
// its thing. So a label belongs to an orbit: points share one if pieces of an orbit look alike, or
// if the orientations of a piece do not count. There are view->slot_points of them.
void point_view_read_labels(const struct point_view *view, const uint8_t *cells,
                            chain_point *labels);

// Does the puzzle's filter forbid the piece of a label at a point (legal.c)? It forbids only pieces
// of the point's orbit: no move brings others there.
bool point_view_forbids(const struct point_view *view, const struct puzzle *puzzle, unsigned point,
                        unsigned label);

// Finds symmetries of the moves of the slots' points (algebra/symmetries.h). There must be at most
// POINTS_MOST of these points.
bool point_view_find_symmetries(const struct point_view *view, enum symmetry_choice choice,
                                uint32_t most, struct point_symmetries *symmetries);

// The point that `turns` more turns make of a point that is not that of a slot alone.
static inline chain_point point_view_turn(const struct point_view *view, unsigned point,
                                          unsigned turns)
{
    const struct view_slot *slot = &view->slots[view->slot_of[point]];
    return (chain_point)(slot->first + (point - slot->first + turns) % slot->turns);
}

// The way back: fills in the cells of a state, from where each slot's first point is.
void point_view_write(const struct point_view *view, const chain_point *images, uint8_t *cells);

// The view of a puzzle. NULL if it is of another family.
const struct point_view *permutation_view(const struct puzzle *puzzle);

#endif
