// The twin of puzzles in the language of `Set` and `Move`: the rules of their moves for the naive
// search, how states are typed, and the text of a definition.
//
// A *row* is a state of all slots: the piece of each slot, then the orientation of each slot. The
// slots of one set follow those of the set before. Pieces count from 0 within their set, and pieces
// that look alike have the same number. An orientation that does not count is 0.
#ifndef TWIN_SETS_H
#define TWIN_SETS_H

#include "twin_search.h"

enum {
    SETS_TWIN_SETS = 8,
    SETS_TWIN_SLOTS = 64, // of all sets together
    SETS_TWIN_MOVES = 8,
    SETS_TWIN_POWERS = 512,
    SETS_TWIN_ROW = 2 * SETS_TWIN_SLOTS,
    SETS_TWIN_TEXT = 16384, // room for a definition
    SETS_TWIN_STATES = 10000000,
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
    char name[16];
    uint8_t from[SETS_TWIN_SLOTS];
    uint8_t turn[SETS_TWIN_SLOTS];
};

// Each power of a move is a move, or only the first and the last ones, or only the first one.
enum sets_powers { SETS_POWERS_ALL, SETS_POWERS_QUARTER, SETS_POWERS_NONE };

struct sets_puzzle {
    unsigned set_count;
    unsigned slot_count;
    unsigned move_count;
    enum sets_powers powers;
    struct sets_set sets[SETS_TWIN_SETS];
    struct sets_move moves[SETS_TWIN_MOVES];
    // The solved state, by slot.
    uint8_t piece[SETS_TWIN_SLOTS];
    uint8_t orientation[SETS_TWIN_SLOTS];
    bool ignored[SETS_TWIN_SLOTS]; // the orientation of this slot's piece does not count
    // By slot and piece: a state with this piece there is illegal. No move leads from it or to it.
    bool illegal[SETS_TWIN_SLOTS][SETS_TWIN_SLOTS];
};

// What follows from a puzzle: how rows change and how they are typed.
struct sets_view {
    const struct sets_puzzle *puzzle;
    bool shows_pieces[SETS_TWIN_SETS]; // some move permutes the set
    bool shows_orientations[SETS_TWIN_SETS];
    uint8_t set_of[SETS_TWIN_SLOTS];
    bool ignored[SETS_TWIN_SLOTS]; // by the first slot of the set plus the piece
    bool has_illegal;
    unsigned cell_count;
    bool group;                    // all pieces differ, and all orientations count
    uint8_t solved[SETS_TWIN_ROW]; // orientations that are not typed are 0
    uint8_t root[SETS_TWIN_ROW];   // the identity of a group, else the solved state
};

// Some or all states of a puzzle.
struct sets_world {
    struct sets_view view;
    struct twin_states *states;
};

// Begins a puzzle without sets and moves. The moves will be called A, B, C, ….
void sets_begin(struct sets_puzzle *puzzle);

// Adds a set that no move changes. Returns its number.
unsigned sets_add(struct sets_puzzle *puzzle, unsigned size, unsigned turns);

// Writes the definition, whose sets are called A, B, C, …. `text` has room for SETS_TWIN_TEXT
// bytes.
void sets_write(const struct sets_puzzle *puzzle, char *text);

// Appends the rows of `Solved` or `Goal`, and `End`. `open` says whose orientation is `?`.
void sets_append_state(const struct sets_puzzle *puzzle, const uint8_t *piece,
                       const uint8_t *orientation, const bool *open, char *text);

void sets_look(struct sets_view *view, const struct sets_puzzle *puzzle);

// The number of rows of cells, reachable or not.
double sets_count_rows(const struct sets_view *view);

// The least number of repetitions of a move that changes nothing that shows: the places of pieces
// that all look alike do not show, if their orientations do not count. 2 if the move itself changes
// only what does not show.
unsigned sets_move_order(const struct sets_puzzle *puzzle, unsigned move);

// Lists the moves that count, with their powers, by name in byte order. With `undone`, each undoes
// the move of its name. Returns their number, which is at most SETS_TWIN_POWERS.
unsigned sets_list_moves(const struct sets_view *view, bool undone,
                         struct sets_move moves[SETS_TWIN_POWERS]);

// Makes a move, legal or not. `from` and `to` do not overlap.
void sets_apply(const struct sets_view *view, const struct sets_move *move, const uint8_t *from,
                uint8_t *to);
void sets_undo(const struct sets_view *view, const struct sets_move *move, const uint8_t *from,
               uint8_t *to);

// The move that does one move after another, and the one that undoes a move. Neither has a name.
void sets_compose(const struct sets_view *view, const struct sets_move *first,
                  const struct sets_move *then, struct sets_move *both);
void sets_invert(const struct sets_view *view, const struct sets_move *move,
                 struct sets_move *inverse);

bool sets_is_legal(const struct sets_view *view, const uint8_t *row);

// Sets the orientations of a row that do not count to 0.
void sets_forget_ignored(const struct sets_view *view, uint8_t *row);

// From a row to the cells of a typed state, and back.
void sets_row_to_cells(const struct sets_view *view, const uint8_t *row, uint8_t *cells);
void sets_cells_to_row(const struct sets_view *view, const uint8_t *cells, uint8_t *row);

// Finds all states that the listed moves lead to from view->root, legal or not. Their distances do
// not count powers. False if there are more than `most`. Then there is nothing to free.
bool sets_explore(struct sets_world *world, const struct sets_puzzle *puzzle, size_t most);

// Finds the states that legal moves lead to from a row; with `undone`, those from which moves lead
// to the row. The caller frees them.
struct twin_states *sets_measure(const struct sets_view *view, const uint8_t *row, bool undone);

void sets_free(struct sets_world *world);

// Keeps of each piece of the first set what its letter says: w the whole piece, p its place without
// its orientation, o its orientation (it looks like all others of this letter), - nothing. Pieces
// with the same other letter look alike; a capital letter keeps their orientations.
void sets_keep(struct sets_puzzle *puzzle, const char *kept);

// The piece that a piece of the first set then looks like.
uint8_t sets_kept_piece(const char *kept, unsigned piece);

#endif
