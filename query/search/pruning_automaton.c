// Builds the pruning automaton. The header explains it. In short: a *duplicate* is a sequence of
// moves that makes the same arrangement as an earlier sequence. It is *forbidden* if it contains no
// shorter duplicate.
//
// The builder makes all sequences without a duplicate in them, layer by layer, from all starts at
// once. A sequence knows its *suffix*, the sequence without the first move, which belongs to the
// start where that move leads. This link does two things:
//   - A longer sequence contains a duplicate that begins after the first move exactly if its suffix
//     can't be extended by the same move.
//   - It leads the automaton from a sequence that begins no forbidden one to its longest suffix
//     that does.
//
// A sequence without a duplicate in it is the first one of the shortest sequences to its
// arrangement. So a longer one is a duplicate exactly if its arrangement is known already from the
// same start. For a permutation puzzle, all arrangements are kept. For a board, few are, and they
// stay in the cache: each move changes the colour of the blank's cell, as on a checkerboard, and
// can be undone. So a board that is known was made by a sequence that is shorter by two, or by an
// earlier one of the same length.
#include "search/pruning_automaton.h"

#include "base/row_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    NIBBLE = 4,
    NUMBER_BITS = 32,
    FIRST_ROOM = 1 << 10, // sequences
    NEVER = UINT8_MAX,    // instead of a length
    // The memory that a sequence takes, besides its points: itself, its number, and its slots.
    SEQUENCE_BYTES = 64,
};

static const uint64_t BYTES_MOST = UINT64_C(1) << 36; // so sequences are counted in 32 bits

static const uint32_t NO_SEQUENCE = UINT32_MAX;

struct move_sequence {
    // The arrangement that it makes; never 0. Of a board: by cell, a nibble: the first cell of the
    // piece that is there now. Else the number of the permutation, counted from 1, and in the lower
    // half the number of its set of risks.
    uint64_t arrangement;
    uint32_t parent; // the sequence without the last move
    uint32_t suffix; // the sequence without the first move
    uint32_t longer; // the first of its *extensions*: sequences with one move more, in their order
    uint8_t start;   // of the moves that come after it
    uint8_t begins;  // the length of the shortest forbidden sequence that it begins, or NEVER
};

_Static_assert(BOARD_CELLS_MOST *NIBBLE <= 64, "a board fits 64 bits");

// The sequences of one length: those from start s are first[s] … first[s+1]-1.
struct sequence_layer {
    uint32_t first[BOARD_CELLS_MOST + 1];
};

// The arrangements that sequences from one start make, hashed with linear probing; 0 is an empty
// slot.
struct arrangement_set {
    uint64_t *slots;
    unsigned log2;      // of the slots in use
    unsigned room_log2; // of those allocated
};

// The sequences in order of their length, then of their start, then of their moves. Sequence s is
// the empty one from start s. Sequences of the greatest length that the caller allows are not
// stored, because they begin no forbidden sequence. Their parents' extensions tell which exist, and
// their suffixes tell the states they lead to.
struct tree {
    const struct automaton_moves *moves;
    const struct board *board; // of the moves
    unsigned start_count;
    struct move_sequence *sequences;
    uint32_t count;
    uint32_t room;
    uint8_t *extensions; // by sequence: bit m if there is an extension by move m
    size_t extensions_size;
    struct sequence_layer layers[PRUNED_LENGTH_MOST + 1];
    unsigned length;      // of the newest layer
    bool is_last;         // no longer ones are allowed
    uint32_t begin_count; // sequences that begin a forbidden one
    struct arrangement_set known;
    struct row_set permutations; // not for a board
    struct row_set risks;        // sets of risks, as bits: by kind and then by place
    uint16_t *row;               // room for a row of either
};

// A pass through the extensions of a sequence.
struct extension_pass {
    const uint8_t *exists; // bit m if there is one by move m
    uint32_t next;
};

// ---- The arrangements ---------------------------------------------------------------------------

// Does a known arrangement make a sequence with another one a duplicate? It must be the same one,
// or the same permutation with no further risk.
static bool covers(const struct tree *tree, uint64_t known, uint64_t arrangement)
{
    if (known == arrangement || tree->board || (known ^ arrangement) >> NUMBER_BITS != 0) {
        return known == arrangement;
    }
    const uint16_t *risks = row_set_row(&tree->risks, (uint32_t)known);
    const uint16_t *allowed = row_set_row(&tree->risks, (uint32_t)arrangement);
    unsigned w = 0;
    while (w < tree->risks.length && (risks[w] & ~allowed[w]) == 0) {
        w++;
    }
    return w == tree->risks.length;
}

// The slot of an arrangement that covers this one, or the empty one where it belongs (D. E. Knuth's
// multiplicative hashing: the golden ratio).
static uint64_t *find_arrangement(const struct tree *tree, uint64_t arrangement)
{
    const struct arrangement_set *set = &tree->known;
    uint64_t key = tree->board ? arrangement : arrangement >> NUMBER_BITS;
    uint64_t mask = (UINT64_C(1) << set->log2) - 1;
    uint64_t slot = key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - set->log2);
    while (set->slots[slot] != 0 && !covers(tree, set->slots[slot], arrangement)) {
        slot = (slot + 1) & mask;
    }
    return &set->slots[slot];
}

// Forgets all arrangements and makes room for fewer than 1 << log2.
static bool clear_arrangements(struct arrangement_set *set, unsigned log2)
{
    if (!set->slots || log2 > set->room_log2) {
        free(set->slots);
        set->slots = malloc(sizeof *set->slots << log2);
        if (!set->slots) {
            return false;
        }
        set->room_log2 = log2;
    }
    set->log2 = log2;
    memset(set->slots, 0, sizeof *set->slots << log2);
    return true;
}

// Keeps only the arrangements of the sequences first … end-1, and has room for `more`.
static bool keep_arrangements(struct tree *tree, uint32_t first, uint32_t end, uint32_t more)
{
    unsigned log2 = 1;
    while (UINT64_C(1) << log2 <= (uint64_t)(end - first) + more) {
        log2++;
    }
    if (!clear_arrangements(&tree->known, log2)) {
        return false;
    }
    for (uint32_t number = first; number < end; number++) {
        uint64_t arrangement = tree->sequences[number].arrangement;
        *find_arrangement(tree, arrangement) = arrangement;
    }
    return true;
}

// Keeps the arrangements that the newest layer may make again from a start, and has room for
// `more`.
static bool keep_shorter(struct tree *tree, unsigned start, uint32_t more)
{
    if (!tree->board) {
        return keep_arrangements(tree, 0, tree->layers[tree->length - 1].first[1], more);
    }
    if (tree->length < 2) {
        return keep_arrangements(tree, 0, 0, more);
    }
    const struct sequence_layer *layer = &tree->layers[tree->length - 2];
    return keep_arrangements(tree, layer->first[start], layer->first[start + 1], more);
}

static uint64_t exchange_cells(uint64_t board, unsigned a, unsigned b)
{
    uint64_t differ = (board >> a * NIBBLE ^ board >> b * NIBBLE) & 0xF;
    return board ^ differ << a * NIBBLE ^ differ << b * NIBBLE;
}

// The start after a move, or NOWHERE if the move can't be made.
static unsigned start_after(const struct tree *tree, unsigned start, unsigned move)
{
    return tree->board ? tree->board->to[move][start] : 0;
}

// Adds the risks of the permutation in tree->row to a set of risks, unless that is NULL. Returns
// the number of the set, or ROW_NONE without memory.
static uint32_t add_risks(struct tree *tree, const uint16_t *risks)
{
    const struct automaton_moves *moves = tree->moves;
    uint16_t *sum = tree->row + moves->points;
    for (unsigned w = 0; w < tree->risks.length; w++) {
        sum[w] = risks ? risks[w] : 0;
    }
    for (unsigned i = 0; i < moves->illegal_count; i++) {
        unsigned risk = moves->illegal[i].kind * moves->points +
                        moves->places[tree->row[moves->illegal[i].point]];
        sum[risk / 16] |= (uint16_t)(1u << risk % 16);
    }
    return row_set_add(&tree->risks, sum);
}

// The arrangement of the permutation in tree->row, which comes after one with these risks. 0 if
// there is not enough memory.
static uint64_t number_arrangement(struct tree *tree, const uint16_t *risks)
{
    uint32_t set = add_risks(tree, risks);
    uint32_t permutation = row_set_add(&tree->permutations, tree->row);
    return set == ROW_NONE || permutation == ROW_NONE
               ? 0
               : ((uint64_t)permutation + 1) << NUMBER_BITS | set;
}

static uint64_t permute(struct tree *tree, uint64_t arrangement, const uint16_t *move)
{
    const uint16_t *from =
        row_set_row(&tree->permutations, (uint32_t)(arrangement >> NUMBER_BITS) - 1);
    for (unsigned x = 0; x < tree->moves->points; x++) {
        tree->row[x] = from[move[x]];
    }
    return number_arrangement(tree, row_set_row(&tree->risks, (uint32_t)arrangement));
}

// The arrangement after a move that leads to a start. 0 if there is not enough memory.
static uint64_t arrangement_after(struct tree *tree, const struct move_sequence *sequence,
                                  unsigned move, unsigned start)
{
    if (tree->board) {
        return exchange_cells(sequence->arrangement, sequence->start, start);
    }
    return permute(tree, sequence->arrangement, tree->moves->permutations[move]);
}

// ---- The sequences ------------------------------------------------------------------------------

static uint8_t *find_extensions(const struct tree *tree, uint32_t number)
{
    return &tree->extensions[number * tree->extensions_size];
}

static struct extension_pass begin_pass(const struct tree *tree, uint32_t number)
{
    return (struct extension_pass){.exists = find_extensions(tree, number),
                                   .next = tree->sequences[number].longer};
}

// The extension by a move, or NO_SEQUENCE. Call this for each move in order. The number of an
// extension that is not stored is tree->count or more.
static uint32_t take_extension(struct extension_pass *pass, unsigned move)
{
    return pass->exists[move / 8] >> move % 8 & 1 ? pass->next++ : NO_SEQUENCE;
}

// The suffix of a sequence's extension by a move. NO_SEQUENCE if the move can't be made, or if the
// suffix is or contains a duplicate. `pass` goes through the extensions of the sequence's suffix,
// which is not used for an empty sequence.
static uint32_t take_suffix(const struct tree *tree, uint32_t number, unsigned move,
                            struct extension_pass *pass)
{
    if (number >= tree->start_count) {
        return take_extension(pass, move);
    }
    unsigned start = start_after(tree, number, move);
    return start == NOWHERE ? NO_SEQUENCE : start;
}

// Marks a sequence, and those that it is an extension of, as the beginning of a forbidden one.
static void forbid_after(struct tree *tree, uint32_t number)
{
    while (tree->sequences[number].begins == NEVER) { // the empty sequences are marked
        tree->sequences[number].begins = (uint8_t)tree->length;
        tree->begin_count++;
        number = tree->sequences[number].parent;
    }
}

// Extends a sequence by a move, unless that makes a duplicate. The caller has made room for the
// extension.
static bool try_move(struct tree *tree, uint32_t number, unsigned move, uint32_t suffix)
{
    const struct move_sequence *sequence = &tree->sequences[number];
    unsigned start = start_after(tree, sequence->start, move);
    uint64_t arrangement = arrangement_after(tree, sequence, move, start);
    if (arrangement == 0) {
        return false;
    }
    uint64_t *slot = find_arrangement(tree, arrangement);
    if (*slot != 0) {
        forbid_after(tree, number);
        return true;
    }
    *slot = arrangement;
    find_extensions(tree, number)[move / 8] |= (uint8_t)(1u << move % 8);
    if (!tree->is_last) {
        tree->sequences[tree->count++] = (struct move_sequence){.arrangement = arrangement,
                                                                .parent = number,
                                                                .suffix = suffix,
                                                                .start = (uint8_t)start,
                                                                .begins = NEVER};
    }
    return true;
}

static bool reserve_sequences(struct tree *tree, uint32_t more)
{
    if (tree->room - tree->count >= more) {
        return true;
    }
    uint32_t room = tree->room > 0 ? 2 * tree->room : FIRST_ROOM;
    while (room - tree->count < more) {
        room *= 2;
    }
    struct move_sequence *sequences = realloc(tree->sequences, room * sizeof *sequences);
    if (!sequences) {
        return false;
    }
    tree->sequences = sequences;
    tree->room = room;
    return true;
}

// Makes room for the extensions of the sequences first … end-1. There are none yet.
static bool reserve_extensions(struct tree *tree, uint32_t first, uint32_t end)
{
    uint8_t *extensions = end > SIZE_MAX / tree->extensions_size
                              ? NULL
                              : realloc(tree->extensions, end * tree->extensions_size);
    if (!extensions) {
        return false;
    }
    tree->extensions = extensions;
    memset(find_extensions(tree, first), 0, (end - first) * tree->extensions_size);
    return true;
}

static bool extend_empty_sequence(struct tree *tree, uint32_t number)
{
    for (unsigned m = 0; m < tree->moves->count; m++) {
        unsigned start = start_after(tree, number, m);
        if (start != NOWHERE && !try_move(tree, number, m, start)) {
            return false;
        }
    }
    return true;
}

// Extends a sequence by the moves that extend its suffix.
static bool extend_like_suffix(struct tree *tree, uint32_t number)
{
    uint32_t suffix = tree->sequences[number].suffix;
    uint32_t longer_suffix = tree->sequences[suffix].longer;
    for (unsigned first = 0; first < tree->moves->count; first += 8) {
        for (unsigned moves = find_extensions(tree, suffix)[first / 8]; moves != 0;
             moves &= moves - 1) {
            unsigned move = first + (unsigned)__builtin_ctz(moves);
            if (!try_move(tree, number, move, longer_suffix++)) {
                return false;
            }
        }
    }
    return true;
}

static bool extend_sequence(struct tree *tree, uint32_t number)
{
    if (!reserve_sequences(tree, tree->moves->count)) {
        return false;
    }
    tree->sequences[number].longer = tree->count;
    return number < tree->start_count ? extend_empty_sequence(tree, number)
                                      : extend_like_suffix(tree, number);
}

// Makes the newest layer from the shorter sequences.
static bool extend_layer(struct tree *tree)
{
    const struct sequence_layer *layer = &tree->layers[tree->length - 1];
    struct sequence_layer *longer = &tree->layers[tree->length];
    if (!reserve_extensions(tree, layer->first[0], layer->first[tree->start_count])) {
        return false;
    }
    for (unsigned start = 0; start < tree->start_count; start++) {
        uint32_t first = layer->first[start];
        uint32_t end = layer->first[start + 1];
        longer->first[start] = tree->count;
        if (!keep_shorter(tree, start, (end - first) * tree->moves->count)) {
            return false;
        }
        for (uint32_t number = first; number < end; number++) {
            if (!extend_sequence(tree, number)) {
                return false;
            }
        }
    }
    longer->first[tree->start_count] = tree->count;
    return true;
}

static uint64_t number_identity(struct tree *tree)
{
    const struct automaton_moves *moves = tree->moves;
    unsigned risk_words = (moves->kind_count * moves->points + 15) / 16;
    row_set_open(&tree->permutations, moves->points);
    row_set_open(&tree->risks, risk_words);
    tree->row = malloc((moves->points + risk_words) * sizeof *tree->row);
    if (!tree->row) {
        return 0;
    }
    for (unsigned x = 0; x < moves->points; x++) {
        tree->row[x] = (uint16_t)x;
    }
    return number_arrangement(tree, NULL);
}

static bool add_empty_sequences(struct tree *tree)
{
    uint64_t arrangement = 0;
    for (unsigned cell = 0; tree->board && cell < tree->start_count; cell++) {
        arrangement |= (uint64_t)cell << cell * NIBBLE;
    }
    if (!tree->board) {
        arrangement = number_identity(tree);
        if (arrangement == 0) {
            return false;
        }
    }
    if (!reserve_sequences(tree, tree->start_count)) {
        return false;
    }
    for (unsigned start = 0; start < tree->start_count; start++) {
        tree->sequences[start] =
            (struct move_sequence){.arrangement = arrangement, .start = (uint8_t)start};
        tree->layers[0].first[start + 1] = start + 1;
    }
    tree->count = tree->start_count;
    tree->begin_count = tree->start_count;
    return true;
}

// The memory that the next layer needs. It counts each sequence that is tried.
static uint64_t forecast_bytes(const struct tree *tree)
{
    uint64_t tried =
        (uint64_t)tree->layers[tree->length].first[tree->start_count] * tree->moves->count;
    return tried * (SEQUENCE_BYTES +
                    (tree->moves->points + (uint64_t)tree->risks.length) * sizeof(uint16_t));
}

static bool has_too_many_entries(const struct tree *tree, const struct automaton_limits *limits)
{
    return (uint64_t)tree->begin_count * tree->moves->count > limits->entries;
}

// Tries one length after another. If the automaton of a length is too large, that length is not
// used, but its sequences stay in the tree.
static bool grow_tree(struct tree *tree, const struct automaton_limits *limits)
{
    uint64_t bytes_most = limits->bytes < BYTES_MOST ? limits->bytes : BYTES_MOST;
    if (!add_empty_sequences(tree)) {
        return false;
    }
    do {
        tree->length++;
        tree->is_last = tree->length == limits->length;
        if (!extend_layer(tree)) {
            return false;
        }
        if (tree->length > 1 && has_too_many_entries(tree, limits)) {
            tree->length--;
            break;
        }
    } while (!tree->is_last && forecast_bytes(tree) <= bytes_most);
    return true;
}

// ---- The automaton ------------------------------------------------------------------------------

// Does a sequence begin a forbidden one?
static bool has_state(const struct tree *tree, uint32_t number)
{
    return tree->sequences[number].begins <= tree->length;
}

// A sequence that begins a forbidden one has a state of its own. Any other has the state of its
// suffix, which has one already. So the empty sequence from start s has state s.
static uint32_t number_automaton_states(const struct tree *tree, uint32_t *state_of)
{
    uint32_t states = 0;
    for (uint32_t number = 0; number < tree->count; number++) {
        state_of[number] =
            has_state(tree, number) ? states++ : state_of[tree->sequences[number].suffix];
    }
    return states;
}

static void fill_state(const struct tree *tree, const uint32_t *state_of, uint32_t number,
                       uint32_t *next)
{
    struct extension_pass extensions = begin_pass(tree, number);
    struct extension_pass suffixes = begin_pass(tree, tree->sequences[number].suffix);
    for (unsigned m = 0; m < tree->moves->count; m++) {
        uint32_t after = take_extension(&extensions, m);
        uint32_t suffix = take_suffix(tree, number, m, &suffixes);
        assert(after == NO_SEQUENCE || suffix < tree->count);
        next[m] =
            after == NO_SEQUENCE ? MOVE_PRUNED : state_of[after < tree->count ? after : suffix];
    }
}

static void fill_states(struct pruning_automaton *automaton, const struct tree *tree,
                        const uint32_t *state_of)
{
    uint32_t state = 0;
    for (uint32_t number = 0; number < tree->count; number++) {
        if (has_state(tree, number)) {
            fill_state(tree, state_of, number, pruning_automaton_row(automaton, state++));
        }
    }
}

static bool make_states(struct pruning_automaton *automaton, const struct tree *tree)
{
    uint32_t *state_of = malloc(tree->count * sizeof *state_of);
    if (!state_of) {
        return false;
    }
    automaton->length = tree->length;
    automaton->move_count = tree->moves->count;
    automaton->state_count = number_automaton_states(tree, state_of);
    assert(automaton->state_count > 0); // the empty sequences
    automaton->next =
        malloc((size_t)automaton->state_count * automaton->move_count * sizeof *automaton->next);
    if (automaton->next) {
        fill_states(automaton, tree, state_of);
    }
    free(state_of);
    return automaton->next;
}

bool pruning_automaton_build(struct pruning_automaton *automaton,
                             const struct automaton_moves *moves,
                             const struct automaton_limits *limits, struct fewest_error *error)
{
    assert(moves->count >= 1);
    assert(limits->length >= 1 && limits->length <= PRUNED_LENGTH_MOST);
    assert(!moves->board ||
           (moves->board->grid.cells <= BOARD_CELLS_MOST && moves->count <= BOARD_MOVES_MOST));
    struct tree tree = {.moves = moves,
                        .board = moves->board,
                        .start_count = moves->board ? moves->board->grid.cells : 1,
                        .extensions_size = (moves->count + 7) / 8};
    *automaton = (struct pruning_automaton){0};
    assert(tree.start_count >= 1);
    bool built = grow_tree(&tree, limits) && make_states(automaton, &tree);
    free(tree.sequences);
    free(tree.extensions);
    free(tree.known.slots);
    row_set_close(&tree.permutations);
    row_set_close(&tree.risks);
    free(tree.row);
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
