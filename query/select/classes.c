// Counts the classes of states under the symmetries of the puzzle, and under inversion.
//
// A class is an orbit of the symmetry group on the states at one distance. By Burnside's lemma, the
// number of orbits is the mean number of states that a symmetry keeps. So it is the sum over all
// states of the number of symmetries that keep the state, divided by the order of the group.
// Inversion commutes with each symmetry. Together they are a group twice as large: a symmetry
// followed by inversion keeps a state if the symmetry takes it to its inverse. No list of states is
// needed.
#include "query/answer/distance.h"
#include "query/table/visit.h"
#include "tables/families/symmetry/state_symmetries.h"

enum { DISTANCES = 256 };

struct class_sums {
    uint64_t keeping[DISTANCES];   // of each state, the symmetries that keep it
    uint64_t inverting[DISTANCES]; // and those that take it to its inverse
};

struct class_count {
    const struct state_symmetries *symmetries;
    bool counts_inverses;
    struct class_sums sums;
};

// Adds to the sums of one part of the visit how many symmetries keep a state and, if inverses are
// counted, how many take it to its inverse. Always returns true: the visit goes on.
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
    sums->keeping[distance] += state_symmetries_count_keeping(count->symmetries, label);
    if (count->counts_inverses) {
        sums->inverting[distance] += state_symmetries_count_inverting(count->symmetries, label);
    }
    return true;
}

// Adds the sums of a part of the visit to those of all.
static void add_sums(void *context, const void *part)
{
    struct class_sums *all = context;
    const struct class_sums *sums = part;
    for (unsigned d = 0; d < DISTANCES; d++) {
        all->keeping[d] += sums->keeping[d];
        all->inverting[d] += sums->inverting[d];
    }
}

// Turns the sums into numbers of classes (Burnside's lemma): divides them by the order of the group
// or, with inversion, by twice the order. Fails with FEWEST_DAMAGED if a remainder is left: then
// the distances of the table are not symmetric.
static bool divide_sums(const struct class_count *count, struct fewest_classes *classes,
                        struct fewest_error *error)
{
    uint64_t order = count->symmetries->order;
    classes->symmetries = count->symmetries->order;
    classes->counts_inverses = count->counts_inverses;
    for (unsigned d = 0; d < DISTANCES; d++) {
        uint64_t both = count->sums.keeping[d] + count->sums.inverting[d];
        if (count->sums.keeping[d] % order != 0 ||
            (count->counts_inverses && both % (2 * order) != 0)) {
            return error_set(error, FEWEST_DAMAGED,
                             "the table holds wrong distances: those at distance %u are not "
                             "symmetric",
                             d);
        }
        classes->symmetric[d] = count->sums.keeping[d] / order;
        classes->or_inverse[d] = count->counts_inverses ? both / (2 * order) : 0;
    }
    return true;
}

bool fewest_count_classes(struct fewest *table, struct fewest_classes *classes,
                          struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct state_symmetries symmetries;
    struct lookup lookup;
    *classes = (struct fewest_classes){.symmetries = 0};
    // The look-up itself is not needed. It fails if the table has no distances from there.
    if (!choose_lookup(table, puzzle->goals[0], puzzle->goals[0], &lookup, error)) {
        return false;
    }
    if (puzzle->goal_count > 1) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has several goals; classes of states need one solved state",
                         puzzle->name);
    }
    bool found = state_symmetries_find(&symmetries, puzzle, STATE_SYMMETRIES_OF_CLASSES, error);
    struct class_count count = {.symmetries = &symmetries,
                                .counts_inverses = symmetries.group && puzzle->reversible};
    struct visit visit = {.table = table,
                          .start = puzzle->goals[0],
                          .take = add_state,
                          .context = &count.sums,
                          .shared = &count,
                          .error = error};
    bool counted = found && visit_in_parts(&visit, sizeof count.sums, add_sums) &&
                   divide_sums(&count, classes, error);
    state_symmetries_free(&symmetries);
    return counted;
}
