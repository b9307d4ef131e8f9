// Makes the view of a permutation puzzle.
#include "chain_view.h"

#include <stdlib.h>
#include <string.h>

// ---- Slots --------------------------------------------------------------------------------------

static const struct segment *find_turns(const struct puzzle *puzzle, const struct segment *pieces)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind == SEGMENT_ORIENTATION && segment->pieces == (int)pieces->first) {
            return segment;
        }
    }
    return NULL;
}

static void add_slots(struct view *view, const struct segment *pieces, const struct segment *turns)
{
    const struct segment *any = pieces ? pieces : turns;
    for (unsigned i = 0; i < any->length; i++) {
        bool counts = turns && segment_counts_at(turns, view->root, i);
        if (!pieces && !counts) {
            continue; // shows nothing
        }
        view->slots[view->slot_count] =
            (struct view_slot){.piece = pieces ? (int)(pieces->first + i) : -1,
                               .turn = turns ? (int)(turns->first + i) : -1,
                               .set = any->set,
                               .turns = turns ? turns->symbols : 1,
                               .root = counts ? view->root[turns->first + i] : 0,
                               .counts = counts,
                               .block = view->slot_count};
        view->slot_count++;
    }
}

static bool read_slots(struct view *view)
{
    const struct puzzle *puzzle = view->puzzle;
    view->slots = calloc(puzzle->cell_count, sizeof *view->slots);
    for (unsigned s = 0; s < puzzle->segment_count && view->slots; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION) {
            add_slots(view, segment, find_turns(puzzle, segment));
        } else if (segment->pieces < 0) {
            add_slots(view, NULL, segment);
        }
    }
    return view->slots;
}

// By slot: the slot that a move takes its piece from.
static void find_sources(const struct view *view, const unsigned *slot_of_cell, unsigned move,
                         unsigned *source)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        int cell = view->slots[i].piece;
        source[i] = cell < 0 ? i : slot_of_cell[view->puzzle->moves[move].from[cell]];
    }
}

static void join(struct view *view, unsigned a, unsigned b)
{
    unsigned from =
        view->slots[a].block > view->slots[b].block ? view->slots[a].block : view->slots[b].block;
    unsigned to = view->slots[a].block ^ view->slots[b].block ^ from;
    for (unsigned i = from; i < view->slot_count && to != from; i++) {
        view->slots[i].block = view->slots[i].block == from ? to : view->slots[i].block;
    }
}

static void find_blocks(struct view *view, const unsigned *slot_of_cell, unsigned *source)
{
    int home = -1;
    for (unsigned i = 0; i < view->slot_count; i++) {
        if (view->slots[i].piece < 0) {
            join(view, home < 0 ? i : (unsigned)home, i);
            home = (int)i;
        }
    }
    for (unsigned m = 0; m < view->move_count; m++) {
        find_sources(view, slot_of_cell, m, source);
        for (unsigned i = 0; i < view->slot_count; i++) {
            join(view, i, source[i]);
        }
    }
}

// ---- Things -------------------------------------------------------------------------------------

static bool is_same_colour(const struct view *view, unsigned a, unsigned b)
{
    const struct view_slot *x = &view->slots[a];
    const struct view_slot *y = &view->slots[b];
    return a == b || (x->set == y->set && x->piece >= 0 && y->piece >= 0 && x->block == y->block &&
                      view->root[x->piece] == view->root[y->piece]);
}

static void find_things(struct view *view, bool *done)
{
    unsigned used = 0;
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        struct view_thing thing = {.block = slot->block, .first_slot = used};
        for (unsigned j = i; j < view->slot_count && !done[i]; j++) {
            if (!done[j] && is_same_colour(view, i, j)) {
                view->thing_slots[used++] = j;
            }
        }
        thing.size = used - thing.first_slot;
        for (unsigned j = thing.first_slot; j < used; j++) {
            done[view->thing_slots[j]] = true;
        }
        if (thing.size > 0 && slot->piece >= 0 && (thing.size > 1 || !slot->counts)) {
            thing.alone = true;
            view->things[view->thing_count++] = thing;
        }
        if (thing.size > 0 && slot->counts) {
            thing.alone = false;
            view->things[view->thing_count++] = thing;
        }
    }
}

// Small things come before large ones, because the last thing of a block follows from the others.
static bool comes_before(const struct view *view, const struct view_thing *x,
                         const struct view_thing *y, int last)
{
    bool x_last = (int)x->block == last;
    bool y_last = (int)y->block == last;
    if (x_last != y_last) {
        return y_last;
    }
    if (last < 0 && (x->size > 1) != (y->size > 1)) {
        return x->size == 1; // to count: this makes the groups of the sets smaller
    }
    if (x->block != y->block) {
        return x->block < y->block;
    }
    if (x->size != y->size) {
        return x->size < y->size;
    }
    unsigned a = view->thing_slots[x->first_slot];
    unsigned b = view->thing_slots[y->first_slot];
    return a != b ? a < b : x->alone && !y->alone;
}

static void order_things(struct view *view, int last)
{
    for (unsigned i = 1; i < view->thing_count; i++) {
        struct view_thing moved = view->things[i];
        unsigned j = i;
        for (; j > 0 && comes_before(view, &moved, &view->things[j - 1], last); j--) {
            view->things[j] = view->things[j - 1];
        }
        view->things[j] = moved;
    }
}

// ---- Points -------------------------------------------------------------------------------------

// Numbers the points in the order of the things, first those with orientations, then those of slots
// alone. So the state at the root has number 0.
static void number_points(struct view *view, bool *done, bool alone)
{
    for (unsigned t = 0; t <= view->thing_count; t++) {
        bool rest = t == view->thing_count;
        const struct view_thing *thing = &view->things[t];
        for (unsigned j = 0; j < (rest ? view->slot_count : thing->size); j++) {
            struct view_slot *slot =
                &view->slots[rest ? j : view->thing_slots[thing->first_slot + j]];
            if (done[slot - view->slots] == alone) {
                done[slot - view->slots] = !alone;
                *(alone ? &slot->alone : &slot->first) = (chain_point)view->degree;
                view->degree += alone ? slot->turns > 1 : slot->turns;
            }
        }
    }
}

static chain_point point_at(const struct view_slot *slot, unsigned turn)
{
    return (chain_point)(slot->first + (turn + slot->turns - slot->root) % slot->turns);
}

static void fill_moves(struct view *view, const unsigned *slot_of_cell, unsigned *source)
{
    for (unsigned m = 0; m < view->move_count; m++) {
        chain_point *row = view->moves + (size_t)m * view->degree;
        chain_point *inverse = row + (size_t)view->move_count * view->degree;
        find_sources(view, slot_of_cell, m, source);
        for (unsigned i = 0; i < view->slot_count; i++) {
            const struct view_slot *to = &view->slots[i];
            const struct view_slot *from = &view->slots[source[i]];
            unsigned add = to->turn < 0 ? 0 : view->puzzle->moves[m].add[to->turn];
            row[from->alone] = to->alone;
            for (unsigned t = 0; t < to->turns; t++) {
                row[point_at(from, t)] = point_at(to, (t + add) % to->turns);
            }
        }
        for (unsigned x = 0; x < view->degree; x++) {
            inverse[row[x]] = (chain_point)x;
        }
    }
}

// ---- An upper bound of the order ----------------------------------------------------------------
// In a block of n slots with t orientations, moves do no more than the wreath product of C_t and
// S_n, which has n! t^n elements. The sign of the permutation and the sum of the orientations in
// each block, and the orientation of each slot that stays at home, are homomorphisms. Together
// their values are an abelian group, a small group of permutations. So the order divides that of
// the abelian group, times that of the common kernel. Most puzzles reach this bound.

struct small_moves {
    unsigned degree;
    chain_point *rows; // move by move
};

// What a move does in a block: the sum of its turns, and 1 if it is odd.
static void find_values(const struct view *view, unsigned move, unsigned first, bool *seen,
                        unsigned *sum, unsigned *sign)
{
    const chain_point *row = view->moves + (size_t)move * view->degree;
    bool home = view->slots[first].piece < 0;
    *sum = *sign = 0;
    memset(seen, 0, view->degree * sizeof *seen);
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        if (home ? i != first : slot->block != first) {
            continue;
        }
        unsigned to = 0;
        while (view->slots[to].alone != row[slot->alone]) {
            to++;
        }
        *sum += (unsigned)(row[slot->first] - view->slots[to].first);
        for (chain_point x = row[slot->alone]; x != slot->alone && !seen[slot->alone]; x = row[x]) {
            seen[x] = true;
            *sign ^= 1;
        }
        seen[slot->alone] = true;
    }
}

// The order of the elements of a block that have sum 0 and are even.
static long double kernel_order(const struct view *view, unsigned block)
{
    long double order = 1;
    unsigned length = 0;
    for (unsigned i = 0; i < view->slot_count; i++) {
        if (view->slots[i].block == block) {
            length++;
            order *= (long double)length * (length > 1 ? view->slots[i].turns : 1);
            order /= length == 2 ? 2 : 1;
        }
    }
    return order;
}

static void turn_cycle(chain_point *row, unsigned first, unsigned length, unsigned by)
{
    for (unsigned t = 0; t < length; t++) {
        row[first + t] = (chain_point)(first + (t + by) % length);
    }
}

static bool bound_order(const struct view *view, long double *bound, struct fewest_error *error)
{
    unsigned room = view->degree + 2 * view->slot_count;
    bool *seen = malloc(view->degree + 1);
    chain_point *rows = calloc((size_t)view->move_count * room + 1, sizeof *rows);
    const chain_point **row_of = calloc(view->move_count + 1u, sizeof *row_of);
    chain_point *base = malloc((2 * (size_t)view->slot_count + 1) * sizeof *base);
    unsigned degree = 0;
    unsigned base_count = 0;
    bool done = seen && rows && row_of && base;
    *bound = 1;
    for (unsigned i = 0; i < view->slot_count && done; i++) {
        const struct view_slot *slot = &view->slots[i];
        if (slot->block != i && slot->piece >= 0) {
            continue;
        }
        *bound *= slot->piece < 0 ? 1 : kernel_order(view, i);
        base[base_count++] = (chain_point)degree;
        base[base_count++] = (chain_point)(degree + slot->turns);
        for (unsigned m = 0; m < view->move_count; m++) {
            unsigned sum;
            unsigned sign;
            find_values(view, m, i, seen, &sum, &sign);
            turn_cycle(rows + (size_t)m * room, degree, slot->turns, sum);
            turn_cycle(rows + (size_t)m * room, degree + slot->turns, 2, sign);
        }
        degree += slot->turns + 2;
    }
    for (unsigned m = 0; m < view->move_count && done; m++) {
        row_of[m] = rows + (size_t)m * room;
    }
    if (!done) {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the numbers of the states");
    } else {
        struct chain_plan plan = {.degree = degree,
                                  .moves = row_of,
                                  .move_count = view->move_count,
                                  .others = base,
                                  .other_count = base_count};
        done = chain_order(&plan, bound, error);
    }
    free(seen);
    free(rows);
    free(row_of);
    free(base);
    return done;
}

// ---- All ----------------------------------------------------------------------------------------

static bool fill_plan(struct view *view, bool undone)
{
    unsigned used = 0;
    size_t moves = 2 * (size_t)view->move_count;
    view->moves = malloc((moves * view->degree + 1) * sizeof *view->moves);
    view->rows = calloc(view->move_count + 1u, sizeof *view->rows);
    view->chain_things = calloc(view->thing_count + 1u, sizeof *view->chain_things);
    view->thing_points = malloc((2 * (size_t)view->slot_count + 1) * sizeof *view->thing_points);
    view->others = malloc((view->slot_count + 1u) * sizeof *view->others);
    if (!view->moves || !view->rows || !view->chain_things || !view->thing_points ||
        !view->others) {
        return false;
    }
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        view->chain_things[t] =
            (struct chain_thing){.size = thing->size, .points = view->thing_points + used};
        for (unsigned j = 0; j < thing->size; j++) {
            const struct view_slot *slot = &view->slots[view->thing_slots[thing->first_slot + j]];
            view->thing_points[used++] = thing->alone ? slot->alone : slot->first;
        }
    }
    for (unsigned i = 0; i < view->slot_count; i++) {
        view->others[i] = view->slots[i].first;
    }
    for (unsigned m = 0; m < view->move_count; m++) {
        view->rows[m] = view->moves + (undone ? m + view->move_count : m) * (size_t)view->degree;
    }
    view->plan = (struct chain_plan){.degree = view->degree,
                                     .moves = view->rows,
                                     .move_count = view->move_count,
                                     .things = view->chain_things,
                                     .thing_count = view->thing_count,
                                     .others = view->others,
                                     .other_count = view->slot_count};
    return true;
}

bool view_make(struct view *view, const struct puzzle *puzzle, int last, bool undone,
               struct fewest_error *error)
{
    *view = (struct view){.puzzle = puzzle,
                          .root = puzzle->numbering.roots[0].target,
                          .move_count = puzzle->move_count};
    unsigned cells = puzzle->cell_count;
    unsigned *slot_of_cell = calloc(cells, sizeof *slot_of_cell);
    unsigned *source = calloc(cells, sizeof *source);
    bool *done = calloc(cells, sizeof *done);
    view->things = calloc(2 * (size_t)cells + 1, sizeof *view->things);
    view->thing_slots = calloc(cells, sizeof *view->thing_slots);
    bool made =
        slot_of_cell && source && done && view->things && view->thing_slots && read_slots(view);
    if (made) {
        for (unsigned i = 0; i < view->slot_count; i++) {
            if (view->slots[i].piece >= 0) {
                slot_of_cell[view->slots[i].piece] = i;
            }
        }
        find_blocks(view, slot_of_cell, source);
        find_things(view, done);
        order_things(view, last);
        memset(done, 0, cells * sizeof *done);
        number_points(view, done, false);
        number_points(view, done, true);
        for (unsigned i = 0; i < view->slot_count; i++) {
            view->slots[i].alone =
                view->slots[i].turns > 1 ? view->slots[i].alone : view->slots[i].first;
        }
        made = view->degree <= CHAIN_DEGREE_MOST && fill_plan(view, undone);
    }
    if (made) {
        fill_moves(view, slot_of_cell, source);
    }
    free(slot_of_cell);
    free(source);
    free(done);
    if (!made) {
        return view->degree > CHAIN_DEGREE_MOST
                   ? error_set(error, FEWEST_BEYOND,
                               "%s has too many pieces and orientations: together more than %d",
                               puzzle->name, CHAIN_DEGREE_MOST)
                   : error_set(error, FEWEST_SYSTEM,
                               "not enough memory for the numbers of the states");
    }
    return bound_order(view, &view->plan.bound, error);
}

void view_free(struct view *view)
{
    free(view->slots);
    free(view->things);
    free(view->thing_slots);
    free(view->moves);
    free(view->rows);
    free(view->chain_things);
    free(view->thing_points);
    free(view->others);
    *view = (struct view){.slot_count = 0};
}

void view_read(const struct view *view, const uint8_t *cells, chain_point *images)
{
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        const struct view_slot *home = &view->slots[view->thing_slots[thing->first_slot]];
        for (unsigned i = 0; i < view->slot_count; i++) {
            const struct view_slot *slot = &view->slots[i];
            bool is_there = home->piece < 0 ? slot == home
                                            : slot->piece >= 0 && slot->set == home->set &&
                                                  slot->block == home->block &&
                                                  cells[slot->piece] == view->root[home->piece];
            if (is_there) {
                *images++ = thing->alone ? slot->alone : point_at(slot, cells[slot->turn]);
            }
        }
    }
}
