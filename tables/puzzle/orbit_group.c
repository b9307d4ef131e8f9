// The group of a permutation puzzle, without the part of the giants that is known.
#include "puzzle/orbits_own.h"

#include <stdlib.h>

// ---- The small group ----------------------------------------------------------------------------

static bool is_odd_on(const struct finder *finder, unsigned m, unsigned orbit)
{
    bool odd = false;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        for (unsigned t = 0; t < s && finder_in_orbit(finder, s, orbit); t++) {
            odd ^= finder_in_orbit(finder, t, orbit) &&
                   finder_slot_before(finder, m, t) > finder_slot_before(finder, m, s);
        }
    }
    return odd;
}

static unsigned sum_on(const struct finder *finder, unsigned m, unsigned orbit)
{
    unsigned sum = 0;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        sum += finder_in_orbit(finder, s, orbit) ? finder_turn_of_move(finder, m, s) : 0;
    }
    return sum % finder->orbits->slots[finder_first_slot(finder, orbit)].turns;
}

// A giant has two points for its parity, and one for each sum of orientations.
static void act_on_giant(struct finder *finder, unsigned i, unsigned orbit)
{
    unsigned turns = finder->orbits->slots[finder_first_slot(finder, orbit)].turns;
    unsigned sum = sum_on(finder, finder->move[i], orbit);
    unsigned odd = is_odd_on(finder, finder->move[i], orbit);
    unsigned first = finder->small_first[orbit];
    finder->small[i][first] = (group_point)(first + odd);
    finder->small[i][first + 1] = (group_point)(first + 1 - odd);
    for (unsigned t = 0; t < turns; t++) {
        finder->small[i][first + 2 + t] = (group_point)(first + 2 + (t + sum) % turns);
    }
}

static void act_on_points(struct finder *finder, unsigned i, unsigned orbit)
{
    const struct slot *slots = finder->orbits->slots;
    unsigned at = finder->small_first[orbit];
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        for (unsigned t = 0; t < slots[s].turns && finder_in_orbit(finder, s, orbit); t++, at++) {
            group_point before = finder->rows[i][finder->first[s] + t];
            unsigned slot = finder_slot_of_point(finder, before);
            unsigned to = finder->small_first[orbit] + before - finder->first[slot];
            for (unsigned u = 0; u < slot; u++) {
                to += finder_in_orbit(finder, u, orbit) ? slots[u].turns : 0;
            }
            finder->small[i][at] = (group_point)to;
        }
    }
}

bool finder_make_small(struct finder *finder)
{
    const struct orbits *orbits = finder->orbits;
    free(finder->small_first);
    finder_free_rows(finder->small, finder->move_count);
    finder->small = NULL;
    finder->small_degree = 0;
    finder->small_order = 0;
    finder->small_first = calloc(orbits->count + 1, sizeof *finder->small_first);
    if (!finder->small_first) {
        return finder_no_memory(finder->error);
    }
    for (unsigned o = 0; o < orbits->count; o++) {
        finder->small_first[o] = finder->small_degree;
        for (unsigned s = 0; s < orbits->slot_count; s++) {
            if (finder_in_orbit(finder, s, o) &&
                (!finder->giant[o] || s == finder_first_slot(finder, o))) {
                finder->small_degree += orbits->slots[s].turns + (finder->giant[o] ? 2 : 0);
            }
        }
    }
    finder->small = finder_make_rows(finder->move_count, finder->small_degree);
    for (unsigned i = 0; i < finder->move_count && finder->small; i++) {
        for (unsigned o = 0; o < orbits->count; o++) {
            (finder->giant[o] ? act_on_giant : act_on_points)(finder, i, o);
        }
    }
    return finder->small || finder_no_memory(finder->error);
}

// Appends points that only the identity of an orbit's part of the small group fixes.
static unsigned append_base(const struct finder *finder, unsigned orbit, group_point *base,
                            unsigned count)
{
    unsigned at = finder->small_first[orbit];
    if (finder->giant[orbit]) {
        base[count++] = (group_point)at;
        base[count++] = (group_point)(at + 2);
        return count;
    }
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (finder_in_orbit(finder, s, orbit)) {
            base[count++] = (group_point)at;
            at += finder->orbits->slots[s].turns;
        }
    }
    return count;
}

// Builds the small group with a base that ends with the points of an orbit. `own` is the first
// level of these: what fixes all other orbits.
bool finder_make_group(struct finder *finder, unsigned orbit, struct group *group, unsigned *own)
{
    group_point *base = malloc((finder->small_degree + 1) * sizeof *base);
    unsigned count = 0;
    bool done = base;
    for (unsigned o = 0; o < finder->orbits->count && done; o++) {
        count = o == orbit ? count : append_base(finder, o, base, count);
    }
    *own = count;
    count = done ? append_base(finder, orbit, base, count) : 0;
    done =
        done && group_make(group, finder->small_degree, (const group_point *const *)finder->small,
                           finder->move_count, base, count, finder->small_order);
    finder->small_order = done ? group->order : 0;
    free(base);
    return done || finder_no_memory(finder->error);
}
