// A finite-state machine that prunes duplicate move sequences from a depth-first search of a
// sliding board. Internal to query/.
//
// Different move sequences may lead to the same board, and a depth-first search walks through all
// of them. Where two sequences take the tiles depends on the cell of the blank before them, and not
// on the tiles. So duplicates are found once, from the moves alone, and are recognised later (L. A.
// Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993).
//
//   1. Sequences from the same cell of the blank are ordered by length and then lexicographically
//   by
//      the numbers of their moves. A sequence that leads to the same board as an earlier one is a
//      *duplicate*.
//   2. Let w be a run of consecutive moves in a sequence a w b, and a duplicate from where it
//      begins. An earlier sequence w' leads to the same board. So a w' b leads to the same board as
//      a w b and comes earlier: a w b is a duplicate itself. So the first one of the shortest
//      sequences to a board contains no duplicate. A search that prunes duplicates still finds it,
//      and finds the same shortest path as before.
//   3. A duplicate of up to a given length is *forbidden* if it contains no shorter one. The
//      automaton reads the moves of a search and knows the longest suffix of them that begins a
//      forbidden sequence (A. V. Aho and M. J. Corasick, "Efficient string matching", CACM 1975).
//      It prunes a move that completes a forbidden sequence.
//
// A forbidden sequence of length 2 undoes a move. Twelve moves round a 2×2 square restore the
// board, so six moves one way round and six the other way lead to the same board. The later one of
// the two is forbidden.
//
// The moves that led to a board decide which moves are pruned there. So a search that remembers
// boards, or bounds for them, must remember the automaton's states, too.
#ifndef FEWEST_QUERY_BOARD_AUTOMATON_H
#define FEWEST_QUERY_BOARD_AUTOMATON_H

#include "tables/families/board/board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Instead of a state: the move can't be made, or completes a forbidden sequence.
static const uint32_t MOVE_PRUNED = UINT32_MAX;

// State c stands for no moves yet and the blank in cell c.
struct board_automaton {
    uint32_t *next; // by state and then by move: the state after it, or MOVE_PRUNED
    uint32_t state_count;
    unsigned move_count;
};

// Builds the automaton for a board of at most 16 cells, whose moves go one cell each. Sequences of
// at most `length` moves (at least 1) may be forbidden; length 1 forbids nothing. On a 4×4 board,
// length 8 makes 878 states, 10 makes 4,147, and 12 makes 15,222 in ten milliseconds. With length
// 12, no board has more states than 2×2×4: 128,268.
//
// The caller frees with board_automaton_free. Fails only if there is not enough memory; nothing is
// left to free then.
bool board_automaton_build(struct board_automaton *automaton, const struct board *board,
                           unsigned move_count, unsigned length, struct fewest_error *error);
void board_automaton_free(struct board_automaton *automaton);

// The states after each move from a state, or MOVE_PRUNED.
static inline uint32_t *board_automaton_row(const struct board_automaton *automaton, uint32_t state)
{
    return &automaton->next[(size_t)state * automaton->move_count];
}

#endif
