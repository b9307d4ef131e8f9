// Bounds the order of the group of a puzzle's moves from above.
#include "group_bound.h"

#include "tables/algebra/chain/random_elements.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIGNS = 2,
    MOVE_WORK = 8,  // to read and write a move, for each slot
    CYCLE_WORK = 8, // to follow the cycles of an element, for each slot
};

// The points that the small group has for an orbit: none, those of its sign and sum, or all.
enum part { PART_NOTHING, PART_SUMS, PART_POINTS };

struct orbit {
    unsigned slots;
    unsigned turns;
    enum part part;
    unsigned first; // PART_SUMS: SIGNS points for the sign, the even one first; then `turns`
    bool odd;       // the permutation of the slots by the move that is read
    unsigned sum;   // of the turns that this move makes
};

struct small_group {
    const struct point_view *view;
    struct orbit *orbits;     // by their first slot; of other slots all is 0
    chain_point *small_of;    // by point of the view, if its orbit is PART_POINTS
    chain_point *points;      // where each move takes the points, row by row
    const chain_point **rows; // by move
    chain_point *others;      // of the plan
    bool *seen;               // by slot
    struct chain_plan plan;
};

static void close_group(struct small_group *group)
{
    free(group->orbits);
    free(group->small_of);
    free(group->points);
    free(group->rows);
    free(group->others);
    free(group->seen);
}

// Finds the orbits, and makes room for any parts of them. The caller closes the group, also after a
// failure. Returns false if memory runs out.
static bool open_group(struct small_group *group, const struct point_view *view)
{
    size_t slots = view->slot_count + 1u;
    // A slot has a point for each orientation and, if there are several, one more. So the small
    // group has at most as many points, or SIGNS and one for each orbit.
    size_t degree = view->degree + (SIGNS + 1) * slots;
    *group = (struct small_group){.view = view};
    group->orbits = calloc(slots, sizeof *group->orbits);
    group->small_of = calloc(view->degree + 1u, sizeof *group->small_of);
    group->points = malloc((view->move_count + 1u) * degree * sizeof *group->points);
    group->rows = malloc((view->move_count + 1u) * sizeof *group->rows);
    group->others = malloc(2 * slots * sizeof *group->others);
    group->seen = malloc(slots * sizeof *group->seen);
    if (!group->orbits || !group->small_of || !group->points || !group->rows || !group->others ||
        !group->seen) {
        return false;
    }
    for (unsigned s = 0; s < view->slot_count; s++) {
        struct orbit *orbit = &group->orbits[view->slots[s].orbit];
        orbit->slots++;
        orbit->turns = view->slots[s].turns;
    }
    return true;
}

// Numbers the points of the small group, and lists those that tell its elements apart (`others` in
// chain.h).
static void number_points(struct small_group *group)
{
    struct chain_plan *plan = &group->plan;
    plan->degree = 0;
    plan->other_count = 0;
    for (unsigned s = 0; s < group->view->slot_count; s++) {
        const struct view_slot *slot = &group->view->slots[s];
        struct orbit *orbit = &group->orbits[slot->orbit];
        if (orbit->part == PART_SUMS && slot->orbit == s) {
            orbit->first = plan->degree;
            plan->degree += SIGNS + orbit->turns;
            group->others[plan->other_count++] = (chain_point)orbit->first;
            group->others[plan->other_count++] = (chain_point)(orbit->first + SIGNS);
        }
        for (unsigned t = 0; t < orbit->turns && orbit->part == PART_POINTS; t++) {
            group->small_of[slot->first + t] = (chain_point)plan->degree++;
        }
        if (orbit->part == PART_POINTS) {
            group->others[plan->other_count++] = group->small_of[slot->first];
        }
    }
}

// Finds the sign and the sum (group_bound.h) of each orbit under a move. `row` tells where the move
// takes each point of the view.
static void read_move(struct small_group *group, const chain_point *row)
{
    const struct point_view *view = group->view;
    memset(group->seen, false, view->slot_count * sizeof *group->seen);
    for (unsigned s = 0; s < view->slot_count; s++) {
        group->orbits[s].odd = false;
        group->orbits[s].sum = 0;
    }
    for (unsigned s = 0; s < view->slot_count; s++) {
        struct orbit *orbit = &group->orbits[view->slots[s].orbit];
        // A cycle of n slots is n-1 exchanges: one for each slot but its last.
        for (unsigned at = s; !group->seen[at];) {
            unsigned to = view->slot_of[row[view->slots[at].alone]];
            group->seen[at] = true;
            // The distance of the image from the first point of its slot is a number of turns.
            orbit->sum += (unsigned)(row[view->slots[at].first] - view->slots[to].first);
            orbit->odd ^= to != s;
            at = to;
        }
    }
}

// Writes where a move takes the points of the small group, after read_move.
static void write_row(const struct small_group *group, const chain_point *row, chain_point *small)
{
    for (unsigned s = 0; s < group->view->slot_count; s++) {
        const struct view_slot *slot = &group->view->slots[s];
        const struct orbit *orbit = &group->orbits[slot->orbit];
        if (orbit->part == PART_SUMS && slot->orbit == s) {
            unsigned sum = orbit->first + SIGNS;
            small[orbit->first] = (chain_point)(orbit->first + orbit->odd);
            small[orbit->first + 1] = (chain_point)(orbit->first + !orbit->odd);
            for (unsigned t = 0; t < orbit->turns; t++) {
                small[sum + t] = (chain_point)(sum + (t + orbit->sum) % orbit->turns);
            }
        }
        for (unsigned t = 0; t < orbit->turns && orbit->part == PART_POINTS; t++) {
            small[group->small_of[slot->first + t]] = group->small_of[row[slot->first + t]];
        }
    }
}

// How many of all permutations and turns of an orbit have one sign and one sum: of n > 1 slots,
// n! / 2 × turns^(n-1). May be infinite.
static long double count_fitting(const struct orbit *orbit)
{
    long double count = orbit->slots > 1 ? 1.0L / SIGNS : 1;
    for (unsigned i = 1; i <= orbit->slots; i++) {
        count *= (long double)i * (i > 1 ? orbit->turns : 1);
    }
    return count;
}

// Sets the bound of a plan, and adds to the plan's work. The bound is the order of the small group,
// whose parts are chosen, times count_fitting of each orbit with PART_SUMS. Fails as chain_make
// does.
static bool find_bound(struct small_group *group, struct chain_plan *plan,
                       struct fewest_error *error)
{
    const struct point_view *view = group->view;
    struct chain chain;
    number_points(group);
    for (unsigned m = 0; m < view->move_count; m++) {
        chain_point *small = group->points + m * (size_t)group->plan.degree;
        read_move(group, plan->moves[m]);
        write_row(group, plan->moves[m], small);
        group->rows[m] = small;
    }
    group->plan.moves = group->rows;
    group->plan.move_count = view->move_count;
    group->plan.others = group->others;
    group->plan.work = plan->work + view->move_count * (uint64_t)view->slot_count * MOVE_WORK;
    bool done = chain_make(&chain, &group->plan, error);
    long double bound = chain.order;
    for (unsigned s = 0; s < view->slot_count; s++) {
        bound *= group->orbits[s].part == PART_SUMS ? count_fitting(&group->orbits[s]) : 1;
    }
    plan->work = chain.work;
    plan->bound = bound <= LDBL_MAX ? bound : 0;
    chain_free(&chain);
    return done;
}

// The search for orbits that follow others.
struct following {
    const struct point_view *view;
    const struct orbit *orbits;
    chain_point *image; // by point: the one that follows it, or CHAIN_NONE
    chain_point *queue; // of points that are followed
    bool *seen;         // by slot
    int64_t patience;   // falls by the work
};

// Has each slot of orbit c a point that follows a point of the queue, which has those of orbit b?
// An element that fixes all points of b then fixes a point of each slot of c, and so all points of
// c. (Slots of a set whose pieces stay at home are in one orbit, though no move connects them.)
static bool covers(const struct following *following, unsigned count, unsigned c)
{
    unsigned covered = 0;
    memset(following->seen, false, following->view->slot_count * sizeof *following->seen);
    for (unsigned i = 0; i < count; i++) {
        unsigned slot = following->view->slot_of[following->image[following->queue[i]]];
        covered += !following->seen[slot];
        following->seen[slot] = true;
    }
    return covered == following->orbits[c].slots;
}

// Can point y follow point x, and each other point of y's orbit c a point of x's orbit b? If a move
// takes x to a point, then the point that follows that one is where the move takes y, and so on.
// Returns false if the moves contradict this, or if the patience is used up.
static bool can_follow(struct following *following, unsigned x, unsigned y)
{
    const struct point_view *view = following->view;
    unsigned b = view->slots[view->slot_of[x]].orbit;
    unsigned count = 0;
    following->patience -= view->degree;
    memset(following->image, 0xFF, view->degree * sizeof *following->image);
    following->image[x] = (chain_point)y;
    following->queue[count++] = (chain_point)x;
    for (unsigned i = 0; i < count && following->patience > 0; i++) {
        following->patience -= view->move_count;
        for (unsigned m = 0; m < view->move_count; m++) {
            const chain_point *row = view->plan.moves[m];
            chain_point next = row[following->queue[i]];
            chain_point wanted = row[following->image[following->queue[i]]];
            if (following->image[next] == CHAIN_NONE) {
                following->image[next] = wanted;
                following->queue[count++] = next;
            } else if (following->image[next] != wanted) {
                return false;
            }
        }
    }
    return following->patience > 0 &&
           count == following->orbits[b].slots * following->orbits[b].turns &&
           covers(following, count, view->slots[view->slot_of[y]].orbit);
}

// Do the points of orbit c follow those of another orbit, b? Then what an element does in b tells
// what it does in c.
static bool follows(struct following *following, unsigned b, unsigned c)
{
    const struct view_slot *slots = following->view->slots;
    for (unsigned s = c; s < following->view->slot_count; s++) {
        unsigned turns = slots[s].orbit == c ? slots[s].turns : 0;
        for (unsigned t = 0; t < turns && following->patience > 0; t++) {
            if (can_follow(following, slots[b].first, slots[s].first + t)) {
                return true;
            }
        }
    }
    return false;
}

// Leaves out orbits that follow another one: the stickers of a piece, for example. An orbit that is
// left out leads no other, so of two that follow each other one stays. Ends when the patience is
// used up. Adds to *work. Returns false if memory runs out.
static bool leave_out_followers(const struct small_group *group, enum part *chosen, uint64_t *work)
{
    enum { PATIENCE = 1 << 24 };
    unsigned degree = group->view->degree;
    unsigned slots = group->view->slot_count;
    chain_point *room = malloc((2 * (size_t)degree + 1) * sizeof *room);
    if (!room) {
        return false;
    }
    struct following following = {group->view,   group->orbits, room,
                                  room + degree, group->seen,   PATIENCE};
    for (unsigned c = 0; c < slots; c++) {
        for (unsigned b = 0; b < slots && chosen[c] != PART_NOTHING; b++) {
            if (b != c && chosen[b] != PART_NOTHING && follows(&following, b, c)) {
                chosen[c] = PART_NOTHING;
            }
        }
    }
    *work += (uint64_t)(PATIENCE - following.patience);
    free(room);
    return true;
}

static bool is_prime(unsigned n)
{
    for (unsigned d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return false;
        }
    }
    return n > 1;
}

// Chooses PART_SUMS for each orbit of n slots where the element `row` has a cycle of p slots, for a
// prime p with n/2 < p < n-2. The moves make all even permutations of such an orbit (C. Jordan,
// 1873).
static void find_long_cycles(struct small_group *group, const chain_point *row, enum part *chosen)
{
    const struct point_view *view = group->view;
    memset(group->seen, false, view->slot_count * sizeof *group->seen);
    for (unsigned s = 0; s < view->slot_count; s++) {
        unsigned orbit = view->slots[s].orbit;
        unsigned slots = group->orbits[orbit].slots;
        unsigned length = 0;
        for (unsigned at = s; !group->seen[at]; length++) {
            group->seen[at] = true;
            at = view->slot_of[row[view->slots[at].alone]];
        }
        if (2 * length > slots && length + 2 < slots && is_prime(length)) {
            chosen[orbit] = PART_SUMS;
        }
    }
}

// Chooses the parts of all orbits. *any tells whether some orbit has PART_SUMS. Returns false
// if memory runs out.
static bool choose_parts(struct small_group *group, struct chain_plan *plan, bool *any)
{
    enum { ELEMENTS = 100 }; // one in 5 to 11 has such a cycle
    unsigned slots = group->view->slot_count;
    enum part chosen[slots + 1]; // by first slot
    for (unsigned s = 0; s < slots; s++) {
        chosen[s] = group->orbits[s].slots > 0 ? PART_POINTS : PART_NOTHING;
    }
    struct random_elements *elements =
        random_elements_open(plan->degree, plan->moves, plan->move_count);
    for (unsigned i = 0; i < ELEMENTS && elements; i++) {
        find_long_cycles(group, random_elements_next(elements), chosen);
    }
    random_elements_close(elements);
    plan->work +=
        random_elements_open_work(plan->degree, plan->move_count) +
        ELEMENTS * (random_elements_next_work(plan->degree) + CYCLE_WORK * (uint64_t)slots);
    *any = false;
    for (unsigned s = 0; s < slots; s++) {
        *any = *any || chosen[s] == PART_SUMS;
    }
    if (!elements || (*any && !leave_out_followers(group, chosen, &plan->work))) {
        return false;
    }
    for (unsigned s = 0; s < slots; s++) {
        group->orbits[s].part = chosen[s];
    }
    return true;
}

bool group_bound_find(struct point_view *view, struct fewest_error *error)
{
    struct small_group group;
    bool any = false;
    bool done = open_group(&group, view) && choose_parts(&group, &view->plan, &any);
    if (!done) {
        (void)error_no_memory(error, "to count the states");
    } else if (any) {
        done = find_bound(&group, &view->plan, error);
    }
    close_group(&group);
    return done;
}
