// Counts the positions at each distance, and their classes under the symmetries of the puzzle.
//
// A position is a coset gR of the rotations of the whole (whole_rotations.h). Its labels, which are
// the inverse of a state (state_symmetries.h), are r∘label for each rotation r. No rotation but the
// identity keeps a state, so one state of each position has the least row of labels. It stands for
// the position, and most others are told apart from it by their first label. So each state is
// unranked once and ranked once, though each position is looked up in all of its states.
//
// The classes are counted by Burnside's lemma, as in classes.c: their number is the mean number of
// positions that a symmetry keeps.
#include "query/answer/distance.h"
#include "query/table/visit.h"
#include "tables/families/symmetry/state_symmetries.h"
#include "tables/families/symmetry/whole_rotations.h"

#include <string.h>

enum { DISTANCES = 256 };

// Limit of the look-ups: some minutes.
static const uint64_t LOOKED_AT_MOST = UINT64_C(1) << 29;

struct position_sums {
    uint64_t count[DISTANCES];
    uint64_t keeping[DISTANCES]; // of each position, the symmetries that keep it
    unsigned largest;
    uint64_t farthest; // the least index of a state that stands for a position at that distance
};

struct position_count {
    struct whole_rotations rotations;
    struct state_symmetries symmetries;
    struct position_sums sums;
};

// ---- One position -------------------------------------------------------------------------------

// Does a state stand for its position? No rotation makes a lesser row of its labels.
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
    const struct position_count *count = visit->shared;
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
static unsigned count_keeping(const struct position_count *count, const chain_point *label)
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

// ---- All positions ------------------------------------------------------------------------------

// Notes a state that stands for a position at a distance, if it is the farthest one so far. Of
// several, the one with the least index stays, so that the threads do not matter.
static void note_farthest(struct position_sums *sums, unsigned distance, uint64_t index)
{
    bool first = sums->count[sums->largest] == 0; // of all
    if (first || distance > sums->largest ||
        (distance == sums->largest && index < sums->farthest)) {
        sums->largest = distance;
        sums->farthest = index;
    }
}

// Counts the position of a state in the sums of a part of the visit, if the state stands for it.
static bool add_state(struct visit *visit, uint64_t index, int distance)
{
    const struct puzzle *puzzle = &visit->table->puzzle;
    const struct position_count *count = visit->shared;
    struct position_sums *sums = visit->context;
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

// Adds the sums of a part of the visit to those of all.
static void add_sums(void *context, const void *part)
{
    struct position_sums *all = context;
    const struct position_sums *sums = part;
    if (sums->count[sums->largest] > 0) {
        note_farthest(all, sums->largest, sums->farthest);
    }
    for (unsigned d = 0; d < DISTANCES; d++) {
        all->count[d] += sums->count[d];
        all->keeping[d] += sums->keeping[d];
    }
}

// ---- The result ---------------------------------------------------------------------------------

// Writes the state whose position is the farthest one.
static void write_farthest(const struct puzzle *puzzle, uint64_t index, uint8_t *state)
{
    uint8_t relative[CELLS_MOST];
    puzzle_unrank(puzzle, 0, index, relative);
    puzzle_restore_counted(puzzle, relative, state);
}

// Fills in the result. Fails with FEWEST_DAMAGED if there are too few positions, or if their
// distances are not symmetric.
static bool fill_result(const struct puzzle *puzzle, const struct position_count *count,
                        struct fewest_positions *positions, struct fewest_error *error)
{
    const struct position_sums *sums = &count->sums;
    unsigned order = count->symmetries.order;
    double sum = 0;
    positions->rotations = count->rotations.rows.count;
    positions->symmetries = order;
    positions->largest = sums->largest;
    for (unsigned d = 0; d <= sums->largest; d++) {
        if (sums->keeping[d] % order != 0) {
            return error_set(error, FEWEST_DAMAGED,
                             "the table holds wrong distances: those of positions at distance %u "
                             "are not symmetric",
                             d);
        }
        positions->count[d] = sums->count[d];
        positions->classes[d] = sums->keeping[d] / order;
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

// ---- Counting -----------------------------------------------------------------------------------

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

// Finds the rotations and symmetries. If all rotations are symmetries, one symmetry of each
// conjugacy class is enough.
static bool find_symmetries(const struct puzzle *puzzle, struct position_count *count,
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
    // The look-up itself is not needed. It fails if the table has no distances from there.
    if (!choose_lookup(table, puzzle->goals[0], puzzle->goals[0], &lookup, error)) {
        return false;
    }
    if (puzzle->goal_count > 1) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has several goals; positions need one solved state", puzzle->name);
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
    struct position_count count = {.sums = {.largest = 0}};
    struct visit visit = {.table = table,
                          .start = puzzle->goals[0],
                          .take = add_state,
                          .context = &count.sums,
                          .shared = &count,
                          .error = error};
    *positions = (struct fewest_positions){.rotations = 1};
    bool counted = check_table(table, error) && find_symmetries(puzzle, &count, error) &&
                   visit_in_parts(&visit, sizeof count.sums, add_sums) &&
                   fill_result(puzzle, &count, positions, error);
    whole_rotations_free(&count.rotations);
    state_symmetries_free(&count.symmetries);
    return counted;
}
