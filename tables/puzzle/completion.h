// Every way to fill the wildcards of a pattern.
#ifndef FEWEST_TABLES_COMPLETION_H
#define FEWEST_TABLES_COMPLETION_H

#include "puzzle/puzzle.h"

// How many states agree with the pattern: UINT64_MAX where that doesn't fit.
uint64_t completion_count(const struct puzzle *puzzle, const uint8_t *pattern);

// Calls visit(context, state) for each of them until it returns false, orientations that do not count as 0 (so that one
// may come more than once). Not for puzzles that complete by index.
typedef bool completion_visitor(void *context, const uint8_t *state);
void completion_each(const struct puzzle *puzzle, const uint8_t *pattern, completion_visitor *visit, void *context);

// Where an index is a sum of one term for each cell (orientations alone, or the tops of cubes), the open cells are
// turned like dials, without ranking each state anew: far faster. Visits runs of indices: first, first+step, …, `count`
// of them, until it returns false.
typedef bool completion_run_visitor(void *context, uint64_t first, uint64_t step, unsigned count);
bool completion_is_by_index(const struct puzzle *puzzle);
void completion_each_run(const struct puzzle *puzzle, const uint8_t *pattern, completion_run_visitor *visit,
                         void *context);

#endif
