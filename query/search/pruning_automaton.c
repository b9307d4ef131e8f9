// Builds the pruning automaton. The header explains it. In short: a *duplicate* is a sequence of
// moves that makes the same board as an earlier sequence. It is *forbidden* if it contains no
// shorter duplicate.
//
// The builder makes all sequences without a duplicate in them, layer by layer, from all cells of
// the blank at once. A sequence knows its *suffix*, the sequence without the first move, which
// belongs to the cell where that move leads. This link does two things:
//   - A longer sequence contains a duplicate that begins after the first move exactly if its suffix
//     can't be extended by the same move.
//   - It leads the automaton from a sequence that begins no forbidden one to its longest suffix
//     that does.
//
// A sequence without a duplicate in it is the first one of the shortest sequences to its board. So
// a longer one is a duplicate exactly if its board is known already from the same cell. Each move
// changes the colour of the blank's cell, as on a checkerboard. So such a board was made by a
// sequence that is shorter by two, or by an earlier one of the same length. Only these boards are
// kept, and they stay in the cache.
#include "search/pruning_automaton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    NIBBLE = 4,
    FIRST_ROOM = 1 << 10, // sequences
};

static const uint32_t NO_SEQUENCE = UINT32_MAX;

struct move_sequence {
    // The board that it makes: by cell, a nibble: the first cell of the piece that is there now.
    uint64_t board;
    uint32_t parent; // the sequence without the last move
    uint32_t suffix; // the sequence without the first move
    uint32_t longer; // the first of the sequences with one move more, in the order of their moves
    uint8_t moves;   // the last moves of those: bit m for move m
    uint8_t cell;    // of the blank
    bool begins;     // it begins a forbidden sequence
};

_Static_assert(BOARD_MOVES_MOST <= 8, "the moves fit a byte");
_Static_assert(BOARD_CELLS_MOST *NIBBLE <= 64, "a board fits 64 bits");

// The sequences of one length: those from cell c of the blank are first[c] … first[c+1]-1.
struct sequence_layer {
    uint32_t first[BOARD_CELLS_MOST + 1];
};

// The boards that sequences from one cell make, hashed with linear probing; 0 is an empty slot.
struct board_set {
    uint64_t *slots;
    unsigned log2;      // of the slots in use
    unsigned room_log2; // of those allocated
};

// The sequences in order of their length, then of their first cell, then of their moves. Sequence c
// is the empty one from cell c. The longest are left out, because they begin no forbidden sequence.
// The moves of their parents tell which exist, and their suffixes tell the states they lead to.
struct tree {
    const struct board *board;
    unsigned move_count;
    struct move_sequence *sequences;
    uint32_t count;
    uint32_t room;
    struct board_set boards;
};

// ---- The boards ---------------------------------------------------------------------------------

// The slot where a board is, or where it belongs (D. E. Knuth's multiplicative hashing: the golden
// ratio).
static uint64_t *find_board(const struct board_set *boards, uint64_t board)
{
    uint64_t mask = (UINT64_C(1) << boards->log2) - 1;
    uint64_t slot = board * UINT64_C(0x9E3779B97F4A7C15) >> (64 - boards->log2);
    while (boards->slots[slot] != 0 && boards->slots[slot] != board) {
        slot = (slot + 1) & mask;
    }
    return &boards->slots[slot];
}

// Forgets all boards and makes room for fewer than 1 << log2.
static bool clear_boards(struct board_set *boards, unsigned log2)
{
    if (!boards->slots || log2 > boards->room_log2) {
        free(boards->slots);
        boards->slots = malloc(sizeof *boards->slots << log2);
        if (!boards->slots) {
            return false;
        }
        boards->room_log2 = log2;
    }
    boards->log2 = log2;
    memset(boards->slots, 0, sizeof *boards->slots << log2);
    return true;
}

// Keeps only the boards of the sequences first … end-1, and has room for `more`.
static bool keep_boards(struct tree *tree, uint32_t first, uint32_t end, uint32_t more)
{
    unsigned log2 = 1;
    while (UINT32_C(1) << log2 <= end - first + more) {
        log2++;
    }
    if (!clear_boards(&tree->boards, log2)) {
        return false;
    }
    for (uint32_t number = first; number < end; number++) {
        *find_board(&tree->boards, tree->sequences[number].board) = tree->sequences[number].board;
    }
    return true;
}

// ---- The sequences ------------------------------------------------------------------------------

// The sequence with one move more, or NO_SEQUENCE if the move can't be made or makes a duplicate.
static uint32_t sequence_after(const struct move_sequence *sequence, unsigned move)
{
    if (!(sequence->moves >> move & 1)) {
        return NO_SEQUENCE;
    }
    uint32_t after = sequence->longer;
    for (unsigned before = sequence->moves & ((1u << move) - 1); before != 0;
         before &= before - 1) {
        after++;
    }
    return after;
}

// The suffix of a sequence that is extended by a possible move. NO_SEQUENCE if the suffix is or
// contains a duplicate.
static uint32_t suffix_after(const struct tree *tree, uint32_t number, unsigned move)
{
    const struct move_sequence *sequence = &tree->sequences[number];
    bool is_empty = number < tree->board->grid.cells;
    return is_empty ? tree->board->to[move][sequence->cell]
                    : sequence_after(&tree->sequences[sequence->suffix], move);
}

static uint64_t exchange_cells(uint64_t board, unsigned a, unsigned b)
{
    uint64_t differ = (board >> a * NIBBLE ^ board >> b * NIBBLE) & 0xF;
    return board ^ differ << a * NIBBLE ^ differ << b * NIBBLE;
}

// Marks a sequence, and those that it is an extension of, as the beginning of a forbidden one.
static void forbid_after(struct tree *tree, uint32_t number)
{
    while (!tree->sequences[number].begins) { // the empty sequences are marked from the start
        tree->sequences[number].begins = true;
        number = tree->sequences[number].parent;
    }
}

// Extends a sequence by a move. The caller has made room for the longer sequence.
static void try_move(struct tree *tree, uint32_t number, unsigned move, bool is_last)
{
    struct move_sequence *sequence = &tree->sequences[number];
    unsigned to = tree->board->to[move][sequence->cell];
    uint32_t suffix = to == NOWHERE ? NO_SEQUENCE : suffix_after(tree, number, move);
    if (suffix == NO_SEQUENCE) {
        return;
    }
    uint64_t board = exchange_cells(sequence->board, sequence->cell, to);
    uint64_t *slot = find_board(&tree->boards, board);
    if (*slot == board) {
        forbid_after(tree, number);
        return;
    }
    *slot = board;
    sequence->moves |= (uint8_t)(1u << move);
    if (!is_last) {
        tree->sequences[tree->count++] = (struct move_sequence){
            .board = board, .parent = number, .suffix = suffix, .cell = (uint8_t)to};
    }
}

static bool reserve_sequences(struct tree *tree, unsigned more)
{
    if (tree->room - tree->count >= more) {
        return true;
    }
    uint32_t room = tree->room == 0 ? FIRST_ROOM : 2 * tree->room;
    struct move_sequence *sequences = realloc(tree->sequences, room * sizeof *sequences);
    if (!sequences) {
        return false;
    }
    tree->sequences = sequences;
    tree->room = room;
    return true;
}

static bool extend_sequence(struct tree *tree, uint32_t number, bool is_last)
{
    if (!reserve_sequences(tree, tree->move_count)) {
        return false;
    }
    tree->sequences[number].longer = tree->count;
    for (unsigned m = 0; m < tree->move_count; m++) {
        try_move(tree, number, m, is_last);
    }
    return true;
}

// Makes the sequences of the next length from those of the last two lengths.
static bool extend_layer(struct tree *tree, const struct sequence_layer *shorter,
                         const struct sequence_layer *layer, bool is_last,
                         struct sequence_layer *longer)
{
    unsigned cells = tree->board->grid.cells;
    for (unsigned cell = 0; cell < cells; cell++) {
        uint32_t first = layer->first[cell];
        uint32_t end = layer->first[cell + 1];
        longer->first[cell] = tree->count;
        if (!keep_boards(tree, shorter->first[cell], shorter->first[cell + 1],
                         (end - first) * tree->move_count)) {
            return false;
        }
        for (uint32_t number = first; number < end; number++) {
            if (!extend_sequence(tree, number, is_last)) {
                return false;
            }
        }
    }
    longer->first[cells] = tree->count;
    return true;
}

static bool add_empty_sequences(struct tree *tree, struct sequence_layer *layer)
{
    unsigned cells = tree->board->grid.cells;
    uint64_t board = 0;
    for (unsigned cell = 0; cell < cells; cell++) {
        board |= (uint64_t)cell << cell * NIBBLE;
    }
    if (!reserve_sequences(tree, cells)) {
        return false;
    }
    for (unsigned cell = 0; cell < cells; cell++) {
        tree->sequences[cell] =
            (struct move_sequence){.board = board, .cell = (uint8_t)cell, .begins = true};
        layer->first[cell + 1] = cell + 1;
    }
    tree->count = cells;
    return true;
}

static bool grow_tree(struct tree *tree, unsigned length_most)
{
    struct sequence_layer shorter = {{0}};
    struct sequence_layer layer = {{0}};
    struct sequence_layer longer;
    if (!add_empty_sequences(tree, &layer)) {
        return false;
    }
    for (unsigned length = 1; length <= length_most; length++) {
        if (!extend_layer(tree, &shorter, &layer, length == length_most, &longer)) {
            return false;
        }
        shorter = layer;
        layer = longer;
    }
    return true;
}

// ---- The automaton ------------------------------------------------------------------------------

// A sequence that begins a forbidden one has a state of its own. Any other has the state of its
// suffix, which has one already. So the empty sequence from cell c has state c.
static uint32_t number_automaton_states(const struct tree *tree, uint32_t *state_of)
{
    uint32_t states = 0;
    for (uint32_t number = 0; number < tree->count; number++) {
        state_of[number] =
            tree->sequences[number].begins ? states++ : state_of[tree->sequences[number].suffix];
    }
    return states;
}

static uint32_t state_after(const struct tree *tree, const uint32_t *state_of, uint32_t number,
                            unsigned move)
{
    uint32_t after = sequence_after(&tree->sequences[number], move);
    if (after == NO_SEQUENCE) {
        return MOVE_PRUNED;
    }
    return state_of[after < tree->count ? after : suffix_after(tree, number, move)];
}

static void fill_states(struct pruning_automaton *automaton, const struct tree *tree,
                        const uint32_t *state_of)
{
    uint32_t state = 0;
    for (uint32_t number = 0; number < tree->count; number++) {
        if (!tree->sequences[number].begins) {
            continue;
        }
        for (unsigned m = 0; m < BOARD_MOVES_MOST; m++) {
            automaton->next[state][m] = state_after(tree, state_of, number, m);
        }
        state++;
    }
}

static bool make_states(struct pruning_automaton *automaton, const struct tree *tree)
{
    uint32_t *state_of = malloc(tree->count * sizeof *state_of);
    if (!state_of) {
        return false;
    }
    automaton->state_count = number_automaton_states(tree, state_of);
    assert(automaton->state_count > 0); // the empty sequences
    automaton->next = malloc(automaton->state_count * sizeof *automaton->next);
    if (automaton->next) {
        fill_states(automaton, tree, state_of);
    }
    free(state_of);
    return automaton->next;
}

bool pruning_automaton_build(struct pruning_automaton *automaton, const struct board *board,
                             unsigned move_count, unsigned length, struct fewest_error *error)
{
    assert(board->grid.cells <= BOARD_CELLS_MOST && move_count <= BOARD_MOVES_MOST);
    assert(length >= 1 && length <= PRUNED_LENGTH_MOST);
    struct tree tree = {.board = board, .move_count = move_count};
    *automaton = (struct pruning_automaton){0};
    bool built = grow_tree(&tree, length) && make_states(automaton, &tree);
    free(tree.sequences);
    free(tree.boards.slots);
    if (!built) {
        pruning_automaton_free(automaton);
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pruning automaton");
    }
    return true;
}

void pruning_automaton_free(struct pruning_automaton *automaton)
{
    free(automaton->next);
    *automaton = (struct pruning_automaton){0};
}
