// Chooses how a query is answered: by a search, by one entry, or by all states that match a target.
#include "choose.h"

bool choose_needs_two_sides(const struct puzzle *puzzle, const uint8_t *start)
{
    if (!start || puzzle->board || puzzle->numbering.answers != ANSWERS_TARGETS) {
        return false;
    }
    // If moves can be undone, the table also answers from the solved state.
    return !puzzle->reversible || !puzzle_answers_target(puzzle, start);
}

// Chooses the look-up of a wildcard target, whose relative target is in the lookup: its entry or,
// if it has none, all states that match it. Numbers the wildcard targets before, if no query did.
static bool choose_wildcard_lookup(struct fewest *table, struct lookup *lookup,
                                   struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const struct wildcard_index *wildcards = &puzzle->numbering.roots[lookup->root].wildcards;
    if (!table_has_wildcard_numbers(table) && !table_number_wildcards(table, error)) {
        return table_prefix_path(table, error);
    }
    if (wildcards->entries > 0 && wildcard_rank(wildcards, lookup->relative, &lookup->entry)) {
        lookup->way = LOOKUP_ENTRY;
        lookup->section = &table->wildcards[lookup->root];
    } else {
        lookup->way = LOOKUP_STATES;
    }
    return true;
}

bool choose_has_distances(const struct fewest *table, struct fewest_error *error)
{
    return puzzle_is_numbered(&table->puzzle) ||
           error_set(error, FEWEST_BEYOND,
                     "%s is solved by a search: its table holds no distances, which this needs",
                     table->puzzle.name);
}

bool choose_lookup(struct fewest *table, const uint8_t *start, const uint8_t *target,
                   struct lookup *lookup, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!choose_has_distances(table, error)) {
        return false;
    }
    bool is_wild = puzzle_has_wildcard(puzzle, target);
    if (is_wild && !puzzle_accepts_wildcards(puzzle, target)) {
        lookup->way = LOOKUP_STATES; // there is no relative target, so no root is known
        lookup->root = 0;
        return true;
    }
    if (!puzzle_find_relative(puzzle, start, target, &lookup->root, lookup->relative, error)) {
        return false;
    }
    if (is_wild) {
        return choose_wildcard_lookup(table, lookup, error);
    }
    lookup->section = &table->states[lookup->root];
    lookup->entry = puzzle_rank(puzzle, lookup->root, lookup->relative);
    lookup->way = lookup->entry == INDEX_NONE ? LOOKUP_NONE : LOOKUP_ENTRY;
    return true;
}
