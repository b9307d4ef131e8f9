// Cuts the index of a permutation puzzle for a fast search (gen/pages.h).
#include "index/rank.h"
#include "puzzle/invariant.h"

#include <assert.h>

// ---- Free digits --------------------------------------------------------------------------------

// Does a coordinate change independently of the others? It does not if it shares a parity with
// them, or if the pieces decide which of its orientations count.
static bool is_free(const struct permutation *permutation, unsigned p)
{
    for (unsigned q = 0; q < permutation->part_count; q++) {
        const struct part *other = &permutation->parts[q];
        bool shared = (other->parity_with & (other->parity_with - 1)) != 0;
        if (other->implied == IMPLIED_PARITY && shared && p < 64 && (other->parity_with >> p & 1)) {
            return false;
        }
    }
    return !permutation->parts[p].ignores;
}

unsigned permutation_find_free_digits(const struct puzzle *puzzle, struct free_digit *digits)
{
    const struct permutation *permutation = permutation_of(puzzle);
    unsigned count = 0;
    for (unsigned p = permutation->part_count; p-- > 0 && is_free(permutation, p);) {
        const struct part *part = &permutation->parts[p];
        bool at_home =
            part->kind == SEGMENT_ORIENTATION && puzzle->segments[part->segment].pieces < 0;
        bool has_digits = at_home && part->implied != IMPLIED_SUM;
        digits[count++] = (struct free_digit){part->kept, has_digits ? part->symbols : 0};
    }
    return count;
}

// ---- Points -------------------------------------------------------------------------------------
// If the states are a group, the points are pieces. Distances are counted from the identity, so the
// search may multiply by moves on either side. If pieces look alike, the points are the places of
// those that are unique.

// The only coordinate that has more than one value, or NULL if there are several.
static const struct part *find_only_part(const struct permutation *permutation)
{
    const struct part *only = NULL;
    for (unsigned p = 0; p < permutation->part_count; p++) {
        if (permutation->parts[p].kept > 1) {
            if (only) {
                return NULL;
            }
            only = &permutation->parts[p];
        }
    }
    return only;
}

bool permutation_find_points(const struct puzzle *puzzle, struct point_row *row)
{
    const struct permutation *permutation = permutation_of(puzzle);
    const struct part *part = find_only_part(permutation);
    if (!part || part->kind == SEGMENT_ORIENTATION || part->length > RANK_LONGEST) {
        return false;
    }
    *row = (struct point_row){.outer = 1, .points = part->length};
    if (part->kind == SEGMENT_ARRANGEMENT && permutation->group) {
        row->length = part->length - (part->implied == IMPLIED_PARITY ? 2 : 0);
        return row->length > 0;
    }
    unsigned alike = 0; // values that several pieces have
    for (unsigned value = 0; value < part->symbols; value++) {
        row->length += part->amount[value] == 1;
        alike += part->amount[value] > 1;
    }
    return part->kind == SEGMENT_MULTISET && alike <= 1 && row->length > 0;
}

unsigned permutation_move_points(const struct puzzle *puzzle, unsigned outer, unsigned move,
                                 uint8_t *map)
{
    const struct part *part = find_only_part(permutation_of(puzzle)); // find_points has seen it
    assert(part);
    const uint8_t *from = puzzle->moves[move].from;
    unsigned first = puzzle->segments[part->segment].first;
    for (unsigned point = 0; point < part->length; point++) {
        if (part->kind == SEGMENT_ARRANGEMENT) {
            map[point] = part->number[from[first + part->value[point]] - first];
            continue;
        }
        unsigned to = 0;
        while (part->cell[to] != from[part->cell[point]]) {
            to++;
        }
        map[point] = (uint8_t)to;
    }
    return outer;
}
