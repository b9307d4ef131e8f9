// The rules of the deep check, which check.c explains. Internal to query/.
#ifndef FEWEST_QUERY_CHECK_CHECK_H
#define FEWEST_QUERY_CHECK_CHECK_H

#include "checker.h"

// Checks a table as fewest_check does, with a checker that a caller has set up.
bool check_table(struct checker *checker, bool deep);

// Checks rules 1 to 3 for any distances of the root's full states.
void check_distances(struct checker *checker, const struct proposed *proposed);

// Checks rule 11 for the root: by the checker's pages, or from state to state. False if it is
// broken or not proved. Then steps may lead anywhere.
bool check_pages(struct checker *checker);
bool check_numbers(struct checker *checker);

// Checks rule 4 for the root.
void check_wildcard_targets(struct checker *checker);

// Proves that the permutations that a section of wildcard targets stores are symmetries: rule 12.
void check_symmetries(struct checker *checker);

// Checks rules 5 and 6 for the root, and rules 1 to 3 for its full states.
void check_full_states(struct checker *checker);

// Checks rules 7 to 10 for a pattern database. `spoil` is NULL except in a test: there it changes
// the distances that the search found, and the rules must fail. The distance of an arrangement and
// a cell of the blank is at arrangement * cells + cell.
void check_database(struct checker *checker, unsigned number, void (*spoil)(uint8_t *distances));

#endif
