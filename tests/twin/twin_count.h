// The twin of counting: all states of a small puzzle, the distance of each to the solved state, and
// their classes under the symmetries of the moves.
//
// A *point* is a slot with an orientation, or a slot alone if no move turns a piece of its orbit:
// the slots to which moves take its piece. Orbits that look the same in every state have no points.
// A move takes points to points. A *label* stands for what the solved state shows at a point. A
// point of a piece that looks like another one of its orbit has the same label. A state is a row of
// labels, one for each point.
//
// A *symmetry* takes points to points, conjugates each move to a move, and takes equal labels of
// the solved state to equal labels. Then it takes each state to a state: it renames the labels, and
// takes them along. Two states are in one class if a symmetry takes one to the other. Symmetries
// that conjugate the moves in the same way count as one.
//
// A *rotation of the whole* is a state of a group that, as a permutation of the points, conjugates
// each move to a move. A *position* is all states g·r for one state g and all rotations r. It is
// as far away as the nearest of them.
#ifndef TWIN_COUNT_H
#define TWIN_COUNT_H

#include "twin_sets.h"

enum {
    COUNT_TWIN_POINTS = 128,
    COUNT_TWIN_DISTANCES = 254,
    COUNT_TWIN_SYMMETRIES = 1000,
};

// What a label stands for.
struct count_label {
    unsigned orbit; // its lowest slot
    unsigned piece;
    unsigned turn; // from the orientation of the solved state
};

// Where a permutation takes each point.
struct count_row {
    uint8_t to[COUNT_TWIN_POINTS];
};

// A puzzle with all its states.
struct count_world {
    struct sets_view view;
    unsigned points;
    uint8_t slot[COUNT_TWIN_POINTS]; // of each point
    uint8_t turn[COUNT_TWIN_POINTS];
    unsigned orbit[SETS_TWIN_SLOTS];               // of each slot: the lowest of its slots
    unsigned turns[SETS_TWIN_SLOTS];               // of each slot: its points
    bool changes[SETS_TWIN_SLOTS];                 // of each slot: has it points?
    struct count_label content[COUNT_TWIN_POINTS]; // of each label
    uint8_t solved[COUNT_TWIN_POINTS + 1];         // the labels of the solved state
    unsigned move_count;
    struct count_row moves[SETS_TWIN_POWERS]; // the moves that count, each once
    struct twin_states *states;               // those from which moves lead to the solved state
    unsigned symmetry_count;
    struct count_row symmetries[COUNT_TWIN_SYMMETRIES];
    unsigned rotation_count; // 0 if the states are no group
    struct count_row *rotations;
    uint64_t work; // of the search for symmetries
    // Of the last count_all, by state:
    unsigned *distance;
    size_t *class_of; // equal for states of one class
};

struct count_result {
    uint64_t states[COUNT_TWIN_DISTANCES]; // or positions
    uint64_t classes[COUNT_TWIN_DISTANCES];
    uint64_t total;
    double mean;
    unsigned largest;
};

// Finds the states, the symmetries and the rotations. The puzzle must outlive the world. False if
// there are more than `most` states or too many points or symmetries. Then there is nothing to
// free. The twin then takes about states × symmetries look-ups.
bool count_explore(struct count_world *world, const struct sets_puzzle *puzzle, size_t most);
void count_free(struct count_world *world);

// Counts the states and classes at each distance. With `positions`, counts positions instead of
// states. Then the states must be a group.
void count_all(struct count_world *world, bool positions, struct count_result *result);

// The number of a typed state: of world->distance and world->class_of. world->states->count if it
// is none of the states.
size_t count_find(const struct count_world *world, const uint8_t *cells);

#endif
