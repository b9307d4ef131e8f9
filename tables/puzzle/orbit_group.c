// The group of a permutation puzzle, without the part of the giants that is known.
#include "puzzle/orbits_own.h"

#include <stdlib.h>
#include <string.h>

// ---- The small group ----------------------------------------------------------------------------

// The effects of a move on each orbit as a whole.
struct effects {
    unsigned *sum; // by orbit: what it adds to the orientations
    bool *odd;     // by orbit: it permutes the slots oddly
    bool *seen;    // by slot, while cycles are followed
};

// Allocates the effects, in one piece of memory.
static bool make_effects(const struct orbits *orbits, struct effects *effects)
{
    effects->sum = malloc((orbits->count + 1) * (sizeof *effects->sum + sizeof *effects->odd) +
                          orbits->slot_count * sizeof *effects->seen);
    if (!effects->sum) {
        return false;
    }
    effects->odd = (bool *)(effects->sum + orbits->count + 1);
    effects->seen = effects->odd + orbits->count + 1;
    return true;
}

static void find_effects(const struct finder *finder, unsigned m, struct effects *effects)
{
    const struct orbits *orbits = finder->orbits;
    memset(effects->seen, false, orbits->slot_count * sizeof *effects->seen);
    memset(effects->odd, 0, orbits->count * sizeof *effects->odd);
    memset(effects->sum, 0, orbits->count * sizeof *effects->sum);
    for (unsigned s = 0; s < orbits->slot_count; s++) {
        unsigned orbit = orbits->slots[s].orbit;
        effects->sum[orbit] += finder_turn_of_move(finder, m, s);
        unsigned at = effects->seen[s] ? s : finder_slot_before(finder, m, s);
        for (; at != s; at = finder_slot_before(finder, m, at)) {
            effects->seen[at] = true;
            effects->odd[orbit] = !effects->odd[orbit];
        }
    }
}

// A giant has two points for its parity, and one for each sum of orientations.
static void act_on_giant(struct finder *finder, unsigned i, unsigned orbit,
                         const struct effects *effects)
{
    unsigned turns = finder->orbits->slots[finder_first_slot(finder, orbit)].turns;
    unsigned odd = effects->odd[orbit];
    unsigned first = finder->small_first[orbit];
    finder->small[i][first] = (group_point)(first + odd);
    finder->small[i][first + 1] = (group_point)(first + 1 - odd);
    for (unsigned t = 0; t < turns; t++) {
        finder->small[i][first + 2 + t] =
            (group_point)(first + 2 + (t + effects->sum[orbit]) % turns);
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
    struct effects effects;
    if (!make_effects(orbits, &effects)) {
        return finder_no_memory(finder->error);
    }
    finder->small = finder_make_rows(finder->move_count, finder->small_degree);
    for (unsigned i = 0; i < finder->move_count && finder->small; i++) {
        find_effects(finder, finder->move[i], &effects);
        for (unsigned o = 0; o < orbits->count; o++) {
            if (finder->giant[o]) {
                act_on_giant(finder, i, o, &effects);
            } else {
                act_on_points(finder, i, o);
            }
        }
    }
    free(effects.sum);
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

bool finder_no_group(const struct finder *finder, bool too_large)
{
    return too_large ? error_set(finder->error, FEWEST_BEYOND,
                                 "the states of %s would take too long to count: too many of its "
                                 "sets or slots depend on each other",
                                 finder->puzzle->name)
                     : finder_no_memory(finder->error);
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
    finder->work += group->work;
    free(base);
    bool too_large = group->too_large || finder->work > GROUP_WORK_MOST;
    return (done && !too_large) || finder_no_group(finder, too_large);
}
