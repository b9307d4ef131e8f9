// All words without a duplicate in them are made level by level, from all cells of the blank at once. Each knows its
// *suffix*, the word without the first move, which belongs to the cell where that move leads. That one link does all
// the work: a longer word contains a duplicate that begins after the first move exactly if its suffix can't be made
// longer by the same move; and it leads the automaton from a word that begins no forbidden one to its longest end that
// does.
//
// A word without a duplicate in it is the first of the shortest to its board. So what is left to ask of a longer one is
// whether its board has been seen from the same cell. Each move changes the colour of the blank's cell, as on a
// checkerboard: such a board was made by a word that is shorter by two, or by an earlier one of the same length. No
// others need be looked at, and what is looked at stays in the cache.
#include "search/pruning_automaton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    NIBBLE = 4,
    FIRST_ROOM = 1 << 10, // words
};

static const uint32_t NO_WORD = UINT32_MAX;

struct word {
    uint64_t board;  // that it makes: by cell a nibble, the cell where what is there now was at first
    uint32_t parent; // without the last move
    uint32_t suffix; // without the first move
    uint32_t longer; // the first of the words with one move more, which stand in the order of their moves
    uint8_t moves;   // that make them: bit m for move m
    uint8_t cell;    // where the blank is now
    bool begins;     // a forbidden word
};

_Static_assert(BOARD_MOVES_MOST <= 8, "the moves fit a byte");
_Static_assert(BOARD_CELLS_MOST *NIBBLE <= 64, "a board fits a word of the machine");

// Words of one length: those with the blank first in cell c are first[c] … first[c+1]-1.
struct level {
    uint32_t first[BOARD_CELLS_MOST + 1];
};

// The boards that words from one cell make, hashed by linear probing; 0 is none.
struct seen {
    uint64_t *slots;
    unsigned log2;      // of the slots in use
    unsigned room_log2; // of those allocated
};

// The words in order of their length, then of where they start, then of their moves. Word c is the empty one from
// cell c. The longest are not there: they begin no forbidden word, and a state knows where they lead from their
// suffixes. They are known by the moves of their parents.
struct tree {
    const struct board *board;
    unsigned move_count;
    struct word *words;
    uint32_t count;
    uint32_t room;
    struct seen seen;
};

// ---- The boards seen ----------------------------------------------------------------------------------------------

// Where a board is, or is to be put (D. E. Knuth's multiplicative hashing: the golden ratio).
static uint64_t *find_board(const struct seen *seen, uint64_t board)
{
    uint64_t mask = (UINT64_C(1) << seen->log2) - 1;
    uint64_t slot = board * UINT64_C(0x9E3779B97F4A7C15) >> (64 - seen->log2);
    while (seen->slots[slot] != 0 && seen->slots[slot] != board) {
        slot = (slot + 1) & mask;
    }
    return &seen->slots[slot];
}

// Forgets all boards and makes room for fewer than 1 << log2.
static bool clear_seen(struct seen *seen, unsigned log2)
{
    if (!seen->slots || log2 > seen->room_log2) {
        free(seen->slots);
        seen->slots = malloc(sizeof *seen->slots << log2);
        if (!seen->slots) {
            return false;
        }
        seen->room_log2 = log2;
    }
    seen->log2 = log2;
    memset(seen->slots, 0, sizeof *seen->slots << log2);
    return true;
}

// Sees only the boards of the words first … end-1, and has room for `more`.
static bool see_only(struct tree *tree, uint32_t first, uint32_t end, uint32_t more)
{
    unsigned log2 = 1;
    while (UINT32_C(1) << log2 <= end - first + more) {
        log2++;
    }
    if (!clear_seen(&tree->seen, log2)) {
        return false;
    }
    for (uint32_t w = first; w < end; w++) {
        *find_board(&tree->seen, tree->words[w].board) = tree->words[w].board;
    }
    return true;
}

// ---- The words ----------------------------------------------------------------------------------------------------

// A word with one move more, or NO_WORD where the move can't be made or makes a duplicate.
static uint32_t word_after(const struct word *word, unsigned move)
{
    if (!(word->moves >> move & 1)) {
        return NO_WORD;
    }
    uint32_t after = word->longer;
    for (unsigned before = word->moves & ((1u << move) - 1); before != 0; before &= before - 1) {
        after++;
    }
    return after;
}

// The suffix of a word with one move more, one that can be made. NO_WORD where that is or contains a duplicate.
static uint32_t suffix_after(const struct tree *tree, uint32_t w, unsigned move)
{
    const struct word *word = &tree->words[w];
    bool is_empty = w < tree->board->grid.cells;
    return is_empty ? tree->board->to[move][word->cell] : word_after(&tree->words[word->suffix], move);
}

static uint64_t exchange(uint64_t board, unsigned a, unsigned b)
{
    uint64_t differ = (board >> a * NIBBLE ^ board >> b * NIBBLE) & 0xF;
    return board ^ differ << a * NIBBLE ^ differ << b * NIBBLE;
}

// Notes that one move more makes a forbidden word of this one.
static void forbid_after(struct tree *tree, uint32_t w)
{
    while (!tree->words[w].begins) { // the empty words are marked from the outset
        tree->words[w].begins = true;
        w = tree->words[w].parent;
    }
}

// There is room for the longer word.
static void try_move(struct tree *tree, uint32_t w, unsigned move, bool is_last)
{
    struct word *word = &tree->words[w];
    unsigned to = tree->board->to[move][word->cell];
    uint32_t suffix = to == NOWHERE ? NO_WORD : suffix_after(tree, w, move);
    if (suffix == NO_WORD) {
        return;
    }
    uint64_t board = exchange(word->board, word->cell, to);
    uint64_t *seen = find_board(&tree->seen, board);
    if (*seen == board) {
        forbid_after(tree, w);
        return;
    }
    *seen = board;
    word->moves |= (uint8_t)(1u << move);
    if (!is_last) {
        tree->words[tree->count++] = (struct word){.board = board, .parent = w, .suffix = suffix, .cell = (uint8_t)to};
    }
}

static bool reserve(struct tree *tree, unsigned more)
{
    if (tree->room - tree->count >= more) {
        return true;
    }
    uint32_t room = tree->room == 0 ? FIRST_ROOM : 2 * tree->room;
    struct word *words = realloc(tree->words, room * sizeof *words);
    if (!words) {
        return false;
    }
    tree->words = words;
    tree->room = room;
    return true;
}

static bool extend(struct tree *tree, uint32_t w, bool is_last)
{
    if (!reserve(tree, tree->move_count)) {
        return false;
    }
    tree->words[w].longer = tree->count;
    for (unsigned m = 0; m < tree->move_count; m++) {
        try_move(tree, w, m, is_last);
    }
    return true;
}

// From the words of one length and those shorter by one to those longer by one.
static bool extend_level(struct tree *tree, const struct level *shorter, const struct level *level, bool is_last,
                         struct level *longer)
{
    unsigned cells = tree->board->grid.cells;
    for (unsigned cell = 0; cell < cells; cell++) {
        uint32_t first = level->first[cell];
        uint32_t end = level->first[cell + 1];
        longer->first[cell] = tree->count;
        if (!see_only(tree, shorter->first[cell], shorter->first[cell + 1], (end - first) * tree->move_count)) {
            return false;
        }
        for (uint32_t w = first; w < end; w++) {
            if (!extend(tree, w, is_last)) {
                return false;
            }
        }
    }
    longer->first[cells] = tree->count;
    return true;
}

static bool add_empty_words(struct tree *tree, struct level *level)
{
    unsigned cells = tree->board->grid.cells;
    uint64_t board = 0;
    for (unsigned cell = 0; cell < cells; cell++) {
        board |= (uint64_t)cell << cell * NIBBLE;
    }
    if (!reserve(tree, cells)) {
        return false;
    }
    for (unsigned cell = 0; cell < cells; cell++) {
        tree->words[cell] = (struct word){.board = board, .cell = (uint8_t)cell, .begins = true};
        level->first[cell + 1] = cell + 1;
    }
    tree->count = cells;
    return true;
}

static bool grow(struct tree *tree, unsigned depth)
{
    struct level shorter = {{0}};
    struct level level = {{0}};
    struct level longer;
    if (!add_empty_words(tree, &level)) {
        return false;
    }
    for (unsigned length = 1; length <= depth; length++) {
        if (!extend_level(tree, &shorter, &level, length == depth, &longer)) {
            return false;
        }
        shorter = level;
        level = longer;
    }
    return true;
}

// ---- The automaton ------------------------------------------------------------------------------------------------

// A word that begins a forbidden one is a state; for any other, its suffix's is, which has one already.
static uint32_t number_states(const struct tree *tree, uint32_t *state_of)
{
    uint32_t states = 0;
    for (uint32_t w = 0; w < tree->count; w++) {
        state_of[w] = tree->words[w].begins ? states++ : state_of[tree->words[w].suffix];
    }
    return states;
}

static uint32_t state_after(const struct tree *tree, const uint32_t *state_of, uint32_t w, unsigned move)
{
    uint32_t after = word_after(&tree->words[w], move);
    if (after == NO_WORD) {
        return WORDS_PRUNED;
    }
    return state_of[after < tree->count ? after : suffix_after(tree, w, move)];
}

static void fill(struct words *words, const struct tree *tree, const uint32_t *state_of)
{
    uint32_t state = 0;
    for (uint32_t w = 0; w < tree->count; w++) {
        if (!tree->words[w].begins) {
            continue;
        }
        for (unsigned m = 0; m < BOARD_MOVES_MOST; m++) {
            words->next[state][m] = state_after(tree, state_of, w, m);
        }
        state++;
    }
}

static bool make_states(struct words *words, const struct tree *tree)
{
    uint32_t *state_of = malloc(tree->count * sizeof *state_of);
    if (!state_of) {
        return false;
    }
    words->state_count = number_states(tree, state_of);
    assert(words->state_count > 0); // the starts
    words->next = malloc(words->state_count * sizeof *words->next);
    if (words->next) {
        fill(words, tree, state_of);
    }
    free(state_of);
    return words->next;
}

bool words_build(struct words *words, const struct board *board, unsigned move_count, unsigned depth,
                 struct fewest_error *error)
{
    assert(board->grid.cells <= BOARD_CELLS_MOST && move_count <= BOARD_MOVES_MOST);
    assert(depth >= 1 && depth <= WORDS_DEPTH_MOST);
    struct tree tree = {.board = board, .move_count = move_count};
    *words = (struct words){0};
    bool built = grow(&tree, depth) && make_states(words, &tree);
    free(tree.words);
    free(tree.seen.slots);
    if (!built) {
        words_free(words);
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pruning automaton");
    }
    return true;
}

void words_free(struct words *words)
{
    free(words->next);
    *words = (struct words){0};
}
