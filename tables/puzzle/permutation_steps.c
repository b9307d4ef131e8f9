// Makes steps from index to index, without writing out the cells.
//
// A *step* is a move or, if distances are counted to the solved state, a move undone. The tuple and
// the step give the class of each orbit afterwards. The new rank of an orbit depends only on its
// own class and rank. So a step is made orbit by orbit. A small orbit has a table of all its rows,
// and a chain has tables of its own (orbit_chain.h). The row of another orbit is unranked, moved
// and ranked again.
#include "puzzle/orbit_chain.h"
#include "puzzle/permutation_own.h"

#include <stdlib.h>
#include <string.h>

struct orbit_steps {
    group_point *moved; // by move: where the values of the points come from
    uint16_t *class_to; // by move and class: the class after the step
    uint16_t *rank_to;  // by move, class and rank: the rank after the step; NULL if the orbit has
                        // too many rows
    struct chain_steps chain;
};

struct steps {
    uint32_t *tuple_to; // by move and tuple: the tuple after the step
    struct orbit_steps *orbits;
};

void steps_free(struct steps *steps, unsigned orbit_count)
{
    for (unsigned o = 0; steps && o < orbit_count && steps->orbits; o++) {
        free(steps->orbits[o].moved);
        free(steps->orbits[o].class_to);
        free(steps->orbits[o].rank_to);
        chain_steps_free(&steps->orbits[o].chain);
    }
    if (steps) {
        free(steps->tuple_to);
        free(steps->orbits);
    }
    free(steps);
}

// ---- Making them --------------------------------------------------------------------------------

// The slot of the orbit that a move takes the value of slot i from.
static unsigned slot_before(const struct orbits *orbits, const struct orbit *orbit,
                            const struct move *move, unsigned i)
{
    const struct slot *slot = &orbits->slots[orbit->slot[i]];
    unsigned before = i;
    if (slot->piece >= 0) {
        before = 0;
        while (orbits->slots[orbit->slot[before]].piece != (int)move->from[slot->piece]) {
            before++;
        }
    }
    return before;
}

static void fill_moved(const struct puzzle *puzzle, const struct orbit *orbit, unsigned m,
                       group_point *moved)
{
    const struct permutation *permutation = permutation_of(puzzle);
    const struct orbits *orbits = &permutation->orbits;
    const struct move *move = &puzzle->moves[m];
    for (unsigned i = 0; i < orbit->length; i++) {
        const struct slot *slot = &orbits->slots[orbit->slot[i]];
        unsigned before = slot_before(orbits, orbit, move, i);
        for (unsigned turn = 0; turn < slot->turns; turn++) {
            unsigned add = slot->turn < 0 ? 0 : move->add[slot->turn];
            unsigned to = orbit->first[before] + (turn + add) % slot->turns;
            unsigned from = orbit->first[i] + turn;
            // A step away from the solved state undoes a move.
            moved[permutation->group ? from : to] = (group_point)(permutation->group ? to : from);
        }
    }
}

static bool fill_classes(const struct puzzle *puzzle, const struct orbit *orbit,
                         struct orbit_steps *steps)
{
    uint16_t row[SLOTS_MOST];
    uint16_t moved[SLOTS_MOST];
    steps->moved = malloc((size_t)puzzle->move_count * orbit->points * sizeof *steps->moved);
    steps->class_to = malloc((size_t)puzzle->move_count * orbit->classes * sizeof *steps->class_to);
    if (!steps->moved || !steps->class_to) {
        return false;
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        group_point *points = steps->moved + (size_t)m * orbit->points;
        fill_moved(puzzle, orbit, m, points);
        for (uint32_t c = 0; c < orbit->classes; c++) {
            orbit_unrank(orbit, c, 0, row);
            orbit_act(orbit, row, points, moved);
            steps->class_to[(size_t)m * orbit->classes + c] = (uint16_t)orbit_class(orbit, moved);
        }
    }
    return true;
}

static uint64_t step_row(const struct orbit *orbit, const struct orbit_steps *steps, unsigned m,
                         uint32_t class, const uint16_t *row)
{
    uint16_t moved[SLOTS_MOST];
    orbit_act(orbit, row, steps->moved + (size_t)m * orbit->points, moved);
    return orbit_rank(orbit, steps->class_to[(size_t)m * orbit->classes + class], moved);
}

static bool fill_ranks(const struct puzzle *puzzle, const struct orbit *orbit,
                       struct orbit_steps *steps)
{
    static const uint64_t ROWS_MOST = 1 << 16;
    static const uint64_t SHARE_MOST = 16; // of the states
    uint16_t row[SLOTS_MOST];
    uint64_t rows = orbit->rows * orbit->classes;
    if (rows > ROWS_MOST || rows * SHARE_MOST > puzzle->numbering.state_count) {
        return true;
    }
    steps->rank_to = malloc((size_t)puzzle->move_count * rows * sizeof *steps->rank_to);
    for (uint64_t number = 0; number < rows && steps->rank_to; number++) {
        uint32_t class = (uint32_t)(number / orbit->rows);
        orbit_unrank(orbit, class, number % orbit->rows, row);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            steps->rank_to[m * rows + number] = (uint16_t)step_row(orbit, steps, m, class, row);
        }
    }
    return steps->rank_to;
}

static bool fill_tuples(const struct puzzle *puzzle, struct steps *steps)
{
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    const struct row_set *tuples = &orbits->tuples;
    uint16_t moved[SLOTS_MOST];
    steps->tuple_to = malloc((size_t)puzzle->move_count * tuples->count * sizeof *steps->tuple_to);
    for (unsigned m = 0; m < puzzle->move_count && steps->tuple_to; m++) {
        for (uint32_t t = 0; t < tuples->count; t++) {
            const uint16_t *tuple = row_set_row(tuples, t);
            unsigned column = 0;
            for (unsigned o = 0; o < orbits->count; o++) {
                if (orbits->orbits[o].classes > 1) {
                    moved[column] =
                        steps->orbits[o]
                            .class_to[(size_t)m * orbits->orbits[o].classes + tuple[column]];
                    column++;
                }
            }
            steps->tuple_to[(size_t)m * tuples->count + t] = row_set_find(tuples, moved);
        }
    }
    return steps->tuple_to;
}

// The memory of the tables that grow with the number of states.
static uint64_t count_bytes(const struct puzzle *puzzle)
{
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    const struct steps *steps = permutation_of(puzzle)->steps;
    uint64_t bytes = (uint64_t)puzzle->move_count * orbits->tuples.count * sizeof *steps->tuple_to;
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        bytes += steps->orbits[o].rank_to
                     ? puzzle->move_count * orbit->rows * orbit->classes * sizeof(uint16_t)
                     : chain_steps_bytes(orbit, puzzle->move_count);
    }
    return bytes;
}

bool permutation_prepare(struct puzzle *puzzle, struct fewest_error *error)
{
    struct permutation *permutation = permutation_of(puzzle);
    const struct orbits *orbits = &permutation->orbits;
    if (puzzle->numbering.dense || permutation->flips || permutation->steps) {
        return true;
    }
    struct steps *steps = calloc(1, sizeof *steps);
    bool done = steps;
    if (done) {
        steps->orbits = calloc(orbits->count + 1, sizeof *steps->orbits);
        done = steps->orbits;
    }
    for (unsigned o = 0; o < orbits->count && done; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        struct orbit_steps *own = &steps->orbits[o];
        done = fill_classes(puzzle, orbit, own) && fill_ranks(puzzle, orbit, own) &&
               (own->rank_to || chain_steps_make(&own->chain, orbit, puzzle->move_count, own->moved,
                                                 own->class_to));
    }
    done = done && fill_tuples(puzzle, steps);
    if (!done) {
        steps_free(steps, orbits->count);
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the tables of steps");
    }
    permutation->steps = steps;
    puzzle->numbering.prepared_bytes = count_bytes(puzzle);
    return true;
}

// ---- Taking them --------------------------------------------------------------------------------

static void take_chain(const struct chain_steps *steps, unsigned move_count, uint32_t class,
                       uint64_t rank, uint64_t weight, uint64_t *found)
{
    uint32_t tails = steps->tail_count;
    const uint16_t *product = steps->products + rank % tails;
    size_t at = ((size_t) class * steps->outer_count + rank / tails) * move_count;
    for (unsigned m = 0; m < move_count; m++, at++) {
        uint64_t outer = steps->outer_to[at];
        found[m] += (outer * tails + product[(size_t)steps->factor_of[at] * tails]) * weight;
    }
}

void steps_take(const struct puzzle *puzzle, uint64_t index, uint64_t *found)
{
    const struct permutation *permutation = permutation_of(puzzle);
    const struct orbits *orbits = &permutation->orbits;
    const struct steps *steps = permutation->steps;
    uint32_t tuple = (uint32_t)(index / orbits->inner);
    const uint16_t *classes = row_set_row(&orbits->tuples, tuple) + orbits->tuples.length;
    uint64_t left = index % orbits->inner;
    uint64_t weight = 1;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        found[m] = steps->tuple_to[(size_t)m * orbits->tuples.count + tuple] * orbits->inner;
    }
    for (unsigned o = orbits->count; o-- > 0;) {
        const struct orbit *orbit = &orbits->orbits[o];
        const struct orbit_steps *own = &steps->orbits[o];
        uint32_t class = orbit->classes > 1 ? *--classes : 0;
        uint64_t rank = left % orbit->rows;
        left /= orbit->rows;
        uint16_t row[SLOTS_MOST];
        if (own->rank_to) {
            const uint16_t *to = own->rank_to + class * orbit->rows + rank;
            for (unsigned m = 0; m < puzzle->move_count; m++) {
                found[m] += to[m * orbit->rows * orbit->classes] * weight;
            }
        } else if (own->chain.tail_count > 0) {
            take_chain(&own->chain, puzzle->move_count, class, rank, weight, found);
        } else {
            orbit_unrank(orbit, class, rank, row);
            for (unsigned m = 0; m < puzzle->move_count; m++) {
                found[m] += step_row(orbit, own, m, class, row) * weight;
            }
        }
        weight *= orbit->rows;
    }
}
