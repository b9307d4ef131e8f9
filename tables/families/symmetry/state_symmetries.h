// The symmetries of a puzzle's states: those of its moves that keep the solved state.
//
// A state is a *row of labels*: label[x] tells which point of which piece is now at point x
// (point_view.h; on a sliding board, a point is a cell). Points of an orbit that look alike share a
// label, and so do the orientations of a piece if they do not count. A symmetry s of the moves
// (algebra/symmetries.h, board.h) keeps the solved state if it takes equal labels there to equal
// labels. Then it also renames the labels: label l becomes label σ(l). It takes a state to its
// *conjugate*, in which point s(x) has the label σ(label[x]). A state and its conjugate are equally
// far from the solved state, because the conjugates of moves are moves.
//
// Symmetries with the same effect on every move have the same effect on every state. The list has
// one of them.
//
// Conjugate symmetries keep equally many states at each distance. So a list can have one symmetry
// for each conjugacy class, and its number of members. That is much shorter: of the 9,216
// symmetries of the Pyraminx with tips it has 100.
#ifndef FEWEST_TABLES_FAMILIES_SYMMETRY_STATE_SYMMETRIES_H
#define FEWEST_TABLES_FAMILIES_SYMMETRY_STATE_SYMMETRIES_H

#include "tables/families/permutation/point_view.h"

struct state_symmetries {
    unsigned order;     // of their group
    unsigned count;     // of the list
    unsigned width;     // points of a state
    chain_point *to;    // `count` rows of points: where each symmetry takes each point
    chain_point *label; // `count` rows of POINTS_MOST labels: what it makes of each label
    uint32_t *members;  // of the conjugacy class of each: their number
    // Is every label the number of its solved point, and are the states a group? Then a row of
    // labels is the inverse of its state, and the inverse of a state is a state.
    bool group;
};

enum state_symmetry_choice {
    STATE_SYMMETRIES_OF_CLASSES, // one of each conjugacy class, with its number of members
    STATE_SYMMETRIES_ALL,        // all: each is listed with one member
};

// Finds the symmetries of a numbered puzzle with one goal. The first one is the identity. Fails
// with FEWEST_BEYOND for rolling cubes, and if there are too many points or symmetries. The caller
// frees, also after a failure.
bool state_symmetries_find(struct state_symmetries *symmetries, const struct puzzle *puzzle,
                           enum state_symmetry_choice classes, struct fewest_error *error);
void state_symmetries_free(struct state_symmetries *symmetries);

// Fills in the labels of a state: of a relative target or, on a board, of a typed state.
void state_symmetries_read(const struct puzzle *puzzle, const uint8_t *state,
                           chain_point label[POINTS_MOST]);

// Counts the symmetries that take a state to itself. The state is given by its labels. Each
// symmetry of the list counts as often as its class has members. So a count can be wrong, but the
// sum over all states at one distance is right.
unsigned state_symmetries_count_keeping(const struct state_symmetries *symmetries,
                                        const chain_point *label);

// Counts those that take a state to its inverse, in the same way. The states must be a group.
unsigned state_symmetries_count_inverting(const struct state_symmetries *symmetries,
                                          const chain_point *label);

#endif
