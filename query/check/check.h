// The rules of the deep check, which check.c explains. Internal to query/.
#ifndef FEWEST_QUERY_CHECK_CHECK_H
#define FEWEST_QUERY_CHECK_CHECK_H

#include "checker.h"

// Checks a table as fewest_check does, with a checker that a caller has set up.
bool check_table(struct checker *checker, bool deep);

// Checks rules for checker->section.
typedef void section_rules(struct checker *checker);

// The rules for the sections of one kind. NULL: there are none, and only the bits are checked.
struct section_check {
    section_rules *always; // by any check
    section_rules *deep;   // by the deep check
};

extern const struct section_check SECTION_CHECKS[SECTION_KIND_COUNT];

// Checks rules 1 to 3 for any distances of the root's nodes.
void check_distances(struct checker *checker, const struct proposed *proposed);

// Checks rule 11 for the root: by the checker's pages, or from state to state. False if it is
// broken or not proved. Then steps may lead anywhere.
bool check_pages(struct checker *checker);
bool check_numbers(struct checker *checker);

section_rules check_wildcard_targets; // rule 4
section_rules check_symmetries;       // rule 12, for the symmetries that the section stores
section_rules check_stripes;          // rule 13
section_rules check_full_states;      // rules 5 and 6, and 1 to 3 for the nodes (rolling/check.c)

// Checks rules 7 to 10 for a pattern database. `spoil` is NULL except in a test: there it changes
// the distances that the search found, and the rules must fail. The distance of an arrangement and
// a cell of the blank is at arrangement * cells + cell.
void check_database(struct checker *checker, unsigned number, void (*spoil)(uint8_t *distances));

#endif
