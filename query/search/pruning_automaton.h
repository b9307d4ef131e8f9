// A finite-state machine that prunes duplicate move sequences from a depth-first search. Internal
// to query/.
//
// Different move sequences from one state may lead to the same state, and a depth-first search
// walks through all of them. In a permutation puzzle, two sequences that permute the points in the
// same way do so from every state. On a sliding board, it depends only on the cell of the blank,
// not on the tiles. So such sequences are found once, from the moves alone, and are recognised
// later (L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993).
//
// A *start* is what decides which moves are possible: the cell of the blank. A permutation puzzle
// has a single one.
//
//   1. Sequences from the same start are ordered by length and then lexicographically by the
//      numbers of their moves. A sequence that makes the same arrangement as an earlier one is a
//      *duplicate*.
//   2. Let w be a run of consecutive moves in a sequence a w b, and a duplicate from where it
//      begins. An earlier sequence w' makes the same arrangement. So a w' b makes the same as a w b
//      and comes earlier: a w b is a duplicate itself. So the first one of the shortest sequences
//      to an arrangement contains no duplicate. A search that prunes duplicates still finds it, and
//      finds the same shortest path as before.
//   3. A duplicate of up to a given length is *forbidden* if it contains no shorter one. The
//      automaton reads the moves of a search and knows the longest suffix of them that begins a
//      forbidden sequence (A. V. Aho and M. J. Corasick, "Efficient string matching", CACM 1975).
//      It prunes a move that completes a forbidden sequence.
//
// A forbidden sequence of length 1 is a move that does nothing, or the same as an earlier move. One
// of length 2 undoes a move, turns the same face twice, or makes two commuting moves in the later
// of their two orders. On a sliding board, twelve moves round a 2×2 square restore the board, so
// six moves one way round and six the other way make the same board. The later one of the two is
// forbidden.
//
// If some states are illegal, a state decides which sequences are possible: those that come through
// legal states only. A *risk* of a sequence is a condition on the state before it: a point holds a
// piece of some kind, and then one of the states on the way, the first one included, is illegal. A
// sequence w is a duplicate of an earlier w' only if each risk of w' is also one of w. Then w' is
// possible whenever w is. This stays true if the same moves come before or after both, so 1, 2 and
// 3 hold as before.
//
// The moves that led to a state decide which moves are pruned there. So a search that remembers
// states, or bounds for them, must remember the automaton's states, too.
#ifndef FEWEST_QUERY_PRUNING_AUTOMATON_H
#define FEWEST_QUERY_PRUNING_AUTOMATON_H

#include "tables/families/board/board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PRUNED_LENGTH_MOST = 16, // the longest forbidden sequence, in moves
    // Limits that keep the automaton of a permutation puzzle small and the building short: 4 MiB
    // and some 20 ms.
    PRUNING_ENTRIES = 1 << 20,
    PRUNING_BYTES = 1 << 24,
};

// Instead of a state: the move can't be made, or completes a forbidden sequence.
static const uint32_t MOVE_PRUNED = UINT32_MAX;

// State c is the start with the blank in cell c. State 0 is the start of a permutation puzzle.
// Constant once built, so that any number of threads may share it.
struct pruning_automaton {
    uint32_t *next; // by state and then by move: the state after it, or MOVE_PRUNED
    uint32_t state_count;
    unsigned move_count;
    unsigned length; // of the longest sequences that may be forbidden
};

// A point holds a piece of a kind that it must not hold. Kinds are numbered from 0.
struct illegal_content {
    uint16_t point;
    uint16_t kind;
};

// The moves of a puzzle. They move the blank of a board, or they permute points.
struct automaton_moves {
    unsigned count;
    const struct board *board; // needs only its grid and where its blank can go; or NULL
    // By move m: point x takes what was at point permutations[m][x] (the inverse of chain.h's
    // rows). A point stands for a piece's slot and orientation. Any moves will do: without
    // inverses, equal, or without an effect.
    const uint16_t *const *permutations;
    unsigned points;
    // A state with one of these is illegal.
    const struct illegal_content *illegal;
    unsigned illegal_count;
    unsigned kind_count;     // of pieces
    const uint16_t *slot_of; // by point: the points of a slot always hold the same kind
};

// The automaton gets the greatest length that keeps all limits. Length 1 is built in any case.
struct automaton_limits {
    unsigned length;  // 1 … PRUNED_LENGTH_MOST
    uint64_t entries; // of the automaton: states times moves
    uint64_t bytes;   // of memory for building, roughly; the time is proportional to it
};

// Builds the automaton. On a board, length 1 forbids nothing, and length 2 only the undoing of the
// last move. On a 4×4 board, length 8 makes 878 states, 10 makes 4,147, and 12 makes 15,222 in ten
// milliseconds. With the limits above, the 3×3×3 cube gets length 4 and 36 states in about ten
// milliseconds.
//
// The caller frees with pruning_automaton_free. Fails only if there is not enough memory; nothing
// is left to free then.
bool pruning_automaton_build(struct pruning_automaton *automaton,
                             const struct automaton_moves *moves,
                             const struct automaton_limits *limits, struct fewest_error *error);
void pruning_automaton_free(struct pruning_automaton *automaton);

// The states after each move from a state, or MOVE_PRUNED.
static inline uint32_t *pruning_automaton_row(const struct pruning_automaton *automaton,
                                              uint32_t state)
{
    return &automaton->next[(size_t)state * automaton->move_count];
}

#endif
