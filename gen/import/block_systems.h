// Pieces that look alike, but that a state tells apart.
//
// If moves keep some pieces together, such as the two stickers of an edge, the colours beside a
// piece say which of its kind it is. Then the piece can have a number of its own: the puzzle has as
// many states as before.
#ifndef FEWEST_GEN_IMPORT_BLOCK_SYSTEMS_H
#define FEWEST_GEN_IMPORT_BLOCK_SYSTEMS_H

#include <stdbool.h>
#include <stdint.h>

// The moves of all sets together. rows[m * slots + i] is the slot from which move m takes a piece
// to slot i.
struct slot_moves {
    const uint16_t *rows; // not checked: a slot may appear twice in one
    unsigned count;
    unsigned slots;
};

// Gives different numbers to pieces that a state tells apart. number[i] is that of the piece in
// slot i of the solved state. Afterwards the numbers are 0, 1, ... without gaps, and pieces whose
// numbers differed stay in order. If there is too much to do, some pieces keep their common number.
// Returns false if memory runs out.
bool block_systems_number(const struct slot_moves *moves, uint16_t *number);

#endif
