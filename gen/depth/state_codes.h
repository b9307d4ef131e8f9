// States as rows of codes: what moves and symmetries make of them, and how they are packed.
//
// A *slot* is one of the view's (point_view.h) or a cell of a board. Its *code* is the number of
// the label (state_symmetries.h) at its first point; on a board, the tile. The codes of an orbit
// are consecutive numbers, so a packed state has few bits. If a move is undone, or a symmetry is
// applied, each slot gets its code from one slot, which may be itself. A table changes this code.
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
    unsigned first; // symmetry that takes it to slot 0; all before the next source's do so, too
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
    // Tables of `count` entries. Table t is that of t turns; table (s+1) × turns + t is that of t
    // turns and then symmetry s.
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
    // The slots that symmetries take to slot 0, and one more entry.
    struct code_source *sources;
    unsigned source_count;
    uint16_t *least; // by source and code: the least code in slot 0 that a symmetry makes of it
};

// Makes the codes of a puzzle without symmetries, which code_symmetries_add adds. If the states are
// a group, each goal becomes a relative target: its pieces are renamed as the first goal that has
// the same pieces in each orbit is renamed to the root. With several goals, one more slot has the
// number of that first goal. Fails with FEWEST_BEYOND for rolling cubes and, without a group, for a
// goal that has other pieces in some orbit than the root. The caller frees the codes in any case.
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
