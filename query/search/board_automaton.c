// Builds the automaton that prunes duplicate move sequences. The header says what a duplicate and a
// forbidden sequence are.
//
// The builder lists all sequences without a duplicate in them, from all cells of the blank at once:
// by length, then by the cell where the blank begins, then by their moves. A sequence knows its
// *suffix*, the sequence without the first move. This link does two things:
//   - A longer sequence contains a duplicate that begins after the first move exactly if its suffix
//     can't be extended by the same move.
//   - It leads the automaton from a sequence that begins no forbidden one to its longest suffix
//     that does.
//
// A sequence without a duplicate in it is the first one to its board. So a longer one is a
// duplicate exactly if its board is known already from the same cell of the blank.
#include "board_automaton.h"

#include "tables/base/row_set.h"
#include "tables/families/board/tile_databases.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 1 << 10,                              // sequences
    BOARD_WORDS = sizeof(uint64_t) / sizeof(uint16_t), // in a row of a set
};

struct move_sequence {
    uint64_t board;  // that it leads to; by cell, a nibble: the cell where the content began
    uint32_t parent; // the sequence without the last move
    uint32_t suffix; // the sequence without the first move
    uint32_t state;  // of the automaton
    // By move: the sequence that is one move longer, or one with the same state; or MOVE_PRUNED.
    uint32_t next[BOARD_DIRECTIONS];
    uint8_t length;
    uint8_t start; // the cell of the blank before the moves
    uint8_t blank; // its cell after the moves
    bool begins;   // a forbidden sequence
};

// The sequences in order. Sequence c is the empty one with the blank in cell c.
struct sequence_list {
    const struct board *board;
    unsigned move_count;
    unsigned length; // of the longest sequences that may be forbidden
    struct move_sequence *sequences;
    uint32_t count;
    uint32_t room;
    // By cell where the blank begins: the boards that sequences lead to. With one set for all
    // cells, which does not fit the caches, building takes twice as long (4×4, length 12; 2026-11).
    struct row_set known[DATABASE_CELLS_MOST];
};

static const uint64_t HOME = UINT64_C(0xFEDCBA9876543210); // the board before the first move

// Returns the board after the contents of two cells are exchanged.
static uint64_t exchange(uint64_t board, unsigned a, unsigned b)
{
    uint64_t change = (board >> 4 * a ^ board >> 4 * b) & 15u;
    return board ^ change << 4 * a ^ change << 4 * b;
}

// Makes room for one more sequence. Returns false if memory runs out.
static bool reserve_sequence(struct sequence_list *list)
{
    if (list->count < list->room) {
        return true;
    }
    uint32_t room = list->room > 0 ? 2 * list->room : FIRST_ROOM;
    struct move_sequence *sequences = realloc(list->sequences, room * sizeof *sequences);
    if (sequences) {
        list->sequences = sequences;
        list->room = room;
    }
    return sequences;
}

// Enters a board among the known ones of a start. *again tells whether it was known. Returns false
// if memory runs out.
static bool enter_board(struct sequence_list *list, uint64_t board, unsigned start, bool *again)
{
    struct row_set *known = &list->known[start];
    uint16_t row[BOARD_WORDS];
    memcpy(row, &board, sizeof row);
    uint32_t count = known->count;
    uint32_t number = row_set_add(known, row);
    *again = number < count;
    return number != ROW_NONE;
}

// Adds the empty sequences. Each one counts as the beginning of a forbidden one, because the
// automaton needs a state for it. Returns false if memory runs out.
static bool add_empty_sequences(struct sequence_list *list)
{
    for (unsigned cell = 0; cell < list->board->grid.cells; cell++) {
        bool again;
        if (!reserve_sequence(list) || !enter_board(list, HOME, cell, &again)) {
            return false;
        }
        list->sequences[list->count++] = (struct move_sequence){
            .board = HOME, .start = (uint8_t)cell, .blank = (uint8_t)cell, .begins = true};
    }
    return true;
}

// Marks a sequence, and those that it extends, as beginnings of a forbidden one. Stops at one that
// is marked, because those before it are marked, too. The empty sequences are.
static void forbid_after(struct sequence_list *list, uint32_t number)
{
    while (!list->sequences[number].begins) {
        list->sequences[number].begins = true;
        number = list->sequences[number].parent;
    }
}

// Extends a sequence by a move, unless that makes a duplicate: then the extension is forbidden.
// `suffix` is the extension's. An extension of the greatest length begins no forbidden sequence, so
// its state is that of its suffix, and it is not added. Returns false if memory runs out.
static bool try_move(struct sequence_list *list, uint32_t number, unsigned move, uint32_t suffix)
{
    bool again;
    if (!reserve_sequence(list)) {
        return false;
    }
    struct move_sequence *sequence = &list->sequences[number];
    struct move_sequence longer = {.parent = number,
                                   .suffix = suffix,
                                   .length = (uint8_t)(sequence->length + 1),
                                   .start = sequence->start,
                                   .blank = list->board->to[move][sequence->blank]};
    longer.board = exchange(sequence->board, sequence->blank, longer.blank);
    if (!enter_board(list, longer.board, longer.start, &again)) {
        return false;
    }
    if (again) {
        forbid_after(list, number); // `next` keeps MOVE_PRUNED for this move
    } else if (longer.length == list->length) {
        sequence->next[move] = suffix;
    } else {
        sequence->next[move] = list->count;
        list->sequences[list->count++] = longer;
    }
    return true;
}

// Extends a sequence by each move that extends its suffix, too; else the extension would contain a
// duplicate. An empty sequence is extended by each move that can be made. The other moves become
// MOVE_PRUNED. Returns false if memory runs out.
static bool extend_sequence(struct sequence_list *list, uint32_t number)
{
    for (unsigned m = 0; m < list->move_count; m++) {
        struct move_sequence *sequence = &list->sequences[number];
        unsigned blank = list->board->to[m][sequence->blank];
        uint32_t suffix = MOVE_PRUNED; // of the extension
        if (sequence->length > 0) {
            suffix = list->sequences[sequence->suffix].next[m];
        } else if (blank != NOWHERE) {
            suffix = blank; // the empty sequence from there
        }
        sequence->next[m] = MOVE_PRUNED;
        if (suffix != MOVE_PRUNED && !try_move(list, number, m, suffix)) {
            return false;
        }
    }
    return true;
}

// Lists all sequences that are shorter than list->length. Returns false if memory runs out.
static bool list_sequences(struct sequence_list *list)
{
    bool done = add_empty_sequences(list);
    for (uint32_t number = 0; number < list->count && done; number++) { // the count grows
        done = extend_sequence(list, number);
    }
    return done;
}

// Fills in the state of each sequence, and returns the number of states. A sequence that begins a
// forbidden one gets a state of its own. Any other has the state of its suffix, which is earlier in
// the list. The empty sequences come first, so that the one from cell c gets state c.
static uint32_t number_states(struct sequence_list *list)
{
    uint32_t states = 0;
    for (uint32_t number = 0; number < list->count; number++) {
        struct move_sequence *sequence = &list->sequences[number];
        sequence->state = sequence->begins ? states++ : list->sequences[sequence->suffix].state;
    }
    return states;
}

// Makes the automaton of the sequences. Returns false if memory runs out.
static bool make_states(struct board_automaton *automaton, struct sequence_list *list)
{
    automaton->move_count = list->move_count;
    automaton->state_count = number_states(list);
    size_t steps = (size_t)automaton->state_count * automaton->move_count;
    automaton->next = malloc((steps + 1) * sizeof *automaton->next); // +1: not NULL
    for (uint32_t number = 0; number < list->count && automaton->next; number++) {
        const struct move_sequence *sequence = &list->sequences[number];
        if (!sequence->begins) {
            continue; // its suffix fills in the row
        }
        uint32_t *row = board_automaton_row(automaton, sequence->state);
        for (unsigned m = 0; m < list->move_count; m++) {
            uint32_t next = sequence->next[m];
            row[m] = next == MOVE_PRUNED ? MOVE_PRUNED : list->sequences[next].state;
        }
    }
    return automaton->next;
}

bool board_automaton_build(struct board_automaton *automaton, const struct board *board,
                           unsigned move_count, unsigned length, struct fewest_error *error)
{
    struct sequence_list list = {.board = board, .move_count = move_count, .length = length};
    assert(length >= 1 && length <= UINT8_MAX);
    assert(board->grid.cells <= DATABASE_CELLS_MOST && move_count <= BOARD_DIRECTIONS);
    *automaton = (struct board_automaton){0};
    for (unsigned cell = 0; cell < DATABASE_CELLS_MOST; cell++) {
        row_set_open(&list.known[cell], BOARD_WORDS);
    }
    bool built = list_sequences(&list) && make_states(automaton, &list);
    free(list.sequences);
    for (unsigned cell = 0; cell < DATABASE_CELLS_MOST; cell++) {
        row_set_close(&list.known[cell]);
    }
    return built || error_no_memory(error, "for the pruning automaton");
}

void board_automaton_free(struct board_automaton *automaton)
{
    free(automaton->next);
    *automaton = (struct board_automaton){0};
}
