// Finds what the symmetries of a puzzle make of codes, and the least state of a class.
#include "code_symmetries.h"

#include "tables/base/array.h"
#include "tables/families/board/board.h"
#include "tables/families/symmetry/state_symmetries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const size_t IMAGES_BYTES_MOST = (size_t)64 << 20; // of all tables

// ---- Labels of codes ----------------------------------------------------------------------------
// A symmetry takes point x to point to[x], and label l to label renamed[l] (state_symmetries.h). So
// it takes to a slot what is at one point of another slot, or of the same one.

// The data from which the tables of symmetries are made.
struct labels {
    struct state_codes *codes;
    const struct state_symmetries *symmetries;
    const struct point_view *view; // NULL for a board, whose points are its cells
    unsigned *view_slot_of;        // by shown slot: its number in the view
    unsigned *slot_of_view;        // by slot of the view: its slot in codes->slots
    unsigned *first_home;          // by shown slot: its entry in `home`
    int *home; // by code: the slot of the view where the root has that piece; -1: in none
};

static const struct view_slot *view_slot(const struct labels *labels, unsigned shown)
{
    return &labels->view->slots[labels->view_slot_of[shown]];
}

// The home of a code in a slot: the first slot of its orbit where the root has the piece or, if no
// move turns the orbit, the piece in this orientation. -1 if there is none.
static int find_home(const struct labels *labels, unsigned number, unsigned code)
{
    const struct point_view *view = labels->view;
    const struct view_slot *slot = &view->slots[number];
    const struct code_slot *coded = &labels->codes->slots[labels->slot_of_view[number]];
    if (slot->piece < 0) {
        return (int)number;
    }
    for (unsigned h = 0; h < view->slot_count; h++) {
        const struct view_slot *home = &view->slots[h];
        bool has_piece =
            home->orbit == slot->orbit && view->root[home->piece] == code / coded->turns;
        if (has_piece && (home->kinds == 1 || view->root[home->turn] == code % coded->turns)) {
            return (int)h;
        }
    }
    return -1;
}

// Returns the label at turn `point` of a slot that has this orientation of a piece from `home`.
static unsigned label_at(const struct view_slot *slot, const struct view_slot *home, unsigned point,
                         unsigned orientation)
{
    unsigned turn = 0;
    if (home->counts && slot->turns > 1) {
        turn = (point + slot->root + slot->turns - orientation) % slot->turns;
    }
    return home->first + turn;
}

// Undoes it for the first point of a slot: returns the code whose label there this is.
static unsigned code_of_label(const struct labels *labels, const struct view_slot *slot,
                              unsigned label)
{
    const struct point_view *view = labels->view;
    const struct code_slot *coded = &labels->codes->slots[labels->slot_of_view[slot - view->slots]];
    const struct view_slot *home = &view->slots[view->slot_of[label]];
    unsigned piece = home->piece >= 0 ? view->root[home->piece] : 0;
    unsigned turn = 0;
    if (slot->kinds > 1) {
        turn = view->root[home->turn];
    } else if (home->counts && slot->turns > 1) {
        turn = (slot->root + slot->turns - (label - home->first)) % slot->turns;
    }
    return piece * coded->turns + turn;
}

// The entry of a symmetry and a shown slot in the list of sources.
static size_t source_entry(const struct state_codes *codes, unsigned shown, unsigned symmetry)
{
    return (size_t)shown * codes->symmetry_room + symmetry;
}

// The table of a symmetry and a shown slot. All slots have room for as many codes as the slot with
// the most of them that a symmetry may bring there.
static uint16_t *image_table(const struct state_codes *codes, unsigned shown, unsigned symmetry)
{
    return codes->images + source_entry(codes, shown, symmetry) * codes->image_stride;
}

// Fills in what a symmetry of the list brings to a shown slot. It becomes symmetry `number` of the
// codes.
static void fill_image(const struct labels *labels, unsigned listed, unsigned number,
                       unsigned shown)
{
    struct state_codes *codes = labels->codes;
    const struct state_symmetries *symmetries = labels->symmetries;
    const struct point_view *view = labels->view;
    const chain_point *to = symmetries->to + (size_t)listed * symmetries->width;
    const chain_point *renamed = symmetries->label + (size_t)listed * POINTS_MOST;
    const struct view_slot *slot = view_slot(labels, shown);
    unsigned x = 0; // the point that the symmetry takes to the first point of the slot
    while (to[x] != slot->first) {
        x++;
    }
    unsigned source = view->slot_of[x];
    const struct view_slot *from = &view->slots[source];
    const struct code_slot *coded = &codes->slots[labels->slot_of_view[source]];
    uint16_t *table = image_table(codes, shown, number);
    codes->image_from[source_entry(codes, shown, number)] = (uint16_t)labels->slot_of_view[source];
    for (unsigned code = 0; code < coded->count; code++) {
        int home = labels->home[labels->first_home[source] + code];
        table[code] = 0;
        if (home >= 0) {
            unsigned label =
                label_at(from, &view->slots[home], x - from->first, code % coded->turns);
            table[code] = (uint16_t)code_of_label(labels, slot, renamed[label]);
        }
    }
}

// The same for a cell of a board. A label is the cell of a tile in the solved state.
static void fill_board_image(const struct labels *labels, unsigned listed, unsigned number,
                             unsigned cell)
{
    struct state_codes *codes = labels->codes;
    const struct state_symmetries *symmetries = labels->symmetries;
    const uint8_t *solved = codes->puzzle->goals[0];
    const chain_point *to = symmetries->to + (size_t)listed * symmetries->width;
    const chain_point *renamed = symmetries->label + (size_t)listed * POINTS_MOST;
    unsigned source = 0;
    while (to[source] != cell) {
        source++;
    }
    codes->image_from[source_entry(codes, cell, number)] = (uint16_t)source;
    for (unsigned home = 0; home < codes->slot_count; home++) {
        image_table(codes, cell, number)[solved[home]] = solved[renamed[home]];
    }
}

// ---- Making the tables --------------------------------------------------------------------------

// Finds the slots of the view among those of the codes, and the homes of all codes. Returns false
// if memory runs out.
static bool find_homes(struct labels *labels)
{
    struct state_codes *codes = labels->codes;
    const struct point_view *view = labels->view;
    unsigned used = 0;
    for (unsigned v = 0; v < view->slot_count; v++) {
        unsigned i = 0;
        while (codes->slots[i].piece != view->slots[v].piece ||
               (view->slots[v].piece < 0 && codes->slots[i].turn != view->slots[v].turn)) {
            i++;
        }
        labels->slot_of_view[v] = i;
        labels->first_home[v] = used;
        used += codes->slots[i].count;
    }
    labels->home = array_make(used, sizeof *labels->home);
    for (unsigned v = 0; v < view->slot_count && labels->home; v++) {
        unsigned count = codes->slots[labels->slot_of_view[v]].count;
        for (unsigned code = 0; code < count; code++) {
            labels->home[labels->first_home[v] + code] = find_home(labels, v, code);
        }
    }
    return labels->home;
}

// Lists the slots that symmetries change: those of the view, in the order of the codes; on a board,
// all. There is room for all.
static void list_shown(struct labels *labels)
{
    struct state_codes *codes = labels->codes;
    for (unsigned i = 0; i < codes->slot_count; i++) {
        if (!labels->view) {
            codes->shown[codes->shown_count++] = i;
            continue;
        }
        for (unsigned v = 0; v < labels->view->slot_count; v++) {
            if (labels->slot_of_view[v] == i) {
                labels->view_slot_of[codes->shown_count] = v;
                codes->shown[codes->shown_count++] = i;
            }
        }
    }
}

// Makes room for the tables of all symmetries. Sets codes->images to NULL if they would be too
// large. Returns false if memory runs out.
static bool make_tables(struct state_codes *codes)
{
    size_t rows = (size_t)codes->shown_count * codes->symmetry_room;
    for (unsigned k = 0; k < codes->shown_count; k++) {
        unsigned count = codes->slots[codes->shown[k]].count;
        codes->image_stride = count > codes->image_stride ? count : codes->image_stride;
    }
    if (codes->image_stride > IMAGES_BYTES_MOST / sizeof *codes->images / (rows + 1)) {
        return true;
    }
    codes->image_from = array_make(rows, sizeof *codes->image_from);
    codes->images = array_make(rows * codes->image_stride, sizeof *codes->images);
    return codes->image_from && codes->images;
}

// Fills in what symmetry `number` makes of a state.
static void write_image(const struct state_codes *codes, unsigned number, const uint16_t *state,
                        uint16_t *image)
{
    memcpy(image, state, codes->slot_count * sizeof *image);
    for (unsigned k = 0; k < codes->shown_count; k++) {
        unsigned from = codes->image_from[source_entry(codes, k, number)];
        image[codes->shown[k]] = image_table(codes, k, number)[state[from]];
    }
}

// Is a state a goal?
static bool is_goal(const struct state_codes *codes, const uint16_t *state)
{
    uint16_t goal[CODES_MOST];
    struct fewest_error error;
    for (unsigned g = 0; g < codes->puzzle->goal_count; g++) {
        if (codes_read_goal(codes, g, goal, &error) &&
            memcmp(goal, state, codes->slot_count * sizeof *goal) == 0) {
            return true;
        }
    }
    return false;
}

// Does a symmetry take each goal to a goal?
static bool keeps_goals(const struct state_codes *codes, unsigned number)
{
    uint16_t goal[CODES_MOST];
    uint16_t image[CODES_MOST];
    struct fewest_error error;
    for (unsigned g = 0; g < codes->puzzle->goal_count; g++) {
        if (!codes_read_goal(codes, g, goal, &error)) {
            return false;
        }
        write_image(codes, number, goal, image);
        if (!is_goal(codes, image)) {
            return false;
        }
    }
    return true;
}

// Fills in the tables of the symmetries that keep the goals.
static void fill_tables(struct labels *labels)
{
    struct state_codes *codes = labels->codes;
    unsigned number = 0;
    for (unsigned listed = 0; listed < labels->symmetries->count; listed++) {
        for (unsigned k = 0; k < codes->shown_count; k++) {
            if (labels->view) {
                fill_image(labels, listed, number, k);
            } else {
                fill_board_image(labels, listed, number, k);
            }
        }
        number += keeps_goals(codes, number);
    }
    codes->symmetry_count = number > 0 ? number : 1; // the identity is one
}

// Fills in the choice for a source of the first shown slot and a code there. `used` symmetries were
// chosen before. Returns how many are now.
static uint32_t choose_symmetries(struct state_codes *codes, unsigned source, unsigned code,
                                  uint32_t used)
{
    struct code_choice *choice = &codes->choices[(size_t)source * codes->image_stride + code];
    *choice = (struct code_choice){.code = UINT16_MAX, .first = used};
    for (unsigned s = 0; s < codes->symmetry_count; s++) {
        if (codes->image_from[s] != codes->sources[source]) {
            continue;
        }
        uint16_t image = image_table(codes, 0, s)[code];
        if (image < choice->code) {
            choice->code = image;
            choice->count = 0;
        }
        if (image == choice->code) {
            codes->chosen[choice->first + choice->count++] = (uint16_t)s;
        }
    }
    return used + choice->count;
}

// Lists the sources of the first shown slot, and makes their choices. Returns false if memory runs
// out.
static bool make_choices(struct state_codes *codes)
{
    size_t entries = (size_t)codes->symmetry_count * codes->image_stride;
    uint32_t used = 0;
    codes->sources = array_make(codes->symmetry_count, sizeof *codes->sources);
    codes->choices = array_make(entries, sizeof *codes->choices); // there are fewer sources
    codes->chosen = array_make(entries, sizeof *codes->chosen);
    if (!codes->sources || !codes->choices || !codes->chosen) {
        return false;
    }
    for (unsigned s = 0; s < codes->symmetry_count; s++) {
        unsigned i = 0;
        while (i < codes->source_count && codes->sources[i] != codes->image_from[s]) {
            i++;
        }
        if (i == codes->source_count) {
            codes->sources[codes->source_count++] = codes->image_from[s];
        }
    }
    for (unsigned i = 0; i < codes->source_count; i++) {
        for (unsigned code = 0; code < codes->slots[codes->sources[i]].count; code++) {
            used = choose_symmetries(codes, i, code, used);
        }
    }
    return true;
}

// Makes the tables of the symmetries of a list. Returns false if memory runs out.
static bool add_listed(struct state_codes *codes, const struct state_symmetries *symmetries)
{
    struct labels labels = {
        .codes = codes, .symmetries = symmetries, .view = permutation_view(codes->puzzle)};
    unsigned slots = codes->slot_count;
    codes->symmetry_room = symmetries->count;
    codes->shown = array_make(slots, sizeof *codes->shown);
    labels.view_slot_of = array_make(slots, sizeof *labels.view_slot_of);
    labels.slot_of_view = array_make(slots, sizeof *labels.slot_of_view);
    labels.first_home = array_make(slots, sizeof *labels.first_home);
    bool done = codes->shown && labels.view_slot_of && labels.slot_of_view && labels.first_home &&
                (!labels.view || find_homes(&labels));
    if (done) {
        list_shown(&labels);
        done = make_tables(codes);
    }
    if (done && codes->images && codes->shown_count > 0) {
        fill_tables(&labels);
        done = make_choices(codes);
    }
    free(labels.view_slot_of);
    free(labels.slot_of_view);
    free(labels.first_home);
    free(labels.home);
    return done;
}

// If moves do not connect the goals, or nobody knows, a symmetry that keeps the root may do
// anything to states that moves from the root do not reach.
static bool has_connected_goals(const struct puzzle *puzzle)
{
    if (puzzle->goal_count == 1) {
        return true;
    }
    return puzzle->component_count == 1 && puzzle_is_numbered(puzzle) &&
           !puzzle_is_too_large(puzzle);
}

bool code_symmetries_add(struct state_codes *codes, struct fewest_error *error)
{
    struct state_symmetries symmetries;
    if (!has_connected_goals(codes->puzzle)) {
        return true;
    }
    bool found = state_symmetries_find(&symmetries, codes->puzzle, STATE_SYMMETRIES_ALL, error);
    bool done = found || error->status == FEWEST_BEYOND;
    if (found && symmetries.count <= CODE_SYMMETRIES_MOST) {
        done = add_listed(codes, &symmetries) || error_no_memory(error, "for the symmetries");
    }
    state_symmetries_free(&symmetries);
    return done;
}

// ---- Least states -------------------------------------------------------------------------------

// Fills in the symmetries whose images have the least code in the first shown slot. Returns their
// number. The choices tell it from a few sources: that makes this search of the 3x3x3 1.4 × faster
// than to look at all 48 symmetries (2026-11).
static unsigned begin_least(const struct state_codes *codes, const uint16_t *state, uint16_t *left)
{
    const struct code_choice *choices = codes->choices;
    unsigned least = UINT_MAX;
    unsigned count = 0;
    for (unsigned i = 0; i < codes->source_count; i++, choices += codes->image_stride) {
        const struct code_choice *choice = &choices[state[codes->sources[i]]];
        if (choice->code > least) {
            continue;
        }
        if (choice->code < least) {
            least = choice->code;
            count = 0;
        }
        for (unsigned c = 0; c < choice->count; c++) {
            left[count++] = codes->chosen[choice->first + c];
        }
    }
    return count;
}

// Keeps the symmetries whose images have the least code in a shown slot. Returns their number.
static unsigned keep_least(const struct state_codes *codes, unsigned shown, const uint16_t *state,
                           uint16_t *left, unsigned count)
{
    unsigned least = UINT_MAX;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned s = left[i];
        unsigned from = codes->image_from[source_entry(codes, shown, s)];
        unsigned code = image_table(codes, shown, s)[state[from]];
        if (code < least) {
            least = code;
            kept = 0;
        }
        if (code == least) {
            left[kept++] = (uint16_t)s;
        }
    }
    return kept;
}

// Goes from slot to slot, and keeps the symmetries whose images have the least code there. After
// two or three slots, only one is left of most states. If several are left at the end, their images
// are equal: they differ by the symmetries that keep the state, and are as many.
unsigned codes_find_least(const struct state_codes *codes, const uint16_t *state, uint16_t *least)
{
    uint16_t left[CODE_SYMMETRIES_MOST]; // at least one is left
    left[0] = 0;
    if (codes->symmetry_count == 1) {
        memcpy(least, state, codes->slot_count * sizeof *least);
        return 1;
    }
    unsigned count = begin_least(codes, state, left);
    for (unsigned k = 1; k < codes->shown_count && count > 1; k++) {
        count = keep_least(codes, k, state, left, count);
    }
    write_image(codes, left[0], state, least);
    return count;
}
