// Makes the codes of a puzzle's states, and applies moves to them.
#include "state_codes.h"

#include "tables/base/array.h"
#include "tables/families/board/board.h"

#include <string.h>

// ---- Slots --------------------------------------------------------------------------------------

// Numbers the labels of an orbit: those of the homes of its things. All its slots can have these.
static void number_orbit(struct state_codes *codes, unsigned orbit)
{
    const struct point_view *view = codes->view;
    unsigned least = codes->count;
    for (unsigned i = orbit; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        bool is_home = slot->orbit == orbit && point_view_home(view, slot->thing) == slot;
        for (unsigned t = 0; is_home && t < (slot->counts ? slot->turns : 1); t++) {
            codes->code_of[slot->first + t] = (uint16_t)codes->count;
            codes->label_of[codes->count++] = (uint16_t)(slot->first + t);
        }
    }
    for (unsigned i = orbit; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        if (slot->orbit == orbit) {
            codes->slots[i] = (struct code_slot){
                .first = slot->first, .least = least, .count = codes->count - least};
            codes->turns = slot->turns > codes->turns ? slot->turns : codes->turns;
        }
    }
}

// Makes the slots of a board: its cells. A label is the cell of a tile in the solved state.
static void make_cells(struct state_codes *codes)
{
    const uint8_t *solved = codes->puzzle->goals[0];
    codes->count = codes->puzzle->segments[0].symbols;
    for (unsigned i = 0; i < codes->changing; i++) {
        codes->slots[i] = (struct code_slot){.first = i, .count = codes->count};
        codes->code_of[i] = solved[i];
        codes->label_of[solved[i]] = (uint16_t)i;
    }
}

// Chooses the bits of each slot in the words of a packed state. No code is in two words.
static void place_codes(struct state_codes *codes)
{
    unsigned used = 0; // bits of the word
    codes->words = 1;
    for (unsigned i = 0; i < codes->slot_count; i++) {
        struct code_slot *slot = &codes->slots[i];
        unsigned bits = 0;
        while ((slot->count - 1) >> bits > 0) {
            bits++;
        }
        if (used + bits > 64) {
            codes->words++;
            used = 0;
        }
        slot->word = codes->words - 1;
        slot->shift = used % 64;
        slot->mask = (UINT64_C(1) << bits) - 1;
        used += bits;
    }
}

// Makes the slots, and numbers the labels. Returns false if memory runs out.
static bool make_slots(struct state_codes *codes)
{
    const struct point_view *view = codes->view;
    const struct puzzle *puzzle = codes->puzzle;
    size_t labels = view ? view->degree : UINT8_MAX + 1u;
    codes->changing = view ? view->slot_count : puzzle->cell_count;
    codes->slot_count = codes->changing + (puzzle->goal_count > 1);
    codes->slots = array_make(codes->slot_count, sizeof *codes->slots);
    codes->label_of = array_make(labels, sizeof *codes->label_of);
    codes->code_of = array_make(labels, sizeof *codes->code_of);
    if (!codes->slots || !codes->label_of || !codes->code_of) {
        return false;
    }
    codes->turns = 1;
    if (!view) {
        make_cells(codes);
    }
    for (unsigned i = 0; view && i < view->slot_count; i++) {
        if (view->slots[i].orbit == i) {
            number_orbit(codes, i);
        }
    }
    if (puzzle->goal_count > 1) {
        codes->slots[codes->changing].count = puzzle->goal_count;
    }
    place_codes(codes);
    return true;
}

// ---- Moves --------------------------------------------------------------------------------------

// Makes the table of each number of turns. Returns false if memory runs out.
static bool make_turns(struct state_codes *codes)
{
    const struct point_view *view = codes->view;
    codes->tables = array_make((uint64_t)codes->turns * codes->count, sizeof *codes->tables);
    for (unsigned t = 0; codes->tables && t < codes->turns; t++) {
        for (unsigned code = 0; code < codes->count; code++) {
            unsigned label = codes->label_of[code];
            if (view && view->slots[view->slot_of[label]].counts) {
                label = point_view_turn(view, label, t);
            }
            codes->tables[t * codes->count + code] = codes->code_of[label];
        }
    }
    return codes->tables;
}

// For each move of a permutation puzzle, makes the changes that undo it: what the move took from
// one slot to another goes back. Returns false if memory runs out.
static bool make_changes(struct state_codes *codes)
{
    const struct point_view *view = codes->view;
    size_t used = 0;
    codes->first_change = array_make(view->move_count + 1u, sizeof *codes->first_change);
    codes->changes =
        array_make((uint64_t)view->move_count * codes->changing, sizeof *codes->changes);
    if (!codes->first_change || !codes->changes) {
        return false;
    }
    for (unsigned m = 0; m < view->move_count; m++) {
        for (unsigned i = 0; i < codes->changing; i++) {
            unsigned first = codes->slots[i].first;
            unsigned point = view->moves[(size_t)m * view->degree + first]; // where it is taken
            unsigned from = view->slot_of[point];
            if (point != first) {
                codes->changes[used++] = (struct code_change){
                    .slot = (uint16_t)i,
                    .from = (uint16_t)from,
                    .table = (point - codes->slots[from].first) * codes->count};
            }
        }
        codes->first_change[m + 1] = used;
    }
    return true;
}

// Fills in which codes the filter permits in each slot. Returns false if memory runs out.
static bool make_legal(struct state_codes *codes)
{
    if (!codes->puzzle->filter) {
        return true;
    }
    codes->legal = array_make((uint64_t)codes->changing * codes->count, sizeof *codes->legal);
    for (unsigned i = 0; codes->legal && i < codes->changing; i++) {
        for (unsigned code = 0; code < codes->count; code++) {
            codes->legal[i * codes->count + code] = !point_view_forbids(
                codes->view, codes->puzzle, codes->slots[i].first, codes->label_of[code]);
        }
    }
    return codes->legal;
}

// ---- Goals --------------------------------------------------------------------------------------

// Reads the cells of a state. Returns false if an orbit has other pieces than the root. `points` is
// room for two numbers by point.
static bool read_cells(const struct state_codes *codes, const uint8_t *cells, chain_point *points,
                       uint16_t *state)
{
    if (codes->view && !point_view_read(codes->view, cells, points)) {
        return false;
    }
    if (codes->view) {
        point_view_read_labels(codes->view, cells, points);
    }
    for (unsigned i = 0; i < codes->changing; i++) {
        state[i] = codes->view ? codes->code_of[points[codes->slots[i].first]] : cells[i];
    }
    return true;
}

// Reads a goal, in a group by its name relative to the first goal that has the same pieces in each
// orbit.
static bool read_goal(const struct state_codes *codes, unsigned goal, chain_point *points,
                      uint16_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = codes->puzzle;
    bool is_group = codes->view && puzzle->numbering.answers == ANSWERS_ALL;
    uint8_t relative[CELLS_MOST];
    unsigned root;
    for (unsigned by = 0; by <= (is_group ? goal : 0); by++) {
        const uint8_t *cells = puzzle->goals[goal];
        if (is_group) {
            if (!puzzle_find_relative(puzzle, puzzle->goals[by], cells, &root, relative, error)) {
                return false;
            }
            cells = relative;
        }
        if (read_cells(codes, cells, points, state)) {
            if (puzzle->goal_count > 1) {
                state[codes->changing] = (uint16_t)by;
            }
            return true;
        }
    }
    return error_set(error, FEWEST_BEYOND,
                     "%s: no moves connect `Goal` number %u with `Solved`; remove this goal",
                     puzzle->name, goal);
}

// Reads all goals.
static bool read_goals(struct state_codes *codes, struct fewest_error *error)
{
    unsigned goals = codes->puzzle->goal_count;
    chain_point *points =
        codes->view ? array_make(2 * (uint64_t)codes->view->degree, sizeof *points) : NULL;
    codes->goals = array_make((uint64_t)goals * codes->slot_count, sizeof *codes->goals);
    bool done =
        (codes->goals && (points || !codes->view)) || error_no_memory(error, "for the goals");
    for (unsigned g = 0; g < goals && done; g++) {
        done = read_goal(codes, g, points, codes->goals + (size_t)g * codes->slot_count, error);
    }
    free(points);
    return done;
}

bool codes_make(struct state_codes *codes, const struct puzzle *puzzle, struct fewest_error *error)
{
    *codes = (struct state_codes){.puzzle = puzzle, .symmetry_count = 1};
    if (puzzle->rules->never_applies_reason) {
        return error_set(error, FEWEST_BEYOND, "the states of %s can't be counted by depth: %s",
                         puzzle->name, puzzle->rules->never_applies_reason);
    }
    codes->view = permutation_view(puzzle);
    if (!make_slots(codes) || !make_turns(codes) || !make_legal(codes) ||
        (codes->view && !make_changes(codes))) {
        return error_no_memory(error, "for the moves");
    }
    return read_goals(codes, error);
}

void codes_free(struct state_codes *codes)
{
    free(codes->slots);
    free(codes->label_of);
    free(codes->code_of);
    free(codes->goals);
    free(codes->tables);
    free(codes->first_change);
    free(codes->changes);
    free(codes->legal);
    free(codes->images);
    free(codes->sources);
    free(codes->least);
    *codes = (struct state_codes){.slot_count = 0};
}

// ---- States -------------------------------------------------------------------------------------

// Undoes a move of a board: one of its moves takes the blank back. As long as each move can be
// undone by another one, this makes the moves themselves. All together, they lead to the same
// states. A slot of a board has one cell, and its code is the tile there.
static bool move_board(const struct puzzle *puzzle, unsigned move, const uint16_t *from,
                       uint16_t *to)
{
    uint8_t cells[BOARD_CELLS_MOST];
    uint8_t moved[BOARD_CELLS_MOST];
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        cells[i] = (uint8_t)from[i];
    }
    if (!puzzle_apply(puzzle, move, cells, moved)) {
        return false;
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        to[i] = moved[i];
    }
    return true;
}

bool codes_undo(const struct state_codes *codes, unsigned move, const uint16_t *from, uint16_t *to)
{
    memcpy(to, from, codes->slot_count * sizeof *to);
    if (!codes->view) {
        return move_board(codes->puzzle, move, from, to);
    }
    const struct code_change *end = codes->changes + codes->first_change[move + 1];
    for (const struct code_change *change = codes->changes + codes->first_change[move];
         change < end; change++) {
        unsigned code = codes->tables[change->table + from[change->from]];
        if (codes->legal && !codes->legal[change->slot * codes->count + code]) {
            return false;
        }
        to[change->slot] = (uint16_t)code;
    }
    return true;
}

void codes_pack(const struct state_codes *codes, const uint16_t *state, uint64_t *packed)
{
    unsigned w = 0;
    uint64_t word = 0; // is faster than to change packed[w] again and again
    for (unsigned i = 0; i < codes->slot_count; i++) {
        const struct code_slot *slot = &codes->slots[i];
        if (slot->word > w) {
            packed[w++] = word;
            word = 0;
        }
        word |= (uint64_t)(state[i] - slot->least) << slot->shift;
    }
    packed[w] = word;
}

void codes_unpack(const struct state_codes *codes, const uint64_t *packed, uint16_t *state)
{
    for (unsigned i = 0; i < codes->slot_count; i++) {
        const struct code_slot *slot = &codes->slots[i];
        state[i] = (uint16_t)(slot->least + (packed[slot->word] >> slot->shift & slot->mask));
    }
}
