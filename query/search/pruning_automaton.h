// A finite-state machine that prunes duplicate move sequences from a depth-first search of a
// sliding board. Internal to query/.
//
// Different move sequences from one board may lead to the same board, and a depth-first search
// walks through all of them. Whether two sequences do depends only on the cell of the blank, not on
// the tiles. So such sequences are found once, with all tiles different, and are recognised later
// by the moves alone (L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search",
// AAAI 1993).
//
//   1. Sequences from the same cell of the blank are ordered by length and then lexicographically
//      by the numbers of their moves. A sequence that makes the same board as an earlier one is a
//      *duplicate*.
//   2. A sequence that contains a duplicate (of sequences from the cell where that begins) is a
//      duplicate itself: the earlier sequence can take its place. So the first one of the shortest
//      sequences to a board contains none. A search that prunes duplicates still finds it, and
//      finds the same shortest path as before.
//   3. A duplicate of up to a given length is *forbidden* if it contains no shorter one. The
//      automaton reads the moves of a search and knows the longest suffix of them that begins a
//      forbidden sequence (A. V. Aho and M. J. Corasick, "Efficient string matching", CACM 1975).
//      It prunes a move that completes a forbidden sequence.
//
// Forbidden sequences of length 2 undo a move at once. Twelve moves round a 2×2 square restore the
// board, so six moves one way round and six the other way make the same board. The later one of the
// two is forbidden.
//
// A search that remembers boards, or bounds for them, from one path to the next would have to
// remember the automaton's states, too.
#ifndef FEWEST_QUERY_PRUNING_AUTOMATON_H
#define FEWEST_QUERY_PRUNING_AUTOMATON_H

#include "puzzle/board.h"

#include <stdbool.h>
#include <stdint.h>

// The longest forbidden sequence, in moves: few enough that sequences are counted in 32 bits.
enum { PRUNED_LENGTH_MOST = 16 };

// Instead of a state: the move can't be made, or completes a forbidden sequence.
static const uint32_t MOVE_PRUNED = UINT32_MAX;

// State c is the start with the blank in cell c. Constant once built, so that any number of threads
// may share it.
struct pruning_automaton {
    uint32_t (*next)[BOARD_MOVES_MOST]; // by state and move: the state after it, or MOVE_PRUNED
    uint32_t state_count;
};

// Builds the automaton that forbids sequences of up to `length` moves, 1 … PRUNED_LENGTH_MOST.
// Length 1 forbids nothing, length 2 only the undoing of the last move. On a 4×4 board, length 8
// makes 878 states in half a millisecond, 10 makes 4,147 in two, and 12 makes 15,222 in ten.
//
// `board` needs only its grid and its moves of the blank. The caller frees with
// pruning_automaton_free. Fails only if there is not enough memory; nothing is left to free then.
bool pruning_automaton_build(struct pruning_automaton *automaton, const struct board *board,
                             unsigned move_count, unsigned length, struct fewest_error *error);
void pruning_automaton_free(struct pruning_automaton *automaton);

#endif
