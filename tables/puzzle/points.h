// The points of a permutation puzzle: where each piece is, and how it is turned, in one byte.
//
// A *point* is a slot with one of the orientations that a piece can have there. A state takes the
// home of each piece to the point where the piece is, and so does a move with each point. A piece
// is named by its home: the slot where the solved state has it, with orientation 0.
#ifndef FEWEST_TABLES_POINTS_H
#define FEWEST_TABLES_POINTS_H

#include "index/group.h"
#include "puzzle/puzzle.h"

enum {
    POINTS_MOST = 256,
    TURNS_MOST = 16,
};

// A slot whose piece or orientation some move changes.
struct point_slot {
    int piece;           // its cell, or -1 if the piece stays at home
    int turn;            // the cell of its orientation, or -1
    unsigned home_first; // the cell of the first slot of its pieces, which names pieces from 0
    unsigned turns;      // orientations
    unsigned first;      // its first point
    unsigned place;      // its place in a row of the definition
};

struct points {
    struct point_slot slots[POINTS_MOST];
    unsigned slot_count;
    unsigned count;
    uint8_t slot_of[POINTS_MOST]; // by point
    // turned[t][x] is where t more turns take point x.
    uint8_t turned[TURNS_MOST][POINTS_MOST];
    group_point *rows; // by move and point: where the move takes the point
    unsigned move_count;
};

// Makes the points of a puzzle. False without memory. *fits tells whether a byte is enough; if not,
// nothing is made.
bool points_make(struct points *points, const struct puzzle *puzzle, bool *fits);
void points_free(struct points *points);

// Reads a state of a group, named relative to the solved state (identity: solved). By slot: the
// point where its piece is, and the home point of what is in the slot.
void points_read(const struct points *points, const uint8_t *relative, uint8_t *at, uint8_t *has);

// Reads the labels of a state that is named relative to the solved state: by point, the home point
// of what is there. Points of pieces that look alike share a label, and so do the orientations of a
// piece if they do not count.
void points_read_labels(const struct points *points, const struct puzzle *puzzle,
                        const uint8_t *state, uint8_t *label);

// Is a piece with this label illegal at a point?
bool points_are_illegal(const struct points *points, const struct puzzle *puzzle, unsigned point,
                        unsigned label);

#endif
