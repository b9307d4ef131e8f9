// States as rows of codes: what moves and symmetries make of them, and how they are packed.
//
// A *slot* is one of the view's (point_view.h) or a cell of a board. Its *code* is the number of
// the label (state_symmetries.h) at its first point; on a board, the tile. Codes of an orbit are
// numbers in a row, so a packed state has few bits. A move undone, and a symmetry, take the code of
// each slot from one other slot, and change it by a table.
#ifndef FEWEST_GEN_DEPTH_STATE_CODES_H
#define FEWEST_GEN_DEPTH_STATE_CODES_H

#include "tables/families/symmetry/state_symmetries.h"

enum {
    CODES_MOST = CELLS_MOST / 2 + 1,       // slots of a state, and one more (codes_make)
    CODE_WORDS_MOST = (CODES_MOST + 3) / 4 // of a packed state: a code has at most 16 bits
};

struct code_slot {
    unsigned first; // point
    unsigned least; // code
    unsigned count; // codes least … least+count-1
    unsigned word;  // of the packed state
    unsigned shift; // where the code begins in this word
    uint64_t mask;  // its bits, after the shift
};

// How one slot changes if a move is undone, or under a symmetry.
struct code_change {
    uint16_t slot;
    uint16_t from;  // the slot whose piece comes here
    uint32_t table; // in state_codes.tables: what becomes of code 0 there
};

struct code_source {
    unsigned slot;
    unsigned first; // symmetry; the last one comes before the first one of the next source
};

struct state_codes {
    const struct puzzle *puzzle;
    const struct point_view *view; // NULL for a board
    struct code_slot *slots;
    unsigned slot_count;
    unsigned changing;  // slots that moves change; they come first
    unsigned words;     // of a packed state
    unsigned count;     // codes
    uint16_t *label_of; // by code
    uint16_t *code_of;  // by label
    uint16_t *goals;    // rows of codes
    // Tables of `count` entries. Table t is that of t turns.
    uint16_t *tables;
    unsigned turns; // their number
    // By move: its changes are changes[first_change[m]] and on. NULL for boards.
    size_t *first_change;
    struct code_change *changes;
    bool *legal; // by slot and code: may the slot hold it? NULL if all is permitted
    // By slot that changes, and by symmetry.
    unsigned symmetry_count; // 1: none but the identity
    unsigned symmetry_room;  // symmetries that the images have room for
    struct code_change *images;
    // The slots that symmetries take to the first slot, and one more entry. By source and its code:
    // the least code that comes of it there.
    struct code_source *sources;
    unsigned source_count;
    uint16_t *least;
};

// Makes the codes of a puzzle without symmetries, which code_symmetries_add adds. In a group, the
// pieces of the goals are renamed so that the first goal becomes the root. A goal that has other
// pieces in some orbit is renamed by itself. So if there are several goals, one more slot has the
// number of the goal by which pieces are renamed. Fails with FEWEST_BEYOND for rolling cubes, and
// for such a goal without a group. The caller frees the codes in any case.
bool codes_make(struct state_codes *codes, const struct puzzle *puzzle, struct fewest_error *error);
void codes_free(struct state_codes *codes);

static inline const uint16_t *codes_goal(const struct state_codes *codes, unsigned goal)
{
    return codes->goals + (size_t)goal * codes->slot_count;
}

// Fills in the state from which a move leads to `from`. `to` does not overlap it. False if there is
// none.
bool codes_undo(const struct state_codes *codes, unsigned move, const uint16_t *from, uint16_t *to);

// Packs a state into codes->words words, and back.
void codes_pack(const struct state_codes *codes, const uint16_t *state, uint64_t *packed);
void codes_unpack(const struct state_codes *codes, const uint64_t *packed, uint16_t *state);

#endif
