// Makes the view of a permutation puzzle.
#include "point_view.h"

#include <stdlib.h>
#include <string.h>

// ---- Slots --------------------------------------------------------------------------------------

// Adds the slots of a set, from the segments of its pieces and of its orientations. One segment may
// be NULL. A slot that shows nothing is left out. Each slot is in an orbit of its own at first.
static void add_slots(struct point_view *view, const struct segment *pieces,
                      const struct segment *turns)
{
    const struct segment *any = pieces ? pieces : turns;
    for (unsigned i = 0; i < any->length; i++) {
        struct view_slot slot = {.piece = -1,
                                 .turn = -1,
                                 .set = any->set,
                                 .in_rows = view->puzzle->definition->sets[any->set].first + i,
                                 .turns = 1,
                                 .kinds = 1,
                                 .orbit = view->slot_count};
        if (pieces) {
            slot.piece = (int)(pieces->first + i);
        }
        if (turns) {
            slot.turn = (int)(turns->first + i);
            slot.turns = turns->symbols;
            slot.counts = segment_counts_at(turns, view->root, i);
            slot.root = slot.counts ? view->root[turns->first + i] : 0;
        }
        if (pieces || slot.counts) {
            view->slots[view->slot_count++] = slot;
        }
    }
}

// Makes the slots of all sets. There are at most as many as cells, and room for twice as many.
// Returns false if memory runs out.
static bool read_slots(struct point_view *view)
{
    const struct puzzle *puzzle = view->puzzle;
    view->slots = calloc(2 * (size_t)puzzle->cell_count, sizeof *view->slots);
    for (unsigned s = 0; s < puzzle->segment_count && view->slots; s++) {
        const struct segment *segment = &puzzle->segments[s];
        const struct segment *next = s + 1 < puzzle->segment_count ? segment + 1 : NULL;
        if (segment->kind != SEGMENT_ORIENTATION) {
            // The orientations of these pieces come next, if they have some.
            add_slots(view, segment, next && next->pieces == (int)segment->first ? next : NULL);
        } else if (segment->pieces < 0) {
            add_slots(view, NULL, segment);
        }
    }
    return view->slots;
}

// Fills in the slot that a move takes its piece from, for each slot. `slot_of_cell` tells the slot
// of a piece's cell (number_cells).
static void find_sources(const struct point_view *view, const unsigned *slot_of_cell, unsigned move,
                         unsigned *source)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        int cell = view->slots[i].piece;
        source[i] = cell < 0 ? i : slot_of_cell[view->puzzle->moves[move].from[cell]];
    }
}

// Joins the orbits of slots a and b. The number of an orbit is its lowest slot, so the lower number
// stays.
static void join_orbits(struct point_view *view, unsigned a, unsigned b)
{
    unsigned lower = view->slots[a].orbit;
    unsigned higher = view->slots[b].orbit;
    if (lower == higher) {
        return;
    }
    if (lower > higher) {
        lower = view->slots[b].orbit;
        higher = view->slots[a].orbit;
    }
    for (unsigned i = higher; i < view->slot_count; i++) {
        if (view->slots[i].orbit == higher) {
            view->slots[i].orbit = lower;
        }
    }
}

// Joins slots to orbits: those between which moves take pieces, and those of a set whose pieces
// stay at home, which stand one after the other. `source` is room for a number by slot.
static void find_orbits(struct point_view *view, const unsigned *slot_of_cell, unsigned *source)
{
    for (unsigned i = 1; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        if (slot->piece < 0 && slot[-1].piece < 0 && slot->set == slot[-1].set) {
            join_orbits(view, i - 1, i);
        }
    }
    for (unsigned m = 0; m < view->move_count; m++) {
        find_sources(view, slot_of_cell, m, source);
        for (unsigned i = 0; i < view->slot_count; i++) {
            join_orbits(view, i, source[i]);
        }
    }
}

// ---- Things -------------------------------------------------------------------------------------

// Does the root show the same colour in two slots, so that they belong to one thing? Orientations
// that moves change do not count for it.
static bool is_same_colour(const struct point_view *view, unsigned a, unsigned b)
{
    const struct view_slot *x = &view->slots[a];
    const struct view_slot *y = &view->slots[b];
    if (a == b) {
        return true;
    }
    return x->orbit == y->orbit && x->piece >= 0 && y->piece >= 0 &&
           view->root[x->piece] == view->root[y->piece] &&
           (x->kinds == 1 || view->root[x->turn] == view->root[y->turn]);
}

// Puts orbits that always show the same behind the others: no orientation counts, and all pieces
// look alike. Numbers all slots anew, in their order. Before that, takes orientations out of orbits
// that no move turns; there, they only tell pieces apart (`kinds`). `number`, `turned` and
// `changes` are room for an entry by slot; `turned` and `changes` are all false.
static void put_still_orbits_last(struct point_view *view, unsigned *number, bool *turned,
                                  bool *changes)
{
    struct view_slot *old = view->slots + view->slot_count; // there is room for all slots twice
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
        if (slot->counts || (slot->piece >= 0 && !is_same_colour(view, i, slot->orbit))) {
            changes[slot->orbit] = true;
        }
    }
    memcpy(old, view->slots, view->slot_count * sizeof *old);
    view->all_slots = view->slot_count;
    unsigned used = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < view->all_slots; i++) {
            if (changes[old[i].orbit] == (pass == 0)) { // first the orbits that change
                number[i] = used;
                view->slots[used] = old[i];
                view->slots[used++].orbit = number[old[i].orbit]; // its lowest slot comes first
            }
        }
        if (pass == 0) {
            view->slot_count = used;
        }
    }
}

// Fills in the slot of each cell of a piece.
static void number_cells(const struct point_view *view, unsigned *slot_of_cell)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        if (view->slots[i].piece >= 0) {
            slot_of_cell[view->slots[i].piece] = i;
        }
    }
}

// Adds the one or two things (point_view.h) of a colour, whose slots are the last of
// view->thing_slots, from `first_slot` to `end`. A single slot whose orientation counts needs no
// thing for the slot alone.
static void add_things(struct point_view *view, unsigned first_slot, unsigned end)
{
    unsigned i = view->thing_slots[first_slot];
    const struct view_slot *slot = &view->slots[i];
    struct view_thing thing = {.orbit = slot->orbit,
                               .turned = slot->counts,
                               .size = end - first_slot,
                               .first_slot = first_slot};
    if (slot->piece >= 0 && (thing.size > 1 || !slot->counts)) {
        thing.alone = true;
        view->things[view->thing_count++] = thing;
    }
    if (slot->counts) {
        thing.after_alone = thing.alone;
        thing.alone = false;
        view->things[view->thing_count++] = thing;
    }
}

// Finds the things, in the order of their first slots. `done` tells for each slot whether it
// belongs to a thing; all are false before.
static void find_things(struct point_view *view, bool *done)
{
    unsigned used = 0; // of view->thing_slots
    for (unsigned i = 0; i < view->slot_count; i++) {
        if (done[i]) {
            continue;
        }
        unsigned first_slot = used;
        for (unsigned j = i; j < view->slot_count; j++) {
            if (!done[j] && is_same_colour(view, i, j)) {
                view->thing_slots[used++] = j;
                done[j] = true;
            }
        }
        add_things(view, first_slot, used);
    }
}

// Does thing x come before thing y in the chain? Things of one slot come first, then the things of
// the first orbit, and so on. In an orbit, small things come before large ones, because the last
// thing of an orbit follows from the others.
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
    if (a != b) {
        return a < b;
    }
    return x->alone && !y->alone; // they have the same slots
}

// Sorts the things in the order of comes_before, by insertion.
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

// Numbers the points in the order of the things: first those of slots with an orientation, then
// those of slots alone. If a slot has one orientation, that is also its point alone. So number 0 of
// the chain is the state at the root.
static void number_points(struct point_view *view)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned t = 0; t < view->thing_count; t++) {
            const struct view_thing *thing = &view->things[t];
            // The second of two things with the same slots has no others.
            for (unsigned j = 0; j < thing->size && !thing->after_alone; j++) {
                struct view_slot *slot = &view->slots[view->thing_slots[thing->first_slot + j]];
                if (pass == 0) {
                    slot->first = slot->alone = (chain_point)view->degree;
                    view->degree += slot->turns;
                } else if (slot->turns > 1) {
                    slot->alone = (chain_point)view->degree++;
                }
            }
        }
        if (pass == 0) {
            view->slot_points = view->degree;
        }
    }
}

// The point of a slot with the piece in orientation `turn`, below its number of orientations.
static chain_point point_at(const struct view_slot *slot, unsigned turn)
{
    return (chain_point)(slot->first + (turn + slot->turns - slot->root) % slot->turns);
}

// Fills in the rows of all moves and of their inverses. `source` is room for a number by slot.
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

// The entry of view->thing_of for a piece in a slot: the number of its first thing there.
static uint16_t *thing_at(const struct point_view *view, const struct view_slot *slot,
                          unsigned piece)
{
    return &view->thing_of[slot->orbit * (size_t)PIECES_OF_SET_MOST + piece];
}

// Fills in `thing` of each slot where the root has thing t. Things of one piece in several
// orientations form a list: thing_of has the first, and `next` the one after it. Puts t first.
static void list_thing(struct point_view *view, unsigned t)
{
    struct view_thing *thing = &view->things[t];
    thing->next = CHAIN_NONE;
    for (unsigned j = 0; j < thing->size && !thing->after_alone; j++) {
        struct view_slot *slot = &view->slots[view->thing_slots[thing->first_slot + j]];
        slot->thing = t;
        if (slot->piece >= 0) {
            uint16_t *first = thing_at(view, slot, view->root[slot->piece]);
            if (j == 0) { // all slots of the thing share `first`
                thing->next = *first;
            }
            *first = (uint16_t)t;
        }
    }
}

// Fills in the look-ups of point_view_read: where the images of a thing begin, which thing a piece
// shows in a slot, and which slot a point belongs to. Returns false if memory runs out.
static bool fill_lookups(struct point_view *view)
{
    size_t entries = view->slot_count * (size_t)PIECES_OF_SET_MOST + 1;
    unsigned used = 0;
    view->thing_of = malloc(entries * sizeof *view->thing_of);
    view->slot_of = calloc(view->degree + 1u, sizeof *view->slot_of);
    view->image_of = malloc((view->thing_count + 1u) * sizeof *view->image_of);
    if (!view->thing_of || !view->slot_of || !view->image_of) {
        return false;
    }
    memset(view->thing_of, 0xFF, entries * sizeof *view->thing_of); // CHAIN_NONE
    for (unsigned t = 0; t < view->thing_count; t++) {
        view->image_of[t] = used;
        used += view->things[t].size;
        list_thing(view, t);
    }
    view->image_of[view->thing_count] = used;
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        view->slot_of[slot->alone] = (uint16_t)i;
        for (unsigned turn = 0; turn < slot->turns; turn++) {
            view->slot_of[slot->first + turn] = (uint16_t)i;
        }
    }
    return true;
}

// Fills in the chain's plan. It points to the rows of the moves, which fill_moves fills in later,
// or to those of their inverses if `undone`. Returns false if memory runs out.
static bool fill_plan(struct point_view *view, bool undone)
{
    unsigned used = 0;
    size_t row_count = 2 * (size_t)view->move_count;
    view->moves = calloc(row_count * view->degree + 1, sizeof *view->moves);
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

// Makes everything in a view whose lists `things` and `thing_slots` have room. Returns false if
// memory runs out, and if there are more than CHAIN_DEGREE_MOST points. `slot_of_cell` and `source`
// are room for a number by cell, and `flags` for three flags by cell, all false. There are at most
// as many slots as cells.
static bool fill_view(struct point_view *view, bool undone, unsigned *slot_of_cell,
                      unsigned *source, bool *flags)
{
    if (!read_slots(view)) {
        return false;
    }
    number_cells(view, slot_of_cell);
    find_orbits(view, slot_of_cell, source);
    put_still_orbits_last(view, source, flags, flags + view->cell_count);
    number_cells(view, slot_of_cell);
    find_things(view, flags + 2 * (size_t)view->cell_count);
    order_things(view);
    number_points(view);
    if (view->degree > CHAIN_DEGREE_MOST || !fill_plan(view, undone) || !fill_lookups(view)) {
        return false;
    }
    fill_moves(view, slot_of_cell, source);
    return true;
}

// A view with too many points is not filled in further; its degree tells the two failures apart.
bool point_view_make(struct point_view *view, const struct puzzle *puzzle, bool undone,
                     struct fewest_error *error)
{
    *view = (struct point_view){.puzzle = puzzle,
                                .cell_count = puzzle->cell_count,
                                .root = puzzle->numbering.roots[0].target,
                                .move_count = puzzle->move_count};
    unsigned cells = puzzle->cell_count;
    view->things = calloc(2 * (size_t)cells + 1, sizeof *view->things);
    view->thing_slots = calloc(cells, sizeof *view->thing_slots);
    unsigned *numbers = calloc(2 * (size_t)cells, sizeof *numbers);
    bool *flags = calloc(3 * (size_t)cells, sizeof *flags);
    bool made = view->things && view->thing_slots && numbers && flags &&
                fill_view(view, undone, numbers, numbers + cells, flags);
    free(numbers);
    free(flags);
    if (made) {
        return true;
    }
    if (view->degree > CHAIN_DEGREE_MOST) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has too many pieces and orientations: together more than %d",
                         puzzle->name, CHAIN_DEGREE_MOST);
    }
    return error_no_memory(error, "for the numbers of the states");
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
    *view = (struct point_view){.slot_count = 0};
}

const struct view_slot *point_view_home(const struct point_view *view, unsigned t)
{
    return &view->slots[view->thing_slots[view->things[t].first_slot]];
}

// Returns the thing that is in a slot of a state: the first thing of the piece there. CHAIN_NONE if
// this piece can't be in the slot. If the orientation tells pieces apart, so that a piece has
// several things, returns the one with the orientation that the state has.
static unsigned find_thing_in(const struct point_view *view, const struct view_slot *slot,
                              const uint8_t *cells)
{
    if (slot->piece < 0) {
        return slot->thing;
    }
    unsigned t = *thing_at(view, slot, cells[slot->piece]);
    if (slot->kinds > 1) {
        while (t != CHAIN_NONE && view->root[point_view_home(view, t)->turn] != cells[slot->turn]) {
            t = view->things[t].next;
        }
    }
    return t;
}

// Goes through the slots in rising order, and appends each slot's point to the images of the thing
// that is there.
bool point_view_read(const struct point_view *view, const uint8_t *cells, chain_point *images)
{
    uint16_t used[2 * CELLS_MOST]; // by thing: how many of its images are there
    memset(used, 0, view->thing_count * sizeof *used);
    for (unsigned i = view->slot_count; i < view->all_slots; i++) {
        const struct view_slot *slot = &view->slots[i];
        if ((slot->piece >= 0 && cells[slot->piece] != view->root[slot->piece]) ||
            (slot->turn >= 0 && cells[slot->turn] != view->root[slot->turn])) {
            return false;
        }
    }
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        unsigned t = find_thing_in(view, slot, cells);
        if (t == CHAIN_NONE || used[t] == view->things[t].size) {
            return false; // the orbit does not have this piece, or not so often
        }
        const struct view_thing *thing = &view->things[t];
        unsigned next = view->image_of[t] + used[t]++;
        if (thing->alone) {
            images[next] = slot->alone;
            next += thing->size; // the next thing, if it has the same slots
        }
        if (thing->turned) {
            images[next] = point_at(slot, cells[slot->turn]);
        }
    }
    return true;
}

// The piece in a slot has its label from its home: the first slot of its thing, which is in the
// same orbit and so has as many orientations. A turn of the piece makes the labels go round.
void point_view_read_labels(const struct point_view *view, const uint8_t *cells,
                            chain_point *labels)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        const struct view_slot *home = point_view_home(view, find_thing_in(view, slot, cells));
        for (unsigned t = 0; t < slot->turns; t++) {
            unsigned turn = 0;  // of the home's point; the same for all if it does not count
            if (home->counts) { // 0 for the orientation that the piece has
                turn = (t + slot->root + slot->turns - cells[slot->turn]) % slot->turns;
            }
            labels[slot->first + t] = (chain_point)(home->first + turn);
        }
    }
}

_Static_assert((int)POINTS_MOST <= (int)SYMMETRIES_DEGREE_MOST, "callers keep to POINTS_MOST");

bool point_view_find_symmetries(const struct point_view *view, enum symmetry_choice choice,
                                uint32_t most, struct point_symmetries *symmetries)
{
    struct point_moves moves = {view->slot_points, view->move_count, view->rows};
    return point_symmetries_find(&moves, choice, most, symmetries);
}

// images[i] is where the first point of slot i is now. So the piece that the root has in slot i is
// in the slot of that point.
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
