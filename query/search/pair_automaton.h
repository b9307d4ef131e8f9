// The pruning automaton of a puzzle with illegal states. Internal to query/.
//
// In such a puzzle, a state decides which sequences of moves are possible. A duplicate sequence
// (pruning_automaton.h) may be pruned only if the earlier sequence is possible in every state in
// which the duplicate is. That holds in two cases:
//   1. The earlier sequence has at most one move. This move leads to the state where the duplicate
//      ends, and that state is legal. States between do not matter, even for a power of a move.
//   2. Two moves that change no common slot commute. Suppose that the later order is possible. Then
//      the first move of the earlier order is possible, too: after it, each slot holds what it
//      holds at the start or at the end of the later order.
// By 2, the automaton prunes two such moves if the first has the greater number. Longer duplicates
// are not pruned: the earlier sequence may have to pass through an illegal state.
//
// As in pruning_automaton.h, the first one of the shortest possible sequences to a state contains
// none of these duplicates. Else the earlier sequence could take its place.
#ifndef FEWEST_QUERY_PAIR_AUTOMATON_H
#define FEWEST_QUERY_PAIR_AUTOMATON_H

#include "search/pruning_automaton.h"

// Builds the automaton, without states if it would exceed the limits of pruning_automaton.h. State
// 0 is the start, and state 1 + m follows move m. The moves permute points. Fails only if there is
// not enough memory; nothing is left to free then.
bool pair_automaton_build(struct pruning_automaton *automaton, const struct automaton_moves *moves,
                          struct fewest_error *error);

#endif
