// States as rows of codes: what moves and symmetries make of them, and how they are packed.
//
// A *slot* is a place whose piece or orientation is in a state's cells. Its *code* is one number
// for both: piece × orientations + orientation. A move undone, and a symmetry, take the code of
// each slot from one other slot, and change it by a table.
#ifndef FEWEST_GEN_DEPTH_STATE_CODES_H
#define FEWEST_GEN_DEPTH_STATE_CODES_H

#include "tables/puzzle/puzzle.h"

enum {
    CODES_MOST = CELLS_MOST / 2,           // slots of a state: a piece and its orientation are one
    CODE_WORDS_MOST = (CODES_MOST + 3) / 4 // of a packed state: a code has at most 16 bits
};

struct code_slot {
    int piece;            // the cell of its piece, or -1 if it stays at home
    int turn;             // the cell of its orientation, or -1
    unsigned turns;       // orientations; 1 without a cell
    unsigned count;       // codes 0 … count-1
    unsigned word;        // of the packed state
    unsigned shift;       // where the code begins in this word
    uint64_t mask;        // its bits, after the shift
    unsigned first_legal; // in state_codes.legal: the entry of code 0
};

// Symmetries take what is in one slot to the first slot that they change. Its code may differ
// there. This is the least code that comes of one slot with one code. The symmetries that bring it
// are listed in state_codes.chosen.
struct code_choice {
    uint16_t code;
    uint16_t count;
    uint32_t first;
};

// How one slot changes if a move is undone.
struct code_change {
    uint16_t slot;
    uint16_t from;  // the slot whose piece comes here
    uint32_t table; // in state_codes.tables: what becomes of code 0 there
};

struct state_codes {
    const struct puzzle *puzzle;
    struct code_slot *slots;
    unsigned slot_count;
    unsigned words; // of a packed state
    // By move: its changes are changes[first_change[m]] and on. NULL for boards.
    size_t *first_change;
    struct code_change *changes;
    uint16_t *tables; // what turns make of codes
    bool *legal;      // by slot and code: may the slot hold it? NULL if all is permitted
    // By slot that symmetries change, in rising order, and by symmetry: the slot whose code comes
    // there, and what becomes of the code.
    unsigned symmetry_count; // 1: none but the identity
    unsigned symmetry_room;  // symmetries that the tables have room for
    unsigned shown_count;
    unsigned *shown; // these slots
    uint16_t *image_from;
    unsigned image_stride; // entries of a table of codes in `images`
    uint16_t *images;
    // For the first of these slots: from which slots symmetries bring something, and the choice for
    // each of these and each code, image_stride of them for a slot.
    unsigned source_count;
    uint16_t *sources;
    struct code_choice *choices;
    uint16_t *chosen;
};

// Makes the codes of a puzzle without symmetries, which code_symmetries_add adds. Fails with
// FEWEST_BEYOND for rolling cubes. The caller frees the codes in any case.
bool codes_make(struct state_codes *codes, const struct puzzle *puzzle, struct fewest_error *error);
void codes_free(struct state_codes *codes);

// Reads a goal as a state from which distances count. In a group, renames the pieces so that the
// first goal becomes the root.
bool codes_read_goal(const struct state_codes *codes, unsigned goal, uint16_t *state,
                     struct fewest_error *error);

// Fills in the state from which a move leads to `from`. `to` does not overlap it. False if there is
// none.
bool codes_undo(const struct state_codes *codes, unsigned move, const uint16_t *from, uint16_t *to);

// Packs a state into codes->words words, and back.
void codes_pack(const struct state_codes *codes, const uint16_t *state, uint64_t *packed);
void codes_unpack(const struct state_codes *codes, const uint64_t *packed, uint16_t *state);

#endif
