// The points that the cells of a state show, and the steps of points. Internal to query/.
#ifndef FEWEST_QUERY_CHECK_POINTS_H
#define FEWEST_QUERY_CHECK_POINTS_H

#include "check.h"

// The points of all things of a chain's plan (chain.h), one thing after the other. Then come those
// that the plan leaves out, though cells show them. In this order `write_images` (numbering.h)
// takes their images.
struct home_points {
    chain_point *points;
    uint16_t *things; // by number of a point: its thing, or CHAIN_NONE
    unsigned in_things;
    unsigned count;
};

// Lists the points of a chain's plan. Returns false if memory runs out. The caller frees the lists,
// also then.
bool home_points_list(struct home_points *home, const struct chain_plan *plan);
void home_points_free(struct home_points *home);

// Fills in which thing is at each point of 0 … degree-1, or CHAIN_NONE, from the images of the
// points of the things. False if two of them have the same image.
bool home_points_label(const struct home_points *home, const chain_point *images, unsigned degree,
                       uint16_t *labels);

// Does a row take the points 0 … degree-1 to the same points, each once?
bool is_permutation(const chain_point *row, unsigned degree);

// Returns the row of points by which a step acts on an element. On a board, that depends on the
// cell of the blank, so `first` is where the element takes the first point of the first thing.
// Returns NULL if the step can't be made there.
const chain_point *chain_step_row(const struct chain_plan *plan, unsigned step, chain_point first);

// Checks rule 11a for the root: a step of points does what a move of the rules does with the cells.
// Returns false if memory runs out.
bool check_points(struct checker *checker, const struct home_points *home);

#endif
