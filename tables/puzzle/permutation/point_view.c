// Makes the view of a permutation puzzle.
#include "point_view.h"

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

static void add_slots(struct point_view *view, const struct segment *pieces,
                      const struct segment *turns)
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
                               .in_rows = view->puzzle->definition->sets[any->set].first + i,
                               .turns = turns ? turns->symbols : 1,
                               .kinds = 1,
                               .root = counts ? view->root[turns->first + i] : 0,
                               .counts = counts,
                               .orbit = view->slot_count};
        view->slot_count++;
    }
}

static bool read_slots(struct point_view *view)
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
static void find_sources(const struct point_view *view, const unsigned *slot_of_cell, unsigned move,
                         unsigned *source)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        int cell = view->slots[i].piece;
        source[i] = cell < 0 ? i : slot_of_cell[view->puzzle->moves[move].from[cell]];
    }
}

static void join(struct point_view *view, unsigned a, unsigned b)
{
    unsigned from =
        view->slots[a].orbit > view->slots[b].orbit ? view->slots[a].orbit : view->slots[b].orbit;
    unsigned to = view->slots[a].orbit ^ view->slots[b].orbit ^ from;
    for (unsigned i = from; i < view->slot_count && to != from; i++) {
        view->slots[i].orbit = view->slots[i].orbit == from ? to : view->slots[i].orbit;
    }
}

static void find_orbits(struct point_view *view, const unsigned *slot_of_cell, unsigned *source)
{
    for (unsigned i = 1; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        if (slot->piece < 0 && slot[-1].piece < 0 && slot->set == slot[-1].set) {
            join(view, i - 1, i);
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

static bool is_same_colour(const struct point_view *view, unsigned a, unsigned b)
{
    const struct view_slot *x = &view->slots[a];
    const struct view_slot *y = &view->slots[b];
    return a == b || (x->set == y->set && x->piece >= 0 && y->piece >= 0 && x->orbit == y->orbit &&
                      view->root[x->piece] == view->root[y->piece] &&
                      (x->kinds == 1 || view->root[x->turn] == view->root[y->turn]));
}

// Leaves out the orientations that no move changes, and then the slots that always show the same.
// `number` has room for a number by slot.
static void leave_out_still(struct point_view *view, unsigned *number, bool *turned, bool *changes)
{
    unsigned kept = 0;
    for (unsigned m = 0; m < view->move_count; m++) {
        for (unsigned i = 0; i < view->slot_count; i++) {
            const struct view_slot *slot = &view->slots[i];
            turned[slot->orbit] |= slot->turn >= 0 && view->puzzle->moves[m].add[slot->turn] > 0;
        }
    }
    for (unsigned i = 0; i < view->slot_count; i++) {
        struct view_slot *slot = &view->slots[i];
        if (!turned[slot->orbit]) {
            slot->kinds = slot->turns;
            slot->turns = 1;
            slot->root = 0;
            slot->counts = false;
        }
        changes[slot->orbit] |=
            slot->counts || (slot->piece >= 0 && !is_same_colour(view, i, slot->orbit));
    }
    for (unsigned i = 0; i < view->slot_count; i++) {
        struct view_slot slot = view->slots[i];
        if (changes[slot.orbit]) {
            number[i] = kept;
            slot.orbit = number[slot.orbit];
            view->slots[kept++] = slot;
        }
    }
    view->slot_count = kept;
}

static void number_cells(const struct point_view *view, unsigned *slot_of_cell)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        if (view->slots[i].piece >= 0) {
            slot_of_cell[view->slots[i].piece] = i;
        }
    }
}

static unsigned find_home(const struct point_view *view, unsigned slot)
{
    const struct view_slot *slots = view->slots;
    unsigned home = 0;
    while (home < slot && (slots[slot].piece < 0 || slots[home].set != slots[slot].set ||
                           view->root[slots[home].piece] != view->root[slots[slot].piece] ||
                           (slots[slot].kinds > 1 &&
                            view->root[slots[home].turn] != view->root[slots[slot].turn]))) {
        home++;
    }
    return home;
}

static void find_things(struct point_view *view, bool *done)
{
    unsigned used = 0;
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        struct view_thing thing = {
            .orbit = slot->orbit, .first_slot = used, .home = find_home(view, i)};
        for (unsigned j = i; j < view->slot_count && !done[i]; j++) {
            if (!done[j] && is_same_colour(view, i, j)) {
                view->thing_slots[used++] = j;
            }
        }
        thing.size = used - thing.first_slot;
        for (unsigned j = thing.first_slot; j < used; j++) {
            done[view->thing_slots[j]] = true;
        }
        thing.turned = slot->counts;
        if (thing.size > 0 && slot->piece >= 0 && (thing.size > 1 || !slot->counts)) {
            thing.alone = true;
            view->things[view->thing_count++] = thing;
        }
        if (thing.size > 0 && slot->counts) {
            thing.after_alone = thing.alone;
            thing.alone = false;
            view->things[view->thing_count++] = thing;
        }
    }
}

// Small things come before large ones, because the last thing of an orbit follows from the others.
static bool comes_before(const struct point_view *view, const struct view_thing *x,
                         const struct view_thing *y)
{
    if ((x->size > 1) != (y->size > 1)) {
        return x->size == 1; // this makes the groups of the sets smaller
    }
    if (x->orbit != y->orbit) {
        return x->orbit < y->orbit;
    }
    if (x->size != y->size) {
        return x->size < y->size;
    }
    unsigned a = view->thing_slots[x->first_slot];
    unsigned b = view->thing_slots[y->first_slot];
    return a != b ? a < b : x->alone && !y->alone;
}

static void order_things(struct point_view *view)
{
    for (unsigned i = 1; i < view->thing_count; i++) {
        struct view_thing moved = view->things[i];
        unsigned j = i;
        for (; j > 0 && comes_before(view, &moved, &view->things[j - 1]); j--) {
            view->things[j] = view->things[j - 1];
        }
        view->things[j] = moved;
    }
}

// ---- Points -------------------------------------------------------------------------------------

// Numbers the points in the order of the things, first those with orientations, then those of slots
// alone. So the state at the root has number 0.
static void number_points(struct point_view *view, bool *done, bool alone)
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

static void fill_moves(struct point_view *view, const unsigned *slot_of_cell, unsigned *source)
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

// ---- All ----------------------------------------------------------------------------------------

static void list_still_cells(struct point_view *view)
{
    bool has_slot[CELLS_MOST] = {false};
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        if (slot->piece >= 0) {
            has_slot[slot->piece] = true;
        }
        if (slot->turn >= 0) {
            has_slot[slot->turn] = true;
        }
    }
    for (unsigned cell = 0; cell < view->cell_count; cell++) {
        if (!has_slot[cell]) {
            view->still[view->still_count++] = (uint16_t)cell;
        }
    }
}

// Tells which things a piece has in each slot.
static bool fill_lookups(struct point_view *view)
{
    unsigned values = 0;
    unsigned used = 0;
    for (unsigned i = 0; i < view->slot_count; i++) {
        struct view_slot *slot = &view->slots[i];
        slot->colours = values;
        slot->values = slot->piece < 0 ? 0 : PIECES_OF_SET_MOST + 1;
        for (unsigned j = 0; j < i; j++) {
            if (view->slots[j].set == slot->set && view->slots[j].orbit == slot->orbit) {
                slot->colours = view->slots[j].colours;
            }
        }
        values += slot->colours == values ? slot->values : 0;
    }
    view->thing_of = malloc((values + 1u) * sizeof *view->thing_of);
    view->slot_of = calloc(view->degree + 1u, sizeof *view->slot_of);
    view->image_of = malloc((view->thing_count + 1u) * sizeof *view->image_of);
    view->still = malloc(view->cell_count * sizeof *view->still);
    if (!view->thing_of || !view->slot_of || !view->image_of || !view->still) {
        return false;
    }
    memset(view->thing_of, 0xFF, (values + 1u) * sizeof *view->thing_of);
    for (unsigned t = 0; t < view->thing_count; t++) {
        struct view_thing *thing = &view->things[t];
        view->image_of[t] = used;
        used += thing->size;
        thing->next = CHAIN_NONE;
        for (unsigned j = 0; j < thing->size && !thing->after_alone; j++) {
            struct view_slot *slot = &view->slots[view->thing_slots[thing->first_slot + j]];
            slot->thing = t;
            if (slot->piece >= 0) {
                uint16_t *first = &view->thing_of[slot->colours + view->root[slot->piece]];
                thing->next = j == 0 ? *first : thing->next;
                *first = (uint16_t)t;
            }
        }
    }
    view->image_of[view->thing_count] = used;
    list_still_cells(view);
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        view->slot_of[slot->alone] = (uint16_t)i;
        for (unsigned turn = 0; turn < slot->turns; turn++) {
            view->slot_of[slot->first + turn] = (uint16_t)i;
        }
    }
    return true;
}

static bool fill_plan(struct point_view *view, bool undone)
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

bool point_view_make(struct point_view *view, const struct puzzle *puzzle, bool undone,
                     struct fewest_error *error)
{
    *view = (struct point_view){.puzzle = puzzle,
                                .cell_count = puzzle->cell_count,
                                .root = puzzle->numbering.roots[0].target,
                                .move_count = puzzle->move_count};
    unsigned cells = puzzle->cell_count;
    unsigned *slot_of_cell = calloc(cells, sizeof *slot_of_cell);
    unsigned *source = calloc(cells, sizeof *source);
    bool *done = calloc(cells, sizeof *done);
    bool *changes = calloc(cells, sizeof *changes);
    view->things = calloc(2 * (size_t)cells + 1, sizeof *view->things);
    view->thing_slots = calloc(cells, sizeof *view->thing_slots);
    bool made = slot_of_cell && source && done && changes && view->things && view->thing_slots &&
                read_slots(view);
    if (made) {
        number_cells(view, slot_of_cell);
        find_orbits(view, slot_of_cell, source);
        leave_out_still(view, source, done, changes);
        number_cells(view, slot_of_cell);
        memset(done, 0, cells * sizeof *done);
        find_things(view, done);
        order_things(view);
        memset(done, 0, cells * sizeof *done);
        number_points(view, done, false);
        view->slot_points = view->degree;
        number_points(view, done, true);
        for (unsigned i = 0; i < view->slot_count; i++) {
            view->slots[i].alone =
                view->slots[i].turns > 1 ? view->slots[i].alone : view->slots[i].first;
        }
        made = view->degree <= CHAIN_DEGREE_MOST && fill_plan(view, undone) && fill_lookups(view);
    }
    if (made) {
        fill_moves(view, slot_of_cell, source);
    }
    free(slot_of_cell);
    free(source);
    free(done);
    free(changes);
    if (!made) {
        return view->degree > CHAIN_DEGREE_MOST
                   ? error_set(error, FEWEST_BEYOND,
                               "%s has too many pieces and orientations: together more than %d",
                               puzzle->name, CHAIN_DEGREE_MOST)
                   : error_set(error, FEWEST_SYSTEM,
                               "not enough memory for the numbers of the states");
    }
    return true;
}

void point_view_free(struct point_view *view)
{
    free(view->slots);
    free(view->things);
    free(view->thing_slots);
    free(view->moves);
    free(view->rows);
    free(view->chain_things);
    free(view->thing_points);
    free(view->others);
    free(view->image_of);
    free(view->thing_of);
    free(view->slot_of);
    free(view->still);
    *view = (struct point_view){.slot_count = 0};
}

// The first thing of what a slot has, or CHAIN_NONE if it can't be there.
static unsigned thing_in(const struct point_view *view, const struct view_slot *slot,
                         const uint8_t *cells)
{
    unsigned t = slot->thing;
    if (slot->piece >= 0) {
        uint8_t piece = cells[slot->piece];
        t = piece < slot->values ? view->thing_of[slot->colours + piece] : CHAIN_NONE;
    }
    while (slot->kinds > 1 && t != CHAIN_NONE &&
           view->root[view->slots[view->thing_slots[view->things[t].first_slot]].turn] !=
               cells[slot->turn]) {
        t = view->things[t].next;
    }
    return t;
}

bool point_view_read(const struct point_view *view, const uint8_t *cells, chain_point *images)
{
    uint16_t used[2 * CELLS_MOST];
    memset(used, 0, view->thing_count * sizeof *used);
    for (unsigned i = 0; i < view->still_count; i++) {
        if (cells[view->still[i]] != view->root[view->still[i]]) {
            return false;
        }
    }
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        unsigned t = thing_in(view, slot, cells);
        if (t == CHAIN_NONE || used[t] == view->things[t].size) {
            return false;
        }
        const struct view_thing *thing = &view->things[t];
        unsigned at = view->image_of[t] + used[t]++;
        if (thing->alone) {
            images[at] = slot->alone;
            at += thing->size;
        }
        if (thing->turned) {
            images[at] = point_at(slot, cells[slot->turn]);
        }
    }
    return true;
}

void point_view_read_labels(const struct point_view *view, const uint8_t *cells,
                            chain_point *labels)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        unsigned thing = thing_in(view, slot, cells);
        const struct view_slot *home = &view->slots[view->things[thing].home];
        for (unsigned t = 0; t < slot->turns; t++) {
            unsigned turn = home->counts ? t + slot->root + slot->turns - cells[slot->turn] : 0;
            labels[slot->first + t] = (chain_point)(home->first + turn % slot->turns);
        }
    }
}

bool point_view_forbids(const struct point_view *view, const struct puzzle *puzzle, unsigned point,
                        unsigned label)
{
    const struct view_slot *slot = &view->slots[view->slot_of[point]];
    const struct view_slot *home = &view->slots[view->slot_of[label]];
    const bool *illegal = puzzle->definition->illegal;
    return illegal && slot->piece >= 0 && slot->set == home->set &&
           illegal[(size_t)slot->in_rows * PIECES_OF_SET_MOST + view->root[home->piece]];
}

_Static_assert((int)POINTS_MOST <= (int)SYMMETRIES_DEGREE_MOST, "callers keep to POINTS_MOST");

bool point_view_find_symmetries(const struct point_view *view, enum symmetry_choice choice,
                                uint32_t most, struct point_symmetries *symmetries)
{
    struct point_moves moves = {view->slot_points, view->move_count, view->rows};
    return point_symmetries_find(&moves, choice, most, symmetries);
}

void point_view_write(const struct point_view *view, const chain_point *images, uint8_t *cells)
{
    memcpy(cells, view->root, view->cell_count);
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *home = &view->slots[i];
        const struct view_slot *slot = &view->slots[view->slot_of[images[i]]];
        if (slot->piece >= 0) {
            cells[slot->piece] = view->root[home->piece];
        }
        if (slot->turn >= 0 && slot->kinds > 1) {
            cells[slot->turn] = view->root[home->turn];
        } else if (slot->turn >= 0) {
            unsigned turn = (unsigned)(images[i] - slot->first) + slot->root;
            cells[slot->turn] = (uint8_t)(home->counts ? turn % slot->turns : 0);
        }
    }
}
