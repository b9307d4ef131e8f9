// A naive twin of puzzles in the language of `Set` and `Move`: it writes the text of a definition,
// and finds all states by breadth-first search over rows of bytes. It is slow and obvious, and it
// shares nothing with the code under test: no tables, no ranks, no parsers.
//
// A *row* is a state of all slots: the piece of each slot, then the orientation of each slot. The
// slots of one set follow those of the set before. Pieces count from 0 within their set, and pieces
// that look alike have the same number. An orientation that does not count is 0.
//
// If no memory is left, the program ends with a message.
#ifndef TWIN_SETS_H
#define TWIN_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SETS_TWIN_SETS = 8,
    SETS_TWIN_SLOTS = 64, // of all sets together
    SETS_TWIN_MOVES = 8,
    SETS_TWIN_ROW = 2 * SETS_TWIN_SLOTS,
    SETS_TWIN_TEXT = 16384, // room for a definition
};

// Slots first … first+size-1, whose pieces have so many orientations.
struct sets_set {
    unsigned first;
    unsigned size;
    unsigned turns;
};

// Slot i receives the piece of slot from[i]. A piece that leaves slot i is turned by turn[i]. Slots
// count from 0 over all sets.
struct sets_move {
    uint8_t from[SETS_TWIN_SLOTS];
    uint8_t turn[SETS_TWIN_SLOTS];
};

// The moves are called A, B, C, ….
struct sets_puzzle {
    unsigned set_count;
    unsigned slot_count;
    unsigned move_count;
    bool one_way; // only the listed moves count, not their powers
    struct sets_set sets[SETS_TWIN_SETS];
    struct sets_move moves[SETS_TWIN_MOVES];
    // The solved state, by slot.
    uint8_t piece[SETS_TWIN_SLOTS];
    uint8_t orientation[SETS_TWIN_SLOTS];
    bool ignored[SETS_TWIN_SLOTS]; // the orientation of this slot's piece does not count
};

// What follows from a puzzle: how rows change and how they are typed.
struct sets_view {
    const struct sets_puzzle *puzzle;
    bool shows_pieces[SETS_TWIN_SETS]; // some move permutes the set
    bool shows_orientations[SETS_TWIN_SETS];
    uint8_t set_of[SETS_TWIN_SLOTS];
    bool ignored[SETS_TWIN_SLOTS]; // by the first slot of the set plus the piece
    unsigned cell_count;
    bool group;                  // all pieces differ, and all orientations count
    uint8_t root[SETS_TWIN_ROW]; // the identity of a group, else the solved state
};

// All states that moves lead to from the root.
struct sets_world {
    struct sets_view view;
    size_t row_bytes;
    size_t count;
    size_t room;
    uint8_t *rows; // by number, the root first
    uint32_t *table;
    size_t entries;
};

// Writes the definition. `text` has room for SETS_TWIN_TEXT bytes.
void sets_write(const struct sets_puzzle *puzzle, char *text);

// The number of rows of cells, reachable or not.
double sets_count_arrangements(const struct sets_puzzle *puzzle);

// The least number of repetitions of a move that changes nothing that shows: the places of pieces
// that all look alike do not show, if their orientations do not count. 2 if the move itself changes
// only what does not show.
unsigned sets_move_order(const struct sets_puzzle *puzzle, unsigned move);

void sets_look(struct sets_view *view, const struct sets_puzzle *puzzle);

// Makes or undoes a listed move. `from` and `to` do not overlap.
void sets_apply(const struct sets_view *view, unsigned move, const uint8_t *from, uint8_t *to);
void sets_undo(const struct sets_view *view, unsigned move, const uint8_t *from, uint8_t *to);

// Sets the orientations of a row that do not count to 0.
void sets_forget_ignored(const struct sets_view *view, uint8_t *row);

// From a row to the cells of a typed state, and back.
void sets_row_to_cells(const struct sets_view *view, const uint8_t *row, uint8_t *cells);
void sets_cells_to_row(const struct sets_view *view, const uint8_t *cells, uint8_t *row);

// False if there are more than `most` states. Then there is nothing to free.
bool sets_explore(struct sets_world *world, const struct sets_puzzle *puzzle, size_t most);
void sets_free(struct sets_world *world);

// The number of a row, or world->count if no moves lead there.
size_t sets_find(const struct sets_world *world, const uint8_t *row);

static inline const uint8_t *sets_row(const struct sets_world *world, size_t number)
{
    return world->rows + number * world->row_bytes;
}

#endif
