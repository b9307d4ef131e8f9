// The pruning automaton of a permutation puzzle. Internal to query/.
#ifndef FEWEST_QUERY_POINT_AUTOMATON_H
#define FEWEST_QUERY_POINT_AUTOMATON_H

#include "pruning_automaton.h"
#include "tables/puzzle/puzzle.h"

// Builds the automaton of a puzzle with one goal and at most POINTS_MOST points. Two sequences of
// moves make the same arrangement if the states after them always look the same, whatever the state
// before. Pieces that look alike, and orientations that do not count, do not tell them apart. Fails
// only if there is not enough memory; nothing is left to free then.
bool point_automaton_build(struct pruning_automaton *automaton, const struct puzzle *puzzle,
                           struct fewest_error *error);

#endif
