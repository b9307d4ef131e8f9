// Says why no moves lead from START to TARGET, if a law that every move keeps tells it at once.
//
// A reason is a theorem about what the user typed. So a law is read off the moves, START and TARGET
// alone. A filter only takes moves away, so it breaks no law.
#include "permutation.h"
#include "tables/algebra/rank.h"

#include <stdio.h>
#include <string.h>

// The sum of the orientations of a segment, modulo their number.
static unsigned add_up(const struct segment *segment, const uint8_t *state)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < segment->length; i++) {
        sum += state[segment->first + i];
    }
    return sum % segment->symbols;
}

// Does every move keep the sum of a segment's orientations?
static bool keeps_sum(const struct puzzle *puzzle, const struct segment *segment)
{
    bool keeps = true;
    for (unsigned m = 0; m < puzzle->move_count && keeps; m++) {
        keeps = add_up(segment, puzzle->moves[m].add) == 0;
    }
    return keeps;
}

// Does every move make an even permutation of a segment?
static bool keeps_even(const struct puzzle *puzzle, const struct segment *segment)
{
    bool keeps = true;
    for (unsigned m = 0; m < puzzle->move_count && keeps; m++) {
        uint8_t from[PIECES_OF_SET_MOST];
        for (unsigned i = 0; i < segment->length; i++) {
            from[i] = (uint8_t)(puzzle->moves[m].from[segment->first + i] - segment->first);
        }
        keeps = !arrangement_is_odd(segment->length, from);
    }
    return keeps;
}

// Is the permutation from START to TARGET odd in a segment of different pieces?
static bool is_odd(const struct segment *segment, const uint8_t *start, const uint8_t *target)
{
    return arrangement_is_odd(segment->length, start + segment->first) !=
           arrangement_is_odd(segment->length, target + segment->first);
}

// First asks the filter whether START or TARGET is forbidden. Then looks for a law that forbids the
// way between them, unless TARGET has wildcards: the sum of the orientations of a set, or the
// parity of its pieces.
bool permutation_explain_unreachable(const struct puzzle *puzzle, const uint8_t *start,
                                     const uint8_t *target, char *reason, size_t size)
{
    const struct filter *filter = puzzle->filter;
    if (filter && (filter->explain(puzzle, "START", start, reason, size) ||
                   filter->explain(puzzle, "TARGET", target, reason, size))) {
        return true;
    }
    for (unsigned s = 0; s < puzzle->segment_count && !puzzle_has_wildcard(puzzle, target); s++) {
        const struct segment *segment = &puzzle->segments[s];
        const char *set = puzzle->definition->sets[segment->set].name;
        bool turns = segment->kind == SEGMENT_ORIENTATION && !segment->ignores;
        unsigned from = turns ? add_up(segment, start) : 0;
        unsigned to = turns ? add_up(segment, target) : 0;
        if (from != to && keeps_sum(puzzle, segment)) {
            snprintf(reason, size,
                     "modulo %u, the orientations of %s add up to %u in START and to %u in TARGET, "
                     "but every move keeps their sum",
                     segment->symbols, set, from, to);
            return true;
        }
        if (segment->kind == SEGMENT_ARRANGEMENT && is_odd(segment, start, target) &&
            keeps_even(puzzle, segment)) {
            bool alone = puzzle->definition->set_count == 1;
            snprintf(reason, size,
                     "the permutation%s%s from START to TARGET is odd, but every move is even%s",
                     alone ? "" : " of ", alone ? "" : set, alone ? "" : " there");
            return true;
        }
    }
    return false;
}
