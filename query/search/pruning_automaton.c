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
// same start.
#include "pruning_automaton.h"

#include "tables/base/row_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 1 << 10, // sequences
    NEVER = UINT8_MAX,    // instead of a length
    WORD_BITS = 16,
    // The memory that a sequence takes, besides its points: itself, its number, and its slots.
    SEQUENCE_BYTES = 64,
};

static const uint64_t BYTES_MOST = UINT64_C(1) << 31; // so every array can be allocated

static const uint32_t NO_SEQUENCE = UINT32_MAX;

struct move_sequence {
    uint32_t parent; // the sequence without the last move
    uint32_t suffix; // the sequence without the first move
    uint32_t same;   // another one with the same at all points, or NO_SEQUENCE
    uint8_t start;   // of the moves that come after it
    uint8_t begins;  // the length of the shortest forbidden sequence that it begins, or NEVER
};

// The sequences of one length: those from start s are first[s] … first[s+1]-1.
struct sequence_layer {
    uint32_t first[BOARD_CELLS_MOST + 1];
};

// The sequences in order of their length, then of their start, then of their moves. Sequence s is
// the empty one from start s.
struct tree {
    const struct automaton_moves *moves;
    const struct board *board; // of the moves
    unsigned start_count;
    // An arrangement: what is at each point, and then risks as bits. The points of a board are its
    // cells.
    unsigned points;
    unsigned width;
    bool has_risks;
    struct move_sequence *sequences;
    uint16_t *arrangements; // that the sequences make
    uint32_t count;
    uint32_t room;
    uint32_t *next; // by sequence and then by move: the one move longer, or MOVE_PRUNED
    struct sequence_layer layers[PRUNED_LENGTH_MOST + 1];
    unsigned length;      // of the newest layer
    bool is_last;         // no longer ones are allowed
    uint32_t begin_count; // sequences that begin a forbidden one
    struct row_set known; // what the points hold after sequences from one start
    // By row: a sequence that leads to it, if there are risks. `same` leads on to the others.
    uint32_t *known_by;
};

// ---- The arrangements ---------------------------------------------------------------------------

// The arrangement that a sequence makes: `width` words.
static uint16_t *arrangement_of(const struct tree *tree, uint32_t number)
{
    return tree->arrangements + (size_t)number * tree->width;
}

// The start after a move, or NOWHERE if the move can't be made.
static unsigned start_after(const struct tree *tree, unsigned start, unsigned move)
{
    return tree->board ? tree->board->to[move][start] : 0;
}

// Adds to an arrangement the risks of what is at its points now: for each content that is illegal,
// the bit for its kind of piece and the slot that this content came from.
static void add_risks(const struct tree *tree, uint16_t *arrangement)
{
    const struct automaton_moves *moves = tree->moves;
    for (unsigned i = 0; i < moves->illegal_count; i++) {
        unsigned risk = moves->illegal[i].kind * moves->points +
                        moves->slot_of[arrangement[moves->illegal[i].point]];
        arrangement[tree->points + risk / WORD_BITS] |= (uint16_t)(1u << risk % WORD_BITS);
    }
}

// Makes the arrangement after a move from the one before. Its risks are those of before, and those
// of the new state.
static void permute_points(const struct tree *tree, const uint16_t *before, const uint16_t *move,
                           uint16_t *after)
{
    for (unsigned x = 0; x < tree->points; x++) {
        after[x] = before[move[x]];
    }
    for (unsigned w = tree->points; w < tree->width; w++) {
        after[w] = before[w];
    }
    add_risks(tree, after);
}

// Makes the arrangement of the sequence that is added next, number tree->count: that of sequence
// `number`, after a move that can be made. The caller has made room.
static void arrange_next(const struct tree *tree, uint32_t number, unsigned move)
{
    const uint16_t *before = arrangement_of(tree, number);
    uint16_t *after = arrangement_of(tree, tree->count);
    if (!tree->board) {
        permute_points(tree, before, tree->moves->permutations[move], after);
        return;
    }
    unsigned start = tree->sequences[number].start;
    unsigned blank = start_after(tree, start, move);
    memcpy(after, before, tree->width * sizeof *after);
    after[start] = before[blank];
    after[blank] = before[start];
}

// Has sequence `number` only risks that sequence `other` has, too? Then it is possible whenever the
// other one is.
static bool is_as_safe(const struct tree *tree, uint32_t number, uint32_t other)
{
    const uint16_t *risks = arrangement_of(tree, number);
    const uint16_t *allowed = arrangement_of(tree, other);
    unsigned w = tree->points;
    while (w < tree->width && (risks[w] & ~allowed[w]) == 0) {
        w++;
    }
    return w == tree->width;
}

// Enters the arrangement of a sequence among the known ones. *again tells whether the sequence is a
// duplicate: an earlier one makes the same arrangement and, if there are risks, has no others. If
// not, the sequence goes to the front of the list of those that make this arrangement. Returns
// false if memory runs out.
static bool enter_arrangement(struct tree *tree, uint32_t number, bool *again)
{
    uint32_t count = tree->known.count;
    uint32_t known = row_set_add(&tree->known, arrangement_of(tree, number));
    *again = known < count;
    if (known == ROW_NONE || !tree->has_risks) {
        return known != ROW_NONE;
    }
    uint32_t other = known < count ? tree->known_by[known] : NO_SEQUENCE;
    tree->sequences[number].same = other;
    while (other != NO_SEQUENCE && !is_as_safe(tree, other, number)) {
        other = tree->sequences[other].same;
    }
    *again = other != NO_SEQUENCE;
    if (!*again) {
        tree->known_by[known] = number;
    }
    return true;
}

// Makes known the arrangements that the newest layer may make again from a start, and no others:
// those of all shorter sequences from there. Returns false if memory runs out.
static bool enter_shorter(struct tree *tree, unsigned start)
{
    bool again;
    row_set_clear(&tree->known);
    for (unsigned length = 0; length < tree->length; length++) {
        const struct sequence_layer *layer = &tree->layers[length];
        for (uint32_t s = layer->first[start]; s < layer->first[start + 1]; s++) {
            if (!enter_arrangement(tree, s, &again)) {
                return false;
            }
        }
    }
    return true;
}

// ---- The sequences ------------------------------------------------------------------------------

// The row of a sequence in tree->next: by move, the sequence that is one move longer.
static uint32_t *next_of(const struct tree *tree, uint32_t number)
{
    return tree->next + (size_t)number * tree->moves->count;
}

// Marks a sequence, and those that it extends, as beginnings of a forbidden sequence of the newest
// length. Stops at one that is marked: those before it are marked, too.
static void forbid_after(struct tree *tree, uint32_t number)
{
    while (tree->sequences[number].begins == NEVER) { // the empty sequence at the end is marked
        tree->sequences[number].begins = (uint8_t)tree->length;
        tree->begin_count++;
        number = tree->sequences[number].parent;
    }
}

// Adds a sequence, which is made already in the place after the last: `number` extended by `move`.
static void add_sequence(struct tree *tree, uint32_t number, unsigned move, uint32_t suffix)
{
    struct move_sequence *sequence = &tree->sequences[tree->count++];
    sequence->parent = number;
    sequence->suffix = suffix;
    sequence->start = (uint8_t)start_after(tree, tree->sequences[number].start, move);
    sequence->begins = NEVER;
}

// Extends a sequence by a move, unless that makes a duplicate: then the extension is forbidden. Its
// suffix is `suffix`. In the last layer, an extension begins no forbidden sequence, so it would
// share the state of its suffix, and `next` names that at once. If there are risks, it is added all
// the same, because later sequences are compared with it. The caller has made room for one more
// sequence. Returns false if there is not enough memory.
static bool try_move(struct tree *tree, uint32_t number, unsigned move, uint32_t suffix)
{
    uint32_t longer = tree->count;
    bool is_duplicate;
    arrange_next(tree, number, move);
    if (!enter_arrangement(tree, longer, &is_duplicate)) {
        return false;
    }
    if (is_duplicate) {
        forbid_after(tree, number); // `next` keeps MOVE_PRUNED for this move
        return true;
    }
    next_of(tree, number)[move] = tree->is_last ? suffix : longer;
    if (!tree->is_last || tree->has_risks) {
        add_sequence(tree, number, move, suffix);
    }
    return true;
}

// Extends a sequence by each move that extends its suffix, too; else the extension would contain a
// duplicate. An empty sequence is extended by each move that can be made. The other moves become
// MOVE_PRUNED. Returns false if memory runs out.
static bool extend_sequence(struct tree *tree, uint32_t number)
{
    bool is_empty = number < tree->start_count;
    for (unsigned m = 0; m < tree->moves->count; m++) {
        uint32_t suffix = MOVE_PRUNED; // of the extension
        if (!is_empty) {
            suffix = next_of(tree, tree->sequences[number].suffix)[m];
        } else if (start_after(tree, number, m) != NOWHERE) {
            suffix = start_after(tree, number, m); // the empty sequence from there
        }
        next_of(tree, number)[m] = MOVE_PRUNED;
        if (suffix != MOVE_PRUNED && !try_move(tree, number, m, suffix)) {
            return false;
        }
    }
    return true;
}

// Makes room for `more` sequences. Returns false if memory runs out. Then what is there stays
// valid.
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
    if (sequences) {
        tree->sequences = sequences;
    }
    uint16_t *arrangements =
        realloc(tree->arrangements, (size_t)room * tree->width * sizeof *arrangements);
    if (arrangements) {
        tree->arrangements = arrangements;
    }
    uint32_t *known_by = realloc(tree->known_by, room * sizeof *known_by);
    if (known_by) {
        tree->known_by = known_by;
    }
    tree->room = room;
    return sequences && arrangements && known_by;
}

// Makes the newest layer, the sequences of length tree->length, from those that are one shorter.
// Returns false if memory runs out.
static bool extend_layer(struct tree *tree)
{
    const struct sequence_layer *layer = &tree->layers[tree->length - 1];
    struct sequence_layer *longer = &tree->layers[tree->length];
    size_t end = layer->first[tree->start_count];
    uint32_t *next = realloc(tree->next, end * tree->moves->count * sizeof *next);
    if (!next) {
        return false;
    }
    tree->next = next;
    for (unsigned start = 0; start < tree->start_count; start++) {
        longer->first[start] = tree->count;
        if (!enter_shorter(tree, start)) {
            return false;
        }
        for (uint32_t s = layer->first[start]; s < layer->first[start + 1]; s++) {
            if (!reserve_sequences(tree, tree->moves->count) || !extend_sequence(tree, s)) {
                return false;
            }
        }
    }
    longer->first[tree->start_count] = tree->count;
    return true;
}

// Makes the arrangement of an empty sequence: each point has its own content.
static void arrange_home(const struct tree *tree, uint16_t *arrangement)
{
    memset(arrangement, 0, tree->width * sizeof *arrangement);
    for (unsigned x = 0; x < tree->points; x++) {
        arrangement[x] = (uint16_t)x;
    }
    add_risks(tree, arrangement);
}

// Adds the empty sequence from each start: the layer of length 0. Each is marked as the beginning
// of a forbidden one, because the automaton needs a state for it. Returns false if memory runs out.
static bool add_empty_sequences(struct tree *tree)
{
    row_set_open(&tree->known, tree->points);
    if (!reserve_sequences(tree, tree->start_count)) {
        return false;
    }
    for (unsigned start = 0; start < tree->start_count; start++) {
        arrange_home(tree, arrangement_of(tree, start));
        tree->sequences[start] = (struct move_sequence){.start = (uint8_t)start}; // `begins` is 0
        tree->layers[0].first[start + 1] = start + 1;
    }
    tree->count = tree->start_count;
    tree->begin_count = tree->start_count;
    return true;
}

// The bytes that the next layer needs at most: as if each extension of each sequence were added.
static uint64_t forecast_bytes(const struct tree *tree)
{
    return (uint64_t)tree->count * tree->moves->count *
           (SEQUENCE_BYTES + tree->width * sizeof(uint16_t));
}

// Would the automaton of the newest length have more entries than the limits allow?
static bool has_too_many_entries(const struct tree *tree, const struct automaton_limits *limits)
{
    return (uint64_t)tree->begin_count * tree->moves->count > limits->entries;
}

// Makes layer after layer, up to the greatest length that keeps the limits. If the automaton of a
// length is too large, that length is not used, but its sequences stay in the tree. Returns false
// if memory runs out.
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

// Does a sequence begin a forbidden one of a length that is used? Then it has a state of its own.
static bool has_state(const struct tree *tree, uint32_t number)
{
    return tree->sequences[number].begins <= tree->length;
}

// Fills in the state of each sequence, and returns the number of states. A sequence that begins a
// forbidden one gets a state of its own. Any other has the state of its suffix, which is earlier in
// the list. The empty sequences come first, so that from start s gets state s.
static uint32_t number_automaton_states(const struct tree *tree, uint32_t *state_of)
{
    uint32_t states = 0;
    for (uint32_t number = 0; number < tree->count; number++) {
        if (has_state(tree, number)) {
            state_of[number] = states++;
        } else {
            state_of[number] = state_of[tree->sequences[number].suffix];
        }
    }
    return states;
}

// Fills in the rows of all states: where each move leads.
static void fill_states(struct pruning_automaton *automaton, const struct tree *tree,
                        const uint32_t *state_of)
{
    for (uint32_t number = 0; number < tree->count; number++) {
        if (!has_state(tree, number)) {
            continue;
        }
        uint32_t *row = pruning_automaton_row(automaton, state_of[number]);
        for (unsigned m = 0; m < automaton->move_count; m++) {
            uint32_t next = next_of(tree, number)[m];
            row[m] = next == MOVE_PRUNED ? MOVE_PRUNED : state_of[next];
        }
    }
}

// Makes the automaton of the tree. Returns false if memory runs out; pruning_automaton_free frees
// what is there.
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
    const struct board *board = moves->board;
    assert(moves->count >= 1);
    assert(limits->length >= 1 && limits->length <= PRUNED_LENGTH_MOST);
    assert(!board || (board->grid.cells <= BOARD_CELLS_MOST && moves->count <= BOARD_MOVES_MOST));
    unsigned risks = moves->kind_count * moves->points;
    struct tree tree = {.moves = moves,
                        .board = board,
                        .start_count = board ? board->grid.cells : 1,
                        .points = board ? board->grid.cells : moves->points};
    tree.width = tree.points + (risks + WORD_BITS - 1) / WORD_BITS;
    tree.has_risks = risks > 0;
    *automaton = (struct pruning_automaton){0};
    bool built = grow_tree(&tree, limits) && make_states(automaton, &tree);
    free(tree.sequences);
    free(tree.arrangements);
    free(tree.next);
    free(tree.known_by);
    row_set_close(&tree.known);
    if (!built) {
        pruning_automaton_free(automaton);
        return error_no_memory(error, "for the pruning automaton");
    }
    return true;
}

void pruning_automaton_free(struct pruning_automaton *automaton)
{
    free(automaton->next);
    *automaton = (struct pruning_automaton){0};
}
