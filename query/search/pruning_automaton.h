// An automaton that prunes duplicates from a depth-first search of a sliding board. Internal to query/.
//
// Different move words from one board may lead to the same board, and a depth-first search walks through all of them.
// Which do does not depend on the tiles, only on where the blank is: so they are found once, with all tiles different,
// and then recognised by the moves alone (L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search",
// AAAI 1993).
//
//   1. Words from the same cell of the blank are ordered by length and then lexicographically by the numbers of their
//      moves. A word that makes the same board as an earlier one is a *duplicate*.
//   2. A word that contains a duplicate (a factor, from the cell where it begins) is one itself: the earlier word can
//      take the factor's place. So the first of the shortest words to a board contains none, and a search that prunes
//      duplicates still finds it: nothing is lost, not even which of the shortest paths is found.
//   3. Those up to a given length are *forbidden* that contain no shorter one. The automaton reads the moves of a
//   search
//      and knows the longest end of what it has read that begins a forbidden word (A. V. Aho and M. J. Corasick,
//      "Efficient string matching", CACM 1975). It prunes a move that completes one.
//
// Of length 2 are the words that undo a move at once, of 12 moves round a 2×2 square the latter of two halves.
//
// This holds for a search that forgets: one that remembers boards or bounds between the paths to them would have to
// remember states of the automaton, too.
#ifndef FEWEST_QUERY_WORDS_H
#define FEWEST_QUERY_WORDS_H

#include "puzzle/board.h"

#include <stdbool.h>
#include <stdint.h>

// Enough that it is never a limit of ours, and few enough that words are counted in 32 bits.
enum { WORDS_DEPTH_MOST = 16 };

// Instead of a state: the move can't be made, or completes a forbidden word.
static const uint32_t WORDS_PRUNED = UINT32_MAX;

// State c is the start with the blank in cell c. Constant once built, so that any number of threads may share it.
struct words {
    uint32_t (*next)[BOARD_MOVES_MOST]; // by state and move: the state after it, or WORDS_PRUNED
    uint32_t state_count;
};

// Forbids words of up to `depth` moves, 1 … WORDS_DEPTH_MOST: 1 forbids none, 2 only to undo the last move. On a 4×4
// board, 8 make 878 states in half a millisecond, 10 make 4,147 in two, 12 make 15,222 in ten.
// `board` needs only its grid and where the blank goes. The caller frees with words_free; on failure, which only memory
// can be the cause of, nothing is left to free.
bool words_build(struct words *words, const struct board *board, unsigned move_count, unsigned depth,
                 struct fewest_error *error);
void words_free(struct words *words);

#endif
