// Counts the classes of states under the symmetries of the puzzle and under inversion, and the
// positions and their classes.
//
// A class is an orbit of the symmetry group on the states at one distance. By Burnside's lemma, the
// number of orbits is the mean number of states that a symmetry keeps. So it is the sum over all
// states of the number of symmetries that keep the state, divided by the order of the group.
// Inversion commutes with each symmetry. Together they are a group twice as large: a symmetry
// followed by inversion keeps a state if the symmetry takes it to its inverse. No list of states is
// needed.
//
// A position is a coset gR of the rotations of the whole (whole_rotations.h). Its labels, which are
// the inverse of a state (state_symmetries.h), are r∘label for each rotation r. No rotation but the
// identity keeps a state, so one state of each position has the least row of labels. This state
// stands for the position. For most other states, the first label tells that they do not. So each
// state is unranked once and ranked once, though each position is looked up in all of its states.
#include "query/answer/distance.h"
#include "query/table/visit.h"
#include "tables/families/symmetry/state_symmetries.h"
#include "tables/families/symmetry/whole_rotations.h"

#include <string.h>

enum { DISTANCES = 256 };

// The most states that are looked up to count positions, which takes some minutes.
static const uint64_t LOOKED_AT_MOST = UINT64_C(1) << 29;

struct class_sums {
    uint64_t count[DISTANCES];     // positions
    uint64_t keeping[DISTANCES];   // sum over states or positions: symmetries that keep each
    uint64_t inverting[DISTANCES]; // sum over states: symmetries that take each to its inverse
    unsigned largest;              // distance of a position
    uint64_t farthest; // the least index of a state that stands for a position at that distance
};

struct class_count {
    struct whole_rotations rotations;
    struct state_symmetries symmetries;
    bool counts_inverses;
    struct class_sums sums;
};

// ---- Both counts --------------------------------------------------------------------------------

// Fails if the table has no distances from its only goal, which choose_lookup tells, or has several
// goals. `what` names what is counted, for the message.
static bool check_goal(struct fewest *table, const char *what, struct lookup *lookup,
                       struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!choose_lookup(table, puzzle->goals[0], puzzle->goals[0], lookup, error)) {
        return false;
    }
    return puzzle->goal_count == 1 ||
           error_set(error, FEWEST_BEYOND, "%s has several goals; %s need one solved state",
                     puzzle->name, what);
}

// Notes a state that stands for a position at a distance, if it is the farthest one so far. Of
// several, the one with the least index stays, so that the threads do not matter.
static void note_farthest(struct class_sums *sums, unsigned distance, uint64_t index)
{
    bool first = sums->count[sums->largest] == 0; // of all
    if (first || distance > sums->largest ||
        (distance == sums->largest && index < sums->farthest)) {
        sums->largest = distance;
        sums->farthest = index;
    }
}

// Adds the sums of a part of the visit to those of all.
static void add_sums(void *context, const void *part)
{
    struct class_sums *all = context;
    const struct class_sums *sums = part;
    if (sums->count[sums->largest] > 0) {
        note_farthest(all, sums->largest, sums->farthest);
    }
    for (unsigned d = 0; d < DISTANCES; d++) {
        all->count[d] += sums->count[d];
        all->keeping[d] += sums->keeping[d];
        all->inverting[d] += sums->inverting[d];
    }
}

// Passes all states to `take`, which adds to the sums of its part of the visit.
static bool visit_all(struct fewest *table, struct class_count *count, state_taker *take,
                      struct fewest_error *error)
{
    struct visit visit = {.table = table,
                          .start = table->puzzle.goals[0],
                          .take = take,
                          .context = &count->sums,
                          .shared = count,
                          .error = error};
    return visit_in_parts(&visit, sizeof count->sums, add_sums);
}

// Turns a sum at distance d into a number of classes (Burnside's lemma). Fails with FEWEST_DAMAGED
// if a remainder is left: then the distances of the table are not symmetric.
static bool divide_sum(uint64_t sum, uint64_t order, unsigned d, uint64_t *classes,
                       struct fewest_error *error)
{
    *classes = sum / order;
    return sum % order == 0 ||
           error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: those at distance %u are not symmetric", d);
}

// ---- Classes of states --------------------------------------------------------------------------

// Adds to the sums how many symmetries keep a state and, if inverses are counted, how many take it
// to its inverse. Always returns true: the visit goes on.
static bool add_state(struct visit *visit, uint64_t index, int distance)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    const struct class_count *count = visit->shared;
    struct class_sums *sums = visit->context;
    uint8_t state[CELLS_MOST];
    chain_point label[POINTS_MOST];
    if (puzzle->board) {
        visit_write_state(visit, index, state);
    } else { // state_symmetries_read takes the relative target
        puzzle_unrank(puzzle, visit->root, index, state);
    }
    state_symmetries_read(puzzle, state, label);
    sums->keeping[distance] += state_symmetries_count_keeping(&count->symmetries, label);
    if (count->counts_inverses) {
        sums->inverting[distance] += state_symmetries_count_inverting(&count->symmetries, label);
    }
    return true;
}

// Turns the sums into numbers of classes. With inversion, the group is twice as large.
static bool divide_sums(const struct class_count *count, struct fewest_classes *classes,
                        struct fewest_error *error)
{
    const struct class_sums *sums = &count->sums;
    unsigned order = count->symmetries.order;
    classes->symmetries = order;
    classes->counts_inverses = count->counts_inverses;
    for (unsigned d = 0; d < DISTANCES; d++) {
        if (!divide_sum(sums->keeping[d], order, d, &classes->symmetric[d], error) ||
            (count->counts_inverses &&
             !divide_sum(sums->keeping[d] + sums->inverting[d], 2 * (uint64_t)order, d,
                         &classes->or_inverse[d], error))) {
            return false;
        }
    }
    return true;
}

bool fewest_count_classes(struct fewest *table, struct fewest_classes *classes,
                          struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct class_count count = {.counts_inverses = false};
    struct lookup lookup;
    *classes = (struct fewest_classes){.symmetries = 0};
    bool found =
        check_goal(table, "classes of states", &lookup, error) &&
        state_symmetries_find(&count.symmetries, puzzle, STATE_SYMMETRIES_OF_CLASSES, error);
    count.counts_inverses = count.symmetries.group && puzzle->reversible;
    bool counted =
        found && visit_all(table, &count, add_state, error) && divide_sums(&count, classes, error);
    state_symmetries_free(&count.symmetries);
    return counted;
}

// ---- Positions ----------------------------------------------------------------------------------

// Does a state stand for its position? It does if no rotation makes a lesser row of its labels.
static bool is_least(const struct row_set *rotations, const chain_point *label)
{
    for (uint32_t r = 1; r < rotations->count; r++) { // 0 is the identity
        const chain_point *row = row_set_row(rotations, r);
        unsigned x = 0;
        while (row[label[x]] == label[x]) {
            x++; // ends, because a rotation moves some point
        }
        if (row[label[x]] < label[x]) {
            return false;
        }
    }
    return true;
}

// Lowers *distance to that of a position, whose state is given by its labels. Returns false with
// visit->failed after an error.
static bool find_nearest_state(struct visit *visit, const chain_point *label, int *distance)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    const struct class_count *count = visit->shared;
    const struct row_set *rotations = &count->rotations.rows;
    const struct point_view *view = permutation_view(puzzle);
    chain_point image[POINTS_MOST] = {0}; // the state as a permutation of points
    chain_point firsts[POINTS_MOST];
    uint8_t relative[CELLS_MOST];
    for (unsigned x = 0; x < view->slot_points; x++) {
        image[label[x]] = (chain_point)x;
    }
    for (uint32_t r = 1; r < rotations->count; r++) {
        const chain_point *row = row_set_row(rotations, r);
        for (unsigned i = 0; i < view->slot_count; i++) {
            firsts[i] = image[row[view->slots[i].first]];
        }
        point_view_write(view, firsts, relative);
        uint64_t index = puzzle_rank(puzzle, visit->root, relative);
        int found = FEWEST_UNREACHABLE;
        if (index != INDEX_NONE &&
            !table_entry(visit->table, &visit->table->sections[SECTION_STATES][visit->root], index,
                         &found, visit->error)) {
            visit->failed = true;
            return false;
        }
        if (found == FEWEST_UNREACHABLE) {
            visit->failed = !error_set(visit->error, FEWEST_DAMAGED,
                                       "the table holds wrong distances: a rotation of the whole "
                                       "makes a state unreachable");
            return false;
        }
        *distance = found < *distance ? found : *distance;
    }
    return true;
}

// Counts the symmetries s that keep the position of a state g: s∘g∘s⁻¹ = g∘r for some rotation r.
// The labels are g⁻¹, so r⁻¹ takes label[s(x)] to s(label[x]) for each point x. A symmetry of the
// list counts as often as its class has members, as in state_symmetries.h.
static unsigned count_keeping(const struct class_count *count, const chain_point *label)
{
    const struct state_symmetries *symmetries = &count->symmetries;
    unsigned keeping = 0;
    chain_point row[POINTS_MOST];
    for (unsigned s = 0; s < symmetries->count; s++) {
        const chain_point *to = symmetries->to + (size_t)s * symmetries->width;
        for (unsigned x = 0; x < symmetries->width; x++) {
            row[label[to[x]]] = to[label[x]];
        }
        if (row_set_find(&count->rotations.rows, row) != ROW_NONE) {
            keeping += symmetries->members[s];
        }
    }
    return keeping;
}

// Counts the position of a state in the sums of a part of the visit, if the state stands for it.
static bool add_position(struct visit *visit, uint64_t index, int distance)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    const struct class_count *count = visit->shared;
    struct class_sums *sums = visit->context;
    uint8_t relative[CELLS_MOST];
    chain_point label[POINTS_MOST];
    puzzle_unrank(puzzle, visit->root, index, relative);
    state_symmetries_read(puzzle, relative, label);
    if (!is_least(&count->rotations.rows, label)) {
        return true;
    }
    if (!find_nearest_state(visit, label, &distance)) {
        return false;
    }
    note_farthest(sums, (unsigned)distance, index);
    sums->count[distance]++;
    sums->keeping[distance] += count_keeping(count, label);
    return true;
}

// Writes the state whose position is the farthest one.
static void write_farthest(const struct puzzle *puzzle, uint64_t index, uint8_t *state)
{
    uint8_t relative[CELLS_MOST];
    puzzle_unrank(puzzle, 0, index, relative);
    puzzle_restore_counted(puzzle, relative, state);
}

// Fills in the result. Fails with FEWEST_DAMAGED if there are too few positions, or if their
// distances are not symmetric.
static bool fill_result(const struct puzzle *puzzle, const struct class_count *count,
                        struct fewest_positions *positions, struct fewest_error *error)
{
    const struct class_sums *sums = &count->sums;
    unsigned order = count->symmetries.order;
    double sum = 0;
    positions->rotations = count->rotations.rows.count;
    positions->symmetries = order;
    positions->largest = sums->largest;
    for (unsigned d = 0; d <= sums->largest; d++) {
        if (!divide_sum(sums->keeping[d], order, d, &positions->classes[d], error)) {
            return false;
        }
        positions->count[d] = sums->count[d];
        positions->positions += sums->count[d];
        sum += (double)d * (double)sums->count[d];
    }
    if (positions->positions != puzzle->numbering.state_count / positions->rotations) {
        return error_set(error, FEWEST_DAMAGED,
                         "the table holds wrong distances: some states are unreachable");
    }
    positions->mean = sum / (double)positions->positions;
    write_farthest(puzzle, sums->farthest, positions->farthest);
    return true;
}

// Keeps only the symmetries that take positions to positions.
static void drop_symmetries(struct state_symmetries *symmetries,
                            const struct whole_rotations *rotations)
{
    size_t width = symmetries->width;
    unsigned kept = 0;
    for (unsigned s = 0; s < symmetries->count; s++) {
        const chain_point *to = symmetries->to + s * width;
        if (whole_rotations_are_kept(rotations, to)) {
            memmove(symmetries->to + kept * width, to, width * sizeof *to);
            kept++;
        }
    }
    symmetries->count = kept;
    symmetries->order = kept;
}

// Finds the rotations and symmetries. If the rotations are exactly the symmetries that moves can
// make, one symmetry of each conjugacy class is enough. If not, all are listed, and some dropped.
static bool find_symmetries(const struct puzzle *puzzle, struct class_count *count,
                            struct fewest_error *error)
{
    if (!whole_rotations_list(&count->rotations, puzzle, error)) {
        return false;
    }
    bool are_symmetries = count->rotations.are_symmetries;
    if (!state_symmetries_find(&count->symmetries, puzzle,
                               are_symmetries ? STATE_SYMMETRIES_OF_CLASSES : STATE_SYMMETRIES_ALL,
                               error)) {
        return false;
    }
    if (!are_symmetries) {
        drop_symmetries(&count->symmetries, &count->rotations);
    }
    return true;
}

// Fails if positions of the table can't be counted by look-ups in any order.
static bool check_table(struct fewest *table, struct fewest_error *error)
{
    static const char INSTEAD[] = "`fewest-gen --count --rotations` counts without a table";
    const struct puzzle *puzzle = &table->puzzle;
    struct lookup lookup;
    if (!check_goal(table, "positions", &lookup, error)) {
        return false;
    }
    if (puzzle->numbering.state_count > LOOKED_AT_MOST) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has more than %llu states, too many to look up the positions; %s",
                         puzzle->name, (unsigned long long)LOOKED_AT_MOST, INSTEAD);
    }
    if (table->sections[SECTION_STATES][lookup.root].held) {
        return error_set(error, FEWEST_BEYOND,
                         "the table of %s unpacks to more memory than the cache has, and positions "
                         "need all of it; use a larger --cache, or %s",
                         puzzle->name, INSTEAD);
    }
    return true;
}

bool fewest_count_positions(struct fewest *table, struct fewest_positions *positions,
                            struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct class_count count = {.counts_inverses = false};
    *positions = (struct fewest_positions){.rotations = 1};
    bool counted = check_table(table, error) && find_symmetries(puzzle, &count, error) &&
                   visit_all(table, &count, add_position, error) &&
                   fill_result(puzzle, &count, positions, error);
    whole_rotations_free(&count.rotations);
    state_symmetries_free(&count.symmetries);
    return counted;
}
