// The pruning automaton of a permutation puzzle. Internal to query/.
#ifndef FEWEST_QUERY_POINT_AUTOMATON_H
#define FEWEST_QUERY_POINT_AUTOMATON_H

#include "puzzle/puzzle.h"
#include "search/pruning_automaton.h"

// Builds the automaton of a puzzle with one goal and at most POINTS_MOST points. Sequences of moves
// are duplicates if nobody can tell apart what they make, whatever the state before. Fails only if
// there is not enough memory; nothing is left to free then.
bool point_automaton_build(struct pruning_automaton *automaton, const struct puzzle *puzzle,
                           struct fewest_error *error);

#endif
